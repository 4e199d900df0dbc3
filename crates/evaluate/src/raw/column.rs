//! One column of numbers in both tables.

/// The quantiles that are told.
pub const QUANTILES: [f64; 7] = [0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99];

/// The values of one column in one table, missing cells left out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NumberSummary {
    /// How many there are.
    pub values: u64,
    /// Their mean.
    pub mean: f64,
    /// Their standard deviation: the root of the mean squared distance from the mean.
    pub deviation: f64,
    /// Quantiles at [`QUANTILES`], between two values in proportion (numpy's default, type 7 in R).
    pub quantiles: [f64; 7],
}

/// One column of numbers in both tables.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RawColumn {
    /// The shares of missing cells.
    pub missing: [f64; 2],
    /// The values; nothing where a table has none.
    pub spread: [Option<NumberSummary>; 2],
    /// The largest difference of the distribution functions. 1 when only the other table has no
    /// values, nothing when the real one has none.
    pub kolmogorov: Option<f64>,
    /// How many different values the real table has, up to [`MOST_DIFFERENT`].
    pub different: usize,
}

/// Different values are counted up to this number.
pub const MOST_DIFFERENT: usize = 13;
/// A column of numbers with fewer different values than this has figures, but does not count in
/// means over columns and pairs.
pub const LEAST_DIFFERENT: usize = 3;

impl RawColumn {
    /// Whether the column counts in means over columns and pairs.
    pub fn counts(&self) -> bool {
        self.different >= LEAST_DIFFERENT
    }

    /// The other table's standard deviation over the real one's, where the real one has a spread.
    pub fn deviation_ratio(&self) -> Option<f64> {
        let [real, other] = self.spread;
        let (real, other) = (real?.deviation, other?.deviation);
        (real > 0.0).then(|| other / real).filter(|ratio| ratio.is_finite())
    }
}

/// The values of a column in ascending order, and how many cells it has.
pub struct Ascending {
    values: Vec<f64>,
    rows: usize,
}

impl Ascending {
    /// Sorts a column. NaN is a missing cell.
    pub fn new(mut cells: Vec<f64>) -> Self {
        let rows = cells.len();
        cells.retain(|cell| !cell.is_nan());
        cells.sort_unstable_by(f64::total_cmp);
        Self { values: cells, rows }
    }

    fn missing(&self) -> f64 {
        if self.rows == 0 { 0.0 } else { (self.rows - self.values.len()) as f64 / self.rows as f64 }
    }
}

/// Compares a column of numbers in two tables.
pub fn compare_numbers(real: &Ascending, other: &Ascending) -> RawColumn {
    RawColumn {
        missing: [real.missing(), other.missing()],
        spread: [spread(&real.values), spread(&other.values)],
        kolmogorov: (!real.values.is_empty()).then(|| kolmogorov(&real.values, &other.values)),
        different: different(&real.values, MOST_DIFFERENT),
    }
}

/// What there is to say of ascending values; nothing without any.
pub fn spread(ascending: &[f64]) -> Option<NumberSummary> {
    if ascending.is_empty() {
        return None;
    }
    let (mean, square) = moments(ascending.iter().copied());
    let deviation = (square / ascending.len() as f64).sqrt();
    let quantiles = QUANTILES.map(|share| quantile(ascending, share));
    Some(NumberSummary { values: ascending.len() as u64, mean, deviation, quantiles })
}

/// The mean, and the sum of squared distances from it; missing cells left out.
pub fn moments(values: impl Iterator<Item = f64> + Clone) -> (f64, f64) {
    let (mut count, mut sum) = (0u64, 0.0);
    let present = values.filter(|value| !value.is_nan());
    for value in present.clone() {
        count += 1;
        sum += value;
    }
    let mean = sum / count as f64;
    (mean, present.map(|value| (value - mean) * (value - mean)).sum())
}

/// A quantile of ascending values, of which there is one at least.
///
/// # Panics
/// When there are none.
pub fn quantile(ascending: &[f64], share: f64) -> f64 {
    let place = share * (ascending.len() - 1) as f64;
    let low = place.floor() as usize;
    let (below, above) = (ascending[low], ascending[(low + 1).min(ascending.len() - 1)]);
    below + (above - below) * (place - low as f64)
}

/// The largest difference of the distribution functions of two ascending lists; 1 when one of them
/// is empty.
pub fn kolmogorov(real: &[f64], other: &[f64]) -> f64 {
    if real.is_empty() || other.is_empty() {
        return 1.0;
    }
    let (mut a, mut b, mut largest) = (0, 0, 0.0f64);
    while a < real.len() && b < other.len() {
        let value = real[a].min(other[b]);
        a += real[a..].iter().take_while(|&&next| next <= value).count();
        b += other[b..].iter().take_while(|&&next| next <= value).count();
        largest = largest.max((a as f64 / real.len() as f64 - b as f64 / other.len() as f64).abs());
    }
    largest
}

/// How many different values there are, up to a number.
pub fn different(ascending: &[f64], most: usize) -> usize {
    ascending.chunk_by(|a, b| a == b).take(most).count()
}
