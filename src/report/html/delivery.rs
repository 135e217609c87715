//! Which step takes the message that another one sent.
//!
//! Messages have no identity, but those that are equal keep their order in a queue: the oldest one
//! that is equal is as good as any.

use crate::csm::{Configuration, Event, Origin};
use crate::evidence::{Trace, TraceStep};
use crate::lang::{Message, ObjectId};

/// Of one step: where the message that it takes came from, and where those that it sends go.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Delivery {
    /// The step that sent, or set aside, the message that this one takes.
    pub sent_at: Option<usize>,
    /// For each message sent the step that takes it; none if it still waits at the end.
    pub taken_at: Vec<Option<usize>>,
}

struct Waiting<'t> {
    to: ObjectId,
    message: &'t Message,
    step: usize,
    /// Its number among those sent by the step; none if it was set aside there.
    number: Option<usize>,
}

pub fn deliveries(trace: &Trace) -> Vec<Delivery> {
    let mut waiting: Vec<Waiting<'_>> = Vec::new();
    let mut all: Vec<Delivery> = Vec::new();
    for (index, step) in trace.steps.iter().enumerate() {
        let mut delivery = Delivery::default();
        if let Some((to, message)) = taken(trace.before(index), &step.step.event) {
            let oldest = waiting
                .iter()
                .position(|w| w.to == to && w.message == message);
            if let Some(found) = oldest.map(|position| waiting.remove(position)) {
                delivery.sent_at = Some(found.step);
                if let Some(number) = found.number {
                    all[found.step].taken_at[number] = Some(index);
                }
            }
        }
        let sent = sent(step);
        delivery.taken_at = vec![None; sent.len()];
        let lost = |number: usize| step.sent.get(number).is_some_and(|sent| sent.lost);
        for (number, (to, message)) in sent.into_iter().enumerate() {
            if !lost(number) {
                let number = Some(number);
                waiting.push(Waiting {
                    to,
                    message,
                    step: index,
                    number,
                });
            }
        }
        if let Event::Defer {
            object, message, ..
        } = &step.step.event
        {
            let (to, step, number) = (*object, index, None);
            waiting.push(Waiting {
                to,
                message,
                step,
                number,
            });
        }
        all.push(delivery);
    }
    all
}

/// What a step puts into queues; the environment's own messages count.
pub fn sent(step: &TraceStep) -> Vec<(ObjectId, &Message)> {
    match &step.step.event {
        Event::Environment { object, message } => vec![(*object, message)],
        _ => step
            .sent
            .iter()
            .map(|sent| (sent.to, &sent.message))
            .collect(),
    }
}

/// The message that a step takes out of a queue, if it does.
pub fn taken<'e>(before: &Configuration, event: &'e Event) -> Option<(ObjectId, &'e Message)> {
    let (object, message, origin) = event.occasion()?;
    // What was dispatched is out of the queue already.
    let is_given = before.object(object).dispatched.as_ref() == Some(message);
    (origin == Origin::Inbox && !is_given).then_some((object, message))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::csm::Semantics;
    use crate::lang::{check, parse};

    /// The run that always makes the first step of this object, or else any first step.
    fn run(text: &str, order: &[&str]) -> Vec<Delivery> {
        let (model, errors) = check(&parse(text).0, &Vec::new());
        let model = model.unwrap_or_else(|| panic!("{errors:?}"));
        let semantics = Semantics::exact(&model);
        let mut trace = Trace {
            blank: Configuration::blank(&model),
            steps: vec![semantics.initial().remove(0).into()],
            violates: None,
        };
        for name in order {
            let now = trace.before(trace.steps.len());
            let mut possible = semantics.successors(now).into_iter();
            let acts = |object: ObjectId| model.object(object).name == *name;
            let step = possible.find(|s| s.step.event.object().is_some_and(acts));
            trace
                .steps
                .push(step.expect("a step of this object").into());
        }
        deliveries(&trace)
    }

    const TWICE: &str = "signal Go; class A { B b; initial -> S; state S, T; final End;
          S -> T / { send b.Go; } T -> End / { send b.Go; } }
        class B { initial -> Wait; quiescent state Wait; quiescent state Had;
          Wait -> Had : Go; Had -> Wait : Go; }
        object a: A { b = b; } object b: B;";

    #[test]
    fn equal_messages_are_taken_in_the_order_in_which_they_were_sent() {
        let all = run(TWICE, &["a", "a", "b", "b"]);
        assert_eq!(all[1].taken_at, [Some(3)]);
        assert_eq!(all[2].taken_at, [Some(4)]);
        assert_eq!(all[3].sent_at, Some(1));
        assert_eq!(all[4].sent_at, Some(2));
    }

    #[test]
    fn what_is_not_taken_still_waits() {
        let all = run(TWICE, &["a", "a", "b"]);
        assert_eq!(all[1].taken_at, [Some(3)]);
        assert_eq!(all[2].taken_at, [None]);
    }

    #[test]
    fn a_deferred_message_comes_from_where_it_was_set_aside() {
        let text = "signal Go, Tick; class A { B b; initial -> S; state S, T; final End;
              S -> T / { send b.Go; } T -> End / { send b.Tick; } }
            class B { initial -> Late; quiescent state Late { defer Go; } quiescent state Ready;
              Late -> Ready : Tick; Ready -> Late : Go; }
            object a: A { b = b; } object b: B;";
        let all = run(text, &["a", "b", "a", "b", "b"]);
        assert_eq!(all[1].taken_at, [Some(2)], "it is deferred there");
        assert_eq!(all[3].taken_at, [Some(4)]);
        assert_eq!(all[5].sent_at, Some(2));
    }
}
