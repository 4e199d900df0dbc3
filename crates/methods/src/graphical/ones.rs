//! Noisy counts of every column alone, and the row count that they speak for.

use lookalike_curator::{CountQuery, Curator, CuratorError, MarginalQuery, Noise};
use lookalike_measurement::{NoisyCount, NoisyMarginal};
use lookalike_model::Rules;
use lookalike_privacy::{Rational, Relation};
use lookalike_schema::Clique;

use crate::{MethodError, project, total};

/// What is known of every column alone.
#[derive(Clone, Debug)]
pub struct Ones {
    count: Option<NoisyCount>,
    marginals: Vec<NoisyMarginal>,
    rows: f64,
}

impl Ones {
    /// Measures every column of the schema with this noise, in one pass. Where the row count is public it is asked for too, for
    /// nothing.
    ///
    /// # Privacy
    /// The cost is that of [`Curator::marginals`] for each column.
    pub fn measure(curator: &mut Curator, noise: Noise) -> Result<Self, MethodError> {
        let count = public_count(curator)?;
        let columns = curator.schema().domain().attributes();
        let queries: Vec<MarginalQuery> =
            columns.map(|column| MarginalQuery { clique: Clique::single(column), noise }).collect();
        let marginals = curator.marginals(&queries)?;
        Ok(Self::new(count, marginals))
    }

    /// From answers that are there already: one marginal a column of the schema, in its order, and perhaps a row count.
    pub fn new(count: Option<NoisyCount>, marginals: Vec<NoisyMarginal>) -> Self {
        let rows = total::estimate(count.as_ref(), &marginals);
        Self { count, marginals, rows }
    }

    /// The same columns with a better estimate of the row count.
    pub fn with_rows(self, rows: f64) -> Self {
        Self { rows, ..self }
    }

    /// The row count, where it was bought or is public.
    pub fn count(&self) -> Option<&NoisyCount> {
        self.count.as_ref()
    }

    /// The marginals, one a column.
    pub fn marginals(&self) -> &[NoisyMarginal] {
        &self.marginals
    }

    /// The best estimate of the row count. It may be negative.
    pub fn rows(&self) -> f64 {
        self.rows
    }

    /// The row count for decisions: at least 1.
    pub fn total(&self) -> f64 {
        self.rows.max(1.0)
    }

    /// Each column's counts as the nearest vector that counts could be: nowhere negative, with the right sum, and 0 for
    /// impossible values.
    pub fn weights(&self, rules: &Rules) -> Vec<Vec<f64>> {
        let project = |(column, marginal): (usize, &NoisyMarginal)| {
            let noisy: Vec<f64> = marginal.values.iter().map(|&value| value as f64).collect();
            project::onto_counts(&noisy, &|code| rules.allows(column, code), self.total())
        };
        self.marginals.iter().enumerate().map(project).collect()
    }
}

/// The row count where it is public, free of charge.
pub fn public_count(curator: &mut Curator) -> Result<Option<NoisyCount>, MethodError> {
    match curator.neighbours().relation() {
        Relation::AddRemove => Ok(None),
        Relation::ReplaceOne => {
            // The noise is not used: a public count has none.
            let noise = Noise::Laplace(Rational::new(1, 1).map_err(CuratorError::from)?);
            Ok(Some(curator.row_count(&CountQuery { noise })?))
        }
    }
}
