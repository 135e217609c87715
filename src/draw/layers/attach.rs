//! Where edges touch the borders of nodes: side by side, in the order in which they come.

use super::items::{Items, Of};
use super::{Attach, Graph};

/// Between two edges at one border, if there is room.
const APART: f64 = 22.0;
/// Nearer than this to an edge that has its place already, another one moves on.
const NEAR: f64 = 7.0;

/// Gives every link a fixed place at both ends.
pub fn attach(items: &mut Items, graph: &Graph) {
    let mut column = vec![0usize; items.all.len()];
    for layer in &items.layers {
        for (position, item) in layer.iter().enumerate() {
            column[*item] = position;
        }
    }
    for item in 0..items.all.len() {
        let Of::Node(node) = items.all[item].of else {
            continue;
        };
        let reach = graph.nodes[node].reach;
        let mut below = items.below[item].clone();
        below.sort_by_key(|link| column[items.links[*link].lower]);
        let taken = |link: usize, items: &Items| items.links[link].upper_at;
        let places = places(&below, reach, |link| taken(link, items));
        for (link, place) in below.into_iter().zip(places) {
            items.links[link].upper_at = Attach::At(place);
        }
        let mut above = items.above[item].clone();
        above.sort_by_key(|link| column[items.links[*link].upper]);
        let places = self::places(&above, reach, |link| items.links[link].lower_at);
        for (link, place) in above.into_iter().zip(places) {
            items.links[link].lower_at = Attach::At(place);
        }
    }
}

/// The places of links that touch one border, from left to right.
fn places(links: &[usize], reach: f64, at: impl Fn(usize) -> Attach) -> Vec<f64> {
    let fixed = links.iter().filter_map(|link| match at(*link) {
        Attach::At(place) => Some(place),
        Attach::Anywhere => None,
    });
    let mut taken: Vec<f64> = fixed.collect();
    let free = links.len() - taken.len();
    let apart = APART.min(2.0 * reach / free.max(1) as f64);
    let mut next = -apart * (free.saturating_sub(1)) as f64 / 2.0;
    let mut places = Vec::new();
    for link in links {
        if let Attach::At(place) = at(*link) {
            places.push(place);
            continue;
        }
        let place = beside(&taken, next, reach);
        taken.push(place);
        places.push(place);
        next += apart;
    }
    places
}

/// The place nearest to the one wanted that no other edge has.
fn beside(taken: &[f64], wanted: f64, reach: f64) -> f64 {
    let is_free = |place: &f64| {
        let near = |other: &f64| (other - place).abs() < NEAR;
        place.abs() <= reach && !taken.iter().any(near)
    };
    let steps = (0..32).map(|step| f64::from(step) * NEAR / 2.0);
    let mut tries = steps.flat_map(|step| [wanted + step, wanted - step]);
    tries.find(is_free).unwrap_or(wanted.clamp(-reach, reach))
}
