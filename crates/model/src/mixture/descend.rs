//! The fit of a mixture: adaptive gradient steps on the logits of all components and of their
//! weights.
//!
//! What is minimized is what [`crate::estimate()`] minimizes. With `P` the product of a cell's
//! probabilities in a component and its weight, the slope of any logit is a sum of `P` times the
//! cell's slope, so one sweep over the measured cells gives every gradient. Steps are Adam's: a
//! component's gradients are proportional to its weight, and dividing by their own size keeps small
//! components moving.

use lookalike_schema::{Domain, ImpossibleRule};
use rayon::prelude::*;

use super::Mixture;
use super::boxes::Boxes;
use super::target::{MixtureTarget, bases, targets};
use crate::pgm::estimate::{Measurement, Options};
use crate::pgm::factor::kernel::{self, VectorLevel};
use crate::pgm::factor::tiles::{LANES, ROWS};
use crate::{Halt, ModelError, SampleRng};

/// No mixture has fewer components, and their number is a multiple of it.
pub(super) const FEWEST: usize = LANES;
/// Rows of products that are worked on at a time in the backward sweep.
const TILE: usize = 16;
/// Adam's memory of slopes and of their squares.
const MEMORY: f32 = 0.9;
const SQUARE_MEMORY: f32 = 0.99;
/// Slopes far below this are none: a whole logit changes the loss by less than it.
const FLAT: f32 = 1e-8;
/// The first length of a step, in logits.
const FIRST_STEP: f64 = 0.15;
/// Steps are halved when they gain too little, and the fit ends when they have become this short.
const LAST_STEP: f64 = 0.004;
/// Steps over which a gain is judged.
const WINDOW: usize = 20;
/// How far the components' logits lie apart at the start.
const SPREAD: f64 = 0.3;

/// How to fit a mixture.
#[derive(Clone, Debug)]
pub struct MixtureOptions {
    /// The total; `None` means the best unbiased combination of the measured totals.
    pub total: Option<f64>,
    /// Components, rounded up to a multiple of 64; `None` means as many as the measured cells call
    /// for.
    pub components: Option<usize>,
    /// Steps are halved, and in the end stopped, when a number of them have lowered the loss by
    /// less than this share.
    pub tolerance: f64,
    /// Stop after this many steps whatever happens.
    pub steps: u64,
    /// Ends the fit with an error, between two tables of a step.
    pub halt: Halt,
}

impl Default for MixtureOptions {
    fn default() -> Self {
        Self { total: None, components: None, tolerance: 0.01, steps: 3000, halt: Halt::never() }
    }
}

/// A fitted mixture.
#[derive(Clone, Debug)]
pub struct MixtureFit {
    /// The distribution.
    pub model: Mixture,
    /// The total that turns its probabilities into counts.
    pub total: f64,
    /// Half the weighted sum of squares that is left.
    pub loss: f64,
    /// Steps that it took.
    pub steps: u64,
    /// Whether the fit stopped by its own rule, not at the limit of steps.
    pub converged: bool,
}

/// As many components as measured cells call for: their free numbers are then about two for each
/// cell, within limits. More fit the noise better and the table no better.
pub(super) fn components_for(measured_cells: u64, codes: u64) -> usize {
    let wanted = measured_cells.saturating_mul(2) / codes.max(1);
    (wanted.clamp(256, 1024) as usize).next_multiple_of(LANES)
}

/// Bytes that a fit takes: logits, their probabilities, Adam's two, and the box; counts and slopes
/// of the measured cells.
pub(super) fn bytes(components: usize, measured_cells: u64, codes: u64) -> u64 {
    (components as u64).saturating_mul(codes).saturating_mul(36).saturating_add(measured_cells.saturating_mul(20))
}

/// Fits a mixture to the measurements, whatever their junction tree would be.
///
/// No component reaches an impossible row. Refuses as [`crate::estimate()`] does.
pub fn fit_mixture(
    domain: &Domain,
    rules: &[ImpossibleRule],
    measurements: &[Measurement],
    options: &MixtureOptions,
) -> Result<MixtureFit, ModelError> {
    let total = Options::checked_total(domain, measurements, options.total)?;
    let cells = measurements.iter().map(|measurement| measurement.values.len() as u64).sum();
    let codes = domain.sizes().iter().map(|&size| u64::from(size)).sum();
    let components = options.components.unwrap_or_else(|| components_for(cells, codes));
    let components = components.max(1).next_multiple_of(LANES);
    let mut rng = SampleRng::new(0, "lookalike mixture v1", 0);
    let bases = bases(domain, measurements)?;
    let boxes = Boxes::draw(domain, rules, &bases, components, &mut rng)?;
    let (mut targets, floor) = targets(domain, &boxes.starts, measurements)?;
    let mut descent = Descent::new(domain, &boxes, &bases, components, &mut rng);
    let (steps, converged) = descent.run(&mut targets, total, floor, options);
    // Steps that were told to stop have left slopes half done.
    options.halt.check(0)?;
    let model = descent.mixture(domain, rules)?;
    let mut loss = 0.0;
    for measurement in measurements {
        options.halt.check(measurement.values.len() * components)?;
        let marginal = model.marginal(&measurement.clique)?;
        let apart = marginal.values().iter().zip(measurement.values).map(|(p, y)| (total * p - y).powi(2));
        loss += 0.5 * apart.sum::<f64>() / measurement.variance;
    }
    Ok(MixtureFit { model, total, loss, steps, converged })
}

/// The parameters of one block of components: `[code][lane]`, and the components' weights after all
/// codes.
struct ComponentBlock {
    logits: Vec<f64>,
    slopes: Vec<f32>,
    squares: Vec<f32>,
}

struct Descent {
    /// First code and size of each column.
    columns: Vec<(usize, usize)>,
    codes: usize,
    blocks: Vec<ComponentBlock>,
    /// Probabilities, `[block][code][lane]`; the last row of a block holds the weights.
    probabilities: Vec<f32>,
    age: i32,
}

impl Descent {
    fn new(domain: &Domain, boxes: &Boxes, bases: &[Vec<f64>], components: usize, rng: &mut SampleRng) -> Self {
        let codes = boxes.codes;
        let columns: Vec<(usize, usize)> =
            boxes.starts.iter().zip(domain.sizes()).map(|(&start, &size)| (start, size as usize)).collect();
        let logs: Vec<f64> = bases.iter().flatten().map(|p| p.ln()).collect();
        let mut blocks = Vec::with_capacity(components / LANES);
        for block in 0..components / LANES {
            let mut logits = vec![0.0; (codes + 1) * LANES];
            for code in 0..codes {
                for lane in 0..LANES {
                    let closed = boxes.closed[(block * LANES + lane) * codes + code];
                    // Twelve uniform numbers are normal enough.
                    let normal = (0..12).map(|_| rng.uniform()).sum::<f64>() - 6.0;
                    logits[code * LANES + lane] = if closed { f64::NEG_INFINITY } else { logs[code] + SPREAD * normal };
                }
            }
            let room = vec![0.0; logits.len()];
            blocks.push(ComponentBlock { logits, slopes: room.clone(), squares: room });
        }
        let probabilities = vec![0.0; blocks.len() * (codes + 1) * LANES];
        Self { columns, codes, blocks, probabilities, age: 0 }
    }

    fn stride(&self) -> usize {
        (self.codes + 1) * LANES
    }

    fn run(&mut self, targets: &mut [MixtureTarget], total: f64, floor: f64, options: &MixtureOptions) -> (u64, bool) {
        let mut step = FIRST_STEP;
        let (mut before, mut sum, mut steps) = (f64::INFINITY, 0.0, 0);
        self.normalise();
        while steps < options.steps && !targets.is_empty() && !options.halt.asked(self.probabilities.len()) {
            sum += floor + self.forward(targets, total, &options.halt);
            steps += 1;
            if (steps as usize).is_multiple_of(WINDOW) {
                // Single losses jump about; means over windows do not.
                let mean = sum / WINDOW as f64;
                if before - mean < options.tolerance * mean {
                    step *= 0.5;
                    if step < LAST_STEP {
                        return (steps, true);
                    }
                }
                (before, sum) = (mean, 0.0);
            }
            self.backward(targets, step as f32, &options.halt);
            self.normalise();
        }
        (steps, targets.is_empty())
    }

    /// Probabilities from logits.
    fn normalise(&mut self) {
        let (stride, codes) = (self.stride(), self.codes);
        let (columns, blocks) = (&self.columns, &self.blocks);
        let level = VectorLevel::detect();
        self.probabilities.par_chunks_mut(stride).zip(blocks).for_each_init(Vec::new, |room, (out, block)| {
            room.clear();
            room.extend_from_slice(&block.logits[..codes * LANES]);
            for &(start, size) in columns {
                softmax(level, &mut room[start * LANES..(start + size) * LANES]);
            }
            out.iter_mut().zip(&*room).for_each(|(out, &p)| *out = p as f32);
        });
        let weights = || self.blocks.iter().flat_map(|block| &block.logits[codes * LANES..]);
        let top = weights().copied().fold(f64::NEG_INFINITY, f64::max);
        let sum: f64 = weights().map(|logit| (logit - top).exp()).sum();
        for (out, block) in self.probabilities.chunks_exact_mut(stride).zip(&self.blocks) {
            let pairs = out[codes * LANES..].iter_mut().zip(&block.logits[codes * LANES..]);
            pairs.for_each(|(out, logit)| *out = ((logit - top).exp() / sum) as f32);
        }
    }

    /// The loss, and its slope at every measured cell.
    fn forward(&self, targets: &mut [MixtureTarget], total: f64, halt: &Halt) -> f64 {
        let one = |target: &mut MixtureTarget| self.forward_one(target, total, halt);
        let losses: Vec<f64> = targets.par_iter_mut().map(one).collect();
        losses.iter().sum()
    }

    fn forward_one(&self, target: &mut MixtureTarget, total: f64, halt: &Halt) -> f64 {
        let Some((&(inner, size), outer)) = target.columns.split_last() else { return 0.0 };
        let stride = self.stride();
        let level = VectorLevel::detect();
        let mut rows = vec![0.0f32; self.blocks.len() * ROWS * LANES];
        let mut sums = vec![0.0f32; ROWS * size];
        let mut loss = 0.0;
        let prefixes = target.counts.len() / size;
        for first in (0..prefixes).step_by(ROWS) {
            if halt.asked(ROWS * size * self.blocks.len() * LANES) {
                return loss;
            }
            let count = ROWS.min(prefixes - first);
            for (block, rows) in rows.chunks_exact_mut(ROWS * LANES).enumerate() {
                let block = &self.probabilities[block * stride..(block + 1) * stride];
                self.products(block, outer, first, &mut rows[..count * LANES]);
            }
            kernel::inner_products(level, &rows, &self.probabilities, stride, inner * LANES, &mut sums);
            let cells = first * size..(first + count) * size;
            let (counts, slopes) = (&target.counts[cells.clone()], &mut target.slopes[cells]);
            for ((slope, &count), &p) in slopes.iter_mut().zip(counts).zip(&sums) {
                let residual = total * f64::from(p) - count;
                loss += 0.5 * target.weight * residual * residual;
                *slope = (target.weight * residual * total) as f32;
            }
        }
        loss
    }

    /// The products, in every component of a block, of its weight and the outer columns'
    /// probabilities, for prefixes from `first` on.
    fn products(&self, block: &[f32], outer: &[(usize, usize)], first: usize, rows: &mut [f32]) {
        let weights = &block[self.codes * LANES..];
        for (place, row) in rows.chunks_exact_mut(LANES).enumerate() {
            row.copy_from_slice(weights);
            let mut rest = first + place;
            for &(start, size) in outer.iter().rev() {
                let code = start + rest % size;
                rest /= size;
                row.iter_mut().zip(&block[code * LANES..(code + 1) * LANES]).for_each(|(row, p)| *row *= p);
            }
        }
    }

    /// One step of all logits against the slopes that the forward sweep left.
    fn backward(&mut self, targets: &[MixtureTarget], step: f32, halt: &Halt) {
        self.age += 1;
        let stride = self.stride();
        let mut blocks = std::mem::take(&mut self.blocks);
        let weights = self.codes * LANES;
        let mut wholes: Vec<[f32; LANES]> = blocks
            .par_iter_mut()
            .zip(self.probabilities.par_chunks(stride))
            .map_init(Vec::new, |room, (block, probabilities)| {
                room.clear();
                room.resize(stride, 0.0f32);
                for target in targets {
                    if halt.asked(target.counts.len() * LANES) {
                        break;
                    }
                    self.backward_one(target, probabilities, room);
                }
                self.centre(probabilities, room);
                self.adam(block, &room[..weights], 0, step);
                std::array::from_fn(|lane| room[weights + lane])
            })
            .collect();
        // The weights' slopes need the sum over all blocks.
        let sum: f64 = wholes.iter().flatten().map(|&whole| f64::from(whole)).sum();
        for ((block, whole), p) in blocks.iter_mut().zip(&mut wholes).zip(self.probabilities.chunks_exact(stride)) {
            whole.iter_mut().zip(&p[weights..]).for_each(|(slope, &p)| *slope -= p * sum as f32);
            self.adam(block, whole, weights, step);
        }
        self.blocks = blocks;
    }

    /// Adds what one target says about every code of a block: probability times slope. The weights'
    /// row gets each component's whole.
    fn backward_one(&self, target: &MixtureTarget, probabilities: &[f32], sums: &mut [f32]) {
        let Some((&(inner, size), outer)) = target.columns.split_last() else { return };
        let level = VectorLevel::detect();
        let (mut rows, mut back) = ([0.0f32; TILE * LANES], [0.0f32; TILE * LANES]);
        let mut last = vec![0.0f32; size * LANES];
        let inner_rows = &probabilities[inner * LANES..(inner + size) * LANES];
        let prefixes = target.counts.len() / size;
        for first in (0..prefixes).step_by(TILE) {
            let count = TILE.min(prefixes - first);
            let (rows, back) = (&mut rows[..count * LANES], &mut back[..count * LANES]);
            self.products(probabilities, outer, first, rows);
            let slopes = &target.slopes[first * size..(first + count) * size];
            kernel::combine(level, &mut last, slopes, (1, size), rows);
            if !outer.is_empty() {
                back.fill(0.0);
                kernel::combine(level, back, slopes, (size, 1), inner_rows);
                back.iter_mut().zip(&*rows).for_each(|(back, row)| *back *= row);
                for (place, back) in back.chunks_exact(LANES).enumerate() {
                    let mut rest = first + place;
                    for &(start, size) in outer.iter().rev() {
                        let code = start + rest % size;
                        rest /= size;
                        add(&mut sums[code * LANES..(code + 1) * LANES], back);
                    }
                }
            }
        }
        last.iter_mut().zip(inner_rows).for_each(|(last, p)| *last *= p);
        add(&mut sums[inner * LANES..(inner + size) * LANES], &last);
        let weights = self.codes * LANES;
        for row in last.chunks_exact(LANES) {
            add(&mut sums[weights..], row);
        }
    }

    /// Slopes of logits: probability times slope, less the probability's share of the column's sum.
    fn centre(&self, probabilities: &[f32], sums: &mut [f32]) {
        for &(start, size) in &self.columns {
            let cells = start * LANES..(start + size) * LANES;
            let mut whole = [0.0f32; LANES];
            sums[cells.clone()].chunks_exact(LANES).for_each(|row| add(&mut whole, row));
            for (row, p) in sums[cells.clone()].chunks_exact_mut(LANES).zip(probabilities[cells].chunks_exact(LANES)) {
                row.iter_mut().zip(p).zip(&whole).for_each(|((slope, p), whole)| *slope -= p * whole);
            }
        }
    }

    /// Adam's step for some of a block's logits.
    fn adam(&self, block: &mut ComponentBlock, slopes: &[f32], first: usize, step: f32) {
        let cells = first..first + slopes.len();
        let fade = 1.0 - MEMORY.powi(self.age);
        let length = step / fade;
        let square_fade = 1.0 / (1.0 - SQUARE_MEMORY.powi(self.age));
        let (means, squares) = (&mut block.slopes[cells.clone()], &mut block.squares[cells.clone()]);
        for (((logit, mean), square), &slope) in block.logits[cells].iter_mut().zip(means).zip(squares).zip(slopes) {
            *mean += (1.0 - MEMORY) * (slope - *mean);
            *square += (1.0 - SQUARE_MEMORY) * (slope * slope - *square);
            *logit -= f64::from(length * *mean / ((*square * square_fade).sqrt() + FLAT));
        }
    }

    /// The model, normalised in full precision.
    fn mixture(&self, domain: &Domain, rules: &[ImpossibleRule]) -> Result<Mixture, ModelError> {
        let components = self.blocks.len() * LANES;
        let mut columns: Vec<Vec<f64>> = self.columns.iter().map(|&(_, size)| vec![0.0; components * size]).collect();
        let mut weights = Vec::with_capacity(components);
        let mut room = Vec::new();
        for (number, block) in self.blocks.iter().enumerate() {
            room.clone_from(&block.logits);
            for (&(start, size), column) in self.columns.iter().zip(&mut columns) {
                let rows = &mut room[start * LANES..(start + size) * LANES];
                softmax(VectorLevel::detect(), rows);
                for (code, row) in rows.chunks_exact(LANES).enumerate() {
                    row.iter().enumerate().for_each(|(lane, &p)| column[(number * LANES + lane) * size + code] = p);
                }
            }
            weights.extend_from_slice(&block.logits[self.codes * LANES..]);
        }
        let top = weights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        weights.iter_mut().for_each(|weight| *weight = (*weight - top).exp());
        let sum: f64 = weights.iter().sum();
        weights.iter_mut().for_each(|weight| *weight /= sum);
        Mixture::new(domain, rules, weights, columns)
    }
}

fn add(sums: &mut [f32], row: &[f32]) {
    sums.iter_mut().zip(row).for_each(|(sum, &cell)| *sum += cell);
}

/// Logits of a column's codes (`[code][lane]`) become probabilities, in every lane by itself.
fn softmax(level: VectorLevel, rows: &mut [f64]) {
    let mut top = [f64::NEG_INFINITY; LANES];
    for row in rows.chunks_exact(LANES) {
        top.iter_mut().zip(row).for_each(|(top, &logit)| *top = if logit > *top { logit } else { *top });
    }
    rows.chunks_exact_mut(LANES).for_each(|row| row.iter_mut().zip(&top).for_each(|(logit, top)| *logit -= top));
    kernel::exponentials(level, rows, 0.0);
    let mut sums = [0.0f64; LANES];
    for row in rows.chunks_exact(LANES) {
        sums.iter_mut().zip(row).for_each(|(sum, &p)| *sum += p);
    }
    rows.chunks_exact_mut(LANES).for_each(|row| row.iter_mut().zip(&sums).for_each(|(p, sum)| *p /= sum));
}
