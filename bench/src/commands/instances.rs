//! Noisy marginals to fit: read from a file, or generated.

use std::path::Path;

use anyhow::{Context, Result, ensure};
use lookalike_model::Measurement;
use lookalike_schema::{AttrId, Clique, Domain};
use lookalike_table::Table;
use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};
use serde::{Deserialize, Serialize};

use crate::marginal::masses;
use crate::simulate::draw::coded_schema;

/// A domain and noisy marginals of one table over it.
pub struct Instance {
    pub domain: Domain,
    pub cliques: Vec<Clique>,
    answers: Vec<NoisyMarginal>,
}

/// The form that the peers read.
#[derive(Serialize, Deserialize)]
struct InstanceFile {
    domain: Vec<u32>,
    measurements: Vec<NoisyMarginal>,
}

/// Noisy counts of a clique, row-major, with the standard deviation of their noise.
#[derive(Clone, Serialize, Deserialize)]
struct NoisyMarginal {
    clique: Vec<u32>,
    sigma: f64,
    y: Vec<f64>,
}

impl Instance {
    fn new(domain: Domain, answers: Vec<NoisyMarginal>) -> Self {
        let clique = |answer: &NoisyMarginal| Clique::new(answer.clique.iter().copied().map(AttrId));
        Self { domain, cliques: answers.iter().map(clique).collect(), answers }
    }

    /// JSON: `domain` (sizes) and `measurements` (each `clique`, `sigma`, `y`, row-major).
    pub fn read(path: &Path) -> Result<Self> {
        let name = path.display();
        let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {name}"))?;
        let file: InstanceFile = serde_json::from_str(&text).with_context(|| format!("{name} has no measurements"))?;
        let ascends = |answer: &NoisyMarginal| answer.clique.is_sorted_by(|a, b| a < b);
        ensure!(file.measurements.iter().all(ascends), "{name}: the columns of a clique must ascend");
        Ok(Self::new(Domain::new(file.domain), file.measurements))
    }

    /// Writes the form that [`Instance::read`] and the peers read.
    pub fn write(&self, path: &Path) -> Result<()> {
        let file = InstanceFile { domain: self.domain.sizes().to_vec(), measurements: self.answers.clone() };
        std::fs::write(path, serde_json::to_string(&file)?).context("cannot write the instance for the peers")
    }

    /// Ten overlapping triples of 47^3 cells, 1,038,230 in all: a million rows of a chain of 12
    /// columns, in which a hidden number keeps 0.8 of itself from column to column and takes 0.6 of
    /// a fresh normal one; codes are its 47 equal bins from -3 to 3; noise of sigma 20.
    pub fn million() -> Result<Self> {
        let (columns, size, rows) = (12, 47u32, 1_000_000);
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        let mut table = vec![vec![0u32; rows]; columns];
        for row in 0..rows {
            let mut hidden = normal(&mut rng);
            for column in &mut table {
                hidden = 0.8 * hidden + 0.6 * normal(&mut rng);
                column[row] = bin(hidden, size);
            }
        }
        let cliques: Vec<Clique> = (0..10).map(|first| Clique::new((first..first + 3).map(AttrId))).collect();
        Self::measured(&vec![size; columns], table, &cliques, 20.0, &mut rng)
    }

    /// Noisy marginals of a table of columns.
    fn measured(
        sizes: &[u32],
        columns: Vec<Vec<u32>>,
        cliques: &[Clique],
        sigma: f64,
        rng: &mut ChaCha8Rng,
    ) -> Result<Self> {
        let table = Table::from_columns(&coded_schema(sizes)?, columns);
        let mut noisy = |clique: &Clique| -> Result<NoisyMarginal> {
            let mut y = masses(&table, clique)?;
            y.iter_mut().for_each(|count| *count += sigma * normal(rng));
            Ok(NoisyMarginal { clique: clique.attributes().iter().map(|attribute| attribute.0).collect(), sigma, y })
        };
        let answers = cliques.iter().map(&mut noisy).collect::<Result<_>>()?;
        Ok(Self::new(table.domain().clone(), answers))
    }

    /// The measurements as a fit takes them.
    pub fn measurements(&self) -> Vec<Measurement<'_>> {
        let all = self.cliques.iter().zip(&self.answers);
        all.map(|(clique, answer)| Measurement {
            clique: clique.clone(),
            values: &answer.y,
            variance: answer.sigma.powi(2),
        })
        .collect()
    }

    /// Cells of all measurements together.
    pub fn cells(&self) -> usize {
        self.answers.iter().map(|answer| answer.y.len()).sum()
    }
}

/// The code of a number among equal bins from -3 to 3.
fn bin(value: f64, size: u32) -> u32 {
    ((value + 3.0) / 6.0 * f64::from(size)).clamp(0.0, f64::from(size) - 1.0) as u32
}

/// Roughly normal: the sum of twelve uniform numbers, less 6.
fn normal(rng: &mut ChaCha8Rng) -> f64 {
    (0..12).map(|_| f64::from(rng.next_u32()) / f64::from(u32::MAX)).sum::<f64>() - 6.0
}
