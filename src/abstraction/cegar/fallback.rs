//! When the analysis finds nothing to tell apart: something that the concrete run met, and at last
//! any variable of few values, is told apart all the same. So a refinement makes progress as long as
//! anything small is not known exactly.

use super::concretize::Made;
use super::guided::Guided;
use crate::abstraction::{Partition, Place, Precision};
use crate::csm::{Action, Configuration, Entry, Node, NodeKind, Semantics};
use crate::lang::{Message, Model, Value, limits};

/// Sees a value that a variable or parameter had; whether that is enough.
type See<'a> = dyn FnMut(Place, Value) -> bool + 'a;

/// Refines a precision by what is met first on a run, or where it ends; whether there was anything.
pub fn split_somewhere(model: &Model, precision: &mut Precision, run: &[Made]) -> bool {
    let guided = Semantics::new(model, Guided::new(model, precision));
    let mut split = |place: Place, value: Value| match value {
        Value::Int(number) => precision.refine(place, |blocks| blocks.split_out(number)),
        _ => false,
    };
    if met_on(model, run, &mut split) {
        return true;
    }
    let end = run.last().and_then(|made| made.after.as_ref());
    if end.is_some_and(|end| met_next(&guided, end, &mut split)) {
        return true;
    }
    let objects = model.objects.iter();
    let mut from_outside = objects.flat_map(|object| &object.from_environment);
    if from_outside.any(|message| met_in_message(message, &mut split)) {
        return true;
    }
    // A run that ends in its first step has left nothing behind.
    if met_in_configuration(model, &Configuration::blank(model), &mut split) {
        return true;
    }
    make_known(model, precision)
}

/// What is forgotten altogether is kept from now on; or the values of a variable that has few.
fn make_known(model: &Model, precision: &mut Precision) -> bool {
    let places = Place::all(model);
    let forgotten = places.iter().find(|place| precision.is_forgotten(**place));
    let is_vague = |place: &&Place| precision.partition(**place).is_some();
    let vague = places.iter().filter(is_vague).find(|place| {
        let count = place.ty(model).numbers().count();
        count.is_some_and(|count| count <= limits::CHOICES as u64)
    });
    match (forgotten, vague) {
        (Some(place), _) | (None, Some(place)) => precision.refine(*place, Partition::make_exact),
        (None, None) => false,
    }
}

/// Values that the steps of a run read, store and send, and those that they leave behind.
fn met_on(model: &Model, run: &[Made], see: &mut See<'_>) -> bool {
    let concrete = Semantics::exact(model);
    run.iter().any(|made| {
        let entries = concrete.retrace(&made.before, &made.step);
        let mut entries = entries.iter().flat_map(|(_, entries)| entries);
        let after = made.after.as_ref();
        entries.any(|entry| met_in_entry(entry, see))
            || after.is_some_and(|after| met_in_configuration(model, after, see))
    })
}

/// Values that any step from a configuration on meets: a run that can't go on as it should may do so
/// for what is inside of its next step.
fn met_next(semantics: &Semantics<'_, Guided>, at: &Configuration, see: &mut See<'_>) -> bool {
    semantics.successors(at).iter().any(|successor| {
        let entries = semantics.retrace(at, &successor.step);
        let mut entries = entries.iter().flat_map(|(_, entries)| entries);
        entries.any(|entry| met_in_entry(entry, see))
    })
}

fn met_in_entry(entry: &Entry, see: &mut See<'_>) -> bool {
    if entry.nodes.iter().any(|node| met_in_node(node, see)) {
        return true;
    }
    match &entry.action {
        Action::Assign(location, value) => {
            let place = location.subject().and_then(Place::of);
            place.is_some_and(|place| see(place, *value))
        }
        Action::Send { message, .. } | Action::Receive(message, _) => met_in_message(message, see),
        _ => false,
    }
}

fn met_in_node(node: &Node, see: &mut See<'_>) -> bool {
    let place = match node.kind {
        NodeKind::Read(location) => location.subject().and_then(Place::of),
        NodeKind::Parameter(signal, index) => Some(Place::Parameter(signal, index as u32)),
        _ => None,
    };
    let mut parts = node.parts.iter();
    let found = place.zip(node.value);
    found.is_some_and(|(place, value)| see(place, value))
        || parts.any(|part| met_in_node(part, see))
}

fn met_in_message(message: &Message, see: &mut See<'_>) -> bool {
    let mut arguments = message.arguments.iter().enumerate();
    arguments.any(|(index, value)| see(Place::Parameter(message.signal, index as u32), *value))
}

/// All values that a configuration keeps.
fn met_in_configuration(model: &Model, configuration: &Configuration, see: &mut See<'_>) -> bool {
    let is_kept = Place::all(model).into_iter().any(|place| {
        let mut slots = place.slots(model).into_iter();
        slots.any(|slot| see(place, slot.value(configuration)))
    });
    let states = configuration.states();
    let inboxes = states.flat_map(|state| state.inbox.iter().chain(&state.deferred));
    let threads = configuration.threads.iter();
    let queued = threads.flat_map(|thread| &thread.queue);
    let mut messages = inboxes.chain(queued.map(|(_, message)| message));
    is_kept || messages.any(|message| met_in_message(message, see))
}
