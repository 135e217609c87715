//! `crisol fmt`

use std::path::PathBuf;

use clap::Args;
use crisol::model::{parse, print as print_model};

use super::load::{read, show};
use super::{Failure, print};

#[derive(Args)]
pub struct Fmt {
    /// The models
    #[arg(value_name = "MODEL", required = true)]
    paths: Vec<PathBuf>,

    /// Write the result back to the file
    #[arg(short, long)]
    write: bool,

    /// Only say which files are not in canonical form; exit code 1 if there are any
    #[arg(long, conflicts_with = "write")]
    check: bool,
}

impl Fmt {
    pub fn run(self) -> Result<u8, Failure> {
        let mut differing = 0;
        for path in &self.paths {
            let source = read(path)?;
            let (file, diagnostics) = parse(source.text());
            if !diagnostics.is_empty() {
                return Err(Failure::Input(show(&source, &diagnostics)));
            }
            let printed = print_model(&file);
            let differs = printed != source.text();
            differing += usize::from(differs);
            if self.check {
                if differs {
                    print(&format!("{} is not in canonical form\n", source.name()));
                }
            } else if !self.write {
                print(&printed);
            } else if differs {
                std::fs::write(path, printed).map_err(|error| {
                    Failure::Input(format!("error: {}: {error}", source.name()))
                })?;
            }
        }
        Ok(u8::from(self.check && differing > 0))
    }
}
