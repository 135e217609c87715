//! Where everything of a machine stands: regions from the inside out, each by layers.
//!
//! The inside of a composite state is laid out first; then it is one node of known size in the
//! region around it. Regions of one state stand side by side, so that each of them reaches the
//! border above and below, through which edges come in and go out.
//!
//! Invariant: boxes of states do not overlap, and those of inner states lie inside of their outer ones.

mod course;
mod face;
mod inside;
mod labels;
mod region;

use course::Courses;
pub use face::{Face, NAME_HEIGHT, PADDING, ROW_HEIGHT, Row, Word};
pub use labels::{LABEL_HEIGHT, Label};
use region::Content;

use super::diagram::{Diagram, Kind};
use super::layers::{Point, Size};
use crate::lang::{Model, RegionId, TOP};

/// Around the whole drawing.
const MARGIN: f64 = 2.0;

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rect {
    pub x: f64,
    pub y: f64,
    pub width: f64,
    pub height: f64,
}

pub struct Picture {
    pub size: Size,
    /// Of each vertex.
    pub boxes: Vec<Rect>,
    /// Of each vertex that is a state but no final one.
    pub faces: Vec<Option<Face>>,
    /// Of each region, the name included.
    pub regions: Vec<Rect>,
    /// Of each edge.
    pub arrows: Vec<Arrow>,
}

pub struct Arrow {
    /// From the first point to the last, straight where one stands above the other.
    pub points: Vec<Point>,
    /// From a side of a box back to it.
    pub is_loop: bool,
    pub label: Option<(Point, Label)>,
}

impl Arrow {
    pub fn along(points: Vec<Point>, label: Option<(Point, Label)>) -> Arrow {
        Arrow {
            points,
            is_loop: false,
            label,
        }
    }

    /// From a side of a box back to it.
    pub fn round(points: Vec<Point>, label: Option<(Point, Label)>) -> Arrow {
        Arrow {
            is_loop: true,
            ..Arrow::along(points, label)
        }
    }
}

impl Rect {
    pub fn bottom(&self) -> f64 {
        self.y + self.height
    }

    pub fn right(&self) -> f64 {
        self.x + self.width
    }

    pub fn centre(&self) -> Point {
        Point {
            x: self.x + self.width / 2.0,
            y: self.y + self.height / 2.0,
        }
    }

    fn around(centre: Point, size: Size) -> Rect {
        Rect {
            x: centre.x - size.width / 2.0,
            y: centre.y - size.height / 2.0,
            width: size.width,
            height: size.height,
        }
    }
}

/// What is known while regions are laid out, the innermost first.
struct Arrangement<'d> {
    diagram: &'d Diagram<'d>,
    courses: Courses,
    faces: Vec<Option<Face>>,
    labels: Vec<Option<Label>>,
    /// Of each vertex whose region has been laid out.
    sizes: Vec<Size>,
    /// Of each region.
    contents: Vec<Content>,
}

pub fn arrange(model: &Model, diagram: &Diagram) -> Picture {
    let mut arrangement = Arrangement::new(model, diagram);
    // Inner regions come behind outer ones.
    for region in (0..diagram.machine.regions.len()).rev() {
        let content = arrangement.lay_out(RegionId::new(region));
        arrangement.contents[region] = content;
    }
    arrangement.picture()
}

impl<'d> Arrangement<'d> {
    fn new(model: &Model, diagram: &'d Diagram<'d>) -> Arrangement<'d> {
        let face = |vertex: usize| match diagram.vertices[vertex].kind {
            Kind::State(state) if !diagram.machine.state(state).is_final => {
                Some(Face::of(model, diagram.machine, state))
            }
            _ => None,
        };
        let regions = diagram.machine.regions.iter();
        Arrangement {
            diagram,
            courses: Courses::of(diagram),
            faces: (0..diagram.vertices.len()).map(face).collect(),
            labels: diagram
                .edges
                .iter()
                .map(|edge| Label::of(&edge.texts))
                .collect(),
            sizes: vec![Size::default(); diagram.vertices.len()],
            contents: regions.map(|_| Content::default()).collect(),
        }
    }

    /// Puts regions where their states stand, the outermost first.
    fn picture(mut self) -> Picture {
        let top = &self.contents[TOP.index()];
        let size = Size {
            width: top.size.width + 2.0 * MARGIN,
            height: top.size.height + 2.0 * MARGIN,
        };
        let count = self.contents.len();
        let mut origins = vec![
            Point {
                x: MARGIN,
                y: MARGIN
            };
            count
        ];
        let mut boxes = vec![Rect::default(); self.sizes.len()];
        for region in 0..count {
            let origin = origins[region];
            for (vertex, centre) in &self.contents[region].centres {
                let centre = moved(*centre, origin);
                boxes[*vertex] = Rect::around(centre, self.sizes[*vertex]);
                for inner in self.diagram.regions_of(*vertex) {
                    let corner = Point {
                        x: boxes[*vertex].x,
                        y: boxes[*vertex].y,
                    };
                    origins[inner.index()] = moved(self.contents[inner.index()].origin, corner);
                }
            }
        }
        let regions = (0..count).map(|region| self.contents[region].frame(origins[region]));
        let regions = regions.collect();
        let arrows = self.arrows(&origins, &boxes);
        Picture {
            size,
            boxes,
            faces: self.faces,
            regions,
            arrows,
        }
    }

    /// The parts of each edge, put together.
    fn arrows(&mut self, origins: &[Point], boxes: &[Rect]) -> Vec<Arrow> {
        let mut ways: Vec<Vec<(usize, Vec<Point>)>> = vec![Vec::new(); self.labels.len()];
        let mut label_at = vec![None; self.labels.len()];
        let mut loops = vec![false; self.labels.len()];
        for (content, origin) in self.contents.iter().zip(origins) {
            for way in &content.ways {
                let points = way.points.iter().map(|point| moved(*point, *origin));
                ways[way.edge].push((way.number, points.collect()));
                loops[way.edge] |= way.is_loop;
                if let Some(at) = way.label {
                    label_at[way.edge] = Some(moved(at, *origin));
                }
            }
        }
        let mut arrows = Vec::new();
        for (edge, mut way) in ways.into_iter().enumerate() {
            way.sort_by_key(|(number, _)| *number);
            let mut points: Vec<Point> = way.into_iter().flat_map(|(_, points)| points).collect();
            if !loops[edge] {
                self.fit_ends(edge, &mut points, boxes);
            }
            let label = label_at[edge].zip(self.labels[edge].take());
            arrows.push(Arrow {
                points,
                is_loop: loops[edge],
                label,
            });
        }
        arrows
    }

    /// Lets an edge begin and end at the outline of what it connects.
    fn fit_ends(&self, edge: usize, points: &mut Vec<Point>, boxes: &[Rect]) {
        let edge = &self.diagram.edges[edge];
        let (Some(first), Some(last)) = (points.first().copied(), points.last().copied()) else {
            return;
        };
        let from_inside = self
            .diagram
            .outwards(edge.to)
            .skip(1)
            .any(|v| v == edge.from);
        let to_inside = self
            .diagram
            .outwards(edge.from)
            .skip(1)
            .any(|v| v == edge.to);
        if from_inside {
            points.insert(
                0,
                Point {
                    y: boxes[edge.from].y,
                    ..first
                },
            );
        } else if let Some(point) = points.first_mut() {
            point.y = self.outline(edge.from, *point, &boxes[edge.from]);
        }
        if to_inside {
            points.push(Point {
                y: boxes[edge.to].bottom(),
                ..last
            });
        } else if let Some(point) = points.last_mut() {
            point.y = self.outline(edge.to, *point, &boxes[edge.to]);
        }
    }

    /// Round and pointed symbols do not fill their boxes.
    fn outline(&self, vertex: usize, point: Point, symbol: &Rect) -> f64 {
        let centre = symbol.centre();
        let half = symbol.height / 2.0;
        let aside = (point.x - centre.x).abs().min(half);
        let reach = match self.diagram.vertices[vertex].kind {
            Kind::Choice(_) => half - aside,
            Kind::Initial(_) | Kind::History(_) => (half * half - aside * aside).sqrt(),
            Kind::State(state) if self.diagram.machine.state(state).is_final => {
                (half * half - aside * aside).sqrt()
            }
            _ => half,
        };
        if point.y < centre.y {
            centre.y - reach
        } else {
            centre.y + reach
        }
    }
}

fn moved(point: Point, by: Point) -> Point {
    Point {
        x: point.x + by.x,
        y: point.y + by.y,
    }
}
