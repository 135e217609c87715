//! `crisol demo`: a model with a bug to begin with.

use std::fs::OpenOptions;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use clap::Args;

use super::file::unwritable;
use super::{Failure, print};

#[derive(Args)]
pub struct Demo {
    /// Where the model is written to; the folder is made if there is none
    #[arg(value_name = "FOLDER", default_value = ".")]
    folder: PathBuf,
}

const MODEL: &str = include_str!("demo/demo.csm");
/// What is wrong in the model, and what is right.
const WRONG: &str = "[free >= 0]";
const RIGHT: &str = "[free > 0]";

impl Demo {
    pub fn run(self) -> Result<u8, Failure> {
        let path = match self.folder == Path::new(".") {
            true => PathBuf::from("demo.csm"),
            false => self.folder.join("demo.csm"),
        };
        std::fs::create_dir_all(&self.folder).map_err(|error| unwritable(&path, &error))?;
        write_new(&path)?;
        print(&what_next(&path));
        Ok(0)
    }
}

/// Nothing that is there already is overwritten.
fn write_new(path: &Path) -> Result<(), Failure> {
    let created = OpenOptions::new().write(true).create_new(true).open(path);
    let written = created.and_then(|mut file| file.write_all(MODEL.as_bytes()));
    written.map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => {
            let path = path.display();
            Failure::Input(format!(
                "error: {path} is there already, and stays as it is\nhelp: crisol demo FOLDER writes it elsewhere"
            ))
        }
        _ => unwritable(path, &error),
    })
}

fn what_next(path: &Path) -> String {
    let line = MODEL.lines().position(|line| line.contains(WRONG));
    let line = line.map_or(0, |index| index + 1);
    let path = path.display().to_string();
    // As a shell takes it.
    let path = match path.contains(|c: char| !c.is_ascii_alphanumeric() && !"/._-".contains(c)) {
        true => format!("'{}'", path.replace('\'', r"'\''")),
        false => path,
    };
    format!(
        "{path} is a ticket office that sells a seat too many.

  crisol check {path}
      shows how, step by step
  crisol simulate {path}
      lets you go there yourself: choose steps, go back, look around
  crisol check {path} --property deadlock
      checks one property only

Then put it right: in line {line} write {RIGHT} for {WRONG}, and check again.
All properties hold then.

crisol help language tells how models are written.
"
    )
}
