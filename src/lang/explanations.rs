//! What each code of a diagnostic is about, with an example of the mistake and the same put right.
//!
//! Invariant: every code has one, and its examples do what they say (`tests/language/explanations.rs`).

use super::codes::CODES;

#[derive(Clone, Copy, Debug)]
pub struct Explanation {
    pub code: &'static str,
    /// In a line.
    pub meaning: &'static str,
    pub text: &'static str,
    pub wrong: Example,
    pub right: Example,
}

/// A whole model. What can't be written down well is described in it: `<U+200B>` is that character,
/// and `<129 x a>` is a letter so many times.
#[derive(Clone, Copy, Debug)]
pub struct Example {
    /// `-D N=5`, or `flatten` for what is about that command; empty for most.
    pub arguments: &'static str,
    pub model: &'static str,
}

macro_rules! texts {
    ($($code:literal)*) => {
        &[$(($code, include_str!(concat!("explanations/", $code, ".md")))),*]
    };
}

const TEXTS: &[(&str, &str)] = texts! {
    "E001" "E002" "E003" "E004" "E005" "E006" "E007" "E010" "E011" "E012" "E013" "E014" "E015"
    "E016" "E017" "E018" "E019" "E020" "E021" "E022" "E023" "E101" "E102" "E103" "E104" "E105"
    "E110" "E111" "E113" "E114" "E115" "E116" "E120" "E121" "E122" "E123" "E124" "E125" "E126"
    "E127" "E128" "E129" "E130" "E131" "E132" "E140" "E141" "E142" "E150" "E151" "E152" "E153"
    "E154" "E155" "E156" "E157" "E158" "E159" "E160" "E161" "E162" "E163" "E164" "E170" "E171"
    "E172" "E173" "E174" "E175" "E176" "E177" "E180" "E181" "E182" "E183" "E185" "E186" "E190"
    "W201" "W202" "W203" "W204" "W205" "W206" "W207"
};

/// What a code is about, if there is such a code.
pub fn explanation(code: &str) -> Option<Explanation> {
    let (code, meaning) = CODES.iter().find(|(known, _)| *known == code)?;
    let (_, page) = TEXTS.iter().find(|(known, _)| known == code)?;
    let (text, rest) = page.split_once("\n```wrong")?;
    let (wrong, right) = rest.split_once("\n```right")?;
    Some(Explanation {
        code,
        meaning,
        text: text.trim(),
        wrong: example(wrong)?,
        right: example(right)?,
    })
}

/// From behind the opening of a block to its end.
fn example(block: &'static str) -> Option<Example> {
    let (arguments, rest) = block.split_once('\n')?;
    let (model, _) = rest.split_once("```")?;
    let arguments = arguments.trim();
    Some(Example { arguments, model })
}
