//! What parts of configurations hold, as bytes. How many there are, and of which types, the model says:
//! so what is read always fits it.

use std::collections::VecDeque;
use std::io::{self, Read};

use super::numbers::{invalid, read_below, read_number, read_signed, write_number, write_signed};
use crate::csm::{ComponentValue, ObjectState, Part, Queue, members};
use crate::lang::{
    IntSet, Machine, Message, Model, ObjectId, RegionId, SignalId, StateId, Type, Value,
};

/// Beyond this a queue was not made by a model: `limits` has far less.
const MOST_MESSAGES: usize = 1 << 20;

pub fn write_content(out: &mut Vec<u8>, content: &ComponentValue) -> io::Result<()> {
    match content {
        ComponentValue::Control(regions, dispatched) => {
            for state in regions {
                write_option(out, state.map(|state| state.0))?;
            }
            write_optional_message(out, dispatched.as_ref())
        }
        ComponentValue::Value(value) => write_value(out, *value),
        ComponentValue::Queue(queue) => write_queue(out, queue),
        ComponentValue::Thread(running, started) => {
            write_option(out, running.map(|object| object.0))?;
            write_number(out, *started as u64)
        }
        ComponentValue::Head(_) | ComponentValue::Waiting(_) => unreachable!("a piece of a part"),
    }
}

fn write_option(out: &mut Vec<u8>, number: Option<u32>) -> io::Result<()> {
    write_number(out, number.map_or(0, |number| u64::from(number) + 1))
}

fn write_optional_message(out: &mut Vec<u8>, message: Option<&Message>) -> io::Result<()> {
    match message {
        None => write_number(out, 0),
        Some(message) => {
            write_number(out, 1)?;
            write_message(out, message)
        }
    }
}

fn write_message(out: &mut Vec<u8>, message: &Message) -> io::Result<()> {
    write_number(out, u64::from(message.signal.0))?;
    let mut arguments = message.arguments.iter();
    arguments.try_for_each(|value| write_value(out, *value))
}

fn write_queue(out: &mut Vec<u8>, queue: &Queue) -> io::Result<()> {
    write_number(out, queue.waiting.len() as u64)?;
    for (object, message) in &queue.waiting {
        write_number(out, u64::from(object.0))?;
        write_message(out, message)?;
    }
    for (_, deferred) in &queue.deferred {
        write_number(out, deferred.len() as u64)?;
        let mut messages = deferred.iter();
        messages.try_for_each(|message| write_message(out, message))?;
    }
    Ok(())
}

fn write_value(out: &mut Vec<u8>, value: Value) -> io::Result<()> {
    match value {
        Value::Int(number) => {
            write_number(out, 0)?;
            write_signed(out, number)
        }
        Value::Among(numbers) => {
            write_number(out, u64::from(numbers.modulus()))?;
            write_number(out, u64::from(numbers.residue()))?;
            write_signed(out, numbers.low())?;
            write_signed(out, numbers.high())
        }
        Value::Bool(truth) => write_number(out, u64::from(truth)),
        Value::Literal(literal) => write_number(out, u64::from(literal)),
        Value::Reference(object) => write_option(out, object.map(|object| object.0)),
    }
}

/// Reads what a part of a model's configurations holds.
pub fn read_content(from: &mut impl Read, model: &Model, part: Part) -> io::Result<ComponentValue> {
    let mut reader = ContentReader { from, model };
    match part {
        Part::Control(object) => reader.control(object),
        Part::Value(object, slot) => {
            let ty = type_at(&model.class_of(object).variables, slot);
            reader.value(ty).map(ComponentValue::Value)
        }
        Part::Global(slot) => reader
            .value(type_at(&model.globals, slot))
            .map(ComponentValue::Value),
        Part::Thread(thread) => {
            let objects = &model.threads[thread.index()].objects;
            let running = reader.option(model.objects.len())?.map(ObjectId::new);
            if running.is_some_and(|object| !objects.contains(&object)) {
                return Err(invalid("a thread runs the object of another".to_owned()));
            }
            let started = read_below(reader.from, objects.len() + 1)?;
            Ok(ComponentValue::Thread(running, started))
        }
        Part::Queue(queue) => reader
            .queue(&members(model, queue))
            .map(ComponentValue::Queue),
        Part::In(..) | Part::Head(_) | Part::Waiting(_) => unreachable!("a piece of a part"),
    }
}

fn type_at(variables: &[crate::lang::Variable], slot: usize) -> &Type {
    let holds = |v: &&crate::lang::Variable| (v.offset..v.offset + v.ty.length()).contains(&slot);
    let variable = variables.iter().find(holds);
    variable
        .expect("a slot of the model's own parts")
        .ty
        .element()
}

struct ContentReader<'a, R> {
    from: &'a mut R,
    model: &'a Model,
}

impl<R: Read> ContentReader<'_, R> {
    /// Nothing, or a number below a bound.
    fn option(&mut self, bound: usize) -> io::Result<Option<usize>> {
        Ok(read_below(self.from, bound + 1)?.checked_sub(1))
    }

    fn control(&mut self, object: ObjectId) -> io::Result<ComponentValue> {
        let machine = self.model.machine_of(object);
        let mut regions = Vec::with_capacity(machine.regions.len());
        for region in &machine.regions {
            let state = self.option(machine.states.len())?.map(StateId::new);
            if state.is_some_and(|state| !region.states.contains(&state)) {
                return Err(invalid("a region is in a state of another".to_owned()));
            }
            regions.push(state);
        }
        check_active(machine, &regions)?;
        let dispatched = match read_below(self.from, 2)? {
            0 => None,
            _ => Some(self.message()?),
        };
        Ok(ComponentValue::Control(regions, dispatched))
    }

    fn message(&mut self) -> io::Result<Message> {
        let signal = SignalId::new(read_below(self.from, self.model.signals.len())?);
        let parameters = &self.model.signal(signal).parameters;
        let arguments = parameters.iter().map(|(_, ty)| self.value(ty.element()));
        Ok(Message {
            signal,
            arguments: arguments.collect::<io::Result<_>>()?,
        })
    }

    fn queue(&mut self, members: &[ObjectId]) -> io::Result<Queue> {
        let mut queue = Queue::default();
        for _ in 0..read_below(self.from, MOST_MESSAGES)? {
            let object = ObjectId::new(read_below(self.from, self.model.objects.len())?);
            if !members.contains(&object) {
                return Err(invalid("a queue has a message for a stranger".to_owned()));
            }
            queue.waiting.push_back((object, self.message()?));
        }
        for member in members {
            let mut deferred = VecDeque::new();
            for _ in 0..read_below(self.from, MOST_MESSAGES)? {
                deferred.push_back(self.message()?);
            }
            queue.deferred.push((*member, deferred));
        }
        Ok(queue)
    }

    fn value(&mut self, ty: &Type) -> io::Result<Value> {
        match ty {
            ty if ty.is_number() => self.number(),
            Type::Bool => Ok(Value::Bool(read_below(self.from, 2)? == 1)),
            Type::Enum(id) => {
                let literals = self.model.enums[id.index()].literals.len();
                read_below(self.from, literals).map(|literal| Value::Literal(literal as u32))
            }
            ty => {
                let object = self.option(self.model.objects.len())?.map(ObjectId::new);
                let fits = |object: &ObjectId| match ty {
                    Type::Reference(class) => self.model.object(*object).class == *class,
                    _ => false,
                };
                match object {
                    Some(object) if !fits(&object) => Err(invalid(
                        "a reference to an object of another class".to_owned(),
                    )),
                    object => Ok(Value::Reference(object)),
                }
            }
        }
    }

    /// A number, or by its modulus, which is not 0, a set of them.
    fn number(&mut self) -> io::Result<Value> {
        let Ok(modulus) = u32::try_from(read_number(self.from)?) else {
            return Err(invalid("a modulus is too large".to_owned()));
        };
        if modulus == 0 {
            return read_signed(self.from).map(Value::Int);
        }
        let residue = read_below(self.from, modulus as usize)? as u32;
        let (low, high) = (read_signed(self.from)?, read_signed(self.from)?);
        let numbers = IntSet::new(low, high, modulus, residue);
        let is_set = |numbers: &IntSet| {
            let ends = (numbers.low(), numbers.high());
            numbers.only().is_none() && ends == (low, high)
        };
        let numbers = numbers.filter(is_set);
        numbers
            .map(Value::Among)
            .ok_or_else(|| invalid(format!("{low}..{high} is no set of numbers")))
    }
}

/// An active region is in some state.
fn check_active(machine: &Machine, regions: &[Option<StateId>]) -> io::Result<()> {
    let object = ObjectState {
        regions: regions.to_vec(),
        values: Vec::new(),
        inbox: VecDeque::new(),
        deferred: VecDeque::new(),
        dispatched: None,
    };
    let ids = (0..machine.regions.len()).map(RegionId::new);
    let mut active = ids.filter(|region| object.is_region_active(machine, *region));
    match active.all(|region| regions[region.index()].is_some()) {
        true => Ok(()),
        false => Err(invalid("an active region is in no state".to_owned())),
    }
}
