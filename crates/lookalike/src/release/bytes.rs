//! A release as bytes: what its folder would tell, without a folder. For programs that hand
//! releases to each other; nothing is in it that may not be published.

use std::sync::Arc;

use lookalike_measurement::Statement;
use lookalike_model::Model;

use super::statement::{seal, unseal};
use super::{Contents, LedgerWords, Release, Seed};
use crate::error::Error;

/// How every such text of bytes begins.
const MAGIC: &[u8; 8] = b"LOOKREL1";

impl Release {
    /// The statement and the model, one behind the other.
    ///
    /// # Errors
    /// When the release is rows alone.
    pub fn to_bytes(&self) -> Result<Vec<u8>, Error> {
        let model = self.model().ok_or(Error::NoModel)?.to_bytes();
        let statement = seal(&self.statement.to_json());
        let length = (statement.len() as u64).to_le_bytes();
        Ok([&MAGIC[..], &length, statement.as_bytes(), &model].concat())
    }

    /// Reads what [`to_bytes`](Self::to_bytes) wrote.
    ///
    /// # Errors
    /// Bytes that are something else, or were changed.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let (statement, model) = parts(bytes).ok_or(Error::NoReleaseBytes)?;
        let statement = Statement::parse(&statement)?;
        Ok(Self::of_model_and_statement(Model::from_bytes(model)?, statement))
    }

    /// What a model and its statement tell.
    pub(super) fn of_model_and_statement(model: Model, statement: Statement) -> Self {
        let number = |name: &str| statement.facts().job.get(name).and_then(serde_json::Value::as_u64);
        Self {
            rows: number("rows").unwrap_or_else(|| model.rows()),
            seed: number("seed").map(Seed),
            schema: model.schema().clone(),
            contents: Contents::Model(Arc::new(model)),
            statement,
            ledger_words: LedgerWords::default(),
            opened: None,
        }
    }
}

/// The statement without its seal, and the bytes of the model.
fn parts(bytes: &[u8]) -> Option<(String, &[u8])> {
    let rest = bytes.strip_prefix(MAGIC)?;
    let (length, rest) = rest.split_first_chunk()?;
    let (statement, model) = rest.split_at_checked(usize::try_from(u64::from_le_bytes(*length)).ok()?)?;
    let (open, fits) = unseal(std::str::from_utf8(statement).ok()?)?;
    fits.then_some((open, model))
}
