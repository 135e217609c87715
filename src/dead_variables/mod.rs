//! Dead variables: those that no run can read before they are written again. They do not tell
//! states apart, so they may be given a fixed value.
//!
//! A state of a machine (or of a DVE process) is looked at by itself. A variable is *live* in it if
//! some way on, through the transitions that start in it, then through those that start in the
//! states which they enter, and so on, reads the variable and does not write it before. All else
//! errs on the safe side: guards are taken to hold, an index to be any, and what others write does
//! not count.
//!
//! A variable that is live in no active state of any object is dead. For take the first read of it
//! in some run, with no write before. It belongs to a transition of a state that is active then (or
//! to its exit action, or its assertion). That state has been active from the beginning, or was
//! entered by an earlier transition of another such state, and so on, back to a state that was
//! active at the beginning. On that way there is no write, so the variable is live in that state.
//!
//! Two configurations that differ in dead variables only therefore have the same steps, to
//! configurations that again differ in dead variables only: a variable that is live afterwards was
//! live before, or has been written, and the value came from what was read. They violate the same
//! properties, since what properties read is never called dead.
//!
//! Here is what all languages share: `flow`, code as reads and writes and what is live at the nodes of a graph
//! of it, on sets of variables (`slots`). What code a language has is in `csm::dead_variables` and in `dve`.

mod flow;
mod slots;

pub use flow::{Access, FlowEdge, live};
pub use slots::Slots;
