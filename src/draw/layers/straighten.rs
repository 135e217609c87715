//! Small bends taken out: whole blocks of items that are joined by straight pieces are moved sideways,
//! as far as straightens one more piece, wherever there is room for that and it costs less elsewhere.

use super::items::{Items, Link};
use super::place::{distance, heaviness, offset};

/// A piece that moves sideways less than this is straight.
const STRAIGHT: f64 = 0.05;
/// What a bend costs besides its length.
const BEND: f64 = 12.0;
const PASSES: usize = 6;
/// Items looked at in all blocks: large graphs keep some bends.
const WORK: usize = 3_000_000;

pub fn straighten(items: &Items, columns: &mut [f64]) {
    let mut position = vec![0; items.all.len()];
    for layer in &items.layers {
        for (index, item) in layer.iter().enumerate() {
            position[*item] = index;
        }
    }
    let mut search = Search {
        items,
        columns,
        position,
        stamp: vec![0; items.all.len()],
        time: 0,
        work: 0,
    };
    for _ in 0..PASSES {
        if !search.pass() {
            return;
        }
    }
}

struct Search<'i> {
    items: &'i Items,
    columns: &'i mut [f64],
    /// Of each item in its layer.
    position: Vec<usize>,
    /// When each item was last in the block.
    stamp: Vec<usize>,
    time: usize,
    work: usize,
}

impl Search<'_> {
    /// Tries each bend once, small ones first; whether anything was better.
    fn pass(&mut self) -> bool {
        let mut bends: Vec<(f64, usize)> = Vec::new();
        for (index, link) in self.items.links.iter().enumerate() {
            let aside = self.aside(link).abs();
            if aside > STRAIGHT {
                bends.push((aside, index));
            }
        }
        bends.sort_by(|one, other| one.0.total_cmp(&other.0).then(one.1.cmp(&other.1)));
        let mut better = false;
        for (_, link) in bends {
            if self.work > WORK {
                return false;
            }
            better |= self.try_link(link);
        }
        better
    }

    /// How far a link moves to the right on its way down.
    fn aside(&self, link: &Link) -> f64 {
        let from = self.columns[link.upper] + offset(link.upper_at);
        self.columns[link.lower] + offset(link.lower_at) - from
    }

    fn try_link(&mut self, index: usize) -> bool {
        let link = self.items.links[index];
        let aside = self.aside(&link);
        aside.abs() > STRAIGHT
            && (self.try_block(link.lower, index, -aside)
                || self.try_block(link.upper, index, aside))
    }

    fn try_block(&mut self, start: usize, except: usize, by: f64) -> bool {
        let block = self.block(start, except);
        self.work += block.len();
        let has_room = block.iter().all(|item| self.has_room(*item, by));
        if !has_room || self.gain(&block, by) < 1e-6 {
            return false;
        }
        for item in block {
            self.columns[item] += by;
        }
        true
    }

    /// All items joined to one by straight links, this one excepted.
    fn block(&mut self, start: usize, except: usize) -> Vec<usize> {
        self.time += 1;
        self.stamp[start] = self.time;
        let mut block = vec![start];
        let mut next = 0;
        while let Some(item) = block.get(next).copied() {
            next += 1;
            for index in self.items.above[item].iter().chain(&self.items.below[item]) {
                let link = &self.items.links[*index];
                if *index == except || self.aside(link).abs() > STRAIGHT {
                    continue;
                }
                let other = if link.upper == item {
                    link.lower
                } else {
                    link.upper
                };
                if self.stamp[other] != self.time {
                    self.stamp[other] = self.time;
                    block.push(other);
                }
            }
        }
        block
    }

    fn is_in_block(&self, item: usize) -> bool {
        self.stamp[item] == self.time
    }

    fn has_room(&self, item: usize, by: f64) -> bool {
        let layer = &self.items.layers[self.items.all[item].layer];
        let here = self.position[item];
        let neighbour = match by > 0.0 {
            true => layer.get(here + 1).copied(),
            false => here.checked_sub(1).map(|before| layer[before]),
        };
        let Some(neighbour) = neighbour.filter(|neighbour| !self.is_in_block(*neighbour)) else {
            return true;
        };
        let (left, right) = match by > 0.0 {
            true => (item, neighbour),
            false => (neighbour, item),
        };
        let gap = self.columns[right] - self.columns[left] - by.abs();
        gap >= distance(&self.items.all[left], &self.items.all[right]) - 1e-6
    }

    /// How much less the links cost if the block moves.
    fn gain(&self, block: &[usize], by: f64) -> f64 {
        let mut gain = 0.0;
        for item in block {
            for (links, direction) in [
                (&self.items.above[*item], 1.0),
                (&self.items.below[*item], -1.0),
            ] {
                for link in links.iter().map(|link| &self.items.links[*link]) {
                    if self.is_in_block(link.upper) && self.is_in_block(link.lower) {
                        continue;
                    }
                    let now = self.aside(link);
                    let then = now + direction * by;
                    gain += heaviness(self.items, link) * (cost(now) - cost(then));
                }
            }
        }
        gain
    }
}

fn cost(aside: f64) -> f64 {
    match aside.abs() {
        straight if straight <= STRAIGHT => 0.0,
        bent => bent + BEND,
    }
}
