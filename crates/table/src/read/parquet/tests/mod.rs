//! Every way of storing a value that a column of ours may meet.

mod raw;

use std::sync::Arc;

use lookalike_schema::Schema;
use parquet::basic::{ConvertedType, LogicalType, Repetition, TimeUnit, Type as Physical};
use parquet::data_type::{
    BoolType, ByteArray, ByteArrayType, DataType, DoubleType, FixedLenByteArray, FixedLenByteArrayType, FloatType,
    Int32Type, Int64Type, Int96, Int96Type,
};
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::{Type, TypePtr};

use super::damage::guarded;
use crate::read::expects_damage;
use crate::read::for_each_record;
use crate::read::typed::stored::single;
use crate::tests::{OPTIONS, Quiet, integers, read, read_bounded, read_codes, read_for_ledger, write_file};

type Group<'a> = SerializedRowGroupWriter<'a, Vec<u8>>;

fn field(name: &str, physical: Physical, logical: Option<LogicalType>) -> TypePtr {
    let length = match (physical, &logical) {
        (Physical::FIXED_LEN_BYTE_ARRAY, Some(LogicalType::Float16)) => 2,
        (Physical::FIXED_LEN_BYTE_ARRAY, _) => 5,
        _ => -1,
    };
    let builder = Type::primitive_type_builder(name, physical).with_logical_type(logical).with_length(length);
    let builder = builder.with_precision(9).with_scale(2);
    Arc::new(builder.with_repetition(Repetition::OPTIONAL).build().unwrap())
}

fn file(fields: Vec<TypePtr>, groups: usize, mut write: impl FnMut(usize, &mut Group<'_>)) -> Vec<u8> {
    let root = Type::group_type_builder("schema").with_fields(fields).build().unwrap();
    let secret = KeyValue::new("pandas".to_owned(), "{\"n\": 12345}".to_owned());
    let properties = WriterProperties::builder().set_key_value_metadata(Some(vec![secret])).build();
    let mut writer = SerializedFileWriter::new(Vec::new(), Arc::new(root), Arc::new(properties)).unwrap();
    for k in 0..groups {
        let mut group = writer.next_row_group().unwrap();
        write(k, &mut group);
        group.close().unwrap();
    }
    writer.finish().unwrap();
    writer.inner().clone()
}

fn put<T: DataType>(group: &mut Group<'_>, values: &[T::T], levels: &[i16]) {
    let mut column = group.next_column().unwrap().unwrap();
    column.typed::<T>().write_batch(values, Some(levels), None).unwrap();
    column.close().unwrap();
}

fn texts(bytes: &[u8]) -> Vec<Vec<String>> {
    let folder = tempfile::tempdir().unwrap();
    let input = write_file(folder.path(), "a.parquet", bytes);
    let mut out = Vec::new();
    let mut keep = |cells: &[&[u8]]| out.push(cells.iter().map(|c| String::from_utf8_lossy(c).into_owned()).collect());
    for_each_record(&input, &OPTIONS, &Quiet, &mut |_| Ok(()), &mut keep).unwrap();
    out
}

/// One optional column with the values and then a missing one, read as text.
fn column<T: DataType>(physical: Physical, logical: Option<LogicalType>, values: &[T::T]) -> Vec<String> {
    let mut levels = vec![1; values.len()];
    levels.push(0);
    let bytes = file(vec![field("c", physical, logical)], 1, |_, group| put::<T>(group, values, &levels));
    let mut cells: Vec<String> = texts(&bytes).into_iter().map(|mut row| row.remove(0)).collect();
    assert_eq!(cells.pop().unwrap(), "");
    cells
}

#[test]
fn every_type_as_text() {
    use Physical::*;
    let stamp = |unit| Some(LogicalType::timestamp(false, unit));
    assert_eq!(column::<BoolType>(BOOLEAN, None, &[true, false]), ["true", "false"]);
    assert_eq!(column::<Int32Type>(INT32, None, &[-5, i32::MAX]), ["-5", "2147483647"]);
    assert_eq!(column::<Int32Type>(INT32, Some(LogicalType::integer(8, true)), &[-5]), ["-5"]);
    assert_eq!(column::<Int32Type>(INT32, Some(LogicalType::integer(32, false)), &[-1]), ["4294967295"]);
    assert_eq!(column::<Int64Type>(INT64, None, &[i64::MIN]), ["-9223372036854775808"]);
    assert_eq!(column::<Int64Type>(INT64, Some(LogicalType::integer(64, false)), &[-1]), ["9223372036854775807"]);
    assert_eq!(column::<FloatType>(FLOAT, None, &[0.7, 3.0, f32::NAN]), ["0.7", "3", "NaN"]);
    assert_eq!(column::<DoubleType>(DOUBLE, None, &[0.1, -2.5e3]), ["0.1", "-2500"]);
    assert_eq!(column::<Int32Type>(INT32, Some(LogicalType::decimal(2, 9)), &[-12345]), ["-123.45"]);
    assert_eq!(column::<Int64Type>(INT64, Some(LogicalType::decimal(2, 9)), &[700]), ["7"]);
    let fixed = |bytes: &[u8]| FixedLenByteArray::from(bytes.to_vec());
    let decimal = Some(LogicalType::decimal(2, 9));
    assert_eq!(
        column::<FixedLenByteArrayType>(FIXED_LEN_BYTE_ARRAY, decimal.clone(), &[fixed(&[255, 255, 255, 255, 156])]),
        ["-1"]
    );
    let wide = ByteArray::from(vec![0; 20].into_iter().chain([1, 0]).collect::<Vec<u8>>());
    assert_eq!(column::<ByteArrayType>(BYTE_ARRAY, decimal, &[wide, ByteArray::from(vec![0xff])]), ["2.56", "-0.01"]);
    let halves = [fixed(&[0, 0x3c]), fixed(&[0, 0xc1]), fixed(&[1, 0])];
    let found = column::<FixedLenByteArrayType>(FIXED_LEN_BYTE_ARRAY, Some(LogicalType::Float16), &halves);
    assert_eq!(found, ["1", "-2.5", "0.00000005960464477539063"]);
    assert_eq!(
        column::<Int32Type>(INT32, Some(LogicalType::Date), &[0, -1, 19_782, 11_016]),
        ["1970-01-01", "1969-12-31", "2024-02-29", "2000-02-29"]
    );
    assert_eq!(
        column::<Int64Type>(INT64, stamp(TimeUnit::MILLIS), &[-1, 86_399_999]),
        ["1969-12-31T23:59:59", "1970-01-01T23:59:59"]
    );
    assert_eq!(column::<Int64Type>(INT64, stamp(TimeUnit::MICROS), &[1_000_000]), ["1970-01-01T00:00:01"]);
    assert_eq!(column::<Int64Type>(INT64, stamp(TimeUnit::NANOS), &[1_999_999_999]), ["1970-01-01T00:00:01"]);
    let mut old = Int96::new();
    old.set_data(1_000_000_000, 0, 2_440_589);
    assert_eq!(column::<Int96Type>(INT96, None, &[old]), ["1970-01-02T00:00:01"]);
    let words = ["größte", "", "\u{fffd}"].map(ByteArray::from);
    assert_eq!(column::<ByteArrayType>(BYTE_ARRAY, Some(LogicalType::String), &words), ["größte", "", "\u{fffd}"]);
    assert_eq!(column::<ByteArrayType>(BYTE_ARRAY, None, &[ByteArray::from("raw")]), ["raw"]);
}

#[test]
fn types_of_old_files() {
    let old = |physical, converted| {
        let builder = Type::primitive_type_builder("c", physical).with_converted_type(converted);
        Arc::new(builder.with_repetition(Repetition::OPTIONAL).with_precision(9).with_scale(2).build().unwrap())
    };
    let longs = [(ConvertedType::TIMESTAMP_MILLIS, "1970-01-01T00:25:00"), (ConvertedType::DECIMAL, "15000")];
    for (converted, expected) in longs {
        let bytes = file(vec![old(Physical::INT64, converted)], 1, |_, g| put::<Int64Type>(g, &[1_500_000], &[1]));
        assert_eq!(texts(&bytes), [[expected]]);
    }
    let ints =
        [(ConvertedType::DATE, "1969-12-31"), (ConvertedType::UINT_32, "4294967295"), (ConvertedType::INT_8, "-1")];
    for (converted, expected) in ints {
        let bytes = file(vec![old(Physical::INT32, converted)], 1, |_, group| put::<Int32Type>(group, &[-1], &[1]));
        assert_eq!(texts(&bytes), [[expected]]);
    }
}

#[test]
fn single_precision_reads_as_its_shortest_decimal() {
    for (value, expected) in [(0.1f32, 0.1f64), (0.7, 0.7), (1.0e-3, 0.001), (16_777_216.0, 16_777_216.0)] {
        assert_eq!(single(value), expected);
    }
    assert_eq!(single(f32::NEG_INFINITY), f64::NEG_INFINITY);
}

#[test]
fn several_row_groups_in_order_with_bad_cells() {
    let schema = Schema::parse(
        "[columns.n]\ntype = \"integer\"\nrange = [0, 9]\nbins = 10\nmissing = true\n\
         [columns.w]\ntype = \"category\"\nvalues = [\"a\", \"b\"]\nother = \"else\"\nmissing = true\n",
        "s.toml",
    )
    .unwrap();
    let fields = vec![field("w", Physical::BYTE_ARRAY, Some(LogicalType::String)), field("n", Physical::DOUBLE, None)];
    let bytes = file(fields, 3, |k, group| {
        let words = [ByteArray::from("a"), ByteArray::from(vec![0xff, 0xfe])];
        put::<ByteArrayType>(group, &words, &[1, 0, 1]);
        put::<DoubleType>(group, &[k as f64, f64::NAN, f64::INFINITY], &[1, 1, 1]);
    });
    let found = read_codes("a.parquet", &bytes, &schema);
    assert_eq!(found, [vec![0, 3, 2, 0, 3, 2, 0, 3, 2], vec![0, 10, 9, 1, 10, 9, 2, 10, 9]]);
}

#[test]
fn nested_columns_matter_only_where_they_are_modelled() {
    let inner = Arc::new(Type::primitive_type_builder("x", Physical::INT32).build().unwrap());
    let pair = Arc::new(
        Type::group_type_builder("c1").with_repetition(Repetition::OPTIONAL).with_fields(vec![inner]).build().unwrap(),
    );
    let list =
        Type::primitive_type_builder("c2", Physical::INT32).with_repetition(Repetition::REPEATED).build().unwrap();
    let fields = vec![field("c0", Physical::INT32, None), pair, Arc::new(list)];
    let bytes = file(fields, 1, |_, group| {
        put::<Int32Type>(group, &[1, 2], &[1, 1]);
        put::<Int32Type>(group, &[7], &[1, 0]);
        let mut column = group.next_column().unwrap().unwrap();
        column.typed::<Int32Type>().write_batch(&[1, 2, 3], Some(&[1, 1, 1]), Some(&[0, 1, 0])).unwrap();
        column.close().unwrap();
    });
    assert_eq!(read_codes("a.parquet", &bytes, &integers(&[3])), [[1, 2]]);
    assert_eq!(texts(&bytes), [["1", "", ""], ["2", "", ""]]);
    let folder = tempfile::tempdir().unwrap();
    let input = write_file(folder.path(), "a.parquet", &bytes);
    for sizes in [&[3, 3][..], &[3, 3, 3]] {
        let error = read(&input, &integers(sizes)).err().unwrap().to_string();
        assert!(error.contains("c1") && error.contains("ignore"), "{error}");
    }
}

#[test]
fn no_rows_and_damage() {
    let empty = file(vec![field("c0", Physical::INT32, None)], 0, |_, _| {});
    assert_eq!(read_codes("a.parquet", &empty, &integers(&[3])), [[0u32; 0]]);
    let values: Vec<i32> = (0..5000).map(|k| k * 7919 % 5000).collect();
    let good =
        file(vec![field("c0", Physical::INT32, None)], 1, |_, group| put::<Int32Type>(group, &values, &[1; 5000]));
    let folder = tempfile::tempdir().unwrap();
    // Every cut-off file and many overwritten ones: an error in one line or a table, never a panic
    // that escapes.
    for at in (4..good.len()).step_by(61) {
        let cut = write_file(folder.path(), "cut.parquet", &good[..at]);
        assert!(read(&cut, &integers(&[3])).is_err());
        let mut bent = good.clone();
        bent[at] ^= 0xff;
        if let Err(error) = read(&write_file(folder.path(), "bent.parquet", &bent), &integers(&[3])) {
            assert!(!error.to_string().contains('\n'));
        }
    }
}

/// Ids of every stored type: the same persons and the same rows as from a text file that shows the
/// values.
#[test]
fn ids_of_every_type_are_those_of_a_text_file() {
    use Physical::*;
    /// Reads the stored ids (where a level is 1) and their texts, both under one key, and gives the
    /// kept rows.
    fn kept<T: DataType>(
        (physical, logical): (Physical, Option<LogicalType>),
        ids: &[T::T],
        levels: &[i16],
        texts: &[&str],
    ) -> Vec<u32> {
        let schema = Schema::parse(
            "missing_tokens = [\"NA\", \"-9\", \"1969-12-31\", \"0.07\", \"false\"]\n\
             [columns.c0]\ntype = \"integer\"\nrange = [0, 19]\nbins = 20\n[columns.pid]\ntype = \"id\"\n",
            "s.toml",
        )
        .unwrap();
        let fields = vec![field("c0", INT32, None), field("pid", physical, logical)];
        let values: Vec<i32> = (0..levels.len() as i32).collect();
        // Two row groups, so that a person's rows lie in both.
        let bytes = file(fields, 2, |_, group| {
            put::<Int32Type>(group, &values, &vec![1; levels.len()]);
            put::<T>(group, ids, levels);
        });
        let mut texts = texts.iter();
        let lines: String = levels
            .iter()
            .zip(&values)
            .map(|(&level, value)| match level {
                1 => format!("{value},{}\n", texts.next().unwrap()),
                _ => format!("{value},\n"),
            })
            .collect();
        let text = format!("c0,pid\n{lines}{lines}");
        let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        std::io::Write::write_all(&mut packed, text.as_bytes()).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let persons = crate::Persons { column: "pid".to_owned(), most: 1 };
        let read = |name: &str, bytes: &[u8]| {
            let input = write_file(folder.path(), name, bytes);
            let bounds = crate::read::Bounds::with_key(&persons, [1; 32]);
            let table = read_bounded(&input, &schema, &OPTIONS, &bounds).unwrap();
            let mut codes = table.codes(lookalike_schema::AttrId(0)).unwrap();
            codes.sort_unstable();
            codes
        };
        let found = read("a.parquet", &bytes);
        assert_eq!(read("a.csv", text.as_bytes()), found);
        assert_eq!(read("a.csv.gz", &packed.finish().unwrap()), found);
        found
    }
    let all = [1; 5];
    // Rows 0 and 1 are persons of their own; rows 2 and 3 are no persons; row 4 is of the person of
    // row 1.
    #[track_caller]
    fn check(found: Vec<u32>) {
        assert!([[0, 1], [0, 4]].contains(&found.as_slice().try_into().unwrap()), "{found:?}");
    }
    check(kept::<Int32Type>((INT32, None), &[7, 8, -9, -9, 8], &all, &["7", "8", "-9", "-9", "8"]));
    check(kept::<Int32Type>((INT32, None), &[7, 8, 8], &[1, 1, 0, 0, 1], &["7", "8", "8"]));
    // As texts of a draft the unsigned ones would be the largest signed number, and the decimals
    // all alike.
    let unsigned = || Some(LogicalType::integer(64, false));
    let texts = ["18446744073709551615", "18446744073709551614", "-9", "NA", "18446744073709551614"];
    let found =
        kept::<Int64Type>((INT64, unsigned()), &[-1, -2, -2], &[1, 1, 0, 0, 1], &[texts[0], texts[1], texts[4]]);
    check(found);
    let decimal = || Some(LogicalType::decimal(2, 9));
    let far = [1 << 60, (1 << 60) + 1, 7, 7, (1 << 60) + 1];
    let (one, other) = ("11529215046068469.76", "11529215046068469.77");
    check(kept::<Int64Type>((INT64, decimal()), &far, &all, &[one, other, "0.07", "0.07", other]));
    let wide = |value: i64| ByteArray::from([vec![0; 12], value.to_be_bytes().to_vec()].concat());
    check(kept::<ByteArrayType>((BYTE_ARRAY, decimal()), &far.map(wide), &all, &[one, other, "0.07", "0.07", other]));
    let fixed = |value: i64| FixedLenByteArray::from(value.to_be_bytes()[3..].to_vec());
    let cents = [100, -100, 7, 7, -100].map(fixed);
    check(kept::<FixedLenByteArrayType>(
        (FIXED_LEN_BYTE_ARRAY, decimal()),
        &cents,
        &all,
        &["1.00", "-1.00", "0.07", "0.07", "-1.00"],
    ));
    let days = [0, 19_782, -1, -1, 19_782];
    let texts = ["1970-01-01", "2024-02-29", "1969-12-31", "1969-12-31", "2024-02-29"];
    check(kept::<Int32Type>((INT32, Some(LogicalType::Date)), &days, &all, &texts));
    let stamp = Some(LogicalType::timestamp(false, TimeUnit::NANOS));
    let texts = ["1970-01-01T00:00:00.000000001", "1970-01-01T00:00:01.5", "1970-01-01T00:00:01.5"];
    check(kept::<Int64Type>((INT64, stamp), &[1, 1_500_000_000, 1_500_000_000], &[1, 1, 0, 0, 1], &texts));
    let old = |nanos: u32| {
        let mut old = Int96::new();
        old.set_data(nanos, 0, 2_440_588);
        old
    };
    let texts = ["1970-01-01T00:00:00.000000001", "1970-01-01T00:00:01", "1970-01-01T00:00:01"];
    check(kept::<Int96Type>((INT96, None), &[1, 1_000_000_000, 1_000_000_000].map(old), &[1, 1, 0, 0, 1], &texts));
    let texts = ["7.0", "0.0", "nan", "-9.0", "-0.0"];
    check(kept::<DoubleType>((DOUBLE, None), &[7.0, 0.0, f64::NAN, -9.0, -0.0], &all, &texts));
    check(kept::<FloatType>((FLOAT, None), &[7.0, 0.0, f32::NAN, -9.0, -0.0], &all, &texts));
    let halves =
        [0x3c00u16, 0, 0x7e00, 0xc880, 0x8000].map(|bits| FixedLenByteArray::from(bits.to_le_bytes().to_vec()));
    let texts = ["1.0", "0.0", "NaN", "-9.0", "-0.0"];
    check(kept::<FixedLenByteArrayType>((FIXED_LEN_BYTE_ARRAY, Some(LogicalType::Float16)), &halves, &all, &texts));
    let texts = ["a", "b", "NA", "", "b"];
    check(kept::<ByteArrayType>((BYTE_ARRAY, Some(LogicalType::String)), &texts.map(ByteArray::from), &all, &texts));
    let fixed = |text: &str| FixedLenByteArray::from(text.as_bytes().to_vec());
    let texts = ["aaaaa", "bbbbb", " NA  ", "     ", "bbbbb"];
    check(kept::<FixedLenByteArrayType>((FIXED_LEN_BYTE_ARRAY, None), &texts.map(fixed), &all, &texts));
    // A missing token may be a truth value; then there is one person left.
    let found = kept::<BoolType>((BOOLEAN, None), &[true, false, true], &[1, 1, 1, 0, 0], &["true", "false", "true"]);
    assert!(found == [0] || found == [2], "{found:?}");
}

/// The same rows as Parquet, as text and as packed text have one digest for a ledger, whatever the
/// values are stored as.
#[test]
fn one_digest_of_records_in_every_format() {
    use Physical::*;
    let stamp = Some(LogicalType::timestamp(false, TimeUnit::MICROS));
    let fields = vec![
        field("truth", BOOLEAN, None),
        field("small", INT32, None),
        field("day", INT32, Some(LogicalType::Date)),
        field("cents", INT64, Some(LogicalType::decimal(2, 9))),
        field("seen", INT64, stamp),
        field("real", DOUBLE, None),
        field("single", FLOAT, None),
        field("word", BYTE_ARRAY, Some(LogicalType::String)),
    ];
    let write = |words: [&str; 2]| {
        file(fields.clone(), 2, |_, group| {
            put::<BoolType>(group, &[true, false], &[1, 0, 1]);
            put::<Int32Type>(group, &[7, -8, 0], &[1, 1, 1]);
            put::<Int32Type>(group, &[0, 19_782], &[1, 1, 0]);
            put::<Int64Type>(group, &[700, -5, 123_456], &[1, 1, 1]);
            put::<Int64Type>(group, &[0, 1_500_000], &[1, 1, 0]);
            put::<DoubleType>(group, &[7.0, f64::NAN, 1e-7], &[1, 1, 1]);
            put::<FloatType>(group, &[0.7, -0.0, 16_777_216.0], &[1, 1, 1]);
            put::<ByteArrayType>(group, &words.map(ByteArray::from), &[1, 0, 1]);
        })
    };
    let parquet = write(["gr\u{f6}\u{df}te, \"so\"", ""]);
    let lines = "True,7,1970-01-01,7.00,1970-01-01 00:00:00,7.0,0.7,\"gr\u{f6}\u{df}te, \"\"so\"\"\"\n\
        ,-8,2024-02-29,-0.05,1970-01-01 00:00:01.500000,,-0.0,\n\
        False,0,,1234.56,,1e-07,16777216.0,NA\n";
    let text = format!("truth,small,day,cents,seen,real,single,word\n{lines}{lines}");
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(&mut packed, text.as_bytes()).unwrap();
    // One column is modelled, others are an id or skipped: all of them count.
    let schema = Schema::parse(
        "unlisted = \"ignore\"\n[columns.small]\ntype = \"integer\"\nrange = [-9, 9]\n[columns.word]\ntype = \"id\"\n",
        "s.toml",
    )
    .unwrap();
    let folder = tempfile::tempdir().unwrap();
    let digest = |name: &str, bytes: &[u8]| {
        let input = write_file(folder.path(), name, bytes);
        let persons = crate::Persons { column: "word".to_owned(), most: 1 };
        let wish = crate::DigestWish { key: &[1; 32], older: false, second: None };
        let read = |persons| read_for_ledger(&input, &schema, persons, wish);
        let [one, other] = [None, Some(&persons)].map(|persons| read(persons).map(|read| read.1.records).ok().unwrap());
        assert_eq!(one, other);
        one
    };
    let own = digest("a.parquet", &parquet);
    assert_eq!(digest("a.csv", text.as_bytes()), own);
    assert_eq!(digest("a.csv.gz", &packed.finish().unwrap()), own);
    assert_ne!(digest("a.parquet", &write(["gr\u{f6}\u{df}te", ""])), own);
    assert_ne!(digest("a.csv", text.replace("1234.56", "1234.57").as_bytes()), own);
}

/// What a face asks before it calls a panic a fault of the program.
#[test]
fn only_a_panic_of_the_library_is_the_files_fault() {
    assert!(!expects_damage());
    assert!(guarded("f", || Ok(expects_damage())).unwrap());
    assert!(guarded::<()>("f", || std::panic::resume_unwind(Box::new(()))).is_err());
    assert!(!expects_damage());
}
