//! Families of models that can be as wide as one likes, each in our language, in DVE and in Promela.
//!
//! A step touches one or two objects, however many there are; their variables are counters, so that nobody
//! sees the end of the state space unless the sizes are tiny. All three texts count the same things: states and
//! transitions are the same, to the last one.

mod election;
pub mod outcome;
mod pipeline;
pub mod report;
mod ring;
mod star;

use std::fmt;
use std::path::{Path, PathBuf};

use crate::Failure;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// Tokens go round; who passes one on counts in a variable of its own.
    Ring,
    /// Leaves ask a hub and wait for its answer.
    Star,
    /// Items go through stages, each of which works on one at a time.
    Pipeline,
    /// Chang and Roberts elect a leader. Has an end, and no variables: its width is its queues.
    Election,
}

/// What is measured again and again with more objects, and more variables in each.
pub const GROWING: [Family; 3] = [Family::Ring, Family::Star, Family::Pipeline];

/// Objects and variables of each.
pub const WIDTHS: [(usize, usize); 4] = [(10, 5), (20, 20), (60, 40), (200, 60)];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Model {
    pub family: Family,
    objects: usize,
    variables: usize,
    /// A variable counts from 0 up to this number, and begins again.
    values: usize,
    /// Messages that wait for an object at most; who sends one more waits.
    capacity: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    Csm,
    Dve,
    Promela,
}

pub const LANGUAGES: [Language; 3] = [Language::Csm, Language::Dve, Language::Promela];

impl Language {
    fn extension(self) -> &'static str {
        match self {
            Language::Csm => "csm",
            Language::Dve => "dve",
            Language::Promela => "pml",
        }
    }
}

impl Model {
    pub fn growing(family: Family, (objects, variables): (usize, usize)) -> Model {
        Model {
            family,
            objects,
            variables,
            values: 8,
            capacity: 4,
        }
    }

    pub fn election(objects: usize) -> Model {
        Model {
            family: Family::Election,
            objects,
            variables: 0,
            values: objects + 1,
            capacity: objects,
        }
    }

    /// Every family, so small that everybody sees the end.
    pub fn small() -> Vec<Model> {
        let tiny = |family| Model {
            values: 2,
            capacity: 2,
            ..Model::growing(family, (3, 2))
        };
        let growing = GROWING.into_iter().map(tiny);
        growing.chain([Model::election(5)]).collect()
    }

    /// All that is measured.
    pub fn all() -> Vec<Model> {
        let widths = |family| WIDTHS.map(|width| Model::growing(family, width));
        let growing = GROWING.into_iter().flat_map(widths);
        growing.chain([Model::election(11)]).collect()
    }

    pub fn name(&self) -> String {
        self.to_string()
    }

    pub fn text(&self, language: Language) -> String {
        match self.family {
            Family::Ring => ring::text(self, language),
            Family::Star => star::text(self, language),
            Family::Pipeline => pipeline::text(self, language),
            Family::Election => election::text(self, language),
        }
    }

    pub fn path(&self, folder: &Path, language: Language) -> PathBuf {
        folder.join(format!("{self}.{}", language.extension()))
    }

    /// Writes the model in all languages.
    pub fn write(&self, folder: &Path) -> Result<(), Failure> {
        std::fs::create_dir_all(folder)?;
        for language in LANGUAGES {
            std::fs::write(self.path(folder, language), self.text(language))?;
        }
        Ok(())
    }
}

/// Such as `ring-10x5`, `election-11`.
impl fmt::Display for Model {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let family = match self.family {
            Family::Ring => "ring",
            Family::Star => "star",
            Family::Pipeline => "pipeline",
            Family::Election => return write!(f, "election-{}", self.objects),
        };
        write!(f, "{family}-{}x{}", self.objects, self.variables)
    }
}

/// A text in which `$NAME` stands for a value. Long names go first, as one may begin with another.
fn fill(template: &str, values: &[(&str, &dyn fmt::Display)]) -> String {
    let mut values = values.to_vec();
    values.sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
    let mut text = template.to_owned();
    for (name, value) in values {
        text = text.replace(&format!("${name}"), &value.to_string());
    }
    text
}

/// One piece of text for each number, with something between them.
fn list(numbers: std::ops::Range<usize>, between: &str, piece: impl Fn(usize) -> String) -> String {
    numbers.map(piece).collect::<Vec<_>>().join(between)
}

/// Effects in DVE that take the first element out of an array that is a queue. What is not used is 0, so
/// that equal queues are equal arrays.
fn shift(queue: &str, length: &str, capacity: usize) -> String {
    let up = |i| format!("{queue}[{i}] = {queue}[{}]", i + 1);
    let moved = list(0..capacity - 1, ", ", up);
    let last = capacity - 1;
    let comma = if moved.is_empty() { "" } else { ", " };
    format!("{moved}{comma}{queue}[{last}] = 0, {length} = {length} - 1")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_family_and_width() {
        let names: Vec<String> = Model::all().iter().map(Model::name).collect();
        assert_eq!(names.len(), 13);
        assert_eq!(names[0], "ring-10x5");
        assert_eq!(names[12], "election-11");
    }

    #[test]
    fn every_place_of_a_template_is_filled() {
        for model in Model::all() {
            for language in LANGUAGES {
                assert!(!model.text(language).contains('$'), "{model} {language:?}");
            }
        }
    }

    #[test]
    fn what_leaves_a_queue_leaves_a_zero_behind() {
        assert_eq!(
            shift("q", "n", 3),
            "q[0] = q[1], q[1] = q[2], q[2] = 0, n = n - 1"
        );
    }
}
