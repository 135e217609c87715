//! One region: its vertices and parts of edges as a layered graph.

use std::collections::HashMap;

use super::course::Part;
use super::{Arrangement, Label, Rect};
use crate::draw::layers::{Attach, Edge, Graph, Layout, Level, Node, Point, Size, layout};
use crate::draw::loops;
use crate::lang::RegionId;

/// Around what is in a region.
const PADDING: f64 = 14.0;
/// Between vertices that no edge touches.
const APART: f64 = 24.0;

/// What is in a region, measured from its upper left corner.
#[derive(Default)]
pub struct Content {
    pub size: Size,
    /// Where the region lies in the box of the state around it.
    pub origin: Point,
    /// The upper left corner of the region with its name, seen from `origin`, and the size.
    pub outline: Rect,
    pub centres: Vec<(usize, Point)>,
    pub ways: Vec<Way>,
    /// Where edges come through the upper border.
    pub at_top: HashMap<usize, f64>,
    pub at_bottom: HashMap<usize, f64>,
}

/// The way of a part of an edge.
pub struct Way {
    pub edge: usize,
    pub number: usize,
    pub points: Vec<Point>,
    pub label: Option<Point>,
    pub is_loop: bool,
}

impl Content {
    pub fn frame(&self, origin: Point) -> Rect {
        Rect {
            x: self.outline.x + origin.x,
            y: self.outline.y + origin.y,
            ..self.outline
        }
    }
}

impl Arrangement<'_> {
    pub fn lay_out(&mut self, region: RegionId) -> Content {
        let vertices: Vec<usize> = self.diagram.vertices_in(region).collect();
        let parts = std::mem::take(&mut self.courses.parts[region.index()]);
        let (loops, parts): (Vec<Part>, Vec<Part>) = parts.iter().partition(|part| part.is_loop());
        for vertex in &vertices {
            self.sizes[*vertex] = self.size(*vertex, &loops);
        }
        let touches = |vertex: &usize| {
            let ends = |part: &Part| part.from == Some(*vertex) || part.to == Some(*vertex);
            parts.iter().any(ends)
        };
        let (linked, alone): (Vec<usize>, Vec<usize>) = vertices.iter().partition(|v| touches(v));
        let graph = self.graph(&linked, &parts, &loops);
        let layout = layout(&graph);
        let mut content = self.content(&linked, &parts, layout);
        self.park(&alone, &loops, &mut content);
        self.add_loops(&loops, &mut content);
        content
    }

    /// The size of the symbol of a vertex.
    fn size(&mut self, vertex: usize, loops: &[Part]) -> Size {
        let mut size = match self.diagram.regions_of(vertex) {
            [] => self.symbol_size(vertex),
            _ => self.compose(vertex),
        };
        let (_, loops) = loops::room(self.loop_labels(loops, vertex));
        size.height = size.height.max(loops::box_height(loops));
        size
    }

    /// What stands beside the loops of a vertex.
    fn loop_labels<'a>(
        &'a self,
        loops: &'a [Part],
        vertex: usize,
    ) -> impl Iterator<Item = Option<&'a Label>> + Clone {
        loops_of(loops, vertex).map(|part| self.labels[part.edge].as_ref())
    }

    fn node(&self, vertex: usize, loops: &[Part]) -> Node {
        let size = self.sizes[vertex];
        let (loops, _) = loops::room(self.loop_labels(loops, vertex));
        let beside = loops.max(self.caption_width(vertex));
        Node {
            left: size.width / 2.0,
            right: size.width / 2.0 + beside,
            height: size.height,
            reach: self.reach(vertex),
            level: Level::Inside,
        }
    }

    /// The nodes are the linked vertices, then an end for every part that reaches the border.
    fn graph(&self, linked: &[usize], parts: &[Part], loops: &[Part]) -> Graph {
        let nodes = linked.iter().map(|vertex| self.node(*vertex, loops));
        let mut graph = Graph {
            nodes: nodes.collect(),
            edges: Vec::new(),
        };
        let place: HashMap<usize, usize> =
            linked.iter().enumerate().map(|(i, v)| (*v, i)).collect();
        for part in parts {
            let (upper, lower) = self.upper_and_lower(part);
            let label = self.labels[part.edge].as_ref().filter(|_| part.is_main);
            let mut end = |vertex: Option<usize>, level: Level| match vertex {
                Some(vertex) => (place[&vertex], self.attachment(vertex, part.edge)),
                None => {
                    graph.nodes.push(border(level));
                    (graph.nodes.len() - 1, Attach::At(0.0))
                }
            };
            let (upper, upper_at) = end(upper, Level::Top);
            let (lower, lower_at) = end(lower, Level::Bottom);
            graph.edges.push(Edge {
                upper,
                lower,
                upper_at,
                lower_at,
                label: label.map(|label| label.size()),
            });
        }
        graph
    }

    fn upper_and_lower(&self, part: &Part) -> (Option<usize>, Option<usize>) {
        match self.courses.turned[part.edge] {
            true => (part.to, part.from),
            false => (part.from, part.to),
        }
    }

    /// An edge that goes on inside of a composite state must meet its other part at the border.
    fn attachment(&self, vertex: usize, edge: usize) -> Attach {
        for region in self.diagram.regions_of(vertex) {
            let content = &self.contents[region.index()];
            let at = content.at_top.get(&edge).or(content.at_bottom.get(&edge));
            let is_end = [self.diagram.edges[edge].from, self.diagram.edges[edge].to];
            if let Some(x) = at.filter(|_| !is_end.contains(&vertex)) {
                return Attach::At(x + content.origin.x - self.sizes[vertex].width / 2.0);
            }
        }
        Attach::Anywhere
    }

    fn content(&self, linked: &[usize], parts: &[Part], layout: Layout) -> Content {
        let shift = |point: Point| Point {
            x: point.x + PADDING,
            y: point.y + PADDING,
        };
        let mut content = Content {
            size: Size {
                width: layout.size.width + 2.0 * PADDING,
                height: layout.size.height + 2.0 * PADDING,
            },
            ..Content::default()
        };
        let centres = linked.iter().zip(&layout.nodes);
        content.centres = centres.map(|(vertex, at)| (*vertex, shift(*at))).collect();
        for (part, route) in parts.iter().zip(layout.routes) {
            let mut points: Vec<Point> = route.points.into_iter().map(shift).collect();
            let (upper, lower) = self.upper_and_lower(part);
            if let (None, Some(first)) = (upper, points.first()) {
                content.at_top.insert(part.edge, first.x);
            }
            if let (None, Some(last)) = (lower, points.last()) {
                content.at_bottom.insert(part.edge, last.x);
            }
            if self.courses.turned[part.edge] {
                points.reverse();
            }
            content.ways.push(Way {
                edge: part.edge,
                number: part.number,
                points,
                label: route.label.map(shift),
                is_loop: false,
            });
        }
        content
    }

    /// Vertices that no edge touches stand in columns on the right, about as high as the rest.
    fn park(&self, alone: &[usize], loops: &[Part], content: &mut Content) {
        let nodes: Vec<Node> = alone
            .iter()
            .map(|vertex| self.node(*vertex, loops))
            .collect();
        let area: f64 = nodes
            .iter()
            .map(|node| (node.left + node.right + APART) * (node.height + APART))
            .sum();
        let limit = content.size.height.max(area.sqrt());
        let start = match content.centres.is_empty() {
            true => PADDING,
            false => content.size.width + APART - PADDING,
        };
        let (mut x, mut y, mut column) = (start, PADDING, 0.0f64);
        for (vertex, node) in alone.iter().zip(nodes) {
            if y > PADDING && y + node.height + PADDING > limit {
                x += column + APART;
                (y, column) = (PADDING, 0.0);
            }
            let at = Point {
                x: x + node.left,
                y: y + node.height / 2.0,
            };
            content.centres.push((*vertex, at));
            column = column.max(node.left + node.right);
            y += node.height + APART;
            let bottom = y - APART + PADDING;
            content.size.height = content.size.height.max(bottom);
            content.size.width = content.size.width.max(x + column + PADDING);
        }
    }

    fn add_loops(&self, loops: &[Part], content: &mut Content) {
        for (vertex, centre) in &content.centres {
            let side = Point {
                x: centre.x + self.sizes[*vertex].width / 2.0,
                ..*centre
            };
            let ways = loops::ways(side, self.loop_labels(loops, *vertex));
            for (part, way) in loops_of(loops, *vertex).zip(ways) {
                content.ways.push(Way {
                    edge: part.edge,
                    number: 0,
                    points: way.points,
                    label: way.label,
                    is_loop: true,
                });
            }
        }
    }
}

fn loops_of(loops: &[Part], vertex: usize) -> impl Iterator<Item = &Part> + Clone {
    loops.iter().filter(move |part| part.from == Some(vertex))
}

/// An end at the border of the region.
fn border(level: Level) -> Node {
    Node {
        left: 6.0,
        right: 6.0,
        height: 0.0,
        reach: 0.0,
        level,
    }
}
