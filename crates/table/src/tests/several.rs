//! The same rows in one file, in several, in folders that tell a column, and in every format: one
//! table, one digest, the same rows of persons.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch, StringArray};
use arrow_ipc::CompressionType;
use arrow_ipc::writer::{FileWriter, IpcWriteOptions, StreamWriter};
use flate2::Compression;
use flate2::write::GzEncoder;
use lookalike_schema::{AttrId, Schema};
use parquet::arrow::ArrowWriter;

use super::arrow::batch;
use super::{OPTIONS, Quiet, every_type, read_bounded, read_for_ledger};
use crate::read::{Bounds, for_each_exact_record, for_each_record, header_names};
use crate::{DigestWish, Input, Persons, RawFile, RowSource, Table};

const KEY: [u8; 32] = [3; 32];

/// Rows as texts, with their columns.
type TextRows = (Vec<String>, Vec<Vec<Vec<u8>>>);

/// Cells of every kind: fine, missing, out of range, no value at all, no UTF-8 would be next.
fn hostile() -> RecordBatch {
    let columns: [(&str, &[Option<&str>]); 8] = [
        ("person", &[Some("7"), Some("07"), None, Some("a b"), Some("é")]),
        ("age", &[Some("33"), Some(" 33.0 "), Some("1e99"), Some("x?"), None, Some("NA")]),
        ("note", &[Some("a,\"b\""), None, Some("c")]),
        ("height", &[Some("1.75"), Some("NaN"), Some("-inf"), None, Some("1,75"), Some("nonsense")]),
        ("school", &[Some("none"), Some("a, b"), Some("say \"hi\""), None, Some("größte"), Some("50% = half/é")]),
        ("married", &[Some("true"), Some("No"), Some("maybe"), None]),
        ("born", &[Some("1950-02-03"), Some("1950-02-31"), Some("3000-01-01"), Some("yesterday"), None]),
        ("seen", &[Some("2010-01-01T10:00:00"), Some("2010-01-01 10:00:00.5"), None, Some("2010-13-01T00:00:00")]),
    ];
    let array = |cells: &[Option<&'static str>]| -> ArrayRef {
        Arc::new((0..500).map(|row| cells[(row + row / 7) % cells.len()]).collect::<StringArray>())
    };
    RecordBatch::try_from_iter_with_nullable(columns.map(|(name, cells)| (name, array(cells), true))).unwrap()
}

fn parquet(path: PathBuf, batches: &[RecordBatch]) {
    let mut writer = ArrowWriter::try_new(made(&path), batches[0].schema(), None).unwrap();
    batches.iter().for_each(|batch| writer.write(batch).unwrap());
    writer.close().unwrap();
}

fn arrow_file(path: PathBuf, batches: &[RecordBatch], packing: Option<CompressionType>) {
    let options = IpcWriteOptions::default().try_with_compression(packing).unwrap();
    let mut writer = FileWriter::try_new_with_options(made(&path), &batches[0].schema(), options).unwrap();
    batches.iter().for_each(|batch| writer.write(batch).unwrap());
    writer.finish().unwrap();
}

fn arrow_stream(path: PathBuf, batches: &[RecordBatch]) {
    let mut writer = StreamWriter::try_new(made(&path), &batches[0].schema()).unwrap();
    batches.iter().for_each(|batch| writer.write(batch).unwrap());
    writer.finish().unwrap();
}

fn csv(path: PathBuf, (names, rows): &TextRows) {
    let quoted = |cell: &[u8]| [b"\"", String::from_utf8_lossy(cell).replace('"', "\"\"").as_bytes(), b"\""].concat();
    let delimiter = if path.to_string_lossy().contains(".tsv") { b"\t" } else { b"," };
    let mut text = names.iter().map(|name| name.as_bytes()).collect::<Vec<_>>().join(&delimiter[..]);
    for row in rows {
        text.push(b'\n');
        text.extend(row.iter().map(|cell| quoted(cell)).collect::<Vec<_>>().join(&delimiter[..]));
    }
    let packed = path.extension().is_some_and(|end| end == "gz");
    let mut file = made(&path);
    if packed {
        GzEncoder::new(file, Compression::fast()).write_all(&text).unwrap();
    } else {
        file.write_all(&text).unwrap();
    }
}

fn made(path: &Path) -> File {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    File::create(path).unwrap()
}

fn text_rows(input: &Input) -> TextRows {
    let mut found = (Vec::new(), Vec::new());
    let (names, rows) = (&mut found.0, &mut found.1);
    let mut header = |columns: &[String]| {
        *names = columns.to_vec();
        Ok(())
    };
    let mut each = |cells: &[&[u8]]| rows.push(cells.iter().map(|cell| cell.to_vec()).collect());
    for_each_exact_record(RowSource::Input(input), &OPTIONS, &Quiet, &mut header, &mut each).unwrap();
    found
}

/// These rows, with the columns in another order.
fn turned(batch: &RecordBatch) -> RecordBatch {
    batch.project(&(0..batch.num_columns()).rev().collect::<Vec<_>>()).unwrap()
}

fn turned_rows((names, rows): &TextRows, from: usize, to: usize) -> TextRows {
    let back = |row: &Vec<Vec<u8>>| row.iter().rev().cloned().collect();
    (names.iter().rev().cloned().collect(), rows[from..to].iter().map(back).collect())
}

/// A folder such as `school=a%2C%20b`.
fn partition(column: &str, cell: &[u8]) -> String {
    let escaped = cell.iter().map(|byte| match byte {
        b'a'..=b'z' | b'0'..=b'9' => char::from(*byte).to_string(),
        _ => format!("%{byte:02X}"),
    });
    match cell {
        b"" => format!("{column}=__HIVE_DEFAULT_PARTITION__"),
        _ => format!("{column}={}", escaped.collect::<String>()),
    }
}

/// The same rows in every form, the one CSV file first.
fn forms(folder: &Path, whole: &RecordBatch) -> Vec<Input> {
    let (rows, at) = (whole.num_rows(), |name: &str| folder.join(name));
    let parts = [whole.slice(0, 150), turned(&whole.slice(150, 1)), turned(&whole.slice(151, rows - 151))];
    parquet(at("one.parquet"), &parts[..1]);
    parquet(at("one.parquet"), std::slice::from_ref(whole));
    let text = text_rows(&Input::Path(at("one.parquet")));
    csv(at("one.csv"), &text);
    csv(at("texts/a.csv"), &(text.0.clone(), text.1[..150].to_vec()));
    csv(at("texts/b/x.tsv.gz"), &turned_rows(&text, 150, 151));
    csv(at("texts/c.csv.gz"), &turned_rows(&text, 151, rows));
    // What Spark leaves beside its files, and a partition without rows.
    for (name, content) in [("_SUCCESS", ""), (".a.csv.crc", "crc\n"), ("_temporary/x.csv", "x\n"), ("none.csv", "")] {
        made(&at("texts").join(name)).write_all(content.as_bytes()).unwrap();
    }
    for (k, part) in parts.iter().enumerate() {
        parquet(at(&format!("parquets/part-{k}.parquet")), std::slice::from_ref(part));
        let packing = [None, Some(CompressionType::ZSTD), Some(CompressionType::LZ4_FRAME)][k];
        arrow_file(
            at(&format!("arrows/part-{k}.arrow")),
            &[part.slice(0, 1), part.slice(1, part.num_rows() - 1)],
            packing,
        );
    }
    arrow_stream(at("arrows/part-1.arrow"), &parts[1..2]);
    let halves = [whole.slice(0, 77), whole.slice(77, 0), whole.slice(77, rows - 77)];
    arrow_stream(at("one.arrows"), &halves);
    arrow_stream(at("stream of another name"), &halves);
    arrow_file(at("one.feather"), &halves, Some(CompressionType::LZ4_FRAME));
    arrow_file(at("one.arrow"), &halves, None);
    hive(folder, whole, &text);
    let names = [
        "one.csv",
        "one.parquet",
        "texts",
        "texts/**/*.[ct]sv*",
        "parquets",
        "parquets/part-?.parquet",
        "arrows",
        "one.arrows",
        "stream of another name",
        "one.feather",
        "one.arrow",
        "hive-texts",
        "hive",
        "hive/s*=*/*/*.parquet",
        "hive-arrows",
    ];
    names.map(|name| Input::Path(at(name))).into()
}

/// Two columns as folders.
fn hive(folder: &Path, whole: &RecordBatch, text: &TextRows) {
    let place = |name: &str| text.0.iter().position(|own| own == name).unwrap();
    let keys = [place("school"), place("married")];
    let left: Vec<usize> = (0..text.0.len()).filter(|column| !keys.contains(column)).collect();
    let mut below: std::collections::BTreeMap<PathBuf, Vec<usize>> = Default::default();
    for (row, cells) in text.1.iter().enumerate() {
        let path = keys.map(|column| partition(&text.0[column], &cells[column]));
        below.entry(path.iter().collect()).or_default().push(row);
    }
    for (path, rows) in below {
        let batches: Vec<RecordBatch> = rows.iter().map(|&row| whole.slice(row, 1).project(&left).unwrap()).collect();
        parquet(folder.join("hive").join(&path).join("part-0.parquet"), &batches);
        arrow_stream(folder.join("hive-arrows").join(&path).join("part-0.arrow"), &batches);
        let pick = |row: usize| left.iter().map(|&column| text.1[row][column].clone()).collect();
        let names = left.iter().map(|&column| text.0[column].clone()).collect();
        csv(folder.join("hive-texts").join(&path).join("0"), &(names, rows.iter().map(|&row| pick(row)).collect()));
    }
}

/// All rows, cells in the order of the columns' names, sorted.
fn sorted_rows(table: &Table) -> Vec<Vec<u32>> {
    let mut columns: Vec<(String, Vec<u32>)> = (0..table.domain().len() as u32)
        .map(|k| (table.schema().column(AttrId(k)).name.clone(), table.codes(AttrId(k)).unwrap()))
        .collect();
    columns.sort();
    let rows = columns[0].1.len();
    let mut rows: Vec<Vec<u32>> = (0..rows).map(|row| columns.iter().map(|column| column.1[row]).collect()).collect();
    rows.sort();
    rows
}

fn raw_rows(input: &Input, schema: &Schema) -> Vec<Vec<String>> {
    let names: Vec<&str> = schema.domain().attributes().map(|a| schema.column(a).name.as_str()).collect();
    let mut rows = Vec::new();
    let file = RawFile::for_steward_only(input.clone(), schema.clone(), OPTIONS);
    let mut each = |block: crate::RawBlock| {
        rows.extend((0..block.rows).map(|row| block.columns.iter().map(|c| format!("{:?}", c[row])).collect()));
        Ok(())
    };
    file.for_each_block(&names, &Quiet, &mut each).unwrap();
    rows.sort();
    rows
}

fn draft_rows(input: &Input) -> Vec<Vec<(String, String)>> {
    let names = header_names(input, &OPTIONS).unwrap();
    let mut rows = Vec::new();
    let mut each = |cells: &[&[u8]]| {
        let cells = cells.iter().map(|cell| String::from_utf8_lossy(cell).into_owned());
        let mut row: Vec<(String, String)> = names.iter().cloned().zip(cells).collect();
        row.sort();
        rows.push(row);
    };
    for_each_record(input, &OPTIONS, &Quiet, &mut |_| Ok(()), &mut each).unwrap();
    rows.sort();
    rows
}

#[test]
fn whatever_the_files_it_is_one_table() {
    let schema = every_type();
    let persons = Persons { column: "person".to_owned(), most: 3 };
    for (whole, typed) in [(batch(1000), true), (hostile(), false)] {
        let folder = tempfile::tempdir().unwrap();
        let forms = forms(folder.path(), &whole);
        let wish = DigestWish { key: &KEY, older: false, second: None };
        let codes = |input: &Input| read_for_ledger(input, &schema, None, wish).unwrap();
        let bounded = |input: &Input| {
            sorted_rows(&read_bounded(input, &schema, &OPTIONS, &Bounds::with_key(&persons, KEY)).unwrap())
        };
        let (table, digests) = codes(&forms[0]);
        let expected = sorted_rows(&table.open_for_steward_only());
        let (kept, raw, texts) = (bounded(&forms[0]), raw_rows(&forms[0], &schema), draft_rows(&forms[0]));
        assert!(expected.len() == whole.num_rows() && !kept.is_empty() && kept.len() < expected.len());
        for input in &forms[1..] {
            let (table, own) = codes(input);
            assert!(sorted_rows(&table.open_for_steward_only()) == expected, "{input:?}");
            assert!(own.records == digests.records, "{input:?}");
            assert!(bounded(input) == kept, "{input:?}");
            assert!(raw_rows(input, &schema) == raw, "{input:?}");
            assert!(typed || draft_rows(input) == texts, "{input:?}");
        }
        // One row more is another table.
        arrow_stream(folder.path().join("arrows/part-9.arrow"), &[whole.slice(0, 1)]);
        assert!(codes(&Input::Path(folder.path().join("arrows"))).1.records != digests.records);
    }
}

/// Rows come in the order of the paths' bytes, and of the rows in each file.
#[test]
fn the_order_is_that_of_the_paths() {
    let folder = tempfile::tempdir().unwrap();
    for (name, rows) in [("b.csv", "4\n5"), ("a/z.csv", "2\n3"), ("a.csv", "1"), ("B.csv", "0")] {
        made(&folder.path().join(name)).write_all(format!("c0\n{rows}\n").as_bytes()).unwrap();
    }
    let table = super::read(&Input::Path(folder.path().to_owned()), &super::integers(&[9])).unwrap();
    assert_eq!(super::codes(&table), [[0, 1, 2, 3, 4, 5]]);
}
