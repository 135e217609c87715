//! A state that a step looks at and changes; and how expressions and effects work on it.
//!
//! The same rules run on a plain state, and on one that notes what was looked at.

use super::program::{Effect, Expr, Place, Program, Sync, Transition};
use super::semantics::DveState;

/// Division by zero, an index outside an array.
pub(in crate::dve) struct Failed;

pub(in crate::dve) type Evaluated = Result<i32, Failed>;

pub(in crate::dve) trait World {
    fn value(&mut self, slot: usize) -> i32;
    fn set_value(&mut self, slot: usize, value: i32);
    /// The state that a process is in.
    fn at(&mut self, process: usize) -> usize;
    fn set_at(&mut self, process: usize, state: usize);
    /// Messages that wait in a channel.
    fn waiting(&mut self, channel: usize) -> usize;
    fn push(&mut self, channel: usize, message: Vec<i32>);
    fn pop(&mut self, channel: usize) -> Vec<i32>;
}

impl World for DveState {
    fn value(&mut self, slot: usize) -> i32 {
        self.values[slot]
    }

    fn set_value(&mut self, slot: usize, value: i32) {
        self.values[slot] = value;
    }

    fn at(&mut self, process: usize) -> usize {
        self.processes[process] as usize
    }

    fn set_at(&mut self, process: usize, state: usize) {
        self.processes[process] = state as u32;
    }

    fn waiting(&mut self, channel: usize) -> usize {
        self.channels[channel].len()
    }

    fn push(&mut self, channel: usize, message: Vec<i32>) {
        self.channels[channel].push(message);
    }

    fn pop(&mut self, channel: usize) -> Vec<i32> {
        self.channels[channel].remove(0)
    }
}

/// Does what these transitions do together: values are passed on first, then the effects run, the
/// sender's before the receiver's.
pub(in crate::dve) fn perform(
    program: &Program,
    world: &mut impl World,
    transitions: &[(usize, &Transition)],
) -> Result<(), Failed> {
    communicate(program, world, transitions)?;
    for (process, transition) in transitions {
        world.set_at(*process, transition.to);
        for Effect { place, value } in &transition.effects {
            let value = evaluate(value, world)?;
            store(program, world, place, value)?;
        }
    }
    Ok(())
}

fn communicate(
    program: &Program,
    world: &mut impl World,
    transitions: &[(usize, &Transition)],
) -> Result<(), Failed> {
    let mut message = None;
    for (_, transition) in transitions {
        match &transition.sync {
            None => {}
            Some(Sync::Send { channel, values }) => {
                let values = values.iter().map(|value| evaluate(value, world));
                let values = values.collect::<Result<Vec<i32>, Failed>>()?;
                match transitions.len() {
                    1 => world.push(*channel, values),
                    _ => message = Some(values),
                }
            }
            Some(Sync::Receive { channel, places }) => {
                let values = message.take().unwrap_or_else(|| world.pop(*channel));
                for (place, value) in places.iter().zip(values) {
                    store(program, world, place, value)?;
                }
            }
        }
    }
    Ok(())
}

fn store(
    program: &Program,
    world: &mut impl World,
    place: &Place,
    value: i32,
) -> Result<(), Failed> {
    let slot = locate(place, world)?;
    let (width, _) = program.slots[slot];
    world.set_value(slot, width.wrap(value));
    Ok(())
}

fn locate(place: &Place, world: &mut impl World) -> Result<usize, Failed> {
    let Some(index) = &place.index else {
        return Ok(place.first_slot);
    };
    let index = evaluate(index, world)?;
    let inside = usize::try_from(index)
        .ok()
        .filter(|index| *index < place.length);
    inside.map(|index| place.first_slot + index).ok_or(Failed)
}

/// Whether a guard holds; nothing to hold is true.
pub(in crate::dve) fn holds(guard: Option<&Expr>, world: &mut impl World) -> Result<bool, Failed> {
    guard.map_or(Ok(true), |guard| Ok(evaluate(guard, world)? != 0))
}

pub(in crate::dve) fn evaluate(expr: &Expr, world: &mut impl World) -> Evaluated {
    match expr {
        Expr::Number(number) => Ok(*number),
        Expr::Read(place) => {
            let slot = locate(place, world)?;
            Ok(world.value(slot))
        }
        Expr::InState { process, state } => Ok(i32::from(world.at(*process) == *state)),
        Expr::Unary(operator, operand) => {
            let value = evaluate(operand, world)?;
            Ok(match *operator {
                "-" => value.wrapping_neg(),
                "~" => !value,
                _ => i32::from(value == 0),
            })
        }
        Expr::Binary(operator, left, right, _) => binary(operator, left, right, world),
    }
}

fn binary(operator: &str, left: &Expr, right: &Expr, world: &mut impl World) -> Evaluated {
    let left = evaluate(left, world)?;
    let truth = |truth: bool| Ok(i32::from(truth));
    match operator {
        "and" | "&&" if left == 0 => return Ok(0),
        "or" | "||" if left != 0 => return Ok(1),
        "imply" if left == 0 => return Ok(1),
        _ => {}
    }
    let right = evaluate(right, world)?;
    match operator {
        "and" | "&&" | "or" | "||" | "imply" => truth(right != 0),
        "==" => truth(left == right),
        "!=" => truth(left != right),
        "<" => truth(left < right),
        "<=" => truth(left <= right),
        ">" => truth(left > right),
        ">=" => truth(left >= right),
        "|" => Ok(left | right),
        "^" => Ok(left ^ right),
        "&" => Ok(left & right),
        "<<" => Ok(left.wrapping_shl(right as u32)),
        ">>" => Ok(left.wrapping_shr(right as u32)),
        "+" => Ok(left.wrapping_add(right)),
        "-" => Ok(left.wrapping_sub(right)),
        "*" => Ok(left.wrapping_mul(right)),
        "/" => left.checked_div(right).ok_or(Failed),
        "%" => left.checked_rem(right).ok_or(Failed),
        other => unreachable!("the parser reads no operator `{other}`"),
    }
}
