//! Income by sex and city: Gini coefficients and the ranks of cities by pay gap.

use lookalike_schema::{AttrId, Clique};
use lookalike_table::{Table, TableError};
use serde::Serialize;

use crate::values::code_values;

/// The columns that the regression score is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NistColumns {
    /// Sex: its two commonest codes are compared.
    pub sex: AttrId,
    /// Income: an ordered column.
    pub income: AttrId,
    /// City, or any other grouping.
    pub city: AttrId,
}

/// The regression score and its halves.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Regression {
    /// 10^6 times the mean of the two parts.
    pub score: f64,
    /// 1 minus the mean squared difference of Gini coefficients.
    pub gini: f64,
    /// 1 minus the mean squared difference of the cities' ranks over that of the reversed order.
    pub ranks: f64,
    /// Cities that the real table has.
    pub cities: usize,
}

/// The score. Nothing when income has no order, or the real table has no city with an income in it.
///
/// Cities are those of the real table. A group without rows has a Gini coefficient and a pay gap of
/// 0.
pub fn regression_score(
    real: &Table,
    synthetic: &Table,
    columns: NistColumns,
) -> Result<Option<Regression>, TableError> {
    let Some(values) = code_values(real.schema().codec(columns.income)) else { return Ok(None) };
    if Clique::new([columns.sex, columns.income, columns.city]).len() < 3 {
        return Ok(None);
    }
    let (left, right) = (IncomeCounts::of(real, columns)?, IncomeCounts::of(synthetic, columns)?);
    let cities: Vec<usize> = (0..left.cities).filter(|&city| left.rows(city) > 0).collect();
    if cities.is_empty() {
        return Ok(None);
    }
    let sexes = left.commonest();
    let mut squares = 0.0;
    let mut gaps = (Vec::new(), Vec::new());
    for &city in &cities {
        for &sex in &sexes {
            let difference = gini(&left.incomes(city, sex, &values)) - gini(&right.incomes(city, sex, &values));
            squares += difference * difference;
        }
        gaps.0.push(left.gap(city, &sexes, &values));
        gaps.1.push(right.gap(city, &sexes, &values));
    }
    let gini = 1.0 - squares / (cities.len() * sexes.len()).max(1) as f64;
    let ranks = rank_deviation(&gaps.0, &gaps.1);
    Ok(Some(Regression { score: 1e6 * (gini + ranks) / 2.0, gini, ranks, cities: cities.len() }))
}

/// Counts of city, sex and income, in this order.
struct IncomeCounts {
    cities: usize,
    sexes: usize,
    incomes: usize,
    counts: Vec<u64>,
}

impl IncomeCounts {
    fn of(table: &Table, columns: NistColumns) -> Result<Self, TableError> {
        let [cities, sexes, incomes] =
            [columns.city, columns.sex, columns.income].map(|attribute| table.domain().size(attribute) as usize);
        let mut counts = vec![0; cities * sexes * incomes];
        let (sex, income) = (table.codes(columns.sex)?, table.codes(columns.income)?);
        for (city, (sex, income)) in table.codes(columns.city)?.into_iter().zip(sex.into_iter().zip(income)) {
            counts[(city as usize * sexes + sex as usize) * incomes + income as usize] += 1;
        }
        Ok(Self { cities, sexes, incomes, counts })
    }

    fn slice(&self, city: usize, sex: usize) -> &[u64] {
        let start = (city * self.sexes + sex) * self.incomes;
        &self.counts[start..start + self.incomes]
    }

    fn rows(&self, city: usize) -> u64 {
        (0..self.sexes).flat_map(|sex| self.slice(city, sex)).sum()
    }

    /// The two commonest sexes, in code order.
    fn commonest(&self) -> Vec<usize> {
        let total = |sex: usize| (0..self.cities).flat_map(|city| self.slice(city, sex)).sum::<u64>();
        let mut order: Vec<usize> = (0..self.sexes).collect();
        order.sort_by_key(|&sex| std::cmp::Reverse(total(sex)));
        order.truncate(2);
        order.sort_unstable();
        order
    }

    /// Values and rows of the incomes that are there, ascending by code.
    fn incomes(&self, city: usize, sex: usize, values: &[Option<f64>]) -> Vec<(f64, f64)> {
        let counts = self.slice(city, sex).iter().zip(values);
        counts.filter(|(count, _)| **count > 0).filter_map(|(&count, value)| Some(((*value)?, count as f64))).collect()
    }

    /// The difference of the mean incomes of both sexes over their mean; 0 where one of them has
    /// none.
    fn gap(&self, city: usize, sexes: &[usize], values: &[Option<f64>]) -> f64 {
        let mean = |&sex: &usize| {
            let incomes = self.incomes(city, sex, values);
            let weight: f64 = incomes.iter().map(|(_, weight)| weight).sum();
            (weight > 0.0).then(|| incomes.iter().map(|(value, weight)| value * weight).sum::<f64>() / weight)
        };
        let means: Vec<Option<f64>> = sexes.iter().map(mean).collect();
        match means.as_slice() {
            [Some(first), Some(second)] if first + second > 0.0 => 2.0 * (first - second) / (first + second),
            _ => 0.0,
        }
    }
}

/// The Gini coefficient of values with weights, the values ascending: 0 when all are equal or the
/// mean is not above 0.
pub fn gini(values: &[(f64, f64)]) -> f64 {
    let weight: f64 = values.iter().map(|(_, weight)| weight).sum();
    let sum: f64 = values.iter().map(|(value, weight)| value * weight).sum();
    if weight <= 0.0 || sum <= 0.0 {
        return 0.0;
    }
    // The area under the Lorenz curve, doubled.
    let (mut before, mut area) = (0.0, 0.0);
    for (value, own) in values {
        let after = before + value * own;
        area += own * (before + after);
        before = after;
    }
    (1.0 - area / (weight * sum)).clamp(0.0, 1.0)
}

/// 1 minus the mean squared difference of the ranks of two lists over that of the reversed order; 1
/// for fewer than two items. Equal values share their rank.
pub fn rank_deviation(first: &[f64], second: &[f64]) -> f64 {
    let count = first.len() as f64;
    if first.len() < 2 {
        return 1.0;
    }
    let (a, b) = (crate::hypothesis::ranks(first), crate::hypothesis::ranks(second));
    let mean = a.iter().zip(&b).map(|(x, y)| (x - y).powi(2)).sum::<f64>() / count;
    (1.0 - mean / ((count * count - 1.0) / 3.0)).max(0.0)
}
