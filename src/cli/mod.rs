//! What each subcommand does.

mod abstraction;
mod certify;
mod check;
mod count;
mod demo;
mod draw;
mod dve;
mod explain;
mod explore;
mod file;
mod flatten;
mod fmt;
mod generated;
mod graph;
mod help;
mod html;
mod limits;
mod load;
mod output;
mod page;
mod progress;
mod several;
mod simulate;
mod validate;

use std::io::Write;
use std::path::Path;

use clap::Subcommand;
use crisol::report::set_columns;

#[derive(Subcommand)]
pub enum Command {
    /// Check the properties of models; shows the shortest trace to what is wrong
    Check(check::Check),
    /// Print what a shell needs to complete commands and options
    Completions(generated::Completions),
    /// Explore all states of a model and count them, whatever is violated
    Count(count::Count),
    /// Write a small model with a bug in it, and tell what to do with it
    Demo(demo::Demo),
    /// Draw the state machines of a model
    Draw(draw::Draw),
    /// Explain an error or a warning by its code
    Explain(explain::Explain),
    /// Go through a model in the browser: step forwards, back and sideways, branch off a trace
    Explore(explore::Explore),
    /// Print a model with flat state machines of the same behaviour
    Flatten(flatten::Flatten),
    /// Print a model in its canonical form
    Fmt(fmt::Fmt),
    /// Tell about a command, or about a topic such as `language`
    Help(help::Help),
    /// Write the manual pages
    Man(generated::Man),
    /// Write the graph of all states of a small model
    Graph(graph::Graph),
    /// Run a model, at random, by hand, or along a trace
    Simulate(simulate::Simulate),
    /// Check a certificate that `crisol check --certify` has written
    Validate(validate::Validate),
}

/// Why a command could not do its work.
#[derive(Debug)]
pub enum Failure {
    /// What the user gave is not right; the message says what.
    Input(String),
    /// The model is not right.
    Model(load::Rejected),
    /// The program is not right.
    Internal(String),
}

/// What is said of a panic, whose own message is on the error stream already.
pub const PANICKED: &str = "it panicked, as said above";

impl Failure {
    pub fn exit_code(&self) -> u8 {
        match self {
            Failure::Input(_) | Failure::Model(_) => 3,
            Failure::Internal(_) => 4,
        }
    }

    pub fn message(&self) -> String {
        match self {
            Failure::Input(message) => message.clone(),
            Failure::Model(rejected) => rejected.shown.clone(),
            Failure::Internal(message) => format!(
                "crisol has a fault of its own: {message}. Please report it with the model."
            ),
        }
    }
}

impl Command {
    /// Does it; the result is the exit code.
    pub fn run(self) -> Result<u8, Failure> {
        set_columns(page::columns());
        match self {
            Command::Check(command) => command.run(),
            Command::Completions(command) => command.run(),
            Command::Count(command) => command.run(),
            Command::Demo(command) => command.run(),
            Command::Draw(command) => command.run(),
            Command::Explain(command) => command.run(),
            Command::Explore(command) => command.run(),
            Command::Flatten(command) => command.run(),
            Command::Fmt(command) => command.run(),
            Command::Help(command) => command.run(),
            Command::Man(command) => command.run(),
            Command::Graph(command) => command.run(),
            Command::Simulate(command) => command.run(),
            Command::Validate(command) => command.run(),
        }
    }
}

/// Writes to standard output; a reader that has gone away (`| head`) is no error.
fn print(text: &str) {
    let mut out = anstream::stdout().lock();
    let _ = out.write_all(text.as_bytes());
    let _ = out.flush();
}

/// Writes to a file, or to standard output where none is given.
fn write_out(path: Option<&Path>, text: &str) -> Result<(), Failure> {
    let Some(path) = path else {
        print(text);
        return Ok(());
    };
    file::write_whole(path, text.as_bytes())
}

/// Writes to standard error, under the same terms.
pub fn print_error(text: &str) {
    let mut out = anstream::stderr().lock();
    let _ = out.write_all(text.as_bytes());
}
