//! Every code that a diagnostic can carry, with its meaning in a line.
//!
//! Invariant: a code, once given out, keeps its meaning; users silence and look up codes.

pub const BAD_CHARACTER: &str = "E001";
pub const CONTROL_CHARACTER: &str = "E002";
pub const NUMBER_TOO_LARGE: &str = "E003";
pub const NAME_TOO_LONG: &str = "E004";
pub const OPEN_COMMENT: &str = "E005";
pub const BAD_NUMBER: &str = "E006";
pub const NO_STRINGS: &str = "E007";

pub const UNEXPECTED: &str = "E010";
pub const MISSING_SEMICOLON: &str = "E011";
pub const NOT_CLOSED: &str = "E012";
pub const UNKNOWN_WORD: &str = "E013";
pub const RESERVED_WORD: &str = "E014";
pub const TOO_DEEP: &str = "E015";
pub const ASSIGNMENT_IN_EXPRESSION: &str = "E016";
pub const MISSING_COLON: &str = "E017";
pub const MISPLACED_LENGTH: &str = "E018";
pub const MISPLACED: &str = "E019";
pub const MISSING_BRACES: &str = "E020";
pub const MISSING_SLASH: &str = "E021";
pub const TEMPORAL_OPERATOR: &str = "E022";
pub const NOT_IN_THE_LANGUAGE: &str = "E023";

pub const UNUSED_SIGNAL: &str = "W201";
pub const UNREACHABLE_STATE: &str = "W202";
pub const DEAD_TRANSITION: &str = "W203";
pub const OVERLAPPING_GUARDS: &str = "W204";
pub const CONSTANT_GUARD: &str = "W205";
pub const COMPLETION_LOOP: &str = "W206";
pub const DEAF_START: &str = "W207";

/// The codes and their meanings, in order.
pub const CODES: &[(&str, &str)] = &[
    (BAD_CHARACTER, "a character that has no meaning in a model"),
    (
        CONTROL_CHARACTER,
        "an invisible character, which could hide what is written",
    ),
    (NUMBER_TOO_LARGE, "a number that does not fit in 64 bits"),
    (NAME_TOO_LONG, "a name that is longer than any name may be"),
    (OPEN_COMMENT, "a comment `/* ...` without its `*/`"),
    (
        BAD_NUMBER,
        "a number that is not made of decimal digits only",
    ),
    (NO_STRINGS, "a text in quotes; there are no texts in models"),
    (UNEXPECTED, "something else was expected here"),
    (MISSING_SEMICOLON, "a `;` is missing"),
    (NOT_CLOSED, "a `{`, `(` or `[` that is never closed"),
    (
        UNKNOWN_WORD,
        "a word that is none of those that can stand here",
    ),
    (RESERVED_WORD, "a reserved word, used as a name"),
    (TOO_DEEP, "too many levels inside each other"),
    (
        ASSIGNMENT_IN_EXPRESSION,
        "`=` where a comparison `==` is meant",
    ),
    (
        MISSING_COLON,
        "a trigger or guard without the `:` before it",
    ),
    (
        MISPLACED_LENGTH,
        "the length of an array, written behind its name",
    ),
    (MISPLACED, "something that stands where it has no meaning"),
    (MISSING_BRACES, "a branch or loop without `{ }`"),
    (MISSING_SLASH, "an effect without the `/` before it"),
    (
        TEMPORAL_OPERATOR,
        "a temporal operator outside of an `ltl` property",
    ),
    (
        NOT_IN_THE_LANGUAGE,
        "something that other languages have and this one has not",
    ),
    (UNUSED_SIGNAL, "a signal that nothing sends or takes"),
    (UNREACHABLE_STATE, "a state that no transition leads to"),
    (DEAD_TRANSITION, "a transition that can never fire"),
    (
        OVERLAPPING_GUARDS,
        "two transitions of one state that can both be taken",
    ),
    (CONSTANT_GUARD, "a guard that is always true"),
    (
        COMPLETION_LOOP,
        "a run-to-completion step that can't end: transitions without trigger and guard in a circle",
    ),
    (
        DEAF_START,
        "a machine that discards every message for ever, from the start",
    ),
];
