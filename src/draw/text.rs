//! How wide a text will be, and where it is broken into lines.
//!
//! A drawing is made without knowing the font that shows it. The widths are those of the common
//! sans-serif fonts (Helvetica, Arial), and some room is added for those that run wider.

/// Thousandths of the font size, from the blank to the tilde.
const WIDTHS: [u16; 95] = [
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278,
    278, // to the slash
    556, 556, 556, 556, 556, 556, 556, 556, 556, 556, // digits
    278, 278, 584, 584, 584, 556, 1015, // to the at sign
    667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, // to M
    722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, // to Z
    278, 278, 278, 469, 556, 333, // to the back quote
    556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, // to m
    556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, // to z
    334, 260, 334, 584,
];
/// Letters that are not in the table may be as wide as they are high.
const UNKNOWN: u16 = 1000;
const ROOM: f64 = 1.12;
const ELLIPSIS: &str = " …";

/// The width of a line of text in a font of this size.
pub fn width(text: &str, size: f64) -> f64 {
    let thousandths: u64 = text.chars().map(|letter| u64::from(of(letter))).sum();
    thousandths as f64 / 1000.0 * size * ROOM
}

fn of(letter: char) -> u16 {
    let place = u32::from(letter).checked_sub(u32::from(' '));
    let known = place.and_then(|place| WIDTHS.get(place as usize));
    known.copied().unwrap_or(UNKNOWN)
}

/// A text in lines that are no wider than `most`, unless a single word is.
pub fn wrapped(text: &str, size: f64, most: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if width(line, size) + width(" ", size) + width(word, size) <= most => {
                *line += " ";
                *line += word;
            }
            _ => lines.push(word.to_owned()),
        }
    }
    for line in &mut lines {
        *line = clipped(line, size, 2.0 * most);
    }
    lines
}

/// A label `trigger [guard] / { effect }` in lines: the effect begins one if not all fits in one.
pub fn wrapped_label(text: &str, size: f64, most: f64) -> Vec<String> {
    match text.find(" / {") {
        Some(effect) if width(text, size) > most => {
            let mut lines = wrapped(&text[..effect], size, most);
            lines.extend(wrapped(&text[effect..], size, most));
            lines
        }
        _ => wrapped(text, size, most),
    }
}

/// At most so many lines; one that has more ends with an ellipsis.
pub fn shortened(mut lines: Vec<String>, most: usize) -> Vec<String> {
    if lines.len() > most {
        lines.truncate(most);
        if let Some(last) = lines.last_mut() {
            *last += ELLIPSIS;
        }
    }
    lines
}

/// As much of a word without blanks as has room.
fn clipped(text: &str, size: f64, most: f64) -> String {
    if width(text, size) <= most {
        return text.to_owned();
    }
    let mut kept = String::new();
    let mut room = most;
    for letter in text.chars() {
        room -= width(letter.encode_utf8(&mut [0; 4]), size);
        if room < 0.0 {
            break;
        }
        kept.push(letter);
    }
    kept + "…"
}

/// The widest of some lines.
pub fn widest<'t>(lines: impl IntoIterator<Item = &'t String>, size: f64) -> f64 {
    let widths = lines.into_iter().map(|line| width(line, size));
    widths.fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_broken_at_blanks_and_long_words_are_clipped() {
        let lines = wrapped("send motor.Start(level); level = 3;", 12.0, 90.0);
        assert_eq!(lines, ["send", "motor.Start(level);", "level = 3;"]);
        assert!(wrapped(&"x".repeat(500), 12.0, 90.0)[0].ends_with('…'));
    }

    #[test]
    fn what_is_cut_off_is_shown_to_be() {
        let lines = vec!["one".to_owned(), "two".to_owned(), "three".to_owned()];
        assert_eq!(shortened(lines, 2), ["one", "two …"]);
    }
}
