//! A model that grows with its measurements.

use lookalike_curator::{Curator, Expected, MarginalQuery, Noise};
use lookalike_model::{Descent, Fit, Fitter, Halt, MeasuredClique, Model, ModelError, Options, Origin, Refit, Rules};
use lookalike_schema::{AttrId, Clique, Schema};

use super::{CoarseLevel, Columns, Merging, OneWayMarginal, OneWayMarginals, shrinkage};
use crate::{MethodError, total};

/// A junction tree over the model's columns, fitted to everything that was measured.
///
/// Cliques are over [`Columns::domain`]: attribute `i` is column `i`, merged or not.
#[derive(Clone, Debug)]
pub struct GrowingModel {
    columns: Columns,
    fitter: Fitter,
    rows: f64,
    total: f64,
    /// Of each column's own values: how groups are spread again.
    weights: Vec<Vec<f64>>,
    measured: Vec<MeasuredClique>,
    /// Whether a fit that seems astray is worth another try.
    restarts: bool,
}

impl GrowingModel {
    /// The model of the columns alone, fitted.
    ///
    /// Its total is the best estimate from the one-way answers and stays so: later answers, with
    /// their many cells, would add next to nothing, and with a fixed total a new measurement moves
    /// only what it touches.
    ///
    /// Fits end when the loss is `noise_share` of what noise alone would leave, where there is one.
    pub fn new(
        schema: &Schema,
        columns: Columns,
        ones: &OneWayMarginals,
        noise_share: Option<f64>,
    ) -> Result<Self, MethodError> {
        let weights = ones.weights(&Rules::new(schema)?);
        let options = Options { total: Some(ones.total()), noise_share, ..Options::default() };
        let fitter = Fitter::new(columns.domain(), columns.rules(), options)?;
        let measured = ones.count().map(total::coverage).into_iter().collect();
        let mut model =
            Self { columns, fitter, rows: ones.rows(), total: ones.total(), weights, measured, restarts: true };
        for (column, one) in ones.columns().iter().enumerate() {
            model.add_one(column, one)?;
        }
        model.fitter.refit()?;
        Ok(model)
    }

    /// The model of columns whose rare values are put together, fitted.
    pub fn merged(
        curator: &mut Curator,
        ones: &OneWayMarginals,
        merging: Merging,
        noise_share: Option<f64>,
    ) -> Result<Self, MethodError> {
        let schema = curator.schema().clone();
        let ones = &ones.settled(&schema);
        let columns = Columns::grouped(curator, merging.groupings(&schema, ones)?)?.without_absent(ones.columns());
        let mut model = Self::new(&schema, columns, ones, noise_share)?;
        model.stop_with(curator);
        Ok(model)
    }

    /// The model of columns whose values are not put together, fitted; of those that were measured
    /// slot by slot, their cells.
    pub fn alone(curator: &mut Curator, ones: &OneWayMarginals, noise_share: Option<f64>) -> Result<Self, MethodError> {
        let schema = curator.schema().clone();
        let ones = &ones.settled(&schema);
        let cells = ones.columns().iter().map(|one| one.descent.as_ref().and_then(Descent::partition));
        let columns = Columns::grouped(curator, cells.collect())?.without_absent(ones.columns());
        Self::new(&schema, columns, ones, noise_share)
    }

    /// A column's own counts, as counts of its groups.
    fn add_one(&mut self, column: usize, one: &OneWayMarginal) -> Result<(), MethodError> {
        let clique = Clique::single(AttrId(column as u32));
        let variance = one.variance;
        self.measured.push(MeasuredClique { clique: clique.clone(), variance });
        let mut sums = self.columns.group_sums(column, &one.values);
        let mut usual = 1;
        if let Some(grouping) = self.columns.grouping(column) {
            // A sum of m values has m times the noise. The fit takes one variance a table, so large
            // groups get what is missing to the total, in proportion to their noise, and the usual
            // group's variance stands for all.
            let mut sizes = vec![0usize; sums.len()];
            match &one.descent {
                // Cells add up in the tree of answers, whatever they were cut into.
                Some(_) => sizes.fill(CELLS_A_GROUP),
                // Codes that no row seems to have are sure zeros.
                None => {
                    let counted = |&(code, _): &(usize, &u32)| !one.absent.contains(&code);
                    let groups = grouping.group_of();
                    groups.iter().enumerate().filter(counted).for_each(|(_, &group)| sizes[group as usize] += 1);
                }
            }
            let missing = self.total - sums.iter().sum::<f64>();
            let all = sizes.iter().sum::<usize>() as f64;
            sums.iter_mut().zip(&sizes).for_each(|(sum, &size)| *sum += missing * size as f64 / all);
            sizes.sort_unstable();
            usual = sizes[sizes.len() / 2];
        }
        Ok(self.fitter.add(clique, sums, variance.max(LEAST_VARIANCE) * usual as f64)?)
    }

    /// The columns.
    pub fn columns(&self) -> &Columns {
        &self.columns
    }

    /// The total that turns the model's probabilities into counts, at least 1.
    pub fn total(&self) -> f64 {
        self.total
    }

    /// The cells of the tree.
    pub fn cells(&self) -> u64 {
        self.fitter.tree().cells()
    }

    /// Whether the tree would have at most `most` cells with another clique: microseconds.
    pub fn has_room_for(&self, clique: &Clique, most: u64) -> Result<bool, MethodError> {
        Ok(self.fitter.has_room_for(clique, most)?)
    }

    /// Whether the tree has a clique around this one, so that measuring it costs no cells.
    pub fn holds(&self, clique: &Clique) -> bool {
        self.fitter.tree().cliques().iter().any(|held| clique.is_subset(held))
    }

    /// The columns that hang together with those of a clique: all that a measurement of the clique
    /// moves.
    pub fn part_around(&self, clique: &Clique) -> Clique {
        let mut part = clique.clone();
        loop {
            let touching = self.fitter.tree().cliques().iter().filter(|held| !held.intersection(&part).is_empty());
            let wider = touching.fold(part.clone(), |part, held| part.union(held));
            if wider == part {
                return part;
            }
            part = wider;
        }
    }

    /// Measures each clique `times` times, all in one pass, takes the mean of its answers, and
    /// gives it back in the model's own order of cells. [`refit`](Self::refit) fits them, between
    /// the answer and what was expected of a clique where that is given (`shrinkage`).
    ///
    /// # Privacy
    /// The cost is that of [`Curator::marginals`] for each clique and time.
    pub fn measure(
        &mut self,
        curator: &mut Curator,
        cliques: &[Clique],
        noise: Noise,
        times: u32,
        expected: &[Vec<f64>],
    ) -> Result<Vec<Vec<f64>>, MethodError> {
        self.stop_with(curator);
        let query = |clique: &Clique| MarginalQuery { clique: self.columns.asked(clique), noise };
        let queries: Vec<MarginalQuery> =
            cliques.iter().flat_map(|clique| vec![query(clique); times as usize]).collect();
        let answers = curator.marginals(&queries)?;
        let mut means = Vec::with_capacity(cliques.len());
        for (place, (clique, answers)) in cliques.iter().zip(answers.chunks(times.max(1) as usize)).enumerate() {
            let Some(OneWayMarginal { values, variance, .. }) = OneWayMarginal::mean(answers) else { continue };
            let mean = self.columns.from_asked(clique, values);
            if self.columns.is_plain(clique) {
                self.measured.push(MeasuredClique { clique: clique.clone(), variance });
            }
            let (fitted, variance) = match expected.get(place) {
                Some(expected) => shrinkage::shrunk(&self.columns, clique, &mean, expected, variance),
                None => (mean.clone(), variance),
            };
            self.fitter.add(clique.clone(), fitted, variance.max(LEAST_VARIANCE))?;
            means.push(mean);
        }
        Ok(means)
    }

    /// From now on whatever takes long ends with an error when somebody asks the curator's run to
    /// stop.
    pub fn stop_with(&mut self, curator: &Curator) {
        self.fitter.halt_with(halt_of(curator));
    }

    /// What is asked before every piece of work.
    pub fn halt(&self) -> &Halt {
        self.fitter.halt()
    }

    /// Fits what the answers since the last time have changed, well enough for choosing the next.
    ///
    /// A fit that ends far above what noise would leave is tried once more from nothing, unless
    /// that did not help the last time.
    pub fn refit(&mut self) -> Result<Refit, MethodError> {
        let report = self.fitter.refit()?;
        let usual = 0.5 * self.fitter.measured_cells() as f64;
        if !self.restarts || report.loss < ASTRAY * usual {
            return Ok(report);
        }
        let anew = self.fitter.restart()?;
        self.restarts = anew.loss < 0.9 * report.loss;
        Ok(anew)
    }

    /// Puts coarse levels of columns behind them, and fits.
    pub fn add_coarse_levels(&mut self, curator: &mut Curator, levels: &[CoarseLevel]) -> Result<(), MethodError> {
        self.columns = self.columns.clone().with_coarse_levels(curator, levels)?;
        self.fitter = self.fitter.clone().widened(self.columns.domain(), self.columns.rules())?;
        Ok(())
    }

    /// Rows of the model as it stands, without replacement: one vector of codes an attribute.
    /// Counts of many cliques from them take far less time than exact ones, and the noise of
    /// drawing is small beside what is chosen by.
    pub fn drawn(&self, rows: u64, seed: u64) -> Result<Vec<Vec<u32>>, MethodError> {
        Ok(self.fitter.drawn(rows, seed)?)
    }

    /// The counts of each of the model's attributes alone.
    pub fn counts_alone(&self) -> Result<Vec<Vec<f64>>, MethodError> {
        self.counts(&self.columns.domain().attributes().map(Clique::single).collect::<Vec<_>>())
    }

    /// The counts that the model gives to cliques, in its own order of cells.
    pub fn counts(&self, cliques: &[Clique]) -> Result<Vec<Vec<f64>>, MethodError> {
        let total = self.total;
        let counts = |factor: lookalike_model::Factor| {
            let mut counts = factor.into_values();
            counts.iter_mut().for_each(|count| *count *= total);
            counts
        };
        Ok(self.fitter.marginals(cliques)?.into_iter().map(counts).collect())
    }

    /// The same in the curator's order of cells, for
    /// [`Score::DistanceToModel`](lookalike_curator::Score::DistanceToModel).
    pub fn expected(&self, cliques: &[Clique]) -> Result<Vec<Expected>, MethodError> {
        let counts = self.counts(cliques)?.into_iter().zip(cliques);
        Ok(counts.map(|(counts, clique)| self.columns.to_asked(clique, counts).into()).collect())
    }

    /// A full fit of everything, as a model of the schema's own columns.
    pub fn finish(self, schema: &Schema, method: &str) -> Result<Model, MethodError> {
        let refinements = self.columns.refinements(&self.weights);
        // The facade puts the final guarantee here once the ledger is closed.
        let origin = || Origin { method: method.into(), guarantee: "not stated".into() };
        let rows = self.rows.max(0.0);
        let tree = |fit: Fit, measured| Model::tree(schema.clone(), &fit.model, rows, refinements, measured, origin());
        match self.fitter.finish().and_then(|fit| tree(fit, self.measured.clone())) {
            Ok(model) => return Ok(model),
            Err(error @ ModelError::Halted) => return Err(error.into()),
            Err(_) => {}
        }
        // Answers that are nothing but noise can lead a fit out of what floats can tell apart. They
        // are paid for, so there is a release all the same: of the columns alone.
        let alone = self.measured.into_iter().filter(|covered| covered.clique.len() < 2).collect();
        Ok(Model::product(schema.clone(), rows, self.weights, alone, origin())?)
    }
}

/// The curator's stop flag, as a fit asks for it.
pub fn halt_of(curator: &Curator) -> Halt {
    let cancel = curator.cancel().clone();
    Halt::when(move |steps| cancel.before(steps))
}

/// A fit with this many times the loss that noise alone would leave has gone astray.
const ASTRAY: f64 = 1.3;

/// A group of a column that was measured slot by slot is about as noisy as this many cells of the
/// first slot.
const CELLS_A_GROUP: usize = 2;

/// Noise so small that its variance rounds to 0 in floats; the fit divides by it.
const LEAST_VARIANCE: f64 = 1e-9;
