//! Dense rows of numbers, and their standardization.

/// Rows of numbers, all of one length.
#[derive(Clone, Debug)]
pub struct Points {
    features: usize,
    values: Vec<f64>,
}

impl Points {
    /// Rows from their values, one after the other.
    ///
    /// # Panics
    /// When the values are not whole rows.
    pub fn new(features: usize, values: Vec<f64>) -> Self {
        assert!(features > 0 && values.len().is_multiple_of(features), "values come in whole rows");
        Self { features, values }
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.values.len() / self.features
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The number of features.
    pub fn features(&self) -> usize {
        self.features
    }

    /// One row.
    #[inline]
    pub fn row(&self, index: usize) -> &[f64] {
        &self.values[index * self.features..(index + 1) * self.features]
    }

    /// The variance of all values together: what scikit-learn scales its default gamma by.
    pub fn variance(&self) -> f64 {
        let count = self.values.len().max(1) as f64;
        let mean = self.values.iter().sum::<f64>() / count;
        self.values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / count
    }
}

/// Means and spreads of features, to be taken away from others.
#[derive(Clone, Debug, PartialEq)]
pub struct Standard {
    means: Vec<f64>,
    spreads: Vec<f64>,
}

impl Standard {
    /// Learns the mean and the standard deviation of each feature. A constant feature has spread 1.
    pub fn fit(points: &Points) -> Self {
        let count = points.len().max(1) as f64;
        let mut means = vec![0.0; points.features()];
        (0..points.len()).for_each(|i| means.iter_mut().zip(points.row(i)).for_each(|(m, v)| *m += v / count));
        let mut spreads = vec![0.0; points.features()];
        for index in 0..points.len() {
            let row = points.row(index).iter().zip(&means);
            spreads.iter_mut().zip(row).for_each(|(spread, (value, mean))| *spread += (value - mean).powi(2) / count);
        }
        for spread in &mut spreads {
            *spread = if *spread > 1e-20 { spread.sqrt() } else { 1.0 };
        }
        Self { means, spreads }
    }

    /// The rows with mean 0 and spread 1, as far as they are like those learnt from.
    pub fn apply(&self, points: &Points) -> Points {
        let scales = self.means.iter().zip(&self.spreads).cycle();
        let values = points.values.iter().zip(scales).map(|(value, (mean, spread))| (value - mean) / spread);
        Points { features: points.features, values: values.collect() }
    }
}
