//! Hierarchical machines as flat ones: a model in, a model with the same behaviour out.
//!
//! Every class whose machine has composite states gets one with their leaves only; what entering,
//! leaving, priority and history did is written out in guards and effects. Other classes stay as
//! they are. Comments inside the machine of a class that is rewritten are dropped.
//!
//! Invariant: the flat model does step by step what the other does, with the same messages and the
//! same values; its states correspond one to one. What can't be had so is refused, with the reason.

mod build;
mod class;
mod effects;
mod history;
mod movement;
mod names;
mod paths;
mod priority;
mod refuse;
mod settled;
mod states;
mod tree;
mod walk;

use super::check::{AskedState, Definitions, check, resolve, trees};
use super::codes;
use super::diagnostics::{Diagnostic, Severity};
use super::machine::Machine;
use super::parser::parse;
use super::printer::print;
use super::syntax::{Class, Comment, Element, ElementKind, File, Item, ItemKind, Span};
use super::typed::Model;
use super::value::{ClassId, StateId};
use class::{Flattening, Plan, make_portable};
use history::Memories;
use names::{Fresh, flat_names};
use priority::Priority;
use tree::{Node, Tree};

/// Why there is no flat model of the same behaviour, and where.
struct Refused {
    span: Span,
    message: String,
}

impl Refused {
    fn new(span: Span, message: String) -> Refused {
        Refused { span, message }
    }

    fn diagnostic(self) -> Diagnostic {
        let message = format!("this can't be flattened: {}", self.message);
        Diagnostic::error(codes::NOT_FLATTENED, self.span, message)
    }
}

/// A model with the same behaviour and no composite states; or what is in the way.
pub fn flatten(file: &File) -> Result<File, Vec<Diagnostic>> {
    let definitions = Definitions::new();
    let Some((model, asked)) = resolve(file, &definitions) else {
        return Err(check(file, &definitions).1);
    };
    let flat = flatten_checked(file, &model, &asked).map_err(|r| vec![r.diagnostic()])?;
    expect_sound(&flat, &definitions)?;
    Ok(flat)
}

fn is_hierarchical(machine: &Machine) -> bool {
    machine.regions.len() > 1
}

fn flatten_checked(file: &File, model: &Model, asked: &[AskedState]) -> Result<File, Refused> {
    let mut fresh = Fresh::new(file);
    let names: Vec<Option<Vec<String>>> = model
        .classes
        .iter()
        .map(|class| {
            is_hierarchical(&class.machine).then(|| flat_names(&class.machine, &mut fresh))
        })
        .collect();
    let mut flat = file.clone();
    states::rewrite(&mut flat, model, asked, &names)?;
    let trees: Vec<Tree> = trees(&flat).iter().map(Tree::of).collect();
    let mut trees = trees.into_iter();
    let mut next = 0..;
    let mut items = Vec::new();
    for item in std::mem::take(&mut flat.items) {
        let ItemKind::Class(class) = &item.kind else {
            items.push(item);
            continue;
        };
        let id = ClassId(next.next().unwrap_or_default());
        let tree = trees.next().unwrap_or_default();
        match &names[id.index()] {
            None => items.push(item),
            Some(names) => {
                let subject = Subject { model, id, names };
                let (class, enumerations) = subject.flatten(class, item.span, tree, &mut fresh)?;
                retain_comments(&mut flat.comments, &item, &class);
                let (kind, span) = (ItemKind::Class(class), item.span);
                items.push(Item { kind, span });
                items.extend(enumerations);
            }
        }
    }
    refuse::abstraction(&items, model)?;
    flat.items = items;
    Ok(flat)
}

/// A class that is to be flattened.
struct Subject<'a> {
    model: &'a Model,
    id: ClassId,
    names: &'a [String],
}

impl Subject<'_> {
    fn flatten(
        &self,
        class: &Class,
        span: Span,
        mut tree: Tree,
        fresh: &mut Fresh,
    ) -> Result<(Class, Vec<Item>), Refused> {
        let typed = &self.model.classes[self.id.index()];
        let machine = &typed.machine;
        refuse::parallel(&tree, machine)?;
        refuse::own_states_in_effects(self.id, machine)?;
        let paths = paths::paths(self.model, &tree);
        refuse::judged_nondeterminism(self.model, self.id, &paths)?;
        let fields: Vec<&str> = typed.variables.iter().map(|v| v.name.as_str()).collect();
        make_portable(&mut tree, &paths, &fields, fresh)?;
        let memories = Memories::new(&typed.name, machine, self.names, fresh);
        let priority = Priority {
            model: self.model,
            class: typed,
            machine,
            paths: &paths,
            unsettled: self.unsettled(machine),
        };
        let place = Span {
            start: span.end,
            end: span.end,
        };
        let variable = |element: &&Element| matches!(element.kind, ElementKind::Variable(_));
        let mut body: Vec<Element> = class.body.iter().filter(variable).cloned().collect();
        body.extend(memories.all().map(|memory| Element {
            kind: ElementKind::Variable(memory.declare_variable()),
            span: place,
        }));
        let plan = Plan {
            machine,
            tree: &tree,
            paths: &paths,
            names: self.names,
            memories: &memories,
            priority,
            place,
        };
        body.extend(Flattening::new(plan, fresh).body()?);
        let enumerations = memories.all().map(|memory| Item {
            kind: memory.declare_enumeration(place),
            span: place,
        });
        let name = class.name.clone();
        Ok((Class { name, body }, enumerations.collect()))
    }

    /// The leaves in which a message may come while a transition without a trigger is enabled,
    /// where that matters.
    fn unsettled(&self, machine: &Machine) -> Vec<StateId> {
        let Some(options) = self.model.runs_to_completion() else {
            return Vec::new();
        };
        let is_private = settled::is_private(self.model, self.id);
        let is_start = |leaf: &StateId| {
            let mut around = machine.states_around(*leaf);
            around.all(|id| machine.region(machine.state(id).region).initial == id)
        };
        // An object that has not made a step yet may stand anywhere it likes.
        let is_unsettled =
            |leaf: &StateId| !is_private || (is_start(leaf) && !options.initial_step);
        let states = machine.state_ids();
        states
            .filter(|leaf| options.rhapsody_triggers && is_unsettled(leaf))
            .collect()
    }
}

/// Comments stay where they stand with the variables of a class, or outside.
fn retain_comments(comments: &mut Vec<Comment>, item: &Item, flat: &Class) {
    let variables = flat.body.iter().filter(|e| e.span.start < item.span.end);
    let kept_until = variables.map(|e| e.span.end).max();
    let kept_until = kept_until.unwrap_or(flat.name.span.end);
    comments.retain(|comment| {
        let inside = comment.span.start > kept_until && comment.span.start < item.span.end;
        !inside
    });
}

/// What is printed is read and checked again: a flat model may exceed what a model may have.
fn expect_sound(flat: &File, definitions: &Definitions) -> Result<(), Vec<Diagnostic>> {
    let (read, errors) = parse(&print(flat));
    let (_, more) = check(&read, definitions);
    let mut found = errors.into_iter().chain(more);
    let Some(first) = found.find(|d| d.severity == Severity::Error) else {
        return Ok(());
    };
    let message = format!("the flat model would be wrong: {}", first.message);
    Err(vec![Refused::new(Span::default(), message).diagnostic()])
}

/// Whether a vertex is one that flattening can't do without regions side by side.
fn is_parallel(node: Node) -> bool {
    matches!(node, Node::Fork | Node::Join)
}
