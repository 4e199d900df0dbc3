//! A test before tables are measured in earnest: is there anything beyond noise?

use lookalike_curator::{Score, ScoreQuery};

use super::schedule::SignalPrice;
use super::state::{ColumnFacts, State};
use crate::MethodError;
use crate::budget::broken_plan;
use crate::graphical::Columns;
use crate::rounds::{ChosenClique, Policy, Run, WeightedCandidate};

/// A few times a choice as in every round, and how far the chosen table is from the model. If that
/// is, beyond what the columns' own noise explains, on average less than the noise of measuring it,
/// there is no signal; else the table that was farthest, which is the next round's: what it was
/// chosen for still holds.
///
/// A number says it for next to nothing: a distance has a row's sensitivity, a table has it too,
/// but in every cell as much noise as the distance has in all. Where columns are independent,
/// tables would cost most of the budget and teach nothing that the columns' own counts do not say
/// better.
///
/// # Privacy
/// The cost is that of the choices and of [`Curator::noisy_scores`](lookalike_curator::Curator) for
/// each distance.
pub(super) fn find_signal<P: Policy>(
    run: &mut Run,
    policy: &P,
    candidates: &[WeightedCandidate],
    (price, mean_noise): (SignalPrice, f64),
    state: &State,
) -> Result<Option<ChosenClique>, MethodError> {
    // More than one, because at small budgets a choice often takes a poor table.
    let tables = state.params.signal_tables;
    let enough = state.params.signal_worth * f64::from(tables);
    let (mut sum, mut best, mut farthest) = (0.0, f64::NEG_INFINITY, None);
    for _ in 0..tables {
        let chosen = run.choose(policy, candidates, price.choice)?.into_iter().next().ok_or_else(broken_plan)?;
        let (clique, expected) = (run.model.columns().asked(&chosen.clique), chosen.expected.clone());
        let score = Score::DistanceToModel { clique, expected };
        let answers = run.curator.noisy_scores(&[ScoreQuery { score, noise: price.noise }])?;
        let distance = answers.first().map_or(0.0, |answer| answer.rows());
        // What stands out beyond the columns' own noise; independent errors add up by their
        // squares.
        let own = by_columns(run.model.columns(), &chosen, &state.columns);
        let beyond = (distance.max(0.0).powi(2) - own.powi(2)).max(0.0).sqrt();
        let ratio = beyond / (mean_noise * chosen.expected.values().len() as f64);
        sum += ratio;
        if ratio > best {
            (best, farthest) = (ratio, Some(chosen));
        }
        // One plain answer will do.
        if sum > enough {
            return Ok(farthest);
        }
    }
    Ok(None)
}

/// How far a table of unrelated columns would be from the model because the columns' own counts are
/// noisy. A cell is as much too large as its values are: each by its noise, in proportion to the
/// cell's part of it.
fn by_columns(columns: &Columns, chosen: &ChosenClique, facts: &[ColumnFacts]) -> f64 {
    let cells = columns.from_asked(&chosen.clique, chosen.expected.values().to_vec());
    let mut variances = vec![0.0; cells.len()];
    let mut stride = cells.len();
    for attribute in chosen.clique.attributes() {
        let size = columns.domain().size(*attribute) as usize;
        stride /= size;
        let code = |cell: usize| cell / stride % size;
        let mut counts = vec![0.0; size];
        cells.iter().enumerate().for_each(|(cell, count)| counts[code(cell)] += count);
        let variance = facts[columns.column_of(attribute.index())].variance;
        for (cell, sum) in variances.iter_mut().enumerate() {
            let count = counts[code(cell)];
            *sum += if count > 0.0 { (cells[cell] / count).powi(2) * variance } else { 0.0 };
        }
    }
    variances.into_iter().map(|variance| (std::f64::consts::FRAC_2_PI * variance).sqrt()).sum()
}
