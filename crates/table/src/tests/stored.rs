//! Rows are stored in the types that the schema states, and read back to the same codes.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_ipc::writer::FileWriter;
use lookalike_schema::{Schema, StoredType};
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::file::reader::{FileReader, SerializedFileReader};

use super::writing::{all_codes, written};
use super::{OPTIONS, codes, read, write_file};
use crate::read::header_form;
use crate::write::{BatchWriter, CodeBlock, csv_sink, parquet_sink};

/// Columns with their types: name, entry, stored type.
const COLUMNS: [(&str, &str, &str); 37] = [
    ("i8", "type = 'integer'\nrange = [-100, 100]\nmissing = true", "int8"),
    ("i16", "type = 'integer'\nrange = [-100, 30000]", "int16 not null"),
    ("i32", "type = 'integer'\nrange = [-100, 2000000000]", "int32"),
    ("i64", "type = 'integer'\nrange = [-100, 9000000000]", "int64"),
    ("u8", "type = 'integer'\nrange = [0, 255]", "uint8"),
    ("u16", "type = 'integer'\nrange = [0, 65535]", "uint16 not null"),
    ("u32", "type = 'integer'\nrange = [0, 4294967295]\nmissing = true", "uint32"),
    ("u64", "type = 'integer'\nrange = [0, 9000000000]", "uint64"),
    ("f16", "type = 'number'\nrange = [0, 64]\nbins = 64\ndecimals = 0", "halffloat"),
    ("f32", "type = 'number'\nrange = [0, 7]\nbins = 70\ndecimals = 1\nmissing = true", "float"),
    ("f64", "type = 'number'\nrange = [0, 7]\ndecimals = 2\nmissing = true", "double not null"),
    ("whole f32", "type = 'integer'\nrange = [0, 9]\nmissing = true", "float"),
    ("d32", "type = 'number'\nrange = [-9, 9]\ndecimals = 2", "decimal32(5, 2)"),
    ("d64", "type = 'number'\nrange = [-9, 9]", "decimal64(12, 3)"),
    ("d128", "type = 'number'\nrange = [-999.99, 999.99]\nmissing = true", "decimal128(5, 2)"),
    ("d128 small", "type = 'number'\nrange = [-999.99, 999.99]", "decimal128(5, 2) as int32 not null"),
    ("d128 middle", "type = 'number'\nrange = [-999.99, 999.99]", "decimal128(5, 2) as int64"),
    ("d128 bytes", "type = 'integer'\nrange = [-999, 999]", "decimal128(5, 2) as byte_array"),
    ("d256", "type = 'number'\nrange = [-9.5, 9.5]\ndecimals = 1", "decimal256(60, 30)"),
    ("bool", "type = 'boolean'\nvalues = ['nee', 'ja']\nmissing = true", "bool"),
    ("day", "type = 'date'\nrange = ['1950-01-01', '2020-12-31']\nmissing = true", "date32[day]"),
    ("day64", "type = 'date'\nrange = ['1950-01-01', '2020-12-31']", "date64[ms]"),
    ("day number", "type = 'date'\nrange = ['1950-01-01', '2020-12-31']\nformat = '%Y%m%d'", "int32"),
    ("t ms", "type = 'integer'\nrange = [0, 86399999]", "time32[ms]"),
    ("t us", "type = 'integer'\nrange = [0, 86399999999]", "time64[us]"),
    ("t ns", "type = 'integer'\nrange = [0, 86399999999999]\nmissing = true", "time64[ns]"),
    ("ts s", "type = 'datetime'\nrange = ['1950-01-01', '2020-12-31']", "timestamp[s]"),
    ("ts ms", "type = 'datetime'\nrange = ['1950-01-01', '2020-12-31']", "timestamp[ms, tz=+02:00]"),
    ("ts us", "type = 'datetime'\nrange = ['1950-01-01', '2020-12-31']\nmissing = true", "timestamp[us, tz=UTC]"),
    ("ts ns", "type = 'datetime'\nrange = ['1950-01-01', '2020-12-31']", "timestamp[ns, tz=Europe/Vienna] as int96"),
    ("text", "type = 'category'\nvalues = ['x', 'y']\nmissing = true", "string not null"),
    ("long", "type = 'category'\nvalues = ['x', 'y']\nmissing = true", "large_string"),
    ("view", "type = 'integer'\nrange = [0, 9]\nmissing = true", "string_view"),
    ("bytes", "type = 'category'\nvalues = ['x', 'y']", "large_binary"),
    (
        "dictionary",
        "type = 'category'\nvalues = ['x', 'y']\nmissing = true",
        "dictionary<values=string, indices=int8, ordered=1>",
    ),
    (
        "listed days",
        "type = 'date'\nrange = ['2020-01-01', '2020-02-01']",
        "dictionary<values=date32[day], indices=uint16, ordered=0>",
    ),
    ("id", "type = 'id'", "uint32 not null"),
];

fn schema() -> Schema {
    let entries = COLUMNS.map(|(name, entry, stored)| format!("[columns.'{name}']\n{entry}\nstored = '{stored}'\n"));
    let more = "[columns.sum]\ntype = 'derived'\nformula = 'i8 + u8'\nstored = 'int16'\n\
                [columns.remark]\ntype = 'ignore'\nstored = 'timestamp[us]'\n[columns.none]\ntype = 'ignore'\nstored = 'null'\n\
                [written]\nignored = 'empty'\n";
    Schema::parse(&format!("{}{more}", entries.concat()), "test").unwrap()
}

fn stated(schema: &Schema) -> HashMap<String, StoredType> {
    schema.columns().iter().filter_map(|column| Some((column.name.clone(), column.stored.clone()?))).collect()
}

const ROWS: usize = 300;

#[test]
fn parquet_keeps_every_type() {
    let schema = schema();
    let columns = all_codes(&schema, ROWS);
    let bytes = written(&schema, &columns, ROWS, parquet_sink);
    let folder = tempfile::tempdir().unwrap();
    let input = write_file(folder.path(), "t.parquet", &bytes);
    assert_eq!(header_form(&input, &OPTIONS).unwrap().stored, stated(&schema));
    let back = codes(&read(&input, &schema).unwrap());
    for ((one, two), attribute) in back.iter().zip(&columns).zip(schema.domain().attributes()) {
        assert_eq!(one, two, "{}: not the codes that were written", schema.column(attribute).name);
    }
    let csv = write_file(folder.path(), "t.csv", &written(&schema, &columns, ROWS, csv_sink));
    assert_eq!(codes(&read(&csv, &schema).unwrap()), columns, "and the same as in a text file");
    // The reader of the Arrow library finds the types that its own batches have.
    let reader = ParquetRecordBatchReaderBuilder::try_new(bytes::Bytes::from(bytes.clone())).unwrap();
    let expected = BatchWriter::new(&schema).schema();
    for (found, expected) in reader.schema().fields().iter().zip(expected.fields()) {
        assert_eq!((found.name(), found.is_nullable()), (expected.name(), expected.is_nullable()));
        let kinds = (found.data_type(), expected.data_type());
        // Of what Parquet stores as milliseconds or days, that reader says so.
        let coarser = ["ts s", "day64"].contains(&found.name().as_str());
        assert!(kinds.0 == kinds.1 || coarser, "{}: {kinds:?}", found.name());
    }
    let rows: usize = reader.build().unwrap().map(|batch| batch.unwrap().num_rows()).sum();
    assert_eq!(rows, ROWS);
    let file = SerializedFileReader::new(bytes::Bytes::from(bytes)).unwrap();
    let physical = |name: &str| {
        let schema = file.metadata().file_metadata().schema_descr();
        let column = schema.columns().iter().find(|column| column.name() == name).unwrap().clone();
        (column.physical_type().to_string(), column.logical_type_ref().is_some())
    };
    assert_eq!(physical("d128"), ("FIXED_LEN_BYTE_ARRAY".to_owned(), true));
    assert_eq!(physical("d128 small"), ("INT32".to_owned(), true));
    assert_eq!(physical("d128 middle"), ("INT64".to_owned(), true));
    assert_eq!(physical("d128 bytes"), ("BYTE_ARRAY".to_owned(), true));
    assert_eq!(physical("i32"), ("INT32".to_owned(), false));
    assert_eq!(physical("u8"), ("INT32".to_owned(), true));
    assert_eq!(physical("ts ns"), ("INT96".to_owned(), false));
}

#[test]
fn batches_keep_every_type() {
    let schema = schema();
    let columns = all_codes(&schema, ROWS);
    let writer = BatchWriter::new(&schema);
    let mut place = 7u64;
    let mut bits = || {
        place = place.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        place
    };
    let block = CodeBlock { first_row: 0, rows: ROWS, columns: &columns };
    let batch = writer.batch(&block, &mut bits).unwrap();
    let mut file = FileWriter::try_new(Vec::new(), &batch.schema()).unwrap();
    file.write(&batch).unwrap();
    file.finish().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let input = write_file(folder.path(), "t.arrow", &file.into_inner().unwrap());
    let plain = |stored: StoredType| StoredType { parquet: None, ..stored };
    let expected: HashMap<String, StoredType> =
        stated(&schema).into_iter().map(|(name, one)| (name, plain(one))).collect();
    assert_eq!(header_form(&input, &OPTIONS).unwrap().stored, expected);
    assert_eq!(codes(&read(&input, &schema).unwrap()), columns);
    let held = crate::Input::Batches(crate::HeldBatches::new(vec![batch]));
    assert_eq!(header_form(&held, &OPTIONS).unwrap().stored, expected);
}

/// An Arrow schema that does not go with the file says nothing, and a damaged one neither.
#[test]
fn a_hint_that_does_not_fit_is_passed_over() {
    use parquet::basic::Type as Physical;
    use parquet::file::metadata::KeyValue;
    use parquet::file::properties::WriterProperties;
    use parquet::file::writer::SerializedFileWriter;
    use parquet::schema::types::Type;
    let told = |hint: &str| {
        let field = Type::primitive_type_builder("i8", Physical::INT64).build().unwrap();
        let root = Type::group_type_builder("schema").with_fields(vec![Arc::new(field)]).build().unwrap();
        let entry = KeyValue::new("ARROW:schema".to_owned(), hint.to_owned());
        let properties = WriterProperties::builder().set_key_value_metadata(Some(vec![entry])).build();
        let mut writer = SerializedFileWriter::new(Vec::new(), Arc::new(root), Arc::new(properties)).unwrap();
        writer.finish().unwrap();
        let folder = tempfile::tempdir().unwrap();
        let input = write_file(folder.path(), "t.parquet", writer.inner());
        header_form(&input, &OPTIONS).unwrap().stored["i8"].to_string()
    };
    let one = Schema::parse("[columns.i8]\ntype = 'integer'\nrange = [0, 1]\nstored = 'int8'\n", "test").unwrap();
    let bytes = written(&one, &[vec![0]], 1, parquet_sink);
    let file = SerializedFileReader::new(bytes::Bytes::from(bytes)).unwrap();
    let hint = file.metadata().file_metadata().key_value_metadata().unwrap()[0].value.clone().unwrap();
    for hint in [hint.as_str(), &hint[..40], "", "////", "no base64"] {
        assert_eq!(told(hint), "int64");
    }
}
