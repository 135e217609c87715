//! Which edges are turned round, so that no cycle is left: those that lead back to a node from which
//! a depth-first walk has come.

/// For each edge whether it is drawn upwards. The walk starts at the first nodes, and follows edges
/// in their order, so the drawing flows as the model is written.
pub fn turned(nodes: usize, edges: &[(usize, usize)]) -> Vec<bool> {
    let mut out = vec![Vec::new(); nodes];
    for (index, (from, _)) in edges.iter().enumerate() {
        out[*from].push(index);
    }
    let mut walk = Walk {
        edges,
        out,
        seen: vec![Seen::Never; nodes],
        turned: vec![false; edges.len()],
    };
    for node in 0..nodes {
        walk.from(node);
    }
    walk.turned
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Seen {
    Never,
    /// The walk is in what follows it.
    Before,
    Done,
}

struct Walk<'e> {
    edges: &'e [(usize, usize)],
    out: Vec<Vec<usize>>,
    seen: Vec<Seen>,
    turned: Vec<bool>,
}

impl Walk<'_> {
    fn from(&mut self, root: usize) {
        if self.seen[root] != Seen::Never {
            return;
        }
        self.seen[root] = Seen::Before;
        // A node and how many of its edges have been followed.
        let mut stack = vec![(root, 0)];
        while let Some((node, followed)) = stack.last_mut() {
            let Some(edge) = self.out[*node].get(*followed).copied() else {
                self.seen[*node] = Seen::Done;
                stack.pop();
                continue;
            };
            *followed += 1;
            let target = self.edges[edge].1;
            match self.seen[target] {
                Seen::Never => {
                    self.seen[target] = Seen::Before;
                    stack.push((target, 0));
                }
                Seen::Before => self.turned[edge] = true,
                Seen::Done => {}
            }
        }
    }
}
