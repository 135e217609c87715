//! Which of several transitions goes first, as guards.
//!
//! In a flat machine all transitions of a leaf are equals. What the hierarchy decides there is
//! written out: an outer transition has the negated guards of the inner ones, `[else]` those of
//! its rivals. A transition's own guard comes first: if evaluating it fails, it fails in both.

use super::effects::{rename, words_in};
use super::names::Fresh;
use super::paths::{Path, signal_of};
use super::{Refused, build, walk};
use crate::lang::machine::Machine;
use crate::lang::syntax::{BinaryOperator, Binding, Expr, ExprKind, Trigger, UnaryOperator};
use crate::lang::typed::{Class, Model};
use crate::lang::value::StateId;

/// A transition at one leaf.
pub struct Copy {
    pub triggers: Vec<Trigger>,
    pub conditions: Vec<Expr>,
    /// `[else]` can stay as it is.
    pub otherwise: bool,
}

pub struct Priority<'a> {
    pub model: &'a Model,
    pub class: &'a Class,
    pub machine: &'a Machine,
    pub paths: &'a [Path],
    /// With `rhapsody_triggers`: where messages may meet transitions without a trigger.
    pub unsettled: Vec<StateId>,
}

impl Priority<'_> {
    /// The copies of a transition at a leaf inside its source; `explicit`: further conditions will
    /// be added, so that `[else]` has to be written out.
    pub fn copies(
        &self,
        path: &Path,
        leaf: StateId,
        explicit: bool,
        fresh: &mut Fresh,
    ) -> Result<Vec<Copy>, Refused> {
        if !self.is_complete(path, leaf) {
            return Ok(Vec::new());
        }
        let explicit = explicit || !path.conditions.is_empty();
        if !path.needs_message() {
            self.expect_no_message_inside(path, leaf)?;
            let blockers = self.blockers(path, leaf, None, explicit);
            let otherwise = path.otherwise && !explicit && blockers.is_empty();
            let copy = self.decide(path, None, &blockers, otherwise, fresh)?;
            return Ok(copy.into_iter().collect());
        }
        let mut free = Vec::new();
        let mut copies = Vec::new();
        for trigger in &path.triggers {
            let blockers = self.blockers(path, leaf, Some(signal_of(trigger)), explicit);
            let trigger = self.isolated(path, trigger);
            if blockers.is_empty() {
                free.push(trigger);
            } else {
                copies.extend(self.decide(path, Some(trigger), &blockers, false, fresh)?);
            }
        }
        if !free.is_empty() {
            copies.push(Copy {
                triggers: free,
                conditions: path.conditions.clone(),
                otherwise: path.otherwise && !explicit,
            });
        }
        Ok(copies)
    }

    /// A transition without a trigger waits for the final state of its source, if that has one.
    fn is_complete(&self, path: &Path, leaf: StateId) -> bool {
        let Some(source) = path.source() else {
            return true;
        };
        let Some(region) = self.machine.state(source).regions.first() else {
            return true;
        };
        let is_final = |state: &StateId| self.machine.state(*state).is_final;
        let has_final = self.machine.region(*region).states.iter().any(is_final);
        let in_region = |state: &StateId| self.machine.state(*state).region == *region;
        let stands_in = self.machine.states_around(leaf).find(in_region);
        path.needs_message() || !has_final || stands_in.as_ref().is_some_and(is_final)
    }

    /// The transitions of states between a leaf and the source of a path.
    fn inner(&self, path: &Path, leaf: StateId) -> impl Iterator<Item = &Path> {
        let source = path.source();
        self.paths.iter().filter(move |other| {
            let is_inner = |inner: StateId| {
                let around = inner == leaf || self.machine.is_inside(leaf, inner);
                around && source.is_some_and(|outer| self.machine.is_inside(inner, outer))
            };
            other.source().is_some_and(is_inner) && self.is_complete(other, leaf)
        })
    }

    /// What goes before a path when it is to answer to a signal, or to none.
    fn blockers(
        &self,
        path: &Path,
        leaf: StateId,
        signal: Option<&str>,
        explicit: bool,
    ) -> Vec<&Path> {
        let answers = |other: &Path| match signal {
            Some(signal) => other.trigger_for(signal).is_some(),
            None => !other.needs_message(),
        };
        let meets = |other: &Path| !other.needs_message() && self.unsettled.contains(&leaf);
        let inner = self.inner(path, leaf);
        let mut blockers: Vec<&Path> = inner.filter(|o| answers(o) || meets(o)).collect();
        if path.otherwise && (explicit || !blockers.is_empty()) {
            let is_rival =
                |other: &&Path| other.origin == path.origin && !other.otherwise && answers(other);
            blockers.extend(self.paths.iter().filter(is_rival));
        }
        blockers
    }

    fn expect_no_message_inside(&self, path: &Path, leaf: StateId) -> Result<(), Refused> {
        let mut inner = self.inner(path, leaf);
        if !self.unsettled.contains(&leaf) || !inner.any(|other| other.needs_message()) {
            return Ok(());
        }
        let state = &self.machine.state(leaf).path;
        let message = format!(
            "with rhapsody_triggers a message in state `{state}` may go before this transition, \
             whose guard can't see it"
        );
        Err(Refused::new(path.span, message))
    }

    /// A copy that waits for all blockers to be disabled; none if one of them never is.
    fn decide(
        &self,
        path: &Path,
        mut trigger: Option<Trigger>,
        blockers: &[&Path],
        otherwise: bool,
        fresh: &mut Fresh,
    ) -> Result<Option<Copy>, Refused> {
        let mut conditions = path.conditions.clone();
        if blockers.iter().any(|other| other.conditions.is_empty()) {
            // It is never taken; but a guard that can fail still fails.
            if !conditions.iter().any(may_fail) {
                return Ok(None);
            }
            conditions.push(build::never());
        } else {
            for other in blockers {
                let theirs = self.translated(other, path, trigger.as_mut(), fresh)?;
                conditions.extend(build::all(theirs).map(build::not));
            }
        }
        Ok(Some(Copy {
            triggers: trigger.into_iter().collect(),
            conditions,
            otherwise,
        }))
    }

    /// The conditions of another path in the names of this one's trigger, which may need more.
    fn translated(
        &self,
        other: &Path,
        path: &Path,
        trigger: Option<&mut Trigger>,
        fresh: &mut Fresh,
    ) -> Result<Vec<Expr>, Refused> {
        let mut conditions = other.conditions.clone();
        let words: Vec<String> = conditions.iter().flat_map(words_in).collect();
        let Some(trigger) = trigger else {
            return Ok(conditions);
        };
        let theirs = other.trigger_for(signal_of(trigger));
        let theirs = theirs.map(|theirs| self.isolated(other, theirs));
        let count = self.parameters(trigger);
        let mut ours = names(trigger, count);
        let theirs = theirs.map_or(vec![None; count], |theirs| names(&theirs, count));
        let mut renamed = Vec::new();
        for (our, their) in ours.iter_mut().zip(&theirs) {
            let stores = |name: &Option<String>| {
                let is_field = |name: &String| self.is_field(name);
                name.clone().filter(is_field)
            };
            if stores(our) != stores(their) {
                return Err(self.stores_differently(path));
            }
            let Some(their) = their.as_ref().filter(|name| words.contains(name)) else {
                continue;
            };
            let our = our.get_or_insert_with(|| fresh.name(their));
            renamed.push((their.clone(), our.clone()));
        }
        let kept = |name: &String| renamed.iter().any(|(old, new)| old == name && new == name);
        let mut hidden = ours.iter().flatten().filter(|name| !self.is_field(name));
        if let Some(name) = hidden.find(|name| words.contains(name) && !kept(name)) {
            let message = format!("`{name}` means something else in the guard of a state inside");
            return Err(Refused::new(path.span, message));
        }
        rename_all(&mut conditions, &renamed);
        bind(trigger, ours);
        Ok(conditions)
    }

    fn stores_differently(&self, path: &Path) -> Refused {
        let message = "this transition and one of a state inside store the message in \
                       different variables before their guards are evaluated";
        Refused::new(path.span, message.to_owned())
    }

    fn is_field(&self, name: &str) -> bool {
        self.class.variables.iter().any(|v| v.name == name)
    }

    fn parameters(&self, trigger: &Trigger) -> usize {
        let mut signals = self.model.signals.iter();
        let signal = signals.find(|signal| signal.name == signal_of(trigger));
        signal.map_or(0, |signal| signal.parameters.len())
    }

    /// A trigger of several, with those names only that all of them bind: others are not known
    /// where it comes from, and must not hide anything where it stands alone.
    fn isolated(&self, path: &Path, trigger: &Trigger) -> Trigger {
        let mut trigger = trigger.clone();
        let binds = |other: &Trigger, name: &str| {
            let names = names(other, self.parameters(other));
            names.iter().flatten().any(|bound| bound == name)
        };
        if let Trigger::Signal {
            parameters: Some(bindings),
            ..
        } = &mut trigger
        {
            for binding in bindings {
                if let Binding::Name(name) = binding
                    && !self.is_field(&name.text)
                    && !path.triggers.iter().all(|t| binds(t, &name.text))
                {
                    *binding = Binding::Ignored(name.span);
                }
            }
        }
        trigger
    }

    /// A message is received before a guard is evaluated, but not where there is none: a value
    /// that does not fit its variable would fail in another place.
    pub fn expect_fitting(&self, path: &Path, conditions: &[Expr]) -> Result<(), Refused> {
        if !path.conditions.is_empty() || conditions.is_empty() {
            return Ok(());
        }
        for trigger in &path.triggers {
            let mut signals = self.model.signals.iter();
            let Some(signal) = signals.find(|signal| signal.name == signal_of(trigger)) else {
                continue;
            };
            let bound = names(trigger, signal.parameters.len());
            for (name, (_, ty)) in bound.iter().zip(&signal.parameters) {
                let mut variables = self.class.variables.iter();
                let field = variables.find(|v| Some(&v.name) == name.as_ref());
                if field.is_some_and(|field| field.ty != *ty) {
                    let message = "this needs a guard, and the message is stored in a variable of \
                                   another type before it is evaluated";
                    return Err(Refused::new(path.span, message.to_owned()));
                }
            }
        }
        Ok(())
    }
}

/// In two rounds: a new name may be another's old one. No name has a `'`.
fn rename_all(conditions: &mut [Expr], renamed: &[(String, String)]) {
    let mut replace = |old: &str, new: &str| {
        let each = conditions.iter_mut();
        each.for_each(|condition| walk::expr(condition, &mut |expr| rename(expr, old, new)));
    };
    for (old, new) in renamed {
        replace(old, &format!("{new}'"));
    }
    for (_, new) in renamed {
        replace(&format!("{new}'"), new);
    }
}

/// The names that a trigger gives to the parameters.
pub fn names(trigger: &Trigger, count: usize) -> Vec<Option<String>> {
    let name = |binding: &Binding| match binding {
        Binding::Name(name) => Some(name.text.clone()),
        Binding::Ignored(_) => None,
    };
    match trigger {
        Trigger::Signal {
            parameters: Some(bindings),
            ..
        } => bindings.iter().map(name).collect(),
        _ => vec![None; count],
    }
}

fn bind(trigger: &mut Trigger, names: Vec<Option<String>>) {
    let Trigger::Signal { parameters, .. } = trigger else {
        return;
    };
    if names.iter().all(Option::is_none) {
        return;
    }
    let binding = |name: Option<String>| match name {
        Some(name) => Binding::Name(build::name(&name)),
        None => Binding::Ignored(Default::default()),
    };
    *parameters = Some(names.into_iter().map(binding).collect());
}

/// Whether evaluating a condition can be a fault; rather yes than no.
fn may_fail(condition: &Expr) -> bool {
    use BinaryOperator::{Add, Divide, Multiply, Remainder, Subtract};
    let mut found = false;
    walk::expr(&mut condition.clone(), &mut |expr| {
        found |= match &expr.kind {
            ExprKind::Int(_)
            | ExprKind::Bool(_)
            | ExprKind::Null
            | ExprKind::SelfReference
            | ExprKind::Name(_)
            | ExprKind::Conditional(..)
            | ExprKind::Unary(UnaryOperator::Not, _) => false,
            ExprKind::Binary(operator, ..) => {
                matches!(operator, Add | Divide | Multiply | Remainder | Subtract)
            }
            ExprKind::InState(object, _) => object.kind != ExprKind::SelfReference,
            _ => true,
        };
    });
    found
}
