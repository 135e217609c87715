//! Random small DVE programs: bytes and ints, arrays, channels with and without values and buffers,
//! committed states, assertions, and everything that can go wrong in an expression.

use crate::agreement::random::Random;

/// What can be named.
struct Words {
    /// Global variables; arrays have two elements.
    globals: Vec<Variable>,
    channels: Vec<Channel>,
    processes: Vec<Process>,
}

struct Variable {
    name: String,
    is_byte: bool,
    is_array: bool,
}

struct Channel {
    name: String,
    /// 0: a handshake.
    capacity: usize,
    values: usize,
}

struct Process {
    name: String,
    states: usize,
    variables: Vec<Variable>,
}

pub fn draw(random: &mut Random) -> String {
    let words = Words::draw(random);
    let mut writer = Writer {
        words: &words,
        random,
        process: 0,
    };
    writer.program()
}

impl Words {
    fn draw(random: &mut Random) -> Words {
        let channels = random.below(3);
        let processes = 2 + random.below(2);
        Words {
            globals: variables(random, "g", 1, 3),
            channels: (0..channels).map(|n| channel(random, n)).collect(),
            processes: (0..processes).map(|n| process(random, n)).collect(),
        }
    }
}

fn variables(random: &mut Random, prefix: &str, least: i64, most: i64) -> Vec<Variable> {
    let count = random.between(least, most);
    let variable = |number| Variable {
        name: format!("{prefix}{number}"),
        is_byte: random.percent(60),
        is_array: random.percent(30),
    };
    (0..count).map(variable).collect()
}

fn channel(random: &mut Random, number: usize) -> Channel {
    Channel {
        name: format!("c{number}"),
        capacity: *random.pick(&[0, 0, 1, 2]),
        values: random.below(3),
    }
}

fn process(random: &mut Random, number: usize) -> Process {
    Process {
        name: format!("P{number}"),
        states: 2 + random.below(3),
        variables: variables(random, "v", 0, 1),
    }
}

struct Writer<'w> {
    words: &'w Words,
    random: &'w mut Random,
    /// The one that is being written.
    process: usize,
}

impl Writer<'_> {
    fn program(&mut self) -> String {
        let mut text = self.declared(&self.words.globals);
        for channel in &self.words.channels {
            text += &declared_channel(channel);
        }
        for number in 0..self.words.processes.len() {
            self.process = number;
            text += &self.process();
        }
        text + "system async;\n"
    }

    fn declared(&mut self, variables: &[Variable]) -> String {
        let mut text = String::new();
        for variable in variables {
            let ty = if variable.is_byte { "byte" } else { "int" };
            let name = &variable.name;
            let (one, other) = (self.random.below(3), self.random.below(3));
            text += &match (variable.is_array, self.random.percent(60)) {
                (true, true) => format!("{ty} {name}[2] = {{{one}, {other}}};\n"),
                (true, false) => format!("{ty} {name}[2];\n"),
                (false, true) => format!("{ty} {name} = {one};\n"),
                (false, false) => format!("{ty} {name};\n"),
            };
        }
        text
    }

    fn process(&mut self) -> String {
        let process = &self.words.processes[self.process];
        let mut text = format!("process {} {{\n", process.name);
        text += &self.declared(&process.variables);
        let states: Vec<String> = (0..process.states).map(|n| format!("q{n}")).collect();
        text += &format!("state {};\ninit q0;\n", states.join(", "));
        if self.random.percent(25) {
            text += &format!("commit {};\n", self.random.pick(&states));
        }
        if self.random.percent(30) {
            let state = self.random.pick(&states);
            text += &format!("assert {state} {};\n", self.condition());
        }
        let count = process.states + self.random.below(3);
        let transitions: Vec<String> = (0..count).map(|n| self.transition(n, &states)).collect();
        text + &format!("trans\n{};\n}}\n", transitions.join(",\n"))
    }

    /// The first of them lead round, so that runs do not end too soon.
    fn transition(&mut self, number: usize, states: &[String]) -> String {
        let from = &states[number % states.len()];
        let to = match number < states.len() {
            true => &states[(number + 1) % states.len()],
            false => self.random.pick(states),
        };
        let guard = match self.random.percent(40) {
            true => format!(" guard {};", self.condition()),
            false => String::new(),
        };
        let sync = match self.random.percent(35) {
            true => self.sync(),
            false => String::new(),
        };
        format!("{from} -> {to} {{{guard}{sync}{} }}", self.effects())
    }

    fn sync(&mut self) -> String {
        if self.words.channels.is_empty() {
            return String::new();
        }
        let channel = self.random.pick(&self.words.channels);
        let sends = self.random.percent(50);
        let values: Vec<String> = (0..channel.values)
            .map(|_| match sends {
                true => self.value(),
                false => self.own_place(),
            })
            .collect();
        let values = match values.len() {
            0 | 1 => values.concat(),
            _ => format!("{{{}}}", values.join(", ")),
        };
        let sign = if sends { '!' } else { '?' };
        format!(" sync {}{sign}{values};", channel.name)
    }

    fn effects(&mut self) -> String {
        let count = self.random.below(3);
        let effects: Vec<String> = (0..count)
            .map(|_| format!("{} = {}", self.own_place(), self.value()))
            .collect();
        match effects.is_empty() {
            true => String::new(),
            false => format!(" effect {};", effects.join(", ")),
        }
    }

    /// Mostly one of few values.
    fn value(&mut self) -> String {
        match self.random.below(20) {
            0..=8 => self.random.below(3).to_string(),
            9..=16 => format!("({} + 1) % 3", self.place()),
            17 => format!("{} * 100", self.place()),
            _ => self.expr(2),
        }
    }

    fn condition(&mut self) -> String {
        let operator = *self.random.pick(&["==", "!=", "<", "<=", ">", ">="]);
        let comparison = format!("{} {operator} {}", self.expr(1), self.expr(0));
        match self.random.below(8) {
            0 => format!("not ({comparison})"),
            1 => format!("{comparison} and {}", self.in_state()),
            2 => format!("{comparison} or {}", self.in_state()),
            3 => format!("{} imply {comparison}", self.in_state()),
            _ => comparison,
        }
    }

    fn in_state(&mut self) -> String {
        let process = self.random.pick(&self.words.processes);
        format!("{}.q{}", process.name, self.random.below(process.states))
    }

    fn expr(&mut self, depth: usize) -> String {
        if depth == 0 {
            return match self.random.percent(60) {
                true => self.place(),
                false => self.random.below(3).to_string(),
            };
        }
        let (left, right) = (self.expr(depth - 1), self.expr(depth - 1));
        let operators = ["+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>"];
        match self.random.below(14) {
            0 => format!("-{left}"),
            1 => format!("~{left}"),
            2..=7 => left,
            _ => format!("({left} {} {right})", self.random.pick(&operators)),
        }
    }

    /// Something that can be read: also what belongs to another process.
    fn place(&mut self) -> String {
        let other = self.random.pick(&self.words.processes);
        if self.random.percent(20)
            && let Some(variable) = other.variables.first()
        {
            return format!("{}->{}", other.name, self.element(variable));
        }
        self.own_place()
    }

    /// Something that can be written.
    fn own_place(&mut self) -> String {
        let own = self.words.processes[self.process].variables.iter();
        let all: Vec<&Variable> = own.chain(&self.words.globals).collect();
        let variable = *self.random.pick(&all);
        self.element(variable)
    }

    /// A variable, or an element of it that may not be there.
    fn element(&mut self, variable: &Variable) -> String {
        let index = match (variable.is_array, self.random.below(8)) {
            (false, _) => return variable.name.clone(),
            (true, 0) => self.scalar(),
            (true, number) => (number % 2).to_string(),
        };
        format!("{}[{index}]", variable.name)
    }

    fn scalar(&mut self) -> String {
        let globals = self.words.globals.iter();
        let scalars: Vec<&str> = globals
            .filter(|variable| !variable.is_array)
            .map(|variable| variable.name.as_str())
            .collect();
        match scalars.is_empty() {
            true => "2".to_owned(),
            false => (*self.random.pick(&scalars)).to_owned(),
        }
    }
}

fn declared_channel(channel: &Channel) -> String {
    let Channel {
        name,
        capacity,
        values,
    } = channel;
    match capacity {
        0 => format!("channel {name};\n"),
        _ => {
            let types = vec!["byte"; *values].join(", ");
            format!("channel {{{types}}} {name}[{capacity}];\n")
        }
    }
}
