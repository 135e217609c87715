//! Example 3.1 of Ojala's thesis: four assignments in a row, then an assertion.

use crate::independent::expected::judge;
use crate::independent::walk::{Step, System, walk};

struct Example;

/// The place of the machine, 1 to 5, and the six variables.
type State = (u8, [i32; 6]);

impl System for Example {
    type State = State;

    fn initial(&self) -> State {
        (1, [1, -2, 5, 0, 0, 0])
    }

    fn steps(&self, &(place, mut var): &State) -> Vec<Step<State>> {
        match place {
            1 => var[3] = (var[0] + var[1]) - var[2],
            2 => var[4] = var[3] - var[2],
            3 => var[5] = var[0] + var[2],
            4 if var[4] >= var[5] => return vec![Step::Fault("assertion_failure")],
            4 => {}
            _ => return Vec::new(),
        }
        vec![Step::To((place + 1, var))]
    }

    fn may_rest(&self, state: &State) -> bool {
        state.0 == 5
    }
}

#[test]
fn example() {
    judge("ojala/example", |_| walk(&Example));
}
