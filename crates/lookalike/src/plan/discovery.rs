//! What discovery would find with a part of a budget.

use lookalike_discovery::Prices;
use lookalike_privacy::accounting::{epsilon_of_rho, rho_of};
use lookalike_privacy::{Budget, DiscoveryCost, Epsilon, Neighbours, Rho, with_tau};
use lookalike_schema::{Discovered, FoundColumn, OpenSchema, Schema, Wish};

use crate::error::{Error, SettingError};

/// The values that a column is taken to have of which nothing is known; the j-th most frequent one
/// has a part of the rows that goes like 1 / j, as everywhere in a plan.
pub(super) const ASSUMED_VALUES: usize = 16;

/// What discovery would find.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DiscoveryProspect {
    /// The total epsilon of the run.
    pub epsilon: f64,
    /// Its delta.
    pub delta: f64,
    /// The most rows of a person; 1 where a record is protected.
    pub contribution: u32,
    /// The standard deviation of the noise on a count that bounds are read off, in rows.
    pub noise: f64,
    /// About how many rows a value needs to be found; `None` at delta 0, where none are.
    pub threshold: Option<u64>,
    /// The smallest noisy count of a value that is released. Where rare values of all columns are
    /// looked for together, it is below what a value of one column surely needs.
    pub smallest_threshold: Option<u64>,
    /// Whether there are too few rows for this many columns: most values and the ends of ranges are
    /// then lost.
    pub is_too_small: bool,
}

impl DiscoveryProspect {
    pub(super) fn new(
        wishes: &[Wish],
        budget: Budget,
        neighbours: Neighbours,
        share: f64,
        rows: u64,
    ) -> Result<Self, Error> {
        let total = total(budget, share)?;
        let prices = Prices::new(wishes, neighbours, total, budget.is_pure())?;
        Ok(Self {
            epsilon: budget.epsilon.get(),
            delta: budget.delta.get(),
            contribution: neighbours.contribution(),
            noise: prices.noise(),
            threshold: prices.values.map(|values| values.threshold),
            smallest_threshold: prices.smallest_threshold(),
            is_too_small: prices.are_too_few(rows as f64),
        })
    }
}

/// What discovery may cost of a budget.
pub(super) fn total(budget: Budget, share: f64) -> Result<DiscoveryCost, Error> {
    if budget.is_pure() {
        return Ok(DiscoveryCost { amount: share * budget.epsilon.get(), tau: 0.0 });
    }
    let (left, tau) = with_tau(budget)?;
    Ok(DiscoveryCost { amount: share * rho_of(left)?.get(), tau })
}

/// What is left of a budget behind discovery, for a method's own forecast.
pub(super) fn rest(budget: Budget, share: f64) -> Result<Budget, Error> {
    if budget.is_pure() {
        let epsilon = Epsilon::new((1.0 - share) * budget.epsilon.get())?;
        return Ok(Budget { epsilon, ..budget });
    }
    let (left, _) = with_tau(budget)?;
    let rho = Rho::new((1.0 - share) * rho_of(left)?.get())?;
    Ok(Budget { epsilon: Epsilon::new(epsilon_of_rho(rho, left.delta)?)?, ..left })
}

/// How many of the assumed values of a column have as many rows as one needs to be found.
pub(super) fn values_found(threshold: Option<u64>, rows: u64) -> usize {
    let all: f64 = (1..=ASSUMED_VALUES).map(|value| 1.0 / value as f64).sum();
    let Some(threshold) = threshold else { return 1 };
    let found = (1..=ASSUMED_VALUES).take_while(|&value| rows as f64 / (all * value as f64) >= threshold as f64);
    found.count().max(1)
}

/// The columns of a header that nobody has seen, and a schema with guesses in the place of what
/// would be found: `values` words, or a hundred numbers.
pub(super) fn assumed(open: &OpenSchema, columns: Option<u64>, values: usize) -> Result<(Vec<Wish>, Schema), Error> {
    let mut header = open.names();
    if open.takes_unlisted() {
        let columns = columns.ok_or(SettingError::NoColumns)?;
        let more = columns.saturating_sub(header.len() as u64).min(10_000);
        header.extend((1..=more).map(|column| format!("(column {column})")));
    }
    let wishes = open.wishes(&header)?;
    let found = |wish: &Wish| {
        let found = match wish {
            Wish::Nothing => return None,
            Wish::Integers | Wish::Numbers => FoundColumn::Integer(0, 99, None, Vec::new()),
            Wish::Dates(pattern, _) => FoundColumn::Date(pattern.clone(), 0, 3652),
            Wish::Type | Wish::Values => FoundColumn::Category((1..=values).map(|value| format!("v{value}")).collect()),
        };
        Some((found, Discovered::default()))
    };
    let found: Vec<_> = wishes.iter().map(found).collect();
    Ok((wishes, open.filled(&header, &found, &Default::default())?))
}
