//! `crisol help`: commands, and topics that belong to none.

use clap::{Args, CommandFactory, Parser};
use crisol::lang::nearest;

use super::page::{lay_out, width};
use super::{Failure, print};
use crate::Arguments;

#[derive(Args)]
pub struct Help {
    /// A command or a topic; `topics` lists the topics
    #[arg(value_name = "NAME")]
    name: Option<String>,
}

/// The name of each topic, what it is about in a line, and its text.
const TOPICS: &[(&str, &str, &str)] = &[
    (
        "language",
        "how models are written",
        include_str!("topics/language.md"),
    ),
    (
        "properties",
        "what is checked, and what you can ask",
        include_str!("topics/properties.md"),
    ),
    (
        "abstraction",
        "numbers too many to look at",
        include_str!("topics/abstraction.md"),
    ),
    (
        "limits",
        "large models: time, memory, threads",
        include_str!("topics/limits.md"),
    ),
    (
        "formats",
        "results for programs: json, junit, sarif, github",
        include_str!("topics/formats.md"),
    ),
    (
        "certificates",
        "verdicts that need not be trusted",
        include_str!("topics/certificates.md"),
    ),
    (
        "exit-codes",
        "what the shell is told",
        include_str!("topics/exit-codes.md"),
    ),
];

impl Help {
    pub fn run(self) -> Result<u8, Failure> {
        let program = Arguments::command();
        let name = self.name.as_deref();
        let is_command = |name: &str| program.find_subcommand(name).is_some();
        match name {
            Some(name) if !is_command(name) => print(&topic(name, &program)?),
            command => print(&help_on(command)),
        }
        Ok(0)
    }
}

/// What `--help` says.
fn help_on(command: Option<&str>) -> String {
    let asked = ["crisol"].into_iter().chain(command).chain(["--help"]);
    match Arguments::try_parse_from(asked) {
        Err(answer) => answer.render().ansi().to_string(),
        Ok(_) => String::new(), // help is never a command to run
    }
}

fn topic(name: &str, program: &clap::Command) -> Result<String, Failure> {
    if name == "topics" {
        return Ok(list());
    }
    let found = TOPICS.iter().find(|(topic, ..)| *topic == name);
    let (_, _, text) = found.ok_or_else(|| unknown(name, program))?;
    Ok(lay_out(text, width()))
}

fn list() -> String {
    let lines = TOPICS
        .iter()
        .map(|(name, about, _)| format!("  crisol help {name:<12} {about}\n"));
    let codes = "  crisol explain CODE      an error or a warning, such as E101\n";
    lines.collect::<String>() + codes
}

fn unknown(name: &str, program: &clap::Command) -> Failure {
    let commands = program.get_subcommands().map(clap::Command::get_name);
    let topics = TOPICS.iter().map(|(topic, ..)| *topic);
    let known = commands.chain(topics).chain(["topics"]);
    let hint = match nearest(name, known) {
        Some(near) => format!("did you mean `crisol help {near}`?"),
        None => "`crisol help` lists commands, `crisol help topics` topics".to_owned(),
    };
    Failure::Input(format!(
        "error: there is no command or topic `{name}`\nhelp: {hint}"
    ))
}
