//! The symbols of vertices.

use crate::draw::arrange::{Face, NAME_HEIGHT, PADDING, Picture, ROW_HEIGHT, Rect, Row};
use crate::draw::diagram::{Diagram, Kind};
use crate::draw::xml::{escaped, lengths, number};
use crate::lang::{HistoryKind, StateId};

pub fn vertex(diagram: &Diagram, picture: &Picture, vertex: usize) -> String {
    let symbol = &picture.boxes[vertex];
    match diagram.vertices[vertex].kind {
        Kind::State(id) => state(diagram, picture, vertex, id),
        Kind::Choice(choice) => {
            let head = format!("class=\"choice\" data-choice=\"{}\"", choice.0);
            group(
                &head,
                &(diamond(symbol) + &caption(diagram, vertex, symbol)),
            )
        }
        Kind::Initial(region) => {
            let head = format!("class=\"initial\" data-region=\"{}\"", region.0);
            group(&head, &circle(symbol, 0.0, ""))
        }
        Kind::History(kind) => group("class=\"history\"", &history(symbol, kind)),
        Kind::Fork => group("class=\"bar fork\"", &rect(symbol, 2.0)),
        Kind::Join => group("class=\"bar join\"", &rect(symbol, 2.0)),
    }
}

fn group(head: &str, content: &str) -> String {
    format!("<g {head}>{content}</g>\n")
}

fn state(diagram: &Diagram, picture: &Picture, vertex: usize, id: StateId) -> String {
    let declared = diagram.machine.state(id);
    let symbol = &picture.boxes[vertex];
    let Some(face) = &picture.faces[vertex] else {
        let head = format!("class=\"state final\" data-state=\"{}\"", id.0);
        let dots = circle(symbol, 0.0, "") + &circle(symbol, 4.5, "dot");
        return group(&head, &(dots + &caption(diagram, vertex, symbol)));
    };
    let mut classes = "state".to_owned();
    classes += if declared.regions.is_empty() {
        " simple"
    } else {
        " composite"
    };
    classes += if declared.quiescent { " quiescent" } else { "" };
    let head = format!("class=\"{classes}\" data-state=\"{}\"", id.0);
    let title = format!("<title>{}</title>", escaped(&declared.path));
    let is_simple = declared.regions.is_empty();
    let mut content = title + &rect(symbol, 8.0) + &self::face(face, symbol, is_simple);
    content += &separators(diagram, picture, id);
    group(&head, &content)
}

fn rect(symbol: &Rect, corner: f64) -> String {
    let at = lengths([
        ("x", symbol.x),
        ("y", symbol.y),
        ("width", symbol.width),
        ("height", symbol.height),
        ("rx", corner),
    ]);
    format!("<rect{at}/>")
}

/// The circle that fits a box, smaller by so much.
fn circle(symbol: &Rect, smaller: f64, class: &str) -> String {
    let centre = symbol.centre();
    let radius = symbol.width / 2.0 - smaller;
    let at = lengths([("cx", centre.x), ("cy", centre.y), ("r", radius)]);
    let class = match class {
        "" => String::new(),
        class => format!(" class=\"{class}\""),
    };
    format!("<circle{class}{at}/>")
}

fn diamond(symbol: &Rect) -> String {
    let centre = symbol.centre();
    let corners = [
        (centre.x, symbol.y),
        (symbol.right(), centre.y),
        (centre.x, symbol.bottom()),
        (symbol.x, centre.y),
    ];
    let corners = corners.map(|(x, y)| format!("{},{}", number(x), number(y)));
    format!("<polygon points=\"{}\"/>", corners.join(" "))
}

fn history(symbol: &Rect, kind: HistoryKind) -> String {
    let letter = match kind {
        HistoryKind::Shallow => "H",
        HistoryKind::Deep => "H*",
    };
    let centre = symbol.centre();
    let at = lengths([("x", centre.x), ("y", centre.y + 4.0)]);
    circle(symbol, 0.0, "") + &format!("<text{at}>{letter}</text>")
}

fn caption(diagram: &Diagram, vertex: usize, symbol: &Rect) -> String {
    let Some(name) = diagram.caption(vertex) else {
        return String::new();
    };
    text(
        "caption",
        symbol.right() + 4.0,
        symbol.centre().y + 4.0,
        name,
    )
}

fn text(class: &str, x: f64, y: f64, content: &str) -> String {
    let at = lengths([("x", x), ("y", y)]);
    format!("<text class=\"{class}\"{at}>{}</text>", escaped(content))
}

/// Name and rows; in a simple state the name is centred, as high as the box if it stands alone.
fn face(face: &Face, symbol: &Rect, is_simple: bool) -> String {
    let head = match face.rows.is_empty() && is_simple {
        true => symbol.height,
        false => face.head_height(),
    };
    let stereotype = if face.stereotype.is_empty() {
        0.0
    } else {
        12.0
    };
    let mut baseline = symbol.y + (head - NAME_HEIGHT - stereotype) / 2.0 + 13.5;
    let (x, anchor) = match is_simple {
        true => (symbol.centre().x, " text-anchor=\"middle\""),
        false => (symbol.x + PADDING, ""),
    };
    let mut out = String::new();
    if !face.stereotype.is_empty() {
        let at = lengths([("x", x), ("y", baseline - 1.5)]);
        out += &format!(
            "<text class=\"stereotype\"{at}{anchor}>{}</text>",
            face.stereotype
        );
        baseline += 12.0;
    }
    let at = lengths([("x", x), ("y", baseline)]);
    let name = escaped(&face.name);
    out += &format!("<text class=\"name\"{at}{anchor}>{name}</text>");
    if !face.rows.is_empty() || !is_simple {
        out += &line(symbol, head);
    }
    if !face.rows.is_empty() {
        out += &rows(face, symbol, symbol.y + head + 14.0);
        if !is_simple {
            out += &line(symbol, head + face.rows_height());
        }
    }
    out
}

fn line(symbol: &Rect, below: f64) -> String {
    let y = symbol.y + below;
    let at = lengths([
        ("x1", symbol.x),
        ("y1", y),
        ("x2", symbol.right()),
        ("y2", y),
    ]);
    format!("<line{at}/>")
}

fn rows(face: &Face, symbol: &Rect, mut y: f64) -> String {
    let mut out = String::new();
    let x = symbol.x + PADDING;
    for row in &face.rows {
        out += &match row {
            Row::Action {
                transition,
                lines,
                full,
            } => {
                let lines = lines.iter().enumerate();
                let lines = lines.map(|(n, line)| text("row", x, y + n as f64 * ROW_HEIGHT, line));
                let lines: String = lines.collect();
                let title = format!("<title>{}</title>", escaped(full));
                match transition {
                    Some(id) => format!(
                        "<g class=\"transition internal\" data-transition=\"{}\">{title}{lines}</g>",
                        id.0
                    ),
                    None => format!("<g class=\"action\">{title}{lines}</g>"),
                }
            }
            Row::List(lines) => lines
                .iter()
                .enumerate()
                .map(|(n, words)| list_line(words, x, y + n as f64 * ROW_HEIGHT))
                .collect(),
        };
        y += row.lines() as f64 * ROW_HEIGHT;
    }
    out
}

fn list_line(words: &[crate::draw::arrange::Word], x: f64, y: f64) -> String {
    let spans = words.iter().map(|word| {
        let text = escaped(&word.text);
        match word.transition {
            Some(id) => format!(
                "<tspan class=\"transition internal\" data-transition=\"{}\">{text}</tspan>",
                id.0
            ),
            None => format!("<tspan>{text}</tspan>"),
        }
    });
    let spans: Vec<String> = spans.collect();
    let at = lengths([("x", x), ("y", y)]);
    format!("<text class=\"row\"{at}>{}</text>", spans.join(" "))
}

/// The names of regions, and dashed lines between them.
fn separators(diagram: &Diagram, picture: &Picture, id: StateId) -> String {
    let mut out = String::new();
    for (index, region) in diagram.machine.state(id).regions.iter().enumerate() {
        let frame = &picture.regions[region.index()];
        let name = &diagram.machine.region(*region).name;
        let mut content = String::new();
        if index > 0 {
            let at = lengths([
                ("x1", frame.x),
                ("y1", frame.y),
                ("x2", frame.x),
                ("y2", frame.bottom()),
            ]);
            content += &format!("<line{at}/>");
        }
        if !name.is_empty() {
            content += &text("region-name", frame.x + PADDING, frame.y + 14.0, name);
        }
        if !content.is_empty() {
            let head = format!("class=\"region\" data-region=\"{}\"", region.0);
            out += &format!("<g {head}>{content}</g>");
        }
    }
    out
}
