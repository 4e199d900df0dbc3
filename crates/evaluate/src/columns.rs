//! One column of both tables, in the words of its type.

use lookalike_schema::{AttrId, CellValue, Codec, Meaning, Schema};

use crate::compare::ColumnComparison;
use crate::math::share_deviation;
use crate::values::code_values;

/// What there is to say of a column beyond its shares.
#[derive(Clone, Debug, PartialEq)]
pub struct ColumnDetail {
    /// The column.
    pub attribute: AttrId,
    /// The distance that sampling alone would give.
    pub floor: f64,
    /// The share of missing cells in the real and the synthetic table, where the column has a
    /// missing code.
    pub missing: Option<[f64; 2]>,
    /// The codes whose shares differ most, the largest difference first; none where nothing
    /// differs.
    pub furthest: Vec<u32>,
    /// For ordered columns with values in both tables.
    pub numbers: Option<NumberDetail>,
}

/// Values of an ordered column, real and synthetic. A value is the middle of its code's bin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NumberDetail {
    /// Means.
    pub mean: [f64; 2],
    /// Standard deviations.
    pub deviation: [f64; 2],
    /// The 5% quantiles.
    pub low: [f64; 2],
    /// The medians.
    pub median: [f64; 2],
    /// The 95% quantiles.
    pub high: [f64; 2],
    /// The largest difference of the distribution functions (Kolmogorov and Smirnov).
    pub kolmogorov: f64,
    /// How far values have to move on average, in the column's own unit (Wasserstein).
    pub wasserstein: f64,
}

/// Codes listed as furthest apart.
const FURTHEST: usize = 3;

/// Details of all columns.
pub fn column_details(schema: &Schema, columns: &[ColumnComparison], rows: [u64; 2]) -> Vec<ColumnDetail> {
    columns.iter().map(|column| detail(schema.codec(column.attribute), column, rows)).collect()
}

fn detail(codec: &Codec, column: &ColumnComparison, rows: [u64; 2]) -> ColumnDetail {
    let shares = [&column.real[..], &column.synthetic[..]];
    let gap = |code: usize| (column.real[code] - column.synthetic[code]).abs();
    let mut furthest: Vec<u32> =
        (0..column.real.len()).filter(|&code| gap(code) > 0.0).map(|code| code as u32).collect();
    furthest.sort_by(|&a, &b| gap(b as usize).total_cmp(&gap(a as usize)));
    furthest.truncate(FURTHEST);
    ColumnDetail {
        attribute: column.attribute,
        floor: floor(column, rows),
        missing: codec.missing_code().map(|code| shares.map(|shares| shares[code as usize])),
        furthest,
        numbers: numbers(codec, shares),
    }
}

/// Half the mean absolute differences that two samples of the pooled shares would have.
fn floor(column: &ColumnComparison, rows: [u64; 2]) -> f64 {
    let [n, m] = rows.map(|rows| rows as f64);
    if n == 0.0 || m == 0.0 {
        return 0.0;
    }
    let pooled = column.real.iter().zip(&column.synthetic).map(|(a, b)| (n * a + m * b) / (n + m));
    // The variance of a difference of two shares is that of one share in `rows` rows.
    let rows = 1.0 / (1.0 / n + 1.0 / m);
    (0.5 * pooled.map(|share| share_deviation(share, rows)).sum::<f64>()).min(1.0)
}

/// A value and the share of rows that have it.
type Weighted = (f64, f64);

fn numbers(codec: &Codec, shares: [&[f64]; 2]) -> Option<NumberDetail> {
    let values = code_values(codec)?;
    let present: Vec<(usize, f64)> =
        values.iter().enumerate().filter_map(|(code, value)| Some((code, (*value)?))).collect();
    let side = |shares: &[f64]| {
        let total: f64 = present.iter().map(|&(code, _)| shares[code]).sum();
        (total > 0.0).then(|| present.iter().map(|&(code, value)| (value, shares[code] / total)).collect::<Vec<_>>())
    };
    let (real, synthetic) = (side(shares[0])?, side(shares[1])?);
    let both = |of: &dyn Fn(&[Weighted]) -> f64| [of(&real), of(&synthetic)];
    let mean = |values: &[Weighted]| values.iter().map(|(value, share)| value * share).sum::<f64>();
    let deviation = |values: &[Weighted]| {
        let middle = mean(values);
        values.iter().map(|(value, share)| share * (value - middle).powi(2)).sum::<f64>().max(0.0).sqrt()
    };
    let (mut above, mut kolmogorov, mut wasserstein) = (0.0f64, 0.0f64, 0.0);
    for (place, (a, b)) in real.iter().zip(&synthetic).enumerate() {
        above += a.1 - b.1;
        kolmogorov = kolmogorov.max(above.abs());
        if let Some(next) = real.get(place + 1) {
            wasserstein += above.abs() * (next.0 - a.0);
        }
    }
    Some(NumberDetail {
        mean: both(&mean),
        deviation: both(&deviation),
        low: both(&|values| quantile(values, 0.05)),
        median: both(&|values| quantile(values, 0.5)),
        high: both(&|values| quantile(values, 0.95)),
        kolmogorov: kolmogorov.min(1.0),
        wasserstein,
    })
}

/// The first value at which so much of the rows is reached.
fn quantile(values: &[Weighted], share: f64) -> f64 {
    let mut sum = 0.0;
    for (value, own) in values {
        sum += own;
        if sum >= share - 1e-12 {
            return *value;
        }
    }
    values.last().map_or(0.0, |last| last.0)
}

/// A number of a column as its cells write it: a date, a whole number, decimals.
pub fn shown(codec: &Codec, value: f64) -> String {
    let value = match codec.meaning(0) {
        Meaning::Dates(..) => CellValue::Date(value.round() as i32),
        Meaning::DateTimes(..) => CellValue::DateTime(value.round() as i64),
        _ => return plain(value),
    };
    let mut out = Vec::new();
    codec.write_text(&value, &mut out);
    String::from_utf8_lossy(&out).into_owned()
}

/// Four digits that count.
fn plain(value: f64) -> String {
    let size = value.abs();
    if size >= 10_000.0 || (size > 0.0 && size < 1e-4) {
        return if (1.0..1e15).contains(&size) { format!("{value:.0}") } else { format!("{value:.3e}") };
    }
    let decimals = 4 - [1000.0, 100.0, 1.0].iter().filter(|bound| size >= **bound).count();
    let text = format!("{value:.decimals$}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
