//! Steps of DVE programs.

use crate::dve::{Program, Sync};

/// Who moved where: `P_0: NCS -> q1`, with the channel of a handshake.
pub fn dve_headline(program: &Program, transitions: &[(usize, usize)]) -> String {
    let moves = transitions.iter().map(|(process, number)| {
        let process = &program.processes[*process];
        let transition = &process.transitions[*number];
        let (from, to) = (
            &process.states[transition.from],
            &process.states[transition.to],
        );
        let sync = match &transition.sync {
            None => String::new(),
            Some(Sync::Send { channel, .. }) => format!(" ({}!)", program.channels[*channel].name),
            Some(Sync::Receive { channel, .. }) => {
                format!(" ({}?)", program.channels[*channel].name)
            }
        };
        format!("{}: {} -> {}{sync}", process.name, from.name, to.name)
    });
    let moves: Vec<String> = moves.collect();
    if moves.is_empty() {
        "the system starts".to_owned()
    } else {
        moves.join(", ")
    }
}
