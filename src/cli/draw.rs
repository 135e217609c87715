//! `crisol draw`

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use crisol::draw;
use crisol::dve::drawn;
use crisol::lang::{ClassId, Model, nearest};

use super::dve::{is_dve, load};
use super::load::Input;
use super::{Failure, write_out};

#[derive(Args)]
pub struct Draw {
    #[command(flatten)]
    input: Input,

    /// What to write
    #[arg(long, value_enum, default_value_t = Format::Svg)]
    format: Format,

    /// Draw this class; may be given several times. Without it, all classes
    #[arg(long = "class", value_name = "NAME")]
    classes: Vec<String>,

    /// Write to this file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Format {
    /// A picture
    Svg,
    /// For Graphviz
    Dot,
    /// For PlantUML
    Plantuml,
    /// For Mermaid, which many web pages show
    Mermaid,
}

impl Draw {
    pub fn run(self) -> Result<u8, Failure> {
        let Input { path, reading } = &self.input;
        let model = match is_dve(path) {
            true => {
                let (source, program) = load(path, reading)?;
                drawn(&program, &source)
            }
            false => self.input.load()?.1,
        };
        let classes = self.chosen(&model)?;
        let drawing = match self.format {
            Format::Svg => draw::svg(&model, &classes),
            Format::Dot => draw::dot(&model, &classes),
            Format::Plantuml => draw::plantuml(&model, &classes),
            Format::Mermaid => draw::mermaid(&model, &classes),
        };
        write_out(self.output.as_deref(), &drawing)?;
        Ok(0)
    }

    fn chosen(&self, model: &Model) -> Result<Vec<ClassId>, Failure> {
        let all = (0..model.classes.len()).map(ClassId::new);
        if self.classes.is_empty() {
            return Ok(all.collect());
        }
        let named = self.classes.iter().map(|name| class_named(model, name));
        named.collect()
    }
}

fn class_named(model: &Model, name: &str) -> Result<ClassId, Failure> {
    let names = || model.classes.iter().map(|class| class.name.as_str());
    if let Some(index) = names().position(|class| class == name) {
        return Ok(ClassId::new(index));
    }
    let help = match nearest(name, names()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("there are: {}", names().collect::<Vec<_>>().join(", ")),
    };
    Err(Failure::Input(format!("error: no class `{name}`: {help}")))
}
