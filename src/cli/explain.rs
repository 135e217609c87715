//! `crisol explain`

use anstyle::Style;
use clap::Args;
use crisol::lang::{CODES, Example, Explanation, explanation, nearest};

use super::page::{lay_out, width};
use super::{Failure, print};

#[derive(Args)]
pub struct Explain {
    /// Codes of errors and warnings, such as E101; without any, all are listed
    #[arg(value_name = "CODE")]
    codes: Vec<String>,
}

impl Explain {
    pub fn run(self) -> Result<u8, Failure> {
        if self.codes.is_empty() {
            print(&all());
            return Ok(0);
        }
        let found = self.codes.iter().map(|code| find(code));
        let found = found.collect::<Result<Vec<Explanation>, Failure>>()?;
        let shown: Vec<String> = found.iter().map(show).collect();
        print(&shown.join("\n"));
        Ok(0)
    }
}

fn find(code: &str) -> Result<Explanation, Failure> {
    explanation(&code.to_ascii_uppercase()).ok_or_else(|| {
        let codes = CODES.iter().map(|(code, _)| *code);
        let near = nearest(&code.to_ascii_uppercase(), codes);
        let near = near.map(|near| format!("did you mean `{near}`? "));
        Failure::Input(format!(
            "error: there is no code `{code}`\nhelp: {}`crisol explain` lists all",
            near.unwrap_or_default()
        ))
    })
}

fn all() -> String {
    let lines = CODES
        .iter()
        .map(|(code, meaning)| lay_out(&format!("- {code}: {meaning}"), width()));
    lines.collect()
}

fn show(explanation: &Explanation) -> String {
    let bold = Style::new().bold();
    let Explanation { code, meaning, .. } = explanation;
    format!(
        "{bold}{code}: {meaning}{bold:#}\n\n{}\n{}\n{}",
        lay_out(explanation.text, width()),
        block("Wrong", &explanation.wrong),
        block("Right", &explanation.right)
    )
}

fn block(title: &str, example: &Example) -> String {
    let how = match example.arguments {
        "" => String::new(),
        "flatten" => ", for crisol flatten".to_owned(),
        arguments => format!(", with {arguments}"),
    };
    lay_out(
        &format!("{title}{how}:\n\n```\n{}```", example.model),
        width(),
    )
}
