//! Random declarations: signals, global variables, classes, objects.

use super::words::{COLOURS, Class, Environment, Object, Signal, Type, Variable};
use super::writer::Writer;

impl Writer<'_> {
    pub fn declarations(&mut self) -> String {
        let mut text = format!("enum Colour {{ {} }}\n", COLOURS.join(", "));
        for signal in &self.words.signals {
            text += &self.signal(signal);
        }
        for global in &self.words.globals {
            text += &self.variable(global);
        }
        for (number, class) in self.words.classes.iter().enumerate() {
            text += &self.class(number, class);
        }
        for object in &self.words.objects {
            text += &self.object_declaration(object);
        }
        text
    }

    fn type_name(&self, ty: Type) -> String {
        match ty {
            Type::Int { low, high, wrap } => {
                let wrap = if wrap { "wrap " } else { "" };
                format!("{wrap}int({low}..{high})")
            }
            Type::Wide(name) => name.to_owned(),
            Type::Bool => "bool".to_owned(),
            Type::Colour => "Colour".to_owned(),
            Type::Reference(class) => self.words.classes[class].name.clone(),
        }
    }

    fn signal(&mut self, signal: &Signal) -> String {
        let external = if signal.external { "external " } else { "" };
        let parameters = signal.parameters.iter().enumerate();
        let parameters: Vec<String> = parameters
            .map(|(number, ty)| format!("{} a{number}", self.type_name(*ty)))
            .collect();
        let parameters = match parameters.is_empty() {
            true => String::new(),
            false => format!("({})", parameters.join(", ")),
        };
        let restricted = match self.words.environment {
            Environment::Lazy => 20,
            _ => 60, // there are fewer states where fewer objects are sent it
        };
        let receivers = match signal.external && self.percent(restricted) {
            true => format!(" to {}", self.pick(&self.words.objects).name),
            false => String::new(),
        };
        format!("{external}signal {}{parameters}{receivers};\n", signal.name)
    }

    fn variable(&mut self, variable: &Variable) -> String {
        let (name, ty) = (&variable.name, self.type_name(variable.ty));
        let length = variable.length.map(|length| format!("[{length}]"));
        let length = length.unwrap_or_default();
        match self.initial(variable) {
            Some(value) => format!("{ty}{length} {name} = {value};\n"),
            None => format!("{ty}{length} {name};\n"),
        }
    }

    /// What a variable starts with, if that is said.
    fn initial(&mut self, variable: &Variable) -> Option<String> {
        if self.percent(50) && !matches!(variable.ty, Type::Reference(_)) {
            return None;
        }
        match variable.length {
            Some(length) if self.percent(50) => {
                let values: Vec<String> = (0..length).map(|_| self.constant(variable.ty)).collect();
                Some(format!("{{ {} }}", values.join(", ")))
            }
            _ => Some(self.constant(variable.ty)),
        }
    }

    fn constant(&mut self, ty: Type) -> String {
        match ty {
            Type::Int { low, high, .. } => self.random.between(low, high).to_string(),
            Type::Wide(name) => self.wide(name),
            Type::Bool => self.percent(50).to_string(),
            Type::Colour => (*self.pick(&COLOURS)).to_owned(),
            Type::Reference(class) => {
                let mut objects = self.words.objects_of(class);
                if self.percent(4) {
                    objects = vec!["null".to_owned()];
                }
                self.pick(&objects).clone()
            }
        }
    }

    fn class(&mut self, number: usize, class: &Class) -> String {
        let variables: String = class
            .variables
            .iter()
            .map(|variable| self.variable(variable))
            .collect();
        self.class = Some(number);
        let machine = self.region(&class.machine);
        self.class = None;
        format!("class {} {{\n{variables}{machine}}}\n", class.name)
    }

    fn object_declaration(&mut self, object: &Object) -> String {
        let class = &self.words.classes[object.class];
        let mut initial = String::new();
        for variable in &class.variables {
            let is_reference = matches!(variable.ty, Type::Reference(_));
            if self.percent(if is_reference { 50 } else { 15 }) {
                let value = self.constant(variable.ty);
                initial += &format!(" {} = {value};", variable.name);
            }
        }
        let length = object.length.map(|length| format!("[{length}]"));
        let length = length.unwrap_or_default();
        format!(
            "object {}{length}: {} {{{initial} }}\n",
            object.name, class.name
        )
    }
}
