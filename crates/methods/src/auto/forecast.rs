//! What the method would reach, from public facts alone.

use std::f64::consts::FRAC_2_PI;

use super::params::AutoParams;
use super::schedule::{DRAWS_A_SLOT, Prices, signal};
use super::state::full_tree;
use crate::graphical::Limit;
use crate::graphical::merge::MOST_GROUPS;
use crate::one_way::{LAPLACE, distance_of_drawn};
use crate::{Forecast, MethodError, PublicFacts, Request, TableReach, total};

/// What tables tell of a column, as many times the precision of one of their cells: `exp(a) cells^b
/// values^c columns^d`, with the cells that a table may have, the usual number of values and the
/// number of columns. Fitted on the `varied` tables (`docs/plan.md`).
const TOLD: [f64; 4] = [0.591, -0.056, -0.448, -0.024];
/// Drawing rows leaves this share of the variance of drawing them one by one, for columns of
/// [`USUAL_VALUES`] and tables of [`USUAL_COLUMNS`], where the model has at least as many cells as
/// there are rows; and the powers with which it grows with the usual number of values, with the
/// columns, and with cells over rows. Fitted on the same tables.
const DRAWN: [f64; 4] = [0.056, 1.109, -0.182, 0.5];
const USUAL_VALUES: f64 = 4.0;
const USUAL_COLUMNS: f64 = 15.0;
/// The cells of the tree that rounds fill are those that a table may have, to this power for
/// [`USUAL_COLUMNS`]; and the power with which it grows with the columns. Fitted on the same
/// tables.
const TREE_POWER: [f64; 2] = [2.71, 0.33];
/// Coarse levels of columns make a tree somewhat larger than all combinations of values.
const COARSE_LEVELS: f64 = 2.7;

/// Follows the method's own rules for what columns and tables get, with the true number of rows in
/// the place of the noisy one.
pub(super) fn forecast(params: &AutoParams, facts: &PublicFacts) -> Result<Forecast, MethodError> {
    if facts.schema.domain().is_empty() {
        return Ok(Forecast::without_columns(facts.budget));
    }
    let outlook = Outlook::new(params, facts)?;
    let bought = outlook.at(1.0);
    let without = outlook.without_tables(&bought);
    let least = |of: &dyn Fn(&Bought) -> f64| without.iter().map(of).fold(of(&bought), f64::min);
    Ok(Forecast {
        tvd1: least(&|bought| outlook.distance(bought)),
        column_noise: least(&|bought| outlook.known(bought, typical(&outlook.sizes))).sqrt(),
        cell_noise: bought.table.sqrt(),
        model_bytes: (8.0 * outlook.tree(&bought)) as u64,
    })
}

/// The geometric mean of the columns' numbers of values.
pub(super) fn typical(sizes: &[f64]) -> f64 {
    (sizes.iter().map(|size| size.ln()).sum::<f64>() / sizes.len().max(1) as f64).exp()
}

/// How many tables there would be.
pub(super) fn reach(params: &AutoParams, facts: &PublicFacts) -> Result<Option<TableReach>, MethodError> {
    if facts.schema.domain().len() < 2 {
        return Ok(None);
    }
    let outlook = Outlook::new(params, facts)?;
    let (tables, choice_epsilon) = (outlook.at(1.0).rounds, outlook.prices.choice);
    Ok(Some(TableReach { tables, choice_epsilon, signal: outlook.signal }))
}

struct Outlook {
    params: AutoParams,
    prices: Prices,
    sizes: Vec<f64>,
    /// How many times as much variance each column's own counts have as those of one that goes down
    /// from slot to slot.
    factors: Vec<f64>,
    /// The number of rows over the noise, where the budget is dealt out by it.
    signal: f64,
    rows: f64,
}

/// What columns and tables get.
struct Bought {
    /// The variance of a column's own counts, all of them together.
    column: f64,
    /// The variance of a table's counts.
    table: f64,
    /// How many tables there are; 0 where everything goes to the columns.
    rounds: f64,
}

impl Outlook {
    fn new(params: &AutoParams, facts: &PublicFacts) -> Result<Self, MethodError> {
        let &PublicFacts { schema, rows, budget, .. } = facts;
        let sizes: Vec<f64> = schema.domain().sizes().iter().map(|&size| f64::from(size)).collect();
        let (passes, mut params) = params.for_schema(schema, budget.is_pure());
        let (mut rest, mut over_noise) = (*facts, f64::INFINITY);
        if params.buys_row_count(passes, budget) {
            rest.budget.epsilon = total::part(budget, 1.0 - params.row_count_share)?.epsilon;
            over_noise = signal(rows as f64, sizes.len(), facts.neighbours, rest.budget)?;
            params = params.for_signal(over_noise);
        }
        let prices = Prices::new(&params, passes, &rest)?;
        let times = params.detail().times(schema, passes);
        let factors = times.into_iter().map(|times| f64::from(passes) / f64::from(times)).collect();
        Ok(Self { params, prices, sizes, factors, signal: over_noise, rows: rows.max(1) as f64 })
    }

    /// With `scale` times the noise. (The other roundings of numbers of slots are left out: errors
    /// then fall with every bit of budget.)
    fn at(&self, scale: f64) -> Bought {
        let (columns, scale) = (self.sizes.len() as f64, scale * scale);
        let Prices { ones, slot, mut slots, is_pure, .. } = self.prices;
        let (mut column, slot) = (ones * scale, slot * scale);
        if !is_pure && self.params.column_passes {
            // The columns' own counts once more, until they are good enough or have had their part.
            let wanted = (self.rows / (self.params.column_usefulness * typical(&self.sizes))).powi(2).max(1e-300);
            // Passes are whole, so that there is half of one more on average; where there is hardly
            // one, as much as with more noise.
            let (wanted, known, draw) = (1.0 / wanted, 1.0 / column, f64::from(DRAWS_A_SLOT) * slot);
            let aim =
                wanted + if (wanted - known) * draw > 0.5 { 0.5 / draw } else { 0.5 * wanted / (0.5 + known * draw) };
            let taken = ((aim - known).max(0.0) * columns * slot).min(self.params.column_share * slots);
            column = 1.0 / (1.0 / column + taken / (columns * slot));
            slots -= taken;
        }
        let short = self.params.least_cells * self.params.pair_usefulness * (slot * FRAC_2_PI).sqrt() / self.rows;
        let pace = if is_pure { short } else { short * short }.max(1.0);
        let rounds = slots / pace;
        if rounds < self.params.fewest_rounds * columns || rounds < 1.0 {
            // Everything goes to the columns.
            column = 1.0 / (1.0 / column + slots / (columns * slot));
            return Bought { column, table: slot, rounds: 0.0 };
        }
        let table = slot / if is_pure { pace * pace } else { pace };
        Bought { column, table, rounds }
    }

    /// The most cells of a table of more than two columns.
    fn most_cells(&self, bought: &Bought) -> f64 {
        (self.rows / (self.params.usefulness * (bought.table * FRAC_2_PI).sqrt())).min(self.params.most_cells)
    }

    /// The cells of the model.
    fn tree(&self, bought: &Bought) -> f64 {
        let alone: f64 = self.sizes.iter().sum();
        if bought.rounds == 0.0 {
            return alone;
        }
        let all: f64 = COARSE_LEVELS * self.sizes.iter().map(|size| size.min(f64::from(MOST_GROUPS))).product::<f64>();
        let full = full_tree(bought.rounds.min(f64::from(self.params.fits)), self.rows);
        let limit = Limit::of(&Request::default()).part(full) as f64;
        let [usual, by_columns] = TREE_POWER;
        let power = usual * (self.sizes.len() as f64 / USUAL_COLUMNS).powf(by_columns);
        alone + self.most_cells(bought).powf(power).min(all).min(limit)
    }

    /// The logarithm of the usual number of values, as columns are held.
    fn held(&self) -> f64 {
        typical(&self.sizes.iter().map(|size| size.clamp(2.0, f64::from(MOST_GROUPS))).collect::<Vec<_>>()).ln()
    }

    /// What tables tell of a column, over what one of their cells tells.
    fn told(&self, bought: &Bought) -> f64 {
        let [constant, by_cells, by_values, by_columns] = TOLD;
        let (values, columns) = (self.held(), self.sizes.len() as f64);
        let cells = self.most_cells(bought).max(1.0).ln().min(f64::from(self.params.width) * values);
        (constant + by_cells * cells + by_values * values + by_columns * columns.ln()).exp()
    }

    /// What drawing rows leaves of the variance of drawing them one by one.
    fn drawn(&self, bought: &Bought) -> f64 {
        let [share, by_values, by_columns, by_cells] = DRAWN;
        let values = (by_values * (self.held() - USUAL_VALUES.ln())).exp();
        let columns = (self.sizes.len() as f64 / USUAL_COLUMNS).powf(by_columns);
        (share * values * columns * (self.tree(bought) / self.rows).min(1.0).powf(by_cells)).min(1.0)
    }

    /// The mean distance of the columns: what is known of each from its own counts and from tables,
    /// weighted by precision, and the noise of drawing rows.
    fn distance(&self, bought: &Bought) -> f64 {
        let is_pure = self.prices.is_pure;
        // Without tables columns are drawn by themselves, and exactly.
        let drawn = if bought.rounds > 0.0 { self.drawn(bought) } else { 0.0 };
        let one = |(&size, &factor): (&f64, &f64)| {
            let noise = self.known(&Bought { column: factor * bought.column, ..*bought }, size);
            distance_of_drawn(size, if is_pure { LAPLACE * noise } else { noise }, self.rows, drawn)
        };
        self.sizes.iter().zip(&self.factors).map(one).sum::<f64>() / self.sizes.len() as f64
    }

    /// The variance of what is known of a value's count in a column of this size: from the column's
    /// own counts and from tables, weighted by precision. That is what error bars are made from.
    fn known(&self, bought: &Bought, size: f64) -> f64 {
        let own = bought.column.max(1e-300);
        // A column of many rare values is spread by its own counts.
        if bought.rounds == 0.0 || size > f64::from(MOST_GROUPS) {
            return own;
        }
        1.0 / (1.0 / own + self.told(bought) / bought.table.max(1e-300))
    }

    /// Where tables begin to pay, columns get less than with a little more noise. More budget must
    /// not look worse, so what is said of columns is at most what it is there: where tables do not
    /// pay yet.
    fn without_tables(&self, bought: &Bought) -> Option<Bought> {
        if bought.rounds == 0.0 {
            return None;
        }
        let (mut with, mut without) = (1.0, 1e6);
        if self.at(without).rounds > 0.0 {
            return None;
        }
        for _ in 0..40 {
            let middle = f64::sqrt(with * without);
            if self.at(middle).rounds > 0.0 { with = middle } else { without = middle }
        }
        Some(self.at(without))
    }
}
