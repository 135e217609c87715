//! Data abstraction: which values of a model are told apart (Ojala chapter 3, Pasareanu 3).
//!
//! | file | what it holds |
//! |---|---|
//! | `operators` | `+ - * / %` and comparisons on sets of numbers |
//! | `partition` | the blocks of one variable, and how they are split |
//! | `precision` | the partitions of all variables and parameters |
//! | `beginning` | what a refinement begins with |
//! | `auto` | a first precision, from what guards and assertions compare |
//! | `flow` | which variables get what others forget |
//! | `values` | a precision as the interpreter asks it |

mod auto;
mod beginning;
pub mod cegar;
mod flow;
mod operators;
mod partition;
mod precision;
mod values;

pub use auto::first_partitions;
pub use beginning::Beginning;
pub use partition::Partition;
pub use precision::{Place, Precision};
pub use values::Abstract;
