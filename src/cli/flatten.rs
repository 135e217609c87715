//! `crisol flatten`

use std::path::PathBuf;

use clap::Args;
use crisol::lang::{flatten, parse, print as print_model};

use super::dve::refuse_command;
use super::load::{read, show};
use super::{Failure, print};

#[derive(Args)]
pub struct Flatten {
    /// The model, a .csm file; - is standard input
    #[arg(value_name = "MODEL")]
    path: PathBuf,
}

impl Flatten {
    pub fn run(self) -> Result<u8, Failure> {
        refuse_command(&self.path, "flatten")?;
        let source = read(&self.path)?;
        let (file, diagnostics) = parse(source.text());
        let flat = match diagnostics.is_empty() {
            true => flatten(&file),
            false => Err(diagnostics),
        };
        let complain = |found: Vec<_>| Failure::Input(show(&source, &found));
        print(&print_model(&flat.map_err(complain)?));
        Ok(0)
    }
}
