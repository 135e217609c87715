//! Documents that are run: files and commands in their blocks, and what the commands print.
//!
//! A block whose first line is "```csm door.csm" is a file. In a `console` block each line `$ crisol ...`
//! is run, in order, in one folder for each document; the lines below it are what it prints. A line
//! `...` stands for any lines. What changes from run to run (times, memory) is made the same first.

use std::path::{Path, PathBuf};
use std::process::Command;

#[derive(Debug, Default)]
pub struct Block {
    /// What stands behind the three quotes.
    pub info: String,
    pub lines: Vec<String>,
    /// The number of its first line in the document, from 0.
    pub start: usize,
}

pub fn blocks(text: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut open: Option<Block> = None;
    for (number, line) in text.lines().enumerate() {
        match (line.strip_prefix("```"), &mut open) {
            (Some(info), None) => {
                open = Some(Block {
                    info: info.to_owned(),
                    start: number + 1,
                    ..Block::default()
                });
            }
            (Some(_), Some(_)) => blocks.extend(open.take()),
            (None, Some(block)) => block.lines.push(line.to_owned()),
            (None, None) => {}
        }
    }
    blocks
}

/// A command of a `console` block and what it is said to print.
#[derive(Debug)]
pub struct Prompt {
    pub command: String,
    /// The numbers of its lines of output in the document: from, to.
    pub output: (usize, usize),
    pub shown: Vec<String>,
}

pub fn prompts(block: &Block) -> Vec<Prompt> {
    let mut prompts: Vec<Prompt> = Vec::new();
    for (index, line) in block.lines.iter().enumerate() {
        let after = block.start + index + 1;
        match (line.strip_prefix("$ "), prompts.last_mut()) {
            (Some(command), _) => prompts.push(Prompt {
                command: command
                    .split("  #")
                    .next()
                    .unwrap_or_default()
                    .trim()
                    .to_owned(),
                output: (after, after),
                shown: Vec::new(),
            }),
            (None, Some(prompt)) => {
                prompt.shown.push(line.clone());
                prompt.output.1 = after;
            }
            (None, None) => {}
        }
    }
    prompts
}

/// Where the commands of a document run.
pub struct Session {
    folder: PathBuf,
    last_code: i32,
}

impl Session {
    /// An empty folder beside which the shipped models lie.
    pub fn new(name: &str) -> Session {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = std::fs::remove_dir_all(&folder); // there may be none
        std::fs::create_dir_all(&folder).expect("a folder");
        copy(
            &Path::new(env!("CARGO_MANIFEST_DIR")).join("models"),
            &folder.join("models"),
        );
        Session {
            folder,
            last_code: 0,
        }
    }

    pub fn write(&self, name: &str, lines: &[String]) {
        let path = self.folder.join(name);
        std::fs::write(path, lines.join("\n") + "\n").expect("a file");
    }

    /// What a command prints; `None` for those that are not ours.
    pub fn run(&mut self, command: &str) -> Option<Vec<String>> {
        if command == "echo $?" {
            return Some(vec![self.last_code.to_string()]);
        }
        if let Some(file) = command.strip_prefix("cat ") {
            let text = std::fs::read_to_string(self.folder.join(file)).expect(file);
            return Some(text.lines().map(str::to_owned).collect());
        }
        let arguments = words(command.strip_prefix("crisol ")?);
        let output = Command::new(env!("CARGO_BIN_EXE_crisol"))
            .args(arguments)
            .current_dir(&self.folder)
            .env("NO_COLOR", "1")
            .env_remove("COLUMNS")
            .output()
            .expect("a run");
        self.last_code = output.status.code().unwrap_or(-1);
        let printed = [output.stderr, output.stdout].concat();
        let printed = String::from_utf8(printed).expect("text");
        let lines = printed.trim_end().lines();
        Some(
            lines
                .filter(|line| !is_progress(line))
                .map(normal)
                .collect(),
        )
    }

    pub fn last_code(&self) -> i32 {
        self.last_code
    }
}

/// What is said while a search takes long, which depends on the machine.
fn is_progress(line: &str) -> bool {
    line.starts_with("exploring: ")
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("a folder");
    for entry in std::fs::read_dir(from).expect("a folder").flatten() {
        let (path, target) = (entry.path(), to.join(entry.file_name()));
        match path.is_dir() {
            true => copy(&path, &target),
            false => _ = std::fs::copy(&path, &target).expect("a copy"),
        }
    }
}

/// The words of a command; quotes hold several together.
fn words(command: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quoted = false;
    for letter in command.chars() {
        match letter {
            '"' => quoted = !quoted,
            ' ' if !quoted => words.push(String::new()),
            other => words.last_mut().expect("a word").push(other),
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// A line with its times and sizes of memory as `0.01 s` and `20 MB`.
pub fn normal(line: &str) -> String {
    match line.split_whitespace().next() {
        Some("seconds") => return "  seconds              0.01".to_owned(),
        Some("memory") => return "  memory              20 MB".to_owned(),
        _ => {}
    }
    let mut words: Vec<String> = line.split(' ').map(str::to_owned).collect();
    for index in 1..words.len() {
        let unit = words[index].trim_end_matches([',', ';', '.']).to_owned();
        let is_number = words[index - 1].parse::<f64>().is_ok();
        match unit.as_str() {
            "s" if is_number => words[index - 1] = "0.01".to_owned(),
            "MB" | "GB" if is_number => words[index - 1] = "20".to_owned(),
            _ => {}
        }
    }
    words.join(" ")
}

/// Whether what is shown is what was printed; `...` stands for any lines.
pub fn matches(shown: &[String], printed: &[String]) -> bool {
    match shown.split_first() {
        None => printed.is_empty(),
        Some((line, rest)) if line.trim() == "..." => {
            (0..=printed.len()).any(|skipped| matches(rest, &printed[skipped..]))
        }
        Some((line, rest)) => {
            let same = printed.first().is_some_and(|first| normal(line) == *first);
            same && matches(rest, &printed[1..])
        }
    }
}
