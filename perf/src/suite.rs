//! What is compared: `suite.toml`.

use std::path::PathBuf;

use serde::Deserialize;

use crate::{Failure, beem, perf, root};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Suite {
    model: Vec<Model>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Group {
    /// A public benchmark, in DVE and in Promela.
    Beem,
    /// Our own objects that send messages, with twins.
    Messages,
    /// The first states of a big space.
    Growth,
    /// Must fit in memory.
    Large,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Model {
    pub name: String,
    pub group: Group,
    /// The BEEM instance, where it is not the name.
    instance: Option<String>,
    path: Option<String>,
    #[serde(default)]
    pub define: Vec<String>,
    promela: Option<String>,
    pub stateright: Option<Vec<String>>,
    pub states: u64,
    pub stack: Option<u64>,
    #[serde(default)]
    pub prelude: u64,
    pub seconds: Option<u64>,
}

impl Model {
    /// For Crisol.
    pub fn path(&self) -> PathBuf {
        match &self.path {
            Some(path) => root().join(path),
            None => self.beem("dve"),
        }
    }

    /// For SPIN.
    pub fn promela(&self) -> PathBuf {
        match &self.promela {
            Some(file) => perf().join("promela").join(file),
            None => self.beem("pm"),
        }
    }

    fn beem(&self, extension: &str) -> PathBuf {
        let instance = self.instance.as_ref().unwrap_or(&self.name);
        beem::folder().join(format!("{instance}.{extension}"))
    }
}

/// All models, or those whose names are given.
pub fn models(only: &[String]) -> Result<Vec<Model>, Failure> {
    let path = perf().join("suite.toml");
    let text = std::fs::read_to_string(&path)?;
    let all = toml::from_str::<Suite>(&text)?.model;
    if let Some(unknown) = only
        .iter()
        .find(|name| all.iter().all(|m| m.name != **name))
    {
        let names: Vec<&str> = all.iter().map(|model| model.name.as_str()).collect();
        return Err(format!(
            "no model is called `{unknown}`; there are {}",
            names.join(", ")
        )
        .into());
    }
    let wanted = |model: &Model| only.is_empty() || only.contains(&model.name);
    Ok(all.into_iter().filter(wanted).collect())
}
