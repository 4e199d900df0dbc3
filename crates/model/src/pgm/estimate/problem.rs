//! The loss on one tree, in units in which every noise has variance 1.

use std::sync::Arc;

use lookalike_schema::Clique;

use super::options::{Combined, Fit, Measurement, Options};
use crate::pgm::factor::LogFactor;
use crate::pgm::factor::kernel::{self, VectorLevel};
use crate::pgm::factor::layout::{permuted, shape};
use crate::pgm::inference::engine::Engine;
use crate::pgm::inference::{Calibrated, distinct};
use crate::pgm::tree::JunctionTree;
use crate::{ModelError, refuse_if};

/// How far from 1 the sum of a marginal may be.
const SOUND: f64 = 1e-9;

/// The measurements of a fit, joined to an engine.
///
/// A residual is `(N mu - y) / sigma`, so the loss is half its square. Potentials are kept divided
/// by `1 / sigma`: a mirror step is then a plain multiple of the residual, whatever the variances.
pub(super) struct FitProblem {
    pub engine: Engine,
    /// Measured counts over their noise's standard deviation, in the engine's layout. Several
    /// measurements of one clique are one, weighted by their precisions.
    counts: Vec<f64>,
    /// 1 / sigma of each field; 0 for a field that is not measured.
    pub roots: Vec<f64>,
    /// Loss that no model can avoid: measurements of one clique that differ.
    floor: f64,
    pub total: f64,
    /// The potentials over `roots` (fields that are not measured: the potentials themselves), at
    /// the best point so far.
    pub point: Vec<f64>,
    /// The residuals there.
    pub residual: Vec<f64>,
    /// The loss there.
    pub loss: f64,
    pub passes: u64,
    /// What fields are multiplied by to give potentials.
    scales: Vec<f64>,
}

impl FitProblem {
    pub fn new(tree: Arc<JunctionTree>, measurements: &[Measurement], options: &Options) -> Result<Self, ModelError> {
        let total = Options::checked_total(tree.domain(), measurements, options.total)?;
        let mut engine = Engine::new(tree, &field_cliques(measurements, &options.start))?;
        engine.halt = options.halt.clone();
        let cells = engine.schedule.field_cells;
        let (mut counts, mut point) = (vec![0.0; cells], vec![0.0; cells]);
        let (mut roots, mut floor) = (Vec::new(), 0.0);
        for field in &engine.schedule.fields {
            engine.halt.check(field.cells.len())?;
            let combined = Combined::new(measurements, &field.clique, field.cells.len(), &mut floor);
            let root = combined.precision.sqrt();
            let order = engine.schedule.order.permutation(&field.clique);
            let shape = shape(engine.tree.domain(), &field.clique);
            let mut mean = combined.mean;
            engine.tree.clear_impossible(&field.clique, &mut mean);
            let mean = permuted(&mean, &shape, &order);
            counts[field.cells.clone()].iter_mut().zip(mean).for_each(|(count, mean)| *count = root * mean);
            for potential in options.start.iter().filter(|potential| potential.clique() == field.clique) {
                let misfit = potential.values().len() != field.cells.len();
                refuse_if(misfit, "a potential to start from has another shape than its clique")?;
                let values = permuted(potential.values(), &shape, &order);
                let unit = if root > 0.0 { 1.0 / root } else { 1.0 };
                let cells = &mut point[field.cells.clone()];
                cells.iter_mut().zip(values).for_each(|(cell, value)| *cell += unit * value);
            }
            roots.push(root);
        }
        let scales = roots.iter().map(|&root| if root > 0.0 { root } else { 1.0 }).collect();
        let residual = vec![0.0; cells];
        let mut problem = Self { engine, counts, roots, floor, total, point, residual, loss: 0.0, passes: 0, scales };
        problem.return_to_point()?;
        Ok(problem)
    }

    /// A pass at the best point so far, with its loss and its residual.
    fn return_to_point(&mut self) -> Result<(), ModelError> {
        let point = std::mem::take(&mut self.point);
        self.loss = self.try_at(&point)?;
        self.point = point;
        self.take_residual(|_, _, _| ());
        Ok(())
    }

    /// How many different cells were measured that are not impossible.
    pub fn measured_cells(&self) -> usize {
        let fields = self.engine.schedule.fields.iter().zip(&self.roots);
        fields.filter(|(_, root)| **root > 0.0).map(|(field, _)| self.engine.tree.possible_cells(&field.clique)).sum()
    }

    /// A pass at another point: the loss there. The residual stays that of the old point.
    ///
    /// Potentials that run to infinity, as they do where everything is in one cell, end beyond what
    /// sums in floats can tell apart: the marginals no longer sum to 1. There the loss is infinite,
    /// so that no fit goes there.
    pub fn try_at(&mut self, point: &[f64]) -> Result<f64, ModelError> {
        // What lies between two passes: some sweeps over the fields.
        self.engine.halt.check(point.len())?;
        self.engine.calibrate(point, &self.scales)?;
        self.passes += 1;
        let mut sum = 0.0;
        for (number, (field, &root)) in self.engine.schedule.fields.iter().zip(&self.roots).enumerate() {
            let (marginal, counts) = (self.engine.marginal(number), &self.counts[field.cells.clone()]);
            let sound = (kernel::total(VectorLevel::detect(), marginal) - 1.0).abs() <= SOUND;
            if !sound {
                return Ok(f64::INFINITY);
            }
            sum += kernel::squared_distance(VectorLevel::detect(), marginal, counts, self.total * root);
        }
        Ok(self.floor + 0.5 * sum)
    }

    /// Takes over the residual of the last pass. `change` sees each field's cells, the old residual
    /// and the new one.
    pub fn take_residual(&mut self, mut change: impl FnMut(std::ops::Range<usize>, &[f64], &[f64])) {
        const BLOCK: usize = 1024;
        let mut fresh = [0.0; BLOCK];
        for (number, (field, &root)) in self.engine.schedule.fields.iter().zip(&self.roots).enumerate() {
            let (scale, marginal) = (self.total * root, self.engine.marginal(number));
            for start in field.cells.clone().step_by(BLOCK) {
                let cells = start..(start + BLOCK).min(field.cells.end);
                let fresh = &mut fresh[..cells.len()];
                let place = start - field.cells.start;
                let counts = &self.counts[cells.clone()];
                for ((fresh, &mu), &count) in fresh.iter_mut().zip(&marginal[place..]).zip(counts) {
                    *fresh = scale * mu - count;
                }
                change(cells.clone(), &self.residual[cells.clone()], fresh);
                self.residual[cells].copy_from_slice(fresh);
            }
        }
    }

    /// How much the tangent plane falls from the point to the last pass.
    pub fn promised(&self) -> f64 {
        let (level, mut fall) = (VectorLevel::detect(), 0.0);
        for (number, (field, &root)) in self.engine.schedule.fields.iter().zip(&self.roots).enumerate() {
            let (slopes, counts) = (&self.residual[field.cells.clone()], &self.counts[field.cells.clone()]);
            // The residual is (N mu - y) / sigma, so N mu / sigma at the point is the residual plus
            // y / sigma.
            fall += kernel::dot(level, slopes, slopes) + kernel::dot(level, slopes, counts)
                - self.total * root * kernel::dot(level, slopes, self.engine.marginal(number));
        }
        fall
    }

    /// A first rate: one at which no clique's step overshoots, the largest cell being what it is
    /// now, and no potential moves by more than 3. The last pass must have been at the point.
    pub fn first_rate(&self) -> f64 {
        let (mut steepest, mut farthest) = (0.0f64, 0.0f64);
        for (number, (field, &root)) in self.engine.schedule.fields.iter().zip(&self.roots).enumerate() {
            let top = kernel::largest(VectorLevel::detect(), self.engine.marginal(number));
            steepest = steepest.max(root * root * top);
            let slopes = self.residual[field.cells.clone()].iter();
            farthest = slopes.fold(farthest, |far, slope| far.max(root * slope.abs()));
        }
        let rate = (0.5 / (self.total * steepest)).min(3.0 / farthest);
        if rate > 0.0 && rate.is_finite() { rate } else { 1.0 }
    }

    /// No distribution has a loss lower than the present one by more than this. The last pass must
    /// have been at the point; afterwards the engine holds no marginals.
    ///
    /// The loss is convex, so it lies above its tangent plane at `mu`; the plane's lowest value
    /// over all distributions is taken at a single row, found exactly by a pass of maxima.
    pub fn gap(&mut self) -> f64 {
        let mut here = 0.0;
        for (number, (field, &root)) in self.engine.schedule.fields.iter().zip(&self.roots).enumerate() {
            let slopes = &self.residual[field.cells.clone()];
            here += root * kernel::dot(VectorLevel::detect(), slopes, self.engine.marginal(number));
        }
        let against: Vec<f64> = self.roots.iter().map(|root| -root).collect();
        let lowest = -self.engine.best(&self.residual, &against);
        (self.total * (here - lowest)).max(0.0)
    }

    /// The model at the best point, without the gap.
    pub fn into_model(mut self) -> Result<Calibrated, ModelError> {
        let log = self.engine.calibrate(&self.point, &self.scales)?;
        let mut fields = self.point;
        for (field, &scale) in self.engine.schedule.fields.iter().zip(&self.scales) {
            fields[field.cells.clone()].iter_mut().for_each(|cell| *cell *= scale);
        }
        Ok(Calibrated::from_engine(self.engine, fields, log))
    }

    /// The fitted model at the best point.
    pub fn finish(mut self, converged: bool) -> Result<Fit, ModelError> {
        // The marginals of the best point are needed twice: for the gap, which destroys them, and
        // for the model.
        self.return_to_point()?;
        let gap = self.gap();
        let (total, loss, passes) = (self.total, self.loss, self.passes);
        let model = self.into_model()?;
        Ok(Fit { model, total, loss, gap, passes, converged })
    }
}

/// All cliques that a fit has potentials for.
fn field_cliques(measurements: &[Measurement], start: &[LogFactor]) -> Vec<Clique> {
    let measured = measurements.iter().map(|measurement| measurement.clique.clone());
    let all = measured.chain(start.iter().map(LogFactor::clique));
    distinct(all.filter(|clique| !clique.is_empty()))
}
