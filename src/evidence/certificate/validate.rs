//! Whether what a certificate says is true of a model.

use std::path::Path;

use super::claims::{ProofClaim, ViolationClaim, sha256};
use super::closed::{Closed, Contents};
use super::contents::read_content;
use super::for_words;
use super::layout::Layout;
use super::numbers::{Wide, invalid, read_below, read_wide, sum};
use super::read::{Reader, Rejection, Section, Source};
use crate::abstraction::{Abstract, Precision as Told};
use crate::csm::{Part, Precision, Semantics, parts};
use crate::evidence::{StepRecord, replay};
use crate::lang::{
    Definitions, Environment, FaultKind, Model, PropertyBody, SourceFile, abstraction_in, check,
    parse, why_not_lazy,
};

/// What was found to be true.
pub struct Validated {
    pub model: Model,
    pub subject: super::Subject,
    pub confirmed: Vec<Confirmed>,
}

pub enum Confirmed {
    Proof {
        claim: ProofClaim,
        states: usize,
        steps: u64,
    },
    Violation {
        property: String,
        steps: usize,
    },
}

/// Checks all that a certificate says of a model. `progress` is told how many states of how many were
/// looked at.
pub fn validate(
    source: &SourceFile,
    certificate: &Path,
    threads: usize,
    progress: &(dyn Fn(usize, usize) + Sync),
) -> Result<Validated, Rejection> {
    let mut reader = Reader::open(certificate)?;
    if reader.subject.sha256 != sha256(source.text()) {
        return Err(Rejection::OtherModel(reader.subject.sha256));
    }
    let model = model_of(source, &reader.subject)?;
    let mut confirmed = Vec::new();
    loop {
        let section = reader.section()?;
        let validator = Validator {
            source,
            model: &model,
            definitions: &reader.subject.definitions,
            threads,
            progress,
        };
        confirmed.push(match section {
            Section::End => break,
            Section::Violation(claim) => validator.violation(&claim)?,
            Section::Proof(claim) => validator.proof(claim, &mut reader.from)?,
        });
    }
    Ok(Validated {
        model,
        subject: reader.subject,
        confirmed,
    })
}

/// The model, read as the certificate says.
fn model_of(source: &SourceFile, subject: &super::Subject) -> Result<Model, Rejection> {
    let wrong = |message: &str| Rejection::WrongModel(message.to_owned());
    let (file, mut diagnostics) = parse(source.text());
    let (model, found) = check(&file, &subject.definitions);
    diagnostics.extend(found);
    let first = diagnostics.first().map_or("it is wrong", |d| &d.message);
    let mut model = model.ok_or_else(|| wrong(first))?;
    model.environment = match subject.environment.as_str() {
        "eager" => Environment::Eager,
        "lazy" if model.environment == Environment::Lazy => Environment::Lazy,
        "lazy" => match why_not_lazy(&model) {
            None => Environment::Lazy,
            Some(why) => return Err(wrong(&format!("a lazy environment is not exact: {why}"))),
        },
        other => return Err(wrong(&format!("there is no environment `{other}`"))),
    };
    Ok(model)
}

struct Validator<'a> {
    source: &'a SourceFile,
    model: &'a Model,
    definitions: &'a Definitions,
    threads: usize,
    progress: &'a (dyn Fn(usize, usize) + Sync),
}

impl Validator<'_> {
    fn property(&self, name: &str) -> Result<usize, Rejection> {
        let mut properties = self.model.properties.iter();
        let position = properties.position(|property| property.name == name);
        position.ok_or_else(|| Rejection::UnknownProperty(name.to_owned()))
    }

    fn violation(&self, claim: &ViolationClaim) -> Result<Confirmed, Rejection> {
        let property = self.property(&claim.property)?;
        let none = |why: String| Rejection::NoViolation {
            property: claim.property.clone(),
            why,
        };
        let steps = claim.steps.iter().map(|step| step.to_step(self.model));
        let steps: Vec<_> = steps
            .collect::<Result<_, _>>()
            .map_err(|error| none(error.to_string()))?;
        let semantics = Semantics::exact(self.model);
        let trace = replay(&semantics, &steps, Some(property));
        let trace = trace.map_err(|error| none(error.to_string()))?;
        let same = |(made, claimed): (&crate::evidence::TraceStep, &StepRecord)| {
            StepRecord::of(self.model, &made.step) == *claimed
        };
        match trace.steps.iter().zip(&claim.steps).all(same) {
            true => Ok(Confirmed::Violation {
                property: claim.property.clone(),
                steps: trace.length(),
            }),
            false => Err(none("a step says more than was done".to_owned())),
        }
    }

    fn proof(&self, claim: ProofClaim, from: &mut Source) -> Result<Confirmed, Rejection> {
        let properties = claim.properties.iter().map(|name| self.property(name));
        let claimed = properties.collect::<Result<Vec<usize>, _>>()?;
        for property in &claimed {
            self.check_provable(*property, claim.assumes_no_overflow)?;
        }
        let (states, steps) = match &claim.precision {
            None => {
                let semantics = Semantics::exact(self.model);
                self.states(&semantics, &claim, &claimed, from)?
            }
            Some(text) => {
                let precision = self.precision(text)?;
                let known = precision.model(self.model);
                let values = Abstract::new(&known, precision, !claim.assumes_no_overflow);
                self.states(&Semantics::new(&known, values), &claim, &claimed, from)?
            }
        };
        Ok(Confirmed::Proof {
            claim,
            states,
            steps,
        })
    }

    /// Of temporal properties a set of states says nothing; nor of numbers that leave their types, if they
    /// are not looked at.
    fn check_provable(&self, property: usize, assumes_no_overflow: bool) -> Result<(), Rejection> {
        let declared = &self.model.properties[property];
        let provable = match &declared.body {
            PropertyBody::Temporal(_) => false,
            PropertyBody::NoFault(FaultKind::Livelock, _) => false,
            PropertyBody::NoFault(FaultKind::ArithmeticFault, _) => !assumes_no_overflow,
            _ => true,
        };
        match provable {
            true => Ok(()),
            false => Err(Rejection::NotProvable(declared.name.clone())),
        }
    }

    fn precision(&self, text: &str) -> Result<Told, Rejection> {
        let written = SourceFile::new("the precision", text);
        let entries = abstraction_in(self.source.text(), self.definitions, &written);
        match entries {
            Ok(entries) => Ok(Told::from_entries(self.model, &entries)),
            Err(_) => Err(Rejection::Malformed(format!("`{text}` is no precision"))),
        }
    }

    fn states<P: Precision + Sync>(
        &self,
        semantics: &Semantics<'_, P>,
        claim: &ProofClaim,
        claimed: &[usize],
        from: &mut Source,
    ) -> Result<(usize, u64), Rejection> {
        let parts = parts(semantics.model());
        let contents = read_contents(semantics.model(), &parts, from)?;
        let layout = Layout::new(contents.iter().map(Contents::len));
        let set = Set {
            semantics,
            parts: &parts,
            contents: &contents,
            layout: &layout,
            claimed,
            may_be_cut: claim.up_to_bound,
        };
        let checked = for_words!(layout.words(), check_states(self, set, from));
        checked.unwrap_or_else(|| Err(Rejection::Malformed("its states are too large".to_owned())))
    }
}

/// All that a set of states is checked with, but the states.
struct Set<'a, 'm, P> {
    semantics: &'a Semantics<'m, P>,
    parts: &'a [Part],
    contents: &'a [Contents],
    layout: &'a Layout,
    claimed: &'a [usize],
    may_be_cut: bool,
}

fn check_states<const W: usize>(
    validator: &Validator<'_>,
    set: Set<'_, '_, impl Precision + Sync>,
    from: &mut Source,
) -> Result<(usize, u64), Rejection> {
    let closed = Closed {
        states: read_states::<W>(set.layout, from)?,
        semantics: set.semantics,
        parts: set.parts,
        contents: set.contents,
        layout: set.layout,
        claimed: set.claimed,
        may_be_cut: set.may_be_cut,
    };
    let count = closed.states.len();
    let progress = |done: usize| (validator.progress)(done, count);
    let steps = closed.check(validator.threads, &progress)?;
    Ok((count, steps))
}

fn read_contents(
    model: &Model,
    parts: &[Part],
    from: &mut Source,
) -> Result<Vec<Contents>, Rejection> {
    let mut all = Vec::new();
    for part in parts {
        let mut contents = Contents::default();
        for _ in 0..read_below(from, u32::MAX as usize)? {
            let is_new = contents.insert(read_content(from, model, *part)?);
            if !is_new {
                return Err(invalid("a part holds the same twice".to_owned()).into());
            }
        }
        all.push(contents);
    }
    Ok(all)
}

/// The states; in order, since each is larger than the one before.
fn read_states<const W: usize>(
    layout: &Layout,
    from: &mut Source,
) -> Result<Vec<Wide<W>>, Rejection> {
    let mut states: Vec<Wide<W>> = Vec::new();
    let one = std::array::from_fn(|word| u64::from(word == W - 1));
    for _ in 0..read_below(from, usize::MAX)? {
        let skipped = read_wide(from)?;
        let state = match states.last() {
            None => Some(skipped),
            Some(before) => sum(*before, one).and_then(|after| sum(after, skipped)),
        };
        let Some(state) = state.filter(|state| !layout.exceeds(*state)) else {
            return Err(invalid("a state has more parts than the model".to_owned()).into());
        };
        states.try_reserve(1).map_err(std::io::Error::other)?;
        states.push(state);
    }
    Ok(states)
}
