//! The inverse: how many rows a budget allows at a smoothing, and how much smoothing it leaves for
//! a number of rows.

use lookalike_curator::{CuratorError, MAX_DRAWS};
use lookalike_privacy::{Budget, PrivacyError, Rational, SmoothedHistogram};

use super::params::HistogramParams;
use crate::{MethodError, Request};

/// The smoothing at which the number of rows is chosen when nobody names it.
///
/// Undoing the smoothing d multiplies the scatter of a share among k rows by 1 / (1 - d), so what k
/// rows tell grows like k (1 - d)^2. With the odds of a kept row at most a / k for a = n epsilon /
/// m (small epsilon / k), this is k a^2 / (k + a)^2, which is largest at k = a: where d is one
/// half. More rows would be more noise, fewer would waste what the budget pays for.
const BEST: (u64, u64) = (1, 2);

/// The smoothings that users are shown the price of.
const SHOWN: [(u64, u64); 3] = [(1, 10), (1, 2), (9, 10)];

/// What will be drawn, from public facts alone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reach {
    facts: SmoothedHistogram,
    smoothing: Rational,
    epsilon: f64,
}

impl Reach {
    /// How many rows, and at which smoothing, for a table of `rows` records in `cells` possible
    /// cells.
    ///
    /// # Errors
    /// The budget refuses: rows that were asked for (or a single one) need more smoothing than the
    /// limit. The message says how many rows the limit allows, and which smoothing the rows need.
    pub fn choose(
        params: &HistogramParams,
        cells: u64,
        rows: u64,
        budget: Budget,
        request: &Request,
    ) -> Result<Self, MethodError> {
        let epsilon = budget.epsilon.get();
        let facts = SmoothedHistogram { cells, rows, draws: 1 };
        let limit = params.smoothing.map(Rational::at_most).transpose().map_err(CuratorError::from)?;
        let draws = request.rows.unwrap_or_else(|| default_draws(facts, limit, epsilon));
        let reach = Self::at(SmoothedHistogram { draws, ..facts }, epsilon)?;
        match limit {
            Some(limit) if facts.most_draws(limit, epsilon) < draws => Err(reach.refusal(limit)),
            _ => Ok(reach),
        }
    }

    /// The same without a refusal: what a forecast for some number of rows needs.
    pub(super) fn expected(
        params: &HistogramParams,
        cells: u64,
        rows: u64,
        budget: Budget,
    ) -> Result<Self, MethodError> {
        let unlimited = HistogramParams { smoothing: None };
        let facts = SmoothedHistogram { cells, rows, draws: 1 };
        let limit = params.smoothing.map(Rational::at_most).transpose().map_err(CuratorError::from)?;
        let draws = default_draws(facts, limit, budget.epsilon.get());
        Self::choose(&unlimited, cells, rows, budget, &Request { rows: Some(draws), ..Request::default() })
    }

    fn at(facts: SmoothedHistogram, epsilon: f64) -> Result<Self, MethodError> {
        Ok(Self { facts, smoothing: facts.smoothing(epsilon).map_err(CuratorError::from)?, epsilon })
    }

    /// Cells, records, and the rows that will be drawn.
    pub fn facts(&self) -> SmoothedHistogram {
        self.facts
    }

    /// The least smoothing that the budget allows for these rows.
    pub fn smoothing(&self) -> f64 {
        self.smoothing.to_f64()
    }

    /// What was chosen, and what else the budget allows: a line each.
    pub fn words(&self) -> Vec<String> {
        let SmoothedHistogram { cells, rows, draws } = self.facts;
        let kept = percent(1.0 - self.smoothing());
        let mut words = vec![format!(
            "{draws} rows of {cells} possible combinations, {kept} of them drawn from the {rows} records and the others uniform \
             (smoothing {})",
            short(self.smoothing())
        )];
        let prices: Vec<String> = SHOWN
            .iter()
            .filter_map(|&(part, whole)| Rational::new(part, whole).ok())
            .map(|smoothing| {
                let most = self.facts.most_draws(smoothing, self.epsilon);
                format!(
                    "{} at {}",
                    if most > MAX_DRAWS { format!("over {MAX_DRAWS}") } else { most.to_string() },
                    smoothing.to_f64()
                )
            })
            .collect();
        words.push(format!(
            "epsilon {} allows this many rows at this smoothing: {}; choose by the number of rows, or set smoothing",
            short(self.epsilon),
            prices.join(", ")
        ));
        words
    }

    fn refusal(&self, limit: Rational) -> MethodError {
        let draws = self.facts.draws;
        let rows = if draws == 1 { "1 row".to_owned() } else { format!("{draws} rows") };
        let what = format!(
            "{rows} at a smoothing of {} cost epsilon {}, above {}; at this smoothing the budget allows at most {} rows, and \
             {rows} need a smoothing of {}",
            short(limit.to_f64()),
            short(self.facts.epsilon(limit)),
            short(self.epsilon),
            self.facts.most_draws(limit, self.epsilon),
            // Rounded up: the figure must do when it is typed.
            short((self.smoothing() * 1e6).ceil() / 1e6),
        );
        CuratorError::from(PrivacyError::Refused { what }).into()
    }
}

/// As many rows as the limit allows, or one half; at least one, and at most as many as there are
/// records.
fn default_draws(facts: SmoothedHistogram, limit: Option<Rational>, epsilon: f64) -> u64 {
    let smoothing = limit.or_else(|| Rational::new(BEST.0, BEST.1).ok());
    let most = smoothing.map_or(1, |smoothing| facts.most_draws(smoothing, epsilon));
    most.clamp(1, facts.rows.clamp(1, MAX_DRAWS))
}

/// A figure with up to six digits.
pub(super) fn short(value: f64) -> String {
    if value != 0.0 && !(1e-4..1e9).contains(&value.abs()) {
        return format!("{value:.3e}");
    }
    let text = format!("{value:.6}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// A share of rows.
fn percent(share: f64) -> String {
    format!("{}%", short((share * 1e4).round() / 1e2))
}
