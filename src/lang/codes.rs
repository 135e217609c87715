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

pub const UNKNOWN_NAME: &str = "E101";
pub const NAME_TAKEN: &str = "E102";
pub const UNKNOWN_CONSTANT: &str = "E103";
pub const NO_OBJECTS: &str = "E104";
pub const BAD_DEFINITION: &str = "E105";

pub const NOT_SCALAR: &str = "E110";
pub const EMPTY_RANGE: &str = "E111";
pub const OUT_OF_BOUNDS: &str = "E113";
pub const DOES_NOT_FIT: &str = "E114";
pub const NOT_CONSTANT: &str = "E115";
pub const BAD_LIST: &str = "E116";

pub const NOT_A_NUMBER: &str = "E120";
pub const NOT_AN_OBJECT: &str = "E121";
pub const WRONG_TYPE: &str = "E122";
pub const WHOLE_ARRAY: &str = "E123";
pub const TYPES_DIFFER: &str = "E124";
pub const NO_SELF: &str = "E125";
pub const OBJECT_ARRAY: &str = "E126";
pub const NOT_AN_ARRAY: &str = "E127";
pub const NOT_A_RANGE: &str = "E128";
pub const WRONG_COUNT: &str = "E129";

pub const CHOOSE_OUTSIDE_EFFECT: &str = "E130";
pub const ONLY_IN_PROPERTIES: &str = "E131";
pub const ONLY_IN_FORMULAS: &str = "E132";

pub const NOT_A_VARIABLE: &str = "E140";
pub const CHOSEN_PLACE: &str = "E141";
pub const EXTERNAL_SENT: &str = "E142";

pub const WRONG_PLACE: &str = "E150";
pub const AMBIGUOUS_STATE: &str = "E151";
pub const NOT_A_STATE: &str = "E152";
pub const BAD_INITIAL: &str = "E153";
pub const INITIAL_COUNT: &str = "E154";
pub const CROSSES_REGIONS: &str = "E155";
pub const NO_HISTORY: &str = "E156";
pub const WRONG_TRIGGER: &str = "E157";
pub const TOO_FEW_TRANSITIONS: &str = "E158";
pub const BAD_JOIN: &str = "E159";

pub const JUNCTION_CIRCLE: &str = "E160";
pub const BAD_FORK: &str = "E161";
pub const FINAL_LEFT: &str = "E162";
pub const TOO_MANY_TOGETHER: &str = "E163";
pub const SECOND_ELSE: &str = "E164";

pub const SECOND_SETTING: &str = "E170";
pub const UNKNOWN_OPTION: &str = "E171";
pub const STRAY_THREAD: &str = "E172";
pub const TWO_THREADS: &str = "E173";
pub const ATOMIC_STEPS: &str = "E174";
pub const SINGLE_OBJECT: &str = "E175";
pub const SHARED_INBOX: &str = "E176";
pub const NOT_BY_SIGNAL: &str = "E177";

pub const STRAY_RECEIVERS: &str = "E180";
pub const ENDLESS_PARAMETER: &str = "E181";
pub const NOT_LAZY: &str = "E182";
pub const INSIDE_ATOMIC_STEP: &str = "E183";
pub const NUMBERS_ONLY: &str = "E185";
pub const NOT_A_PARTITION: &str = "E186";
pub const NOT_FLATTENED: &str = "E190";

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
    (UNKNOWN_NAME, "a name that nothing in the model has"),
    (NAME_TAKEN, "a name that something else has already"),
    (
        UNKNOWN_CONSTANT,
        "a value (`-D`) for a constant that the model does not have",
    ),
    (NO_OBJECTS, "a model without objects"),
    (
        BAD_DEFINITION,
        "a value (`-D`) that is not of the type of its constant",
    ),
    (NOT_SCALAR, "an array where a single value is kept"),
    (EMPTY_RANGE, "a range without values"),
    (
        OUT_OF_BOUNDS,
        "more of something, or less, than a model may have",
    ),
    (DOES_NOT_FIT, "an initial value outside of its type"),
    (
        NOT_CONSTANT,
        "a value that must be known before the system runs, and is not",
    ),
    (
        BAD_LIST,
        "a list of initial values that does not fit its variable",
    ),
    (NOT_A_NUMBER, "something else where a number is needed"),
    (NOT_AN_OBJECT, "something else where an object is needed"),
    (
        WRONG_TYPE,
        "a value of another type than the one that is needed",
    ),
    (WHOLE_ARRAY, "an array where one of its elements is needed"),
    (
        TYPES_DIFFER,
        "two values whose types have nothing to do with each other",
    ),
    (NO_SELF, "`self` where no object is acting"),
    (
        OBJECT_ARRAY,
        "an array of objects where one of them is needed",
    ),
    (NOT_AN_ARRAY, "an index behind something that is no array"),
    (NOT_A_RANGE, "a loop over something that can't be run over"),
    (
        WRONG_COUNT,
        "more or fewer arguments than the signal has parameters",
    ),
    (CHOOSE_OUTSIDE_EFFECT, "`choose` outside of an effect"),
    (
        ONLY_IN_PROPERTIES,
        "a question that only properties can ask",
    ),
    (
        ONLY_IN_FORMULAS,
        "an event or temporal operator outside of an `ltl` property",
    ),
    (
        NOT_A_VARIABLE,
        "an assignment to something that is no variable",
    ),
    (
        CHOSEN_PLACE,
        "an assignment to a place that is being chosen",
    ),
    (
        EXTERNAL_SENT,
        "an object that sends what only the environment sends",
    ),
    (WRONG_PLACE, "a part of a machine where it can't stand"),
    (AMBIGUOUS_STATE, "a name that several states have"),
    (
        NOT_A_STATE,
        "a choice, junction, fork or join where a state is needed",
    ),
    (
        BAD_INITIAL,
        "a region that starts in something else than one of its states",
    ),
    (
        INITIAL_COUNT,
        "a region without states, or without exactly one `initial`",
    ),
    (
        CROSSES_REGIONS,
        "a transition from one region of a state into another",
    ),
    (NO_HISTORY, "history of a state that has no states inside"),
    (
        WRONG_TRIGGER,
        "a trigger on a transition that can't wait for a message",
    ),
    (
        TOO_FEW_TRANSITIONS,
        "a choice, junction, fork or join that does not connect anything",
    ),
    (
        BAD_JOIN,
        "a join of something else than states of different regions",
    ),
    (JUNCTION_CIRCLE, "junctions that lead round in a circle"),
    (
        BAD_FORK,
        "a fork into something else than states of different regions",
    ),
    (FINAL_LEFT, "a transition that leaves a final state"),
    (
        TOO_MANY_TOGETHER,
        "more regions that react to one message than can be tried in every order",
    ),
    (
        SECOND_ELSE,
        "a choice or junction with two `[else]` branches",
    ),
    (SECOND_SETTING, "a setting that is made twice"),
    (
        UNKNOWN_OPTION,
        "an option that this semantics does not have",
    ),
    (STRAY_THREAD, "a thread under a semantics without threads"),
    (TWO_THREADS, "an object on two threads"),
    (ATOMIC_STEPS, "`atomic_steps` with more than one thread"),
    (SINGLE_OBJECT, "an index behind the name of a single object"),
    (
        SHARED_INBOX,
        "an inbox of an object that shares the one of its thread",
    ),
    (
        NOT_BY_SIGNAL,
        "a fault that can't be allowed for single signals",
    ),
    (
        STRAY_RECEIVERS,
        "`to` behind signals that the environment does not send",
    ),
    (
        ENDLESS_PARAMETER,
        "an external signal with more values than can be tried",
    ),
    (
        NOT_LAZY,
        "`environment lazy` where that would change what the model does",
    ),
    (
        INSIDE_ATOMIC_STEP,
        "a property of what is inside a step that is taken as one",
    ),
    (
        NUMBERS_ONLY,
        "an abstraction for numbers of what is no number",
    ),
    (
        NOT_A_PARTITION,
        "intervals that leave numbers out, or overlap",
    ),
    (
        NOT_FLATTENED,
        "a machine that has no flat one of the same behaviour",
    ),
    (UNUSED_SIGNAL, "a signal that nothing sends or receives"),
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

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::{Path, PathBuf};

    use super::CODES;

    /// The text of every source file but this one.
    fn sources() -> Vec<(PathBuf, String)> {
        let mut pending = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("src")];
        let mut found = Vec::new();
        while let Some(path) = pending.pop() {
            if path.is_dir() {
                let entries = fs::read_dir(&path).unwrap();
                pending.extend(entries.map(|entry| entry.unwrap().path()));
            } else if path.extension().is_some_and(|e| e == "rs") && !path.ends_with("codes.rs") {
                let text = fs::read_to_string(&path).unwrap();
                found.push((path, text));
            }
        }
        found
    }

    /// The quoted codes in a text.
    fn written_codes(text: &str) -> Vec<&str> {
        let is_code = |text: &&str| {
            let digits = text.strip_prefix(['E', 'W']).unwrap_or_default();
            digits.len() == 3 && digits.bytes().all(|byte| byte.is_ascii_digit())
        };
        text.split('"').filter(is_code).collect()
    }

    /// The constants of this file, by their names and codes.
    fn constants() -> Vec<(&'static str, &'static str)> {
        let lines = include_str!("codes.rs").lines();
        let declared = lines.filter_map(|line| line.strip_prefix("pub const "));
        let parts = declared.filter_map(|line| line.split_once(": &str = "));
        parts
            .map(|(name, code)| (name, code.trim_matches(['"', ';'])))
            .collect()
    }

    #[test]
    fn codes_are_in_order_and_none_is_given_twice() {
        for pair in CODES.windows(2) {
            assert!(pair[0].0 < pair[1].0, "{} before {}", pair[0].0, pair[1].0);
        }
        let names = constants();
        assert_eq!(names.len(), CODES.len(), "each has its constant");
        for ((name, code), (listed, _)) in names.iter().zip(CODES) {
            assert_eq!(code, listed, "{name} in another order than in the table");
        }
    }

    #[test]
    fn meanings_are_one_line_and_none_is_given_twice() {
        for (index, (code, meaning)) in CODES.iter().enumerate() {
            let fits = !meaning.is_empty() && meaning.len() <= 100 && !meaning.contains('\n');
            assert!(fits, "{code}: {meaning}");
            let other = CODES[..index].iter().find(|(_, other)| other == meaning);
            assert!(other.is_none(), "{code} means the same as {other:?}");
        }
    }

    #[test]
    fn every_code_that_is_used_is_in_the_table() {
        for (path, text) in sources() {
            for code in written_codes(&text) {
                let listed = CODES.iter().any(|(listed, _)| *listed == code);
                assert!(listed, "{code} in {} has no meaning", path.display());
            }
        }
    }

    #[test]
    fn every_code_in_the_table_is_used() {
        let sources = sources();
        for (name, code) in constants() {
            let constant = format!("codes::{name}");
            let is_used = |text: &str| {
                let mut found = text.match_indices(&constant);
                found.any(|(at, _)| {
                    let rest = &text[at + constant.len()..];
                    !rest.starts_with(|next: char| next == '_' || next.is_ascii_alphanumeric())
                }) || written_codes(text).contains(&code)
            };
            let used = sources.iter().any(|(_, text)| is_used(text));
            assert!(used, "nothing reports {name}, {code}");
        }
    }
}
