//! Graphviz: one `digraph`, a cluster for each class, composite state and region.
//!
//! Edges end at nodes only, so a composite state has an invisible one inside, and the edge is cut
//! at the border of its cluster (`lhead`, `ltail`).

use std::fmt::Write;

use super::diagram::{Diagram, Edge, Kind};
use super::indent::Indented;
use super::notes::notes;
use crate::lang::{ClassId, HistoryKind, Model, RegionId, StateId, TOP};

const HEAD: &str = "\
  compound=true;
  graph [fontname=\"Helvetica\", fontsize=13, labeljust=l, style=rounded];
  node [fontname=\"Helvetica\", fontsize=12, shape=box, style=rounded];
  edge [fontname=\"Helvetica\", fontsize=10];
";

pub fn dot(model: &Model, classes: &[ClassId]) -> String {
    let mut out = format!("digraph {} {{\n{HEAD}", quoted(&model.name));
    for class in classes {
        out += &Writer::new(model, *class).class();
    }
    out + "}\n"
}

/// A text in quotes.
pub fn quoted(text: &str) -> String {
    format!("\"{}\"", escaped(text))
}

pub fn escaped(text: &str) -> String {
    let mut out = String::new();
    for letter in text.chars() {
        match letter {
            '"' => out += "\\\"",
            '\\' => out += "\\\\",
            '\n' => out += "\\n",
            // Graphviz reads entities, as HTML has them.
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            control if control.is_control() => out.push(' '),
            other => out.push(other),
        }
    }
    out
}

struct Writer<'m> {
    model: &'m Model,
    class: ClassId,
    diagram: Diagram<'m>,
    out: Indented,
}

impl<'m> Writer<'m> {
    fn new(model: &'m Model, class: ClassId) -> Writer<'m> {
        Writer {
            model,
            class,
            diagram: Diagram::of(&model.classes[class.index()].machine),
            out: Indented::new(1),
        }
    }

    fn class(mut self) -> String {
        let class = self.class.0;
        let name = quoted(&self.model.classes[self.class.index()].name);
        self.out.open(&format!("subgraph cluster_class{class} {{"));
        self.out.line(&format!("label={name}; fontsize=16;"));
        self.region(TOP);
        for edge in std::mem::take(&mut self.diagram.edges) {
            self.edge(&edge);
        }
        self.out.close("}");
        self.out.finish()
    }

    fn id(&self, vertex: usize) -> String {
        format!("c{}v{vertex}", self.class.0)
    }

    fn region(&mut self, region: RegionId) {
        let vertices: Vec<usize> = self.diagram.vertices_in(region).collect();
        for vertex in vertices {
            let id = self.id(vertex);
            match self.diagram.vertices[vertex].kind {
                Kind::State(state) if !self.diagram.regions_of(vertex).is_empty() => {
                    self.composite(vertex, state);
                }
                kind => {
                    let shape = self.shape(kind);
                    self.out.line(&format!("{id} [{shape}];"));
                }
            }
        }
    }

    fn composite(&mut self, vertex: usize, state: StateId) {
        let id = self.id(vertex);
        let label = self.state_label(state, "\\l");
        self.out.open(&format!("subgraph cluster_{id} {{"));
        self.out.line(&format!("label=\"{label}\"; style=rounded;"));
        self.out
            .line(&format!("{id} [shape=point, style=invis, label=\"\"];"));
        let regions = self.diagram.regions_of(vertex).to_vec();
        for region in &regions {
            if regions.len() == 1 {
                self.region(*region);
                continue;
            }
            let name = quoted(&self.diagram.machine.region(*region).name);
            self.out
                .open(&format!("subgraph cluster_{id}r{} {{", region.0));
            self.out.line(&format!("label={name}; style=dashed;"));
            self.region(*region);
            self.out.close("}");
        }
        self.out.close("}");
    }

    /// The name and, left-justified, what is written in the state.
    fn state_label(&self, state: StateId, end: &str) -> String {
        let machine = self.diagram.machine;
        let mut label = escaped(&machine.state(state).name) + end;
        for note in notes(self.model, machine, state) {
            label += &format!("{}\\l", escaped(&note.text()));
        }
        label
    }

    fn shape(&self, kind: Kind) -> String {
        let machine = self.diagram.machine;
        match kind {
            Kind::State(state) if machine.state(state).is_final => {
                let name = quoted(&machine.state(state).name);
                format!(
                    "shape=doublecircle, style=filled, fillcolor=black, width=0.15, label=\"\", xlabel={name}"
                )
            }
            Kind::State(state) => {
                let quiescent = machine.state(state).quiescent;
                let style = if quiescent { ", peripheries=2" } else { "" };
                format!("label=\"{}\"{style}", self.state_label(state, "\\n"))
            }
            Kind::Choice(choice) => {
                let name = quoted(&machine.choice(choice).name);
                format!(
                    "shape=diamond, style=solid, width=0.3, height=0.3, label=\"\", xlabel={name}"
                )
            }
            Kind::Initial(_) => {
                "shape=circle, style=filled, fillcolor=black, width=0.15, label=\"\"".to_owned()
            }
            Kind::History(kind) => {
                let letter = match kind {
                    HistoryKind::Shallow => "H",
                    HistoryKind::Deep => "H*",
                };
                format!("shape=circle, style=solid, width=0.3, fixedsize=true, label=\"{letter}\"")
            }
            Kind::Fork | Kind::Join => {
                "style=filled, fillcolor=black, width=0.8, height=0.06, fixedsize=true, label=\"\""
                    .to_owned()
            }
        }
    }

    fn edge(&mut self, edge: &Edge) {
        let mut attributes = Vec::new();
        if !edge.texts.is_empty() {
            attributes.push(format!("label={}", quoted(&edge.texts.join("\n"))));
        }
        attributes.extend(self.cut("ltail", edge.from, edge.to));
        attributes.extend(self.cut("lhead", edge.to, edge.from));
        if matches!(self.diagram.vertices[edge.to].kind, Kind::Join) {
            attributes.push("arrowhead=none".to_owned());
        }
        let (from, to) = (self.id(edge.from), self.id(edge.to));
        let mut line = format!("{from} -> {to}");
        if !attributes.is_empty() {
            let _ = write!(line, " [{}]", attributes.join(", "));
        }
        self.out.line(&format!("{line};"));
    }

    /// An edge from or to a composite state ends at its border, unless its other end lies inside.
    fn cut(&self, name: &str, vertex: usize, other: usize) -> Option<String> {
        let is_composite = !self.diagram.regions_of(vertex).is_empty();
        let is_inside = self.diagram.outwards(other).any(|around| around == vertex);
        let id = self.id(vertex);
        (is_composite && !is_inside).then(|| format!("{name}=cluster_{id}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_can_break_out_of_a_quoted_text() {
        assert_eq!(quoted("a\"];\nb\\"), "\"a\\\"];\\nb\\\\\"");
        assert_eq!(quoted("<b>&x;"), "\"&lt;b&gt;&amp;x;\"");
    }
}
