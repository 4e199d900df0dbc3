//! Errors of tables of two and three columns, seconds and memory: formulas in public facts, fitted
//! once.
//!
//! Two things keep a table of several columns from the real one. Where it was not measured, the
//! rows' own chance, which no model has: about `sqrt(cells / rows)`. Where it was, noise: about
//! `cells * noise / rows`. A release lies between them, at `chance^(1 - b) * noise^b`, times a
//! constant. With few columns of few values nearly all is measured, and `b` is close to 1; with
//! many, most is not, and noise hardly matters. Nor is a table closer than its columns are.
//!
//! The constants were fitted on tables that are made for it (`varied-N`), never on those that
//! `docs/plan.md` then checks them with. `lookalike-bench plan` has the study.

use lookalike_methods::Forecast;
use lookalike_model::{drawing_bytes, is_thinned};

use super::engine::PlannedEngine;
use crate::limits::DEFAULT_MEMORY;

/// An expected value and the range in which it lies on most tables.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ExpectedDistance {
    /// The expected value.
    pub mean: f64,
    /// The range's lower end.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
}

/// All that is known before paying.
pub(super) struct Facts<'a> {
    pub rows: f64,
    pub sizes: &'a [u32],
    pub forecast: &'a Forecast,
}

/// What a run takes.
pub(super) struct Costs {
    /// `None` where an engine takes its own time.
    pub seconds: Option<f64>,
    pub memory_bytes: f64,
    pub model_bytes: f64,
    /// The most passes over the rows, about.
    pub passes: f64,
    /// What these passes read from the disk: nothing while the coded rows fit into memory.
    pub read_bytes: f64,
}

/// The constants of a method, for pairs and for triples.
struct Fitted {
    method: &'static str,
    pairs: Blend,
    triples: Blend,
}

/// `exp(constant) * chance^(1 - noise) * noise^noise`.
struct Blend {
    constant: Slopes,
    noise: Slopes,
}

/// A number for columns of [`USUAL_VALUES`] and tables of [`USUAL_COLUMNS`]; how it grows with the
/// logarithm of the values, and of the columns.
struct Slopes([f64; 3]);

const USUAL_VALUES: f64 = 4.0;
const USUAL_COLUMNS: f64 = 15.0;
/// Of more columns nearly all tables that the slopes come from have fewer: beyond, nothing is read
/// into them.
const MOST_COLUMNS: f64 = 45.0;
/// Noise always matters, and never more than by itself.
const NOISE_MATTERS: (f64, f64) = (0.05, 1.0);

const fn same(method: &'static str, pairs: [f64; 2], triples: [f64; 2]) -> Fitted {
    const fn flat(value: f64) -> Slopes {
        Slopes([value, 0.0, 0.0])
    }
    const fn blend(of: [f64; 2]) -> Blend {
        let [constant, noise] = of;
        Blend { constant: flat(constant), noise: flat(noise) }
    }
    Fitted { method, pairs: blend(pairs), triples: blend(triples) }
}

/// Least squares over runs on `varied` tables, 84 of `auto` and about 30 to 50 of each other;
/// `docs/plan.md` says how they do elsewhere. What `independent` and `mst` leave out is the
/// dependence itself, which no public fact tells; `privmrf` differs too much from table to table;
/// `histogram` is for a few columns.
const FITTED: [Fitted; 5] = [
    Fitted {
        method: "auto",
        pairs: Blend { constant: Slopes([-0.12, 0.54, 0.32]), noise: Slopes([0.48, -0.31, -0.19]) },
        triples: Blend { constant: Slopes([-0.13, 0.57, 0.46]), noise: Slopes([0.36, -0.36, -0.22]) },
    },
    same("aim", [0.2, 0.7], [-0.1, 0.4]),
    same("privbayes", [0.4, 0.3], [0.4, 0.3]),
    same("pb-pgm", [0.3, 0.3], [0.3, 0.3]),
    same("privbayes-nist", [0.3, 0.4], [0.1, 0.3]),
];

/// Ranges of one-way errors: a quarter to either side.
const ONE_WAY: f64 = 1.25;
/// Ranges of the others: half to twice, which holds all but three of the 168 figures of runs of
/// `auto` that the constants come from.
const RANGE: f64 = 2.0;
/// Values of a column beyond this number are held in groups.
const MOST_VALUES: u32 = 128;
/// The mean distance from 0 of a normal number, halved: a distance is half of a sum.
const HALF_MEAN: f64 = 0.398_942_280_401_432_7;

/// Expected distances of tables of one, two and three columns; `None` where there are fewer columns
/// or no constants.
pub(super) fn distances(method: &str, facts: &Facts) -> [Option<ExpectedDistance>; 3] {
    let (one, columns) = (facts.forecast.tvd1, facts.sizes.len());
    let fitted = FITTED.iter().find(|fitted| fitted.method == method);
    let of = |way: usize, blend: fn(&Fitted) -> &Blend| {
        let fitted = fitted.filter(|_| columns >= way)?;
        let odds = blend(fitted).odds(facts, way);
        // As far as `way` columns are, were their errors apart.
        let apart = 1.0 - (1.0 - one).powi(way as i32);
        Some((odds / (1.0 + odds)).max(apart))
    };
    let pairs = of(2, |fitted| &fitted.pairs);
    // A table is at least as far as each part of it.
    let triples = of(3, |fitted| &fitted.triples).zip(pairs).map(|(triples, pairs)| triples.max(pairs));
    let one = (columns > 0).then(|| range(one, ONE_WAY));
    [one, pairs.map(|mean| range(mean, RANGE)), triples.map(|mean| range(mean, RANGE))]
}

fn range(mean: f64, factor: f64) -> ExpectedDistance {
    ExpectedDistance { mean, low: mean / factor, high: (mean * factor).min(1.0) }
}

/// The geometric mean of the columns' numbers of values, as they are held; columns of one value are
/// left out.
fn values(sizes: &[u32]) -> f64 {
    let logs = sizes.iter().filter(|size| **size > 1).map(|&size| f64::from(size.min(MOST_VALUES)).ln());
    let count = logs.clone().count().max(1) as f64;
    (logs.sum::<f64>() / count).exp().max(1.0)
}

impl Slopes {
    fn at(&self, facts: &Facts) -> f64 {
        let Self([usual, by_values, by_columns]) = self;
        let columns = (facts.sizes.len() as f64).clamp(1.0, MOST_COLUMNS);
        usual + by_values * (values(facts.sizes) / USUAL_VALUES).ln() + by_columns * (columns / USUAL_COLUMNS).ln()
    }
}

impl Blend {
    /// For tables of `way` columns.
    fn odds(&self, facts: &Facts, way: usize) -> f64 {
        let Facts { rows, sizes, forecast } = facts;
        let matters = self.noise.at(facts).clamp(NOISE_MATTERS.0, NOISE_MATTERS.1);
        // Of a product over a set's columns, the mean over all sets. Means, not sums: 200 columns
        // have a million sets.
        let mut means = vec![0.0; way + 1];
        means[0] = 1.0;
        for (before, &size) in sizes.iter().enumerate() {
            let size = size.clamp(1, MOST_VALUES);
            let factor = spread(size).powf(1.0 - matters) * f64::from(size).powf(matters);
            for place in (1..=way).rev() {
                let share = place as f64 / (before + 1) as f64;
                means[place] = means[place] * (1.0 - share) + means[place - 1] * share * factor;
            }
        }
        let chance = rows.powf(-0.5 * (1.0 - matters));
        let noise = (forecast.cell_noise.max(1e-9) / rows).powf(matters);
        self.constant.at(facts).exp() * HALF_MEAN * means[way] * chance * noise
    }
}

/// The sum of square roots of frequencies that go like 1/j.
fn spread(size: u32) -> f64 {
    let ranks = || (1..=size).map(f64::from);
    ranks().map(|rank| rank.sqrt().recip()).sum::<f64>() / ranks().map(f64::recip).sum::<f64>().sqrt()
}

/// Rounds of `auto` for each column, where delta is above 0.
const ROUNDS_A_COLUMN: f64 = 2.5;
/// With more rounds than that, several tables are measured between two fits.
const MOST_FITS: f64 = 60.0;
/// With as many pairs of columns, a forest of pairs is measured first, with one fit for all of
/// them.
const MANY_PAIRS: usize = 300;
/// Rows that the model draws for each fit, to compare with.
const DRAWN: (f64, f64) = (2e4, 4e5);

/// Seconds on the machine of [`REFERENCE_SECONDS`](super::REFERENCE_SECONDS): to begin with, for
/// each code drawn in a fit, and for each cell of the model in a fit. Set by hand, with the tables
/// of `docs/plan.md` in view.
const SECONDS: [f64; 3] = [0.2, 7e-8, 7e-8];
/// Bytes: to begin with, for each cell of the table (two bytes or one), for each code drawn, and
/// for each byte of the model.
const BYTES: [f64; 4] = [1.2e7, 1.5, 19.0, 7.2];

/// Seconds for each row that is kept of many; the bytes of drawing are the model's to say.
const THINNED_SECONDS: f64 = 1.4e-5;

/// Seconds of a large table for each of its cells: to be read and coded, to be passed over once,
/// and to be drawn and written. From `docs/scale.md`.
const CELL_SECONDS: [f64; 3] = [1.7e-8, 1e-9, 1.3e-7];
/// Bytes that a disk reads in a second.
const DISK: f64 = 1e9;
/// Passes that do not belong to a round: columns, their groups, the test of signal.
const FIRST_PASSES: f64 = 4.0;
/// A table of all columns of at most this many cells, and of no more than there are rows, is
/// counted once for all.
const WHOLE_CELLS: f64 = 131_072.0;

/// What a run of `auto` takes; `None` for the others, whose times nobody has fitted.
pub(super) fn costs(method: &str, facts: &Facts, engine: Option<PlannedEngine>) -> Option<Costs> {
    if method != "auto" {
        return None;
    }
    let columns = facts.sizes.len() as f64;
    let model_bytes = facts.forecast.model_bytes as f64;
    let codes = facts.rows.clamp(DRAWN.0, DRAWN.1) * columns;
    let fits = fits(facts);
    let [begin, code, cell] = SECONDS;
    let (told, whole_rows) = (facts.sizes.len(), facts.rows as u64);
    let rows = if is_thinned(told, whole_rows) { THINNED_SECONDS * facts.rows } else { 0.0 };
    let [taken, counted, drawn_anew] = CELL_SECONDS;
    let (passes, coded_bytes, cells) = (passes(facts), coded_bytes(facts), facts.rows * columns);
    let spilled = coded_bytes > DEFAULT_MEMORY as f64;
    let read_bytes = if spilled { (coded_bytes - DEFAULT_MEMORY as f64) * passes } else { 0.0 };
    let large = if is_thinned(told, whole_rows) { 0.0 } else { cells * (taken + drawn_anew) };
    let seconds = begin
        + fits * (code * codes + cell * model_bytes / 8.0)
        + rows
        + large
        + cells * counted * passes
        + read_bytes / DISK;
    let [begin, held, drawn, model] = BYTES;
    // Rows are drawn when the fits are done.
    let most = (drawn * codes + model * model_bytes).max(drawing_bytes(told, whole_rows) as f64);
    if let Some(engine) = engine {
        let read_bytes = passes * engine.pass_bytes(facts.rows, told, coded_bytes);
        return Some(Costs { seconds: None, memory_bytes: begin + most, model_bytes, passes, read_bytes });
    }
    let memory_bytes = begin + (held * cells).min(coded_bytes.min(DEFAULT_MEMORY as f64) * 1.5) + most;
    Some(Costs { seconds: Some(seconds), memory_bytes, model_bytes, passes, read_bytes })
}

/// The most passes over the rows, about: one for each round, where nothing was counted ahead.
fn passes(facts: &Facts) -> f64 {
    let cells: f64 = facts.sizes.iter().map(|&size| f64::from(size.max(1))).product();
    if cells <= facts.rows.min(WHOLE_CELLS) { FIRST_PASSES } else { FIRST_PASSES + fits(facts).ceil() }
}

/// Bytes of all coded rows: one, two or four a cell.
fn coded_bytes(facts: &Facts) -> f64 {
    let bytes = |size: u32| {
        if size <= 1 << 8 {
            1.0
        } else if size <= 1 << 16 {
            2.0
        } else {
            4.0
        }
    };
    facts.rows * facts.sizes.iter().map(|&size| bytes(size)).sum::<f64>()
}

/// How often the model is fitted.
fn fits(facts: &Facts) -> f64 {
    let sizes = facts.sizes;
    let columns = sizes.len() as f64;
    // A model of the columns alone has no tables.
    let alone: u64 = sizes.iter().map(|&size| u64::from(size)).sum();
    if sizes.len() < 2 || facts.forecast.model_bytes <= 8 * alone {
        return 0.0;
    }
    let rounds = ROUNDS_A_COLUMN * columns;
    let batch = (rounds / MOST_FITS).ceil().max(1.0);
    let first = if sizes.len() * (sizes.len() - 1) / 2 >= MANY_PAIRS { columns - 1.0 } else { 0.0 };
    (rounds - first) / batch
}
