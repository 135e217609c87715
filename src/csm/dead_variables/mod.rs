//! Dead variables of models: `crate::dead_variables` says what that is, and why it is right.
//!
//! | file | what it says |
//! |---|---|
//! | `variables` | dead variables of models |
//! | `machine` | the graph of a state machine: exits, entries, history, choices |
//! | `effects`, `reads` | the reads and writes of effects and conditions |
//! | `kept` | variables that are looked at from outside |

mod effects;
mod kept;
mod machine;
mod reads;
mod variables;

pub use variables::DeadVariables;
