//! Model files: self-describing, versioned, bounds-checked.
// SKELETON: the model owner fills this in.

use crate::{Model, ModelError};

#[allow(missing_docs, unused_variables)]
impl Model {
    pub fn to_bytes(&self) -> Vec<u8> {
        todo!()
    }
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ModelError> {
        todo!()
    }
}
