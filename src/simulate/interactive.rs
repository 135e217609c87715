//! A run by hand: choose the next step, go back, look around.

use std::io::{BufRead, Result, Write};

use super::{Chooser, Course};

const HELP: &str = "  1, 2, ...  make this step
  Enter      make the only step, if there is one only
  b          go back a step
  s          show states, inboxes and variables
  t          tell the whole run again
  r          make a random step
  w FILE     write the run to a file, as JSON, to be replayed
  q          quit
";

/// Reads commands until `q` or the end of the input. `save` writes a run to a file.
pub fn interact<C: Course>(
    simulation: &mut C,
    seed: u64,
    mut input: impl BufRead,
    mut output: impl Write,
    save: impl Fn(&C, &str) -> std::result::Result<(), String>,
) -> Result<()> {
    let mut chooser = Chooser::new(seed);
    start(simulation, &mut output)?;
    loop {
        let possible = simulation.possible();
        offer(simulation, &possible, &mut output)?;
        write!(output, "> ")?;
        output.flush()?;
        let mut line = String::new();
        if input.read_line(&mut line)? == 0 {
            return writeln!(output);
        }
        match line.trim() {
            "q" | "quit" => return Ok(()),
            "b" | "back" => {
                if !simulation.back() {
                    writeln!(output, "  this is the start")?;
                }
            }
            "s" | "show" => show(simulation, &mut output)?,
            "t" | "trace" => tell(simulation, &mut output)?,
            "r" | "random" if !possible.is_empty() => {
                let picked = chooser.below(possible.len());
                make(simulation, possible, picked, &mut output)?;
            }
            "" if possible.len() == 1 => make(simulation, possible, 0, &mut output)?,
            text => match (text.parse::<usize>(), text.strip_prefix("w ")) {
                (Ok(number), _) if (1..=possible.len()).contains(&number) => {
                    make(simulation, possible, number - 1, &mut output)?;
                }
                (_, Some(file)) => match save(simulation, file.trim()) {
                    Ok(()) => writeln!(output, "  written")?,
                    Err(why) => writeln!(output, "  not written: {why}")?,
                },
                _ => write!(output, "{HELP}")?,
            },
        }
    }
}

/// Where the system can come into being in one way only, it does so unasked.
fn start(simulation: &mut impl Course, output: &mut impl Write) -> Result<()> {
    let mut ways = simulation.possible();
    if ways.len() == 1 {
        simulation.take(ways.remove(0));
        tell(simulation, output)?;
    }
    Ok(())
}

fn make<C: Course>(
    simulation: &mut C,
    mut possible: Vec<C::Choice>,
    picked: usize,
    output: &mut impl Write,
) -> Result<()> {
    simulation.take(possible.swap_remove(picked));
    write_lines(output, &simulation.describe_last())
}

fn offer<C: Course>(simulation: &C, possible: &[C::Choice], output: &mut impl Write) -> Result<()> {
    if possible.is_empty() {
        return writeln!(output, "\nNothing can happen any more (b: back, q: quit).");
    }
    writeln!(output, "\nWhat can happen (h: help):")?;
    for (index, choice) in possible.iter().enumerate() {
        write_lines(output, &simulation.choice_line(index + 1, choice))?;
    }
    Ok(())
}

fn show(simulation: &impl Course, output: &mut impl Write) -> Result<()> {
    match simulation.state_lines() {
        Some(lines) => write_lines(output, &lines),
        None => writeln!(output, "  the last step failed: go back with b"),
    }
}

fn tell(simulation: &impl Course, output: &mut impl Write) -> Result<()> {
    (0..simulation.made()).try_for_each(|step| write_lines(output, &simulation.describe(step)))
}

fn write_lines(output: &mut impl Write, lines: &[String]) -> Result<()> {
    lines.iter().try_for_each(|line| writeln!(output, "{line}"))
}
