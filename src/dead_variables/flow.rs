//! What code does to slots, and what that means for the places from which it is run.

use std::ops::Range;

use super::Slots;

/// What a piece of code does to slots.
#[derive(Clone, Debug)]
pub struct Access {
    /// Those that it may read while they have the value from before.
    reads: Slots,
    /// Those that have a new value whenever it has been run to its end.
    writes: Slots,
}

impl Access {
    /// Code that does nothing to any of so many slots.
    pub fn none(count: usize) -> Access {
        Access {
            reads: Slots::none(count),
            writes: Slots::none(count),
        }
    }

    /// First this code, then any of these slots is read.
    pub fn reads(mut self, slots: Range<usize>) -> Access {
        let fresh = slots.filter(|slot| !self.writes.contains(*slot));
        fresh.for_each(|slot| self.reads.insert(slot));
        self
    }

    /// First this code, then one of these slots is written.
    pub fn writes(mut self, slots: Range<usize>) -> Access {
        if slots.len() == 1 {
            self.writes.insert(slots.start);
        }
        self
    }

    /// First this code, then that.
    pub fn then(mut self, next: &Access) -> Access {
        let mut reads = next.reads.clone();
        reads.remove(&self.writes);
        self.reads.add(&reads);
        self.writes.add(&next.writes);
        self
    }

    /// This code or that.
    pub fn or(mut self, other: &Access) -> Access {
        self.reads.add(&other.reads);
        self.writes.keep_common(&other.writes);
        self
    }

    /// This code any number of times.
    pub fn repeated(mut self) -> Access {
        self.writes.clear();
        self
    }

    /// What may still be read before this code if that may still be read after it.
    fn before(&self, mut after: Slots) -> Slots {
        after.remove(&self.writes);
        after.add(&self.reads);
        after
    }
}

/// Code that is run from a node, and the nodes from which more is run afterwards.
#[derive(Clone, Debug)]
pub struct FlowEdge {
    pub code: Access,
    pub to: Vec<usize>,
}

/// For each node, given by the edges that leave it: the slots that may be read, going on from
/// there, before they are written.
pub fn live(nodes: &[Vec<FlowEdge>], count: usize) -> Vec<Slots> {
    let mut live = vec![Slots::none(count); nodes.len()];
    loop {
        let mut is_stable = true;
        // Last to first: what is run later is mostly declared later.
        for (node, edges) in nodes.iter().enumerate().rev() {
            let set = live_before(edges, &live, count);
            is_stable &= set == live[node];
            live[node] = set;
        }
        if is_stable {
            return live;
        }
    }
}

fn live_before(edges: &[FlowEdge], live: &[Slots], count: usize) -> Slots {
    let mut set = Slots::none(count);
    for edge in edges {
        let mut after = Slots::none(count);
        edge.to.iter().for_each(|node| after.add(&live[*node]));
        set.add(&edge.code.before(after));
    }
    set
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code() -> Access {
        Access::none(8)
    }

    fn found(set: &Slots) -> Vec<usize> {
        (0..8).filter(|slot| set.contains(*slot)).collect()
    }

    #[test]
    fn what_is_read_after_it_was_written_is_not_read_from_before() {
        let code = code().reads(0..1).writes(1..2);
        let code = code.then(&self::code().reads(1..3));
        assert_eq!(found(&code.reads), [0, 2]);
        assert_eq!(found(&code.writes), [1]);
    }

    #[test]
    fn one_of_several_slots_is_not_written_for_certain() {
        assert!(found(&code().writes(1..3).writes).is_empty());
    }

    #[test]
    fn what_only_one_of_two_ways_writes_is_not_written_for_certain() {
        let one = code().writes(1..2).writes(2..3).reads(3..4);
        let either = one.or(&code().writes(2..3).reads(4..5));
        assert_eq!(found(&either.writes), [2]);
        assert_eq!(found(&either.reads), [3, 4]);
        assert!(found(&either.repeated().writes).is_empty());
    }

    #[test]
    fn a_read_is_seen_from_everywhere_on_the_circle_up_to_the_write() {
        let step = |code: Access, to: usize| vec![FlowEdge { code, to: vec![to] }];
        let nodes = [
            step(code(), 1),
            step(code().writes(7..8), 2),
            step(code(), 3),
            step(code().reads(7..8), 0),
        ];
        let live = live(&nodes, 8);
        let seen: Vec<bool> = live.iter().map(|set| set.contains(7)).collect();
        assert_eq!(seen, [false, false, true, true]);
    }
}
