//! The order inside the layers, so that few edges cross: each item goes to the middle of those that
//! it is linked with in the layer before, down and up again, and the best order seen is kept.

use super::Attach;
use super::items::{Items, Link};

/// Down and up count as two.
const MOST_SWEEPS: usize = 24;
/// Links looked at in all sweeps: large graphs get fewer.
const WORK: usize = 4_000_000;
/// Exchanges of neighbours are tried in graphs with at most so many links.
const SMALL: usize = 4_000;
const MOST_EXCHANGES: usize = 12;

pub fn reduce_crossings(items: &mut Items) {
    let sweeps = (WORK / (items.links.len() + 1)).clamp(2, MOST_SWEEPS);
    let mut best = items.layers.clone();
    let mut fewest = crossings(items);
    for sweep in 0..sweeps {
        if fewest == 0 {
            break;
        }
        self::sweep(items, sweep % 2 == 0);
        if items.links.len() <= SMALL {
            exchange_neighbours(items);
        }
        let now = crossings(items);
        if now < fewest {
            fewest = now;
            best = items.layers.clone();
        }
    }
    items.layers = best;
}

/// Where each item stands in its layer.
fn positions(items: &Items) -> Vec<f64> {
    let mut positions = vec![0.0; items.all.len()];
    for layer in &items.layers {
        for (position, item) in layer.iter().enumerate() {
            positions[*item] = position as f64;
        }
    }
    positions
}

/// Where one end of a link is, in units of positions: edges that are attached to the left of a node
/// come from the left.
fn end(items: &Items, positions: &[f64], item: usize, at: Attach) -> f64 {
    let shift = match at {
        Attach::Anywhere => 0.0,
        Attach::At(offset) => {
            let width = items.all[item].left + items.all[item].right;
            0.9 * offset / width.max(1.0)
        }
    };
    positions[item] + shift.clamp(-0.45, 0.45)
}

fn ends(items: &Items, positions: &[f64], link: &Link) -> (f64, f64) {
    let upper = end(items, positions, link.upper, link.upper_at);
    (upper, end(items, positions, link.lower, link.lower_at))
}

fn sweep(items: &mut Items, down: bool) {
    let count = items.layers.len();
    let mut positions = positions(items);
    for step in 1..count {
        let layer = if down { step } else { count - 1 - step };
        let mut wanted: Vec<(f64, usize)> = Vec::new();
        for item in &items.layers[layer] {
            let middle = middle(items, &positions, *item, down);
            wanted.push((middle.unwrap_or(positions[*item]), *item));
        }
        wanted.sort_by(|one, other| one.0.total_cmp(&other.0));
        items.layers[layer] = wanted.iter().map(|(_, item)| *item).collect();
        for (position, item) in items.layers[layer].iter().enumerate() {
            positions[*item] = position as f64;
        }
    }
}

/// The mean of what an item is linked with in the layer above, or below; corrected by where on the
/// item itself these links are attached.
fn middle(items: &Items, positions: &[f64], item: usize, above: bool) -> Option<f64> {
    let links = if above {
        &items.above[item]
    } else {
        &items.below[item]
    };
    let mut sum = 0.0;
    for link in links {
        let (upper, lower) = ends(items, positions, &items.links[*link]);
        sum += if above { upper } else { lower };
    }
    (!links.is_empty()).then(|| sum / links.len() as f64)
}

fn crossings(items: &Items) -> u64 {
    let positions = positions(items);
    let mut by_layer = vec![Vec::new(); items.layers.len()];
    for link in &items.links {
        by_layer[items.all[link.upper].layer].push(ends(items, &positions, link));
    }
    by_layer.iter_mut().map(|pairs| inversions(pairs)).sum()
}

/// How many pairs of links between two layers cross.
fn inversions(pairs: &mut [(f64, f64)]) -> u64 {
    pairs.sort_by(|one, other| one.0.total_cmp(&other.0).then(one.1.total_cmp(&other.1)));
    let mut lower: Vec<f64> = pairs.iter().map(|(_, lower)| *lower).collect();
    let mut spare = lower.clone();
    merge_sort(&mut lower, &mut spare)
}

/// Sorts, and counts the pairs that stood in the wrong order.
fn merge_sort(values: &mut [f64], spare: &mut [f64]) -> u64 {
    if values.len() < 2 {
        return 0;
    }
    let half = values.len() / 2;
    let mut count = merge_sort(&mut values[..half], spare);
    count += merge_sort(&mut values[half..], spare);
    let (mut left, mut right) = (0, half);
    for place in spare[..values.len()].iter_mut() {
        let take_left = right == values.len() || (left < half && values[left] <= values[right]);
        let from = if take_left { &mut left } else { &mut right };
        *place = values[*from];
        *from += 1;
        if !take_left {
            count += (half - left) as u64;
        }
    }
    values.copy_from_slice(&spare[..values.len()]);
    count
}

/// Neighbours change places as long as that takes crossings away.
fn exchange_neighbours(items: &mut Items) {
    let mut positions = positions(items);
    for _ in 0..MOST_EXCHANGES {
        let mut better = false;
        for layer in 0..items.layers.len() {
            for place in 1..items.layers[layer].len() {
                let (left, right) = (items.layers[layer][place - 1], items.layers[layer][place]);
                if crossings_of(items, &positions, left, right)
                    > crossings_of(items, &positions, right, left)
                {
                    items.layers[layer].swap(place - 1, place);
                    positions.swap(left, right);
                    better = true;
                }
            }
        }
        if !better {
            return;
        }
    }
}

/// How often the links of two neighbours cross if `left` stands left of `right`.
fn crossings_of(items: &Items, positions: &[f64], left: usize, right: usize) -> usize {
    let far = |item: usize, above: bool| -> Vec<f64> {
        let links = if above {
            &items.above[item]
        } else {
            &items.below[item]
        };
        let far = links.iter().map(|link| {
            let (upper, lower) = ends(items, positions, &items.links[*link]);
            if above { upper } else { lower }
        });
        far.collect()
    };
    [true, false]
        .into_iter()
        .map(|above| {
            let others = far(right, above);
            let crossing = |one: &f64| others.iter().filter(|other| *other < one).count();
            far(left, above).iter().map(crossing).sum::<usize>()
        })
        .sum()
}
