//! `crisol explore`

use std::path::PathBuf;

use clap::Args;
use crisol::web::{Server, Start, start_of};

use super::dve::refuse_command;
use super::load::Input;
use super::{Failure, print};

#[derive(Args)]
#[command(after_help = "DVE models can't be explored yet: `crisol simulate` goes through them.")]
pub struct Explore {
    #[command(flatten)]
    input: Input,

    /// Begin with the counterexamples in this file, which `check --json` has written
    #[arg(long, value_name = "FILE")]
    trace: Option<PathBuf>,

    /// Serve the page on this port [default: any that is free]
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    port: u16,
}

impl Explore {
    pub fn run(self) -> Result<u8, Failure> {
        refuse_command(&self.input.path, "explore")?;
        let (source, model) = self.input.load()?;
        let start = self.start(source.name())?;
        let failed = |error: crisol::web::ServeError| Failure::Input(format!("error: {}", error.0));
        let server = Server::open(self.port).map_err(failed)?;
        // Without the handler Ctrl-C just ends the program: no reason to refuse to work.
        let _ = ctrlc::set_handler(server.stopper());
        print(&format!("{}\n(Ctrl-C ends it)\n", server.address()));
        server.run(&source, &model, start);
        Ok(0)
    }

    fn start(&self, model: &str) -> Result<Start, Failure> {
        let Some(path) = &self.trace else {
            return Ok(Start::default());
        };
        let bad = |why: String| Failure::Input(format!("error: {}: {why}", path.display()));
        let text = std::fs::read_to_string(path).map_err(|error| bad(error.to_string()))?;
        start_of(&text, model).map_err(bad)
    }
}
