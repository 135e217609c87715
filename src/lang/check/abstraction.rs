//! Abstraction declarations: subjects and domains.

use std::collections::HashSet;

use super::types::WRONG;
use super::{Checked, Checker, each};
use crate::lang::codes;
use crate::lang::diagnostics::Diagnostic;
use crate::lang::syntax::{
    self, AbstractionSubject, Domain as Written, Expr, Item, ItemKind, Name, Span,
};
use crate::lang::typed::{AbstractionEntry, Domain, Subject};
use crate::lang::value::{ClassId, VariableId};

impl<'f> Checker<'f> {
    pub(super) fn check_abstraction(&mut self, items: &'f [Item]) {
        let lists = each(items, |item| match item {
            ItemKind::Abstraction(entries) => Some(entries),
            _ => None,
        });
        let mut seen = HashSet::new();
        for entry in lists.flatten() {
            let Ok(typed) = self.abstraction_entry(entry) else {
                continue;
            };
            if !seen.insert(typed.subject) {
                self.second_setting(subject_span(&entry.subject, entry.span), "this abstraction");
                continue;
            }
            self.model.abstraction.push(typed);
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
            AbstractionSubject::Global(name) => match self.globals.get(name.text.as_str()) {
                Some(variable) => Ok(Subject::Global(*variable)),
                None => {
                    let near = self.suggest(&name.text, self.globals.keys().copied());
                    Err(self.unknown("global variable", name, near))
                }
            },
            AbstractionSubject::All(name) => match self.signals.get(name.text.as_str()) {
                Some(signal) => Ok(Subject::Signal(*signal)),
                None => Ok(Subject::Class(self.class_or_signal(name)?)),
            },
            AbstractionSubject::Member(owner, member) => self.member(owner, member),
        }
    }

    /// A class; where there is none of that name, a signal may have been meant as well.
    fn class_or_signal(&mut self, name: &Name) -> Checked<ClassId> {
        if let Some(class) = self.classes.get(name.text.as_str()) {
            return Ok(*class);
        }
        let known = self.classes.keys().chain(self.signals.keys()).copied();
        let near = self.suggest(&name.text, known);
        Err(self.unknown("class or signal", name, near))
    }

    fn member(&mut self, owner: &Name, member: &Name) -> Checked<Subject> {
        let Some(signal) = self.signals.get(owner.text.as_str()).copied() else {
            let class = self.class_or_signal(owner)?;
            return Ok(Subject::Field(class, self.field(class, member)?));
        };
        let parameters = &self.model.signal(signal).parameters;
        if let Some(index) = parameters.iter().position(|(name, _)| *name == member.text) {
            return Ok(Subject::Parameter(signal, index));
        }
        let near = self.suggest(
            &member.text,
            parameters.iter().map(|(name, _)| name.as_str()),
        );
        let signal = format!("signal `{}`", owner.text);
        Err(self.unknown_member(&signal, "parameter", member, near))
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
        if for_all || *ty == WRONG || ty.element().is_number() {
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
            Written::Both(one, other) => {
                let (one, other) = (self.domain(one, span), self.domain(other, span));
                Ok(Domain::Both(Box::new(one?), Box::new(other?)))
            }
            Written::Modulo(n) => Ok(Domain::Modulo(self.bounded(n, "modulus", 1, i64::MAX)?)),
            Written::Timer(k) => Ok(Domain::Timer(self.bounded(
                k,
                "timer bound",
                0,
                i64::MAX,
            )?)),
            Written::Range(low, high) => {
                let (low, high) = self.constant_range(low, high)?;
                Ok(Domain::Range(low, high))
            }
            Written::Values(values) => {
                let each: Vec<Checked<i64>> = values.iter().map(|v| self.constant_int(v)).collect();
                let mut values = each.into_iter().collect::<Checked<Vec<i64>>>()?;
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
            let low = low.as_ref().map(|low| self.constant_int(low));
            let high = high.as_ref().map(|high| self.constant_int(high));
            intervals.push((low.transpose(), high.transpose()));
        }
        let checked = intervals.into_iter().map(|(low, high)| Ok((low?, high?)));
        let intervals = checked.collect::<Checked<Vec<Interval>>>()?;
        let Some((index, message)) = flaw(&intervals) else {
            return Ok(Domain::Intervals(intervals));
        };
        let (low, high) = &ends[index];
        let spans = [low, high].into_iter().flatten().map(|end| end.span);
        let span = spans.reduce(Span::to).unwrap_or(span);
        let help = "every number lies in one of them: `intervals(..-1, 0, 1..9, 10..)`";
        Err(self.report(Diagnostic::error(codes::NOT_A_PARTITION, span, message).help(help)))
    }
}

/// The ends of an interval, both in it; `None` where it is open.
type Interval = (Option<i64>, Option<i64>);

/// Which interval keeps them from holding every number once, in ascending order; and why.
fn flaw(intervals: &[Interval]) -> Option<(usize, String)> {
    let last = intervals.len().checked_sub(1)?;
    if let Some(low) = intervals[0].0 {
        return Some((0, format!("the numbers below {low} are in no interval")));
    }
    for (index, pair) in intervals.windows(2).enumerate() {
        let (before, next) = (pair[0], pair[1]);
        let (Some(end), Some(start)) = (before.1, next.0) else {
            let what = "only the first interval is open below, and only the last above";
            return Some((index + usize::from(next.0.is_none()), what.to_owned()));
        };
        if next.1.is_some_and(|high| high < start) {
            return Some((index + 1, "this interval has no numbers".to_owned()));
        }
        if start <= end {
            return Some((
                index + 1,
                format!("{start} is in the interval before already"),
            ));
        }
        if start - 1 > end {
            let what = format!("{} is in no interval", end + 1);
            return Some((index + 1, what));
        }
    }
    let high = intervals[last].1?;
    Some((last, format!("the numbers above {high} are in no interval")))
}

/// Where to point at an abstraction for its subject.
fn subject_span(subject: &AbstractionSubject, entry: Span) -> Span {
    match subject {
        AbstractionSubject::Global(name) | AbstractionSubject::All(name) => name.span,
        AbstractionSubject::Member(owner, member) => owner.span.to(member.span),
        AbstractionSubject::Everything => Span {
            end: entry.start + 1,
            ..entry
        },
    }
}

#[cfg(test)]
mod tests {
    use super::flaw;

    #[test]
    fn intervals_hold_every_number_once() {
        let whole = [(None, Some(-1)), (Some(0), Some(0)), (Some(1), None)];
        assert_eq!(flaw(&whole), None);
        assert_eq!(flaw(&[(None, None)]), None);
        let least = [(None, Some(i64::MIN)), (Some(i64::MIN + 1), None)];
        assert_eq!(flaw(&least), None);
    }

    #[test]
    fn what_is_wrong_is_said_of_the_right_interval() {
        let place = |intervals: &[_]| flaw(intervals).map(|(index, _)| index);
        assert_eq!(place(&[(Some(0), None)]), Some(0));
        assert_eq!(place(&[(None, Some(0))]), Some(0));
        assert_eq!(place(&[(None, Some(0)), (Some(2), None)]), Some(1));
        assert_eq!(place(&[(None, Some(0)), (Some(0), None)]), Some(1));
        assert_eq!(place(&[(None, None), (Some(0), None)]), Some(0));
        let most = [(None, Some(i64::MAX)), (Some(i64::MIN), None)];
        assert_eq!(place(&most), Some(1));
    }
}
