//! What the pages of a column may cost, found out from their headers before the library unpacks
//! one.

use std::io::{self, Read};
use std::sync::Arc;

use flate2::bufread::MultiGzDecoder;
use parquet::basic::{Compression, Encoding};
use parquet::column::page::{Page, PageMetadata, PageReader};
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::{ColumnChunkMetaData, RowGroupMetaData};
use parquet::file::reader::{ChunkReader, Length};
use parquet::file::serialized_reader::SerializedPageReader;

use super::file::Positional;
use super::thrift::{PageHead, delta_packed};

/// A page header may hold the least and the greatest text of its page, hardly more.
const LONGEST_HEAD: usize = 1 << 24;
/// The format LZ4 (not LZ4_RAW) is unpacked by the library without a bound, and packs 255 to 1 at
/// best.
const LZ4_RATIO: u64 = 255;

/// What a column of a row group costs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Weight {
    /// The bytes of its largest page, unpacked.
    pub(super) page: u64,
    /// The bytes of its dictionary, unpacked.
    pub(super) dictionary: u64,
}

impl Weight {
    /// Walks over all page headers. `Err` when they do not hold, or when a page unpacks to
    /// something else than its header says.
    pub(super) fn of(file: &Positional, chunk: &ColumnChunkMetaData) -> Result<Self> {
        // The library's own `byte_range` panics where one of them is negative.
        let start = chunk.dictionary_page_offset().unwrap_or(chunk.data_page_offset());
        let (Ok(mut at), Ok(length)) = (u64::try_from(start), u64::try_from(chunk.compressed_size())) else {
            return Err(implausible());
        };
        let end = at.checked_add(length).filter(|&end| end <= file.len()).ok_or_else(implausible)?;
        let mut weight = Self::default();
        while at < end {
            let head = head_at(file, at, end)?;
            let start = at + head.length as u64;
            let (Ok(unpacked), Ok(packed)) = (u64::try_from(head.unpacked), u64::try_from(head.packed)) else {
                return Err(implausible());
            };
            at = start.checked_add(packed).filter(|&after| after <= end).ok_or_else(implausible)?;
            check_size(file, chunk.compression(), (start, packed), unpacked)?;
            match head.words {
                // Every word of a dictionary has bytes in it; the library makes room for as many as
                // are told.
                Some(words) if u64::try_from(words).is_ok_and(|words| words <= unpacked) => {
                    weight.dictionary = weight.dictionary.max(unpacked.saturating_add(words as u64 * 32));
                }
                Some(_) => return Err(implausible()),
                None => weight.page = weight.page.max(unpacked),
            }
        }
        Ok(weight)
    }

    pub(super) fn bytes(self) -> u64 {
        self.page.saturating_add(self.dictionary)
    }
}

fn head_at(file: &Positional, at: u64, end: u64) -> Result<PageHead> {
    let mut window = 512;
    loop {
        let length = usize::try_from(end - at).unwrap_or(usize::MAX).min(window);
        if let Some(head) = PageHead::read(&file.get_bytes(at, length)?) {
            return Ok(head);
        }
        if length < window || window >= LONGEST_HEAD {
            return Err(implausible());
        }
        window *= 32;
    }
}

/// Whether a page unpacks to no more than its header says, where the library would not stop there.
fn check_size(file: &Positional, packing: Compression, (start, packed): (u64, u64), unpacked: u64) -> Result<()> {
    let fine = match packing {
        Compression::GZIP(_) => {
            // Unpacked into nothing, once more than the library does: gzip is rare in Parquet, and
            // bombs are made of it.
            let source = io::BufReader::with_capacity(1 << 16, file.get_read(start)?.take(packed));
            let mut left = MultiGzDecoder::new(source).take(unpacked.saturating_add(1));
            io::copy(&mut left, &mut io::sink()).is_ok_and(|found| found <= unpacked)
        }
        Compression::LZ4 => packed.saturating_mul(LZ4_RATIO) <= (1 << 28) || packed <= unpacked,
        _ => true,
    };
    if fine { Ok(()) } else { Err(implausible()) }
}

fn implausible() -> ParquetError {
    ParquetError::General("a page is not what its header says".to_owned())
}

/// The pages of a column, each looked over before it is decoded.
pub(super) struct CheckedPages {
    pages: SerializedPageReader<Positional>,
    /// Whether values have a level that tells if they are there.
    has_levels: bool,
}

impl CheckedPages {
    pub(super) fn open(file: &Positional, group: &RowGroupMetaData, leaf: usize) -> Result<Self> {
        let chunk = group.column(leaf);
        let rows = usize::try_from(group.num_rows()).unwrap_or(0);
        let pages = SerializedPageReader::new(Arc::new(file.clone()), chunk, rows, None)?;
        Ok(Self { pages, has_levels: chunk.column_descr().max_def_level() > 0 })
    }

    fn check(&self, page: &Page) -> Result<()> {
        let fine = match page {
            Page::DictionaryPage { buf, num_values, .. } => *num_values as usize <= buf.len(),
            Page::DataPage { buf, num_values, encoding, .. } => {
                let levels = match (self.has_levels, buf.first_chunk::<4>()) {
                    (false, _) => 0,
                    (true, Some(length)) => 4 + u32::from_le_bytes(*length) as usize,
                    (true, None) => return Err(implausible()),
                };
                deltas_hold(buf.get(levels..), *encoding, *num_values)
            }
            Page::DataPageV2 { buf, num_values, encoding, def_levels_byte_len, rep_levels_byte_len, .. } => {
                let levels = *def_levels_byte_len as usize + *rep_levels_byte_len as usize;
                deltas_hold(buf.get(levels..), *encoding, *num_values)
            }
        };
        if fine { Ok(()) } else { Err(implausible()) }
    }
}

/// Whether delta-packed values are no more than the page has; the library makes room for as many as
/// they say. Other encodings hold.
fn deltas_hold(values: Option<&[u8]>, encoding: Encoding, most: u32) -> bool {
    let stretches = match encoding {
        Encoding::DELTA_BINARY_PACKED | Encoding::DELTA_LENGTH_BYTE_ARRAY => 1,
        Encoding::DELTA_BYTE_ARRAY => 2,
        _ => return true,
    };
    let mut rest = values;
    (0..stretches).all(|_| {
        let Some(bytes) = rest else { return false };
        // A page without values may be without bytes too.
        if bytes.is_empty() {
            return true;
        }
        delta_packed(bytes).is_some_and(|(count, end)| {
            rest = bytes.get(end..);
            count <= u64::from(most)
        })
    })
}

impl PageReader for CheckedPages {
    fn get_next_page(&mut self) -> Result<Option<Page>> {
        let page = self.pages.get_next_page()?;
        if let Some(page) = &page {
            self.check(page)?;
        }
        Ok(page)
    }

    fn peek_next_page(&mut self) -> Result<Option<PageMetadata>> {
        self.pages.peek_next_page()
    }

    fn skip_next_page(&mut self) -> Result<()> {
        self.pages.skip_next_page()
    }
}

impl Iterator for CheckedPages {
    type Item = Result<Page>;

    fn next(&mut self) -> Option<Self::Item> {
        self.get_next_page().transpose()
    }
}
