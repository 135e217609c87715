//! `crisol completions` and `crisol man`: what is made from the command line itself, so that it can't
//! tell anything else.

use std::path::PathBuf;

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use super::file::unwritable;
use super::{Failure, print};
use crate::Arguments;

#[derive(Args)]
#[command(after_help = HOW_TO_INSTALL)]
pub struct Completions {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

const HOW_TO_INSTALL: &str = "\
For example:
  source <(crisol completions bash)    in ~/.bashrc
  crisol completions fish > ~/.config/fish/completions/crisol.fish
  crisol completions zsh > _crisol, in a folder of $fpath";

impl Completions {
    pub fn run(self) -> Result<u8, Failure> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Arguments::command(), "crisol", &mut script);
        print(&String::from_utf8_lossy(&script));
        Ok(0)
    }
}

#[derive(Args)]
pub struct Man {
    /// Where the pages are written to, such as ~/.local/share/man/man1
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
}

impl Man {
    pub fn run(self) -> Result<u8, Failure> {
        let failed = |error: std::io::Error| unwritable(&self.folder, &error);
        std::fs::create_dir_all(&self.folder).map_err(failed)?;
        clap_mangen::generate_to(Arguments::command(), &self.folder).map_err(failed)?;
        Ok(0)
    }
}
