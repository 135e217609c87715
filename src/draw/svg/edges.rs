//! Edges: lines, arrow heads and labels. All that shows one transition is one group.

use indexmap::IndexMap;

use crate::draw::arrange::{Arrow, LABEL_HEIGHT, Label, Picture};
use crate::draw::diagram::{Diagram, Kind, Origin};
use crate::draw::layers::Point;
use crate::draw::xml::{escaped, lengths, number};

const HEAD_LENGTH: f64 = 8.0;
const HEAD_HALF: f64 = 3.6;
const LOOP_BULGE: f64 = 26.0;

pub fn edges(diagram: &Diagram, picture: &Picture) -> String {
    let mut groups: IndexMap<Origin, String> = IndexMap::new();
    for (edge, arrow) in diagram.edges.iter().zip(&picture.arrows) {
        let has_head = !matches!(diagram.vertices[edge.to].kind, Kind::Join);
        *groups.entry(edge.origin).or_default() += &self::arrow(arrow, has_head);
    }
    let groups = groups.into_iter().map(|(origin, content)| {
        let head = head(origin);
        format!("<g {head}>{content}</g>\n")
    });
    groups.collect()
}

fn head(origin: Origin) -> String {
    match origin {
        Origin::Initial(region) => {
            format!("class=\"edge start\" data-region=\"{}\"", region.0)
        }
        Origin::Transition(id) => {
            format!("class=\"edge transition\" data-transition=\"{}\"", id.0)
        }
        Origin::Branch(choice, number) => {
            let choice = choice.0;
            format!("class=\"edge branch\" data-choice=\"{choice}\" data-branch=\"{number}\"")
        }
    }
}

pub fn arrow(arrow: &Arrow, has_head: bool) -> String {
    let mut out = match arrow.points[..] {
        [start, end] if arrow.is_loop => loop_path(start, end),
        _ => path(&arrow.points, has_head),
    };
    if let Some((at, label)) = &arrow.label {
        out += &self::label(*at, label);
    }
    out
}

/// Straight down where points stand above each other, and a smooth curve where they do not.
fn path(points: &[Point], has_head: bool) -> String {
    let [first, .., last] = points else {
        return String::new();
    };
    let before = points[points.len() - 2];
    let down = if last.y >= before.y { 1.0 } else { -1.0 };
    let back = if has_head { HEAD_LENGTH - 1.0 } else { 0.0 };
    let mut way = format!("M{} {}", number(first.x), number(first.y));
    let mut here = *first;
    for (index, point) in points.iter().enumerate().skip(1) {
        let is_last = index == points.len() - 1;
        let y = if is_last {
            point.y - down * back
        } else {
            point.y
        };
        let next = Point { y, ..*point };
        way += &piece(here, next);
        here = next;
    }
    let mut out = format!("<path d=\"{way}\"/>");
    if has_head {
        let base = last.y - down * HEAD_LENGTH;
        out += &polygon([
            *last,
            Point {
                x: last.x - HEAD_HALF,
                y: base,
            },
            Point {
                x: last.x + HEAD_HALF,
                y: base,
            },
        ]);
    }
    out
}

fn piece(from: Point, to: Point) -> String {
    let (x, y) = (number(to.x), number(to.y));
    if number(from.x) == x {
        return format!("V{y}");
    }
    let middle = number((from.y + to.y) / 2.0);
    format!("C{} {middle} {x} {middle} {x} {y}", number(from.x))
}

fn loop_path(start: Point, end: Point) -> String {
    let out = number(start.x + LOOP_BULGE);
    let (top, bottom) = (number(start.y), number(end.y));
    let tip = end.x + HEAD_LENGTH - 1.0;
    let way = format!(
        "M{} {top}C{out} {top} {out} {bottom} {} {bottom}",
        number(start.x),
        number(tip)
    );
    let base = end.x + HEAD_LENGTH;
    let head = polygon([
        end,
        Point {
            x: base,
            y: end.y - HEAD_HALF,
        },
        Point {
            x: base,
            y: end.y + HEAD_HALF,
        },
    ]);
    format!("<path d=\"{way}\"/>{head}")
}

fn polygon(corners: [Point; 3]) -> String {
    let corners = corners.map(|corner| format!("{},{}", number(corner.x), number(corner.y)));
    format!("<polygon points=\"{}\"/>", corners.join(" "))
}

fn label(at: Point, label: &Label) -> String {
    let mut out = format!("<g class=\"label\"><title>{}</title>", escaped(&label.full));
    for (number, line) in label.lines.iter().enumerate() {
        let y = at.y + number as f64 * LABEL_HEIGHT + 10.5;
        let place = lengths([("x", at.x), ("y", y)]);
        out += &format!("<text{place}>{}</text>", escaped(line));
    }
    out + "</g>"
}
