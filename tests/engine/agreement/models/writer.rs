//! Writes the parts of a model, knowing which names can be used where it writes.

use super::words::{Type, Variable, Words};
use crate::agreement::random::Random;

pub struct Writer<'w> {
    pub words: &'w Words,
    pub random: &'w mut Random,
    /// Whose variables are known without a prefix; none in properties.
    pub class: Option<usize>,
    /// Parameters and local variables that are known here.
    pub locals: Vec<(String, Type)>,
    /// In effects only.
    pub may_choose: bool,
    names: usize,
}

impl<'w> Writer<'w> {
    pub fn new(words: &'w Words, random: &'w mut Random) -> Writer<'w> {
        Writer {
            words,
            random,
            class: None,
            locals: Vec::new(),
            may_choose: false,
            names: 0,
        }
    }

    /// A name that nothing else has.
    pub fn fresh(&mut self, letter: char) -> String {
        self.names += 1;
        format!("{letter}{}", self.names)
    }

    pub fn percent(&mut self, cases: usize) -> bool {
        self.random.percent(cases)
    }

    pub fn pick<'t, T>(&mut self, all: &'t [T]) -> &'t T {
        self.random.pick(all)
    }

    /// A place of this type, if there is one.
    pub fn place(&mut self, ty: Type) -> Option<String> {
        let mut places = self.places();
        places.retain(|(_, other)| other.agrees(ty));
        (!places.is_empty()).then(|| self.pick(&places).0.clone())
    }

    /// Everything that can be read or written here, with its type.
    pub fn places(&mut self) -> Vec<(String, Type)> {
        let mut places = self.locals.clone();
        for global in &self.words.globals {
            places.push((self.element(global), global.ty));
        }
        if let Some(class) = self.class {
            for variable in &self.words.classes[class].variables {
                places.push((self.element(variable), variable.ty));
            }
        }
        places.extend(self.fields(&places.clone()));
        places
    }

    /// Variables of other objects, by their names or through references.
    fn fields(&mut self, places: &[(String, Type)]) -> Vec<(String, Type)> {
        let references = places.iter().filter_map(|(name, ty)| match ty {
            Type::Reference(class) => Some((name.clone(), *class)),
            _ => None,
        });
        let mut owners: Vec<(String, usize)> = references.collect();
        for class in 0..self.words.classes.len() {
            let objects = self.words.objects_of(class);
            owners.extend(objects.into_iter().map(|name| (name, class)));
        }
        let mut fields = Vec::new();
        for (owner, class) in owners {
            for variable in &self.words.classes[class].variables {
                fields.push((format!("{owner}.{}", self.element(variable)), variable.ty));
            }
        }
        fields
    }

    /// A variable, or an element of it that may not be there.
    fn element(&mut self, variable: &Variable) -> String {
        let Some(length) = variable.length else {
            return variable.name.clone();
        };
        let index = match self.random.below(10) {
            0 => self.some_local_number().unwrap_or("0".to_owned()),
            _ => self.random.below(length).to_string(),
        };
        format!("{}[{index}]", variable.name)
    }

    fn some_local_number(&self) -> Option<String> {
        let mut numbers = self.locals.iter().filter(|(_, ty)| ty.is_number());
        numbers.next().map(|(name, _)| name.clone())
    }
}
