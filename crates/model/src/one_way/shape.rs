//! What the cells of a descent tell of a column: runs that stand out, and tails beyond them.

use std::ops::Range;

use super::Descent;
use super::run::{CodeRun, Tail};
use super::season::season;
use super::spread::spread;
use super::tail::{Curve, OuterCell};

/// Counts of this many standard deviations stand out.
const STANDS_OUT: f64 = 3.0;
/// Behind a gap it takes more: there are many empty cells, and noise in one of them that lies far
/// out would put people where nobody is.
const STANDS_OUT_FAR: f64 = 4.5;
/// All that lies behind a place, together.
const STANDS_OUT_TOGETHER: f64 = 3.5;
/// The curve of a tail is fitted to this many times the rows that are in it, or would stand out.
const FITTED: f64 = 4.0;
/// A curve that has less than this share of what stands out in a tail is not its curve.
const LEAST_SHARE: f64 = 0.25;

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

/// A side of a column: its cells from the middle outwards, of which the first are seen.
struct Side {
    places: Vec<usize>,
    seen: usize,
    is_low: bool,
}

impl Descent {
    /// What answers tell of the column's shape.
    pub fn shape(&self, rows: f64) -> Shape {
        let fitted = self.fitted(rows);
        let ordered = self.leaves.partition_point(|&leaf| self.cells[leaf].codes.start < self.ordered);
        let behind = self.behind(&fitted, ordered);
        // From the middle outwards, so that what is left over lies at the ends.
        let half = 0.5 * total(&fitted[..ordered]).0;
        let mut sum = 0.0;
        let middle = fitted[..ordered].iter().position(|cell| {
            sum += cell.0;
            sum >= half
        });
        let Some(middle) = middle else { return Shape { behind, ..Shape::default() } };
        let known = self.known();
        let side = |places: Vec<usize>, is_low: bool| {
            let seen = self.seen(&places, &fitted, &known);
            Side { places, seen, is_low }
        };
        let (low, high) = (side((0..middle).rev().collect(), true), side((middle..ordered).collect(), false));
        let run = |places: &[usize]| {
            let (first, last) = (places.iter().min()?, places.iter().max()?);
            let sum = total(&fitted[*first..=*last]);
            let codes = self.leaf(*first).start..self.leaf(*last).end;
            Some(CodeRun { codes, count: believed(sum), stands_out: stands_out(sum) })
        };
        let below = runs_of(&low.places[..low.seen], &fitted).into_iter().rev();
        let places = below.chain(runs_of(&high.places[..high.seen], &fitted));
        let runs = places.filter_map(|places| run(&places)).filter(|run| run.count > 0.0).collect();
        let center = 0.5 * (self.begins(self.leaf(middle).start) + self.begins(self.leaf(middle).end));
        let tails = [&low, &high].map(|side| {
            let run = run(&side.places[side.seen..])?;
            self.tail(side, run, &fitted, &known, (half, center))
        });
        let mut shape = Shape { runs, tails, behind };
        shape.scale(rows);
        shape
    }

    /// The codes of a finest cell.
    fn leaf(&self, place: usize) -> &Range<u32> {
        &self.cells[self.leaves[place]].codes
    }

    /// How many of these places, from the inside out, lie before the last one that stands out,
    /// alone or with all that lie behind it.
    fn seen(&self, places: &[usize], fitted: &[(f64, f64)], known: &[(f64, f64)]) -> usize {
        let (mut sum, Some(&last)) = (0.0, places.last()) else { return 0 };
        for (number, &place) in places.iter().enumerate().rev() {
            sum += fitted[place].0;
            let (one, other) = (self.leaf(place), self.leaf(last));
            // How rows lie in a wide cell that ends with the range is the curve's to say.
            let is_end = place == last && one.len() > 1;
            if above(fitted[place], STANDS_OUT_FAR) && !is_end {
                return number + 1;
            }
            let codes = one.start.min(other.start)..one.end.max(other.end);
            if above((sum, self.variance_of(&codes, known)), STANDS_OUT_TOGETHER) {
                return number;
            }
        }
        0
    }

    /// The tail of a side, whose codes are those of the run. Its curve is fitted to cells before
    /// it, too. Where its count stands out it is as was found, else as the curve says.
    fn tail(
        &self,
        side: &Side,
        mut run: CodeRun,
        fitted: &[(f64, f64)],
        known: &[(f64, f64)],
        (half, center): (f64, f64),
    ) -> Option<Tail> {
        // Places on the scale of values, outwards.
        let place = |value: f64| if side.is_low { -value } else { value };
        let outwards = |codes: &Range<u32>| {
            let (start, end) = (place(self.begins(codes.start)), place(self.begins(codes.end)));
            start.min(end)..start.max(end)
        };
        let count = |from: usize| side.places[from..].iter().map(|&place| fitted[place].0).sum::<f64>();
        let found = (count(side.seen), self.variance_of(&run.codes, known));
        let variances: f64 = side.places[side.seen..].iter().map(|&place| fitted[place].1).sum();
        let most = FITTED * found.0.max(STANDS_OUT_FAR * variances.sqrt());
        // A value that most rows have says nothing of how the others fall off.
        let tells = |&from: &usize| count(from) <= most && fitted[side.places[from]].0 <= half;
        let first = (0..side.seen).rev().take_while(tells).last().unwrap_or(side.seen);
        let cells = |first: usize, zero: f64| -> Vec<OuterCell> {
            let cell = |&place: &usize| {
                let (Range { start, end }, (count, variance)) = (outwards(self.leaf(place)), fitted[place]);
                OuterCell { away: start - zero..end - zero, count, variance }
            };
            side.places[first..].iter().map(cell).collect()
        };
        let begin = outwards(&run.codes).start;
        let curve = |first: usize| {
            let zero = outwards(self.leaf(side.places[first])).start;
            let curve = Curve::fit(&cells(first, zero), begin - zero, zero - place(center))?;
            Some((curve, zero))
        };
        let (mut fit, mut zero) = curve(first)?;
        let is_seen = above(found, STANDS_OUT_TOGETHER);
        if is_seen && fit.rows(begin - zero..f64::INFINITY) < LEAST_SHARE * found.0 {
            // What lies before the tail is no beginning of it.
            (fit, zero) = curve(side.seen)?;
        }
        let (width, mut near, mut shares) = (run.codes.end - run.codes.start, 0, Vec::new());
        while near < width {
            // Parts grow with their distance.
            let far = (near + 1 + near / 8).min(width);
            let Range { start, end } = run.codes;
            let codes = if side.is_low { end - far..end - near } else { start + near..start + far };
            let Range { start, end } = outwards(&codes);
            shares.push((codes, fit.rows(start - zero..end - zero)));
            near = far;
        }
        let drawn: f64 = shares.iter().map(|part| part.1).sum();
        shares.iter_mut().for_each(|part| part.1 /= drawn.max(f64::MIN_POSITIVE));
        run.count = if drawn > 0.0 && is_seen { found.0 } else { drawn };
        Some(Tail { run, shares })
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
        for tail in self.tails.iter().flatten() {
            for (codes, share) in &tail.shares {
                let each = tail.run.count * share / f64::from(codes.end - codes.start);
                counts[codes.start as usize..codes.end as usize].fill(each);
            }
        }
        counts
    }
}

/// Neighbours that stand out together, from the inside out. What is left at the end is one more.
fn runs_of(places: &[usize], fitted: &[(f64, f64)]) -> Vec<Vec<usize>> {
    let (mut runs, mut open, mut sum) = (Vec::new(), Vec::new(), (0.0, 0.0));
    for &place in places {
        let far = !open.is_empty();
        let alone = above(fitted[place], if far { STANDS_OUT_FAR } else { STANDS_OUT });
        if alone && far {
            runs.push(std::mem::take(&mut open));
        }
        open.push(place);
        sum = if alone { fitted[place] } else { total(&[sum, fitted[place]]) };
        if alone || stands_out(sum) {
            runs.push(std::mem::take(&mut open));
            sum = (0.0, 0.0);
        }
    }
    runs.extend((!open.is_empty()).then_some(open));
    runs
}

/// Counts and variances added up.
fn total(cells: &[(f64, f64)]) -> (f64, f64) {
    cells.iter().fold((0.0, 0.0), |sum, cell| (sum.0 + cell.0, sum.1 + cell.1))
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
