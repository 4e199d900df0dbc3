//! Marginals of a product of columns.

use lookalike_schema::{AttrId, Clique, Domain};

use super::Product;
use crate::impossible::RuleGroup;
use crate::pgm::factor::array::{FactorArray, axes};
use crate::pgm::factor::layout::permuted;
use crate::{ModelError, Rules};

impl Product {
    /// The probabilities of a clique's cells, row-major.
    pub(crate) fn marginal(&self, rules: &Rules, domain: &Domain, clique: &Clique) -> Result<Vec<f64>, ModelError> {
        let mut answer = FactorArray::filled(axes(domain, clique)?, 1.0)?;
        for group in rules.groups() {
            if let Some(part) = self.group_part(group, clique)? {
                answer.multiply_by(&part);
            }
        }
        for &attribute in clique.attributes().iter().filter(|attribute| !rules.ties(attribute.index())) {
            let values = self.columns()[attribute.index()].clone();
            answer.multiply_by(&FactorArray { axes: vec![(attribute, values.len())], values });
        }
        Ok(answer.values)
    }

    /// The joint probabilities of the clique's columns that lie in the group: the columns' own
    /// probabilities within their classes, times the probability of the classes among possible
    /// rows.
    fn group_part(&self, group: &RuleGroup, clique: &Clique) -> Result<Option<FactorArray>, ModelError> {
        let name = |attribute: usize| AttrId(attribute as u32);
        let keep: Vec<bool> = group.columns.iter().map(|column| clique.contains(name(column.attribute))).collect();
        if !keep.contains(&true) {
            return Ok(None);
        }
        let classes = group
            .class_marginal(self.columns(), &keep)
            .ok_or_else(|| ModelError::shape("the weights leave no possible row"))?;
        let masses = group.class_masses(self.columns());
        // Row-major in the order of the layers; every cell starts from its class.
        let mut cells = vec![(0usize, 1.0f64)];
        let mut axes = Vec::new();
        for (j, column) in group.columns.iter().enumerate().filter(|(j, _)| keep[*j]) {
            let weights = &self.columns()[column.attribute];
            let mut places = vec![(0, 0.0); weights.len()];
            for (class, codes) in column.classes.iter().enumerate().filter(|(class, _)| masses[j][*class] > 0.0) {
                for &code in codes {
                    places[code as usize] = (class, weights[code as usize] / masses[j][class]);
                }
            }
            let width = column.classes.len();
            let joined = |&(cell, value): &(usize, f64)| {
                places.iter().map(move |&(class, inside)| (cell * width + class, value * inside))
            };
            cells = cells.iter().flat_map(joined).collect();
            axes.push((name(column.attribute), weights.len()));
        }
        let values: Vec<f64> = cells.into_iter().map(|(cell, value)| value * classes[cell]).collect();
        let shape: Vec<usize> = axes.iter().map(|axis| axis.1).collect();
        let mut order: Vec<usize> = (0..axes.len()).collect();
        order.sort_by_key(|&axis| axes[axis].0);
        let values = permuted(&values, &shape, &order);
        Ok(Some(FactorArray { axes: order.into_iter().map(|axis| axes[axis]).collect(), values }))
    }
}
