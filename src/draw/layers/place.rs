//! The columns: where items stand in their layers, so that edges are short and straight.
//!
//! Layer by layer each item wants to stand under the middle of what it is linked with. The nearest
//! places that keep the order and the distances are an isotonic regression, found exactly by pooling
//! neighbours that want to pass each other.

use super::Attach;
use super::items::{Item, Items, Link, Of};
use super::straighten::straighten;

const SWEEPS: usize = 16;
const ALIGNMENTS: usize = 12;
/// Items placed in all sweeps: large graphs get fewer.
const WORK: usize = 4_000_000;

/// The horizontal place of each item's line.
pub fn columns(items: &Items) -> Vec<f64> {
    let mut columns = packed(items);
    let rounds = (WORK / (items.all.len() + 1)).clamp(2, SWEEPS);
    for round in 0..rounds {
        let looks = match round {
            _ if round + 4 >= rounds => Looks::BothWays,
            _ if round % 2 == 0 => Looks::Up,
            _ => Looks::Down,
        };
        sweep(items, &mut columns, looks, round % 2 == 0);
    }
    for _ in 0..rounds.min(ALIGNMENTS) {
        align_edges(items, &mut columns);
    }
    straighten(items, &mut columns);
    columns
}

/// As far left as they can be.
fn packed(items: &Items) -> Vec<f64> {
    let mut columns = vec![0.0; items.all.len()];
    for layer in &items.layers {
        let mut place = 0.0;
        for (index, item) in layer.iter().enumerate() {
            if index > 0 {
                place += distance(&items.all[layer[index - 1]], &items.all[*item]);
            }
            columns[*item] = place;
        }
    }
    columns
}

/// How far apart the lines of two neighbours must be.
pub fn distance(left: &Item, right: &Item) -> f64 {
    let space = match (left.of, right.of) {
        (Of::Node(_), Of::Node(_)) => 30.0,
        (Of::Node(_), _) | (_, Of::Node(_)) => 14.0,
        (Of::Label(_), _) => 6.0,
        _ => 4.0,
    };
    left.right + space + right.left
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Looks {
    Up,
    Down,
    BothWays,
}

fn sweep(items: &Items, columns: &mut [f64], looks: Looks, from_top: bool) {
    let count = items.layers.len();
    for step in 0..count {
        let layer = &items.layers[if from_top { step } else { count - 1 - step }];
        let wanted: Vec<Wish> = layer
            .iter()
            .map(|item| wish(items, columns, *item, looks))
            .collect();
        settle(items, columns, layer, &wanted);
    }
}

/// Where something wants to be, and how much.
#[derive(Clone, Copy)]
struct Wish {
    place: f64,
    weight: f64,
}

fn wish(items: &Items, columns: &[f64], item: usize, looks: Looks) -> Wish {
    let mut sum = 0.0;
    let mut weight = 0.0;
    let mut add = |place: f64, heavy: f64| {
        sum += place * heavy;
        weight += heavy;
    };
    if looks != Looks::Down {
        for link in items.above[item].iter().map(|link| &items.links[*link]) {
            let there = columns[link.upper] + offset(link.upper_at);
            add(there - offset(link.lower_at), heaviness(items, link));
        }
    }
    if looks != Looks::Up {
        for link in items.below[item].iter().map(|link| &items.links[*link]) {
            let there = columns[link.lower] + offset(link.lower_at);
            add(there - offset(link.upper_at), heaviness(items, link));
        }
    }
    match weight > 0.0 {
        true => Wish {
            place: sum / weight,
            weight,
        },
        false => Wish {
            place: columns[item],
            weight: 0.1,
        },
    }
}

pub fn offset(at: Attach) -> f64 {
    match at {
        Attach::Anywhere => 0.0,
        Attach::At(offset) => offset,
    }
}

/// Bends in the middle of an edge are worse than at its ends.
pub fn heaviness(items: &Items, link: &Link) -> f64 {
    let is_node = |item: usize| matches!(items.all[item].of, Of::Node(_));
    match (is_node(link.upper), is_node(link.lower)) {
        (false, false) => 8.0,
        (true, true) => 1.0,
        _ => 2.0,
    }
}

/// Puts the items of a layer as near to their wishes as their order and widths allow.
fn settle(items: &Items, columns: &mut [f64], layer: &[usize], wanted: &[Wish]) {
    let mut shift = 0.0;
    let mut shifts = Vec::with_capacity(layer.len());
    for (index, item) in layer.iter().enumerate() {
        if index > 0 {
            shift += distance(&items.all[layer[index - 1]], &items.all[*item]);
        }
        shifts.push(shift);
    }
    let wishes = wanted.iter().zip(&shifts).map(|(wish, shift)| Wish {
        place: wish.place - shift,
        ..*wish
    });
    for ((item, place), shift) in layer.iter().zip(ascending(wishes)).zip(&shifts) {
        columns[*item] = place + shift;
    }
}

/// The ascending places with the least weighted sum of squared distances from the wishes: neighbours
/// in the wrong order are pooled, and stand together at their common middle.
fn ascending(wishes: impl Iterator<Item = Wish>) -> Vec<f64> {
    let mut pools: Vec<(Wish, usize)> = Vec::new();
    for wish in wishes {
        let mut last = (wish, 1);
        while let Some((before, count)) = pools.pop_if(|(before, _)| before.place >= last.0.place) {
            let weight = before.weight + last.0.weight;
            let sum = before.place * before.weight + last.0.place * last.0.weight;
            let place = sum / weight;
            last = (Wish { place, weight }, count + last.1);
        }
        pools.push(last);
    }
    let places = pools
        .into_iter()
        .flat_map(|(wish, count)| std::iter::repeat_n(wish.place, count));
    places.collect()
}

/// The inner items of every edge want to stand in one line, under the nearer of its ends; nodes,
/// where they are.
fn align_edges(items: &Items, columns: &mut [f64]) {
    let stay = |place: &f64| Wish {
        place: *place,
        weight: 1.0,
    };
    let mut wanted: Vec<Wish> = columns.iter().map(stay).collect();
    for chain in &items.chains {
        let [first, others @ ..] = &chain[..] else {
            continue; // drawn straight
        };
        let (first, last) = (&items.links[*first], &items.links[chain[chain.len() - 1]]);
        let inner = || others.iter().map(|link| items.links[*link].upper);
        let sum: f64 = inner().map(|item| columns[item]).sum();
        let mean = sum / others.len().max(1) as f64;
        let upper = columns[first.upper] + offset(first.upper_at);
        let lower = columns[last.lower] + offset(last.lower_at);
        let place = match (upper - mean).abs() <= (lower - mean).abs() {
            true => upper,
            false => lower,
        };
        for item in inner() {
            wanted[item] = Wish { place, weight: 4.0 };
        }
    }
    for layer in &items.layers {
        let wanted: Vec<Wish> = layer.iter().map(|item| wanted[*item]).collect();
        settle(items, columns, layer, &wanted);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn those_who_want_to_pass_each_other_meet_in_the_middle() {
        let wish = |place, weight| Wish { place, weight };
        let wishes = [
            wish(0.0, 1.0),
            wish(6.0, 1.0),
            wish(3.0, 2.0),
            wish(9.0, 1.0),
        ];
        assert_eq!(ascending(wishes.into_iter()), [0.0, 4.0, 4.0, 9.0]);
    }
}
