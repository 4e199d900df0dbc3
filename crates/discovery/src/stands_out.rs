//! Which cells of a row of noisy counts hold somebody.

use crate::prices::FactNoise;

/// Any empty cell passes with at most this probability, over the whole grid.
pub(crate) const FALSE_ALARM: f64 = 1e-3;
/// Several cells beside a run belong to it together from this many deviations on.
const TOGETHER: f64 = 4.0;
/// A cell beside those that stand out is left out if it holds at most this part of the rows, with
/// one deviation of the noise.
pub(crate) const HIDDEN: f64 = 0.03;
/// The most such cells at a side.
const NEXT: usize = 2;
/// How many cells are looked at together.
const BLOCKS: [usize; 4] = [1, 4, 16, 64];
/// How many cells beside a run may belong to it together: few powers of two, of which each next one
/// is as wide as all before, and many years.
pub(crate) const NEXT_MAGNITUDES: usize = 4;
pub(crate) const NEXT_YEARS: usize = 64;

/// The smallest run of cells that holds all that stand out, its ends included. Where no cell does,
/// blocks of cells are asked. `None` where nothing stands out at all.
pub(crate) fn run(counts: &[i64], next: usize, noise: &FactNoise) -> Option<(usize, usize)> {
    let level = noise.level(FALSE_ALARM / counts.len() as f64);
    let (mut first, mut last) = BLOCKS.iter().find_map(|&size| passing(counts, size, level))?;
    while let Some(more) = more(counts[..first].iter().rev().copied(), next, noise) {
        first -= more;
    }
    while let Some(more) = more(counts[last + 1..].iter().copied(), next, noise) {
        last += more;
    }
    Some((first, last))
}

/// The run of all blocks of this size that pass.
fn passing(counts: &[i64], size: usize, level: f64) -> Option<(usize, usize)> {
    let level = level * (size as f64).sqrt();
    let passes = |block: &[i64]| block.iter().map(|&count| count as f64).sum::<f64>() > level;
    let mut places = (0..counts.len()).step_by(size).filter(|&at| passes(&counts[at..counts.len().min(at + size)]));
    let first = places.next()?;
    let last = places.next_back().unwrap_or(first);
    Some((first, (last + size - 1).min(counts.len() - 1)))
}

/// How many of the `next` cells stand out together.
fn more(cells: impl Iterator<Item = i64>, next: usize, noise: &FactNoise) -> Option<usize> {
    let mut sum = 0.0;
    let mut found = None;
    let sums: Vec<f64> = cells
        .take(next)
        .map(|count| {
            sum += count as f64;
            sum
        })
        .collect();
    for (place, &sum) in sums.iter().enumerate() {
        let cells = place + 1;
        if cells.is_power_of_two() && sum > TOGETHER * noise.deviation * (cells as f64).sqrt() {
            found = Some(cells);
        }
    }
    // A block may reach beyond what it holds: it ends where it stands out most.
    let level = |cell: usize| sums[cell] / ((cell + 1) as f64).sqrt();
    (0..found?).max_by(|&a, &b| level(a).total_cmp(&level(b))).map(|cell| cell + 1)
}

/// How many of the next cells, outwards, may hold more than next to nobody of these rows: of a
/// small table the noise hides a tenth of the rows, and a range that is too wide costs less than
/// one that cuts them off.
pub(crate) fn hidden(cells: impl Iterator<Item = i64>, rows: f64, noise: &FactNoise) -> usize {
    let hides = |count: &i64| (*count as f64).max(0.0) + noise.deviation > HIDDEN * rows;
    cells.take(NEXT).take_while(hides).count()
}

/// How many of the first cells hold nobody to speak of: what they hold together is at most `most`
/// rows, for all that two deviations of the noise allow.
pub(crate) fn empty(cells: &[i64], most: f64, noise: &FactNoise) -> usize {
    let (mut sum, mut quiet) = (0.0, 0);
    for (place, &count) in cells.iter().enumerate() {
        sum += count as f64;
        if sum + 2.0 * noise.deviation * ((place + 1) as f64).sqrt() <= most {
            quiet = place + 1;
        }
    }
    quiet
}
