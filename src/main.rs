//! The command line, nothing else.
//!
//! Exit codes: 0 all properties hold, 1 a property is violated, 2 unknown, 3 bad input or usage,
//! 4 internal error.

mod command;

use std::process::ExitCode;

use clap::Parser;
use command::{Command, Failure, print_error};

/// Proves or refutes properties of systems of communicating state machines.
#[derive(Parser)]
#[command(version, max_term_width = 80, after_help = AFTER_HELP)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const AFTER_HELP: &str = "Exit codes: 0 all properties hold, 1 a property is violated, \
2 unknown, 3 bad input or usage, 4 internal error.";

const BAD_INPUT: u8 = 3;
const INTERNAL_ERROR: u8 = 4;

fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(answer) => {
            let code = if answer.use_stderr() { BAD_INPUT } else { 0 };
            let _ = answer.print(); // nobody is left to tell if this fails
            return ExitCode::from(code);
        }
    };
    let result = std::panic::catch_unwind(|| arguments.command.run());
    match result {
        Ok(Ok(code)) => ExitCode::from(code),
        Ok(Err(Failure::Input(message))) => complain(&message, BAD_INPUT),
        Ok(Err(Failure::Internal(message))) => complain(&internal(&message), INTERNAL_ERROR),
        Err(_) => complain(&internal("it panicked, as said above"), INTERNAL_ERROR),
    }
}

fn complain(message: &str, code: u8) -> ExitCode {
    if !message.is_empty() {
        print_error(&format!("{}\n", message.trim_end()));
    }
    ExitCode::from(code)
}

fn internal(message: &str) -> String {
    format!("crisol has a fault of its own: {message}. Please report it with the model.")
}
