//! From layers and columns to places in the plane, and the ways of the edges.
//!
//! Inside a layer an edge goes straight down; it moves sideways only between layers, where nothing
//! else stands.

use super::items::{Items, Of};
use super::place::offset;
use super::{Graph, Layout, Point, Route, Size};

/// An edge goes straight for so long before and behind a layer; an arrow head has room there.
const STUB: f64 = 9.0;
/// Between a line and its label.
const BESIDE: f64 = 5.0;
const LEAST_GAP: f64 = 2.0 * STUB + 4.0;
const WIDEST_GAP: f64 = 64.0;
/// So much higher is a gap for every unit that an edge moves sideways in it.
const STEEPNESS: f64 = 0.12;
/// Edges that move sideways less than this do so by mistake of computation.
const STRAIGHT: f64 = 0.05;

/// The upper and the lower end of a layer.
type Band = (f64, f64);

pub fn routes(graph: &Graph, items: &Items, mut columns: Vec<f64>) -> Layout {
    let width = shift_to_zero(items, &mut columns);
    let bands = bands(items, &columns);
    let nodes = (0..graph.nodes.len()).map(|node| {
        let (top, bottom) = bands[items.all[node].layer];
        Point {
            x: columns[node],
            y: (top + bottom) / 2.0,
        }
    });
    let nodes: Vec<Point> = nodes.collect();
    let routes = (0..graph.edges.len())
        .map(|edge| match items.chains[edge].is_empty() {
            true => straight(graph, edge, &nodes),
            false => route(graph, items, edge, &columns, &bands),
        })
        .collect();
    let height = bands.last().map_or(0.0, |(_, bottom)| *bottom);
    Layout {
        size: Size { width, height },
        nodes,
        routes,
    }
}

/// Moves everything to where the leftmost item begins at 0; the result is the width.
fn shift_to_zero(items: &Items, columns: &mut [f64]) -> f64 {
    let extents = || items.all.iter().zip(columns.iter());
    let lefts = extents().map(|(item, column)| column - item.left);
    let least = lefts.fold(f64::INFINITY, f64::min);
    let rights = extents().map(|(item, column)| column + item.right);
    let most = rights.fold(f64::NEG_INFINITY, f64::max);
    if items.all.is_empty() {
        return 0.0;
    }
    columns.iter_mut().for_each(|column| *column -= least);
    most - least
}

fn bands(items: &Items, columns: &[f64]) -> Vec<Band> {
    let mut sideways = vec![0.0f64; items.layers.len()];
    for link in &items.links {
        let from = columns[link.upper] + offset(link.upper_at);
        let to = columns[link.lower] + offset(link.lower_at);
        let layer = items.all[link.upper].layer;
        sideways[layer] = sideways[layer].max((to - from).abs());
    }
    let mut top = 0.0;
    let mut bands = Vec::new();
    for (layer, sideways) in items.layers.iter().zip(sideways) {
        let heights = layer.iter().map(|item| items.all[*item].height);
        let bottom = top + heights.fold(0.0, f64::max);
        bands.push((top, bottom));
        top = bottom + (LEAST_GAP + STEEPNESS * sideways).min(WIDEST_GAP);
    }
    bands
}

fn route(graph: &Graph, items: &Items, edge: usize, columns: &[f64], bands: &[Band]) -> Route {
    let mut points: Vec<Point> = Vec::new();
    let mut label = None;
    for link in items.chains[edge].iter().map(|link| &items.links[*link]) {
        let from = columns[link.upper] + offset(link.upper_at);
        let to = columns[link.lower] + offset(link.lower_at);
        let (upper, lower) = (&items.all[link.upper], &items.all[link.lower]);
        let (band_above, band_below) = (bands[upper.layer], bands[lower.layer]);
        if let Of::Node(_) = upper.of {
            let y = middle(band_above) + upper.height / 2.0;
            points.push(Point { x: from, y });
        }
        if let (Of::Label(_), Some(size)) = (lower.of, graph.edges[edge].label) {
            let y = middle(band_below) - size.height / 2.0;
            label = Some(Point { x: to + BESIDE, y });
        }
        if (from - to).abs() > STRAIGHT {
            let y = band_above.1 + STUB;
            points.push(Point { x: from, y });
            let y = band_below.0 - STUB;
            points.push(Point { x: to, y });
        }
        if let Of::Node(_) = lower.of {
            let y = middle(band_below) - lower.height / 2.0;
            points.push(Point { x: to, y });
        }
    }
    Route { points, label }
}

fn middle((top, bottom): Band) -> f64 {
    (top + bottom) / 2.0
}

/// An edge for which the layers have no room.
fn straight(graph: &Graph, edge: usize, nodes: &[Point]) -> Route {
    let edge = &graph.edges[edge];
    let (from, to) = (nodes[edge.upper], nodes[edge.lower]);
    let start = Point {
        x: from.x + offset(edge.upper_at),
        y: from.y + graph.nodes[edge.upper].height / 2.0,
    };
    let end = Point {
        x: to.x + offset(edge.lower_at),
        y: to.y - graph.nodes[edge.lower].height / 2.0,
    };
    let label = edge.label.map(|_| Point {
        x: (start.x + end.x) / 2.0 + BESIDE,
        y: (start.y + end.y) / 2.0,
    });
    Route {
        points: vec![start, end],
        label,
    }
}
