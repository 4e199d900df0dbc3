//! What the method would reach, from public facts alone.

use super::fit::MstPlan;
use super::params::MstParams;
use crate::graphical::Detail;
use crate::graphical::merge::MOST_GROUPS;
use crate::one_way::{LAPLACE, mean_distance};
use crate::{Forecast, MethodError, PublicFacts};

/// Takes a column's own counts alone, to which its pairs add a little.
pub(super) fn forecast(params: &MstParams, facts: &PublicFacts) -> Result<Forecast, MethodError> {
    let &PublicFacts { schema, rows, neighbours, budget } = facts;
    let sizes = schema.domain().sizes();
    if sizes.is_empty() {
        return Ok(Forecast::without_columns(budget));
    }
    let detail = Detail::when(params.levels);
    let slots = detail.slots(schema, budget.is_pure());
    let wanted = MstPlan::new(params, sizes.len(), detail.marginals(schema, slots), neighbours, budget);
    let bought = wanted.plan.forecast_quickly(budget)?;
    let ones = bought.variance(wanted.ones) / f64::from(slots);
    // A table of one column has no pairs.
    let pairs = if sizes.len() > 1 { bought.variance(wanted.pairs) } else { ones };
    let side = |&size: &u32| f64::from(size.min(MOST_GROUPS));
    let widest = sizes.iter().map(side).fold(1.0, f64::max);
    let cells: f64 = sizes.iter().map(|size| f64::from(*size) + side(size) * widest).sum();
    let tvd1 = mean_distance(sizes, if budget.is_pure() { LAPLACE * ones } else { ones }, rows.max(1) as f64);
    Ok(Forecast { tvd1, column_noise: ones.sqrt(), cell_noise: pairs.sqrt(), model_bytes: 8 * cells as u64 })
}
