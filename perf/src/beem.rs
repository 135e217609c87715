//! The BEEM collection: instances with published counts. They lie beside the product, or where `CRISOL_BEEM` says.

use std::path::PathBuf;

use crate::{Failure, root};

/// Where a published count takes a number that leaves its type for an error, which all runs share as one last state: DVE's
/// numbers wrap, by the language's own definition as in SPIN, and these are the states and transitions that SPIN finds.
const WRAPPING: &[(&str, u64, u64)] = &[
    ("sorter.4", 13_184_427, 27_051_822),
    ("resistance.1", 13_762_624, 32_052_024),
];

/// A line of `counts.tsv`.
#[derive(Clone, Debug)]
pub struct Published {
    pub name: String,
    pub states: u64,
    /// Whether the space was seen to its end.
    pub complete: bool,
    pub transitions: Option<u64>,
    pub levels: Option<u64>,
}

pub fn folder() -> PathBuf {
    let named = std::env::var_os("CRISOL_BEEM").map(PathBuf::from);
    named.unwrap_or_else(|| root().join("../shared/data/beem"))
}

/// Instances up to a size, smallest first.
pub fn published(most: u64) -> Result<Vec<Published>, Failure> {
    let path = folder().join("counts.tsv");
    let text = std::fs::read_to_string(&path).map_err(|error| {
        format!(
            "{}: {error}; CRISOL_BEEM names the folder of the models",
            path.display()
        )
    })?;
    let mut all = text
        .lines()
        .skip(1)
        .map(line)
        .collect::<Result<Vec<Published>, Failure>>()?;
    all.retain(|instance| instance.states <= most);
    all.sort_by_key(|instance| instance.states);
    Ok(all)
}

fn line(line: &str) -> Result<Published, Failure> {
    let fields: Vec<&str> = line.split('\t').collect();
    let [name, states, complete, transitions, levels, ..] = fields[..] else {
        return Err(format!("not a line of counts.tsv: {line}").into());
    };
    let published = Published {
        name: name.to_owned(),
        states: states.parse()?,
        complete: complete == "yes",
        transitions: transitions.parse().ok(),
        levels: levels.parse().ok(),
    };
    Ok(published.wrapping())
}

impl Published {
    fn wrapping(mut self) -> Published {
        if let Some((_, states, transitions)) =
            WRAPPING.iter().find(|(name, ..)| *name == self.name)
        {
            self.states = *states;
            self.transitions = Some(*transitions);
        }
        self
    }
}
