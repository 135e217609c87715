//! The machine, in words that do not name it.

use std::process::Command;

use serde::{Deserialize, Serialize};

use crate::Failure;
use crate::measure::must;

#[derive(Debug, Serialize, Deserialize)]
pub struct Machine {
    pub cores: usize,
    pub processor: String,
    pub memory_bytes: u64,
    pub system: String,
}

impl Machine {
    pub fn this() -> Result<Machine, Failure> {
        let processor = field("/proc/cpuinfo", "model name")?;
        let kilobytes = field("/proc/meminfo", "MemTotal")?;
        let kilobytes: u64 = kilobytes.trim_end_matches(" kB").parse()?;
        Ok(Machine {
            cores: std::thread::available_parallelism()?.get(),
            processor,
            memory_bytes: kilobytes * 1024,
            system: must(Command::new("uname").args(["-s", "-r", "-m"]))?
                .trim()
                .to_owned(),
        })
    }

    /// Such as `2x-AMD-EPYC`.
    pub fn short(&self) -> String {
        let words = self.processor.split_whitespace().take(4);
        let words = words.map(|word| word.replace(|c: char| !c.is_ascii_alphanumeric(), ""));
        let words: Vec<String> = words.filter(|word| !word.is_empty()).collect();
        format!("{}x-{}", self.cores, words.join("-"))
    }
}

pub fn today() -> Result<String, Failure> {
    Ok(must(Command::new("date").arg("+%F"))?.trim().to_owned())
}

/// The first `name : value` of a file in /proc.
fn field(path: &str, name: &str) -> Result<String, Failure> {
    let text = std::fs::read_to_string(path)?;
    let mut pairs = text.lines().filter_map(|line| line.split_once(':'));
    let value = pairs.find(|(key, _)| key.trim() == name);
    let (_, value) = value.ok_or_else(|| format!("{path} has no {name}"))?;
    Ok(value.trim().to_owned())
}
