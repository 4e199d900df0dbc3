//! Arrow files that are odd, damaged or hostile.

use std::sync::Arc;

use arrow_array::builder::StringDictionaryBuilder;
use arrow_array::types::Int8Type;
use arrow_array::*;
use arrow_buffer::{Buffer, OffsetBuffer};
use arrow_ipc::CompressionType;
use arrow_ipc::writer::{FileWriter, IpcWriteOptions, StreamWriter};
use arrow_schema::{DataType, Field, Schema as ArrowSchema};
use lookalike_schema::Schema;

use crate::tests::{OPTIONS, Quiet, codes, read, write_file};
use crate::{RowSource, Table, TableError, read::for_each_record};

fn schema() -> Schema {
    let text = "[columns.n]\ntype = 'integer'\nrange = [0, 99]\nbins = 100\nmissing = true\n\
        [columns.w]\ntype = 'category'\nvalues = ['x', 'y']\nother = 'else'\n\
        [columns.d]\ntype = 'category'\nvalues = ['x', 'y']\nother = 'else'\n[columns.l]\ntype = 'ignore'\n";
    Schema::parse(text, "test").unwrap()
}

fn batch(rows: usize) -> RecordBatch {
    let mut words = StringDictionaryBuilder::<Int8Type>::new();
    (0..rows).for_each(|row| words.append_value(["x", "y", "z"][row % 3]));
    let lists = ListArray::from_iter_primitive::<types::Int32Type, _, _>((0..rows).map(|row| Some([Some(row as i32)])));
    let columns: [(&str, ArrayRef); 4] = [
        ("n", Arc::new((0..rows as i64).map(|row| (row % 5 != 0).then_some(row % 99)).collect::<Int64Array>())),
        ("w", Arc::new((0..rows).map(|row| Some(["x", "y", "unheard of"][row % 3])).collect::<StringViewArray>())),
        ("d", Arc::new(words.finish())),
        ("l", Arc::new(lists)),
    ];
    RecordBatch::try_from_iter_with_nullable(columns.map(|(name, array)| (name, array, true))).unwrap()
}

fn as_file(batches: &[RecordBatch], packing: Option<CompressionType>) -> Vec<u8> {
    let options = IpcWriteOptions::default().try_with_compression(packing).unwrap();
    let mut writer = FileWriter::try_new_with_options(Vec::new(), &batches[0].schema(), options).unwrap();
    batches.iter().for_each(|batch| writer.write(batch).unwrap());
    writer.finish().unwrap();
    writer.into_inner().unwrap()
}

fn as_stream(batches: &[RecordBatch], packing: Option<CompressionType>) -> Vec<u8> {
    let options = IpcWriteOptions::default().try_with_compression(packing).unwrap();
    let mut writer = StreamWriter::try_new_with_options(Vec::new(), &batches[0].schema(), options).unwrap();
    batches.iter().for_each(|batch| writer.write(batch).unwrap());
    writer.finish().unwrap();
    writer.into_inner().unwrap()
}

fn read_bytes(bytes: &[u8]) -> Result<Table, TableError> {
    let folder = tempfile::tempdir().unwrap();
    read(&write_file(folder.path(), "t", bytes), &schema())
}

#[test]
fn nested_columns_do_not_disturb_and_are_refused_where_they_are_modelled() {
    let bytes = as_file(&[batch(10)], None);
    assert_eq!(codes(&read_bytes(&bytes).unwrap())[1], [0, 1, 2, 0, 1, 2, 0, 1, 2, 0]);
    let folder = tempfile::tempdir().unwrap();
    let input = write_file(folder.path(), "t.arrow", &bytes);
    let modelled = "unlisted = 'ignore'\n[columns.l]\ntype = 'integer'\nrange = [0, 9]\n";
    let error = read(&input, &Schema::parse(modelled, "test").unwrap()).err().unwrap().to_string();
    assert!(error.contains("lists or groups"), "{error}");
    let mut cells = Vec::new();
    let each = &mut |record: &[&[u8]]| cells.push(record.concat());
    for_each_record(&input, &OPTIONS, &Quiet, &mut |_| Ok(()), each).unwrap();
    assert_eq!(cells[1], b"1yy");
}

/// Text that is not UTF-8 is a bad cell, in plain columns and in dictionaries.
#[test]
fn text_that_is_no_utf8_is_a_bad_cell() {
    let values = Buffer::from_vec(b"x\xff\xfey".to_vec());
    let words = |values: &Buffer| BinaryArray::new(OffsetBuffer::from_lengths([1, 2, 1]), values.clone(), None);
    let fields = ["n", "w", "d", "l"].map(|name| Field::new(name, DataType::Binary, true));
    let columns: Vec<ArrayRef> = (0..4).map(|_| Arc::new(words(&values)) as ArrayRef).collect();
    let bytes = as_stream(&[RecordBatch::try_new(Arc::new(ArrowSchema::new(fields.to_vec())), columns).unwrap()], None);
    assert_eq!(codes(&read_bytes(&bytes).unwrap())[1], [0, 2, 1]);
    // The same bytes under the type of text: the number of the type is all that tells.
    let header = ArrowSchema::new(["n", "w", "d", "l"].map(|name| Field::new(name, DataType::Utf8, true)).to_vec());
    let binary = ArrowSchema::new(fields.to_vec());
    let start = |schema: &ArrowSchema| as_stream(&[RecordBatch::new_empty(Arc::new(schema.clone()))], None);
    let (text, own) = (start(&header), start(&binary));
    // Both streams begin with the schema; what follows in ours are the rows.
    let length = |stream: &[u8]| 8 + u32::from_le_bytes(stream[4..8].try_into().unwrap()) as usize;
    let forged = [&text[..length(&text)], &bytes[length(&own)..]].concat();
    assert_eq!(codes(&read_bytes(&forged).unwrap())[1], [0, 2, 1]);
}

#[test]
fn a_stream_may_end_without_a_word_but_not_within_one() {
    let whole = as_stream(&[batch(7), batch(3)], None);
    let expected = codes(&read_bytes(&whole).unwrap());
    assert_eq!(expected[0].len(), 10);
    assert_eq!(codes(&read_bytes(&whole[..whole.len() - 8]).unwrap()), expected);
    for end in [whole.len() - 9, whole.len() / 2, 100, 8, 5] {
        let line = read_bytes(&whole[..end]).err().unwrap().to_string();
        assert!(line.contains("damaged Arrow") && !line.contains('\n'), "{end}: {line}");
    }
}

/// A buffer that says it unpacks to more than any memory has.
#[test]
fn what_cannot_be_unpacked_is_not_tried() {
    let long = RecordBatch::try_from_iter([("c0", Arc::new(Int64Array::from(vec![7; 4096])) as ArrayRef)]).unwrap();
    for packing in [CompressionType::ZSTD, CompressionType::LZ4_FRAME] {
        let bytes = as_stream(std::slice::from_ref(&long), Some(packing));
        let size = (4096u64 * 8).to_le_bytes();
        let place = bytes.windows(8).position(|window| window == size).expect("the length before packed bytes");
        for said in [1u64 << 45, u64::MAX / 2, 1 << 33, 4096 * 8 + 1] {
            let mut hostile = bytes.clone();
            hostile[place..place + 8].copy_from_slice(&said.to_le_bytes());
            let folder = tempfile::tempdir().unwrap();
            let error = read(&write_file(folder.path(), "t", &hostile), &crate::tests::integers(&[9])).err().unwrap();
            assert!(error.to_string().contains("damaged Arrow"), "{error}");
        }
    }
}

/// Bytes changed and files cut at 2,000 places: rows, or one line; never a panic.
#[test]
fn damage_is_told_in_one_line() {
    let batches = [batch(5), batch(40)];
    let files = [
        as_file(&batches, None),
        as_file(&batches, Some(CompressionType::ZSTD)),
        as_stream(&batches, None),
        as_stream(&batches, Some(CompressionType::LZ4_FRAME)),
    ];
    // The library's panics are caught; a hook of the test's own would print them all.
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if !crate::expects_damage() {
            usual(panic);
        }
    }));
    let mut state = 7u64;
    let mut random = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    let folder = tempfile::tempdir().unwrap();
    let (mut told, mut rows) = (0, 0);
    for round in 0..2_000 {
        let mut bytes = files[round % files.len()].clone();
        match round / files.len() % 4 {
            0 => bytes.truncate(random(bytes.len())),
            flips => (0..flips * flips).for_each(|_| {
                let place = random(bytes.len());
                bytes[place] ^= [1, 0x80, 0xff][random(3)];
            }),
        }
        let input = write_file(folder.path(), "t", &bytes);
        match read(&input, &schema()) {
            Ok(_) => rows += 1,
            Err(error) => {
                assert!(!error.to_string().contains('\n') && !error.to_string().contains("unheard"), "{error}");
                told += 1;
            }
        }
        let exactly = crate::read::for_each_exact_record;
        let _ = exactly(RowSource::Input(&input), &OPTIONS, &Quiet, &mut |_| Ok(()), &mut |_| {});
    }
    assert!(told > 500 && rows > 100, "{told} {rows}");
}
