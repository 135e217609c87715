//! GraphML, which yEd, Gephi and networkx read.

use super::{Graph, Kind};
use crate::draw::xml::escaped;

const HEAD: &str = "\
<?xml version=\"1.0\" encoding=\"UTF-8\"?>
<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">
  <key id=\"label\" for=\"all\" attr.name=\"label\" attr.type=\"string\"/>
  <key id=\"kind\" for=\"node\" attr.name=\"kind\" attr.type=\"string\"/>
  <key id=\"initial\" for=\"node\" attr.name=\"initial\" attr.type=\"boolean\"><default>false</default></key>
  <key id=\"deadlock\" for=\"node\" attr.name=\"deadlock\" attr.type=\"boolean\"><default>false</default></key>
  <key id=\"violates\" for=\"all\" attr.name=\"violates\" attr.type=\"string\"/>
";

pub fn graphml(graph: &Graph) -> String {
    let name = escaped(&graph.name);
    let mut out = format!("{HEAD}  <graph id=\"{name}\" edgedefault=\"directed\">\n");
    for (number, node) in graph.nodes.iter().enumerate() {
        let kind = match node.kind {
            Kind::State => "state",
            Kind::Failure => "failure",
            Kind::Cut => "cut",
            Kind::Unseen => "unseen",
        };
        let mut content = data("label", &node.lines.join("\n")) + &data("kind", kind);
        if graph.initial.contains(&number) {
            content += &data("initial", "true");
        }
        if node.is_deadlock {
            content += &data("deadlock", "true");
        }
        content += &violates(&node.violates);
        out += &format!("    <node id=\"s{number}\">{content}</node>\n");
    }
    for edge in &graph.edges {
        let content = data("label", &edge.label) + &violates(&edge.violates);
        let (from, to) = (edge.from, edge.to);
        out += &format!("    <edge source=\"s{from}\" target=\"s{to}\">{content}</edge>\n");
    }
    out + "  </graph>\n</graphml>\n"
}

fn data(key: &str, value: &str) -> String {
    format!("<data key=\"{key}\">{}</data>", escaped(value))
}

fn violates(names: &[String]) -> String {
    match names.is_empty() {
        true => String::new(),
        false => data("violates", &names.join(" ")),
    }
}
