//! The terms of a data set: its total, how costs add up, and whose rows are protected.

use lookalike_privacy::accounting::{epsilon_of_rho, rho_reserve};
use lookalike_privacy::{Budget, Neighbours, Relation, Rho};

use crate::{Amount, LedgerError};

/// How the costs of releases add up. Fixed when the data set is opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PrivacyFilter {
    /// Sums of rho: many releases cost the least. Runs are then accounted by zCDP inside.
    Rho,
    /// Sums of rho and of tau: the same with a part of delta kept for values that are discovered.
    RhoTau,
    /// Sums of epsilon and of delta: runs may use exact composition inside.
    EpsilonDelta,
}

impl PrivacyFilter {
    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Rho => "rho",
            Self::RhoTau => "rho-tau",
            Self::EpsilonDelta => "epsilon-delta",
        }
    }

    /// Whether runs are accounted by sums of rho.
    pub fn is_in_rho(self) -> bool {
        matches!(self, Self::Rho | Self::RhoTau)
    }

    /// The filter of that name.
    pub fn named(name: &str) -> Option<Self> {
        [Self::Rho, Self::RhoTau, Self::EpsilonDelta].into_iter().find(|filter| filter.name() == name)
    }
}

/// Tells amounts of rho and tau from those of epsilon and delta.
const TAU: &str = "tau";

/// What a data set was opened with.
#[derive(Clone, Debug, PartialEq)]
pub struct Terms {
    budget: Budget,
    filter: PrivacyFilter,
    neighbours: Neighbours,
    unit: Option<String>,
}

/// What a release costs, or what a data set has: in the currency of a filter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cost {
    /// Of rho.
    Rho(Amount),
    /// Of rho and of tau.
    RhoTau(Amount, Amount),
    /// Of epsilon and delta.
    EpsilonDelta(Amount, Amount),
}

impl Terms {
    /// Checks the terms. `unit` is the column that tells whose row it is.
    ///
    /// # Errors
    /// A sum of rho without a delta; several rows a person without a column that names persons;
    /// persons under replace-one; a total that cannot be written down.
    pub fn new(
        budget: Budget,
        filter: PrivacyFilter,
        neighbours: Neighbours,
        unit: Option<String>,
    ) -> Result<Self, LedgerError> {
        if filter.is_in_rho() && budget.is_pure() {
            return Err(LedgerError::usage(
                "a sum of rho needs a delta above 0",
                "give a delta such as 1e-9, or the filter epsilon-delta",
            ));
        }
        if unit.is_some() && neighbours.relation() == Relation::ReplaceOne {
            return Err(LedgerError::usage(
                "replace-one protects single records, not persons",
                "leave out the unit, or use the relation add-remove",
            ));
        }
        if unit.is_none() && neighbours.contribution() > 1 {
            return Err(LedgerError::usage(
                "several rows a person need a column that names persons",
                "name the unit's column",
            ));
        }
        let terms = Self { budget, filter, neighbours, unit };
        terms.total()?;
        Ok(terms)
    }

    /// The total (epsilon, delta) of the data set.
    pub fn budget(&self) -> Budget {
        self.budget
    }

    /// How costs add up.
    pub fn filter(&self) -> PrivacyFilter {
        self.filter
    }

    /// The relation and the contribution.
    pub fn neighbours(&self) -> Neighbours {
        self.neighbours
    }

    /// The column that tells whose row it is.
    pub fn unit(&self) -> Option<&str> {
        self.unit.as_deref()
    }

    /// Whom the budget protects, in words.
    pub fn protects(&self) -> String {
        match (&self.unit, self.neighbours.relation()) {
            (Some(unit), _) => {
                format!("any one person (column {unit:?}, at most {} rows)", self.neighbours.contribution())
            }
            (None, relation) => format!("any one record ({})", relation.name()),
        }
    }

    /// The total in the filter's currency, rounded down.
    pub(crate) fn total(&self) -> Result<Cost, LedgerError> {
        self.in_currency(self.budget, self.filter == PrivacyFilter::RhoTau, Amount::at_most)
    }

    /// What a run of this budget costs, rounded up. A run that discovers keeps a part of its delta
    /// for the values that it finds.
    ///
    /// # Errors
    /// A run that discovers where nothing is kept for that.
    pub fn cost(&self, run: Budget, discovers: bool) -> Result<Cost, LedgerError> {
        let discovers = discovers && !run.is_pure();
        if discovers && self.filter == PrivacyFilter::Rho {
            return Err(LedgerError::usage(
                "the data set keeps no part of its delta for values that are discovered",
                "state the schema, or open a data set with the filter rho-tau or epsilon-delta",
            ));
        }
        self.in_currency(run, discovers, Amount::at_least)
    }

    fn in_currency(
        &self,
        budget: Budget,
        with_tau: bool,
        amount: fn(f64) -> Option<Amount>,
    ) -> Result<Cost, LedgerError> {
        let cost = match self.filter {
            PrivacyFilter::RhoTau => {
                let parts = if with_tau { lookalike_privacy::with_tau(budget).ok() } else { Some((budget, 0.0)) };
                let parts = parts.and_then(|(left, tau)| Some((rho_reserve(left).ok()?, tau)));
                let both = parts.and_then(|(rho, tau)| amount(rho.get()).zip(amount(tau)));
                both.map(|(rho, tau)| Cost::RhoTau(rho, tau))
            }
            PrivacyFilter::Rho => rho_reserve(budget).ok().and_then(|rho| amount(rho.get())).map(Cost::Rho),
            PrivacyFilter::EpsilonDelta => {
                let both = amount(budget.epsilon.get()).zip(amount(budget.delta.get()));
                both.map(|(epsilon, delta)| Cost::EpsilonDelta(epsilon, delta))
            }
        };
        cost.ok_or_else(|| LedgerError::usage("epsilon is too large for a ledger", "use a number below 1000"))
    }

    /// Refuses a run whose promise is about other neighbours.
    pub(crate) fn check_run(&self, name: &str, neighbours: Neighbours, unit: Option<&str>) -> Result<(), LedgerError> {
        if self.neighbours == neighbours && self.unit.as_deref() == unit {
            return Ok(());
        }
        let relation = self.neighbours.relation().name();
        let settings = match &self.unit {
            Some(unit) => format!("unit {unit} and contribution {}", self.neighbours.contribution()),
            None => format!("relation {relation} and no unit"),
        };
        Err(LedgerError::usage(
            format!("the data set {name:?} was opened to protect {}, and this run protects others", self.protects()),
            format!("run with {settings}"),
        ))
    }
}

impl Cost {
    /// Each amount with the other's; `None` in two currencies, or where `join` gives none.
    fn joined(self, other: Self, join: impl Fn(Amount, Amount) -> Option<Amount>) -> Option<Self> {
        match (self, other) {
            (Self::Rho(a), Self::Rho(b)) => join(a, b).map(Self::Rho),
            (Self::RhoTau(a, x), Self::RhoTau(b, y)) => Some(Self::RhoTau(join(a, b)?, join(x, y)?)),
            (Self::EpsilonDelta(a, x), Self::EpsilonDelta(b, y)) => Some(Self::EpsilonDelta(join(a, b)?, join(x, y)?)),
            _ => None,
        }
    }

    /// The sum; `None` in two currencies.
    pub(crate) fn plus(self, other: Self) -> Option<Self> {
        self.joined(other, Amount::plus)
    }

    /// Whether no part of it passes that of the total.
    pub(crate) fn fits(self, total: Self) -> bool {
        self.joined(total, |own, total| (own <= total).then_some(own)).is_some()
    }

    /// Whether this much of tau is not there.
    pub(crate) fn lacks_tau(self, wanted: Amount) -> bool {
        matches!(self, Self::RhoTau(_, tau) if tau < wanted)
    }

    /// What is left of it after taking away; nothing in two currencies.
    pub(crate) fn minus(self, other: Self) -> Self {
        self.joined(other, |own, other| Some(own.minus(other))).unwrap_or_else(|| self.minus(self))
    }

    /// The epsilon that it stands for: of rho, at the data set's delta.
    pub fn epsilon(self, terms: &Terms) -> f64 {
        match self {
            Self::Rho(rho) => {
                Rho::new(rho.to_f64()).and_then(|rho| epsilon_of_rho(rho, terms.budget.delta)).unwrap_or(0.0)
            }
            Self::RhoTau(rho, _) => {
                // What is kept for values is off delta, whether they take it or not.
                let delta = lookalike_privacy::with_tau(terms.budget).map(|(left, _)| left.delta);
                let rho = Rho::new(rho.to_f64());
                rho.and_then(|rho| epsilon_of_rho(rho, delta?)).unwrap_or(0.0)
            }
            Self::EpsilonDelta(epsilon, _) => epsilon.to_f64(),
        }
    }

    /// The amounts as exact decimals.
    pub(crate) fn to_texts(self) -> Vec<String> {
        match self {
            Self::Rho(rho) => vec![rho.to_string()],
            Self::RhoTau(rho, tau) => vec![rho.to_string(), tau.to_string(), TAU.to_owned()],
            Self::EpsilonDelta(epsilon, delta) => vec![epsilon.to_string(), delta.to_string()],
        }
    }

    /// Reads what [`to_texts`](Self::to_texts) writes.
    pub(crate) fn from_texts(texts: &[String]) -> Option<Self> {
        match texts {
            [rho] => rho.parse().ok().map(Self::Rho),
            [rho, tau, word] if word == TAU => rho.parse().ok().zip(tau.parse().ok()).map(|(r, t)| Self::RhoTau(r, t)),
            [epsilon, delta] => epsilon.parse().ok().zip(delta.parse().ok()).map(|(e, d)| Self::EpsilonDelta(e, d)),
            _ => None,
        }
    }
}

/// Four digits that count, for people.
impl std::fmt::Display for Cost {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Rho(rho) => write!(f, "rho {}", short(rho.to_f64())),
            Self::RhoTau(rho, tau) => write!(f, "rho {} and tau {}", short(rho.to_f64()), short(tau.to_f64())),
            Self::EpsilonDelta(epsilon, delta) => {
                write!(f, "epsilon {} and delta {}", short(epsilon.to_f64()), short(delta.to_f64()))
            }
        }
    }
}

/// A number with four digits that count, cut and not rounded: what is shown as left is really
/// there.
pub(crate) fn short(value: f64) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    let unit = 10f64.powi(value.abs().log10().floor() as i32 - 3);
    // A hair more before cutting, so that 0.3 is not shown as 0.2999.
    let cut = (value / unit * (1.0 + 1e-12)).floor() * unit;
    let trimmed = |digits: &str| digits.trim_end_matches('0').trim_end_matches('.').to_owned();
    if (0.001..1e6).contains(&value) {
        return trimmed(&format!("{cut:.7}"));
    }
    let text = format!("{cut:.3e}");
    text.split_once('e').map_or(text.clone(), |(digits, power)| format!("{}e{power}", trimmed(digits)))
}
