//! The command line, nothing else.
//!
//! Exit codes: 0 all properties hold, 1 a property is violated, 2 unknown, 3 bad input or usage,
//! 4 internal error.

mod cli;

use std::process::ExitCode;

use clap::Parser;
use cli::{Command, Failure, PANICKED, print_error};

/// Proves or refutes properties of systems of communicating state machines.
#[derive(Parser)]
#[command(version, max_term_width = 80, after_help = AFTER_HELP, disable_help_subcommand = true)]
struct Arguments {
    /// When there are colours; `auto`: on a terminal, unless NO_COLOR is set
    #[arg(
        long,
        global = true,
        value_name = "WHEN",
        default_value = "auto",
        hide_possible_values = true,
        display_order = 1000
    )]
    color: clap::ColorChoice,

    #[command(subcommand)]
    command: Command,
}

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const AFTER_HELP: &str = "Exit codes: 0 all properties hold, 1 a property is violated, \
2 unknown, 3 bad input or usage, 4 internal error.\n\nA model to begin with: crisol demo. \
More to read: crisol help topics.";

const BAD_USAGE: u8 = 3;

fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(answer) => {
            let code = if answer.use_stderr() { BAD_USAGE } else { 0 };
            let _ = answer.print(); // nobody is left to tell if this fails
            return ExitCode::from(code);
        }
    };
    colour(arguments.color);
    let result = std::panic::catch_unwind(|| arguments.command.run());
    let result = result.unwrap_or_else(|_| Err(Failure::Internal(PANICKED.to_owned())));
    ExitCode::from(result.unwrap_or_else(complain))
}

/// All that is printed goes through streams that keep to this.
fn colour(choice: clap::ColorChoice) {
    let choice = match choice {
        clap::ColorChoice::Auto => anstream::ColorChoice::Auto,
        clap::ColorChoice::Always => anstream::ColorChoice::Always,
        clap::ColorChoice::Never => anstream::ColorChoice::Never,
    };
    choice.write_global();
}

fn complain(failure: Failure) -> u8 {
    let message = failure.message();
    if !message.is_empty() {
        print_error(&format!("{}\n", message.trim_end()));
    }
    failure.exit_code()
}
