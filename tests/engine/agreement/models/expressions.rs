//! Random expressions of a given type.

use super::words::{COLOURS, Type};
use super::writer::Writer;

/// How many operators stand inside each other.
const DEPTH: usize = 2;

impl Writer<'_> {
    pub fn condition(&mut self) -> String {
        self.boolean(DEPTH)
    }

    /// An expression of a type, whose value may not fit.
    pub fn value(&mut self, ty: Type) -> String {
        self.expr(ty, DEPTH)
    }

    /// An expression of a type, whose value mostly fits.
    pub fn fitting(&mut self, ty: Type) -> String {
        match ty {
            Type::Int {
                low,
                high,
                wrap: false,
            } if self.percent(80) => self.within(ty, low, high),
            Type::Wide(_) => format!("{} % 3", self.atom(ty)),
            _ => self.value(ty),
        }
    }

    fn within(&mut self, ty: Type, low: i64, high: i64) -> String {
        match (self.random.below(3), self.place(ty)) {
            (0, Some(place)) => {
                format!("({place} >= {low} && {place} < {high} ? {place} + 1 : {low})")
            }
            (1, _) if self.may_choose => format!("choose({low}..{high})"),
            _ => self.random.between(low, high).to_string(),
        }
    }

    fn expr(&mut self, ty: Type, depth: usize) -> String {
        match ty {
            _ if depth == 0 => self.atom(ty),
            Type::Bool => self.boolean(depth),
            _ if self.percent(10) => self.either(ty, depth),
            Type::Int { .. } | Type::Wide(_) => self.number(ty, depth),
            Type::Colour | Type::Reference(_) => self.atom(ty),
        }
    }

    /// One of two values: as the model, or the run, decides.
    fn either(&mut self, ty: Type, depth: usize) -> String {
        let (one, other) = (self.expr(ty, depth - 1), self.expr(ty, depth - 1));
        if self.may_choose && self.percent(50) {
            return format!("choose {{ {one}, {other} }}");
        }
        format!("({} ? {one} : {other})", self.boolean(depth - 1))
    }

    fn number(&mut self, ty: Type, depth: usize) -> String {
        let left = self.expr(ty, depth - 1);
        let right = self.expr(ty, depth - 1);
        match self.random.below(24) {
            0..=9 => format!("({left} + {right})"),
            10..=13 => format!("({left} - {right})"),
            14 => format!("({left} * {right})"),
            15 => format!("({left} / {right})"),
            16 => format!("({left} % {right})"),
            17 => format!("(-({left}))"),
            18 => self.counted(depth),
            _ => left,
        }
    }

    /// A place, a literal, an object.
    fn atom(&mut self, ty: Type) -> String {
        if self.percent(65)
            && let Some(place) = self.place(ty)
        {
            return place;
        }
        match ty {
            Type::Int { low, high, .. } => self.random.between(low, high).to_string(),
            Type::Wide(name) => self.wide(name),
            Type::Bool => self.random.percent(50).to_string(),
            Type::Colour => (*self.pick(&COLOURS)).to_owned(),
            Type::Reference(class) => self.object(class),
        }
    }

    /// A number without bounds that matter; now and then one that is near its bounds all the same.
    pub fn wide(&mut self, name: &str) -> String {
        let number = match name {
            _ if !self.percent(6) => self.random.between(0, 2),
            "nat" => i64::MAX - self.random.between(0, 2),
            "integer" if self.percent(50) => i64::MIN + self.random.between(0, 2),
            "integer" => i64::MAX - self.random.between(0, 2),
            _ => i64::from(i32::MAX) - self.random.between(0, 2),
        };
        number.to_string()
    }

    /// An object of a class, or `null`.
    pub fn object(&mut self, class: usize) -> String {
        if self.percent(3) {
            return "null".to_owned();
        }
        if self.class == Some(class) && self.percent(40) {
            return "self".to_owned();
        }
        let objects = self.words.objects_of(class);
        self.pick(&objects).clone()
    }

    fn boolean(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self.question();
        }
        let left = self.boolean(depth - 1);
        match self.random.below(10) {
            0 => format!("!{left}"),
            1..=2 => format!("({left} && {})", self.boolean(depth - 1)),
            3..=4 => format!("({left} || {})", self.boolean(depth - 1)),
            5 => format!("({left} -> {})", self.boolean(depth - 1)),
            6 => format!("({left} <-> {})", self.boolean(depth - 1)),
            _ => left,
        }
    }

    /// A condition without conditions inside, but for quantifiers.
    fn question(&mut self) -> String {
        let small = Type::Int {
            low: 0,
            high: 2,
            wrap: false,
        };
        match self.random.below(12) {
            0..=2 => {
                let operator = *self.pick(&["<", "<=", ">", ">=", "==", "!="]);
                format!("({} {operator} {})", self.expr(small, 1), self.atom(small))
            }
            3 => self.compared(Type::Colour),
            4 => {
                let class = self.random.below(self.words.classes.len());
                self.compared(Type::Reference(class))
            }
            5..=7 => self.in_state(),
            8 => self.quantified(),
            _ => self.atom(Type::Bool),
        }
    }

    fn compared(&mut self, ty: Type) -> String {
        let operator = *self.pick(&["==", "!="]);
        format!("({} {operator} {})", self.atom(ty), self.atom(ty))
    }

    /// `o1 in S2`
    pub fn in_state(&mut self) -> String {
        let class = self.random.below(self.words.classes.len());
        let mut objects = self.words.objects_of(class);
        if self.class == Some(class) {
            objects.push("self".to_owned());
        }
        let object = self.pick(&objects).clone();
        let states = self.words.classes[class].machine.all();
        format!("({object} in {})", self.pick(&states).name)
    }

    fn counted(&mut self, depth: usize) -> String {
        let (range, variable, ty) = self.range();
        let condition = self.with_local(&variable, ty, |writer| writer.boolean(depth - 1));
        format!("count({variable} in {range} : {condition})")
    }

    fn quantified(&mut self) -> String {
        let (range, variable, ty) = self.range();
        let condition = self.with_local(&variable, ty, |writer| match ty {
            Type::Bool => variable.clone(),
            Type::Reference(_) => writer.compared(ty),
            _ => format!("{variable} == {}", writer.atom(ty)),
        });
        let quantifier = *self.pick(&["forall", "exists"]);
        format!("{quantifier}({variable} in {range} : {condition})")
    }

    /// Something to run over, a name for what is found there, and its type.
    pub fn range(&mut self) -> (String, String, Type) {
        let variable = self.fresh('i');
        let mut ranges = self.arrays();
        let (low, high) = (0, 1);
        let ty = Type::Int {
            low,
            high,
            wrap: false,
        };
        ranges.push((format!("{low}..{high}"), ty));
        let (range, ty) = self.pick(&ranges).clone();
        (range, variable, ty)
    }

    /// Arrays of variables and of objects.
    fn arrays(&self) -> Vec<(String, Type)> {
        let own = self.class.map(|class| &self.words.classes[class].variables);
        let variables = own.into_iter().flatten().chain(&self.words.globals);
        let arrays = variables.filter(|variable| variable.length.is_some());
        let mut all: Vec<(String, Type)> = arrays
            .map(|variable| (variable.name.clone(), variable.ty))
            .collect();
        for object in &self.words.objects {
            if object.length.is_some() {
                all.push((object.name.clone(), Type::Reference(object.class)));
            }
        }
        all
    }

    /// Writes something in which one more name is known.
    pub fn with_local<T>(&mut self, name: &str, ty: Type, write: impl FnOnce(&mut Self) -> T) -> T {
        self.locals.push((name.to_owned(), ty));
        let written = write(self);
        self.locals.pop();
        written
    }
}
