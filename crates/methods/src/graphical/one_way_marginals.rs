//! Noisy counts of every column alone, and the row count that they speak for.

use std::sync::Arc;

use lookalike_curator::{Curator, MarginalQuery, Noise};
use lookalike_measurement::{NoisyCount, NoisyMarginal};
use lookalike_model::{Descent, LeftCount, Rules, codes_in_doubt, project};
use lookalike_schema::{AttrId, Clique, Derived, Grouping, Schema};

use crate::{MethodError, total};

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
    /// The cells of a column that was measured slot by slot; values are then made from them.
    pub descent: Option<Descent>,
    /// The codes of missing and of unlisted cells, where there seem to be none.
    pub absent: Vec<usize>,
}

impl OneWayMarginal {
    /// The mean of several answers to one query.
    pub(super) fn mean(answers: &[NoisyMarginal]) -> Option<Self> {
        let times = answers.len() as f64;
        let mut values = vec![0.0; answers.first()?.values.len()];
        for answer in answers {
            values.iter_mut().zip(&answer.values).for_each(|(mean, &value)| *mean += value as f64 / times);
        }
        Some(Self { values, variance: answers.first()?.variance() / times, descent: None, absent: Vec::new() })
    }

    /// Both together, weighted by precision.
    fn joined(&self, other: &Self) -> Self {
        let (one, two) = (self.variance.max(1e-300).recip(), other.variance.max(1e-300).recip());
        let mean = |(a, b): (&f64, &f64)| (one * a + two * b) / (one + two);
        let values = self.values.iter().zip(&other.values).map(mean).collect();
        Self { values, variance: 1.0 / (one + two), descent: None, absent: Vec::new() }
    }

    /// What the cells of a descent say.
    fn of_descent(descent: Descent, rows: f64) -> Self {
        let values = descent.counts(rows.max(1.0));
        Self { values, variance: descent.variance(), descent: Some(descent), absent: Vec::new() }
    }

    /// The same with another count of one code, which all else makes room for.
    fn with_left(mut self, left: LeftCount, rows: f64) -> Self {
        let others = self.values.iter().sum::<f64>() - self.values[left.code];
        if self.descent.is_some() && others > 0.0 {
            let scale = (rows - left.count).max(0.0) / others;
            self.values.iter_mut().for_each(|value| *value *= scale);
        }
        self.values[left.code] = left.count;
        self.absent.extend((left.count <= 0.0).then_some(left.code));
        self
    }

    /// How many counts were measured.
    pub fn counts(&self) -> usize {
        self.descent.as_ref().map_or(self.values.len(), Descent::cells)
    }

    /// The row count that the column speaks for, and its variance.
    fn rows(&self) -> (f64, f64) {
        if let Some(descent) = &self.descent {
            return descent.rows();
        }
        (self.values.iter().sum(), self.variance * self.values.len() as f64)
    }
}

impl OneWayMarginals {
    /// Measures every column of the schema once with this noise, value by value.
    ///
    /// # Privacy
    /// The cost is that of [`Curator::marginals`] for each column.
    pub fn measure(curator: &mut Curator, noise: Noise) -> Result<Self, MethodError> {
        let times = vec![1; curator.schema().domain().len()];
        Self::descend(curator, noise, 1, &times, u32::MAX)
    }

    /// Measures columns with this noise, each slot in one pass; where the row count is public it is
    /// asked for too, for nothing. Columns of more than `most` ordered values go down from slot to
    /// slot: cells that stand out are cut for the next one. Others are measured in the first one,
    /// as often as `times` says. What comes again in a calendar is measured
    /// [half as often](season_times) as there are slots.
    ///
    /// # Privacy
    /// The cost is that of [`Curator::marginals`] for each column and slot, or time, and for each
    /// kind of recurrence and time. Which cells a slot has follows from the schema and from the
    /// answers of slots before it.
    pub fn descend(
        curator: &mut Curator,
        noise: Noise,
        slots: u32,
        times: &[u32],
        most: u32,
    ) -> Result<Self, MethodError> {
        let count = total::public_count(curator)?;
        let schema = curator.schema().clone();
        let start = |attribute| descends(&schema, attribute, most).then(|| Descent::new(schema.codec(attribute)));
        let mut descents: Vec<Option<Descent>> = schema.domain().attributes().map(start).collect();
        let mut answers: Vec<Vec<NoisyMarginal>> = vec![Vec::new(); descents.len()];
        for slot in 0..slots {
            if slot > 0 {
                let rows = rows_of(&answers, &descents);
                descents.iter_mut().flatten().for_each(|descent| descent.refine(rows.max(1.0)));
            }
            let cliques = partitions(curator, descents.iter().map(Option::as_ref))?;
            let due = |column: usize| match (&descents[column], slot) {
                (Some(_), _) => 1,
                (None, 0) => times[column] as usize,
                (None, _) => 0,
            };
            let columns: Vec<usize> = (0..descents.len()).flat_map(|column| vec![column; due(column)]).collect();
            let queries: Vec<MarginalQuery> =
                columns.iter().map(|&column| MarginalQuery { clique: cliques[column].clone(), noise }).collect();
            for (answer, column) in curator.marginals(&queries)?.into_iter().zip(columns) {
                match &mut descents[column] {
                    Some(descent) => descent.take(&floats(&answer.values), answer.variance()),
                    None => answers[column].push(answer),
                }
            }
        }
        for (base, descent) in schema.domain().attributes().zip(&mut descents) {
            for season in descent.iter_mut().flat_map(|descent| &mut descent.seasons) {
                let query = MarginalQuery { clique: derived(curator, base, season.kinds.clone())?, noise };
                let answers = curator.marginals(&vec![query; season_times(slots)])?;
                answers.iter().for_each(|answer| season.take(&floats(&answer.values), answer.variance()));
            }
        }
        let rows = count.as_ref().map_or_else(|| rows_of(&answers, &descents), |count| count.value as f64);
        let one = |(answers, descent): (Vec<NoisyMarginal>, Option<Descent>)| match descent {
            Some(descent) => Some(OneWayMarginal::of_descent(descent, rows)),
            None => OneWayMarginal::mean(&answers),
        };
        Ok(Self { count, columns: answers.into_iter().zip(descents).filter_map(one).collect(), rows })
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
        let cliques = partitions(curator, self.columns.iter().map(|one| one.descent.as_ref()))?;
        let rows = self.total();
        for ((clique, known), &times) in cliques.into_iter().zip(&mut self.columns).zip(times) {
            let queries = vec![MarginalQuery { clique, noise }; times as usize];
            let Some(mean) = OneWayMarginal::mean(&curator.marginals(&queries)?) else { continue };
            *known = match known.descent.take() {
                Some(mut descent) => {
                    descent.take(&mean.values, mean.variance);
                    OneWayMarginal::of_descent(descent, rows)
                }
                None => known.joined(&mean),
            };
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

    /// The same, with missing and unlisted cells only where there seem to be any.
    pub fn settled(&self, schema: &Schema) -> Self {
        let mut settled = self.clone();
        for left in codes_in_doubt(schema, |column, code| self.answered(column, code)) {
            let one = &mut settled.columns[left.column];
            *one = one.clone().with_left(left, self.total());
        }
        settled
    }

    /// The answers about one value of a column, or of one that is measured slot by slot about a
    /// code without an order, with the variance of their noise; `None` of a column that was not
    /// measured.
    pub(super) fn answered(&self, column: usize, code: usize) -> Option<(f64, f64)> {
        let one = self.columns.get(column)?;
        match &one.descent {
            Some(descent) => descent.answered(code as u32),
            None => Some((*one.values.get(code)?, one.variance)),
        }
    }

    /// Each column's counts as the nearest vector that counts could be: nowhere negative, with the
    /// right sum, and 0 for impossible values.
    pub fn weights(&self, rules: &Rules) -> Vec<Vec<f64>> {
        let project = |(column, one): (usize, &OneWayMarginal)| {
            if one.descent.is_some() {
                return one.values.clone();
            }
            let is_possible = |code| !one.absent.contains(&code) && rules.allows(column, code);
            project::onto_counts(&one.values, &is_possible, self.total())
        };
        self.columns.iter().enumerate().map(project).collect()
    }
}

/// Whether a column of the schema is measured slot by slot.
pub fn descends(schema: &Schema, attribute: AttrId, most: u32) -> bool {
    let codec = schema.codec(attribute);
    codec.has_open_bins() && codec.present() > most
}

/// For each column what the curator counts: its values, or its cells as a derived column.
fn partitions<'a>(
    curator: &mut Curator,
    descents: impl Iterator<Item = Option<&'a Descent>>,
) -> Result<Vec<Clique>, MethodError> {
    let bases: Vec<AttrId> = curator.schema().domain().attributes().collect();
    let clique = |(base, descent): (AttrId, Option<&Descent>)| match descent.and_then(Descent::partition) {
        Some(grouping) => derived(curator, base, grouping),
        None => Ok(Clique::single(base)),
    };
    bases.into_iter().zip(descents).map(clique).collect()
}

/// A column's groups as a derived column.
fn derived(curator: &mut Curator, base: AttrId, grouping: Grouping) -> Result<Clique, MethodError> {
    let name = format!("{} ({} cells)", curator.schema().column(base).name, grouping.groups());
    Ok(Clique::new(curator.derive(&[Derived { base, grouping: Arc::new(grouping), name }])?))
}

/// How often what comes again in a calendar is measured, where columns have this many slots.
pub fn season_times(slots: u32) -> usize {
    slots.div_ceil(2) as usize
}

/// The row count that answers speak for.
fn rows_of(answers: &[Vec<NoisyMarginal>], descents: &[Option<Descent>]) -> f64 {
    let flat = answers.iter().filter_map(|answers| Some(OneWayMarginal::mean(answers)?.rows()));
    total::combine(flat.chain(descents.iter().flatten().map(Descent::rows)))
}

fn floats(values: &[i64]) -> Vec<f64> {
    values.iter().map(|&value| value as f64).collect()
}
