//! Which locations made two runs part, and, going backwards, what their values came from (Ojala 5.2).

use std::collections::BTreeSet;

use super::analysis::{Difference, Pair, Relevance, Spot, differs, first_other_target, spot};
use crate::csm::{Action, Node, NodeKind};

/// RELEVANT of the source, figure 5.6: the locations that made two expressions come out differently.
pub fn relevant_in(difference: &Difference, found: &mut BTreeSet<Spot>) {
    let pairs = difference.concrete.iter().zip(&difference.known);
    let pairs: Vec<_> = pairs.collect();
    let differing: Vec<_> = pairs.iter().filter(|(c, k)| differs(c, k)).collect();
    match differing.is_empty() {
        true => pairs.iter().for_each(|(c, k)| collect(c, k, found)),
        false => differing.iter().for_each(|(c, k)| relevant(c, k, found)),
    }
}

fn relevant(concrete: &Node, known: &Node, found: &mut BTreeSet<Spot>) {
    let parts: Vec<(&Node, &Node)> = concrete.parts.iter().zip(&known.parts).collect();
    let differing: Vec<_> = parts.iter().filter(|(c, k)| differs(c, k)).collect();
    let first_decides = match concrete.kind {
        NodeKind::Conditional => true,
        NodeKind::Binary(operator) => {
            use crate::lang::BinaryOperator::{And, Implies, Or};
            matches!(operator, And | Or | Implies)
        }
        _ => false,
    };
    match (concrete.kind, differing.first()) {
        (NodeKind::Read(_), None) | (NodeKind::Constant, _) => collect(concrete, known, found),
        (_, Some((c, k))) if first_decides => relevant(c, k, found),
        (_, Some(_)) => differing.iter().for_each(|(c, k)| relevant(c, k, found)),
        (_, None) => collect(concrete, known, found),
    }
}

/// All locations that two expressions read (figures 5.7 and 5.8): where the places themselves are
/// not the same, what led to them.
fn collect(concrete: &Node, known: &Node, found: &mut BTreeSet<Spot>) {
    if let (NodeKind::Read(one), NodeKind::Read(other)) = (concrete.kind, known.kind)
        && spot(one) == spot(other)
    {
        found.insert(spot(one));
    }
    let parts = concrete.parts.iter().zip(&known.parts);
    for (concrete, known) in parts {
        // The object in front of a variable matters only if it is not the same.
        let is_place = matches!(known.kind, NodeKind::Read(_))
            && known.value.is_some_and(|v| v.numbers().is_none());
        if !is_place || differs(concrete, known) {
            collect(concrete, known, found);
        }
    }
}

/// Figure 5.11: what is relevant before each action up to a position. If what was received was not
/// the same message in both models, the send where they went apart.
pub fn propagate(
    pairs: &[Pair],
    position: usize,
    initial: BTreeSet<Spot>,
    relevance: Relevance,
) -> Result<Vec<BTreeSet<Spot>>, usize> {
    let mut relevant = vec![BTreeSet::new(); position + 1];
    relevant[position] = initial;
    for index in (0..position).rev() {
        let pair = &pairs[index];
        let mut before = relevant[index + 1].clone();
        let is_last_of_step = pairs
            .get(index + 1)
            .is_none_or(|next| next.step != pair.step);
        if is_last_of_step && index + 1 < position {
            before.retain(|spot| !matches!(spot, Spot::Local(_)));
        }
        step_back(pairs, index, &mut before, relevance)?;
        relevant[index] = before;
    }
    Ok(relevant)
}

fn step_back(
    pairs: &[Pair],
    index: usize,
    relevant: &mut BTreeSet<Spot>,
    relevance: Relevance,
) -> Result<(), usize> {
    let pair = &pairs[index];
    match (&pair.concrete.action, &pair.known.action) {
        (Action::Assign(at, _), Action::Assign(known_at, _)) => {
            let (at, known_at) = (spot(*at), spot(*known_at));
            if !relevant.contains(&at) && !relevant.contains(&known_at) {
                return Ok(());
            }
            let is_received = |node: &Node| matches!(node.kind, NodeKind::Parameter(..));
            if pair.concrete.nodes.first().is_some_and(is_received) {
                return Ok(()); // the message that it came with is looked at next
            }
            relevant.remove(&at);
            relevant.remove(&known_at);
            let nodes = pair.concrete.nodes.iter().zip(&pair.known.nodes);
            match at == known_at {
                true => nodes
                    .take(1)
                    .for_each(|(c, k)| sources(c, k, relevance, relevant)),
                false => nodes
                    .skip(1)
                    .for_each(|(c, k)| sources(c, k, relevance, relevant)),
            }
        }
        (Action::Receive(_, places), Action::Receive(..)) => {
            for (number, place) in places.iter().enumerate() {
                let Some(place) = place else { continue };
                if !relevant.remove(&spot(*place)) {
                    continue;
                }
                match pair.received {
                    Some((Some(one), Some(other))) if one == other => {
                        relevant.insert(Spot::Parameter(one, number));
                    }
                    Some((one, other)) if one != other => {
                        if let Some(restart) =
                            first_other_target(&pairs[..index], pair.concrete.object)
                        {
                            return Err(restart);
                        }
                    }
                    _ => {} // it came from outside
                }
            }
        }
        (Action::Send { .. }, Action::Send { .. }) => {
            let nodes = pair.concrete.nodes.iter().zip(&pair.known.nodes).skip(1);
            for (number, (concrete, known)) in nodes.enumerate() {
                if relevant.remove(&Spot::Parameter(index, number)) {
                    sources(concrete, known, relevance, relevant);
                }
            }
        }
        _ => {}
    }
    Ok(())
}

/// REF, figure 5.12: the locations that a value was computed from.
fn sources(concrete: &Node, known: &Node, relevance: Relevance, found: &mut BTreeSet<Spot>) {
    let mut differing = BTreeSet::new();
    if relevance == Relevance::Differing {
        differing_reads(concrete, known, &mut differing);
    }
    match differing.is_empty() {
        true => collect(concrete, known, found),
        false => found.extend(differing),
    }
}

fn differing_reads(concrete: &Node, known: &Node, found: &mut BTreeSet<Spot>) {
    if let NodeKind::Read(_) = concrete.kind
        && differs(concrete, known)
    {
        relevant(concrete, known, found);
    }
    for (concrete, known) in concrete.parts.iter().zip(&known.parts) {
        differing_reads(concrete, known, found);
    }
}
