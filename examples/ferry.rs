//! A farmer wants to cross a river with a wolf, a goat and a cabbage. The boat takes one of them at a time; and
//! what eats what, as soon as the farmer looks away, is well known. `cargo run --example ferry` finds the way.

use std::fmt;

use crisol::{Checker, Error, Label, LabelId, System, Transition};

/// The puzzle itself has nothing to remember: all that changes is in the state.
pub struct Ferry;

/// Who has crossed the river.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Banks {
    farmer: bool,
    wolf: bool,
    goat: bool,
    cabbage: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Move {
    Begin,
    Alone,
    With(Passenger),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Passenger {
    Wolf,
    Goat,
    Cabbage,
}

const ALL_ACROSS: LabelId = LabelId(0);
const SOMEBODY_EATEN: LabelId = LabelId(1);

impl System for Ferry {
    type State = Banks;
    type Action = Move;

    fn initial(&self) -> Vec<Transition<Banks, Move>> {
        vec![Transition::new(Move::Begin, Banks::default())]
    }

    fn successors(&self, banks: &Banks) -> Vec<Transition<Banks, Move>> {
        use Passenger::{Cabbage, Goat, Wolf};
        let moves = [
            Move::Alone,
            Move::With(Wolf),
            Move::With(Goat),
            Move::With(Cabbage),
        ];
        let possible = moves.into_iter().filter_map(|crossing| {
            let after = banks.after(crossing)?;
            Some(Transition::new(crossing, after))
        });
        possible.collect()
    }

    /// Never are all across: whoever shows that to be wrong has solved the puzzle.
    fn labels(&self) -> Vec<Label> {
        vec![Label::never("all_across"), Label::never("somebody_eaten")]
    }

    fn label(&self, label: LabelId, banks: &Banks) -> bool {
        match label {
            ALL_ACROSS => banks.farmer && banks.wolf && banks.goat && banks.cabbage,
            SOMEBODY_EATEN => banks.is_somebody_eaten(),
            _ => unreachable!("there are two labels"),
        }
    }
}

impl Banks {
    /// None if the passenger is on the other bank, or somebody would be eaten.
    fn after(mut self, crossing: Move) -> Option<Banks> {
        let from = self.farmer;
        self.farmer = !from;
        if let Move::With(passenger) = crossing {
            let place = match passenger {
                Passenger::Wolf => &mut self.wolf,
                Passenger::Goat => &mut self.goat,
                Passenger::Cabbage => &mut self.cabbage,
            };
            if *place != from {
                return None;
            }
            *place = !from;
        }
        (!self.is_somebody_eaten()).then_some(self)
    }

    fn is_somebody_eaten(&self) -> bool {
        self.goat != self.farmer && (self.goat == self.wolf || self.goat == self.cabbage)
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Move::Begin => f.write_str("all are on this bank"),
            Move::Alone => f.write_str("the farmer crosses alone"),
            Move::With(passenger) => {
                let name = format!("{passenger:?}").to_lowercase();
                write!(f, "the farmer takes the {name}")
            }
        }
    }
}

/// Who is on the other bank.
impl fmt::Display for Banks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all = [
            (self.farmer, "farmer"),
            (self.wolf, "wolf"),
            (self.goat, "goat"),
            (self.cabbage, "cabbage"),
        ];
        let across = all.iter().filter(|(is_across, _)| *is_across);
        let across: Vec<&str> = across.map(|(_, name)| *name).collect();
        write!(f, "across: {}", across.join(", "))
    }
}

/// The shortest way, in words.
pub fn solve() -> Result<String, Error> {
    let report = Checker::new(&Ferry).run()?;
    let trace = report
        .verdict("all_across")
        .and_then(|verdict| verdict.trace());
    Ok(trace.map_or("there is no way\n".to_owned(), |trace| trace.to_string()))
}

fn main() -> Result<(), Error> {
    print!("{}", solve()?);
    Ok(())
}
