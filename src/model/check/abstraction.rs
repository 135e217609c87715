//! Abstraction declarations: subjects and domains.

use super::{Checked, Checker, each};
use crate::model::codes;
use crate::model::diagnostics::Diagnostic;
use crate::model::syntax::{
    self, AbstractionSubject, Domain as Written, Expr, Item, ItemKind, Name, Span,
};
use crate::model::typed::{AbstractionEntry, Domain, Subject};
use crate::model::value::VariableId;

impl Checker {
    pub(super) fn check_abstraction(&mut self, items: &[Item]) {
        for entry in each(items, |item| match &item.kind {
            ItemKind::Abstraction(entries) => Some(entries),
            _ => None,
        })
        .flatten()
        {
            if let Ok(entry) = self.abstraction_entry(entry) {
                self.model.abstraction.push(entry);
            }
        }
    }

    fn abstraction_entry(&mut self, entry: &syntax::Abstraction) -> Checked<AbstractionEntry> {
        let subject = self.subject(&entry.subject);
        let domain = self.domain(&entry.domain, entry.span)?;
        let subject = subject?;
        self.expect_numbers(&subject, &domain, entry.span)?;
        let span = entry.span;
        Ok(AbstractionEntry {
            subject,
            domain,
            span,
        })
    }

    fn subject(&mut self, subject: &AbstractionSubject) -> Checked<Subject> {
        match subject {
            AbstractionSubject::Everything => Ok(Subject::Everything),
            AbstractionSubject::Global(name) => match self.globals.get(&name.text) {
                Some(variable) => Ok(Subject::Global(*variable)),
                None => {
                    let known: Vec<String> = self.globals.keys().cloned().collect();
                    let known = known.iter().map(String::as_str);
                    Err(self.unknown("global variable", name, known))
                }
            },
            AbstractionSubject::All(name) => match self.signals.get(&name.text) {
                Some(signal) => Ok(Subject::Signal(*signal)),
                None => Ok(Subject::Class(self.class(name)?)),
            },
            AbstractionSubject::Member(owner, member) => self.member(owner, member),
        }
    }

    fn member(&mut self, owner: &Name, member: &Name) -> Checked<Subject> {
        let Some(signal) = self.signals.get(&owner.text).copied() else {
            let class = self.class(owner)?;
            return Ok(Subject::Field(class, self.field(class, member)?));
        };
        let parameters = &self.model.signal(signal).parameters;
        match parameters.iter().position(|(name, _)| *name == member.text) {
            Some(index) => Ok(Subject::Parameter(signal, index)),
            None => {
                let known: Vec<String> = parameters.iter().map(|(name, _)| name.clone()).collect();
                Err(self.unknown("parameter", member, known.iter().map(String::as_str)))
            }
        }
    }

    /// Only `any` and `exact` make sense for what is no number.
    fn expect_numbers(&mut self, subject: &Subject, domain: &Domain, span: Span) -> Checked<()> {
        let ty = match subject {
            Subject::Global(variable) => &self.model.globals[variable.index()].ty,
            Subject::Field(class, VariableId(variable)) => {
                &self.model.classes[class.index()].variables[*variable as usize].ty
            }
            Subject::Parameter(signal, index) => &self.model.signal(*signal).parameters[*index].1,
            Subject::Class(_) | Subject::Signal(_) | Subject::Everything => return Ok(()),
        };
        let for_all = matches!(domain, Domain::Any | Domain::Exact | Domain::Auto);
        if for_all || ty.element().is_number() {
            return Ok(());
        }
        let message = format!(
            "this domain is for numbers, not for {}",
            self.show_type(&ty.clone())
        );
        let help = "`any` and `exact` can be used for every type";
        Err(self.report(Diagnostic::error(codes::NUMBERS_ONLY, span, message).help(help)))
    }

    fn domain(&mut self, domain: &Written, span: Span) -> Checked<Domain> {
        match domain {
            Written::Sign => Ok(Domain::Sign),
            Written::Parity => Ok(Domain::Parity),
            Written::Any => Ok(Domain::Any),
            Written::Exact => Ok(Domain::Exact),
            Written::Auto => Ok(Domain::Auto),
            Written::Modulo(n) => Ok(Domain::Modulo(self.bounded(n, "modulus", 1, i64::MAX)?)),
            Written::Timer(k) => Ok(Domain::Timer(self.bounded(
                k,
                "timer bound",
                0,
                i64::MAX,
            )?)),
            Written::Range(low, high) => {
                let (low, high) = (self.constant_int(low)?, self.constant_int(high)?);
                if low > high {
                    let message = format!("the range {low}..{high} has no values");
                    return Err(self.error(codes::EMPTY_RANGE, span, message));
                }
                Ok(Domain::Range(low, high))
            }
            Written::Values(values) => {
                let values: Checked<Vec<i64>> =
                    values.iter().map(|v| self.constant_int(v)).collect();
                let mut values = values?;
                values.sort_unstable();
                values.dedup();
                Ok(Domain::Values(values))
            }
            Written::Intervals(ends) => self.intervals(ends, span),
        }
    }

    fn intervals(&mut self, ends: &[(Option<Expr>, Option<Expr>)], span: Span) -> Checked<Domain> {
        let mut intervals = Vec::new();
        for (low, high) in ends {
            let low = low.as_ref().map(|low| self.constant_int(low)).transpose()?;
            let high = high
                .as_ref()
                .map(|high| self.constant_int(high))
                .transpose()?;
            intervals.push((low, high));
        }
        self.expect_partition(&intervals, span)?;
        Ok(Domain::Intervals(intervals))
    }

    /// Ascending, without gap or overlap, open at both ends.
    fn expect_partition(
        &mut self,
        intervals: &[(Option<i64>, Option<i64>)],
        span: Span,
    ) -> Checked<()> {
        let open = |end: Option<&Option<i64>>| end == Some(&None);
        let first = intervals.first().map(|(low, _)| low);
        let last = intervals.last().map(|(_, high)| high);
        if !open(first) || !open(last) {
            let message = "the intervals leave out the smallest or the largest numbers";
            let help = "begin with `..l` and end with `u..`";
            return Err(
                self.report(Diagnostic::error(codes::NOT_A_PARTITION, span, message).help(help))
            );
        }
        let ordered =
            |(low, high): &(Option<i64>, Option<i64>)| low.zip(*high).is_none_or(|(l, h)| l <= h);
        let follows = |pair: &[(Option<i64>, Option<i64>)]| {
            let next = pair[0].1.and_then(|high| high.checked_add(1));
            next.is_some() && pair[1].0 == next
        };
        if !intervals.iter().all(ordered) || !intervals.windows(2).all(follows) {
            let message = "each interval must begin where the one before ends";
            let help = "for example `intervals(..-1, 0, 1..9, 10..)`";
            return Err(
                self.report(Diagnostic::error(codes::NOT_A_PARTITION, span, message).help(help))
            );
        }
        Ok(())
    }
}
