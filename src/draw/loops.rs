//! Edges that lead back to the box that they come from: on its right side, one under the other.

use super::arrange::Label;
use super::layers::Point;

/// How far a loop reaches to the right; its label stands there.
const REACH: f64 = 24.0;
const HEIGHT: f64 = 16.0;
/// Between one loop and the next.
const GAP: f64 = 10.0;

/// The room that loops with these labels need: beside the box, and from top to bottom.
pub fn room<'l>(labels: impl Iterator<Item = Option<&'l Label>>) -> (f64, f64) {
    let (mut beside, mut height) = (0.0f64, 0.0);
    for label in labels {
        beside = beside.max(REACH + label.map_or(0.0, |label| label.size().width));
        height += self::height(label);
    }
    (beside, height)
}

/// The least height of a box with loops of such a height together.
pub fn box_height(loops: f64) -> f64 {
    if loops > 0.0 { loops + GAP } else { 0.0 }
}

fn height(label: Option<&Label>) -> f64 {
    let label = label.map_or(0.0, |label| label.size().height);
    label.max(HEIGHT) + GAP
}

/// Where a loop leaves the box and comes back, and where its label stands.
pub struct Loop {
    pub points: Vec<Point>,
    pub label: Option<Point>,
}

/// The loops of a box with the middle of its right side here, from top to bottom.
pub fn ways<'l>(side: Point, labels: impl Iterator<Item = Option<&'l Label>> + Clone) -> Vec<Loop> {
    let (_, all) = room(labels.clone());
    let mut y = side.y - all / 2.0;
    let way = |label: Option<&Label>| {
        let middle = y + height(label) / 2.0;
        y += height(label);
        let end = |y| Point { x: side.x, y };
        Loop {
            points: vec![end(middle - HEIGHT / 2.0), end(middle + HEIGHT / 2.0)],
            label: label.map(|label| Point {
                x: side.x + REACH,
                y: middle - label.size().height / 2.0,
            }),
        }
    };
    labels.map(way).collect()
}
