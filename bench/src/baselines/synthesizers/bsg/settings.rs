//! The settings of BSG.

/// The settings of the paper's experiments, as far as they are known.
pub struct BsgSettings {
    /// Most joint codes of a column's parents. Small, because tables here have a thirtieth of the
    /// rows of the paper's: more configurations would hold fewer rows than noise.
    pub most_configurations: usize,
    /// Real records k that must be as likely to have led to a record.
    pub plausible: u64,
    /// What "as likely" means: within one power of gamma.
    pub gamma: f64,
    /// The epsilon of the noise on k.
    pub test_epsilon: f64,
}

impl Default for BsgSettings {
    fn default() -> Self {
        Self { most_configurations: 16, plausible: 50, gamma: 4.0, test_epsilon: 1.0 }
    }
}
