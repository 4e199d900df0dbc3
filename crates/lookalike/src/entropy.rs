//! Bits for seeds and names, from the operating system.

use crate::error::Error;

/// 64 bits from the operating system.
pub(crate) fn random_u64() -> Result<u64, Error> {
    getrandom::u64().map_err(|error| Error::fault(format!("no entropy from the operating system: {error}")))
}
