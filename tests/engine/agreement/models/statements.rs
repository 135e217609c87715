//! Random effects.

use super::words::{Signal, Type};
use super::writer::Writer;

impl Writer<'_> {
    /// `{ ... }`, with blocks of at most this depth inside.
    pub fn block(&mut self, depth: usize) -> String {
        let known = self.locals.len();
        let before = std::mem::replace(&mut self.may_choose, true);
        let count = 1 + self.random.below(2);
        let statements: Vec<String> = (0..count).map(|_| self.statement(depth)).collect();
        self.may_choose = before;
        self.locals.truncate(known);
        format!("{{ {} }}", statements.join(" "))
    }

    /// ` / { ... }`, or nothing.
    pub fn effect(&mut self, cases: usize) -> String {
        match self.percent(cases) {
            true => format!(" / {}", self.block(1)),
            false => String::new(),
        }
    }

    fn statement(&mut self, depth: usize) -> String {
        match self.random.below(25) {
            0..=10 => self.send(),
            11..=18 => self.assign(),
            19 => self.assertion(),
            20 => self.local(),
            21..=22 if depth > 0 => self.branch(depth),
            23 if depth > 0 => self.repeat(depth),
            _ => self.assign(),
        }
    }

    fn send(&mut self) -> String {
        let internal: Vec<&Signal> = self.words.signals.iter().filter(|s| !s.external).collect();
        let signal = *self.pick(&internal);
        let class = self.random.below(self.words.classes.len());
        let ty = Type::Reference(class);
        let target = match self.place(ty) {
            Some(place) if self.percent(60) => place,
            _ => self.some_object(class),
        };
        format!("send {target}.{}{};", signal.name, self.arguments(signal))
    }

    /// An object that is there.
    fn some_object(&mut self, class: usize) -> String {
        let mut objects = self.words.objects_of(class);
        if self.class == Some(class) {
            objects.push("self".to_owned());
        }
        self.pick(&objects).clone()
    }

    fn arguments(&mut self, signal: &Signal) -> String {
        if signal.parameters.is_empty() {
            return String::new();
        }
        let arguments = signal.parameters.iter().map(|ty| self.fitting(*ty));
        format!("({})", arguments.collect::<Vec<_>>().join(", "))
    }

    fn assign(&mut self) -> String {
        let places = self.places();
        if places.is_empty() {
            return self.send();
        }
        let (place, ty) = self.pick(&places).clone();
        match ty {
            Type::Int { wrap, .. } if self.percent(if wrap { 60 } else { 15 }) => {
                let operator = *self.pick(&["+=", "-=", "*=", "/=", "%="]);
                match self.random.below(4) {
                    0 => format!("{place}++;"),
                    1 => format!("{place}--;"),
                    _ => format!("{place} {operator} {};", self.value(ty)),
                }
            }
            _ => format!("{place} = {};", self.fitting(ty)),
        }
    }

    fn assertion(&mut self) -> String {
        format!("assert {};", self.condition())
    }

    fn local(&mut self) -> String {
        let ty = Type::Int {
            low: 0,
            high: 2,
            wrap: false,
        };
        let value = self.fitting(ty);
        let name = self.fresh('k');
        self.locals.push((name.clone(), ty));
        format!("int(0..2) {name} = {value};")
    }

    fn branch(&mut self, depth: usize) -> String {
        let condition = self.condition();
        let then = self.block(depth - 1);
        match self.percent(40) {
            true => format!("if ({condition}) {then} else {}", self.block(depth - 1)),
            false => format!("if ({condition}) {then}"),
        }
    }

    fn repeat(&mut self, depth: usize) -> String {
        let (range, variable, ty) = self.range();
        let body = self.with_local(&variable, ty, |writer| writer.block(depth - 1));
        format!("for ({variable} in {range}) {body}")
    }
}
