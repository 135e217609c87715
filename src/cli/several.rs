//! One model after the other: what one of them is like does not stop the rest.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use anstyle::Style;
use crisol::lang::visible;
use crisol::report::{DiagnosticDocument, Document, SCHEMA, overview};

use super::output::Output;
use super::{Failure, PANICKED, print_error};

/// A model that was checked: for programs, for people, and for the shell.
pub struct Checked {
    pub document: Document,
    /// Styled.
    pub text: String,
    pub exit_code: u8,
}

/// Checks all models and delivers what was found; the result is the worst exit code.
pub fn check_all(
    paths: &[PathBuf],
    output: &Output,
    quiet: bool,
    check: impl Fn(&Path) -> Result<Checked, Failure>,
) -> Result<u8, Failure> {
    output.prepare()?;
    let mut documents = Vec::new();
    let mut text = String::new();
    let mut worst = 0;
    for (index, path) in paths.iter().enumerate() {
        let (before, after) = match paths.len() {
            1 => (String::new(), ""),
            all => (title(index + 1, all, path, output, quiet), "\n"),
        };
        text += output.show(&before);
        let checked = one(path, &check);
        text += output.show(&format!("{}{after}", checked.text));
        worst = worse(worst, checked.exit_code);
        documents.push(checked.document);
    }
    if paths.len() > 1 {
        text += output.show(&overview(&documents));
    }
    output.deliver(&documents, &text, worst)?;
    Ok(worst)
}

/// What goes before the text on one of several models; where no text is shown, standard error says
/// how far it is.
fn title(number: usize, all: usize, path: &Path, output: &Output, quiet: bool) -> String {
    let model = visible(&path.display().to_string());
    if !quiet && !output.is_for_people() {
        print_error(&format!("{number} of {all}: {model}\n"));
    }
    let bold = Style::new().bold();
    format!("{bold}{model}{bold:#}\n")
}

fn one(path: &Path, check: &impl Fn(&Path) -> Result<Checked, Failure>) -> Checked {
    let result = catch_unwind(AssertUnwindSafe(|| check(path)));
    let result = result.unwrap_or_else(|_| Err(Failure::Internal(PANICKED.to_owned())));
    result.unwrap_or_else(|failure| failed(path, failure))
}

fn failed(path: &Path, failure: Failure) -> Checked {
    let message = failure.message();
    print_error(&format!("{}\n", message.trim_end()));
    let exit_code = failure.exit_code();
    let (reason, diagnostics) = match failure {
        Failure::Model(rejected) => (rejected.reason, rejected.diagnostics),
        _ => {
            let reason = message.trim_start_matches("error: ").to_owned();
            (reason.clone(), vec![placeless(reason)])
        }
    };
    let document = Document {
        schema: SCHEMA.to_owned(),
        model: path.display().to_string(),
        verdict: "error".to_owned(),
        reason: Some(reason),
        diagnostics,
        ..Document::default()
    };
    Checked {
        document,
        text: String::new(),
        exit_code,
    }
}

fn placeless(message: String) -> DiagnosticDocument {
    DiagnosticDocument {
        severity: "error".to_owned(),
        code: None,
        message,
        help: None,
        region: None,
    }
}

/// What must not be overlooked is worst: a fault of the program, then bad input, which hides
/// whatever the model would have shown, then a violation, then what is not known.
fn worse(one: u8, other: u8) -> u8 {
    let rank = |code: &u8| [0, 2, 1, 3, 4].iter().position(|ranked| ranked == code);
    [one, other].into_iter().max_by_key(rank).unwrap_or(one)
}

#[cfg(test)]
mod tests {
    use super::worse;

    #[test]
    fn a_violation_is_worse_than_what_is_not_known() {
        let in_order = [0, 2, 1, 3, 4];
        for (index, code) in in_order.iter().enumerate() {
            assert!(
                in_order[..index]
                    .iter()
                    .all(|less| worse(*less, *code) == *code)
            );
            assert!(
                in_order[..index]
                    .iter()
                    .all(|less| worse(*code, *less) == *code)
            );
        }
    }
}
