//! Random properties.

use super::words::Environment;
use super::writer::Writer;

const FAULTS: [&str; 8] = [
    "assertion_failure",
    "implicit_consumption",
    "overflow",
    "deadlock",
    "arithmetic_fault",
    "reference_fault",
    "divergence",
    "nondeterminism",
];

impl Writer<'_> {
    pub fn properties(&mut self) -> String {
        let count = 1 + self.random.below(3);
        let lines = (0..count).map(|number| {
            let body = self.property();
            format!("property p{number} : {body};\n")
        });
        lines.collect()
    }

    fn property(&mut self) -> String {
        match self.random.below(20) {
            0..=7 => format!("always {}{}", self.claim(), self.level()),
            8..=15 => format!("never {}{}", self.claim(), self.level()),
            16..=18 => self.never_fault(),
            _ => format!("ltl G {}", self.condition()),
        }
    }

    fn never_fault(&mut self) -> String {
        let fault = *self.pick(&FAULTS);
        let fault = if self.percent(40) {
            "nondeterminism"
        } else {
            fault
        };
        match self.percent(40) {
            true => format!("never {fault} of {}", self.pick(&self.words.objects).name),
            false => format!("never {fault}"),
        }
    }

    fn level(&mut self) -> &'static str {
        match self.random.below(4) {
            0 => " at rtc",
            1 if !self.words.is_atomic() => " at transition",
            _ => "",
        }
    }

    fn claim(&mut self) -> String {
        let (one, other) = (self.observation(), self.observation());
        match self.random.below(6) {
            0 => one,
            1..=2 => format!("({one} && {other})"),
            3 => format!("({one} || {other})"),
            4 => format!("({one} -> {other})"),
            _ => format!("!{one}"),
        }
    }

    /// Something that only a property can ask, or any condition.
    fn observation(&mut self) -> String {
        let object = self.some_member();
        match self.random.below(10) {
            0..=1 => format!("queued({})", self.signal_at()),
            2 => format!("queued_before({}, {})", self.signal_at(), self.signal_at()),
            3 if self.words.environment != Environment::Lazy => format!("enabled({object})"),
            4 => format!("idle({object})"),
            5..=7 => self.in_state(),
            _ => self.condition(),
        }
    }

    fn some_member(&mut self) -> String {
        let object = self.pick(&self.words.objects);
        self.pick(&object.members()).clone()
    }

    /// `o1.M0`, or `M0` at whoever has it; nothing that would tell a lazy environment apart.
    fn signal_at(&mut self) -> String {
        let hidden = self.words.environment == Environment::Lazy;
        let signals = self.words.signals.iter();
        let visible = signals.filter(|signal| !(signal.external && hidden));
        let names: Vec<&str> = visible.map(|signal| signal.name.as_str()).collect();
        let name = *self.pick(&names);
        match self.percent(70) {
            true => format!("{}.{name}", self.some_member()),
            false => name.to_owned(),
        }
    }
}
