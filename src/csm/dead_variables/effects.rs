//! What the code of a class does to the slots that it can name.

use std::ops::Range;

use super::kept::is_self;
use super::reads::{read_by_expr, read_by_statement};
use crate::dead_variables::Access;
use crate::lang::{
    Block, Class, Expr, Lookup, Model, Place, Range as LoopRange, Slot, Statement, StatementKind,
    Transition, TransitionBinding, Trigger, Value, fold, walk_statements,
};

/// The code of a class. Its slots are those of the object itself, then the global ones; variables
/// of other objects are no slots of it.
#[derive(Clone, Copy)]
pub(super) struct Code<'m> {
    pub model: &'m Model,
    pub class: &'m Class,
}

/// The variable of a loop whose value is known, if one is.
#[derive(Clone, Copy)]
struct Known(Option<(Slot, Value)>);

const NOTHING_KNOWN: Known = Known(None);

impl Lookup for Known {
    fn value(&self, place: &Place) -> Option<Value> {
        let (variable, value) = self.0?;
        matches!(place, Place::Local(slot) if *slot == variable).then_some(value)
    }
}

/// Rounds of a loop up to which each is looked at by itself.
const ROUNDS: i64 = 64;

impl Code<'_> {
    pub fn slots(self) -> usize {
        self.first_global() + self.model.global_values.len()
    }

    pub fn first_global(self) -> usize {
        self.class.defaults.len()
    }

    pub fn nothing(self) -> Access {
        Access::none(self.slots())
    }

    pub fn conditions<'e>(self, conditions: impl IntoIterator<Item = &'e Expr>) -> Access {
        let conditions = conditions.into_iter();
        conditions.fold(self.nothing(), |code, condition| {
            let mut places = Vec::new();
            read_by_expr(condition, &mut |place| {
                places.push(self.meant(place, NOTHING_KNOWN))
            });
            places.into_iter().fold(code, Access::reads)
        })
    }

    /// What taking a message writes, whichever of the triggers it is for.
    pub fn receiving(self, transition: &Transition) -> Access {
        let triggers = transition.triggers.iter();
        let ways = triggers.map(|trigger| self.bindings(trigger));
        ways.reduce(|one, other| one.or(&other))
            .unwrap_or_else(|| self.nothing())
    }

    fn bindings(self, trigger: &Trigger) -> Access {
        let bindings = trigger.bindings.iter();
        bindings.fold(self.nothing(), |code, binding| match binding {
            TransitionBinding::Variable(id) => {
                let first = self.class.variables[id.index()].offset;
                code.writes(first..first + 1)
            }
            TransitionBinding::Local(_) | TransitionBinding::Ignored => code,
        })
    }

    pub fn block(self, block: &Block) -> Access {
        self.block_where(block, NOTHING_KNOWN)
    }

    fn block_where(self, block: &Block, known: Known) -> Access {
        let statements = block.iter();
        statements.fold(self.nothing(), |code, statement| {
            code.then(&self.statement(statement, known))
        })
    }

    fn statement(self, statement: &Statement, known: Known) -> Access {
        let mut places = Vec::new();
        read_by_statement(statement, &mut |place| {
            places.push(self.meant(place, known));
        });
        let code = places.into_iter().fold(self.nothing(), Access::reads);
        match &statement.kind {
            StatementKind::Assign { place, .. } => code.writes(self.meant(place, known)),
            StatementKind::Send { .. } | StatementKind::Assert(_) => code,
            StatementKind::If {
                then, otherwise, ..
            } => {
                let then = self.block_where(then, known);
                code.then(&then.or(&self.block_where(otherwise, known)))
            }
            StatementKind::For {
                variable,
                range,
                body,
            } => code.then(&self.rounds(*variable, range, body, known)),
        }
    }

    /// Loops with few and known rounds are unrolled, so that `a[i] = 0` in one is known to write
    /// every element.
    fn rounds(self, variable: Slot, range: &LoopRange, body: &Block, known: Known) -> Access {
        match few_rounds(range, known) {
            Some(values) if known.0.is_none() && !assigns(body, variable) => {
                values.fold(self.nothing(), |code, value| {
                    let value = Value::Int(value);
                    code.then(&self.block_where(body, Known(Some((variable, value)))))
                })
            }
            _ => self.block_where(body, known).repeated(),
        }
    }

    /// The slots that a place may mean: one, if the index is known; none of another object.
    fn meant(self, place: &Place, known: Known) -> Range<usize> {
        let (first, variable, index) = match place {
            Place::Global { variable, index } => {
                let variable = &self.model.globals[variable.index()];
                (self.first_global(), variable, index)
            }
            Place::Field {
                object,
                variable,
                index,
            } if is_self(object) => (0, &self.class.variables[variable.index()], index),
            Place::Local(_) | Place::Field { .. } => return 0..0,
        };
        let first = first + variable.offset;
        let length = variable.ty.length();
        let index = index.as_deref().and_then(|index| number(index, known));
        let index = index.and_then(|index| usize::try_from(index).ok());
        match index.filter(|index| *index < length) {
            Some(index) => first + index..first + index + 1,
            None => first..first + length,
        }
    }
}

fn number(expr: &Expr, known: Known) -> Option<i64> {
    fold(expr, &known).ok().map(Value::int)
}

fn few_rounds(range: &LoopRange, known: Known) -> Option<std::ops::RangeInclusive<i64>> {
    let LoopRange::Numbers(low, high) = range else {
        return None;
    };
    let (low, high) = (number(low, known)?, number(high, known)?);
    (high.saturating_sub(low) < ROUNDS).then_some(low..=high)
}

fn assigns(body: &Block, local: Slot) -> bool {
    let mut found = false;
    walk_statements(body, &mut |statement| {
        found |= matches!(&statement.kind,
            StatementKind::Assign { place: Place::Local(slot), .. } if *slot == local);
    });
    found
}
