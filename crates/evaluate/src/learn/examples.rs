//! Labelled examples as sparse rows.

/// Rows of features with a label each: +1 or -1.
#[derive(Clone, Debug, Default)]
pub struct Examples {
    features: usize,
    starts: Vec<usize>,
    columns: Vec<u32>,
    values: Vec<f64>,
    labels: Vec<f64>,
}

impl Examples {
    /// No examples yet, of this many features.
    pub fn new(features: usize) -> Self {
        Self { features, starts: vec![0], ..Self::default() }
    }

    /// One feature a code of each column, scaled so that every row has length 1. `positive` says
    /// which rows are.
    ///
    /// # Panics
    /// When a code is beyond its column's size.
    pub fn one_hot(columns: &[Vec<u32>], sizes: &[u32], positive: impl Fn(usize) -> bool) -> Self {
        let (rows, value) = (columns.first().map_or(0, Vec::len), 1.0 / (columns.len().max(1) as f64).sqrt());
        let mut features = 0;
        let mut starts = Vec::with_capacity(sizes.len());
        for size in sizes {
            starts.push(features);
            features += size;
        }
        let mut examples = Self::new(features as usize);
        examples.reserve(rows, columns.len());
        for row in 0..rows {
            examples.push(columns.iter().zip(&starts).map(|(codes, start)| (start + codes[row], value)), positive(row));
        }
        examples
    }

    /// Room for this many more examples of this many non-zero features each.
    fn reserve(&mut self, examples: usize, a_row: usize) {
        self.starts.reserve(examples);
        self.labels.reserve(examples);
        self.columns.reserve(examples * a_row);
        self.values.reserve(examples * a_row);
    }

    /// Appends an example: its non-zero features and whether it is positive.
    ///
    /// # Panics
    /// When a feature is not below the number of features.
    pub fn push(&mut self, row: impl IntoIterator<Item = (u32, f64)>, positive: bool) {
        for (column, value) in row {
            assert!((column as usize) < self.features, "a feature is below the number of features");
            self.columns.push(column);
            self.values.push(value);
        }
        self.starts.push(self.columns.len());
        self.labels.push(if positive { 1.0 } else { -1.0 });
    }

    /// The same examples with other labels.
    pub fn relabelled(&self, positive: impl Fn(usize) -> bool) -> Self {
        let labels = (0..self.len()).map(|index| if positive(index) { 1.0 } else { -1.0 }).collect();
        Self { labels, ..self.clone() }
    }

    /// The number of examples.
    pub fn len(&self) -> usize {
        self.labels.len()
    }

    /// Whether there is no example.
    pub fn is_empty(&self) -> bool {
        self.labels.is_empty()
    }

    /// The number of features.
    pub fn features(&self) -> usize {
        self.features
    }

    /// +1 or -1 for each example.
    pub fn labels(&self) -> &[f64] {
        &self.labels
    }

    /// How many examples are positive.
    pub fn positives(&self) -> usize {
        self.labels.iter().filter(|&&label| label > 0.0).count()
    }

    /// The non-zero features of one example.
    #[inline]
    pub fn row(&self, index: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        let range = self.starts[index]..self.starts[index + 1];
        self.columns[range.clone()].iter().zip(&self.values[range]).map(|(&column, &value)| (column as usize, value))
    }

    /// The inner product of one example with weights.
    #[inline]
    pub fn dot(&self, index: usize, weights: &[f64]) -> f64 {
        self.row(index).map(|(column, value)| value * weights[column]).sum()
    }

    /// Adds a multiple of one example to weights.
    #[inline]
    pub fn add(&self, index: usize, times: f64, weights: &mut [f64]) {
        self.row(index).for_each(|(column, value)| weights[column] += times * value);
    }

    /// The squared length of one example.
    pub fn square(&self, index: usize) -> f64 {
        self.row(index).map(|(_, value)| value * value).sum()
    }

    /// The share of examples on the wrong side of the weights. A score of exactly 0 counts as
    /// negative.
    pub fn misclassified(&self, weights: &[f64]) -> f64 {
        self.wrong(|index| self.dot(index, weights) > 0.0)
    }

    /// The share of examples for which the rule's answer is wrong; 0 when there are none.
    pub fn wrong(&self, rule: impl Fn(usize) -> bool) -> f64 {
        let wrong = (0..self.len()).filter(|&index| rule(index) != (self.labels[index] > 0.0)).count();
        wrong as f64 / self.len().max(1) as f64
    }
}
