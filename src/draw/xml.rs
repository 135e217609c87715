//! Text and numbers as SVG has them.

use std::fmt::Write;

/// A text that can stand between tags and in attributes. Characters that XML forbids are replaced.
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            '\'' => out += "&#39;",
            '\n' | '\t' => out.push(letter),
            control if control.is_control() || is_forbidden(control) => out.push('\u{fffd}'),
            other => out.push(other),
        }
    }
    out
}

fn is_forbidden(letter: char) -> bool {
    matches!(letter, '\u{fffe}' | '\u{ffff}')
}

/// A length with one digit behind the point, if that is not 0.
pub fn number(value: f64) -> String {
    let mut text = format!("{value:.1}");
    if let Some(whole) = text.strip_suffix(".0") {
        text = whole.to_owned();
    }
    if text == "-0" { "0".to_owned() } else { text }
}

/// ` name="12.5"` for each.
pub fn lengths<const N: usize>(pairs: [(&str, f64); N]) -> String {
    let mut out = String::new();
    for (name, value) in pairs {
        let _ = write!(out, " {name}=\"{}\"", number(value));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_can_break_out_of_a_text() {
        let hostile = "</svg><script>\"'&\u{0}";
        let expected = "&lt;/svg&gt;&lt;script&gt;&quot;&#39;&amp;\u{fffd}";
        assert_eq!(escaped(hostile), expected);
    }

    #[test]
    fn numbers_are_short() {
        assert_eq!(number(12.0), "12");
        assert_eq!(number(-0.01), "0");
        assert_eq!(number(1.26), "1.3");
    }
}
