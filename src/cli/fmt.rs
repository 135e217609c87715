//! `crisol fmt`

use std::path::{Path, PathBuf};

use clap::Args;
use crisol::lang::{parse, print as print_model};

use super::dve::refuse_command;
use super::file::write_whole;
use super::load::{is_standard_input, read, show};
use super::{Failure, print};

#[derive(Args)]
pub struct Fmt {
    /// The models, .csm files; - is standard input
    #[arg(value_name = "MODEL", required = true)]
    paths: Vec<PathBuf>,

    /// Write the result back to the file; that of standard input is printed
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
            differing += usize::from(self.differs(path)?);
        }
        Ok(u8::from(self.check && differing > 0))
    }

    /// Prints, compares or rewrites one model; whether it was in another form.
    fn differs(&self, path: &Path) -> Result<bool, Failure> {
        refuse_command(path, "fmt")?;
        let source = read(path)?;
        let (file, diagnostics) = parse(source.text());
        if !diagnostics.is_empty() {
            return Err(Failure::Input(show(&source, &diagnostics)));
        }
        let printed = print_model(&file);
        let differs = printed != source.text();
        if self.check {
            if differs {
                print(&format!("{} is not in canonical form\n", source.name()));
            }
        } else if !self.write || is_standard_input(path) {
            print(&printed);
        } else if differs {
            write_whole(path, printed.as_bytes())?;
        }
        Ok(differs)
    }
}
