//! SVG without any other program.
//!
//! All coordinates are absolute, all groups stand side by side: states in the order of the model (outer
//! ones before inner ones), then edges. Colours come from `STYLE` alone; there are no ids, so several
//! drawings can stand in one page.

mod edges;
mod states;

pub use edges::arrow;

use super::arrange::{Picture, arrange};
use super::diagram::Diagram;
use super::xml::{escaped, lengths, number};
use crate::lang::{ClassId, Model};

/// What drawings look like. A page includes it once; each colour can be set by a custom property,
/// `--draw-line` and so on.
pub const STYLE: &str = include_str!("style.css");

const TITLE_HEIGHT: f64 = 34.0;
const MARGIN: f64 = 16.0;

/// A class's machine as an `<svg>` element to be put into a page that includes `STYLE`.
///
/// Every state is a group with `data-state`, every transition one with `data-transition`; the branches of
/// choices have `data-choice` and `data-branch`, initial transitions `data-region`.
pub fn class_svg(model: &Model, class: ClassId) -> String {
    let name = &model.classes[class.index()].name;
    let drawing = Drawing::of(model, class);
    let head = svg_head(drawing.width, drawing.height, name);
    format!("{head}{}</svg>\n", drawing.body)
}

/// Several classes under each other, as a document of its own.
pub fn document(model: &Model, classes: &[ClassId]) -> String {
    let mut body = String::new();
    let mut y = 0.0;
    let mut width = 0.0f64;
    for class in classes {
        let name = &model.classes[class.index()].name;
        let drawing = Drawing::of(model, *class);
        let at = lengths([("x", MARGIN), ("y", y + 24.0)]);
        body += &format!("<text class=\"title\"{at}>{}</text>\n", escaped(name));
        let at = number(y + TITLE_HEIGHT);
        body += &format!(
            "<g transform=\"translate(0 {at})\">\n{}</g>\n",
            drawing.body
        );
        y += TITLE_HEIGHT + drawing.height + MARGIN;
        width = width.max(drawing.width);
    }
    let head = svg_head(width, y, &model.name);
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n{head}<style>\n{STYLE}</style>\n\
         <rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n{body}</svg>\n"
    )
}

pub fn svg_head(width: f64, height: f64, title: &str) -> String {
    let (width, height) = (number(width.ceil()), number(height.ceil()));
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"draw\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{}\">\n",
        escaped(title)
    )
}

struct Drawing {
    body: String,
    width: f64,
    height: f64,
}

impl Drawing {
    fn of(model: &Model, class: ClassId) -> Drawing {
        let diagram = Diagram::of(&model.classes[class.index()].machine);
        let picture = arrange(model, &diagram);
        Drawing {
            body: body(&diagram, &picture),
            width: picture.size.width,
            height: picture.size.height,
        }
    }
}

fn body(diagram: &Diagram, picture: &Picture) -> String {
    let mut out = String::new();
    for vertex in 0..diagram.vertices.len() {
        out += &states::vertex(diagram, picture, vertex);
    }
    out += &edges::edges(diagram, picture);
    out
}
