//! `crisol simulate`

use clap::Args;

use super::Failure;

#[derive(Args)]
pub struct Simulate {}

impl Simulate {
    pub fn run(self) -> Result<u8, Failure> {
        Ok(0)
    }
}
