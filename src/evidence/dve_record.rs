//! Steps of DVE programs in the form that can be written down.

use super::record::{RecordError, StepRecord};
use crate::dve::{DveStep, Program};

impl StepRecord {
    /// `start`; `fire` for a transition of one process; `handshake` for two of them, the sender's first.
    pub fn of_dve(program: &Program, step: &DveStep) -> StepRecord {
        let fire = |(process, number): &(usize, usize)| StepRecord {
            event: "fire".to_owned(),
            object: Some(program.processes[*process].name.clone()),
            transitions: vec![*number as u32],
            ..StepRecord::default()
        };
        match &step.0[..] {
            [moved] => fire(moved),
            moves => StepRecord {
                event: if moves.is_empty() {
                    "start"
                } else {
                    "handshake"
                }
                .to_owned(),
                parts: moves.iter().map(fire).collect(),
                ..StepRecord::default()
            },
        }
    }

    pub fn to_dve(&self, program: &Program) -> Result<DveStep, RecordError> {
        let moves = match self.event.as_str() {
            "start" => Vec::new(),
            "fire" => vec![self.moved(program)?],
            "handshake" => {
                let parts = self.parts.iter().map(|part| part.moved(program));
                parts.collect::<Result<_, _>>()?
            }
            other => return Err(RecordError(format!("there is no event `{other}`"))),
        };
        Ok(DveStep(moves))
    }

    fn moved(&self, program: &Program) -> Result<(usize, usize), RecordError> {
        let name = self.object.as_deref().unwrap_or_default();
        let process = program.processes.iter().position(|p| p.name == name);
        let unknown = || RecordError(format!("the model has no process `{name}`"));
        let process = process.ok_or_else(unknown)?;
        let last = program.processes[process].transitions.len();
        match self.transitions[..] {
            [number] if (number as usize) < last => Ok((process, number as usize)),
            _ => Err(RecordError(format!("`{name}` has no such transition"))),
        }
    }
}
