//! The machine of a class as it is written, with its ends found. Owned, because what stands in it is
//! prepared for its new place.

use crate::lang::check::{self, Source};
use crate::lang::machine::Machine;
use crate::lang::syntax::{Block, HistoryKind, Label, Name, Span};
use crate::lang::value::{RegionId, StateId};

pub(super) use crate::lang::check::Node;

#[derive(Default)]
pub(super) struct Tree {
    pub machine: Machine,
    pub vertices: Vec<Vertex>,
    pub edges: Vec<Edge>,
    pub initials: Vec<InitialEdge>,
    pub actions: Vec<StateAction>,
    pub defers: Vec<(StateId, Vec<Name>)>,
    pub ignores: Vec<(StateId, Vec<Name>)>,
}

pub(super) struct Vertex {
    pub name: String,
    pub node: Node,
    pub span: Span,
}

pub(super) struct Edge {
    /// A vertex; `None` if there is none of that name.
    pub source: Option<usize>,
    /// `None`: internal.
    pub target: Option<EdgeTarget>,
    pub label: Label,
    pub span: Span,
}

pub(super) struct EdgeTarget {
    pub vertex: Option<usize>,
    pub history: Option<HistoryKind>,
}

pub(super) struct InitialEdge {
    pub region: RegionId,
    pub effect: Option<Block>,
}

pub(super) struct StateAction {
    pub state: StateId,
    pub is_exit: bool,
    pub block: Block,
}

impl Tree {
    pub(super) fn of(written: &check::Tree<'_>) -> Tree {
        let vertices = written.vertices.iter().map(|vertex| Vertex {
            name: vertex.name.to_owned(),
            node: vertex.node,
            span: vertex.span,
        });
        let initials = written.initials.iter().map(|initial| InitialEdge {
            region: initial.region,
            effect: initial.effect.cloned(),
        });
        let actions = written.actions.iter().map(|action| StateAction {
            state: action.state,
            is_exit: action.is_exit,
            block: action.block.clone(),
        });
        let owned = |lists: &[(StateId, &[Name])]| {
            let lists = lists.iter().map(|(state, names)| (*state, names.to_vec()));
            lists.collect::<Vec<_>>()
        };
        Tree {
            machine: written.machine.clone(),
            vertices: vertices.collect(),
            edges: written.edges.iter().map(|e| edge(written, e)).collect(),
            initials: initials.collect(),
            actions: actions.collect(),
            defers: owned(&written.defers),
            ignores: owned(&written.ignores),
        }
    }
}

fn edge(tree: &check::Tree<'_>, edge: &check::Edge<'_>) -> Edge {
    let source = match edge.source {
        Source::Path(path) => tree.resolve(path, edge.region).ok(),
        Source::State(state) => {
            let mut vertices = tree.vertices.iter();
            vertices.position(|vertex| vertex.node == Node::State(state))
        }
    };
    Edge {
        source,
        target: edge.target.map(|target| EdgeTarget {
            vertex: tree.resolve(&target.path, edge.region).ok(),
            history: target.history,
        }),
        label: edge.label.clone(),
        span: edge.span,
    }
}
