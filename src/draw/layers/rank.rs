//! The layer of each node: below all nodes that lead to it, and not lower than that without a reason.

use super::{Graph, Level};

/// From a layer of nodes to the next; the one between is for labels.
pub const STEP: usize = 2;

pub fn ranks(graph: &Graph) -> Vec<usize> {
    let order = sorted(graph);
    let mut ranks = earliest(graph, &order);
    pull_down(graph, &order, &mut ranks);
    let lowest = ranks.iter().copied().max().unwrap_or(0);
    for (rank, node) in ranks.iter_mut().zip(&graph.nodes) {
        if node.level == Level::Bottom {
            *rank = lowest;
        }
    }
    ranks
}

/// Every node behind those that lead to it; of several in order, those that come first.
fn sorted(graph: &Graph) -> Vec<usize> {
    let mut waiting = vec![0usize; graph.nodes.len()];
    let mut below = vec![Vec::new(); graph.nodes.len()];
    for edge in &graph.edges {
        waiting[edge.lower] += 1;
        below[edge.upper].push(edge.lower);
    }
    let all = 0..graph.nodes.len();
    let mut order: Vec<usize> = all.filter(|node| waiting[*node] == 0).collect();
    let mut next = 0;
    while let Some(node) = order.get(next).copied() {
        next += 1;
        for lower in &below[node] {
            waiting[*lower] -= 1;
            if waiting[*lower] == 0 {
                order.push(*lower);
            }
        }
    }
    debug_assert_eq!(order.len(), graph.nodes.len(), "the graph has a cycle");
    order
}

fn earliest(graph: &Graph, order: &[usize]) -> Vec<usize> {
    let has_top = graph.nodes.iter().any(|node| node.level == Level::Top);
    let start = |level: Level| match level {
        Level::Inside | Level::Bottom if has_top => STEP,
        _ => 0,
    };
    let mut ranks: Vec<usize> = graph.nodes.iter().map(|node| start(node.level)).collect();
    let mut below = vec![Vec::new(); graph.nodes.len()];
    for edge in &graph.edges {
        below[edge.upper].push(edge.lower);
    }
    for node in order {
        for lower in &below[*node] {
            ranks[*lower] = ranks[*lower].max(ranks[*node] + STEP);
        }
    }
    // What stands at the bottom has a layer of its own.
    let insides = graph.nodes.iter().zip(&ranks);
    let insides = insides.filter(|(node, _)| node.level != Level::Bottom);
    let lowest = insides.map(|(_, rank)| *rank).max().unwrap_or(0);
    for (rank, node) in ranks.iter_mut().zip(&graph.nodes) {
        if node.level == Level::Bottom {
            *rank = lowest + STEP;
        }
    }
    ranks
}

/// A node that more edges leave than reach comes down to where they lead.
fn pull_down(graph: &Graph, order: &[usize], ranks: &mut [usize]) {
    let mut below = vec![Vec::new(); graph.nodes.len()];
    let mut above = vec![0usize; graph.nodes.len()];
    for edge in &graph.edges {
        below[edge.upper].push(edge.lower);
        above[edge.lower] += 1;
    }
    for node in order.iter().rev() {
        let nearest = below[*node].iter().map(|lower| ranks[*lower]).min();
        let is_free = graph.nodes[*node].level == Level::Inside;
        if let Some(nearest) = nearest
            && is_free
            && below[*node].len() > above[*node]
        {
            ranks[*node] = nearest - STEP;
        }
    }
}
