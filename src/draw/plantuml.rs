//! PlantUML: one diagram, each class a state with its machine inside.
//!
//! PlantUML refuses edges from outside into one of several regions. Such an edge ends at the state around
//! them, and its label says where it comes from or goes to.

use super::diagram::{Diagram, Edge, Kind};
use super::indent::Indented;
use super::notes::notes;
use crate::lang::{ClassId, HistoryKind, Model, RegionId, StateId, TOP};

pub fn plantuml(model: &Model, classes: &[ClassId]) -> String {
    let mut out = Indented::new(0);
    out.line("@startuml");
    out.line(&format!("title {}", escaped(&model.name)));
    out.line("hide empty description");
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
    out.line("@enduml");
    out.finish()
}

/// A text in one line in which nothing is mark-up. What PlantUML could take for it is written as the
/// number of its letter.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    let mut before = '\n';
    for letter in text.chars() {
        let is_doubled = letter == before && !letter.is_alphanumeric() && letter != ' ';
        match letter {
            '\n' => out += "\\n",
            '<' | '>' | '\\' | '~' | '"' | '%' | '@' | '$' | '#' | '`' => out += &coded(letter),
            _ if is_doubled => out += &coded(letter),
            control if control.is_control() => out.push(' '),
            other => out.push(other),
        }
        before = letter;
    }
    out
}

fn coded(letter: char) -> String {
    format!("<U+{:04X}>", u32::from(letter))
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
    }

    fn id(&self, vertex: usize) -> String {
        match self.diagram.is_initial(vertex) {
            true => "[*]".to_owned(),
            false => format!("c{}v{vertex}", self.class.0),
        }
    }

    /// The vertices, then the edges between them: what an edge names must have been declared.
    fn region(&mut self, region: RegionId) {
        let vertices: Vec<usize> = self.diagram.vertices_in(region).collect();
        for vertex in vertices {
            self.vertex(vertex);
        }
        let edges = self.diagram.edges_in(region);
        let lines: Vec<String> = edges.map(|edge| self.edge(edge, region)).collect();
        lines.iter().for_each(|line| self.out.line(line));
    }

    fn vertex(&mut self, vertex: usize) {
        let id = self.id(vertex);
        let line = match self.diagram.vertices[vertex].kind {
            Kind::State(state) if self.diagram.machine.state(state).is_final => {
                format!("state {id} <<end>>")
            }
            Kind::State(state) => return self.state(vertex, state),
            Kind::Initial(_) => return, // `[*]` needs no declaration
            Kind::Choice(_) => format!("state {id} <<choice>>"),
            // The name is for versions that do not know the stereotype.
            Kind::History(HistoryKind::Shallow) => format!("state \"H\" as {id} <<history>>"),
            Kind::History(HistoryKind::Deep) => format!("state \"H*\" as {id} <<history*>>"),
            Kind::Fork => format!("state {id} <<fork>>"),
            Kind::Join => format!("state {id} <<join>>"),
        };
        self.out.line(&line);
    }

    fn state(&mut self, vertex: usize, state: StateId) {
        let id = self.id(vertex);
        let declared = self.diagram.machine.state(state);
        let name = escaped(&declared.name);
        let quiescent = if declared.quiescent {
            " <<quiescent>>"
        } else {
            ""
        };
        let head = format!("state \"{name}\" as {id}{quiescent}");
        let regions = declared.regions.clone();
        match regions.is_empty() {
            true => self.out.line(&head),
            false => self.out.open(&format!("{head} {{")),
        }
        for (index, region) in regions.iter().enumerate() {
            if index > 0 {
                self.out.line("--");
            }
            self.region(*region);
        }
        if !regions.is_empty() {
            self.out.close("}");
        }
        for note in notes(self.model, self.diagram.machine, state) {
            self.out.line(&format!("{id} : {}", escaped(&note.text())));
        }
    }

    fn edge(&self, edge: &Edge, region: RegionId) -> String {
        let (from, to) = (self.end(edge.from, region), self.end(edge.to, region));
        let mut texts = edge.texts.clone();
        if from != edge.from {
            texts.push(format!("(from {})", self.name(edge.from)));
        }
        if to != edge.to {
            texts.push(format!("(to {})", self.name(edge.to)));
        }
        let label = match texts.is_empty() {
            true => String::new(),
            false => format!(" : {}", escaped(&texts.join("\n"))),
        };
        format!("{} --> {}{label}", self.id(from), self.id(to))
    }

    /// The vertex that an edge in a region can reach: the outermost state with several regions that
    /// lies between, if there is one.
    fn end(&self, vertex: usize, region: RegionId) -> usize {
        let outwards = self.diagram.outwards(vertex);
        let inside = outwards.take_while(|inner| self.diagram.vertices[*inner].region != region);
        let around = inside.filter_map(|inner| {
            let region = self.diagram.vertices[inner].region;
            self.diagram.machine.region(region).parent
        });
        let divided = around.filter(|state| self.diagram.machine.state(*state).regions.len() > 1);
        divided.last().map_or(vertex, StateId::index)
    }

    fn name(&self, vertex: usize) -> &str {
        match self.diagram.vertices[vertex].kind {
            Kind::State(state) => &self.diagram.machine.state(state).name,
            Kind::Choice(choice) => &self.diagram.machine.choice(choice).name,
            Kind::History(HistoryKind::Deep) => "deep history",
            _ => "history",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_taken_for_mark_up() {
        assert_eq!(escaped("a // b"), "a /<U+002F> b");
        assert_eq!(escaped("<b>\\n"), "<U+003C>b<U+003E><U+005C>n");
        assert_eq!(escaped("one\n@enduml"), "one\\n<U+0040>enduml");
    }
}
