//! A precision: for each variable and each parameter of a signal, which of its values are told
//! apart.

use std::collections::{BTreeMap, HashSet};

use super::auto::first_partitions;
use super::flow::tainted;
use super::partition::Partition;
use crate::csm::Configuration;
use crate::lang::{
    AbstractionEntry, ClassId, Domain, Model, ObjectId, SignalId, Subject, Type, Value, VariableId,
};

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Precision {
    /// By variable or parameter; what is not here is known exactly.
    partitions: BTreeMap<Place, Partition>,
    /// What is no number and is unconstrained.
    forgotten: BTreeMap<Place, ()>,
}

/// A variable or a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Place {
    Global(VariableId),
    Field(ClassId, VariableId),
    Parameter(SignalId, u32),
}

/// Where a configuration keeps a value.
#[derive(Clone, Copy, Debug)]
pub enum KeptAt {
    Global(usize),
    Object(ObjectId, usize),
}

impl KeptAt {
    pub fn value(self, configuration: &Configuration) -> Value {
        match self {
            KeptAt::Global(slot) => configuration.globals[slot],
            KeptAt::Object(object, slot) => configuration.object(object).values[slot],
        }
    }

    pub fn set(self, configuration: &mut Configuration, value: Value) {
        match self {
            KeptAt::Global(slot) => configuration.globals[slot] = value,
            KeptAt::Object(object, slot) => {
                configuration.object_mut(object).values[slot] = value;
            }
        }
    }
}

impl Place {
    pub fn of(subject: Subject) -> Option<Place> {
        match subject {
            Subject::Global(variable) => Some(Place::Global(variable)),
            Subject::Field(class, variable) => Some(Place::Field(class, variable)),
            Subject::Parameter(signal, index) => Some(Place::Parameter(signal, index as u32)),
            Subject::Class(_) | Subject::Signal(_) | Subject::Everything => None,
        }
    }

    /// All of them.
    pub fn all(model: &Model) -> Vec<Place> {
        let globals = (0..model.globals.len()).map(|v| Place::Global(VariableId::new(v)));
        let fields = model
            .classes
            .iter()
            .enumerate()
            .flat_map(|(class, declared)| {
                let variables = 0..declared.variables.len();
                variables.map(move |v| Place::Field(ClassId::new(class), VariableId::new(v)))
            });
        let parameters = model
            .signals
            .iter()
            .enumerate()
            .flat_map(|(signal, declared)| {
                let parameters = 0..declared.parameters.len() as u32;
                parameters.map(move |index| Place::Parameter(SignalId::new(signal), index))
            });
        globals.chain(fields).chain(parameters).collect()
    }

    pub fn ty(self, model: &Model) -> &Type {
        let ty = match self {
            Place::Global(variable) => &model.globals[variable.index()].ty,
            Place::Field(class, variable) => {
                &model.classes[class.index()].variables[variable.index()].ty
            }
            Place::Parameter(signal, index) => &model.signal(signal).parameters[index as usize].1,
        };
        ty.element()
    }

    /// As in an `abstraction { }` of the model.
    pub fn name(self, model: &Model) -> String {
        match self {
            Place::Global(variable) => model.globals[variable.index()].name.clone(),
            Place::Field(class, variable) => {
                let class = &model.classes[class.index()];
                format!("{}.{}", class.name, class.variables[variable.index()].name)
            }
            Place::Parameter(signal, index) => {
                let signal = model.signal(signal);
                format!("{}.{}", signal.name, signal.parameters[index as usize].0)
            }
        }
    }

    /// Where its values are kept in a configuration; nowhere for a parameter.
    pub fn slots(self, model: &Model) -> Vec<KeptAt> {
        match self {
            Place::Global(variable) => {
                let declared = &model.globals[variable.index()];
                let slots = declared.offset..declared.offset + declared.ty.length();
                slots.map(KeptAt::Global).collect()
            }
            Place::Field(class, variable) => {
                let declared = &model.classes[class.index()].variables[variable.index()];
                let slots = declared.offset..declared.offset + declared.ty.length();
                let objects = model.object_ids();
                let own = objects.filter(|object| model.object(*object).class == class);
                own.flat_map(|object| slots.clone().map(move |slot| KeptAt::Object(object, slot)))
                    .collect()
            }
            Place::Parameter(..) => Vec::new(),
        }
    }

    fn covered_by(self, subject: Subject) -> Option<u8> {
        match (subject, self) {
            (Subject::Everything, _) => Some(0),
            (Subject::Class(class), Place::Field(own, _)) if class == own => Some(1),
            (Subject::Signal(signal), Place::Parameter(own, _)) if signal == own => Some(1),
            (subject, place) if Place::of(subject) == Some(place) => Some(2),
            _ => None,
        }
    }
}

impl Precision {
    /// What a model declares, and for all that gets values from there, or has no bounds, what its
    /// comparisons ask for.
    pub fn declared(model: &Model) -> Precision {
        Precision::from_entries(model, &model.abstraction)
    }

    /// Everything that is a number is abstracted as its comparisons ask for.
    pub fn auto(model: &Model) -> Precision {
        let everything = AbstractionEntry {
            subject: Subject::Everything,
            domain: Domain::Auto,
            span: Default::default(),
        };
        let entries: Vec<AbstractionEntry> = std::iter::once(everything)
            .chain(model.abstraction.iter().cloned())
            .collect();
        Precision::from_entries(model, &entries)
    }

    pub fn from_entries(model: &Model, entries: &[AbstractionEntry]) -> Precision {
        let first = first_partitions(model);
        let mut precision = Precision::default();
        let mut is_exact = HashSet::new();
        for place in Place::all(model) {
            let covering = entries
                .iter()
                .filter_map(|entry| Some((place.covered_by(entry.subject)?, &entry.domain)));
            if let Some((_, domain)) = covering.max_by_key(|(rank, _)| *rank) {
                precision.declare(model, place, domain, &first[&place]);
                if *domain == Domain::Exact {
                    is_exact.insert(place);
                }
            }
        }
        let has_no_bounds = |place: &Place| matches!(place.ty(model), Type::Nat | Type::Integer);
        let unbounded = Place::all(model).into_iter().filter(has_no_bounds);
        let sources = precision
            .partitions
            .keys()
            .copied()
            .chain(unbounded)
            .collect();
        for place in tainted(model, &sources).difference(&is_exact).copied() {
            let partition = || first[&place].clone();
            precision.partitions.entry(place).or_insert_with(partition);
        }
        precision
    }

    fn declare(&mut self, model: &Model, place: Place, domain: &Domain, auto: &Partition) {
        let is_number = place.ty(model).is_number();
        match (domain, is_number) {
            (_, true) => {
                let partition = Partition::of(domain, auto);
                if partition != Partition::Exact {
                    self.partitions.insert(place, partition);
                }
            }
            (Domain::Any, false) => {
                self.forgotten.insert(place, ());
            }
            (_, false) => {}
        }
    }

    /// Everything is known exactly.
    pub fn is_exact(&self) -> bool {
        self.partitions.is_empty() && self.forgotten.is_empty()
    }

    pub fn partition(&self, place: Place) -> Option<&Partition> {
        self.partitions.get(&place)
    }

    pub fn is_forgotten(&self, place: Place) -> bool {
        self.forgotten.contains_key(&place)
    }

    pub fn set(&mut self, place: Place, partition: Partition) {
        match partition {
            Partition::Exact => self.partitions.remove(&place),
            blocks => self.partitions.insert(place, blocks),
        };
    }

    /// Changes what is told apart at a place; whether there is anything to change, and it did.
    pub fn refine(&mut self, place: Place, change: impl FnOnce(&mut Partition) -> bool) -> bool {
        if self.forgotten.remove(&place).is_some() {
            return true;
        }
        let Some(partition) = self.partitions.get_mut(&place) else {
            return false;
        };
        let is_new = change(partition);
        if *partition == Partition::Exact {
            self.partitions.remove(&place);
        }
        is_new
    }

    /// In words, a line for each place that is not known exactly.
    pub fn lines(&self, model: &Model) -> Vec<String> {
        let partitions = self.partitions.iter();
        let told = partitions.map(|(place, partition)| {
            let name = place.name(model);
            match partition.to_string().as_str() {
                "any" => format!("{name} is unconstrained"),
                blocks => format!("{name} is partitioned into {blocks}"),
            }
        });
        let forgotten = self.forgotten.keys();
        let forgotten = forgotten.map(|place| format!("{} is unconstrained", place.name(model)));
        told.chain(forgotten).collect()
    }

    /// As an `abstraction { }` of the model.
    pub fn text(&self, model: &Model) -> String {
        let partitions = self.partitions.iter();
        let numbers = partitions.map(|(place, blocks)| (place, blocks.domain()));
        let forgotten = self.forgotten.keys().map(|place| (place, "any".to_owned()));
        let known = Place::all(model).into_iter().filter(|place| {
            place.ty(model).is_number()
                && !self.partitions.contains_key(place)
                && !self.forgotten.contains_key(place)
        });
        let known: Vec<Place> = known.collect();
        let exact = known.iter().map(|place| (place, "exact".to_owned()));
        let lines = numbers.chain(forgotten).chain(exact);
        let lines = lines.map(|(place, domain)| format!("  {} : {domain};\n", place.name(model)));
        format!("abstraction {{\n{}}}\n", lines.collect::<String>())
    }

    /// The value as this precision knows it.
    pub fn abstracted(&self, place: Place, ty: &Type, value: Value) -> Value {
        if self.is_forgotten(place) {
            return ty.element().default_value();
        }
        match (self.partition(place), value) {
            (Some(partition), Value::Int(number)) => {
                Value::of(partition.block(number, ty.element().numbers()))
            }
            _ => value,
        }
    }

    /// The model with values as this precision knows them, where it begins and what comes from
    /// outside.
    pub fn model(&self, model: &Model) -> Model {
        let mut known = model.clone();
        for (index, variable) in model.globals.iter().enumerate() {
            let place = Place::Global(VariableId::new(index));
            for slot in variable.offset..variable.offset + variable.ty.length() {
                let value = known.global_values[slot];
                known.global_values[slot] = self.abstracted(place, &variable.ty, value);
            }
        }
        for object in &mut known.objects {
            let class = object.class;
            for (index, variable) in model.classes[class.index()].variables.iter().enumerate() {
                let place = Place::Field(class, VariableId::new(index));
                for slot in variable.offset..variable.offset + variable.ty.length() {
                    object.values[slot] = self.abstracted(place, &variable.ty, object.values[slot]);
                }
            }
            let mut seen = HashSet::new();
            for message in &mut object.from_environment {
                let parameters = &model.signal(message.signal).parameters;
                let abstracted = |(index, value): (usize, &Value)| {
                    let place = Place::Parameter(message.signal, index as u32);
                    self.abstracted(place, &parameters[index].1, *value)
                };
                let arguments = message.arguments.iter().enumerate();
                message.arguments = arguments.map(abstracted).collect();
            }
            object
                .from_environment
                .retain(|message| seen.insert(message.clone()));
        }
        known
    }
}
