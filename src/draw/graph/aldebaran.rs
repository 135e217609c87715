//! Aldebaran (`.aut`), which CADP and mCRL2 read: a line for every step.
//!
//! The format has one initial state; where a model has several, one more leads to them.

use super::Graph;

pub fn aldebaran(graph: &Graph) -> String {
    let steps = graph.edges.iter();
    let mut lines: Vec<String> = steps
        .map(|edge| line(edge.from, &edge.text(), edge.to))
        .collect();
    let mut states = graph.nodes.len();
    let first = match graph.initial[..] {
        [one] => one,
        _ => {
            let starts = graph.initial.iter();
            lines.extend(starts.map(|start| line(states, "the system starts", *start)));
            states += 1;
            states - 1
        }
    };
    let head = format!("des ({first},{},{states})\n", lines.len());
    head + &lines.concat()
}

fn line(from: usize, label: &str, to: usize) -> String {
    // The format has no way to write a quote or the end of a line in a label.
    let label = label.replace('"', "'");
    let label: String = label
        .chars()
        .map(|letter| if letter.is_control() { ' ' } else { letter })
        .collect();
    format!("({from},\"{label}\",{to})\n")
}
