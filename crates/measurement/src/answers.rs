//! Every noisy marginal of a run, each once: what error bars stand on.

use std::collections::HashMap;

use lookalike_schema::Clique;

use crate::{NoisyCount, NoisyMarginal, answer};

/// Marginals are kept up to this many cells in all; of more, the largest are let go.
const MOST_CELLS: usize = 1 << 22;

/// The marginals that a run was answered, by their columns. Public: they were paid for.
///
/// Answers about the same columns are one marginal: their mean, weighted by precision, which tells
/// all that they tell together.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AnsweredMarginals {
    marginals: Vec<AnsweredMarginal>,
    places: HashMap<Clique, usize>,
    cells: usize,
}

/// Noisy counts of one clique, and the variance of the noise of each.
#[derive(Clone, Debug, PartialEq)]
pub struct AnsweredMarginal {
    /// The attributes, of the schema's own columns or derived ones.
    pub clique: Clique,
    /// Row-major, last attribute fastest. May be negative. Empty: the marginal was too large to
    /// keep.
    pub values: Vec<f64>,
    /// Of each value, in rows squared; 0 for a public count.
    pub variance: f64,
}

impl AnsweredMarginals {
    /// Takes a marginal.
    pub fn add(&mut self, marginal: &NoisyMarginal) {
        let values = marginal.values.iter().map(|&value| value as f64).collect();
        self.take(AnsweredMarginal { clique: marginal.clique.clone(), values, variance: marginal.variance() });
    }

    /// Takes a row count: the marginal of no column.
    pub fn add_count(&mut self, count: &NoisyCount) {
        // A public count has no noise.
        let variance = count.step.as_ref().map_or(0.0, answer::variance);
        self.take(AnsweredMarginal { clique: Clique::new([]), values: vec![count.value as f64], variance });
    }

    /// The marginals that were kept, in the order in which their columns were first asked for.
    pub fn marginals(&self) -> impl Iterator<Item = &AnsweredMarginal> {
        self.marginals.iter().filter(|marginal| !marginal.values.is_empty())
    }

    fn take(&mut self, new: AnsweredMarginal) {
        if let Some(&place) = self.places.get(&new.clique) {
            self.marginals[place].join(&new);
            return;
        }
        self.cells += new.values.len();
        self.places.insert(new.clique.clone(), self.marginals.len());
        self.marginals.push(new);
        while self.cells > MOST_CELLS {
            // Which marginals are kept follows from their sizes alone. A marginal that was let go
            // stays so, or what is kept of it later would depend on the order of answers.
            let Some(largest) = self.marginals.iter_mut().rev().max_by_key(|marginal| marginal.values.len()) else {
                return;
            };
            self.cells -= largest.values.len();
            largest.values = Vec::new();
        }
    }
}

impl AnsweredMarginal {
    fn join(&mut self, new: &Self) {
        // An exact count cannot be made better, and a marginal that was let go stays so.
        if self.variance == 0.0 || self.values.is_empty() {
            return;
        }
        let (old_weight, new_weight) = (self.variance.recip(), new.variance.max(f64::MIN_POSITIVE).recip());
        let share = new_weight / (old_weight + new_weight);
        self.values.iter_mut().zip(&new.values).for_each(|(mean, value)| *mean += share * (value - *mean));
        self.variance = (old_weight + new_weight).recip();
    }
}

#[cfg(test)]
mod tests {
    use lookalike_privacy::{Neighbours, Rational, Relation, Step};
    use lookalike_schema::AttrId;

    use super::*;

    fn marginal(columns: &[u32], values: Vec<i64>, sigma_squared: u64) -> NoisyMarginal {
        let sensitivity = Neighbours::new(Relation::AddRemove, 1).unwrap().marginal();
        let step = Step::Gaussian { sigma_squared: Rational::new(sigma_squared, 1).unwrap(), sensitivity };
        NoisyMarginal { clique: Clique::new(columns.iter().map(|&column| AttrId(column))), values, step }
    }

    #[test]
    fn answers_about_the_same_columns_are_weighted_by_precision() {
        let mut answers = AnsweredMarginals::default();
        answers.add(&marginal(&[0], vec![10, -2], 1));
        answers.add(&marginal(&[1], vec![5], 9));
        answers.add(&marginal(&[0], vec![14, 2], 3));
        let marginals: Vec<_> = answers.marginals().collect();
        assert_eq!(marginals.len(), 2);
        assert_eq!((&marginals[0].values[..], marginals[0].variance), (&[11.0, -1.0][..], 0.75));
    }

    #[test]
    fn a_public_count_stays_exact() {
        let mut answers = AnsweredMarginals::default();
        answers.add_count(&NoisyCount { value: 77, step: None });
        answers.add_count(&NoisyCount { value: 80, step: Some(marginal(&[], vec![], 4).step) });
        let marginal = answers.marginals().next().unwrap();
        assert_eq!((&marginal.values[..], marginal.variance), (&[77.0][..], 0.0));
    }

    #[test]
    fn the_largest_tables_are_let_go_and_stay_so() {
        let mut answers = AnsweredMarginals::default();
        for columns in 0..3 {
            answers.add(&marginal(&[columns], vec![1; MOST_CELLS / 2 - 1 + columns as usize], 1));
        }
        let kept =
            |answers: &AnsweredMarginals| answers.marginals().map(|marginal| marginal.values.len()).collect::<Vec<_>>();
        assert_eq!(kept(&answers), [MOST_CELLS / 2 - 1, MOST_CELLS / 2]);
        answers.add(&marginal(&[2], vec![1; MOST_CELLS / 2 + 1], 1));
        assert_eq!(kept(&answers).len(), 2);
    }
}
