//! The chain of entries: each tag covers its own entry and the tag before it.

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

/// A tag, or a key made for one use.
pub(crate) type EntryTag = [u8; 32];

/// Makes and checks tags with a key of their own.
pub(crate) struct Chain {
    key: Hmac<Sha256>,
}

impl Chain {
    pub(crate) fn new(key: &EntryTag) -> Self {
        Self { key: keyed(&derived(key, b"lookalike ledger entries v1")) }
    }

    /// The tag of the entry with this number, behind the entry with that tag.
    pub(crate) fn tag(&self, before: &EntryTag, number: i64, body: &str) -> EntryTag {
        let mut mac = self.key.clone();
        mac.update(before);
        mac.update(&number.to_le_bytes());
        mac.update(body.as_bytes());
        mac.finalize().into_bytes().into()
    }
}

/// A key for one use, made from the ledger's key.
pub(crate) fn derived(key: &EntryTag, purpose: &[u8]) -> EntryTag {
    let mut mac = keyed(key);
    mac.update(purpose);
    mac.finalize().into_bytes().into()
}

fn keyed(key: &EntryTag) -> Hmac<Sha256> {
    // HMAC takes keys of every length, and this one has the best.
    Hmac::new_from_slice(key).unwrap_or_else(|_| unreachable!("HMAC takes 32 bytes"))
}
