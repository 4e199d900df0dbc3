//! The numbers behind the header, section by section.

use crate::ModelError;

/// Sections by name, in their order.
pub(super) struct Sections(Vec<(String, Vec<f64>)>);

impl Sections {
    /// Reads the sections with these names and numbers of floats, which fill the body.
    pub fn read(listed: &[(String, u64)], mut body: &[u8]) -> Result<Self, ModelError> {
        let mut sections = Vec::new();
        for (name, len) in listed {
            let size = usize::try_from(*len).ok().and_then(|len| len.checked_mul(8)).unwrap_or(usize::MAX);
            let Some((section, rest)) = body.split_at_checked(size) else {
                return Err(ModelError::damaged("a section is longer than the file"));
            };
            let value = |chunk: &[u8]| f64::from_le_bytes(chunk.try_into().unwrap_or([0xff; 8]));
            sections.push((name.clone(), section.chunks_exact(8).map(value).collect()));
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
