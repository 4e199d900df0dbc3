//! Noisy counts of every column alone, and the row count that they speak for.

use lookalike_curator::{Curator, MarginalQuery, Noise};
use lookalike_measurement::{NoisyCount, NoisyMarginal};
use lookalike_model::Rules;
use lookalike_schema::Clique;

use crate::{MethodError, project, total};

/// What is known of every column alone.
#[derive(Clone, Debug)]
pub struct OneWayMarginals {
    count: Option<NoisyCount>,
    columns: Vec<OneWayMarginal>,
    rows: f64,
}

/// What is known of one column alone.
#[derive(Clone, Debug, PartialEq)]
pub struct OneWayMarginal {
    /// Noisy counts of its values; the mean, where they were measured more than once.
    pub values: Vec<f64>,
    /// The noise variance of one of them.
    pub variance: f64,
}

impl OneWayMarginal {
    /// The mean of several answers to one query.
    pub(super) fn mean(answers: &[NoisyMarginal]) -> Option<Self> {
        let times = answers.len() as f64;
        let mut values = vec![0.0; answers.first()?.values.len()];
        for answer in answers {
            values.iter_mut().zip(&answer.values).for_each(|(mean, &value)| *mean += value as f64 / times);
        }
        Some(Self { values, variance: answers.first()?.variance() / times })
    }

    /// Both together, weighted by precision.
    fn joined(&self, other: &Self) -> Self {
        let (one, two) = (self.variance.max(1e-300).recip(), other.variance.max(1e-300).recip());
        let mean = |(a, b): (&f64, &f64)| (one * a + two * b) / (one + two);
        Self { values: self.values.iter().zip(&other.values).map(mean).collect(), variance: 1.0 / (one + two) }
    }

    /// The row count that the column speaks for, and its variance.
    fn rows(&self) -> (f64, f64) {
        (self.values.iter().sum(), self.variance * self.values.len() as f64)
    }
}

impl OneWayMarginals {
    /// Measures every column of the schema with this noise, in one pass. Where the row count is
    /// public it is asked for too, for nothing.
    ///
    /// # Privacy
    /// The cost is that of [`Curator::marginals`] for each column.
    pub fn measure(curator: &mut Curator, noise: Noise) -> Result<Self, MethodError> {
        let count = total::public_count(curator)?;
        let columns = curator.schema().domain().attributes();
        let queries: Vec<MarginalQuery> =
            columns.map(|column| MarginalQuery { clique: Clique::single(column), noise }).collect();
        let marginals = curator.marginals(&queries)?;
        Ok(Self::new(count, marginals))
    }

    /// From answers that are there already: one marginal a column of the schema, in its order, and
    /// perhaps a row count.
    pub fn new(count: Option<NoisyCount>, marginals: Vec<NoisyMarginal>) -> Self {
        let rows = total::estimate(count.as_ref(), &marginals);
        let columns =
            marginals.iter().filter_map(|marginal| OneWayMarginal::mean(std::slice::from_ref(marginal))).collect();
        Self { count, columns, rows }
    }

    /// Measures each column as often more as `times` says, with this noise, and takes the answers
    /// together with those that are there.
    ///
    /// # Privacy
    /// The cost is that of [`Curator::marginals`] for each column and time.
    pub fn measure_more(&mut self, curator: &mut Curator, noise: Noise, times: &[u32]) -> Result<(), MethodError> {
        let columns: Vec<Clique> = curator.schema().domain().attributes().map(Clique::single).collect();
        for ((clique, known), &times) in columns.into_iter().zip(&mut self.columns).zip(times) {
            let queries = vec![MarginalQuery { clique, noise }; times as usize];
            if let Some(mean) = OneWayMarginal::mean(&curator.marginals(&queries)?) {
                *known = known.joined(&mean);
            }
        }
        // A count of its own is public here, and exact.
        if self.count.is_none() {
            self.rows = total::combine(self.columns.iter().map(OneWayMarginal::rows));
        }
        Ok(())
    }

    /// The row count, where it was bought or is public.
    pub fn count(&self) -> Option<&NoisyCount> {
        self.count.as_ref()
    }

    /// The columns.
    pub fn columns(&self) -> &[OneWayMarginal] {
        &self.columns
    }

    /// The best estimate of the row count. It may be negative.
    pub fn rows(&self) -> f64 {
        self.rows
    }

    /// The row count for decisions: at least 1.
    pub fn total(&self) -> f64 {
        self.rows.max(1.0)
    }

    /// Each column's counts as the nearest vector that counts could be: nowhere negative, with the
    /// right sum, and 0 for impossible values.
    pub fn weights(&self, rules: &Rules) -> Vec<Vec<f64>> {
        let project = |(column, one): (usize, &OneWayMarginal)| {
            project::onto_counts(&one.values, &|code| rules.allows(column, code), self.total())
        };
        self.columns.iter().enumerate().map(project).collect()
    }
}
