//! Noisy marginals to fit: read from a file, or generated.

use std::path::Path;

use anyhow::{Context, Result};
use lookalike_model::Measurement;
use lookalike_schema::{AttrId, Clique, Domain};
use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};
use serde_json::{Value, json};

/// A domain and noisy marginals of one table over it.
pub struct Instance {
    pub domain: Domain,
    pub cliques: Vec<Clique>,
    pub values: Vec<Vec<f64>>,
    pub variances: Vec<f64>,
}

impl Instance {
    /// JSON: `domain` (sizes) and `measurements` (each `clique`, `sigma`, `y`, row-major).
    pub fn read(path: &Path) -> Result<Self> {
        let name = path.display();
        let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {name}"))?;
        let file: Value = serde_json::from_str(&text).with_context(|| format!("{name} is not JSON"))?;
        let domain = Domain::new(numbers(&file["domain"])?.into_iter().map(|size| size as u32).collect());
        let mut read = Self { domain, cliques: Vec::new(), values: Vec::new(), variances: Vec::new() };
        for measurement in file["measurements"].as_array().context("no measurements in the file")? {
            let attributes = numbers(&measurement["clique"])?.into_iter().map(|index| AttrId(index as u32));
            read.cliques.push(Clique::new(attributes));
            read.values.push(numbers(&measurement["y"])?);
            read.variances.push(measurement["sigma"].as_f64().context("a measurement has no sigma")?.powi(2));
        }
        Ok(read)
    }

    /// Writes the form that [`Instance::read`] and the peers read.
    pub fn write(&self, path: &Path) -> Result<()> {
        let measurements = self.cliques.iter().zip(&self.values).zip(&self.variances);
        let measurements: Vec<Value> = measurements
            .map(|((clique, values), variance)| {
                let attributes: Vec<u32> = clique.attributes().iter().map(|attribute| attribute.0).collect();
                json!({ "clique": attributes, "sigma": variance.sqrt(), "y": values })
            })
            .collect();
        let file = json!({ "domain": self.domain.sizes(), "measurements": measurements });
        std::fs::write(path, file.to_string()).context("cannot write the instance for the peers")
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
        let cliques = (0..10).map(|first| Clique::new((first..first + 3).map(AttrId))).collect();
        Self::measured(Domain::new(vec![size; columns]), &table, cliques, 20.0, &mut rng)
    }

    /// All pairs of columns with 2 to 20 codes that follow three hidden numbers; 50,000 rows, sigma
    /// 30.
    pub fn dense(columns: u32) -> Result<Self> {
        let mut rng = ChaCha8Rng::seed_from_u64(4);
        let sizes: Vec<u32> = [2, 3, 5, 8, 10, 12, 20].into_iter().cycle().take(columns as usize).collect();
        let table = hidden_three(&sizes, 50_000, &mut rng);
        let pairs = |one: u32| (one + 1..columns).map(move |two| Clique::new([AttrId(one), AttrId(two)]));
        let cliques = (0..columns).flat_map(pairs).collect();
        Self::measured(Domain::new(sizes), &table, cliques, 30.0, &mut rng)
    }

    /// Noisy marginals of a table of columns.
    pub fn measured(
        domain: Domain,
        table: &[Vec<u32>],
        cliques: Vec<Clique>,
        sigma: f64,
        rng: &mut ChaCha8Rng,
    ) -> Result<Self> {
        let mut values = Vec::new();
        for clique in &cliques {
            let mut counts = count(&domain, table, clique)?;
            counts.iter_mut().for_each(|count| *count += sigma * normal(rng));
            values.push(counts);
        }
        let variances = vec![sigma * sigma; cliques.len()];
        Ok(Self { domain, cliques, values, variances })
    }

    /// The measurements as a fit takes them.
    pub fn measurements(&self) -> Vec<Measurement<'_>> {
        let all = self.cliques.iter().zip(&self.values).zip(&self.variances);
        all.map(|((clique, values), &variance)| Measurement { clique: clique.clone(), values, variance }).collect()
    }

    /// Cells of all measurements together.
    pub fn cells(&self) -> usize {
        self.values.iter().map(Vec::len).sum()
    }
}

/// Columns that follow three hidden numbers, each in its own way.
pub fn hidden_three(sizes: &[u32], rows: usize, rng: &mut ChaCha8Rng) -> Vec<Vec<u32>> {
    let loads: Vec<[f64; 3]> = sizes.iter().map(|_| [normal(rng), normal(rng), normal(rng)]).collect();
    let mut table = vec![vec![0u32; rows]; sizes.len()];
    for row in 0..rows {
        let hidden = [normal(rng), normal(rng), normal(rng)];
        for ((column, load), &size) in table.iter_mut().zip(&loads).zip(sizes) {
            let value: f64 = load.iter().zip(&hidden).map(|(load, hidden)| load * hidden).sum();
            column[row] = bin(0.7 * value + 0.5 * normal(rng), size);
        }
    }
    table
}

/// The code of a number among equal bins from -3 to 3.
pub fn bin(value: f64, size: u32) -> u32 {
    ((value + 3.0) / 6.0 * f64::from(size)).clamp(0.0, f64::from(size) - 1.0) as u32
}

/// Exact counts of a clique.
pub fn count(domain: &Domain, table: &[Vec<u32>], clique: &Clique) -> Result<Vec<f64>> {
    let mut counts = vec![0.0; domain.cells(clique).context("a clique with too many cells")? as usize];
    let columns: Vec<(&[u32], usize)> =
        clique.attributes().iter().map(|&a| (&table[a.index()][..], domain.size(a) as usize)).collect();
    for row in 0..table.first().map_or(0, Vec::len) {
        let cell = columns.iter().fold(0, |cell, (codes, size)| cell * size + codes[row] as usize);
        counts[cell] += 1.0;
    }
    Ok(counts)
}

/// Roughly normal: the sum of twelve uniform numbers, less 6.
pub fn normal(rng: &mut ChaCha8Rng) -> f64 {
    (0..12).map(|_| uniform(rng)).sum::<f64>() - 6.0
}

/// Uniform in [0, 1].
pub fn uniform(rng: &mut ChaCha8Rng) -> f64 {
    f64::from(rng.next_u32()) / f64::from(u32::MAX)
}

fn numbers(value: &Value) -> Result<Vec<f64>> {
    let list = value.as_array().context("a list of numbers is not there")?;
    list.iter().map(|number| number.as_f64().context("a number is not one")).collect()
}
