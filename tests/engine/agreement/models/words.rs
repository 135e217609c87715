//! What the parts of a model can speak of: signals, variables, classes and objects, drawn before
//! anything is written about them. All of it is small, so that the state spaces are.

use super::shape::Region;
use crate::agreement::random::Random;

pub struct Words {
    pub signals: Vec<Signal>,
    pub globals: Vec<Variable>,
    pub classes: Vec<Class>,
    pub objects: Vec<Object>,
    pub semantics: Semantics,
    pub environment: Environment,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Type {
    Int {
        low: i64,
        high: i64,
        wrap: bool,
    },
    /// Without bounds that matter: mostly small numbers are stored.
    Wide(&'static str),
    Bool,
    Colour,
    /// To an object of this class.
    Reference(usize),
}

pub struct Variable {
    pub name: String,
    pub ty: Type,
    /// Of an array.
    pub length: Option<usize>,
}

pub struct Signal {
    pub name: String,
    pub parameters: Vec<Type>,
    pub external: bool,
}

pub struct Class {
    pub name: String,
    pub variables: Vec<Variable>,
    pub machine: Region,
}

pub struct Object {
    pub name: String,
    pub class: usize,
    /// Of an array.
    pub length: Option<usize>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Semantics {
    Interleaving,
    RunToCompletion { threads: Threads, atomic: bool },
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Threads {
    /// One for each object.
    Own,
    /// One for all.
    One,
    /// The first objects share one.
    Shared,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Environment {
    Unsaid,
    Lazy,
    Eager,
}

pub const COLOURS: [&str; 3] = ["Red", "Green", "Blue"];

impl Words {
    pub fn draw(random: &mut Random) -> Words {
        let classes = *random.pick(&[1, 1, 2, 2, 2, 3]);
        let objects = objects(random, classes);
        // Many objects with many variables have too many states.
        let variables = if objects.len() > 2 { 1 } else { 2 };
        Words {
            signals: signals(random, classes),
            globals: draw_variables(random, "g", variables, classes),
            classes: (0..classes)
                .map(|number| class(random, number, variables, classes))
                .collect(),
            environment: environment(random, objects.len()),
            objects,
            semantics: semantics(random),
        }
    }

    pub fn runs_to_completion(&self) -> bool {
        self.semantics != Semantics::Interleaving
    }

    /// Inside a step that is taken as one nothing is seen.
    pub fn is_atomic(&self) -> bool {
        matches!(
            self.semantics,
            Semantics::RunToCompletion { atomic: true, .. }
        )
    }

    /// Every single object of a class, as it is named in expressions.
    pub fn objects_of(&self, class: usize) -> Vec<String> {
        let of_class = self.objects.iter().filter(|object| object.class == class);
        of_class.flat_map(Object::members).collect()
    }
}

impl Object {
    pub fn members(&self) -> Vec<String> {
        match self.length {
            None => vec![self.name.clone()],
            Some(length) => (0..length)
                .map(|index| format!("{}[{index}]", self.name))
                .collect(),
        }
    }
}

impl Type {
    /// Whether values of one can stand where the other is expected, if they fit.
    pub fn agrees(self, other: Type) -> bool {
        match (self, other) {
            (Type::Reference(one), Type::Reference(other)) => one == other,
            _ => {
                self.is_number() && other.is_number()
                    || std::mem::discriminant(&self) == std::mem::discriminant(&other)
            }
        }
    }

    pub fn is_number(self) -> bool {
        matches!(self, Type::Int { .. } | Type::Wide(_))
    }

    fn draw(random: &mut Random, classes: usize) -> Type {
        match random.below(10) {
            0 if random.percent(30) => Type::edge(random),
            0..=2 => Type::small(random, false),
            3..=4 => Type::small(random, true),
            5..=6 => Type::Bool,
            7 => Type::Colour,
            8 => Type::Wide(random.pick::<&str>(&["int", "nat", "integer", "wrap int"])),
            _ => Type::Reference(random.below(classes)),
        }
    }

    fn small(random: &mut Random, wrap: bool) -> Type {
        let low = random.between(-1, 1);
        let high = low + random.between(1, 2);
        Type::Int { low, high, wrap }
    }

    /// At the end of 31, 32, 33, 63 or 64 bits.
    fn edge(random: &mut Random) -> Type {
        let end = *random.pick(&[1 << 30, 1 << 31, 1 << 32, 1 << 62, i64::MAX]);
        let end = if random.percent(50) { end } else { -end - 1 };
        let low = end.saturating_sub(random.between(1, 2));
        let high = low.saturating_add(random.between(1, 2));
        let wrap = random.percent(50);
        Type::Int { low, high, wrap }
    }

    /// With few values: the environment tries them all.
    fn few(random: &mut Random, classes: usize) -> Type {
        match random.below(4) {
            0 => Type::Bool,
            1 => Type::Reference(random.below(classes)),
            _ => Type::Int {
                low: 0,
                high: 1,
                wrap: false,
            },
        }
    }
}

fn semantics(random: &mut Random) -> Semantics {
    if random.percent(45) {
        return Semantics::Interleaving;
    }
    let threads = *random.pick(&[Threads::Own, Threads::One, Threads::Shared]);
    let atomic = threads == Threads::One && random.percent(50);
    Semantics::RunToCompletion { threads, atomic }
}

/// Mostly lazy where there are many objects: an eager one puts every message into every inbox.
fn environment(random: &mut Random, objects: usize) -> Environment {
    if objects > 2 && random.percent(60) {
        return Environment::Lazy;
    }
    *random.pick(&[Environment::Unsaid, Environment::Lazy, Environment::Eager])
}

/// At least one object of each class.
fn objects(random: &mut Random, classes: usize) -> Vec<Object> {
    let count = classes.max(*random.pick(&[1, 2, 2, 2, 3]));
    let object = |number: usize| Object {
        name: format!("o{number}"),
        class: number % classes,
        length: (count < 3 && random.percent(25)).then_some(2),
    };
    (0..count).map(object).collect()
}

/// At least one of each kind.
fn signals(random: &mut Random, classes: usize) -> Vec<Signal> {
    let external = 1 + random.below(2);
    let internal = 1 + random.below(3);
    let mut signal = |name: String, external: bool| {
        let mut parameters = Vec::new();
        let most = if external { 1 } else { 2 };
        while parameters.len() < most && random.percent(35) {
            parameters.push(match external {
                true => Type::few(random, classes),
                false => Type::draw(random, classes),
            });
        }
        Signal {
            name,
            parameters,
            external,
        }
    };
    let mut all: Vec<Signal> = (0..external)
        .map(|number| signal(format!("E{number}"), true))
        .collect();
    all.extend((0..internal).map(|number| signal(format!("M{number}"), false)));
    all
}

fn class(random: &mut Random, number: usize, variables: usize, classes: usize) -> Class {
    let mut variables = draw_variables(random, "v", variables, classes);
    if random.percent(80) {
        // Someone to speak to.
        variables.push(Variable {
            name: "peer".to_owned(),
            ty: Type::Reference(random.below(classes)),
            length: None,
        });
    }
    Class {
        name: format!("K{number}"),
        variables,
        machine: Region::draw(random),
    }
}

fn draw_variables(random: &mut Random, prefix: &str, most: usize, classes: usize) -> Vec<Variable> {
    let count = random.below(most + 1);
    let variable = |number: usize| {
        let ty = Type::draw(random, classes);
        Variable {
            name: format!("{prefix}{number}"),
            ty,
            length: random
                .percent(if ty.is_number() { 35 } else { 20 })
                .then_some(2),
        }
    };
    (0..count).map(variable).collect()
}
