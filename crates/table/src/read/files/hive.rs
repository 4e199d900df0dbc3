//! Partitions as Hive and Spark write them: the folder `year=2020` says that all rows below it have
//! 2020 in the column `year`.

use std::ffi::OsStr;
use std::path::{Component, Path};

/// What Hive and Spark call the folder of rows without a value.
const MISSING: &[u8] = b"__HIVE_DEFAULT_PARTITION__";

/// A column that all rows of a file have the same cell of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::read) struct PartitionKey {
    pub(in crate::read) column: String,
    /// `None` when the cell is missing.
    pub(in crate::read) cell: Option<Vec<u8>>,
}

impl PartitionKey {
    /// The key that the name of a folder tells, if it does. `%41` in it means `A`.
    fn of(name: &OsStr) -> Option<Self> {
        let name = name.as_encoded_bytes();
        let split = name.iter().position(|&byte| byte == b'=').filter(|&at| at > 0)?;
        let (column, cell) = (unescaped(&name[..split]), &name[split + 1..]);
        Some(Self { column: String::from_utf8(column).ok()?, cell: (cell != MISSING).then(|| unescaped(cell)) })
    }
}

/// The keys that the folders of a path tell, in their order; the file's own name is none.
pub(super) fn keys_of(path: &Path) -> Vec<PartitionKey> {
    let folders = path.parent().into_iter().flat_map(Path::components);
    folders.filter_map(|part| if let Component::Normal(name) = part { PartitionKey::of(name) } else { None }).collect()
}

/// The text with `%` and two hexadecimal digits as the byte that they mean.
fn unescaped(text: &[u8]) -> Vec<u8> {
    let digit = |byte: u8| char::from(byte).to_digit(16).map(|digit| digit as u8);
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((&byte, behind)) = rest.split_first() {
        let escaped = match (byte, behind) {
            (b'%', [high, low, ..]) => digit(*high).zip(digit(*low)),
            _ => None,
        };
        out.push(escaped.map_or(byte, |(high, low)| high << 4 | low));
        rest = if escaped.is_some() { &behind[2..] } else { behind };
    }
    out
}
