//! A pair of columns of numbers: correlations and slope over the rows where neither is missing.

/// A column made ready for correlations with many others.
pub struct RankedColumn<'a> {
    values: &'a [f64],
    /// Rows that are not missing, by value.
    order: Vec<u32>,
    /// Ranks of all rows, when none is missing: they are the same beside every other such column.
    ranks: Option<Vec<f64>>,
}

/// What a pair of columns has in one table. A figure is absent where it is not defined: a constant
/// column, no rows.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Correlations {
    /// Rows in which both cells are there.
    pub rows: u64,
    /// Pearson's correlation.
    pub pearson: Option<f64>,
    /// Spearman's, of ranks among these rows; ties share the mean of their ranks.
    pub spearman: Option<f64>,
    /// The slope of the second column on the first, by least squares.
    pub slope: Option<f64>,
}

impl<'a> RankedColumn<'a> {
    /// Sorts a column once. It has less than 2^32 rows.
    pub fn new(values: &'a [f64]) -> Self {
        let mut order: Vec<u32> = (0..values.len() as u32).filter(|&row| !values[row as usize].is_nan()).collect();
        order.sort_unstable_by(|&a, &b| values[a as usize].total_cmp(&values[b as usize]));
        let mut axis = Self { values, order, ranks: None };
        if axis.order.len() == values.len() {
            axis.ranks = Some(axis.ranks_beside(None));
        }
        axis
    }

    /// Ranks among the rows where neither this column nor the other is missing; a NaN elsewhere.
    fn ranks_beside(&self, other: Option<&Self>) -> Vec<f64> {
        let mut ranks = vec![f64::NAN; self.values.len()];
        let mut tied: Vec<u32> = Vec::new();
        let mut before = 0usize;
        let mut settle = |tied: &mut Vec<u32>| {
            let rank = before as f64 + (tied.len() as f64 + 1.0) / 2.0;
            tied.iter().for_each(|&row| ranks[row as usize] = rank);
            before += tied.len();
            tied.clear();
        };
        for &row in &self.order {
            if other.is_some_and(|other| other.values[row as usize].is_nan()) {
                continue;
            }
            if tied.last().is_some_and(|&last| self.values[last as usize] != self.values[row as usize]) {
                settle(&mut tied);
            }
            tied.push(row);
        }
        settle(&mut tied);
        ranks
    }
}

/// Correlations and slope of two columns of one table.
///
/// # Panics
/// When they differ in length.
pub fn correlate(first: &RankedColumn<'_>, second: &RankedColumn<'_>) -> Correlations {
    assert_eq!(first.values.len(), second.values.len(), "two columns of one table");
    let raw = Products::of(first.values, second.values);
    let ranked = match (&first.ranks, &second.ranks) {
        (Some(a), Some(b)) => Products::of(a, b),
        _ => Products::of(&first.ranks_beside(Some(second)), &second.ranks_beside(Some(first))),
    };
    Correlations { rows: raw.rows, pearson: raw.pearson(), spearman: ranked.pearson(), slope: raw.slope() }
}

/// Sums of products of distances from the means, over rows where neither is a NaN.
struct Products {
    rows: u64,
    first: f64,
    second: f64,
    both: f64,
    /// Whether each column has two different values: rounding makes a constant look like a spread.
    vary: [bool; 2],
}

impl Products {
    fn of(first: &[f64], second: &[f64]) -> Self {
        let pairs = || first.iter().zip(second).filter(|(x, y)| !x.is_nan() && !y.is_nan());
        let (mut rows, mut x_sum, mut y_sum) = (0u64, 0.0, 0.0);
        let (mut start, mut vary) = (None, [false; 2]);
        for (&x, &y) in pairs() {
            let (a, b) = *start.get_or_insert((x, y));
            vary[0] |= x != a;
            vary[1] |= y != b;
            rows += 1;
            x_sum += x;
            y_sum += y;
        }
        let (x_mean, y_mean) = (x_sum / rows as f64, y_sum / rows as f64);
        let mut found = Self { rows, first: 0.0, second: 0.0, both: 0.0, vary };
        for (&x, &y) in pairs() {
            let (x, y) = (x - x_mean, y - y_mean);
            found.first += x * x;
            found.second += y * y;
            found.both += x * y;
        }
        found
    }

    fn pearson(&self) -> Option<f64> {
        // Two roots: the product of two large sums would overflow.
        let value = self.both / self.first.sqrt() / self.second.sqrt();
        // A sum that overflowed would make any correlation 0.
        let is_sound = self.first.is_finite() && self.second.is_finite() && value.is_finite();
        (self.vary == [true; 2] && is_sound).then(|| value.clamp(-1.0, 1.0))
    }

    fn slope(&self) -> Option<f64> {
        let value = self.both / self.first;
        (self.vary[0] && self.first.is_finite() && value.is_finite()).then_some(value)
    }
}
