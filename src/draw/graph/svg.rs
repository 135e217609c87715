//! A picture of a graph of states, by layers: runs go downwards from where they start.

use super::{Edge, Graph, Kind, Node};
use crate::draw::arrange::{Arrow, Label};
use crate::draw::layers::{self, Attach, Level, Point, Size, orient};
use crate::draw::loops;
use crate::draw::svg::{STYLE, arrow, svg_head};
use crate::draw::text::{shortened, widest, wrapped};
use crate::draw::xml::{escaped, lengths};

const TEXT: f64 = 11.0;
const LINE: f64 = 15.0;
const PADDING: f64 = 10.0;
const MARGIN: f64 = 16.0;
const WIDEST: f64 = 260.0;
const MOST_LINES: usize = 40;
const CORNER: f64 = 10.0;
/// The dot at which a run starts.
const DOT: f64 = 6.0;

pub fn svg(graph: &Graph) -> String {
    let picture = Picture::of(graph);
    let mut body = String::new();
    for (number, node) in graph.nodes.iter().enumerate() {
        body += &picture.node(graph, number, node);
    }
    for place in &picture.dots {
        let at = lengths([("cx", place.x), ("cy", place.y), ("r", DOT)]);
        body += &format!("<g class=\"initial\"><circle{at}/></g>\n");
    }
    for (number, drawn) in picture.arrows.iter().enumerate() {
        let class = match graph.edges.get(number) {
            Some(edge) if !edge.violates.is_empty() => "edge step bad",
            Some(_) => "edge step",
            None => "edge start",
        };
        body += &format!("<g class=\"{class}\">{}</g>\n", arrow(drawn, true));
    }
    let head = svg_head(picture.size.width, picture.size.height, &graph.name);
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n{head}<style>\n{STYLE}</style>\n\
         <rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n{body}</svg>\n"
    )
}

struct Picture {
    size: Size,
    lines: Vec<Vec<String>>,
    sizes: Vec<Size>,
    centres: Vec<Point>,
    dots: Vec<Point>,
    /// Of the edges, then from the dots.
    arrows: Vec<Arrow>,
}

impl Picture {
    fn of(graph: &Graph) -> Picture {
        let lines: Vec<Vec<String>> = graph.nodes.iter().map(wrapped_lines).collect();
        let labels = graph.edges.iter().map(|edge| Label::of(&[edge.text()]));
        let labels: Vec<Option<Label>> = labels.collect();
        let mut loops_of: Vec<Vec<usize>> = vec![Vec::new(); graph.nodes.len()];
        for (index, edge) in graph.edges.iter().enumerate() {
            if edge.from == edge.to {
                loops_of[edge.from].push(index);
            }
        }
        let sizes = lines.iter().enumerate().map(|(node, lines)| {
            let (_, loops) = loops::room(loops_of[node].iter().map(|edge| labels[*edge].as_ref()));
            let height = (lines.len() + 1) as f64 * LINE + 14.0;
            Size {
                width: (widest(lines, TEXT) + 2.0 * PADDING).max(60.0),
                height: height.max(loops::box_height(loops)),
            }
        });
        let sizes: Vec<Size> = sizes.collect();
        let beside = loops_of.iter().map(|loops| {
            let labels = loops.iter().map(|edge| labels[*edge].as_ref());
            loops::room(labels).0
        });
        let ways = Ways::new(graph, &sizes, beside.collect(), &labels);
        ways.picture(lines, sizes, labels, &loops_of)
    }

    fn node(&self, graph: &Graph, number: usize, node: &Node) -> String {
        let (size, centre) = (self.sizes[number], self.centres[number]);
        let (x, y) = (centre.x - size.width / 2.0, centre.y - size.height / 2.0);
        let mut classes = "state".to_owned();
        let marks = [
            (graph.initial.contains(&number), " first"),
            (node.is_deadlock, " deadlock"),
            (!node.violates.is_empty(), " violating"),
            (node.kind == Kind::Failure, " violating"),
        ];
        classes.extend(
            marks
                .iter()
                .filter(|(holds, _)| *holds)
                .map(|(_, class)| *class),
        );
        let at = lengths([
            ("x", x),
            ("y", y),
            ("width", size.width),
            ("height", size.height),
            ("rx", 6.0),
        ]);
        let mut out = format!("<g class=\"{classes}\" data-state=\"{number}\"><rect{at}/>");
        let title = lengths([("x", centre.x), ("y", y + 16.0)]);
        let name = escaped(&node.title(number));
        out += &format!("<text class=\"name\"{title} text-anchor=\"middle\">{name}</text>");
        for (index, line) in self.lines[number].iter().enumerate() {
            let at = lengths([
                ("x", x + PADDING),
                ("y", y + 16.0 + (index + 1) as f64 * LINE),
            ]);
            out += &format!("<text{at}>{}</text>", escaped(line));
        }
        out + "</g>\n"
    }
}

fn wrapped_lines(node: &Node) -> Vec<String> {
    let complaints = node.complaints();
    let all = node.lines.iter().chain(&complaints);
    let lines = all.flat_map(|line| wrapped(line, TEXT, WIDEST));
    shortened(lines.collect(), MOST_LINES)
}

/// The layered graph of the edges that are no loops, and of the dots.
struct Ways<'g> {
    graph: &'g Graph,
    /// The edges in the layers, by their numbers; then one for each dot.
    drawn: Vec<usize>,
    turned: Vec<bool>,
    layered: layers::Graph,
}

impl<'g> Ways<'g> {
    fn new(
        graph: &'g Graph,
        sizes: &[Size],
        beside: Vec<f64>,
        labels: &[Option<Label>],
    ) -> Ways<'g> {
        let is_loop = |edge: &&Edge| edge.from == edge.to;
        let all = graph.edges.iter().enumerate();
        let drawn: Vec<usize> = all.filter(|(_, e)| !is_loop(e)).map(|(n, _)| n).collect();
        let ends = |edge: &usize| (graph.edges[*edge].from, graph.edges[*edge].to);
        let pairs: Vec<(usize, usize)> = drawn.iter().map(ends).collect();
        let turned = orient::turned(graph.nodes.len(), &pairs);
        let nodes = sizes.iter().zip(beside).map(|(size, beside)| layers::Node {
            left: size.width / 2.0,
            right: size.width / 2.0 + beside,
            height: size.height,
            reach: size.width / 2.0 - CORNER,
            level: Level::Inside,
        });
        let mut layered = layers::Graph {
            nodes: nodes.collect(),
            edges: Vec::new(),
        };
        for ((edge, (from, to)), turned) in drawn.iter().zip(pairs).zip(&turned) {
            let (upper, lower) = if *turned { (to, from) } else { (from, to) };
            let label = labels[*edge].as_ref().map(Label::size);
            layered.edges.push(free_edge(upper, lower, label));
        }
        for start in &graph.initial {
            layered.nodes.push(layers::Node {
                left: DOT,
                right: DOT,
                height: 2.0 * DOT,
                reach: 0.0,
                level: Level::Inside,
            });
            let dot = layered.nodes.len() - 1;
            layered.edges.push(free_edge(dot, *start, None));
        }
        Ways {
            graph,
            drawn,
            turned,
            layered,
        }
    }

    fn picture(
        self,
        lines: Vec<Vec<String>>,
        sizes: Vec<Size>,
        mut labels: Vec<Option<Label>>,
        loops_of: &[Vec<usize>],
    ) -> Picture {
        let layout = layers::layout(&self.layered);
        let places: Vec<Point> = layout.nodes.iter().map(inside_margin).collect();
        let (centres, dots) = places.split_at(self.graph.nodes.len());
        let (mut arrows, starts) = self.along(&layout.routes, &mut labels);
        for (node, loops) in loops_of.iter().enumerate() {
            let side = Point {
                x: centres[node].x + sizes[node].width / 2.0,
                ..centres[node]
            };
            add_loops(&mut arrows, loops, side, &mut labels);
        }
        Picture {
            size: Size {
                width: layout.size.width + 2.0 * MARGIN,
                height: layout.size.height + 2.0 * MARGIN,
            },
            lines,
            sizes,
            centres: centres.to_vec(),
            dots: dots.to_vec(),
            arrows: arrows.into_iter().flatten().chain(starts).collect(),
        }
    }

    /// The arrows of edges, where they are no loops, and those from the dots.
    fn along(
        &self,
        routes: &[layers::Route],
        labels: &mut [Option<Label>],
    ) -> (Vec<Option<Arrow>>, Vec<Arrow>) {
        let mut arrows: Vec<Option<Arrow>> = self.graph.edges.iter().map(|_| None).collect();
        let mut starts = Vec::new();
        for (index, route) in routes.iter().enumerate() {
            let mut points: Vec<Point> = route.points.iter().map(inside_margin).collect();
            let Some(edge) = self.drawn.get(index).copied() else {
                starts.push(Arrow::along(points, None));
                continue;
            };
            if self.turned[index] {
                points.reverse();
            }
            let label = route.label.as_ref().map(inside_margin);
            arrows[edge] = Some(Arrow::along(points, label.zip(labels[edge].take())));
        }
        (arrows, starts)
    }
}

fn inside_margin(point: &Point) -> Point {
    Point {
        x: point.x + MARGIN,
        y: point.y + MARGIN,
    }
}

/// The loops of a box, by the middle of its right side.
fn add_loops(
    arrows: &mut [Option<Arrow>],
    loops: &[usize],
    side: Point,
    labels: &mut [Option<Label>],
) {
    let ways = loops::ways(side, loops.iter().map(|edge| labels[*edge].as_ref()));
    for (edge, way) in loops.iter().zip(ways) {
        let label = way.label.zip(labels[*edge].take());
        arrows[*edge] = Some(Arrow::round(way.points, label));
    }
}

fn free_edge(upper: usize, lower: usize, label: Option<Size>) -> layers::Edge {
    layers::Edge {
        upper,
        lower,
        upper_at: Attach::Anywhere,
        lower_at: Attach::Anywhere,
        label,
    }
}
