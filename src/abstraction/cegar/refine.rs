//! What to tell apart next, so that a spurious trace is gone (Ojala 5.3).

use std::collections::BTreeSet;

use super::analysis::{Analysis, Blame, Spot, differs, spot};
use crate::abstraction::operators::calculate;
use crate::abstraction::{Partition, Place, Precision};
use crate::csm::{Action, Location, Node, NodeKind};
use crate::lang::{
    BinaryOperator, IntSet, Model, UnaryOperator, Value, calculates, compares, mirrored,
};

/// How values are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Policy {
    /// Every value that the expression to blame came to, as in the source.
    Values,
    /// The bounds where it would come out differently; values where there are none.
    Boundary,
    /// All values of the variables to blame.
    Exact,
}

/// One split, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Split {
    pub place: Place,
    pub before: String,
    pub after: String,
}

impl Split {
    /// Keeps the beginning of what is long.
    pub fn shorten(&mut self) {
        const SHOWN: usize = 60;
        for text in [&mut self.before, &mut self.after] {
            if let Some((end, _)) = text.char_indices().nth(SHOWN) {
                *text = format!("{}...", &text[..end]);
            }
        }
    }
}

/// Refines a precision so that what is to blame is known better; what was split. Empty if that
/// changes nothing.
pub fn refine(
    model: &Model,
    precision: &mut Precision,
    analysis: &Analysis,
    policy: Policy,
) -> Vec<Split> {
    let Some(blame) = &analysis.blame else {
        return Vec::new();
    };
    let before = precision.clone();
    let refiner = Refiner {
        precision: &before,
        analysis,
        blame,
    };
    for wish in refiner.cuts_at_the_end_of_64_bits() {
        wish.grant(precision);
    }
    if *precision != before {
        return splits(model, &before, precision);
    }
    let attempts: &[Policy] = match policy {
        Policy::Values => &[Policy::Values],
        Policy::Boundary => &[Policy::Boundary, Policy::Values],
        Policy::Exact => &[Policy::Exact],
    };
    for policy in attempts {
        for wish in refiner.wishes(*policy) {
            wish.grant(precision);
        }
        if *precision != before {
            break;
        }
    }
    splits(model, &before, precision)
}

/// What changed between two precisions.
pub fn splits(model: &Model, before: &Precision, after: &Precision) -> Vec<Split> {
    let told = |precision: &Precision, place: Place| match precision.partition(place) {
        Some(partition) => partition.to_string(),
        None if precision.is_forgotten(place) => "not at all".to_owned(),
        None => "all values".to_owned(),
    };
    let places = Place::all(model).into_iter();
    let changed = places.map(|place| Split {
        place,
        before: told(before, place),
        after: told(after, place),
    });
    changed
        .filter(|split| split.before != split.after)
        .collect()
}

/// Something that would help.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wish {
    Value(Place, i64),
    Cut(Place, i64),
    Everything(Place),
}

impl Wish {
    fn grant(self, precision: &mut Precision) {
        match self {
            Wish::Value(place, value) => precision.refine(place, |blocks| blocks.split_out(value)),
            Wish::Cut(place, at) => precision.refine(place, |blocks| blocks.cut_before(at)),
            Wish::Everything(place) => precision.refine(place, Partition::make_exact),
        };
    }
}

struct Refiner<'a> {
    precision: &'a Precision,
    analysis: &'a Analysis,
    blame: &'a Blame,
}

impl Refiner<'_> {
    fn wishes(&self, policy: Policy) -> Vec<Wish> {
        let mut wishes = Vec::new();
        // What is stored where nothing is known at all can't correspond.
        if let Some(target) = self.blame.target
            && self.precision.is_forgotten(target)
        {
            return vec![Wish::Everything(target)];
        }
        let concrete = self.blame.difference.concrete.iter();
        for (concrete, known) in concrete.zip(&self.blame.difference.known) {
            self.wishes_of(concrete, known, policy, &mut wishes);
        }
        wishes
    }

    /// Where only the abstract result may be beyond 64 bits: cuts off the operands that would make it so. The
    /// concrete values say nothing of that end, which is far from all of them.
    fn cuts_at_the_end_of_64_bits(&self) -> Vec<Wish> {
        let mut wishes = Vec::new();
        let nodes = self.blame.difference.concrete.iter();
        for (concrete, known) in nodes.zip(&self.blame.difference.known) {
            self.cuts_of_fault(concrete, known, &mut wishes);
        }
        wishes
    }

    fn cuts_of_fault(&self, concrete: &Node, known: &Node, wishes: &mut Vec<Wish>) {
        if concrete.value.is_none() || known.value.is_some() {
            return;
        }
        let parts: Vec<(&Node, &Node)> = concrete.parts.iter().zip(&known.parts).collect();
        for (concrete, known) in &parts {
            self.cuts_of_fault(concrete, known, wishes);
        }
        let numbers = |node: &Node| node.value.and_then(Value::numbers);
        let operands: Option<Vec<IntSet>> = parts.iter().map(|(_, known)| numbers(known)).collect();
        let (operator, left, right) = match (concrete.kind, operands.as_deref()) {
            (NodeKind::Binary(operator), Some([left, right])) if calculates(operator) => {
                (operator, *left, *right)
            }
            (NodeKind::Unary(UnaryOperator::Negate), Some([right])) => {
                (BinaryOperator::Subtract, IntSet::one(0), *right)
            }
            _ => return,
        };
        if !calculate(operator, left, right).may_be_too_large {
            return;
        }
        let safe = match parts.len() {
            1 => vec![safe_right(operator, left.only())],
            _ => vec![
                safe_left(operator, right.only()),
                safe_right(operator, left.only()),
            ],
        };
        for ((concrete, known), (low, high)) in parts.into_iter().zip(safe) {
            let cuts = [low, high + 1].map(i64::try_from).into_iter().flatten();
            cuts.for_each(|cut| self.push_down(concrete, known, cut, wishes));
        }
    }

    /// REF_EXPR, figure 5.14: descends to the part that is to blame.
    fn wishes_of(&self, concrete: &Node, known: &Node, policy: Policy, wishes: &mut Vec<Wish>) {
        use BinaryOperator::{And, Iff, Implies, Or};
        let parts: Vec<(&Node, &Node)> = concrete.parts.iter().zip(&known.parts).collect();
        let descends = |wishes: &mut Vec<Wish>, chosen: &[&(&Node, &Node)]| {
            for (concrete, known) in chosen.iter().copied() {
                self.wishes_of(concrete, known, policy, wishes);
            }
        };
        let differing: Vec<_> = parts.iter().filter(|(c, k)| differs(c, k)).collect();
        match concrete.kind {
            NodeKind::Binary(And | Or | Implies | Iff)
            | NodeKind::Conditional
            | NodeKind::Unary(UnaryOperator::Not)
            | NodeKind::Other => match differing.first() {
                Some(first) => descends(wishes, &[first]),
                None => descends(wishes, &parts.iter().collect::<Vec<_>>()),
            },
            NodeKind::Binary(operator) => {
                if policy == Policy::Boundary && compares(operator) {
                    self.cuts_of_comparison(operator, &parts, wishes);
                    return;
                }
                if policy == Policy::Boundary && self.cuts_of_result(concrete, known, wishes) {
                    return;
                }
                let vague: Vec<_> = parts
                    .iter()
                    .filter(|(c, k)| differs(c, k) || self.is_vague(k))
                    .collect();
                match vague.len() == 1 {
                    true => descends(wishes, &vague),
                    false => self.collect(concrete, policy, wishes),
                }
            }
            NodeKind::Unary(_) => descends(wishes, &parts.iter().collect::<Vec<_>>()),
            NodeKind::Read(_) | NodeKind::Parameter(..) if differing.is_empty() => {
                let found =
                    policy == Policy::Boundary && self.cuts_of_result(concrete, known, wishes);
                if !found {
                    self.collect(concrete, policy, wishes);
                }
            }
            NodeKind::Read(_) | NodeKind::Parameter(..) => descends(wishes, &differing),
            NodeKind::Choose | NodeKind::Constant => {}
        }
    }

    /// Whether a value lies in several blocks of where it goes: it is too vague by itself.
    fn is_vague(&self, known: &Node) -> bool {
        let Some(Value::Among(numbers)) = known.value else {
            return false;
        };
        let target = self
            .blame
            .target
            .and_then(|target| self.precision.partition(target));
        let own = first_place(known).and_then(|place| self.precision.partition(place));
        let partition = target.or(own);
        partition.is_some_and(|partition| partition.blocks(numbers, IntSet::ALL).len() > 1)
    }

    /// The locations of numbers below a node, each to be told apart at all values below it.
    fn collect(&self, concrete: &Node, policy: Policy, wishes: &mut Vec<Wish>) {
        let (mut places, mut values) = (BTreeSet::new(), BTreeSet::new());
        self.places(concrete, self.blame.before.end, &mut places);
        numbers_in(concrete, &mut values);
        for place in places {
            match policy {
                Policy::Exact => wishes.push(Wish::Everything(place)),
                _ => wishes.extend(values.iter().map(|value| Wish::Value(place, *value))),
            }
        }
    }

    /// The variables and parameters that an expression reads; local names stand for what they were
    /// given before `end`.
    fn places(&self, node: &Node, end: usize, found: &mut BTreeSet<Place>) {
        match node.kind {
            NodeKind::Read(Location::Local(slot)) => {
                self.origin(slot, end, &mut |origin| match origin {
                    Origin::Parameter(place) => drop(found.insert(place)),
                    Origin::Value(node, end) => self.places(node, end, found),
                });
            }
            NodeKind::Read(location) => {
                found.extend(location.subject().and_then(Place::of));
                found.extend(self.blame.parameters.get(&spot(location)));
            }
            NodeKind::Parameter(signal, index) => {
                found.insert(Place::Parameter(signal, index as u32));
            }
            _ => {}
        }
        node.parts
            .iter()
            .for_each(|part| self.places(part, end, found));
    }

    /// Where a local name got its value.
    fn origin(&self, slot: usize, end: usize, see: &mut dyn FnMut(Origin<'_>)) {
        let pairs = &self.analysis.pairs;
        let range = self.blame.before.start..end.min(pairs.len());
        for index in range.rev() {
            match &pairs[index].concrete.action {
                Action::Assign(Location::Local(other), _) if *other == slot => {
                    if let Some(value) = pairs[index].concrete.nodes.first() {
                        see(Origin::Value(value, index));
                    }
                    return;
                }
                Action::Receive(message, places) => {
                    let is_here = |place: &Option<Location>| *place == Some(Location::Local(slot));
                    if let Some(number) = places.iter().position(is_here) {
                        see(Origin::Parameter(Place::Parameter(
                            message.signal,
                            number as u32,
                        )));
                        return;
                    }
                }
                _ => {}
            }
        }
        // A guard was looked at: its names are those of the message that came.
        if let Some(place) = self.blame.parameters.get(&Spot::Local(slot)) {
            see(Origin::Parameter(*place));
        }
    }

    /// Cuts each side of a comparison where the other is.
    fn cuts_of_comparison(
        &self,
        operator: BinaryOperator,
        parts: &[(&Node, &Node)],
        wishes: &mut Vec<Wish>,
    ) {
        let [(left, known_left), (right, known_right)] = parts else {
            return;
        };
        // A side that is wrong already is to blame, not the comparison.
        let differing = [differs(left, known_left), differs(right, known_right)];
        let number = |node: &Node| match node.value {
            Some(Value::Int(number)) => Some(number),
            _ => None,
        };
        let (Some(left_number), Some(right_number)) = (number(left), number(right)) else {
            for (concrete, known) in parts {
                self.wishes_of(concrete, known, Policy::Boundary, wishes);
            }
            return;
        };
        let sides = [
            (left, known_left, right_number, operator),
            (right, known_right, left_number, mirrored(operator)),
        ];
        for (index, (node, known, other, operator)) in sides.into_iter().enumerate() {
            if differing[1 - index] && !differing[index] {
                continue;
            }
            for cut in cuts_for(operator, other) {
                self.push_down(node, known, cut, wishes);
            }
        }
    }

    /// Cuts what a value was computed from where the block of the result ends.
    fn cuts_of_result(&self, concrete: &Node, known: &Node, wishes: &mut Vec<Wish>) -> bool {
        let target = self
            .blame
            .target
            .and_then(|target| self.precision.partition(target));
        let (Some(Value::Int(result)), Some(partition)) = (concrete.value, target) else {
            return false;
        };
        let block = partition.block(result, IntSet::ALL);
        let before = wishes.len();
        if block.is_bounded_below() {
            self.push_down(concrete, known, block.low(), wishes);
        }
        if block.is_bounded_above() {
            self.push_down(concrete, known, block.high() + 1, wishes);
        }
        wishes.len() > before
    }

    /// Cuts an expression before a number: the locations in it, where the rest is known.
    fn push_down(&self, concrete: &Node, known: &Node, cut: i64, wishes: &mut Vec<Wish>) {
        let is_known = |node: &Node| !matches!(node.value, Some(Value::Among(_)));
        if is_known(known) && !differs(concrete, known) {
            return;
        }
        match (&concrete.kind, &concrete.parts[..], &known.parts[..]) {
            (NodeKind::Read(_) | NodeKind::Parameter(..), ..) => {
                let mut places = BTreeSet::new();
                self.places(concrete, self.blame.before.end, &mut places);
                wishes.extend(places.into_iter().map(|place| Wish::Cut(place, cut)));
            }
            (NodeKind::Binary(operator), [left, right], [known_left, known_right]) => {
                let (Some(Value::Int(l)), Some(Value::Int(r))) = (left.value, right.value) else {
                    return;
                };
                let moved = |by: i64| cut.checked_sub(by);
                match operator {
                    BinaryOperator::Add if left.kind == right.kind && left.value == right.value => {
                        self.push(left, known_left, divided_up(cut, 2), wishes);
                    }
                    BinaryOperator::Add => {
                        self.push(left, known_left, moved(r), wishes);
                        self.push(right, known_right, moved(l), wishes);
                    }
                    BinaryOperator::Subtract => {
                        self.push(left, known_left, cut.checked_add(r), wishes);
                        // l - x >= cut where x <= l - cut
                        let turned = l.checked_sub(cut).and_then(|n| n.checked_add(1));
                        self.push(right, known_right, turned, wishes);
                    }
                    BinaryOperator::Multiply => {
                        self.push(left, known_left, divided_up(cut, r), wishes);
                        self.push(right, known_right, divided_up(cut, l), wishes);
                    }
                    _ => {}
                }
            }
            (NodeKind::Unary(UnaryOperator::Negate), [part], [known_part]) => {
                self.push(part, known_part, 1i64.checked_sub(cut), wishes);
            }
            (NodeKind::Conditional, [.., value], [.., known_value]) => {
                self.push_down(value, known_value, cut, wishes);
            }
            _ => {}
        }
    }

    fn push(&self, concrete: &Node, known: &Node, cut: Option<i64>, wishes: &mut Vec<Wish>) {
        if let Some(cut) = cut {
            self.push_down(concrete, known, cut, wishes);
        }
    }
}

const ENDS: (i128, i128) = (i64::MIN as i128, i64::MAX as i128);

/// The left operands that, with this right one, or with any that is as safe, give a result of 64 bits.
fn safe_left(operator: BinaryOperator, right: Option<i64>) -> (i128, i128) {
    match (operator, right.map(i128::from)) {
        (BinaryOperator::Add, Some(right)) => (ENDS.0 - right, ENDS.1 - right),
        (BinaryOperator::Subtract, Some(right)) => (ENDS.0 + right, ENDS.1 + right),
        (BinaryOperator::Add | BinaryOperator::Subtract, None) => (-(1 << 62), (1 << 62) - 1),
        (BinaryOperator::Multiply, factor) => safe_factor(factor),
        (BinaryOperator::Divide, _) => (ENDS.0 + 1, ENDS.1), // only the least number has no opposite
        _ => ENDS,
    }
}

fn safe_right(operator: BinaryOperator, left: Option<i64>) -> (i128, i128) {
    match (operator, left.map(i128::from)) {
        (BinaryOperator::Subtract, Some(left)) => (left - ENDS.1, left - ENDS.0),
        (BinaryOperator::Divide, _) => ENDS,
        _ => safe_left(operator, left),
    }
}

fn safe_factor(other: Option<i128>) -> (i128, i128) {
    let most = match other {
        Some(factor) => ENDS.1 / factor.abs().max(1),
        None => 1 << 31,
    };
    (-most, most)
}

enum Origin<'a> {
    Parameter(Place),
    Value(&'a Node, usize),
}

fn first_place(node: &Node) -> Option<Place> {
    match node.kind {
        NodeKind::Read(location) => location.subject().and_then(Place::of),
        NodeKind::Parameter(signal, index) => Some(Place::Parameter(signal, index as u32)),
        _ => node.parts.iter().find_map(first_place),
    }
}

/// VALUES, figure 5.16: all numbers that an expression and its parts came to.
fn numbers_in(node: &Node, found: &mut BTreeSet<i64>) {
    if let Some(Value::Int(number)) = node.value {
        found.insert(number);
    }
    node.parts.iter().for_each(|part| numbers_in(part, found));
}

/// Where `x op constant` changes.
fn cuts_for(operator: BinaryOperator, constant: i64) -> Vec<i64> {
    let next = constant.saturating_add(1);
    match operator {
        BinaryOperator::Less | BinaryOperator::GreaterEqual => vec![constant],
        BinaryOperator::Greater | BinaryOperator::LessEqual => vec![next],
        _ => vec![constant, next],
    }
}

/// The least number whose product with a positive factor is not below another.
fn divided_up(number: i64, factor: i64) -> Option<i64> {
    (factor > 0).then(|| number.div_euclid(factor) + i64::from(number.rem_euclid(factor) != 0))
}
