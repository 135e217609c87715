//! Graphs that are hard to draw, and what must be true of every drawing.

use super::*;

fn node() -> Node {
    Node {
        left: 40.0,
        right: 40.0,
        height: 30.0,
        reach: 30.0,
        level: Level::Inside,
    }
}

fn edge(upper: usize, lower: usize) -> Edge {
    Edge {
        upper,
        lower,
        upper_at: Attach::Anywhere,
        lower_at: Attach::Anywhere,
        label: Some(Size {
            width: 60.0,
            height: 14.0,
        }),
    }
}

/// Edges between nodes that are far from each other and near, always the same.
fn tangle(nodes: usize, edges: usize) -> Graph {
    let pairs: Vec<(usize, usize)> = (0..edges)
        .map(|index| (index * 7919 % nodes, (index * 104_729 + index / 3) % nodes))
        .filter(|(from, to)| from != to)
        .collect();
    let turned = orient::turned(nodes, &pairs);
    let edges = pairs.iter().zip(turned).map(|((from, to), turned)| {
        let (upper, lower) = if turned { (*to, *from) } else { (*from, *to) };
        edge(upper, lower)
    });
    Graph {
        nodes: vec![node(); nodes],
        edges: edges.collect(),
    }
}

fn overlap(one: Point, other: Point) -> bool {
    (one.x - other.x).abs() < 80.0 - 1e-6 && (one.y - other.y).abs() < 30.0 - 1e-6
}

#[test]
fn nodes_do_not_overlap_and_edges_go_down() {
    let graph = tangle(40, 120);
    let layout = layout(&graph);
    for (index, one) in layout.nodes.iter().enumerate() {
        assert!(one.x >= 40.0 - 1e-6 && one.x + 40.0 <= layout.size.width + 1e-6);
        for other in &layout.nodes[..index] {
            assert!(!overlap(*one, *other), "{one:?} {other:?}");
        }
    }
    for route in &layout.routes {
        assert!(
            route
                .points
                .windows(2)
                .all(|pair| pair[0].y <= pair[1].y + 1e-6)
        );
    }
}

/// A way passes a node's band only straight down, and beside the node.
#[test]
fn edges_do_not_run_through_nodes() {
    let graph = tangle(40, 120);
    let layout = layout(&graph);
    for route in &layout.routes {
        let inner = &route.points[1..route.points.len() - 1];
        for pair in inner.windows(2) {
            for node in &layout.nodes {
                let beside = pair.iter().all(|point| (point.x - node.x).abs() >= 40.0);
                let apart = pair[1].y <= node.y - 15.0 || pair[0].y >= node.y + 15.0;
                assert!(beside || apart, "{pair:?} runs through {node:?}");
            }
        }
    }
}

#[test]
fn large_graphs_are_drawn_in_time() {
    let start = std::time::Instant::now();
    let layout = layout(&tangle(200, 1000));
    assert_eq!(layout.nodes.len(), 200);
    assert!(start.elapsed().as_secs() < 10, "{:?}", start.elapsed());
}

/// As many states and transitions as a model may have: some edges are straight then.
#[test]
fn the_largest_graphs_end() {
    let layout = layout(&tangle(4096, 16_384));
    assert!(layout.size.width.is_finite() && layout.size.height.is_finite());
}

#[test]
fn an_empty_graph_has_no_size() {
    assert_eq!(layout(&Graph::default()).size, Size::default());
}
