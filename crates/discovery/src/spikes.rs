//! Values that stand for something else: a 9999 far above all other numbers, a 0 that two rows in
//! five have.
//!
//! The first slot says where numbers lie in powers of two, and how many are 0. The outermost power
//! of two may hold nothing but one of the numbers that stand for "unknown" in many files. The
//! second slot then has a cell for each of these, beside the cells that it has anyway. If they hold
//! all of that power of two, they are spikes, and the range is found from the rest. Which cells
//! there are follows from answers that were paid for and from a public list, and each number has
//! one of them: the query is a marginal as before, at the same price.

use lookalike_schema::CellReader;
use lookalike_schema::discover::{EdgeGrid, NumberText};

use crate::numbers::{Estimate, NumberLook, Run, possible};
use crate::prices::FactNoise;
use crate::stands_out::FALSE_ALARM;

/// Digits of numbers that mean "unknown", "refused" or "does not apply", repeated up to eight times
/// and with either sign.
const DIGITS: [u32; 3] = [7, 8, 9];
const MOST_DIGITS: u32 = 8;
/// Of numbers with decimals these may be the end of a scale, too.
const ROUND: [f64; 4] = [1.0, 10.0, 100.0, 1000.0];
/// Without a gap before them only nines may be meant, and smaller ones are numbers as others are.
const LARGE: f64 = 77.0;
/// A spike is seen again by the second slot: this part of what the first saw, and this many
/// deviations.
const SEEN_AGAIN: f64 = 0.5;
const SURE: f64 = 4.0;
/// Of the outermost power of two others have at most this part, or what the noise allows.
const OTHERS: f64 = 0.1;

/// A place of the first slot that may hold nothing but spikes.
#[derive(Clone, Debug)]
struct Far {
    place: usize,
    bounds: (f64, f64),
    seen: Estimate,
    spikes: Vec<f64>,
}

/// What the second slot counts where numbers may have spikes outside of their range.
#[derive(Clone, Debug)]
pub(crate) struct SpikeLook {
    edges: Vec<f64>,
    far: Vec<Far>,
    is_whole: bool,
    /// A look for each choice of the far places that hold spikes alone, as the bits of a number.
    looks: Vec<NumberLook>,
}

impl SpikeLook {
    /// By the answer to the first slot; `None` where no outermost place may hold spikes alone.
    pub fn new(counts: &[i64], is_whole: bool, first: &FactNoise, second: &FactNoise) -> Option<Self> {
        let far = far(counts, is_whole, first);
        if far.is_empty() {
            return None;
        }
        let look = |choice: usize| {
            let mut rest = counts.to_vec();
            let spiky = far.iter().enumerate().filter(|(place, _)| choice >> place & 1 == 1);
            spiky.for_each(|(_, far)| rest[far.place] = 0);
            NumberLook::new(&rest, is_whole, first, second)
        };
        let looks: Vec<NumberLook> = (0..1 << far.len()).map(look).collect();
        let own = far.iter().flat_map(|far| &far.spikes).flat_map(|&spike| [spike, behind(spike, is_whole)]);
        let edges = looks.iter().flat_map(NumberLook::edges).copied().chain(own).collect();
        let edges = EdgeGrid::new(edges)?.edges().to_vec();
        Some(Self { edges, far, is_whole, looks })
    }

    /// What the second slot counts.
    pub fn reader(&self, text: NumberText) -> Option<CellReader> {
        EdgeGrid::new(self.edges.clone()).map(|grid| CellReader::Edges(text, grid))
    }

    /// The look that holds, its part of the answer, and the spikes outside of its range.
    pub fn told(&self, counts: &[i64], noise: &FactNoise) -> (&NumberLook, Vec<i64>, Vec<f64>) {
        let is_own = counts.len() + 1 == self.edges.len();
        let (mut choice, mut all) = (0, Vec::new());
        for (place, far) in self.far.iter().enumerate().filter(|_| is_own) {
            if let Some(spikes) = self.spikes(far, counts, noise) {
                choice |= 1 << place;
                all.extend(spikes);
            }
        }
        // Two numbers that are all there is have a range between them.
        if self.looks[choice].stands_out_nowhere() {
            (choice, all) = (0, Vec::new());
        }
        let look = &self.looks[choice];
        (look, self.cells(look, counts, &all), all)
    }

    /// The spikes that hold all of a place; `None` where others are there.
    fn spikes(&self, far: &Far, counts: &[i64], noise: &FactNoise) -> Option<Vec<f64>> {
        // Nothing but 0 is at the place of 0.
        if far.bounds.0 == far.bounds.1 {
            return Some(far.spikes.clone());
        }
        let cell = |spike: &f64| self.edges.iter().position(|edge| edge == spike);
        let count = |spike: &f64| cell(spike).and_then(|cell| counts.get(cell)).map_or(0.0, |&count| count as f64);
        let mut own: Vec<f64> = far.spikes.clone();
        own.sort_by(|one, two| count(two).total_cmp(&count(one)));
        let sure = |spike: &f64| count(spike) > SURE * noise.deviation;
        own.retain(sure);
        let held: f64 = own.iter().map(count).sum();
        let is_inside = |edges: &[f64]| edges[0] >= far.bounds.0 && edges[1] <= far.bounds.1;
        let cells = self.edges.windows(2).zip(counts).filter(|(edges, _)| is_inside(edges));
        let all: Vec<i64> = cells.map(|(_, &count)| count).collect();
        let spikes: Vec<i64> = own.iter().map(|spike| count(spike) as i64).collect();
        let spikes = Estimate::of(&spikes, noise);
        let mut again = Estimate::of(&all, noise).less(spikes);
        again.variance = noise.deviation.powi(2) * all.len().saturating_sub(own.len()) as f64;
        let others = again.and(far.seen.less(spikes));
        let few = (OTHERS * far.seen.rows).max(2.0 * others.variance.sqrt());
        (!own.is_empty() && held > SEEN_AGAIN * far.seen.rows && others.rows <= few).then_some(own)
    }

    /// The answer in the cells of one look, without spikes.
    fn cells(&self, look: &NumberLook, counts: &[i64], spikes: &[f64]) -> Vec<i64> {
        let Some(grid) = EdgeGrid::new(look.edges().to_vec()) else { return Vec::new() };
        let mut cells = vec![0; grid.cells() as usize];
        for (edges, &count) in self.edges.windows(2).zip(counts) {
            let is_spike = spikes.iter().any(|&spike| spike == edges[0] && behind(spike, self.is_whole) == edges[1]);
            if !is_spike {
                cells[grid.of(edges[0]) as usize] += count;
            }
        }
        cells
    }
}

/// Where the cell of a single number ends.
fn behind(spike: f64, is_whole: bool) -> f64 {
    if is_whole { spike + 1.0 } else { spike.next_up() }
}

/// The outermost places that stand out and may hold spikes alone.
fn far(counts: &[i64], is_whole: bool, noise: &FactNoise) -> Vec<Far> {
    let (possible, left_out) = possible(counts, is_whole);
    let level = noise.level(FALSE_ALARM / possible.len() as f64);
    let passing: Vec<usize> = (0..possible.len()).filter(|&place| possible[place] as f64 > level).collect();
    let run = Run { first: 0, last: possible.len() - 1, counts: &possible, left_out };
    let mut found = Vec::new();
    for (outermost, next, opposite) in [
        (passing.first(), passing.get(1), passing.last()),
        (passing.last(), passing.len().checked_sub(2).and_then(|place| passing.get(place)), passing.first()),
    ] {
        let (Some(&outermost), Some(&next), Some(&opposite)) = (outermost, next, opposite) else { continue };
        let bounds = run.bounds(outermost);
        let has_gap = outermost.abs_diff(next) > 1;
        let span = run.bounds(opposite);
        // A lone number of the other sign beside large ones: -1 before counts of hundreds.
        let is_alone = bounds.0 < 0.0 && run.bounds(next).0 >= 0.0 && span.1 > LARGE
            || bounds.0 > 0.0 && run.bounds(next).1 <= 0.0 && span.0 < -LARGE;
        // Smaller than all others a number means something else only behind a gap.
        let is_outwards = bounds.0.abs().max(bounds.1.abs()) >= span.0.abs().max(span.1.abs());
        let is_nines = |spike: f64| repeated(9).any(|nines| nines == spike.abs());
        let is_free = |spike: f64| {
            let is_end = is_nines(spike) && spike.abs() >= LARGE || !is_whole && ROUND.contains(&spike);
            has_gap || is_alone || is_outwards && is_end
        };
        let spikes: Vec<f64> = match outermost == run.zero() {
            true => {
                if has_gap {
                    vec![0.0]
                } else {
                    Vec::new()
                }
            }
            false => candidates(is_whole).filter(|&spike| within(spike, bounds) && is_free(spike)).collect(),
        };
        if !spikes.is_empty() {
            let seen = Estimate::of(&possible[outermost..=outermost], noise);
            found.push(Far { place: run.place(outermost), bounds, seen, spikes });
        }
    }
    found
}

/// Whether a number lies in a power of two, which holds its edge nearer to 0.
fn within(value: f64, (low, high): (f64, f64)) -> bool {
    if low < 0.0 { low < value && value <= high } else { low <= value && value < high }
}

/// A digit, one to eight times.
fn repeated(digit: u32) -> impl Iterator<Item = f64> {
    (1..=MOST_DIGITS).map(move |digits| f64::from(digit * ((10u32.pow(digits) - 1) / 9)))
}

fn candidates(is_whole: bool) -> impl Iterator<Item = f64> {
    let many = DIGITS.into_iter().flat_map(repeated);
    let round = ROUND.into_iter().filter(move |_| !is_whole);
    many.chain(round).flat_map(|number| [number, -number]).chain([-1.0])
}
