//! Text: what is read, what is refused and how it is said, and what is printed.

mod explanations;
mod flatten;
mod hostile_syntax;
mod model_errors;
mod round_trip;
mod source_files;
mod syntax_errors;
