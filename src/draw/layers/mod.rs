//! Layered drawings of directed graphs (Sugiyama, Tagawa, Toda 1981; Gansner et al. 1993).
//!
//! Nodes stand in layers, edges go from upper layers to lower ones. An edge that passes through a
//! layer has an item of its own there, so it never runs through a node; its label is such an item,
//! as wide as its text. Between nodes there is always a layer for labels.
//!
//! The graph must have no cycles: `orient` says which edges to turn round. Nothing is random: the
//! same graph is always drawn the same.

mod attach;
mod items;
mod order;
mod place;
mod rank;
mod route;
mod straighten;

pub mod orient;

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Point {
    pub x: f64,
    pub y: f64,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Size {
    pub width: f64,
    pub height: f64,
}

#[derive(Default)]
pub struct Graph {
    pub nodes: Vec<Node>,
    pub edges: Vec<Edge>,
}

/// A node reaches `left` and `right` of the line on which its edges are centred.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    pub left: f64,
    pub right: f64,
    pub height: f64,
    /// How far from the centre edges may be attached.
    pub reach: f64,
    pub level: Level,
}

/// In which layers a node may stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    Inside,
    /// Above all others; only edges downwards.
    Top,
    /// Below all others; only edges from above.
    Bottom,
}

#[derive(Clone, Copy, Debug)]
pub struct Edge {
    pub upper: usize,
    pub lower: usize,
    pub upper_at: Attach,
    pub lower_at: Attach,
    pub label: Option<Size>,
}

/// Where on the border of a node an edge is attached.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Attach {
    Anywhere,
    /// So far right of the centre.
    At(f64),
}

pub struct Layout {
    pub size: Size,
    /// The centres of the nodes.
    pub nodes: Vec<Point>,
    /// From the upper end of each edge to the lower one.
    pub routes: Vec<Route>,
}

pub struct Route {
    pub points: Vec<Point>,
    /// The upper left corner of the label.
    pub label: Option<Point>,
}

pub fn layout(graph: &Graph) -> Layout {
    let ranks = rank::ranks(graph);
    let mut items = items::Items::of(graph, &ranks);
    order::reduce_crossings(&mut items);
    attach::attach(&mut items, graph);
    let x = place::columns(&items);
    route::routes(graph, &items, x)
}

#[cfg(test)]
mod tests;
