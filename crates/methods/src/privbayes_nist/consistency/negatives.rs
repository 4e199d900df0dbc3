//! No negative cells, and a sum of 1.

use lookalike_model::project;

/// How negative cells are removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Negatives {
    /// They become 0, and the rest is divided by its sum: the paper's way.
    Clip,
    /// The nearest point of the simplex: all cells are lowered alike until the positive ones sum to
    /// 1.
    Project,
}

impl Negatives {
    /// Removes them. The denominator is the table's own noisy sum, never a row count. A table
    /// without a positive cell becomes uniform.
    pub(crate) fn remove(self, cells: &mut [f64]) {
        match self {
            Self::Clip => clip(cells),
            Self::Project => {
                // A first round of noisy counts is put on the scale of probabilities by its own
                // sum.
                let sum: f64 = cells.iter().sum();
                if sum > 0.0 {
                    cells.iter_mut().for_each(|cell| *cell /= sum);
                    let projected = project::onto_counts(cells, &|_| true, 1.0);
                    cells.copy_from_slice(&projected);
                } else {
                    clip(cells);
                }
            }
        }
    }
}

fn clip(cells: &mut [f64]) {
    cells.copy_from_slice(&project::clipped(cells, &|_| true, 1.0));
    if cells.iter().all(|&cell| cell == 0.0) {
        cells.fill(1.0 / cells.len() as f64);
    }
}
