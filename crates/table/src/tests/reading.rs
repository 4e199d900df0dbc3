//! Files of all kinds become the same codes; what is no table is refused in one line.

use std::io::Write;
use std::sync::atomic::{AtomicUsize, Ordering};

use flate2::Compression;
use flate2::write::GzEncoder;

use super::{OPTIONS, Quiet, codes, every_type, integers, read, read_codes, read_multiline, write_file};
use crate::read::{for_each_record, header_names};
use crate::{Input, PrivateTable, ReadOptions, ReadWatch, Table, TableError};

const CLEAN: &[u8] = b"c0,c1,c2\n1,2,3\n0,1,2\n2,0,1\n";

fn clean() -> Vec<Vec<u32>> {
    vec![vec![1, 0, 2], vec![2, 1, 0], vec![3, 2, 1]]
}

fn gzip(parts: &[&[u8]]) -> Vec<u8> {
    let mut out = Vec::new();
    for part in parts {
        let mut encoder = GzEncoder::new(&mut out, Compression::fast());
        encoder.write_all(part).unwrap();
        encoder.finish().unwrap();
    }
    out
}

#[test]
fn the_usual_sins() {
    let schema = integers(&[3, 3, 4]);
    let files: &[(&str, &[u8])] = &[
        ("a.csv", CLEAN),
        ("bom.csv", b"\xef\xbb\xbfc0,c1,c2\r\n1,2,3\r\n0,1,2\n2,0,1"),
        ("old-mac.csv", b"c0,c1,c2\r1,2,3\r0,1,2\r2,0,1\r"),
        ("semicolon.csv", b"c0;c1;c2\n1;2;3\n0;1;2\n2;0;1\n"),
        ("pipe.txt", b"c0|c1|c2\n1|2|3\n0|1|2\n2|0|1\n"),
        ("tab.tsv", b"c0\tc1\tc2\n1\t2\t3\n0\t1\t2\n2\t0\t1\n"),
        ("no-name", b"c0\tc1\tc2\n1\t2\t3\n0\t1\t2\n2\t0\t1\n"),
        ("quoted.csv", b"\"c0\",\"c1\",\"c2\"\n\"1\",\"2\",\"3\"\n\n0,\"1\",2\n\n\"2\",0,\"1\"\n\n"),
        ("order.csv", b"c2,junk,c0,c1\n3,\"a\nb\",1,2\n2,,0,1,9,9\n1,x,2,0\n"),
    ];
    for (name, content) in files {
        let found = read_multiline(name, content, &schema);
        let expected = clean();
        let expected = if *name == "order.csv" {
            vec![expected[2].clone(), expected[0].clone(), expected[1].clone()]
        } else {
            expected
        };
        assert!(found == expected, "{name}");
        assert!(*name == "order.csv" || read_codes(name, content, &schema) == expected, "{name}");
    }
    for name in ["a.csv.gz", "misnamed.csv"] {
        assert!(read_codes(name, &gzip(&[CLEAN]), &schema) == clean(), "{name}");
        assert!(read_codes(name, &gzip(&[&CLEAN[..12], &CLEAN[12..]]), &schema) == clean(), "{name}, two members");
    }
    assert!(read_codes("tab.tsv.gz", &gzip(&[b"c0\tc1\tc2\n1\t2\t3\n0\t1\t2\n2\t0\t1\n"]), &schema) == clean());
}

#[test]
fn a_header_alone_is_a_table_without_rows() {
    let schema = integers(&[3, 3, 4]);
    for content in [&b"c0,c1,c2"[..], b"c0,c1,c2\n", b"c0,c1,c2\r\n\r\n\n"] {
        assert_eq!(read_codes("a.csv", content, &schema), vec![Vec::<u32>::new(); 3]);
    }
}

#[test]
fn bad_cells_never_stop_a_reader() {
    let schema = every_type();
    let mut text = b"person,age,note,height,school,married,born,seen\n".to_vec();
    let rows = [
        &b"1,999999999999999999999999,x,NaN,\xff\xfe,maybe,0000-00-00,never"[..],
        b"2,-1e400,,inf,\0,2,9999-99-99,\"\"",
        b"\x80\x81",
        b",,,,,,,,,,,,,",
        b"\"1\",\"12\",\"a\nb\",\"1.5\",\"say \"\"hi\"\"\",true,1950-02-03,2010-01-01T10:00:00",
        b"x,\"unclosed",
    ];
    for row in rows {
        text.extend_from_slice(row);
        text.push(b'\n');
    }
    let found = read_multiline("bad.csv", &text, &schema);
    assert!(found.iter().all(|column| column.len() == rows.len()));
    let domain = schema.domain();
    for (column, &size) in found.iter().zip(domain.sizes()) {
        assert!(column.iter().all(|&code| code < size));
    }
    // The good record among them is read as if it stood alone.
    let header = text.iter().position(|&byte| byte == b'\n').unwrap() + 1;
    let alone = read_multiline("good.csv", &[&text[..header], rows[4]].concat(), &schema);
    assert!(found.iter().zip(&alone).all(|(all, one)| all[4] == one[0]));
}

#[test]
fn what_is_no_table_says_so_in_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let schema = integers(&[3, 3]);
    let named = |name: &str, content: &[u8]| write_file(folder.path(), name, content);
    std::fs::create_dir(folder.path().join("none")).unwrap();
    let cases = [
        (Input::Path(folder.path().join("nowhere.csv")), "no such file"),
        (Input::Path(folder.path().join("none")), "no files to read"),
        (Input::Path(folder.path().join("*.nothing")), "no files to read"),
        (Input::Path(folder.path().join("nowhere/*.csv")), "no such file"),
        (named("false.arrow", CLEAN), "not an Arrow file"),
        (named("cut.arrow", b"ARROW1\0\0 and no more"), "damaged Arrow"),
        (named("cut.arrows", &[0xff; 9]), "damaged Arrow"),
        (named("old.feather", b"FEA1\0\0\0\0"), "version 1"),
        (named("old", b"FEA1\0\0\0\0"), "version 1"),
        (named("empty.csv", b""), "is empty"),
        (named("empty.csv.gz", &gzip(&[b""])), "is empty"),
        (named("junk.bin", &[0, 159, 146, 150, 10, 0]), "not a table"),
        (named("false.parquet", CLEAN), "not a Parquet file"),
        (named("missing.csv", b"c0,c9\n1,2\n"), "c1"),
        (named("twice.csv", b"c0,c1,c1\n1,2,3\n"), "twice"),
        (named("cut.csv.gz", &gzip(&[b"c0,c1\n1,2\n"])[..20]), "damaged"),
        (named("cut.parquet", b"PAR1 and no more"), "Parquet"),
    ];
    for (input, expected) in cases {
        let error = match read(&input, &schema) {
            Ok(_) => panic!("{input:?} was read"),
            Err(error) => error,
        };
        assert!(!matches!(error, TableError::Io { .. }), "{error}");
        let line = error.to_string();
        assert!(line.contains(expected) && line.contains("; ") && !line.contains('\n'), "{line}");
    }
}

#[test]
fn damage_further_on_is_loud_and_quotes_no_cell() {
    let mut text = b"c0,c1\n".to_vec();
    (0..200_000u32).for_each(|k| text.extend(format!("{},{}\n", k.wrapping_mul(2_654_435_761) >> 7, k).bytes()));
    let mut packed = gzip(&[&text]);
    let middle = packed.len() / 2;
    packed[middle..middle + 64].fill(0xaa);
    let folder = tempfile::tempdir().unwrap();
    let error = read(&write_file(folder.path(), "a.csv.gz", &packed), &integers(&[3, 3])).err().unwrap().to_string();
    assert!(error.contains("damaged") && !error.contains("2654435761"), "{error}");
}

/// A large file with quotes and ragged rows: many chunks, any number of threads, with and without
/// spilling.
#[test]
fn row_order_does_not_depend_on_chunks_threads_or_memory() {
    let sizes = [7, 300, 70_000, 2];
    let schema = integers(&sizes);
    let mut text = b"c0,c1,c2,c3\n".to_vec();
    let rows = 150_000u32;
    let row = |k: u32| [k % 7, k * 31 % 300, k.wrapping_mul(97) % 70_000, k / 11 % 2];
    for k in 0..rows {
        let [a, b, c, d] = row(k);
        let line = match k % 5 {
            0 => format!("\"{a}\",{b},\"{c}\",{d}\r\n"),
            1 => format!("{a},{b},{c},{d},\"more\n, {{\"\n"),
            2 => format!("\n{a},{b},{c},\"{d}\"\n"),
            _ => format!("{a},{b},{c},{d}\n"),
        };
        text.extend_from_slice(line.as_bytes());
    }
    let folder = tempfile::tempdir().unwrap();
    let input = write_file(folder.path(), "a.csv", &text);
    let expected: Vec<Vec<u32>> = (0..4).map(|column| (0..rows).map(|k| row(k)[column]).collect()).collect();
    for (threads, memory) in [(1, u64::MAX), (3, 0), (2, 700_000)] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let options = ReadOptions { delimiter: None, encoding: None, multiline: true, memory };
        let table = pool.install(|| Table::read(&input, &schema, &options, &Quiet)).unwrap();
        assert_eq!(table.0.store.spilled_blocks() > 0, memory < u64::MAX);
        assert_eq!(table.rows(), u64::from(rows));
        assert!(codes(&table) == expected, "{threads} threads");
    }
}

/// One line with a quote that is never closed, in a column that nobody models: all other rows are
/// there, in every chunk and thread. With line ends in quotes allowed it swallows what follows.
#[test]
fn a_stray_quote_costs_its_own_row_at_most() {
    let schema = integers(&[7, 300]);
    let rows = 60_000u32;
    let text = |stray: Option<u32>| {
        let line = |k: u32| {
            let note = if stray == Some(k) { "\"so" } else { "so" };
            format!("{},padding padding padding,{note},{}\n", k % 7, k * 31 % 300)
        };
        std::iter::once("c0,p,note,c1\n".to_owned()).chain((0..rows).map(line)).collect::<String>()
    };
    let clean = read_codes("a.csv", text(None).as_bytes(), &schema);
    for stray in [0, 29_999, rows - 1] {
        let mut found = read_codes("a.csv", text(Some(stray)).as_bytes(), &schema);
        assert_eq!(found[0], clean[0]);
        found[1][stray as usize] = clean[1][stray as usize];
        assert_eq!(found[1], clean[1]);
    }
    assert!(read_multiline("a.csv", text(Some(0)).as_bytes(), &schema)[0].len() == 1);
    // The schema itself may say so.
    let said = lookalike_schema::Schema::parse("multiline = true\n[columns.v]\ntype = \"boolean\"\n", "s").unwrap();
    assert_eq!(read_codes("a.csv", b"v\n\"a\nb\"\n", &said)[0].len(), 1);
}

#[test]
fn thousands_of_columns() {
    let columns = 3000;
    let schema = integers(&vec![5; columns]);
    let line = |cell: &dyn Fn(usize) -> String| (0..columns).map(cell).collect::<Vec<_>>().join(",") + "\n";
    let mut text = line(&|k| format!("c{k}"));
    (0..7).for_each(|row| text += &line(&|k| ((k + row) % 5).to_string()));
    let found = read_codes("wide.csv", text.as_bytes(), &schema);
    assert!(found.iter().enumerate().all(|(k, codes)| *codes == [0, 1, 2, 3, 4, 5, 6].map(|row| (k as u32 + row) % 5)));
}

/// A line of two bytes is a row of all columns: chunks are small, so that what they become is not
/// large.
#[test]
fn short_rows_of_a_wide_table() {
    let (columns, rows) = (3000, 3000);
    let mut text = (0..columns).map(|k| format!("c{k}")).collect::<Vec<_>>().join(",").into_bytes();
    text.extend(b"\n1".repeat(rows));
    let found = read_codes("wide.csv", &text, &integers(&vec![2; columns]));
    assert!(
        found.iter().enumerate().all(|(k, codes)| codes.len() == rows && codes.iter().all(|&c| c == u32::from(k == 0)))
    );
}

#[test]
fn records_for_drafts_are_padded_and_cut() {
    let folder = tempfile::tempdir().unwrap();
    let input = write_file(folder.path(), "a.csv", b"a,b\n1\n1,2,3\n\"x\"\"y\",\"\n\"\n");
    assert_eq!(header_names(&input, &OPTIONS).unwrap(), ["a", "b"]);
    let mut seen = Vec::new();
    let mut names = Vec::new();
    let mut keep_names = |header: &[String]| {
        names = header.to_vec();
        Ok(())
    };
    let mut keep = |cells: &[&[u8]]| seen.push(cells.iter().map(|c| String::from_utf8_lossy(c).into_owned()).collect());
    let options = ReadOptions { multiline: true, ..OPTIONS };
    for_each_record(&input, &options, &Quiet, &mut keep_names, &mut keep).unwrap();
    let expected: Vec<Vec<String>> =
        [["1", ""], ["1", "2"], ["x\"y", "\n"]].iter().map(|row| row.map(str::to_owned).to_vec()).collect();
    assert_eq!((names, seen), (vec!["a".to_owned(), "b".to_owned()], expected));
}

#[test]
fn progress_ends_at_the_whole_file_and_a_stop_is_obeyed() {
    struct Watch {
        told: AtomicUsize,
        stop_at: usize,
    }
    impl ReadWatch for Watch {
        fn share_read(&self, share: f64) {
            assert!(share > 0.0 && share <= 1.0);
            self.told.fetch_add(1, Ordering::Relaxed);
        }
        fn cancelled(&self) -> bool {
            self.told.load(Ordering::Relaxed) >= self.stop_at
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let mut text = b"c0\n".to_vec();
    (0..4_000_000).for_each(|_| text.extend_from_slice(b"1\n"));
    let input = write_file(folder.path(), "a.csv", &text);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let watch = |stop_at| Watch { told: AtomicUsize::new(0), stop_at };
    let all = watch(usize::MAX);
    pool.install(|| PrivateTable::read(&input, &integers(&[2]), &OPTIONS, &all)).unwrap();
    assert!(all.told.load(Ordering::Relaxed) > 1);
    let stopped = watch(1);
    let result = pool.install(|| PrivateTable::read(&input, &integers(&[2]), &OPTIONS, &stopped));
    assert!(matches!(result, Err(TableError::Cancelled)));
}

/// One cell of 40 MB and an unclosed quote: cut, not held.
#[test]
fn monstrous_records_are_cut() {
    let mut text = b"c0,c1\n1,1\n".to_vec();
    text.extend(std::iter::repeat_n(b'9', 40 << 20));
    text.extend_from_slice(b",1\n0,1\n\"");
    text.extend(std::iter::repeat_n(b'\n', 5 << 20));
    // The over-long number is clamped, its second cell is cut off and becomes empty; the unclosed
    // quote is one record.
    assert!(read_codes("a.csv", &text, &integers(&[3, 3])) == vec![vec![1, 2, 0, 0], vec![1, 0, 1, 0]]);
}
