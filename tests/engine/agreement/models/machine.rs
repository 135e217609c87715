//! Random machines: regions, and what stands in their states.

use super::shape::{Region, State};
use super::words::{Environment, Signal};
use super::writer::Writer;

impl Writer<'_> {
    /// What stands between the braces of a region, or of a class or state that has but one.
    pub fn region(&mut self, region: &Region) -> String {
        let first = self.pick(&region.states);
        let mut text = format!("initial -> {}{};\n", first.name, self.effect(5));
        for state in &region.states {
            // What fails at the start leaves nothing to explore.
            let actions = if state.name == first.name { 4 } else { 15 };
            text += &self.state(state, actions);
        }
        if let Some(end) = &region.end {
            text += &format!("final {end};\n");
        }
        text + &self.transitions(region)
    }

    /// A state that has an entry action, or an exit action, in so many cases of a hundred.
    fn state(&mut self, state: &State, actions: usize) -> String {
        let quiescent = if self.percent(30) { "quiescent " } else { "" };
        let mut text = format!("{quiescent}state {} {{\n", state.name);
        for action in ["entry", "exit"] {
            if self.percent(actions) {
                text += &format!("{action} / {};\n", self.block(1));
            }
        }
        text += &self.reactions();
        match &state.regions[..] {
            [] if self.percent(10) => text += "no flush;\n",
            [] => {}
            [one] => text += &self.inner_region(one),
            several => {
                for region in several {
                    let body = self.inner_region(region);
                    text += &format!("region {} {{\n{body}}}\n", region.name);
                }
            }
        }
        text + "}\n"
    }

    fn inner_region(&mut self, region: &Region) -> String {
        let history = match self.random.below(8) {
            0 => "history;\n",
            1 => "deep history;\n",
            _ => "",
        };
        history.to_owned() + &self.region(region)
    }

    /// What a state does with messages, without being left.
    fn reactions(&mut self) -> String {
        let mut text = String::new();
        if self.percent(20)
            && let Some(signal) = self.deferrable()
        {
            text += &format!("defer {signal};\n");
        }
        if self.percent(25) {
            let signals = &self.words.signals;
            text += &format!("ignore {};\n", self.pick(signals).name);
        }
        if self.percent(12) {
            let label = self.triggered_label(35);
            text += &format!("on {label};\n");
        }
        text
    }

    /// A signal that may wait in an inbox for a while.
    fn deferrable(&mut self) -> Option<String> {
        let mut signals: Vec<&Signal> = self.words.signals.iter().collect();
        if self.words.environment == Environment::Lazy {
            signals.retain(|signal| !signal.external);
        }
        let names: Vec<&str> = signals.iter().map(|signal| signal.name.as_str()).collect();
        (!names.is_empty()).then(|| (*self.pick(&names)).to_owned())
    }
}
