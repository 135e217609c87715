//! What a check leaves behind: certificates, and results in the formats of other programs.

mod certificates;
mod formats;
