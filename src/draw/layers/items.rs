//! What stands in the layers: nodes, and what edges need where they pass through.

use super::rank::STEP;
use super::{Attach, Graph};

/// All layers together hold at most so many; edges that would need more are drawn straight.
const MOST: usize = 120_000;
/// A line by itself needs so much room on either side.
const LINE: f64 = 5.0;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Of {
    Node(usize),
    /// An edge passes.
    Bend(usize),
    /// An edge passes, with its label on the right.
    Label(usize),
}

#[derive(Clone, Copy, Debug)]
pub struct Item {
    pub of: Of,
    pub layer: usize,
    pub left: f64,
    pub right: f64,
    pub height: f64,
}

/// A piece of an edge between items of neighbouring layers.
#[derive(Clone, Copy, Debug)]
pub struct Link {
    pub upper: usize,
    pub lower: usize,
    /// Where it is attached: right of the item's line, or to be found.
    pub upper_at: Attach,
    pub lower_at: Attach,
}

#[derive(Default)]
pub struct Items {
    /// The first are the nodes, in their order.
    pub all: Vec<Item>,
    pub links: Vec<Link>,
    /// The items of each layer, from left to right.
    pub layers: Vec<Vec<usize>>,
    /// For each item its links to the layer above and to that below.
    pub above: Vec<Vec<usize>>,
    pub below: Vec<Vec<usize>>,
    /// The links of each edge, from top to bottom; none if it is drawn straight.
    pub chains: Vec<Vec<usize>>,
}

impl Items {
    pub fn of(graph: &Graph, ranks: &[usize]) -> Items {
        let mut items = Items {
            layers: vec![Vec::new(); ranks.iter().max().map_or(0, |last| last + 1)],
            chains: vec![Vec::new(); graph.edges.len()],
            ..Items::default()
        };
        for (index, (node, layer)) in graph.nodes.iter().zip(ranks).enumerate() {
            items.all.push(Item {
                of: Of::Node(index),
                layer: *layer,
                left: node.left,
                right: node.right,
                height: node.height,
            });
        }
        let mut load = vec![0.0; items.layers.len()];
        for edge in by_length(graph, ranks) {
            let length = ranks[graph.edges[edge].lower] - ranks[graph.edges[edge].upper];
            if items.all.len() + length <= MOST {
                items.add_chain(graph, edge, ranks, &mut load);
            }
        }
        items.connect();
        items
    }

    /// `load` is how wide the labels in each layer are together: a label goes where there is room.
    fn add_chain(&mut self, graph: &Graph, index: usize, ranks: &[usize], load: &mut [f64]) {
        let edge = &graph.edges[index];
        let (first, last) = (ranks[edge.upper], ranks[edge.lower]);
        let label_layer = edge.label.map(|size| {
            let between = (first + 1..last).step_by(STEP);
            let layer = between.min_by(|one, other| load[*one].total_cmp(&load[*other]));
            let layer = layer.unwrap_or(first);
            load[layer] += size.width;
            (layer, size)
        });
        let mut upper = edge.upper;
        for layer in first + 1..last {
            let label = label_layer.filter(|(of_label, _)| *of_label == layer);
            let size = label.map(|(_, size)| size).unwrap_or_default();
            let of = match label {
                Some(_) => Of::Label(index),
                None => Of::Bend(index),
            };
            self.all.push(Item {
                of,
                layer,
                left: LINE,
                right: LINE + size.width,
                height: size.height,
            });
            let item = self.all.len() - 1;
            self.add_link(index, upper, item);
            upper = item;
        }
        self.add_link(index, upper, edge.lower);
        let chain = &self.chains[index];
        if let (Some(first), Some(last)) = (chain.first(), chain.last()) {
            self.links[*first].upper_at = edge.upper_at;
            self.links[*last].lower_at = edge.lower_at;
        }
    }

    fn add_link(&mut self, edge: usize, upper: usize, lower: usize) {
        self.chains[edge].push(self.links.len());
        let at = |item: &Item| match item.of {
            Of::Node(_) => Attach::Anywhere,
            _ => Attach::At(0.0),
        };
        self.links.push(Link {
            upper,
            lower,
            upper_at: at(&self.all[upper]),
            lower_at: at(&self.all[lower]),
        });
    }

    fn connect(&mut self) {
        self.above = vec![Vec::new(); self.all.len()];
        self.below = vec![Vec::new(); self.all.len()];
        for (index, link) in self.links.iter().enumerate() {
            self.below[link.upper].push(index);
            self.above[link.lower].push(index);
        }
        self.fill_layers();
    }

    /// The first order: what belongs together stands together, by a walk from the top.
    fn fill_layers(&mut self) {
        let mut seen = vec![false; self.all.len()];
        let mut roots: Vec<usize> = (0..self.all.len()).collect();
        roots.sort_by_key(|item| self.all[*item].layer);
        for root in roots {
            let mut pending = vec![root];
            while let Some(item) = pending.pop() {
                if std::mem::replace(&mut seen[item], true) {
                    continue;
                }
                self.layers[self.all[item].layer].push(item);
                let lower = self.below[item].iter().rev();
                pending.extend(lower.map(|link| self.links[*link].lower));
            }
        }
    }
}

/// The edges, short ones first: they get their items while there is room.
fn by_length(graph: &Graph, ranks: &[usize]) -> Vec<usize> {
    let mut edges: Vec<usize> = (0..graph.edges.len()).collect();
    edges.sort_by_key(|index| {
        let edge = &graph.edges[*index];
        ranks[edge.lower] - ranks[edge.upper]
    });
    edges
}
