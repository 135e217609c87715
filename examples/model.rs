//! Checks a model in a file: `cargo run --example model`, or with the path of another one behind `--`.

use std::fmt::Write;

use crisol::{Checker, Error, Model};

fn main() -> Result<(), Error> {
    let path = std::env::args().nth(1);
    let path = path.unwrap_or_else(|| "models/pump/impatient.csm".to_owned());
    print!("{}", check(&path)?);
    Ok(())
}

/// The verdicts, and the shortest way to something that is wrong.
pub fn check(path: &str) -> Result<String, Error> {
    let model = Model::open(path)?;
    let report = Checker::new(&model).memory(1 << 30).run()?;
    let mut text = String::new();
    for property in report.properties() {
        let _ = writeln!(text, "{}: {}", property.name, property.verdict);
    }
    if let Some((property, trace)) = report.shortest() {
        let _ = write!(text, "\n{property}, step by step:\n{trace}");
    }
    Ok(text)
}
