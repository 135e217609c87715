//! One self-contained page: style, machines, data and script in one file.
//!
//! Invariant: whatever the model's text and names are, only the script that is part of this program
//! runs. Text goes into elements escaped, data without a single `<`, and the policy names the hash of
//! the one script.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::Serialize;
use sha2::{Digest, Sha256};

use super::machines::machines;
use crate::draw;
use crate::lang::Model;

const STYLE: &str = include_str!("style.css");

/// What both pages are made of.
const PARTS: [&str; 9] = [
    include_str!("elements.js"),
    include_str!("theme.js"),
    include_str!("run.js"),
    include_str!("chart.js"),
    include_str!("story.js"),
    include_str!("objects.js"),
    include_str!("source.js"),
    include_str!("details.js"),
    include_str!("stepper.js"),
];

/// Of a page by itself.
pub const REPORT: [&str; 3] = [
    include_str!("rounds.js"),
    include_str!("course.js"),
    include_str!("report.js"),
];

/// What differs between pages.
pub struct Page<'a> {
    pub title: &'a str,
    /// The first that is seen, also where no script runs. Must be escaped.
    pub heading: String,
    pub script: &'a [&'a str],
    /// May ask the server that it came from.
    pub asks: bool,
}

impl Page<'_> {
    pub fn with(&self, model: &Model, data: &impl Serialize) -> Result<String, serde_json::Error> {
        let style = format!("{STYLE}\n{}", draw::STYLE);
        let script = self.script();
        let policy = self.policy(&style, &script);
        let title = escape(self.title);
        let heading = &self.heading;
        let machines = machines(model);
        let data = serde_json::to_string(data)?.replace('<', "\\u003c");
        Ok(format!(
            r#"<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
{heading}
<main id="main"><noscript><p class="note">The rest of this page needs JavaScript.</p></noscript></main>
{machines}
<script type="application/json" id="data">{data}</script>
<script>{script}</script>
</body>
</html>
"#
        ))
    }

    fn script(&self) -> String {
        let parts = PARTS.iter().chain(self.script);
        let parts: Vec<&str> = parts.copied().collect();
        format!("\"use strict\";\n(() => {{\n{}\n}})();", parts.join("\n"))
    }

    fn policy(&self, style: &str, script: &str) -> String {
        let asks = if self.asks {
            "connect-src 'self'; "
        } else {
            ""
        };
        format!(
            "default-src 'none'; {asks}script-src 'sha256-{}'; style-src 'sha256-{}'; \
             base-uri 'none'; form-action 'none'",
            hash(script),
            hash(style)
        )
    }
}

fn hash(text: &str) -> String {
    STANDARD.encode(Sha256::digest(text))
}

/// Text that may stand between tags and in attributes.
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            other => escaped.push(other),
        }
    }
    escaped
}
