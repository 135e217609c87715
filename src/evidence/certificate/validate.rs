//! Whether what a certificate says is true of a model.

use std::path::Path;

use super::claims::{DVE, ProofClaim, ViolationClaim, sha256};
use super::closed::{Closed, Contents};
use super::csm::CsmReference;
use super::dve::DveReference;
use super::for_words;
use super::language::Reference;
use super::layout::Layout;
use super::numbers::{Wide, invalid, read_below, read_wide, sum};
use super::read::{Reader, Rejection, Section, Source};
use crate::abstraction::{Abstract, Precision as Told};
use crate::csm::Semantics;
use crate::dve::{self, DVE_PROPERTIES, DveStep, Program};
use crate::evidence::{Replayed, StepRecord, TraceStep, replay, replay_run};
use crate::lang::{
    Definitions, Diagnostic, Environment, FaultKind, Model, PropertyBody, SourceFile,
    abstraction_in, check, parse, why_not_lazy,
};

/// What was found to be true.
pub struct Validated {
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
    let work = Work { threads, progress };
    let definitions = reader.subject.definitions.clone();
    let confirmed = match reader.subject.language.as_deref() {
        None => {
            let judge = CsmJudge {
                source,
                model: &model_of(source, &reader.subject)?,
                definitions: &definitions,
            };
            sections(&judge, &mut reader, work)?
        }
        Some(DVE) => {
            let read = dve::read_with(source.text(), &definitions);
            let wrong = |errors: Vec<Diagnostic>| {
                let first = errors.first().map(|error| error.message.clone());
                Rejection::WrongModel(first.unwrap_or_default())
            };
            sections(&DveJudge(&read.map_err(wrong)?), &mut reader, work)?
        }
        Some(other) => {
            let why = format!("there is no language `{other}`");
            return Err(Rejection::WrongModel(why));
        }
    };
    Ok(Validated {
        subject: reader.subject,
        confirmed,
    })
}

/// How states are looked at.
#[derive(Clone, Copy)]
struct Work<'a> {
    threads: usize,
    progress: &'a (dyn Fn(usize, usize) + Sync),
}

/// Who decides about claims on a model.
trait Judge {
    fn property(&self, name: &str) -> Option<usize>;

    /// Makes a run again; how long it is, or why it does not violate the property.
    fn violation(&self, property: usize, steps: &[StepRecord]) -> Result<usize, String>;

    /// How many states and steps there are in a proof that is right.
    fn proof(
        &self,
        claim: &ProofClaim,
        claimed: &[usize],
        from: &mut Source,
        work: Work<'_>,
    ) -> Result<(usize, u64), Rejection>;
}

fn sections(
    judge: &impl Judge,
    reader: &mut Reader,
    work: Work<'_>,
) -> Result<Vec<Confirmed>, Rejection> {
    let mut confirmed = Vec::new();
    loop {
        confirmed.push(match reader.section()? {
            Section::End => return Ok(confirmed),
            Section::Violation(claim) => violation(judge, claim)?,
            Section::Proof(claim) => {
                let named = claim.properties.iter().map(|name| property(judge, name));
                let claimed = named.collect::<Result<Vec<usize>, _>>()?;
                let (states, steps) = judge.proof(&claim, &claimed, &mut reader.from, work)?;
                Confirmed::Proof {
                    claim,
                    states,
                    steps,
                }
            }
        });
    }
}

fn property(judge: &impl Judge, name: &str) -> Result<usize, Rejection> {
    let unknown = || Rejection::UnknownProperty(name.to_owned());
    judge.property(name).ok_or_else(unknown)
}

fn violation(judge: &impl Judge, claim: ViolationClaim) -> Result<Confirmed, Rejection> {
    let number = property(judge, &claim.property)?;
    let property = claim.property;
    match judge.violation(number, &claim.steps) {
        Ok(steps) => Ok(Confirmed::Violation { property, steps }),
        Err(why) => Err(Rejection::NoViolation { property, why }),
    }
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

const SAYS_MORE: &str = "a step says more than was done";

struct CsmJudge<'a> {
    source: &'a SourceFile,
    model: &'a Model,
    definitions: &'a Definitions,
}

impl Judge for CsmJudge<'_> {
    fn property(&self, name: &str) -> Option<usize> {
        let mut properties = self.model.properties.iter();
        properties.position(|property| property.name == name)
    }

    fn violation(&self, property: usize, records: &[StepRecord]) -> Result<usize, String> {
        let steps = records.iter().map(|step| step.to_step(self.model));
        let steps: Result<Vec<_>, _> = steps.collect();
        let steps = steps.map_err(|error| error.to_string())?;
        let trace = replay(&Semantics::exact(self.model), &steps, Some(property));
        let trace = trace.map_err(|error| error.to_string())?;
        let same = |(made, claimed): (&TraceStep, &StepRecord)| {
            StepRecord::of(self.model, &made.step) == *claimed
        };
        match trace.steps.iter().zip(records).all(same) {
            true => Ok(trace.length()),
            false => Err(SAYS_MORE.to_owned()),
        }
    }

    fn proof(
        &self,
        claim: &ProofClaim,
        claimed: &[usize],
        from: &mut Source,
        work: Work<'_>,
    ) -> Result<(usize, u64), Rejection> {
        for property in claimed {
            self.check_provable(*property, claim.assumes_no_overflow)?;
        }
        match &claim.precision {
            None => {
                let semantics = Semantics::exact(self.model);
                states(&CsmReference::new(&semantics), claim, claimed, from, work)
            }
            Some(text) => {
                let precision = self.precision(text)?;
                let known = precision.model(self.model);
                let values = Abstract::new(&known, precision, !claim.assumes_no_overflow);
                let semantics = Semantics::new(&known, values);
                states(&CsmReference::new(&semantics), claim, claimed, from, work)
            }
        }
    }
}

impl CsmJudge<'_> {
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
}

struct DveJudge<'p>(&'p Program);

impl Judge for DveJudge<'_> {
    fn property(&self, name: &str) -> Option<usize> {
        DVE_PROPERTIES.iter().position(|property| *property == name)
    }

    fn violation(&self, property: usize, records: &[StepRecord]) -> Result<usize, String> {
        let steps = records.iter().map(|step| step.to_dve(self.0));
        let steps: Result<Vec<DveStep>, _> = steps.collect();
        let steps = steps.map_err(|error| error.to_string())?;
        let run = replay_run(&dve::Semantics::new(self.0), &steps, Some(property));
        let run = run.map_err(|error| error.to_string())?;
        let mut all = steps.iter().zip(records);
        match all.all(|(step, claimed)| StepRecord::of_dve(self.0, step) == *claimed) {
            true => Ok(run.length()),
            false => Err(SAYS_MORE.to_owned()),
        }
    }

    fn proof(
        &self,
        claim: &ProofClaim,
        claimed: &[usize],
        from: &mut Source,
        work: Work<'_>,
    ) -> Result<(usize, u64), Rejection> {
        if claim.precision.is_some() || claim.assumes_no_overflow || claim.up_to_bound {
            let what = "nothing of a DVE model is abstract, assumed or cut";
            return Err(Rejection::Malformed(what.to_owned()));
        }
        states(&DveReference::new(self.0), claim, claimed, from, work)
    }
}

fn states<R: Reference>(
    reference: &R,
    claim: &ProofClaim,
    claimed: &[usize],
    from: &mut Source,
    work: Work<'_>,
) -> Result<(usize, u64), Rejection> {
    let contents = read_contents(reference, from)?;
    let layout = Layout::new(contents.iter().map(Contents::len));
    let set = Set {
        reference,
        contents: &contents,
        layout: &layout,
        claimed,
        may_be_cut: claim.up_to_bound,
    };
    let checked = for_words!(layout.words(), check_states(set, from, work));
    checked.unwrap_or_else(|| Err(Rejection::Malformed("its states are too large".to_owned())))
}

/// All that a set of states is checked with, but the states.
struct Set<'a, R: Reference> {
    reference: &'a R,
    contents: &'a [Contents<R::Content>],
    layout: &'a Layout,
    claimed: &'a [usize],
    may_be_cut: bool,
}

fn check_states<const W: usize>(
    set: Set<'_, impl Reference>,
    from: &mut Source,
    work: Work<'_>,
) -> Result<(usize, u64), Rejection> {
    let closed = Closed {
        states: read_states::<W>(set.layout, from)?,
        reference: set.reference,
        contents: set.contents,
        layout: set.layout,
        claimed: set.claimed,
        may_be_cut: set.may_be_cut,
    };
    let count = closed.states.len();
    let progress = |done: usize| (work.progress)(done, count);
    let steps = closed.check(work.threads, &progress)?;
    Ok((count, steps))
}

fn read_contents<R: Reference>(
    reference: &R,
    from: &mut Source,
) -> Result<Vec<Contents<R::Content>>, Rejection> {
    let mut all = Vec::new();
    for part in 0..reference.parts() {
        let mut contents = Contents::default();
        for _ in 0..read_below(from, u32::MAX as usize)? {
            let is_new = contents.insert(reference.read(part, from)?);
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
