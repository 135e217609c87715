//! A class with one flat machine instead of its hierarchy.

use std::collections::HashSet;

use super::effects::{join, rename_locals, words_of};
use super::history::Memories;
use super::movement::{Arrival, Before, Entry, Movement};
use super::names::Fresh;
use super::paths::{End, Origin, Path};
use super::priority::{Copy, Priority, names};
use super::states::leaves;
use super::tree::Tree;
use super::{Refused, build};
use crate::lang::machine::Machine;
use crate::lang::syntax::{
    Block, Element, ElementKind, Expr, Guard, Label, Name, Span, Trigger, VertexKind,
};
use crate::lang::value::{ChoiceId, RegionId, StateId};

/// What is known of a class before it is taken apart.
pub struct Plan<'a> {
    pub machine: &'a Machine,
    pub tree: &'a Tree,
    pub paths: &'a [Path],
    pub names: &'a [String],
    pub memories: &'a Memories,
    pub priority: Priority<'a>,
    /// Where the class ends: all that is made stands there, for the comments around it.
    pub place: Span,
}

pub struct Flattening<'a> {
    plan: Plan<'a>,
    fresh: &'a mut Fresh,
    /// Choices by what is left already when they are reached, with their names.
    choices: Vec<((ChoiceId, RegionId), String)>,
    /// Names for the `[else]` branches of a choice that have conditions of their own.
    detours: Vec<String>,
    /// By state: its internal transitions.
    inside: Vec<Vec<ElementKind>>,
    transitions: Vec<ElementKind>,
}

/// A target, and what is done before and after a transition's own effect.
struct Way {
    target: String,
    conditions: Vec<Expr>,
    before: Vec<Block>,
    after: Vec<Block>,
}

impl<'a> Flattening<'a> {
    pub fn new(plan: Plan<'a>, fresh: &'a mut Fresh) -> Flattening<'a> {
        let states = plan.machine.states.len();
        Flattening {
            plan,
            fresh,
            choices: Vec::new(),
            detours: Vec::new(),
            inside: vec![Vec::new(); states],
            transitions: Vec::new(),
        }
    }

    /// The body of the class but for its variables.
    pub fn body(mut self) -> Result<Vec<Element>, Refused> {
        for path in self.plan.paths {
            if let Some(source) = path.source() {
                for leaf in leaves(self.plan.machine, source) {
                    self.copy(path, leaf)?;
                }
            }
        }
        self.branches();
        let mut kinds = self.initial();
        kinds.extend(self.states());
        kinds.extend(self.choice_vertices());
        kinds.append(&mut self.transitions);
        let span = self.plan.place;
        let element = |kind| Element { kind, span };
        Ok(kinds.into_iter().map(element).collect())
    }

    fn movement(&self) -> Movement<'a> {
        Movement {
            machine: self.plan.machine,
            tree: self.plan.tree,
            memories: self.plan.memories,
        }
    }

    fn copy(&mut self, path: &Path, leaf: StateId) -> Result<(), Refused> {
        let ways = self.ways(path, leaf);
        let explicit = ways.iter().any(|way| !way.conditions.is_empty());
        let copies = self
            .plan
            .priority
            .copies(path, leaf, explicit, self.fresh)?;
        for copy in copies {
            if path.end == End::Internal {
                self.plan.priority.expect_fitting(path, &copy.conditions)?;
                let kind = internal(path, copy);
                self.inside[leaf.index()].push(kind);
                continue;
            }
            for way in &ways {
                let conditions = [&copy.conditions[..], &way.conditions].concat();
                self.plan.priority.expect_fitting(path, &conditions)?;
                let effects = [&way.before[..], &path.effects, &way.after].concat();
                let label = Label {
                    triggers: copy.triggers.clone(),
                    guard: guard(conditions, copy.otherwise),
                    effect: join(effects, self.fresh),
                };
                let source = &self.plan.names[leaf.index()];
                self.transitions
                    .push(transition(source, &way.target, label));
            }
        }
        Ok(())
    }

    /// The ways of a path from a leaf: several where it depends on what is remembered.
    fn ways(&mut self, path: &Path, leaf: StateId) -> Vec<Way> {
        let (Some(source), Some(region)) = (path.source(), path.end.region(self.plan.machine))
        else {
            return Vec::new();
        };
        let from = self.plan.machine.state(source).region;
        let scope = self.plan.machine.common_region(from, region);
        let before = self.movement().leave(leaf, scope);
        self.onward(path.end, scope, &before)
    }

    /// From a region that has been left to an end.
    fn onward(&mut self, end: End, scope: RegionId, before: &Before) -> Vec<Way> {
        if let End::Choice(choice) = end {
            return vec![Way {
                target: self.choice_name(choice, scope),
                conditions: Vec::new(),
                before: self.movement().exits(before, None),
                after: Vec::new(),
            }];
        }
        let Some(entry) = Entry::of(end) else {
            return Vec::new();
        };
        let movement = self.movement();
        let way = |arrival: Arrival| Way {
            target: self.plan.names[arrival.leaf.index()].clone(),
            before: movement.exits(before, Some(&arrival)),
            conditions: arrival.conditions,
            after: arrival.effects,
        };
        let arrivals = movement.enter(scope, entry, before);
        arrivals.into_iter().map(way).collect()
    }

    /// A choice that is reached when `scope` has been left. What is left after it depends on that,
    /// so that there is one of it for each.
    fn choice_name(&mut self, choice: ChoiceId, scope: RegionId) -> String {
        let key = (choice, scope);
        if let Some((_, name)) = self.choices.iter().find(|(other, _)| *other == key) {
            return name.clone();
        }
        let own = &self.plan.machine.choice(choice).name;
        let others = self.plan.machine.choices.iter().map(|choice| &choice.name);
        let leaves = self.plan.names.iter();
        let same = others.chain(leaves).filter(|name| *name == own).count();
        let is_first = self.choices.iter().all(|((other, _), _)| *other != choice);
        let name = match same == 1 && is_first {
            true => own.clone(),
            false => self.fresh.name(own),
        };
        self.choices.push((key, name.clone()));
        name
    }

    /// The branches of all choices, some of which are met only on the way.
    fn branches(&mut self) {
        let mut next = 0;
        while let Some(((choice, scope), name)) = self.choices.get(next).cloned() {
            next += 1;
            self.branches_of(choice, scope, &name);
        }
    }

    fn branches_of(&mut self, choice: ChoiceId, scope: RegionId, name: &str) {
        let (mut plain, mut last) = (Vec::new(), Vec::new());
        for path in self.plan.paths {
            if path.origin != Origin::Choice(choice) {
                continue;
            }
            let region = path.end.region(self.plan.machine).unwrap_or(scope);
            let wider = self.plan.machine.common_region(scope, region);
            let before = self.movement().widen(scope, wider);
            for way in self.onward(path.end, wider, &before) {
                let conditions = [&path.conditions[..], &way.conditions].concat();
                let effects = [&way.before[..], &path.effects, &way.after].concat();
                let branch = (conditions, join(effects, self.fresh), way.target);
                let group = if path.otherwise {
                    &mut last
                } else {
                    &mut plain
                };
                group.push(branch);
            }
        }
        let needs_detour = last.iter().any(|(conditions, ..)| !conditions.is_empty());
        for branch in plain {
            self.branch(name, branch, false);
        }
        if !needs_detour {
            last.into_iter()
                .for_each(|branch| self.branch(name, branch, true));
            return;
        }
        // `[else]` can't stand beside a condition: these are decided one choice further on.
        let detour = self.fresh.name(&format!("{name}_else"));
        self.branch(name, (Vec::new(), None, detour.clone()), true);
        for branch in last {
            self.branch(&detour, branch, false);
        }
        self.detours.push(detour);
    }

    fn branch(
        &mut self,
        source: &str,
        (conditions, effect, target): (Vec<Expr>, Option<Block>, String),
        otherwise: bool,
    ) {
        let label = Label {
            triggers: Vec::new(),
            guard: guard(conditions, otherwise),
            effect,
        };
        self.transitions.push(transition(source, &target, label));
    }

    fn initial(&mut self) -> Vec<ElementKind> {
        let Some(start) = self.movement().start() else {
            return Vec::new();
        };
        vec![ElementKind::Initial {
            target: build::path(&self.plan.names[start.leaf.index()]),
            effect: join(start.effects, self.fresh),
        }]
    }

    /// The leaves; those that have nothing inside stand together.
    fn states(&mut self) -> Vec<ElementKind> {
        let mut kinds: Vec<ElementKind> = Vec::new();
        let is_leaf = |id: &StateId| self.plan.machine.state(*id).regions.is_empty();
        let leaves: Vec<StateId> = self.plan.machine.state_ids().filter(is_leaf).collect();
        for leaf in leaves {
            let name = build::name(&self.plan.names[leaf.index()]);
            let state = self.plan.machine.state(leaf);
            if state.is_final && self.plan.machine.region(state.region).parent.is_none() {
                let names = vec![name];
                let kind = VertexKind::Final;
                kinds.push(ElementKind::Vertices { kind, names });
                continue;
            }
            let quiescent = self.may_rest(leaf);
            let inside = self.inside_of(leaf);
            match kinds.last_mut() {
                Some(ElementKind::State {
                    quiescent: before,
                    names,
                    body: None,
                }) if *before == quiescent && inside.is_empty() => names.push(name),
                _ => kinds.push(ElementKind::State {
                    quiescent,
                    names: vec![name],
                    body: (!inside.is_empty()).then_some(inside),
                }),
            }
        }
        kinds
    }

    fn may_rest(&self, leaf: StateId) -> bool {
        let mut around = self.plan.machine.states_around(leaf);
        around.any(|state| {
            let state = self.plan.machine.state(state);
            state.quiescent && !state.is_final
        })
    }

    fn inside_of(&mut self, leaf: StateId) -> Vec<Element> {
        let mut kinds = Vec::new();
        for action in self.plan.tree.actions.iter().filter(|a| a.state == leaf) {
            let block = action.block.clone();
            kinds.push(match action.is_exit {
                true => ElementKind::Exit(block),
                false => ElementKind::Entry(block),
            });
        }
        let deferred = self.deferred(leaf);
        if !deferred.is_empty() {
            kinds.push(ElementKind::Defer(deferred));
        }
        if !self.plan.machine.state(leaf).flushes {
            kinds.push(ElementKind::NoFlush);
        }
        let (ignored, others) = split_ignored(std::mem::take(&mut self.inside[leaf.index()]));
        if !ignored.is_empty() {
            kinds.push(ElementKind::Ignore(ignored));
        }
        kinds.extend(others);
        let span = self.plan.place;
        let element = |kind| Element { kind, span };
        kinds.into_iter().map(element).collect()
    }

    /// What the leaf or a state around it defers.
    fn deferred(&self, leaf: StateId) -> Vec<Name> {
        let mut names: Vec<Name> = Vec::new();
        for state in self.plan.machine.states_around(leaf) {
            let of_state = self
                .plan
                .tree
                .defers
                .iter()
                .filter(|(owner, _)| *owner == state);
            for name in of_state.flat_map(|(_, names)| names) {
                if !names.contains(name) {
                    names.push(name.clone());
                }
            }
        }
        names
    }

    fn choice_vertices(&self) -> Option<ElementKind> {
        let choices = self.choices.iter().map(|(_, name)| name);
        let names: Vec<Name> = choices
            .chain(&self.detours)
            .map(|name| build::name(name))
            .collect();
        let kind = VertexKind::Choice;
        (!names.is_empty()).then_some(ElementKind::Vertices { kind, names })
    }
}

/// Internal transitions that only take a message.
fn split_ignored(kinds: Vec<ElementKind>) -> (Vec<Name>, Vec<ElementKind>) {
    let mut ignored = Vec::new();
    let mut others = Vec::new();
    for kind in kinds {
        match kind {
            // `ignore A, A;` is one transition, and here are two.
            ElementKind::Ignore(names) if names.iter().any(|name| ignored.contains(name)) => {
                others.extend(names.into_iter().map(taken));
            }
            ElementKind::Ignore(names) => ignored.extend(names),
            other => others.push(other),
        }
    }
    (ignored, others)
}

/// `on A;`
fn taken(name: Name) -> ElementKind {
    let parameters = None;
    ElementKind::Internal(Label {
        triggers: vec![Trigger::Signal { name, parameters }],
        ..Label::default()
    })
}

fn internal(path: &Path, copy: Copy) -> ElementKind {
    let guard = guard(copy.conditions, copy.otherwise);
    let effect = path.effects.first().cloned();
    if let (
        None,
        None,
        [
            Trigger::Signal {
                name,
                parameters: None,
            },
        ],
    ) = (&guard, &effect, &copy.triggers[..])
    {
        return ElementKind::Ignore(vec![name.clone()]);
    }
    ElementKind::Internal(Label {
        triggers: copy.triggers,
        guard,
        effect,
    })
}

fn guard(conditions: Vec<Expr>, otherwise: bool) -> Option<Guard> {
    if otherwise {
        return Some(Guard::Else(Span::default()));
    }
    build::all(conditions).map(Guard::Condition)
}

fn transition(source: &str, target: &str, label: Label) -> ElementKind {
    ElementKind::Transition {
        source: build::path(source),
        target: build::target(target),
        label,
    }
}

/// Prepares what composite states do to stand in the effects of transitions, where names of
/// triggers are known.
pub fn make_portable(
    tree: &mut Tree,
    paths: &[Path],
    fields: &[&str],
    fresh: &mut Fresh,
) -> Result<(), Refused> {
    let triggers = paths.iter().flat_map(|path| &path.triggers);
    let bound = triggers.flat_map(|trigger| names(trigger, 0)).flatten();
    let bound: HashSet<String> = bound.filter(|n| !fields.contains(&n.as_str())).collect();
    let machine = &tree.machine;
    let is_composite = |state: StateId| !machine.state(state).regions.is_empty();
    let actions = tree.actions.iter_mut();
    let actions = actions.filter(|action| is_composite(action.state));
    let actions = actions.map(|action| &mut action.block);
    let initials = tree.initials.iter_mut();
    let initials = initials.filter_map(|initial| initial.effect.as_mut());
    for block in actions.chain(initials) {
        rename_locals(block, &bound, fresh);
        if let Some(name) = words_of(block).iter().find(|word| bound.contains(*word)) {
            let message = format!("a trigger of this class gives `{name}` another meaning");
            return Err(Refused::new(block.span, message));
        }
    }
    Ok(())
}
