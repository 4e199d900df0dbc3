//! How far an answer of a model may be off because of the noise, cell by cell.
//!
//! Error bars stand on the noisy answers that the model keeps ([`KeptAnswer`]), not on the fit.
//! The target is the private table after bounding and coding.
//!
//! # Cells that were measured
//! A cell is *covered* when some answer holds it: as one of its cells, or as a sum of them. Its
//! best unbiased estimate `y` from all answers about its columns is their least-squares
//! combination, with standard error `s` (`solve`). Each answer is first summed over the columns
//! that are not asked for (`family`). Where columns are measured code by code this loses nothing:
//! the counts of a table split into components, one for each set of its columns, whose estimates
//! are independent. With groups it may lose a little, and the error is that of the estimate as it
//! is made. The interval is `[max(0, y - 1.96 s), max(0, y) + 1.96 s]`. Cutting the middle at 0
//! makes it longer, never less true, and it has no width of 0.
//!
//! The printed estimate is the model's and not `y`: it agrees with all others and is not negative.
//! Where noise has pushed it out of the interval, the interval is widened to hold it.
//!
//! A question may be about groups of a column's codes, and answers about other groups of them. Both
//! are then put together until neither cuts a group of the other, and noise adds up.
//!
//! # Cells that were not
//! Nothing bounds the error of what a model fills in, but the truth is bounded all the same. Every
//! set of rows that holds the cell and was measured has at least as many rows: the upper limit is
//! the smallest of theirs. That is how a code has at most the count of its group. And what lies in
//! two sets lies in both: with `A` and `B` inside `U` and nothing but the cell in both, it has at
//! least `A + B - U` rows (Frechet). Such rows are called *bounds*. The limits that an end is taken
//! from hold in 97.5% of cases all together, since each may be the one that matters: three columns
//! that always go together would else be held in 93%.
//!
//! # Bins that a condition cuts
//! Nobody knows how the rows of a bin are spread over its values. A cell with rows in a cut bin is
//! a bound: its lower end is that of the rows outside cut bins, its upper end that of all rows of
//! the bins (`split`).
//!
//! Impossible cells are 0 by the schema, and whoever shows the bars leaves them so.

mod classes;
mod evaluate;
mod family;
mod interval;
mod question;
mod solve;
mod split;
#[cfg(test)]
mod tests;

use lookalike_schema::{Clique, Domain, Filter};

use crate::{KeptAnswer, Model, ModelError, refuse_if};
use interval::CellEstimate;

pub use interval::Interval;
pub(crate) use question::ColumnsInGroups;

/// About the additions that one question may take; beyond, each cell stands on the most exact
/// single answer.
pub const MOST_WORK: f64 = 1e9;
/// A share has an interval of its own where its denominator is this many standard errors from 0.
const SURE: f64 = 5.0;

/// The error bars of the cells of one marginal, perhaps under a condition.
#[derive(Clone, Debug, PartialEq)]
pub struct ErrorBars {
    bars: Vec<CellEstimate>,
    /// Of all rows that are meant.
    whole: CellEstimate,
    gaps: Vec<Clique>,
    split: Clique,
    stands_on_fit: bool,
    is_cut: bool,
}

impl ErrorBars {
    /// The interval of a cell's count. Cells are numbered as in the marginal; `printed` is the
    /// count that is shown beside it.
    pub fn count(&self, cell: usize, printed: f64) -> Interval {
        self.bars[cell].interval().holding(printed)
    }

    /// The interval of a cell's share of all rows that are meant; `printed` is the share that is
    /// shown beside it.
    pub fn share(&self, cell: usize, printed: f64) -> Interval {
        let (count, whole) = (self.bars[cell].interval(), self.whole.interval());
        let interval = match (self.bars[cell], self.whole) {
            (
                CellEstimate::Measured { estimate, error, with_whole: Some(covariance) },
                CellEstimate::Measured { estimate: all, error: all_error, .. },
            ) if all > SURE * all_error => {
                let share = estimate / all;
                let variance = error * error - 2.0 * share * covariance + share * share * all_error * all_error;
                Interval::around(share, variance.max(0.0).sqrt() / all)
            }
            _ => {
                let high = if whole.low > 0.0 { count.high / whole.low } else { 1.0 };
                Interval { low: if whole.high > 0.0 { count.low / whole.high } else { 0.0 }, high, error: None }
            }
        };
        let interval = interval.holding(printed);
        Interval { low: interval.low.min(1.0), high: interval.high.min(1.0), ..interval }
    }

    /// The interval of the number of rows that are meant.
    pub fn total(&self, printed: f64) -> Interval {
        self.whole.interval().holding(printed)
    }

    /// Whether some cell was not measured.
    pub fn has_bounds(&self) -> bool {
        self.bars.iter().any(|bar| matches!(bar, CellEstimate::Bound { .. }))
    }

    /// The smallest sets of columns that the question depends on and that no answer holds together.
    pub fn gaps(&self) -> &[Clique] {
        &self.gaps
    }

    /// Columns that were counted in groups of codes wherever all columns were counted together.
    pub fn split(&self) -> &Clique {
        &self.split
    }

    /// Whether the model keeps no answers, so that the fit stands for them. The errors are then
    /// lower bounds.
    pub fn stands_on_fit(&self) -> bool {
        self.stands_on_fit
    }

    /// Whether the condition has too many parts to be looked at, so that every bound is one without
    /// it.
    pub fn is_cut(&self) -> bool {
        self.is_cut
    }
}

impl Model {
    /// The error bars of the cells of [`Model::marginal_where`], as counts. `most_work` bounds the
    /// additions: [`MOST_WORK`], or less where many are asked for.
    ///
    /// Refuses columns that the schema lacks, and a model that neither keeps answers nor says what
    /// was measured.
    pub fn error_bars(&self, query: &Clique, filter: &Filter, most_work: f64) -> Result<ErrorBars, ModelError> {
        self.error_bars_in(&ColumnsInGroups::new(), query, filter, most_work)
    }

    /// The same with some columns in groups of codes.
    pub(crate) fn error_bars_in(
        &self,
        groups: &ColumnsInGroups,
        query: &Clique,
        filter: &Filter,
        most_work: f64,
    ) -> Result<ErrorBars, ModelError> {
        if !filter.is_split() {
            return self.whole_bins(groups, query, filter, most_work);
        }
        let surely = self.whole_bins(groups, query, &filter.surely(), most_work)?;
        let possibly = self.whole_bins(groups, query, &filter.possibly(), most_work)?;
        let is_cut = surely.is_cut || possibly.is_cut;
        let (ends, domain) = (((surely.bars, surely.whole), (possibly.bars, possibly.whole)), self.schema().domain());
        let (bars, whole) = split::between(ends.0, ends.1, domain, query, filter, groups);
        Ok(ErrorBars {
            bars,
            whole,
            gaps: possibly.gaps,
            split: possibly.split,
            stands_on_fit: possibly.stands_on_fit,
            is_cut,
        })
    }

    /// The same under a condition that cuts no bin.
    fn whole_bins(
        &self,
        groups: &ColumnsInGroups,
        query: &Clique,
        filter: &Filter,
        most_work: f64,
    ) -> Result<ErrorBars, ModelError> {
        let domain = self.schema().domain();
        if !self.answers().is_empty() {
            return error_bars(domain, self.answers(), query, filter, groups, most_work);
        }
        let told = self.measured().iter().map(|one| {
            let shares = self.marginal(&one.clique)?;
            let values = shares.iter().map(|share| share * self.total()).collect();
            KeptAnswer::plain(domain, &one.clique, values, one.variance)
        });
        // A table that is too large to be made is left out: it is not what anybody asks for.
        let told: Vec<KeptAnswer> = told.filter_map(Result::ok).collect();
        let bars = error_bars(domain, &told, query, filter, groups, most_work)?;
        Ok(ErrorBars { stands_on_fit: true, ..bars })
    }
}

/// The error bars of the cells of a marginal, among the rows that a condition means.
///
/// Refuses columns that the domain lacks, and a question without any answer to stand on.
pub fn error_bars(
    domain: &Domain,
    answers: &[KeptAnswer],
    query: &Clique,
    filter: &Filter,
    groups: &ColumnsInGroups,
    most_work: f64,
) -> Result<ErrorBars, ModelError> {
    let columns = query.union(&filter.attributes());
    let lacking = columns.attributes().last().is_some_and(|last| last.index() >= domain.len());
    refuse_if(lacking, "error bars were asked of a column that the model lacks")?;
    refuse_if(answers.is_empty(), "error bars were asked of a model without answers")?;
    let question = question::MarginalQuestion::new(domain, answers, query, filter, groups);
    let families = family::AnswerFamily::all(domain, &question, answers);
    let (gaps, split) = evaluate::reasons(&question, &families);
    let (bars, whole) = evaluate::bars(&question, families, most_work);
    Ok(ErrorBars { bars, whole, gaps, split, stands_on_fit: false, is_cut: question.is_cut })
}
