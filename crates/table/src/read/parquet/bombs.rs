//! Files that are small on the disk and large in memory.

use std::fs::File;
use std::sync::Arc;

use parquet::basic::{Compression, GzipLevel, Repetition, Type as Physical, ZstdLevel};
use parquet::data_type::Int64Type;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::Type;

use super::ParquetFile;
use super::column::HEAVY;
use super::pages::Weight;
use crate::read::for_each_record;
use crate::tests::{OPTIONS, Quiet, codes, integers, read, write_file};

/// Two columns of numbers, each one page, packed.
fn file(rows: i64, packing: Compression) -> Vec<u8> {
    let field = |name: &str| {
        let builder = Type::primitive_type_builder(name, Physical::INT64).with_repetition(Repetition::REQUIRED);
        Arc::new(builder.build().unwrap())
    };
    let root = Type::group_type_builder("schema").with_fields(vec![field("c0"), field("c1")]).build().unwrap();
    let properties = WriterProperties::builder()
        .set_compression(packing)
        .set_dictionary_enabled(false)
        .set_data_page_size_limit(1 << 30)
        .set_data_page_row_count_limit(usize::MAX)
        .build();
    let mut writer = SerializedFileWriter::new(Vec::new(), Arc::new(root), Arc::new(properties)).unwrap();
    let mut group = writer.next_row_group().unwrap();
    for column in 0..2 {
        let values: Vec<i64> = (0..rows).map(|k| k / 10_000 % (3 + column)).collect();
        let mut out = group.next_column().unwrap().unwrap();
        out.typed::<Int64Type>().write_batch(&values, None, None).unwrap();
        out.close().unwrap();
    }
    group.close().unwrap();
    writer.finish().unwrap();
    writer.inner().clone()
}

#[test]
fn columns_of_huge_pages_are_read_one_at_a_time_and_in_order() {
    let rows = 4_300_000;
    let bytes = file(rows, Compression::ZSTD(ZstdLevel::default()));
    let folder = tempfile::tempdir().unwrap();
    let input = write_file(folder.path(), "a.parquet", &bytes);
    let opened = ParquetFile::open("a".to_owned(), File::open(folder.path().join("a.parquet")).unwrap()).unwrap();
    let weight = Weight::of(&opened.file, opened.metadata.row_group(0).column(0)).unwrap();
    assert_eq!((weight.page, weight.dictionary), (8 * rows as u64, 0));
    assert!(weight.bytes() > HEAVY && weight.bytes() > 10 * bytes.len() as u64, "it is a bomb: {} bytes", bytes.len());
    let table = read(&input, &integers(&[3, 4])).unwrap();
    for (column, found) in codes(&table).into_iter().enumerate() {
        assert_eq!(found.len() as i64, rows);
        assert!(found.iter().zip(0..).all(|(&code, k)| i64::from(code) == k / 10_000 % (3 + column as i64)));
    }
}

/// The place and the value of the unpacked size in the first page's header: type, size and packed
/// size are its first fields.
fn told_size(bytes: &[u8]) -> (usize, u64) {
    assert_eq!((&bytes[..4], bytes[4], bytes[6]), (&b"PAR1"[..], 0x15, 0x15));
    let mut value = 0;
    for (shift, &byte) in bytes[7..].iter().enumerate().take(5) {
        value |= u64::from(byte & 0x7f) << (7 * shift);
        if byte < 0x80 {
            break;
        }
    }
    (7, value >> 1)
}

#[test]
fn a_page_that_unpacks_to_more_than_it_says_is_not_unpacked() {
    for packing in
        [Compression::GZIP(GzipLevel::default()), Compression::ZSTD(ZstdLevel::default()), Compression::SNAPPY]
    {
        let good = file(100_000, packing);
        let (at, size) = told_size(&good);
        assert_eq!(size, 800_000, "the header is where it should be");
        let folder = tempfile::tempdir().unwrap();
        assert!(read(&write_file(folder.path(), "good.parquet", &good), &integers(&[3, 4])).is_ok());
        // One bit less in the size that is told; as many bytes as before.
        let mut bent = good.clone();
        bent[at + 1] ^= 0x40;
        assert!(told_size(&bent).1 < size);
        let error = read(&write_file(folder.path(), "bent.parquet", &bent), &integers(&[3, 4])).err().unwrap();
        assert!(error.to_string().contains("damaged Parquet"), "{error}");
    }
}

#[test]
fn more_rows_than_there_are_end_a_draft() {
    let good = file(1000, Compression::UNCOMPRESSED);
    let folder = tempfile::tempdir().unwrap();
    // The footer tells the rows of the file and of its group as varints; 1,000 becomes 8,191.
    let told: Vec<usize> = (good.len() / 2..good.len() - 1).filter(|&at| good[at..at + 2] == [0xd0, 0x0f]).collect();
    assert!(!told.is_empty());
    let mut bent = good.clone();
    told.iter().for_each(|&at| bent[at..at + 2].copy_from_slice(&[0xfe, 0x7f]));
    let input = write_file(folder.path(), "bent.parquet", &bent);
    let mut rows = 0;
    let draft = for_each_record(&input, &OPTIONS, &Quiet, &mut |_| Ok(()), &mut |_| rows += 1);
    assert!(draft.is_err() && rows == 0);
    assert!(read(&input, &integers(&[3, 4])).is_err());
}
