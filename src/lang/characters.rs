//! Single characters: which of them can not be seen, and how they are named in messages.

/// What is written here for a character that other notations have.
pub fn instead_of(character: char) -> &'static str {
    match character {
        '&' | '∧' => "\"and\" is written `&&`",
        '∨' => "\"or\" is written `||`",
        '¬' | '~' => "\"not\" is written `!`",
        '→' | '⇒' => "an arrow is written `->`",
        '↔' | '⇔' => "\"if and only if\" is written `<->`",
        '≤' => "\"at most\" is written `<=`",
        '≥' => "\"at least\" is written `>=`",
        '≠' => "\"not equal\" is written `!=`",
        '–' | '—' | '−' => "a minus sign is written `-`",
        '#' => "a comment begins with `//`",
        '"' | '\'' | '“' | '”' | '‘' | '’' => {
            "there are no texts in models; an `enum` gives values names"
        }
        _ => "",
    }
}

/// Characters that are not seen, or that change how others are seen.
pub fn is_hidden(character: char) -> bool {
    let is_format = matches!(character,
        '\u{ad}' | '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}');
    character.is_control() || is_format
}

pub fn describe(character: char) -> String {
    if is_hidden(character) {
        format!("U+{:04X}", u32::from(character))
    } else {
        format!("`{character}`")
    }
}

/// As much of a text as a message should quote.
pub fn clip(text: &str) -> String {
    const LONGEST: usize = 40;
    if text.chars().count() <= LONGEST {
        return text.to_string();
    }
    text.chars().take(LONGEST - 1).chain(['…']).collect()
}
