//! The numbers behind the header, section by section.

use lookalike_schema::Domain;

use crate::ModelError;

/// Numbers that are written as runs: each once, and how often it follows itself. The word of
/// `needs`, and behind a section's name.
pub(super) const RUNS: &str = "runs";
/// One section a part of the structure.
pub(super) const STRUCTURE: &str = "structure";
/// Codes that a schema may have beyond what the file's size warrants: weights of columns with many
/// codes are written as runs. With bins and weights they take half a gibibyte.
pub(super) const MOST_SPARE_CODES: u64 = 1 << 24;
/// Shorter sections are written as they are.
const SHORT: usize = 1024;

/// Sections by name, in their order.
pub(super) struct Sections(Vec<(String, Vec<f64>)>);

impl Sections {
    /// Reads the sections with these names and numbers of floats, which fill the body. Runs become
    /// no more numbers than the schema has codes.
    pub fn read(listed: &[(String, u64)], mut body: &[u8], domain: &Domain) -> Result<Self, ModelError> {
        let mut sections = Vec::new();
        let mut allowed = most_in_runs(domain);
        for (name, len) in listed {
            let size = usize::try_from(*len).ok().and_then(|len| len.checked_mul(8)).unwrap_or(usize::MAX);
            let Some((section, rest)) = body.split_at_checked(size) else {
                return Err(ModelError::damaged("a section is longer than the file"));
            };
            let value = |chunk: &[u8]| f64::from_le_bytes(chunk.try_into().unwrap_or([0xff; 8]));
            let section: Vec<f64> = section.chunks_exact(8).map(value).collect();
            sections.push(match name.strip_suffix(RUNS).and_then(|name| name.strip_suffix(' ')) {
                Some(name) => (name.to_owned(), expanded(&section, &mut allowed)?),
                None => (name.clone(), section),
            });
            body = rest;
        }
        if body.is_empty() {
            return Ok(Self(sections));
        }
        Err(ModelError::damaged("there are bytes after the last section"))
    }

    /// All sections of a name, in their order.
    pub fn take(&mut self, name: &str) -> Vec<Vec<f64>> {
        self.0.extract_if(.., |(other, _)| other == name).map(|(_, section)| section).collect()
    }

    /// The only section of a name.
    pub fn one(&mut self, name: &str) -> Result<Vec<f64>, ModelError> {
        match self.take(name).as_mut_slice() {
            [one] => Ok(std::mem::take(one)),
            _ => Err(ModelError::shape(format!("there is not one section {name:?}"))),
        }
    }
}

/// How many numbers may be written as runs.
fn most_in_runs(domain: &Domain) -> u64 {
    domain.sizes().iter().map(|&size| u64::from(size)).sum::<u64>().min(MOST_SPARE_CODES)
}

/// Writes numbers of the structure as runs where that is much shorter. Whether there are such.
pub(super) fn in_runs(sections: &mut [(String, Vec<f64>)], domain: &Domain) -> bool {
    let before = most_in_runs(domain);
    let mut allowed = before;
    for (name, section) in sections.iter_mut().filter(|(name, section)| name == STRUCTURE && section.len() > SHORT) {
        let same = |one: &f64, next: &f64| one.to_bits() == next.to_bits();
        let runs: Vec<f64> = section.chunk_by(same).flat_map(|run| [run[0], run.len() as f64]).collect();
        if runs.len() <= section.len() / 2 && section.len() as u64 <= allowed {
            allowed -= section.len() as u64;
            *section = runs;
            *name = format!("{name} {RUNS}");
        }
    }
    allowed < before
}

fn expanded(runs: &[f64], allowed: &mut u64) -> Result<Vec<f64>, ModelError> {
    let lengths = runs.iter().skip(1).step_by(2);
    let sound = runs.len().is_multiple_of(2) && lengths.clone().all(|&len| len >= 1.0 && len.fract() == 0.0);
    let sum: f64 = lengths.sum();
    if !sound || sum > *allowed as f64 {
        return Err(ModelError::damaged("a section has more numbers in runs than the schema has codes"));
    }
    *allowed -= sum as u64;
    let run = |run: &[f64]| std::iter::repeat_n(run[0], run[1] as usize);
    Ok(runs.chunks_exact(2).flat_map(run).collect())
}

/// The sections of a structure, one after the other.
pub(super) struct StructureSections(pub std::vec::IntoIter<Vec<f64>>);

impl StructureSections {
    pub fn next(&mut self) -> Result<Vec<f64>, ModelError> {
        self.0.next().ok_or_else(|| ModelError::shape("there are too few sections"))
    }

    pub fn several(&mut self, count: usize) -> Result<Vec<Vec<f64>>, ModelError> {
        (0..count).map(|_| self.next()).collect()
    }

    /// Refuses sections that are left over.
    pub fn end(self, owner: &str) -> Result<(), ModelError> {
        if self.0.len() == 0 {
            return Ok(());
        }
        Err(ModelError::shape(format!("there are more sections than {owner}")))
    }
}
