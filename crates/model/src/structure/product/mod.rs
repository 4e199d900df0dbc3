//! Independent columns: one probability vector an attribute.

mod draws;
mod marginal;

use lookalike_schema::Schema;

use crate::{ModelError, Rules, refuse_if};

/// A stored column may miss a sum of 1 by this much; whoever wrote it normalized in floats.
const SUM_SLACK: f64 = 1e-6;

/// One probability vector an attribute, in attribute order.
///
/// Where impossible rules tie columns together, the distribution is the product of the columns
/// *given that the row is possible*.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Product {
    columns: Vec<Vec<f64>>,
}

impl Product {
    /// The product whose one-way marginals are the weights, normalized, as far as the rules allow.
    pub(crate) fn fitted(sizes: &[u32], rules: &Rules, weights: Vec<Vec<f64>>) -> Result<Self, ModelError> {
        check(sizes, &weights)?;
        let mut columns = weights;
        for (attribute, column) in columns.iter_mut().enumerate() {
            (0..column.len()).filter(|&code| !rules.allows(attribute, code)).for_each(|code| column[code] = 0.0);
            if !normalize(column) {
                // No weight at all, as when every noisy count is negative: nothing is known, so
                // every code is alike.
                (0..column.len()).for_each(|code| column[code] = f64::from(u8::from(rules.allows(attribute, code))));
                normalize(column);
            }
        }
        rules.fit(&mut columns);
        columns.iter_mut().for_each(|column| {
            normalize(column);
        });
        Ok(Self { columns })
    }

    /// The product with exactly these probabilities, as they stand in a file: nothing is refitted
    /// or rescaled.
    ///
    /// Sizes come first: rules are worked out code by code, and codes without a stored weight must
    /// not cost memory.
    pub(crate) fn stored(schema: &Schema, columns: Vec<Vec<f64>>) -> Result<(Self, Rules), ModelError> {
        check(schema.domain().sizes(), &columns)?;
        let rules = Rules::new(schema)?;
        Ok((Self::exact(&rules, columns)?, rules))
    }

    /// The same of columns that have the schema's sizes.
    pub(crate) fn exact(rules: &Rules, columns: Vec<Vec<f64>>) -> Result<Self, ModelError> {
        for (attribute, column) in columns.iter().enumerate() {
            let sum: f64 = column.iter().sum();
            let uneven = (sum - 1.0).abs() > SUM_SLACK || column.iter().any(|&p| p > 1.0);
            refuse_if(uneven, &format!("the probabilities of column {attribute} do not sum to 1"))?;
            let impossible = column.iter().enumerate().any(|(code, &p)| p > 0.0 && !rules.allows(attribute, code));
            refuse_if(impossible, &format!("column {attribute} gives weight to an impossible value"))?;
        }
        let stuck = rules.groups().iter().any(|group| group.to_end(&group.class_masses(&columns)).is_none());
        refuse_if(stuck, "the weights leave no possible row")?;
        Ok(Self { columns })
    }

    pub(crate) fn in_words(&self) -> String {
        "The rows follow the shape of each column by itself. They hold no relation between columns: do not read \
         correlations, cross tables or regressions from them."
            .into()
    }

    pub(crate) fn columns(&self) -> &[Vec<f64>] {
        &self.columns
    }
}

fn check(sizes: &[u32], weights: &[Vec<f64>]) -> Result<(), ModelError> {
    let (found, wanted) = (weights.len(), sizes.len());
    refuse_if(found != wanted, &format!("{found} weight vectors for {wanted} columns"))?;
    for (attribute, (column, &size)) in weights.iter().zip(sizes).enumerate() {
        let len = column.len();
        refuse_if(len != size as usize, &format!("column {attribute} has {len} weights for {size} codes"))?;
        let unsound = !column.iter().all(|weight| weight.is_finite() && *weight >= 0.0);
        refuse_if(unsound, &format!("column {attribute} has a weight that is not 0 or a positive number"))?;
    }
    Ok(())
}

/// Divides by the sum; false when there is nothing to divide.
fn normalize(column: &mut [f64]) -> bool {
    let largest = column.iter().copied().fold(0.0, f64::max);
    if largest == 0.0 {
        return false;
    }
    // Dividing by the largest first keeps huge weights from summing to infinity.
    column.iter_mut().for_each(|weight| *weight /= largest);
    let sum: f64 = column.iter().sum();
    column.iter_mut().for_each(|weight| *weight /= sum);
    true
}
