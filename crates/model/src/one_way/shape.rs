//! What the cells of a descent tell of a column: runs that stand out, and tails beyond them.

use std::ops::Range;

use super::Descent;
use super::run::{CodeRun, Tail};
use super::season::season;
use super::spread::{fall_off, spread};

/// Counts of this many standard deviations stand out.
const STANDS_OUT: f64 = 3.0;
/// Behind a gap it takes more: there are many empty cells, and noise in one of them that lies far
/// out would put people where nobody is.
const STANDS_OUT_FAR: f64 = 4.5;
/// How far, as a logarithm, the count of a tail is likely to be from what goes on as before.
const LEANING: f64 = 1.4;

/// Counts of a column as far as answers tell them.
#[derive(Clone, Debug, Default)]
pub struct Shape {
    /// Runs in the order of their codes.
    pub runs: Vec<CodeRun>,
    /// What lies before the first and behind the last of them.
    tails: [Option<Tail>; 2],
    /// Codes without an order.
    behind: Vec<CodeRun>,
}

impl Descent {
    /// What answers tell of the column's shape.
    pub fn shape(&self, rows: f64) -> Shape {
        let fitted = self.fitted(rows);
        let ordered = self.leaves.partition_point(|&leaf| self.cells[leaf].codes.start < self.ordered);
        let added = |sum: (f64, f64), cell: (f64, f64)| (sum.0 + cell.0, sum.1 + cell.1);
        // From the plainest cell outwards, so that what is left over lies at the ends.
        let plainest = (0..ordered).max_by(|&a, &b| {
            let ratio = |place: usize| fitted[place].0 / fitted[place].1.sqrt();
            ratio(a).total_cmp(&ratio(b))
        });
        let Some(middle) = plainest else { return Shape { behind: self.behind(&fitted, ordered), ..Shape::default() } };
        let outwards = |places: &mut dyn Iterator<Item = usize>| {
            let (mut runs, mut open, mut sum) = (Vec::new(), Vec::new(), (0.0, 0.0));
            for place in places {
                let far = !open.is_empty();
                let alone = above(fitted[place], if far { STANDS_OUT_FAR } else { STANDS_OUT });
                if alone && far {
                    runs.push(std::mem::take(&mut open));
                }
                open.push(place);
                sum = if alone { fitted[place] } else { added(sum, fitted[place]) };
                if alone || stands_out(sum) {
                    runs.push(std::mem::take(&mut open));
                }
                if open.is_empty() {
                    sum = (0.0, 0.0);
                }
            }
            (runs, open)
        };
        let total = |places: &[usize]| places.iter().fold((0.0, 0.0), |sum, &place| added(sum, fitted[place]));
        let run = |places: &[usize]| {
            let (first, last) = (places.iter().min()?, places.iter().max()?);
            let sum = total(places);
            let codes = self.cells[self.leaves[*first]].codes.start..self.cells[self.leaves[*last]].codes.end;
            Some(CodeRun { codes, count: believed(sum), stands_out: stands_out(sum) })
        };
        let (below, low) = outwards(&mut (0..middle).rev());
        let (over, high) = outwards(&mut (middle + 1..ordered));
        let places = below.into_iter().rev().chain([vec![middle]]).chain(over);
        let runs: Vec<CodeRun> = places.filter_map(|places| run(&places)).filter(|run| run.count > 0.0).collect();
        let tail = |places: &[usize], is_low: bool| {
            let mut run = run(places)?;
            let mut inwards: Vec<&CodeRun> = runs.iter().collect();
            if !is_low {
                inwards.reverse();
            }
            if let Some(usual) = going_on(&inwards) {
                run.count = leaning(total(places), usual);
            }
            let cell = |&place: &usize| {
                let Range { start, end } = self.cells[self.leaves[place]].codes;
                let codes = if is_low {
                    run.codes.end - end..run.codes.end - start
                } else {
                    start - run.codes.start..end - run.codes.start
                };
                (f64::from(codes.start)..f64::from(codes.end), fitted[place])
            };
            let cells = places.iter().map(cell).collect();
            Some(Tail { run, cells })
        };
        let tails = [tail(&low, true), tail(&high, false)];
        let mut shape = Shape { runs, tails, behind: self.behind(&fitted, ordered) };
        shape.scale(rows);
        shape
    }

    /// A count for each code.
    pub fn counts(&self, rows: f64) -> Vec<f64> {
        let shape = self.shape(rows);
        let mut counts = shape.counts(self.codes());
        season(&mut counts, &shape.parts().collect::<Vec<_>>(), &self.seasons);
        counts
    }

    fn behind(&self, fitted: &[(f64, f64)], ordered: usize) -> Vec<CodeRun> {
        let run = |(&leaf, &sum): (&usize, &(f64, f64))| {
            let codes = self.cells[leaf].codes.clone();
            CodeRun { codes, count: believed(sum), stands_out: stands_out(sum) }
        };
        self.leaves[ordered..].iter().zip(&fitted[ordered..]).map(run).collect()
    }
}

impl Shape {
    pub(super) fn parts(&self) -> impl Iterator<Item = &CodeRun> {
        let tails = self.tails.iter().flatten().map(|tail| &tail.run);
        self.runs.iter().chain(tails).chain(&self.behind)
    }

    fn scale(&mut self, rows: f64) {
        let sum: f64 = self.parts().map(|run| run.count).sum();
        if sum > 0.0 {
            let tails = self.tails.iter_mut().flatten().map(|tail| &mut tail.run);
            let parts = self.runs.iter_mut().chain(tails).chain(&mut self.behind);
            parts.for_each(|run| run.count *= rows / sum);
        }
    }

    /// A count for each code.
    pub fn counts(&self, codes: usize) -> Vec<f64> {
        let mut counts = vec![0.0; codes];
        for run in &self.behind {
            counts[run.codes.start as usize] = run.count;
        }
        for (place, run) in self.runs.iter().enumerate() {
            // A value that stands alone says nothing of how dense its neighbours are.
            let density = |place: Option<usize>| {
                let near = place.and_then(|place| self.runs.get(place)).filter(|near| near.width() > 1.0);
                near.map_or(run.density(), CodeRun::density)
            };
            spread(run, density(place.checked_sub(1)), density(Some(place + 1)), &mut counts);
        }
        for (tail, is_low) in self.tails.iter().zip([true, false]) {
            let nearest = if is_low {
                self.runs.iter().find(|run| run.stands_out)
            } else {
                self.runs.iter().rfind(|run| run.stands_out)
            };
            let Some(tail) = tail else { continue };
            let part = &mut counts[tail.run.codes.start as usize..tail.run.codes.end as usize];
            fall_off(tail, nearest.map_or(tail.run.density(), CodeRun::density), part);
            if is_low {
                part.reverse();
            }
        }
        counts
    }
}

/// What a tail has if densities go on falling as they do before it, where they do; runs from the
/// outside in.
fn going_on(runs: &[&CodeRun]) -> Option<f64> {
    let last = runs.first()?;
    let rises = runs.windows(2).take_while(|pair| pair[1].density() >= pair[0].density());
    let mut away = 0.0;
    for [before, run] in rises.filter_map(|pair| <[&CodeRun; 2]>::try_from(pair).ok()) {
        away += 0.5 * (before.width() + run.width());
        let fallen = (run.density() / last.density()).ln();
        if fallen > 1.0 {
            let scale = away / fallen;
            return Some(last.density() * scale * (-0.5 * last.width() / scale).exp());
        }
    }
    None
}

/// A noisy count of what is likely to be about the usual one.
fn leaning((count, variance): (f64, f64), usual: f64) -> f64 {
    let misfit = |log: f64| (usual * log.exp() - count).powi(2) / variance + (log / LEANING).powi(2);
    let logs = (-60..=60).map(|step| 0.1 * f64::from(step));
    logs.min_by(|&a, &b| misfit(a).total_cmp(&misfit(b))).map_or(0.0, |log| usual * log.exp())
}

fn above((count, variance): (f64, f64), deviations: f64) -> bool {
    count > deviations * variance.sqrt()
}

fn stands_out(count: (f64, f64)) -> bool {
    above(count, STANDS_OUT)
}

/// What a noisy count is taken for: itself where it stands out, less where it may be noise.
fn believed((count, variance): (f64, f64)) -> f64 {
    if count <= 0.0 {
        return 0.0;
    }
    let square = count * count;
    if stands_out((count, variance)) { count } else { count * square / (square + variance) }
}
