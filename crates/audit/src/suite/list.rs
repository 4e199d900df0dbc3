//! The list of audits.

use std::fmt;

use lookalike_curator::Cancel;
use lookalike_methods::methods;
use lookalike_privacy::{Relation, ScoreKind};

use super::result::{AuditId, AuditResult};
use crate::AuditError;
use crate::attack::{Auditable, RunCounts, audit};
use crate::black::{MethodFault, MethodRuns, TinyTable};
use crate::controls::{CategoriesFromData, NoiseAfterNormalizing};
use crate::white::{Mechanism, MechanismForm, NoiseFault, NoiseKind, Setup, UnlistedValues, mechanisms};

/// How many runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AuditSize {
    /// A minute or two: enough to catch gross faults.
    Quick,
    /// A million test runs a side for a mechanism, two thousand for a method.
    Full,
}

/// Which audits, and how long.
#[derive(Clone, Debug, PartialEq)]
pub struct AuditSettings {
    /// Only this method's black-box audits.
    pub method: Option<String>,
    /// Only this mechanism's white-box audits.
    pub mechanism: Option<String>,
    /// The claims.
    pub epsilons: Vec<f64>,
    /// The size.
    pub size: AuditSize,
    /// Test runs a side, in place of the size's own.
    pub runs: Option<usize>,
}

impl AuditSettings {
    /// The claims that the full audit is made at.
    pub const EPSILONS: [f64; 4] = [0.5, 1.0, 2.0, 4.0];

    fn runs(&self, quick: usize, full: usize) -> RunCounts {
        RunCounts::new(self.runs.unwrap_or(if self.size == AuditSize::Quick { quick } else { full }))
    }

    fn wants_mechanism(&self, name: &str) -> bool {
        self.mechanism.as_ref().map_or(self.method.is_none(), |wanted| wanted == name)
    }

    fn wants_method(&self, name: &str) -> bool {
        self.method.as_ref().map_or(self.mechanism.is_none(), |wanted| wanted == name)
    }
}

/// One audit: something at a claim, with a number of runs.
#[derive(Clone, Debug, PartialEq)]
pub struct Audit {
    /// What it is.
    pub id: AuditId,
    runs: RunCounts,
    target: AuditSubject,
}

#[derive(Clone, Debug, PartialEq)]
enum AuditSubject {
    Mechanism(Mechanism, NoiseFault),
    CategoriesFromData,
    NoiseAfterNormalizing,
    Method(String, TinyTable, MethodFault),
}

impl fmt::Display for Audit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} under {}, epsilon {}", self.id.name, self.id.neighbours, self.id.claimed)?;
        self.id.control.as_ref().map_or(Ok(()), |control| write!(f, ", broken: {control}"))
    }
}

impl Audit {
    /// All runs, on both tables, to pick on and to test on.
    pub fn all_runs(&self) -> usize {
        2 * (self.runs.pick + self.runs.test)
    }

    /// How many bounds it makes: with Gaussian noise the one by its form, and the plain one.
    pub fn bounds(&self) -> u32 {
        match self.target {
            AuditSubject::Mechanism(mechanism, _) if mechanism.is_gaussian() => 2,
            _ => 1,
        }
    }

    /// Runs it. `tick` is told of runs that are done.
    pub fn run(&self, cancel: &Cancel, tick: &(dyn Fn(usize) + Sync)) -> Result<AuditResult, AuditError> {
        let source = self.target.make(self.id.claimed)?;
        let found = audit(source.as_ref(), self.runs, cancel, tick)?;
        Ok(AuditResult {
            audit: self.id.clone(),
            delta: source.delta(),
            picked_on: self.runs.pick,
            found: found.epsilon,
            plain: found.plain,
            limit: found.limit,
            hits: [found.seen.hits.hits, found.seen.alarms.hits],
            event: (if found.event.after { "after" } else { "before" }.into(), found.event.threshold),
            feature: found.feature,
        })
    }
}

impl AuditSubject {
    fn make(&self, epsilon: f64) -> Result<Box<dyn Auditable>, AuditError> {
        Ok(match self {
            AuditSubject::Mechanism(mechanism, fault) if mechanism.form == MechanismForm::Values => {
                Box::new(UnlistedValues::new(mechanism.neighbours()?, epsilon, *fault)?)
            }
            AuditSubject::Mechanism(mechanism, fault) => Box::new(Setup::new(*mechanism, epsilon, *fault)?),
            AuditSubject::CategoriesFromData => Box::new(CategoriesFromData::new(epsilon)?),
            AuditSubject::NoiseAfterNormalizing => Box::new(NoiseAfterNormalizing::new(epsilon)?),
            AuditSubject::Method(name, table, fault) => Box::new(MethodRuns::new(name, epsilon, *table, *fault)?),
        })
    }
}

/// The audits of these settings: first the mechanisms, each with its controls, then the methods.
///
/// # Errors
/// A method or mechanism that does not exist, an epsilon that is no number above 0, or no runs.
pub fn list(settings: &AuditSettings) -> Result<Vec<Audit>, AuditError> {
    check(settings)?;
    let mut audits = Vec::new();
    for mechanism in mechanisms().into_iter().filter(|mechanism| settings.wants_mechanism(&mechanism.name())) {
        for &epsilon in &settings.epsilons {
            let subjects = mechanism_faults(mechanism).into_iter();
            audits.extend(subjects.map(|subject| of_mechanism(mechanism, epsilon, subject, settings)));
        }
    }
    for info in methods().iter().filter(|info| settings.wants_method(info.name)) {
        for (table, &epsilon) in
            TinyTable::ALL.iter().flat_map(|table| settings.epsilons.iter().map(move |e| (*table, e)))
        {
            for (control, fault) in method_faults(info.name, table) {
                audits.push(of_method(info.name, epsilon, table, control, fault, settings)?);
            }
        }
    }
    Ok(audits)
}

fn check(settings: &AuditSettings) -> Result<(), AuditError> {
    let refuse = |what: String, help: String| Err(AuditError::Setting { what, help });
    if let Some(epsilon) = settings.epsilons.iter().find(|epsilon| !(epsilon.is_finite() && **epsilon > 0.0)) {
        return refuse(format!("epsilon {epsilon} cannot be audited"), "give numbers above 0".into());
    }
    if settings.runs == Some(0) {
        return refuse("an audit needs runs".into(), "give 1 or more".into());
    }
    let mut names: Vec<String> = mechanisms().iter().map(|mechanism| mechanism.name()).collect();
    names.dedup();
    if let Some(wanted) = &settings.mechanism
        && !names.contains(wanted)
    {
        return refuse(format!("there is no mechanism {wanted:?}"), format!("there is: {}", names.join(", ")));
    }
    if let Some(wanted) = &settings.method {
        lookalike_methods::build(wanted, &[])?;
    }
    Ok(())
}

fn of_mechanism(
    mechanism: Mechanism,
    epsilon: f64,
    (control, target): (Option<&'static str>, AuditSubject),
    settings: &AuditSettings,
) -> Audit {
    let runs = match &target {
        // A canary that shows once in thousands of runs is what is looked for, and a run is cheap.
        _ if mechanism.form == MechanismForm::Values => settings.runs(1_000_000, 4_000_000),
        _ if control.is_none() => settings.runs(20_000, 1_000_000),
        // A curator a run: slow, and needless, since one run shows it.
        #[cfg(feature = "broken")]
        AuditSubject::Mechanism(_, NoiseFault::SeededNoise) => {
            RunCounts::new(settings.runs(2_000, 4_000).test.min(4_000))
        }
        _ => settings.runs(20_000, 200_000),
    };
    let (kind, name, neighbours) = ("white".into(), mechanism.name(), mechanism.neighbours_in_words());
    let control = control.map(str::to_owned);
    Audit { id: AuditId { kind, name, neighbours, control, claimed: epsilon, runs: runs.test }, runs, target }
}

/// How each mechanism is run: as it is, and as it is broken.
fn mechanism_faults(mechanism: Mechanism) -> Vec<(Option<&'static str>, AuditSubject)> {
    let with = |fault| AuditSubject::Mechanism(mechanism, fault);
    if mechanism.form == MechanismForm::Values {
        // Half the noise would show a canary less often: what must not be too small is the
        // threshold.
        let low = with(NoiseFault::LowThreshold);
        return vec![(None, with(NoiseFault::None)), (Some("a threshold two deviations lower"), low)];
    }
    let mut list = vec![(None, with(NoiseFault::None)), (Some("half the noise"), with(NoiseFault::HalvedNoise))];
    if mechanism.contribution > 1 {
        return list;
    }
    match mechanism.form {
        MechanismForm::Selection(kind) => {
            let (words, factor) = wrong_sensitivity(kind);
            list.push((Some(words), with(NoiseFault::Sensitivity(factor))));
        }
        MechanismForm::Marginals(1, noise) if mechanism.relation == Relation::AddRemove => {
            if noise == NoiseKind::Laplace {
                list.push((Some("categories read from the data"), AuditSubject::CategoriesFromData));
                list.push((Some("noise after normalizing"), AuditSubject::NoiseAfterNormalizing));
            }
            #[cfg(feature = "broken")]
            list.push((Some("seeded noise"), with(NoiseFault::SeededNoise)));
        }
        _ => {}
    }
    list
}

/// A slip that somebody made, or could make, with the sensitivity of a score; and by how much it is
/// too small.
fn wrong_sensitivity(kind: ScoreKind) -> (&'static str, f64) {
    match kind {
        ScoreKind::Dependence => ("sensitivity 1 in place of 2", 2.0),
        ScoreKind::Distance => ("the vector scaled to the true n", 2.0),
        ScoreKind::MaximumJoint => ("sensitivity 1/2 in place of 1", 2.0),
        ScoreKind::Information | ScoreKind::BinaryInformation => {
            ("nats in place of bits", 1.0 / std::f64::consts::LN_2)
        }
    }
}

/// How every method is run: as it is, and with less noise than it claims, which with pure budgets
/// is two or 32 times the epsilon; one of them with categories from the rows. On the table where
/// all of the budget goes to one place half the noise must show. On the other the budget is spread
/// thin, and an audit of rows sees gross faults only.
fn method_faults(name: &str, table: TinyTable) -> Vec<(Option<&'static str>, MethodFault)> {
    let mut list = vec![(None, MethodFault::None)];
    list.push(match table {
        TinyTable::OneColumn => (Some("half the noise"), MethodFault::Budget(2.0)),
        TinyTable::ThreeColumns => (Some("a 32nd of the noise"), MethodFault::Budget(32.0)),
    });
    if name == "independent" && table == TinyTable::ThreeColumns {
        list.push((Some("categories read from the data"), MethodFault::CategoriesFromData));
    }
    // The histogram's one row may be a uniform one, the same on both tables, so its seed may hide
    // the canary.
    #[cfg(feature = "broken")]
    if table == TinyTable::OneColumn && name != "histogram" {
        list.push((Some("seeded noise"), MethodFault::SeededNoise));
    }
    list
}

fn of_method(
    name: &str,
    epsilon: f64,
    table: TinyTable,
    control: Option<&'static str>,
    fault: MethodFault,
    settings: &AuditSettings,
) -> Result<Audit, AuditError> {
    let relation = MethodRuns::new(name, epsilon, table, fault)?.neighbours_in_words();
    // `auto` fits for as long as all others together.
    let full = if name == "auto" && table == TinyTable::ThreeColumns { 1_000 } else { 2_000 };
    let test = settings.runs(100, full).test;
    // Every run with seeded noise is the same one.
    #[cfg(feature = "broken")]
    let test = if fault == MethodFault::SeededNoise { test.min(1_000) } else { test };
    // Half as many to pick on: there are several numbers to learn from.
    let runs = RunCounts { pick: (test / 2).max(1), test };
    let id = AuditId {
        kind: "black".into(),
        name: name.to_owned(),
        neighbours: format!("{relation}, {}", table.name()),
        control: control.map(str::to_owned),
        claimed: epsilon,
        runs: test,
    };
    Ok(Audit { id, runs, target: AuditSubject::Method(name.to_owned(), table, fault) })
}
