//! Random small models in which everything that the semantics knows occurs.
//!
//! A model is written as text: what is drawn is drawn so that the checker accepts nearly all of it,
//! and what it does not accept is drawn again.

mod declarations;
mod expressions;
mod machine;
mod properties;
mod settings;
mod shape;
mod statements;
mod transitions;
mod words;
mod writer;

use crate::agreement::random::Random;
use words::Words;
use writer::Writer;

/// The text of a model, which is not sure to be right.
pub fn draw(random: &mut Random) -> String {
    let words = Words::draw(random);
    let mut writer = Writer::new(&words, random);
    let parts = [
        writer.declarations(),
        writer.settings(),
        writer.properties(),
    ];
    parts.concat()
}
