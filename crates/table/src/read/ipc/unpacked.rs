//! What a batch may cost, found out before the library unpacks it.

use arrow_buffer::Buffer;
use arrow_ipc::{CompressionType, RecordBatch};

/// A block of zstd is four bytes at least and unpacks to 128 KiB at most.
const ZSTD_RATIO: u64 = 1 << 15;
/// LZ4 packs 255 to 1 at best.
const LZ4_RATIO: u64 = 255;
/// Bytes that one batch may unpack to.
const MOST_UNPACKED: u64 = 1 << 34;
/// Rows that need no bytes at all, when every column is of the type without values.
const FREE_ROWS: u64 = 1 << 20;

/// Whether the buffers of a batch lie in its body side by side, unpack to what packed bytes can
/// hold and fits into memory, and have a bit or more for every row. Where that does not hold, the
/// library would ask for memory that nobody has, which ends the process, or never come to an end.
pub(super) fn is_plausible(batch: RecordBatch<'_>, body: &Buffer) -> bool {
    let ratio = match batch.compression().map(|packed| packed.codec()) {
        None => None,
        Some(CompressionType::LZ4_FRAME) => Some(LZ4_RATIO),
        Some(_) => Some(ZSTD_RATIO),
    };
    let mut used = 0;
    let mut unpacked = 0u64;
    for buffer in batch.buffers().into_iter().flatten() {
        let (Ok(start), Ok(length)) = (usize::try_from(buffer.offset()), usize::try_from(buffer.length())) else {
            return false;
        };
        let Some(bytes) = start.checked_add(length).and_then(|end| body.get(start..end)) else { return false };
        used += length as u64;
        let Some(size) = size_of(bytes, ratio) else { return false };
        unpacked = unpacked.saturating_add(size);
    }
    let fits =
        ratio.is_none() || (unpacked <= MOST_UNPACKED && Vec::<u8>::new().try_reserve_exact(unpacked as usize).is_ok());
    let rows = u64::try_from(batch.length());
    used <= body.len() as u64 && fits && rows.is_ok_and(|rows| rows / 8 <= unpacked.saturating_add(FREE_ROWS / 8))
}

/// The bytes that a buffer unpacks to, as it says itself; `None` when it cannot.
fn size_of(buffer: &[u8], ratio: Option<u64>) -> Option<u64> {
    let (Some(ratio), false) = (ratio, buffer.is_empty()) else { return Some(buffer.len() as u64) };
    let (said, packed) = buffer.split_first_chunk()?;
    let length = packed.len() as u64;
    match i64::from_le_bytes(*said) {
        // The bytes behind it are not packed.
        -1 => Some(length),
        said => {
            let said = u64::try_from(said).ok().filter(|&said| said <= length.saturating_mul(ratio))?;
            zstd_size(packed).is_none_or(|size| size == said).then_some(said)
        }
    }
}

/// The bytes that a frame of zstd says to hold, where it does.
fn zstd_size(packed: &[u8]) -> Option<u64> {
    let (descriptor, rest) = packed.strip_prefix(&[0x28, 0xb5, 0x2f, 0xfd])?.split_first()?;
    let is_single = descriptor >> 5 & 1 == 1;
    let dictionary = [0, 1, 2, 4][usize::from(descriptor & 3)];
    let size = rest.get(usize::from(!is_single) + dictionary..)?;
    Some(match descriptor >> 6 {
        0 if !is_single => return None,
        0 => u64::from(*size.first()?),
        1 => u64::from(u16::from_le_bytes(*size.first_chunk()?)) + 256,
        2 => u64::from(u32::from_le_bytes(*size.first_chunk()?)),
        _ => u64::from_le_bytes(*size.first_chunk()?),
    })
}
