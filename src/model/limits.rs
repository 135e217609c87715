//! Every bound on input, in one place.
//!
//! They keep a hostile or mistaken model from taking the machine with it; no serious model comes
//! near them. A model that exceeds one is refused with the value and the bound.

/// Bytes of a model file.
pub const SOURCE_BYTES: usize = 4 << 20;
/// Characters of a name.
pub const NAME_LENGTH: usize = 128;
/// Levels of expressions, blocks and states inside each other; an operator counts as one.
pub const NESTING: usize = 128;
/// Diagnostics in one run; what comes after is only counted.
pub const DIAGNOSTICS: usize = 100;
/// Objects in a system.
pub const OBJECTS: i64 = 4096;
/// Elements of an array.
pub const ARRAY_LENGTH: i64 = 65_536;
/// Slots for variables over all objects.
pub const SLOTS: usize = 1 << 20;
/// Messages in an inbox.
pub const INBOX_CAPACITY: i64 = 4096;
/// Values that `choose` or the environment may pick from.
pub const CHOICES: i64 = 65_536;
/// Rounds of one loop or quantifier.
pub const LOOP_ROUNDS: i64 = 65_536;
/// States, regions and other vertices of one class.
pub const STATES: usize = 4096;
/// Transitions of one class, after junctions are resolved.
pub const TRANSITIONS: usize = 16_384;
/// Choice vertices passed in one step.
pub const CHOICE_CHAIN: usize = 64;
/// Transitions inside one run-to-completion step that is explored as one.
pub const ATOMIC_STEP: usize = 10_000;
