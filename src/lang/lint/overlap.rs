//! Two transitions of one state that can both be taken: guards that overlap.
//!
//! A warning comes with values that show it; where the guards are too complicated to find such
//! values, nothing is said.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::lang::action::{Expr, ExprKind, Place};
use crate::lang::check::{Lookup, fold};
use crate::lang::codes;
use crate::lang::diagnostics::Diagnostic;
use crate::lang::machine::{Accepts, Binding, Transition};
use crate::lang::typed::{Class, Model};
use crate::lang::value::{ObjectId, SignalId, StateId, Type, Value};

/// Combinations of values that are tried at most.
const TRIED: usize = 20_000;
/// Pairs of transitions and combinations of values that are tried for one class at most.
const WORK: usize = 500_000;
/// Values of one variable that are tried at most, and types that are tried completely.
const PER_VARIABLE: i64 = 64;

pub(super) fn overlapping_guards(model: &Model, class: &Class) -> Vec<Diagnostic> {
    let mut before: HashMap<&[StateId], Vec<&Transition>> = HashMap::new();
    let work = Cell::new(WORK);
    let mut warnings = Vec::new();
    for second in &class.machine.transitions {
        let rivals = before.entry(&second.sources).or_default();
        let found = rivals.iter().find_map(|first| {
            work.set(work.get().checked_sub(1)?);
            let occasion = common_occasion(first, second)?;
            let pair = Pair {
                model,
                class,
                occasion,
                transitions: [first, second],
                work: &work,
            };
            Some((first, pair.witness()?))
        });
        if let Some((first, witness)) = found {
            let message = format!("`{}` can be taken at the same time", first.label);
            let warning = Diagnostic::warning(codes::OVERLAPPING_GUARDS, second.span, message);
            let help = "make their guards exclude each other; or, if this is meant, write \
                        `allow nondeterminism;`";
            warnings.push(warning.label(witness).help(help));
        }
        rivals.push(second);
    }
    warnings
}

/// What both transitions, which leave the same state, answer to, if they can meet at all.
fn common_occasion(first: &Transition, second: &Transition) -> Option<Option<SignalId>> {
    let is_else = first.guard.otherwise || second.guard.otherwise;
    if is_else || first.span.start == second.span.start {
        return None;
    }
    if !first.needs_message() && !second.needs_message() {
        return Some(None);
    }
    let signals = first
        .triggers
        .iter()
        .filter_map(|trigger| match trigger.accepts {
            Accepts::Signal(signal) => Some(signal),
            Accepts::AllBut(_) => None,
        });
    signals
        .into_iter()
        .find(|signal| second.trigger_for(*signal).is_some())
        .map(Some)
}

/// What a guard depends on. Parameters of the message are the same for both transitions, under
/// whatever name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Variable {
    Parameter(usize),
    Field(u32),
    Global(u32),
}

struct Pair<'m> {
    model: &'m Model,
    class: &'m Class,
    occasion: Option<SignalId>,
    transitions: [&'m Transition; 2],
    /// What is left of it.
    work: &'m Cell<usize>,
}

impl Pair<'_> {
    /// Words that say when both can be taken.
    fn witness(&self) -> Option<String> {
        let mut types: BTreeMap<Variable, Type> = BTreeMap::new();
        let mut numbers: BTreeSet<i64> = BTreeSet::from([0]);
        for transition in self.transitions {
            for condition in &transition.guard.conditions {
                self.collect(transition, condition, &mut types, &mut numbers)?;
            }
        }
        if types.is_empty() && self.both_hold(&BTreeMap::new()) {
            return Some("whatever the variables are".to_owned());
        }
        let values: Option<Vec<Vec<Value>>> = types
            .values()
            .map(|ty| self.samples(ty, &numbers))
            .collect();
        self.search(&types, &values?)
    }

    /// The variables and numbers of a condition; `None` if it depends on anything else.
    fn collect(
        &self,
        transition: &Transition,
        condition: &Expr,
        types: &mut BTreeMap<Variable, Type>,
        numbers: &mut BTreeSet<i64>,
    ) -> Option<()> {
        let mut understood = true;
        condition.walk(&mut |expr| match &expr.kind {
            ExprKind::Constant(Value::Int(number)) => {
                numbers.extend([number.saturating_sub(1), *number, number.saturating_add(1)]);
            }
            ExprKind::Read(place) => match self.variable(transition, place) {
                Some(variable) => _ = types.insert(variable, expr.ty.clone()),
                None => understood = false,
            },
            ExprKind::Constant(_)
            | ExprKind::SelfReference
            | ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::Conditional(..) => {}
            _ => understood = false,
        });
        understood.then_some(())
    }

    fn variable(&self, transition: &Transition, place: &Place) -> Option<Variable> {
        let (binding, plain) = match place {
            Place::Local(slot) => (Binding::Local(*slot), None),
            Place::Global {
                variable,
                index: None,
            } => {
                return Some(Variable::Global(variable.0));
            }
            Place::Field {
                object,
                variable,
                index: None,
            } => {
                let own = matches!(object.kind, ExprKind::SelfReference);
                let field = own.then_some(Variable::Field(variable.0));
                (Binding::Variable(*variable), Some(field?))
            }
            _ => return None,
        };
        let trigger = self
            .occasion
            .and_then(|signal| transition.trigger_for(signal));
        let bound = trigger.and_then(|t| t.bindings.iter().position(|b| *b == binding));
        bound.map(Variable::Parameter).or(plain)
    }

    fn samples(&self, ty: &Type, numbers: &BTreeSet<i64>) -> Option<Vec<Value>> {
        match ty {
            Type::Bool => Some(vec![Value::Bool(false), Value::Bool(true)]),
            Type::Enum(id) => {
                let count = self.model.enums[id.index()].literals.len() as u32;
                Some((0..count).map(Value::Literal).collect())
            }
            Type::Int { low, high, .. } if high.saturating_sub(*low) < PER_VARIABLE => {
                Some((*low..=*high).map(Value::Int).collect())
            }
            Type::Int { .. } | Type::Nat | Type::Integer => {
                let fitting = numbers.iter().map(|number| Value::Int(*number));
                Some(
                    fitting
                        .filter(|value| ty.admit(*value) == Some(*value))
                        .collect(),
                )
            }
            Type::Reference(class) => {
                let of_class = |id: &ObjectId| self.model.object(*id).class == *class;
                let objects = self.model.object_ids().filter(of_class).map(Some);
                let few = objects.take(PER_VARIABLE as usize).chain([None]);
                Some(few.map(Value::Reference).collect())
            }
            Type::Null | Type::Array(..) => None,
        }
    }

    fn search(&self, types: &BTreeMap<Variable, Type>, values: &[Vec<Value>]) -> Option<String> {
        let total = values
            .iter()
            .map(Vec::len)
            .try_fold(1usize, usize::checked_mul)?;
        if total > TRIED {
            return None;
        }
        self.work.set(self.work.get().checked_sub(total)?);
        (0..total).find_map(|mut number| {
            let mut chosen = BTreeMap::new();
            for (variable, samples) in types.keys().zip(values) {
                chosen.insert(variable.clone(), samples[number % samples.len()]);
                number /= samples.len();
            }
            self.both_hold(&chosen)
                .then(|| self.describe(types, &chosen))
        })
    }

    fn both_hold(&self, chosen: &BTreeMap<Variable, Value>) -> bool {
        self.transitions.iter().all(|transition| {
            let assignment = Assignment {
                pair: self,
                transition,
                chosen,
            };
            let holds = |condition| fold(condition, &assignment) == Ok(Value::Bool(true));
            transition.guard.conditions.iter().all(holds)
        })
    }

    fn describe(
        &self,
        types: &BTreeMap<Variable, Type>,
        chosen: &BTreeMap<Variable, Value>,
    ) -> String {
        let shown = chosen.iter().map(|(variable, value)| {
            let name = match variable {
                Variable::Field(id) => self.class.variables[*id as usize].name.as_str(),
                Variable::Global(id) => self.model.globals[*id as usize].name.as_str(),
                Variable::Parameter(index) => {
                    let signal = self.occasion.map(|signal| self.model.signal(signal));
                    signal.map_or("", |signal| signal.parameters[*index].0.as_str())
                }
            };
            format!("{name} = {}", self.model.show(*value, &types[variable]))
        });
        format!("with {}", shown.collect::<Vec<_>>().join(", "))
    }
}

struct Assignment<'p, 'm> {
    pair: &'p Pair<'m>,
    transition: &'p Transition,
    chosen: &'p BTreeMap<Variable, Value>,
}

impl Lookup for Assignment<'_, '_> {
    fn value(&self, place: &Place) -> Option<Value> {
        let variable = self.pair.variable(self.transition, place)?;
        self.chosen.get(&variable).copied()
    }
}
