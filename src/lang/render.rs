//! Shows diagnostics with the line that they are about, in the style of rustc.
//!
//! Invariant: nothing that a user wrote reaches the terminal as a control character, and however
//! long a line is, no more than a screen's width of it is shown.

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};

use super::characters::is_hidden;
use super::diagnostics::{Diagnostic, Severity};
use super::source::SourceFile;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colour {
    Plain,
    Coloured,
}

/// Characters of a line that the renderer gets to see before and behind the place in question: more
/// than it shows.
const MARGIN: usize = 300;
/// The last column that is shown with its line: the renderer's time grows with the column.
const FARTHEST: usize = 10_000;

/// All diagnostics, a blank line behind each.
pub fn render(source: &SourceFile, diagnostics: &[Diagnostic], colour: Colour) -> String {
    let renderer = match colour {
        Colour::Plain => Renderer::plain(),
        Colour::Coloured => Renderer::styled(),
    };
    let mut out = String::new();
    for diagnostic in diagnostics {
        out += &render_one(source, diagnostic, &renderer);
        out += "\n\n";
    }
    out
}

fn render_one(source: &SourceFile, diagnostic: &Diagnostic, renderer: &Renderer) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let title = level
        .primary_title(visible(&diagnostic.message))
        .id(diagnostic.code);
    let group = with_place(Group::with_title(title), source, diagnostic);
    renderer.render(&[with_help(group, &diagnostic.help)])
}

fn with_place<'a>(group: Group<'a>, source: &SourceFile, diagnostic: &Diagnostic) -> Group<'a> {
    let place = source.position(diagnostic.span.start as usize);
    let path = visible(source.name());
    if place.column > FARTHEST {
        return group.element(
            Origin::path(path)
                .line(place.line)
                .char_column(place.column),
        );
    }
    let excerpt = Excerpt::around(source, diagnostic);
    let annotation = AnnotationKind::Primary.span(excerpt.start..excerpt.end);
    let label = Some(visible(&diagnostic.label)).filter(|label| !label.is_empty());
    let snippet = Snippet::source(excerpt.text)
        .path(path)
        .line_start(place.line);
    group.element(snippet.annotation(annotation.label(label)))
}

fn with_help<'a>(group: Group<'a>, help: &str) -> Group<'a> {
    if help.is_empty() {
        return group;
    }
    group.element(Level::HELP.message(visible(help)))
}

/// A part of one line, fit to be shown, and where in it the place in question is.
struct Excerpt {
    text: String,
    start: usize,
    end: usize,
}

impl Excerpt {
    fn around(source: &SourceFile, diagnostic: &Diagnostic) -> Excerpt {
        let offset = diagnostic.span.start as usize;
        let (line_start, line) = source.line_at(offset);
        let start = line.floor_char_boundary((offset - line_start).min(line.len()));
        let end = (diagnostic.span.end as usize)
            .saturating_sub(line_start)
            .clamp(start, line.len());
        Excerpt::of(line, start, line.ceil_char_boundary(end))
    }

    fn of(line: &str, start: usize, end: usize) -> Excerpt {
        let from = line[..start]
            .char_indices()
            .rev()
            .nth(MARGIN - 1)
            .map_or(0, |(at, _)| at);
        let to = line[start..]
            .char_indices()
            .nth(MARGIN)
            .map_or(line.len(), |(at, _)| start + at);
        // Blanks keep the columns right; the renderer cuts them off.
        let mut text = " ".repeat(line[..from].chars().count());
        text += &visible(&line[from..start]);
        let shown_start = text.len();
        text += &visible(&line[start..end.min(to)]);
        let shown_end = text.len();
        text += &visible(&line[end.min(to)..to]);
        Excerpt {
            text,
            start: shown_start,
            end: shown_end,
        }
    }
}

/// The text with every control character replaced by a picture of it, tabs by blanks.
pub fn visible(text: &str) -> String {
    text.chars().map(picture).collect()
}

fn picture(character: char) -> char {
    match character {
        '\t' => ' ',
        '\0'..='\u{1f}' => char::from_u32(0x2400 + u32::from(character)).unwrap_or('\u{fffd}'),
        '\u{7f}' => '\u{2421}',
        _ if is_hidden(character) => '\u{fffd}',
        _ => character,
    }
}
