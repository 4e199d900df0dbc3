//! Distances between rows: how close synthetic rows come to real ones, and what can be guessed from
//! close ones.

use lookalike_schema::Schema;
use rayon::prelude::*;
use serde::Serialize;

use crate::propensity::{area_error, area_under_curve};
use crate::values::code_values;
use crate::{CodedRows, EvaluationRng};

/// How many rows are compared: every one with every one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NearestLimits {
    /// Rows whose closest row is sought.
    pub queries: usize,
    /// Rows to be close to.
    pub others: usize,
}

impl Default for NearestLimits {
    fn default() -> Self {
        Self { queries: 1000, others: 10_000 }
    }
}

/// Rows as points. The distance of two rows is the mean over the columns of: the difference over
/// the schema's range for ordered columns, 0 or 1 for categories; a missing cell is 1 away from any
/// value.
pub struct Space {
    /// For each column, where each code lies; 1 or more apart means different.
    places: Vec<Vec<f32>>,
}

/// Points of one space, row by row.
struct Placed {
    columns: usize,
    values: Vec<f32>,
}

/// Beyond every range.
const AWAY: f32 = 3.0;

/// Fewer rows than this on a side say nothing.
const LEAST: usize = 5;

impl Space {
    /// The space of a schema's rows.
    pub fn new(schema: &Schema) -> Self {
        let place = |attribute| {
            let codec = schema.codec(attribute);
            let Some(values) = code_values(codec) else {
                return (0..codec.size()).map(|code| 2.0 * code as f32).collect();
            };
            let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
            for value in values.iter().flatten() {
                (low, high) = (low.min(*value), high.max(*value));
            }
            let scale = if high > low { 1.0 / (high - low) } else { 0.0 };
            values.iter().map(|value| value.map_or(AWAY, |value| ((value - low) * scale) as f32)).collect()
        };
        Self { places: schema.domain().attributes().map(place).collect() }
    }

    fn place(&self, rows: &CodedRows) -> Placed {
        let columns = self.places.len();
        let mut values = vec![0.0; columns * rows.len()];
        for (column, (codes, places)) in rows.columns().iter().zip(&self.places).enumerate() {
            codes.iter().enumerate().for_each(|(row, &code)| values[row * columns + column] = places[code as usize]);
        }
        Placed { columns, values }
    }
}

impl Placed {
    fn row(&self, index: usize) -> &[f32] {
        &self.values[index * self.columns..(index + 1) * self.columns]
    }

    fn len(&self) -> usize {
        self.values.len() / self.columns.max(1)
    }

    /// The distance of each row to the closest of the others.
    fn closest(&self, others: &Self) -> Vec<f64> {
        let one = |index: usize| {
            let own = self.row(index);
            let all = others.values.chunks_exact(others.columns);
            let least = all.map(|row| apart(own, row)).fold(f32::INFINITY, f32::min);
            f64::from(least) / self.columns as f64
        };
        (0..self.len()).into_par_iter().map(one).collect()
    }
}

/// The sum over the columns, each at most 1.
#[inline]
fn apart(left: &[f32], right: &[f32]) -> f32 {
    left.iter().zip(right).map(|(a, b)| (a - b).abs().min(1.0)).sum()
}

/// Distances to the closest real row, from synthetic rows and from other real rows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Closeness {
    /// Rows of each kind whose closest row was sought.
    pub queries: [usize; 2],
    /// Real rows to be close to.
    pub others: usize,
    /// The 5% quantiles: synthetic, other real rows.
    pub low: [f64; 2],
    /// The medians.
    pub median: [f64; 2],
    /// Shares at distance 0.
    pub zero: [f64; 2],
    /// The chance that a synthetic row is closer than another real row, ties counting half: 0.5 is
    /// alike, above it synthetic rows are closer.
    pub closer: f64,
    /// The standard error of that chance when they are alike.
    pub closer_error: f64,
    /// Whether the other real rows come from a table that the release was not made from.
    pub fresh: bool,
}

fn quantile(sorted: &[f64], share: f64) -> f64 {
    sorted.get(((sorted.len() as f64 - 1.0) * share).round().max(0.0) as usize).copied().unwrap_or(0.0)
}

/// The chance of a right guess, column by column.
#[derive(Clone, Debug, PartialEq)]
pub struct Guesses {
    /// Real rows whose cells were guessed.
    pub victims: usize,
    /// Rows that were guessed from, synthetic or of other real people.
    pub others: usize,
    /// For each column: from the most similar synthetic rows, from the most similar rows of other
    /// real people, and always the commonest value.
    pub columns: Vec<[f64; 3]>,
}

impl Guesses {
    /// The mean over the columns of each guesser.
    pub fn means(&self) -> [f64; 3] {
        let mean = |which: usize| {
            self.columns.iter().map(|column| column[which]).sum::<f64>() / self.columns.len().max(1) as f64
        };
        [mean(0), mean(1), mean(2)]
    }
}

/// For each column, the mean chance that one of the rows closest on the other columns has the
/// victim's code.
fn right(space: &Space, victims: &CodedRows, others: &CodedRows) -> Vec<f64> {
    /// Distances are sums of floats: those that differ by rounding are equal.
    const SAME: f32 = 1e-5;
    let (placed, from) = (space.place(victims), space.place(others));
    let columns = placed.columns;
    let one = |victim: usize| {
        let own = placed.row(victim);
        let mut least = vec![f32::INFINITY; columns];
        let mut ties = vec![[0u32; 2]; columns];
        for other in 0..from.len() {
            let row = from.row(other);
            let whole = apart(own, row);
            for column in 0..columns {
                let without = whole - (own[column] - row[column]).abs().min(1.0);
                if without > least[column] + SAME {
                    continue;
                }
                let hit = u32::from(victims.columns()[column][victim] == others.columns()[column][other]);
                if without < least[column] - SAME {
                    least[column] = without;
                    ties[column] = [hit, 1];
                } else {
                    ties[column][0] += hit;
                    ties[column][1] += 1;
                }
            }
        }
        ties.iter().map(|[hits, all]| f64::from(*hits) / f64::from((*all).max(1))).collect::<Vec<f64>>()
    };
    let found: Vec<Vec<f64>> = (0..victims.len()).into_par_iter().map(one).collect();
    let mut sums = vec![0.0; columns];
    found.iter().for_each(|row| sums.iter_mut().zip(row).for_each(|(sum, chance)| *sum += chance));
    sums.iter().map(|sum| sum / victims.len().max(1) as f64).collect()
}

/// Telling rows that the release was made from from others.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Membership {
    /// The area under the curve: the chance that a member is closer to the synthetic rows than a
    /// fresh row. 0.5 is a coin.
    pub auc: f64,
    /// Its standard error when nothing can be told.
    #[serde(rename = "standard_error")]
    pub error: f64,
    /// Rows of each kind.
    pub rows: [usize; 2],
    /// Synthetic rows looked at.
    #[serde(rename = "closest_among")]
    pub others: usize,
}

/// Rows of both tables that are compared, each with each.
#[derive(Clone, Copy)]
pub struct NearestRows<'a> {
    /// Where rows lie.
    pub space: &'a Space,
    /// Rows that the release was made from.
    pub real: &'a CodedRows,
    /// Synthetic rows.
    pub synthetic: &'a CodedRows,
    /// How many of them.
    pub limits: &'a NearestLimits,
    /// The seed of the choice.
    pub seed: u64,
}

impl NearestRows<'_> {
    /// Compares closeness. `real` is split in two halves, unless `fresh` has real rows that the
    /// release was not made from. Nothing for a handful of rows.
    pub fn closeness(&self, fresh: Option<&CodedRows>) -> Option<Closeness> {
        let Self { space, real, synthetic, limits, seed } = *self;
        let mut rng = EvaluationRng::new(seed, "closeness", 0);
        let (kept, other) = match fresh {
            Some(fresh) => (real.clone(), fresh.clone()),
            None => real.split(0.5, &mut rng),
        };
        if kept.len() < LEAST || other.len() < LEAST || synthetic.len() < LEAST || real.sizes().is_empty() {
            return None;
        }
        let others = space.place(&kept.thinned(limits.others, &mut rng));
        let from = |rows: &CodedRows, rng: &mut EvaluationRng| {
            space.place(&rows.thinned(limits.queries, rng)).closest(&others)
        };
        let mut found = [from(synthetic, &mut rng), from(&other, &mut rng)];
        let far = |distances: &[f64]| distances.iter().map(|distance| -distance).collect::<Vec<_>>();
        let closer = area_under_curve(&far(&found[0]), &far(&found[1]));
        found.iter_mut().for_each(|distances| distances.sort_by(f64::total_cmp));
        let each = |of: fn(&[f64]) -> f64| [of(&found[0]), of(&found[1])];
        Some(Closeness {
            queries: [found[0].len(), found[1].len()],
            others: others.len(),
            low: each(|sorted| quantile(sorted, 0.05)),
            median: each(|sorted| quantile(sorted, 0.5)),
            zero: each(|sorted| {
                sorted.iter().filter(|&&distance| distance <= 0.0).count() as f64 / sorted.len() as f64
            }),
            closer,
            closer_error: area_error(found[0].len(), found[1].len()),
            fresh: fresh.is_some(),
        })
    }

    /// Guesses every cell of some real rows from all their other cells. Nothing for a handful of
    /// rows.
    ///
    /// The guesser takes the rows that are closest on the known columns and picks one of them at
    /// random.
    pub fn guesses(&self) -> Option<Guesses> {
        let Self { space, real, synthetic, limits, seed } = *self;
        let mut rng = EvaluationRng::new(seed, "guesses", 0);
        let (victims, known) = real.split(0.5, &mut rng);
        if victims.len() < LEAST || known.len() < LEAST || synthetic.len() < LEAST || real.sizes().is_empty() {
            return None;
        }
        // As many rows on both sides: more rows would be an advantage of their own.
        let others = limits.others.min(known.len()).min(synthetic.len());
        let (known, synthetic) = (known.thinned(others, &mut rng), synthetic.thinned(others, &mut rng));
        let victims = victims.thinned(limits.queries / 2, &mut rng);
        let from_synthetic = right(space, &victims, &synthetic);
        let from_known = right(space, &victims, &known);
        let commonest = |column: usize| {
            let mut counts = vec![0usize; known.sizes()[column] as usize];
            known.columns()[column].iter().for_each(|&code| counts[code as usize] += 1);
            let code =
                counts.iter().enumerate().rev().max_by_key(|(_, count)| **count).map_or(0, |(code, _)| code as u32);
            victims.columns()[column].iter().filter(|&&own| own == code).count() as f64 / victims.len() as f64
        };
        let columns =
            (0..real.sizes().len()).map(|column| [from_synthetic[column], from_known[column], commonest(column)]);
        Some(Guesses { victims: victims.len(), others, columns: columns.collect() })
    }

    /// Distance to the closest synthetic row as a test of membership. Nothing for a handful of
    /// rows.
    pub fn membership(&self, fresh: &CodedRows) -> Option<Membership> {
        let Self { space, real, synthetic, limits, seed } = *self;
        if real.len() < LEAST || fresh.len() < LEAST || synthetic.is_empty() || real.sizes().is_empty() {
            return None;
        }
        let mut rng = EvaluationRng::new(seed, "membership", 0);
        let others = space.place(&synthetic.thinned(limits.others, &mut rng));
        let mut score = |rows: &CodedRows| -> Vec<f64> {
            space
                .place(&rows.thinned(limits.queries, &mut rng))
                .closest(&others)
                .iter()
                .map(|distance| -distance)
                .collect()
        };
        let (members, strangers) = (score(real), score(fresh));
        Some(Membership {
            rows: [members.len(), strangers.len()],
            auc: area_under_curve(&members, &strangers),
            error: area_error(members.len(), strangers.len()),
            others: others.len(),
        })
    }
}
