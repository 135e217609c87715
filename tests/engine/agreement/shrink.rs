//! Makes a text that fails smaller as long as it still fails.
//!
//! It knows words and brackets, nothing of a language: what it takes away may leave nonsense, which
//! whoever tests it throws out. So one shrinker serves both languages, and can take away whatever
//! they will ever have.

/// The smallest text that still fails that can be had by one change after the other.
pub fn shrink(text: &str, fails: impl Fn(&str) -> bool) -> String {
    let mut tokens = tokens(text);
    loop {
        let before = tokens.clone();
        for change in [without_range, without_brackets, with_less] {
            tokens = change_all(tokens, change, &fails);
        }
        if tokens == before {
            return joined(&tokens);
        }
    }
}

/// All changes of one kind that can be made at a place, the largest first.
type Change = fn(&[String], usize) -> Vec<Vec<String>>;

fn change_all(
    mut tokens: Vec<String>,
    change: Change,
    fails: &impl Fn(&str) -> bool,
) -> Vec<String> {
    let mut at = 0;
    while at < tokens.len() {
        let changed = change(&tokens, at);
        match changed.into_iter().find(|less| fails(&joined(less))) {
            Some(less) => tokens = less,
            None => at += 1,
        }
    }
    tokens
}

/// Without a range that starts here and has its brackets closed.
fn without_range(tokens: &[String], start: usize) -> Vec<Vec<String>> {
    let ends = ends_of_ranges(tokens, start);
    let rest = |end: &usize| [&tokens[..start], &tokens[*end..]].concat();
    ends.iter().rev().map(rest).collect()
}

/// Where ranges that start here may end.
fn ends_of_ranges(tokens: &[String], start: usize) -> Vec<usize> {
    let mut depth = 0;
    let mut ends = Vec::new();
    for (index, token) in tokens.iter().enumerate().skip(start) {
        match token.as_str() {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" if depth == 0 => break,
            ")" | "]" | "}" => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            ends.push(index + 1);
        }
    }
    ends
}

/// What stands in brackets, without them and what stands before them: `if (c) { x }` becomes `x`.
fn without_brackets(tokens: &[String], start: usize) -> Vec<Vec<String>> {
    let ends = ends_of_ranges(tokens, start);
    let last_groups = ends
        .iter()
        .filter(|end| matches!(tokens[**end - 1].as_str(), ")" | "}"));
    let inside = last_groups.filter_map(|end| {
        let open = matching(tokens, end - 1)?;
        let rest = [
            &tokens[..start],
            &tokens[open + 1..end - 1],
            &tokens[*end..],
        ];
        Some(rest.concat())
    });
    inside.take(3).collect()
}

fn matching(tokens: &[String], close: usize) -> Option<usize> {
    let opens = |open: &usize| ends_of_ranges(tokens, *open).first() == Some(&(close + 1));
    (0..close).rev().find(opens)
}

/// What stands for an expression where it does not matter.
const CONSTANTS: [&str; 3] = ["true", "0", "self"];

/// A constant in place of an expression, or a smaller number. Constants stay, so this comes to an end.
fn with_less(tokens: &[String], at: usize) -> Vec<Vec<String>> {
    let replaced =
        |end: usize, by: &str| [&tokens[..at], &[by.to_owned()], &tokens[end..]].concat();
    let mut changes = Vec::new();
    for end in ends_of_expressions(tokens, at).into_iter().rev() {
        if end > at + 1 || !CONSTANTS.contains(&tokens[at].as_str()) {
            changes.extend(CONSTANTS.map(|constant| replaced(end, constant)));
        }
    }
    let number = tokens[at].parse::<u32>().ok();
    if let Some(less) = number.and_then(|number| number.checked_sub(1)) {
        changes.push(replaced(at + 1, &less.to_string()));
    }
    changes
}

/// Where an expression that starts here may end.
fn ends_of_expressions(tokens: &[String], start: usize) -> Vec<usize> {
    let ends = ends_of_ranges(tokens, start).into_iter();
    let in_statement = ends.take_while(|end| !matches!(tokens[*end - 1].as_str(), ";" | "}"));
    let closes = |end: &usize| {
        let next = tokens.get(*end).map(String::as_str);
        *end == start + 1 || matches!(next, Some(")" | "]" | "," | ";" | "."))
    };
    in_statement.filter(closes).collect()
}

/// Words, single brackets and separators, and runs of other signs.
fn tokens(text: &str) -> Vec<String> {
    let kind = |sign: char| match sign {
        sign if sign.is_whitespace() => 0,
        sign if sign.is_alphanumeric() || sign == '_' => 1,
        '(' | ')' | '[' | ']' | '{' | '}' | ';' | ',' => 2,
        _ => 3,
    };
    let mut tokens: Vec<String> = Vec::new();
    let mut last = 0;
    for sign in text.chars() {
        match (tokens.last_mut(), kind(sign)) {
            (Some(token), now) if now == last && matches!(now, 1 | 3) => token.push(sign),
            (_, 0) => {}
            _ => tokens.push(sign.to_string()),
        }
        last = kind(sign);
    }
    tokens
}

fn joined(tokens: &[String]) -> String {
    let mut text = String::new();
    for token in tokens {
        let ends_line = matches!(token.as_str(), ";" | "{" | "}");
        text += token;
        text.push(if ends_line { '\n' } else { ' ' });
    }
    text
}
