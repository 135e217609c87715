//! Every bound on input, in one place.
//!
//! They keep a hostile or mistaken model from taking the machine with it; no serious model comes
//! near them. A model that exceeds one is refused with the value and the bound.

/// Bytes of a model file. The tree of a dense one takes some hundred times as much memory.
pub const SOURCE_BYTES: usize = 1 << 20;
/// The same of a DVE file, which a program may have written; its expressions have a bound of their own.
pub const DVE_BYTES: usize = 8 << 20;
/// Operators, numbers and names in the expressions of a DVE file.
pub const TERMS: usize = 1 << 21;
/// Variables, channels, processes, states and transitions of a DVE file.
pub const DECLARATIONS: usize = 1 << 18;
/// Pairs of a send and a receive that may meet in a DVE model.
pub const HANDSHAKES: usize = 1 << 16;
/// Characters of a name.
pub const NAME_LENGTH: usize = 128;
/// Levels of expressions, blocks and states inside each other; an operator counts as one.
pub const NESTING: usize = 128;
/// Diagnostics in one run; what comes after is only counted.
pub const DIAGNOSTICS: usize = 100;
/// Pairs of letters that are compared in search of what a misspelt name may mean.
pub const COMPARISONS: usize = 1 << 22;
/// Objects in a system.
pub const OBJECTS: i64 = 4096;
/// Elements of an array.
pub const ARRAY_LENGTH: i64 = 65_536;
/// Classes.
pub const CLASSES: usize = 4096;
/// Signals.
pub const SIGNALS: usize = 4096;
/// Parameters of a signal.
pub const PARAMETERS: usize = 64;
/// Properties, those that are built in included.
pub const PROPERTIES: usize = 1024;
/// Slots for variables over all objects: a state has one value for each.
pub const SLOTS: usize = 1 << 17;
/// Statements in all effects.
pub const STATEMENTS: usize = 1 << 16;
/// Local names of one class, or of all properties.
pub const LOCALS: usize = 1024;
/// Parts of an initialiser, times the objects that it is computed for.
pub const INITIAL_WORK: usize = 1 << 22;
/// Messages in an inbox.
pub const INBOX_CAPACITY: i64 = 4096;
/// Values that `choose` or the environment may pick from.
pub const CHOICES: i64 = 65_536;
/// Outcomes of one step that makes one choice; fewer where it makes more.
pub const OUTCOMES: usize = 65_536;
/// Answers to all that a guard, or a property, may ask of what an abstraction has forgotten.
pub const ANSWERS: usize = 1 << 20;
/// Messages that the environment can send, counted for each object that may receive them.
pub const ENVIRONMENT: usize = 1 << 18;
/// Rounds of one loop or quantifier.
pub const LOOP_ROUNDS: i64 = 65_536;
/// States, regions and other vertices of one class.
pub const STATES: usize = 4096;
/// Transitions of one class, after junctions are resolved.
pub const TRANSITIONS: usize = 16_384;
/// Junctions on one path.
pub const JUNCTION_CHAIN: usize = 64;
/// Letters of the labels of all paths through junctions, each of which has its own copies.
pub const PATH_TEXT: usize = 1 << 19;
/// Regions that react to the same message; their transitions are taken in every order.
pub const SIMULTANEOUS: usize = 6;
/// Choice vertices passed in one step.
pub const CHOICE_CHAIN: usize = 64;
/// Transitions inside one run-to-completion step that is explored as one.
pub const ATOMIC_STEP: usize = 10_000;
/// Times that guards and effects are evaluated for all such steps out of one configuration.
pub const ATOMIC_RUNS: u64 = 1 << 18;
/// States and transitions of all machines, each times the slots that it may name: of a larger model
/// no variable is called dead.
pub const LIVENESS: usize = 1 << 24;
