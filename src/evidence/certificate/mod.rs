//! Certificates: verdicts that somebody else can check (`src/evidence/README.md` has the bytes).
//!
//! | file | what it holds |
//! |---|---|
//! | `claims` | what a certificate says, and of which model |
//! | `language`; `csm`, `dve` | what is asked of a language, and the answers |
//! | `numbers`, `contents`, `layout` | numbers, parts of configurations and states as bytes |
//! | `write` | making one |
//! | `read` | opening one: its checksum, its sections |
//! | `validate` | whether what it says is true |
//! | `closed` | whether a set of states is closed and nothing in it is wrong |
//!
//! Invariant: nothing that a certificate says is taken for granted. A set of states proves a property
//! because the reference semantics finds all initial states in it, and all successors of its members,
//! and no member or step that violates the property; whoever made the set does not matter.

mod claims;
mod closed;
mod contents;
mod csm;
mod dve;
mod language;
mod layout;
mod numbers;
mod read;
mod validate;
mod write;

pub use claims::{ProofClaim, Subject, ViolationClaim};
pub use language::Content;
pub use read::Rejection;
pub use validate::{Confirmed, Validated, validate};
pub use write::{States, Writer};

/// The first bytes of every certificate; the last of them is the version of the format.
const MAGIC: &[u8; 8] = b"CRISOLC\x01";
/// Bytes of the checksum at the end.
const CHECKSUM: usize = 32;

/// What comes next.
mod tag {
    pub const END: u8 = 0;
    pub const PROOF: u8 = 1;
    pub const VIOLATION: u8 = 2;
}

/// Calls a function for as many words as states need, rounded up to a number that it is compiled for.
macro_rules! for_words {
    ($words:expr, $call:ident $arguments:tt) => {
        for_words!(@ $words, $call $arguments, 1 2 3 4 8 16 32)
    };
    (@ $words:expr, $call:ident $arguments:tt, $($known:literal)*) => {
        match $words {
            $(words if words <= $known => Some($call::<$known> $arguments),)*
            _ => None,
        }
    };
}
use for_words;
