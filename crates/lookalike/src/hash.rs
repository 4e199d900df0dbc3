//! SHA-256 of files and texts, as lower-case hex.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use sha2::{Digest, Sha256};

use crate::Cancel;
use crate::error::Error;

/// Bytes read at a time.
const CHUNK: usize = 1 << 18;

/// The digest of a file's bytes.
pub(crate) fn file_sha256(path: &Path, cancel: &Cancel) -> Result<String, Error> {
    let mut file = File::open(path).map_err(|error| Error::reading(path, error))?;
    let mut digest = Sha256::new();
    let mut chunk = vec![0; CHUNK];
    loop {
        let length = file.read(&mut chunk).map_err(|error| Error::reading(path, error))?;
        if length == 0 {
            return Ok(hex(&digest.finalize()));
        }
        if cancel.before(length as u64) {
            return Err(Error::Interrupted);
        }
        digest.update(&chunk[..length]);
    }
}

/// The digest of some bytes.
pub(crate) fn sha256(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// The digest of some pieces, folded into 64 bits.
pub(crate) fn fold<const N: usize>(pieces: impl Iterator<Item = [u8; N]>) -> u64 {
    let mut digest = Sha256::new();
    pieces.for_each(|piece| digest.update(piece));
    digest.finalize().iter().take(8).fold(0, |sum, &byte| (sum << 8) | u64::from(byte))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_known_digest_of_abc() {
        assert_eq!(super::sha256(b"abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        assert_eq!(super::fold([*b"a", *b"b", *b"c"].into_iter()), 0xba78_16bf_8f01_cfea);
    }
}
