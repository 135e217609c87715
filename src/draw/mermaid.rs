//! Mermaid: one `stateDiagram-v2`, each class a state with its machine inside.
//!
//! Mermaid has no history and no names for final states; both are shown as states with that name.

use super::diagram::{Diagram, Edge, Kind};
use super::indent::Indented;
use super::notes::notes;
use crate::lang::{ClassId, HistoryKind, Model, RegionId, StateId, TOP};

pub fn mermaid(model: &Model, classes: &[ClassId]) -> String {
    let mut out = Indented::new(0);
    out.open("stateDiagram-v2");
    for class in classes {
        let diagram = Diagram::of(&model.classes[class.index()].machine);
        let mut writer = Writer {
            model,
            class: *class,
            diagram,
            out: &mut out,
        };
        writer.class();
    }
    out.finish()
}

/// A text in one line. Mermaid has no way to write what ends a label or begins mark-up, for its state
/// diagrams do not read entities; letters that look the same stand for these.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for letter in text.chars() {
        match letter {
            '\n' => out += "<br/>",
            ';' => out.push('\u{37e}'),
            ':' => out.push('\u{2236}'),
            '<' => out.push('\u{2039}'),
            '>' => out.push('\u{203a}'),
            '"' => out.push('\u{201d}'),
            '`' => out.push('\u{2018}'),
            '#' => out.push('\u{266f}'),
            '\\' => out.push('\u{2216}'),
            '~' => out.push('\u{223c}'),
            '$' | '@' => out.push('\u{b7}'),
            '%' if out.ends_with('%') => out += " %",
            control if control.is_control() => out.push(' '),
            other => out.push(other),
        }
    }
    out
}

struct Writer<'m, 'o> {
    model: &'m Model,
    class: ClassId,
    diagram: Diagram<'m>,
    out: &'o mut Indented,
}

impl Writer<'_, '_> {
    fn class(&mut self) {
        let name = escaped(&self.model.classes[self.class.index()].name);
        let class = self.class.0;
        self.out.open(&format!("state \"{name}\" as c{class} {{"));
        self.region(TOP);
        self.out.close("}");
        for edge in std::mem::take(&mut self.diagram.edges) {
            if !self.diagram.is_initial(edge.from) {
                self.edge(&edge);
            }
        }
    }

    fn id(&self, vertex: usize) -> String {
        format!("c{}v{vertex}", self.class.0)
    }

    fn region(&mut self, region: RegionId) {
        let vertices: Vec<usize> = self.diagram.vertices_in(region).collect();
        for vertex in vertices {
            let id = self.id(vertex);
            match self.diagram.vertices[vertex].kind {
                Kind::State(state) => self.state(vertex, state),
                Kind::Initial(_) => self.initial(vertex),
                Kind::Choice(_) => self.out.line(&format!("state {id} <<choice>>")),
                Kind::Fork => self.out.line(&format!("state {id} <<fork>>")),
                Kind::Join => self.out.line(&format!("state {id} <<join>>")),
                Kind::History(HistoryKind::Shallow) => {
                    self.out.line(&format!("state \"H\" as {id}"));
                }
                Kind::History(HistoryKind::Deep) => {
                    self.out.line(&format!("state \"H*\" as {id}"));
                }
            }
        }
    }

    /// `[*]` means the start of the block in which it stands.
    fn initial(&mut self, vertex: usize) {
        let edges = self.diagram.edges.iter().filter(|edge| edge.from == vertex);
        let lines: Vec<String> = edges
            .map(|edge| format!("[*] --> {}{}", self.id(edge.to), label(edge)))
            .collect();
        lines.iter().for_each(|line| self.out.line(line));
    }

    fn state(&mut self, vertex: usize, state: StateId) {
        let id = self.id(vertex);
        let declared = self.diagram.machine.state(state);
        let name = escaped(&declared.name);
        let notes = notes(self.model, self.diagram.machine, state);
        let rows: Vec<String> = notes.iter().map(|note| escaped(&note.text())).collect();
        let regions = declared.regions.clone();
        let is_final = declared.is_final;
        if regions.is_empty() {
            let texts = [vec![name], rows].concat();
            let text = texts.join("<br/>");
            self.out.line(&format!("state \"{text}\" as {id}"));
        } else {
            self.out.open(&format!("state \"{name}\" as {id} {{"));
            for (index, region) in regions.iter().enumerate() {
                if index > 0 {
                    self.out.line("--");
                }
                self.region(*region);
            }
            self.out.close("}");
            self.note(&id, &rows);
        }
        if is_final {
            self.out.line(&format!("{id} --> [*]"));
        }
    }

    /// The title of a composite state has one line only.
    fn note(&mut self, id: &str, rows: &[String]) {
        if rows.is_empty() {
            return;
        }
        self.out.open(&format!("note right of {id}"));
        rows.iter().for_each(|row| self.out.line(row));
        self.out.close("end note");
    }

    fn edge(&mut self, edge: &Edge) {
        let (from, to) = (self.id(edge.from), self.id(edge.to));
        self.out.line(&format!("{from} --> {to}{}", label(edge)));
    }
}

fn label(edge: &Edge) -> String {
    match edge.texts.is_empty() {
        true => String::new(),
        false => format!(" : {}", escaped(&edge.texts.join("\n"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_can_end_a_text_or_begin_mark_up() {
        let text = escaped("a; b: \"c\" <d>#e;\n%%%");
        assert!(!text.contains([';', ':', '"', '#', '\n']), "{text}");
        assert!(!text.contains("%%") && !text.contains("<d>"), "{text}");
    }
}
