//! Which rows were fitted before: a guard against spending twice by accident, for programs in which
//! somebody may run the same lines again. It is no ledger, and goes away with the process.

use std::collections::HashSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

use lookalike_table::{DigestWish, Digests};

use crate::error::{Error, SettingError};

/// The rows that were fitted with this register, known by keyed digests alone.
pub struct FittedRows {
    key: [u8; 32],
    known: Mutex<HashSet<[u8; 32]>>,
}

impl FittedRows {
    /// A register that knows no rows yet, with a key of its own.
    ///
    /// # Errors
    /// When the system gives no random bits.
    pub fn new() -> Result<Self, Error> {
        let mut key = [0; 32];
        getrandom::fill(&mut key).map_err(|error| Error::fault(format!("no random bits: {error}")))?;
        Ok(Self { key, known: Mutex::default() })
    }

    fn known(&self) -> MutexGuard<'_, HashSet<[u8; 32]>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Nothing of the rows is shown, not even how many were seen.
impl std::fmt::Debug for FittedRows {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("FittedRows")
    }
}

/// How a run uses a register.
#[derive(Clone, Copy)]
pub(crate) struct OnceOnly<'a> {
    pub register: &'a FittedRows,
    /// Whether rows that it knows are taken again.
    pub again: bool,
}

impl<'a> OnceOnly<'a> {
    /// What is asked of the reader, beside what a ledger asks.
    pub(crate) fn wish(once: Option<Self>, ledger: Option<DigestWish<'a>>) -> Option<DigestWish<'a>> {
        let key = once.map(|once| &once.register.key);
        match (ledger, key) {
            (Some(wish), second) => Some(DigestWish { second, ..wish }),
            (None, Some(key)) => Some(DigestWish { key, older: false, second: None }),
            (None, None) => None,
        }
    }

    /// Notes the rows, before anything is charged; they are forgotten again unless something is.
    pub(crate) fn enter(self, digests: &Digests) -> Result<Entered<'a>, Error> {
        let digest = digests.second.unwrap_or(digests.records);
        let is_new = self.register.known().insert(digest);
        if !is_new && !self.again {
            return Err(SettingError::FittedBefore.into());
        }
        Ok(Entered { register: self.register, digest: is_new.then_some(digest) })
    }
}

/// Rows that were noted.
pub(crate) struct Entered<'a> {
    register: &'a FittedRows,
    /// `None` where they stay noted.
    digest: Option<[u8; 32]>,
}

impl Entered<'_> {
    /// From here on something may be charged.
    pub(crate) fn stays(mut self) {
        self.digest = None;
    }
}

impl Drop for Entered<'_> {
    fn drop(&mut self) {
        if let Some(digest) = self.digest {
            self.register.known().remove(&digest);
        }
    }
}
