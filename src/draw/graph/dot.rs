//! Graphviz.

use super::{Graph, Kind, Node};
use crate::draw::dot::{escaped, quoted};

pub fn dot(graph: &Graph) -> String {
    let mut out = format!("digraph {} {{\n", quoted(&graph.name));
    out += "  node [fontname=\"Helvetica\", fontsize=11, shape=box, style=rounded];\n";
    out += "  edge [fontname=\"Helvetica\", fontsize=10];\n";
    for (number, node) in graph.nodes.iter().enumerate() {
        out += &self::node(number, node);
    }
    for start in &graph.initial {
        out += &format!("  start{start} [shape=point, width=0.12];\n  start{start} -> s{start};\n");
    }
    for edge in &graph.edges {
        let colour = match edge.violates.is_empty() {
            true => "",
            false => ", color=red, fontcolor=red",
        };
        let label = quoted(&edge.text());
        out += &format!(
            "  s{} -> s{} [label={label}{colour}];\n",
            edge.from, edge.to
        );
    }
    out + "}\n"
}

fn node(number: usize, node: &Node) -> String {
    let mut label = escaped(&node.title(number)) + "\\n";
    for line in node.lines.iter().chain(&node.complaints()) {
        label += &format!("{}\\l", escaped(line));
    }
    let wrong = !node.violates.is_empty() || node.kind == Kind::Failure;
    let colour = if wrong { ", color=red" } else { "" };
    let bold = if node.is_deadlock { ", penwidth=2" } else { "" };
    format!("  s{number} [label=\"{label}\"{colour}{bold}];\n")
}
