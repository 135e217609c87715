//! Random transitions.

use super::shape::{Region, State};
use super::words::{Signal, Type};
use super::writer::Writer;

impl<'w> Writer<'w> {
    pub fn transitions(&mut self, region: &Region) -> String {
        let mut text = self.round(region);
        for _ in 0..=self.random.below(3) {
            text += &self.transition(region);
        }
        if self.percent(20) {
            text += &self.branching(region);
        }
        for state in region.states.iter().filter(|state| state.regions.len() > 1) {
            text += &self.parallel(region, state);
        }
        text
    }

    /// From each state to the next, so that runs do not end too soon.
    fn round(&mut self, region: &Region) -> String {
        let next = region.states.iter().cycle().skip(1);
        let steps = region.states.iter().zip(next).map(|(from, to)| {
            let (source, label) = (&from.name, self.triggered_label(10));
            let target = self.into(to, from.name == to.name);
            format!("{source} -> {target} : {label};\n")
        });
        steps.collect()
    }

    fn transition(&mut self, region: &Region) -> String {
        let (source, target) = self.ends(region);
        match self.random.below(10) {
            0..=6 => format!("{source} -> {target} : {};\n", self.triggered_label(35)),
            7 => self.alternatives(region),
            _ => format!("{source} -> {target}{};\n", self.spontaneous_label()),
        }
    }

    /// Two transitions of one state, one of them for when the other is not enabled.
    fn alternatives(&mut self, region: &Region) -> String {
        let (source, target) = self.ends(region);
        let other = &self.pick(&region.states).name;
        let trigger = &self.awaited().name;
        let (guard, effect) = (self.condition(), self.effect(30));
        format!(
            "{source} -> {target} : {trigger} [{guard}];\n{source} -> {other} : {trigger} [else]{effect};\n"
        )
    }

    /// Where a transition of this region starts and ends; never in two regions of one state.
    fn ends(&mut self, region: &Region) -> (String, String) {
        let from = self.pick(&region.states);
        let source = self.around_or_inside(from);
        if let Some(end) = &region.end
            && self.percent(15)
        {
            return (source, end.clone());
        }
        let to = self.pick(&region.states);
        (source, self.into(to, from.name == to.name))
    }

    /// The state itself, or one of those inside.
    fn around_or_inside(&mut self, state: &State) -> String {
        let inside = state.inside();
        match inside.is_empty() || self.percent(50) {
            true => state.name.clone(),
            false => self.pick(&inside).name.clone(),
        }
    }

    /// A state as a target, perhaps by its history, or one of those inside.
    fn into(&mut self, state: &State, is_source: bool) -> String {
        match self.random.below(5) {
            _ if state.regions.is_empty() => state.name.clone(),
            0 => format!("{}.history", state.name),
            1 => format!("{}.deep_history", state.name),
            2..=3 if !is_source => self.around_or_inside(state),
            _ => state.name.clone(),
        }
    }

    /// A trigger, a guard in so many cases of a hundred, perhaps an effect.
    pub fn triggered_label(&mut self, guarded: usize) -> String {
        let known = self.locals.len();
        let trigger = self.trigger();
        let guard = match self.percent(guarded) {
            true => format!(" [{}]", self.condition()),
            false => String::new(),
        };
        let label = format!("{trigger}{guard}{}", self.effect(60));
        self.locals.truncate(known);
        label
    }

    fn spontaneous_label(&mut self) -> String {
        // Without a guard many a run-to-completion step would never end.
        let guarded = if self.words.runs_to_completion() {
            95
        } else {
            75
        };
        match self.percent(guarded) {
            true => format!(" : [{}]{}", self.condition(), self.effect(60)),
            false => self.effect(60),
        }
    }

    /// One signal, several, or any; the names that it binds are known from here on.
    fn trigger(&mut self) -> String {
        let signals = &self.words.signals;
        match self.random.below(12) {
            0 => "any".to_owned(),
            1 if signals.len() > 1 => format!("{}, {}", signals[0].name, signals[1].name),
            _ => {
                let signal = self.awaited();
                format!("{}{}", signal.name, self.bindings(signal))
            }
        }
    }

    /// A signal to wait for: one from outside more often than not, as it is sure to come.
    fn awaited(&mut self) -> &'w Signal {
        let from_outside = self.percent(60);
        let signals = self.words.signals.iter();
        let fitting: Vec<&Signal> = signals.filter(|s| s.external == from_outside).collect();
        let signal: &&Signal = self.random.pick(&fitting);
        signal
    }

    fn bindings(&mut self, signal: &Signal) -> String {
        if signal.parameters.is_empty() || self.percent(15) {
            return String::new();
        }
        let bindings = signal.parameters.iter().map(|ty| self.binding(*ty));
        format!("({})", bindings.collect::<Vec<_>>().join(", "))
    }

    /// A new name, a variable of the class, or nothing.
    fn binding(&mut self, ty: Type) -> String {
        let class = self.class.map(|class| &self.words.classes[class]);
        let variables = class.into_iter().flat_map(|class| &class.variables);
        let fits = variables.filter(|v| v.length.is_none() && v.ty.agrees(ty));
        let fits: Vec<&str> = fits.map(|variable| variable.name.as_str()).collect();
        match self.random.below(10) {
            0 => "_".to_owned(),
            1..=2 if !fits.is_empty() => (*self.pick(&fits)).to_owned(),
            _ => {
                let name = self.fresh('p');
                self.locals.push((name.clone(), ty));
                name
            }
        }
    }

    /// A choice or junction with two ways on, one way to it, and what that has bound.
    fn branching(&mut self, region: &Region) -> String {
        let kind = *self.pick(&["choice", "choice", "junction"]);
        let name = self.fresh('C');
        let from = self.pick(&region.states);
        let source = self.around_or_inside(from);
        let known = self.locals.len();
        let trigger = self.trigger();
        let into = format!("{source} -> {name} : {trigger}{};\n", self.effect(40));
        let (one, other) = (self.pick(&region.states), self.pick(&region.states));
        let first = format!(
            "{name} -> {} : [{}]{};\n",
            one.name,
            self.condition(),
            self.effect(40)
        );
        let guard = match self.percent(75) {
            true => "else".to_owned(),
            false => self.condition(),
        };
        let second = format!("{name} -> {} : [{guard}]{};\n", other.name, self.effect(40));
        self.locals.truncate(known);
        format!("{kind} {name};\n{into}{first}{second}")
    }

    /// A fork into the regions of a state, and a join out of them.
    fn parallel(&mut self, region: &Region, state: &State) -> String {
        let mut text = String::new();
        let inner: Vec<String> = state
            .regions
            .iter()
            .map(|inner| self.pick(&inner.states).name.clone())
            .collect();
        let outer = self.pick(&region.states).name.clone();
        if self.percent(40) {
            let fork = self.fresh('Y');
            text += &format!("fork {fork};\n");
            text += &format!("{outer} -> {fork} : {};\n", self.triggered_label(35));
            for state in &inner {
                text += &format!("{fork} -> {state}{};\n", self.effect(20));
            }
        }
        if self.percent(40) {
            let join = self.fresh('J');
            text += &format!("join {join};\n");
            for state in &inner {
                text += &format!("{state} -> {join}{};\n", self.effect(20));
            }
            text += &format!("{join} -> {outer} : {};\n", self.triggered_label(35));
        }
        text
    }
}
