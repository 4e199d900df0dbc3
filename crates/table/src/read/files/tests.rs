//! Which files are taken, what folders say, and what is refused.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime};

use super::pattern::{NamePattern, PathPattern, fits};
use super::{FileList, PartitionKey};
use crate::tests::{integers, read};
use crate::{Input, PrivateTable, ReadOptions, ReadWatch, TableError};

fn put(folder: &Path, name: &str, content: &str) -> PathBuf {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, content).unwrap();
    path
}

fn found(folder: &Path, pattern: &str) -> Vec<String> {
    let list = FileList::find(&folder.join(pattern)).unwrap().unwrap();
    list.paths().map(|path| path.strip_prefix(folder).unwrap().to_string_lossy().into_owned()).collect()
}

#[test]
fn names_match_patterns() {
    let cases = [
        ("*.csv", "a.csv", true),
        ("*.csv", ".csv", false),
        (".*", ".csv", true),
        ("*", "_SUCCESS", false),
        ("_*", "_SUCCESS", true),
        ("a*b*c", "a-b-b-c", true),
        ("a*b*c", "a-b-b", false),
        ("?.csv", "é.csv", true),
        ("?.csv", ".csv", false),
        ("[a-c]x", "bx", true),
        ("[a-c]x", "dx", false),
        ("[!a-c]x", "dx", true),
        ("[]]x", "]x", true),
        ("[x", "[x", true),
        ("***", "anything", true),
        ("a[", "a[", true),
        ("", "", true),
    ];
    for (pattern, name, expected) in cases {
        let pattern: Vec<char> = pattern.chars().collect();
        assert_eq!(fits(&pattern, name.as_ref()), expected, "{pattern:?} {name}");
    }
    let long: Vec<char> = "*a".repeat(200).chars().collect();
    assert!(!fits(&long, format!("{}b", "a".repeat(20_000)).as_ref()));
}

/// A release that lies among the files is no part of the table, unless it is named outright.
#[test]
fn releases_are_left_out() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["a.csv", "x/b.csv", "out/release/synthetic.csv", "out/release/privacy.json", "out.journal.jsonl"] {
        put(folder.path(), name, "c0\n1\n");
    }
    for name in ["alone/synthetic.csv", "alone/privacy.json", "near/synthetic.csv", "near/other.json"] {
        put(folder.path(), name, "c0\n1\n");
    }
    assert_eq!(found(folder.path(), "**/*.csv"), ["a.csv", "near/synthetic.csv", "x/b.csv"]);
    assert_eq!(found(folder.path(), "*"), ["a.csv", "near/other.json", "near/synthetic.csv", "x/b.csv"]);
    assert_eq!(found(folder.path(), ""), found(folder.path(), "**"));
    assert_eq!(found(folder.path(), "*/*.csv"), ["near/synthetic.csv", "x/b.csv"]);
    assert_eq!(found(folder.path(), "out/release/*.csv"), ["out/release/synthetic.csv"]);
    assert!(FileList::find(&folder.path().join("[o]ut/release/*.csv")).is_err());
}

/// What would be taken is judged from names, and agrees with what is found once it is there.
#[test]
fn what_would_be_taken() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("data")).unwrap();
    std::os::unix::fs::symlink(folder.path().join("data"), folder.path().join("link")).unwrap();
    let cases = [
        ("data", "data/out/s.csv", true),
        ("data", "data/../out/s.csv", false),
        ("data", "link/out/s.csv", true),
        ("data", "database/s.csv", false),
        ("data/*.csv", "data/out/s.csv", false),
        ("data/*.csv", "data/s.csv", true),
        ("data/*", "data/out/s.csv", true),
        ("data/*/*.csv", "data/out/s.csv", true),
        ("data/*/*.csv", "data/out/deep/s.csv", false),
        ("data/**/*.csv", "data/out/deep/s.csv", true),
        ("data/**/*.csv", "data/s.csv", true),
        ("data/**/*.parquet", "data/out/s.csv", false),
        ("data/**", "data/out/s.csv", true),
        ("link/**", "data/out/s.csv", true),
        ("data/one.csv", "data/one.csv", false),
    ];
    for (given, file, expected) in cases {
        let [given, file] = [given, file].map(|name| folder.path().join(name));
        assert_eq!(FileList::would_take(&given, &file), expected, "{given:?} {file:?}");
    }
}

#[test]
fn a_pattern_begins_at_its_first_wildcard() {
    assert!(PathPattern::new(Path::new("data/a.csv")).is_none());
    let pattern = PathPattern::new(Path::new("data/x/**/*.csv")).unwrap();
    assert_eq!(pattern.root, Path::new("data/x"));
    assert!(matches!(pattern.names.as_slice(), [NamePattern::AnyFolders, NamePattern::Name(_)]));
}

#[test]
fn files_are_found_in_order_and_hidden_ones_are_not() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["b.csv", "a/2.csv", "a/1.csv", "a/deep/er/3.csv", "a.csv", "c.txt", "_x.csv", ".y.csv", "_t/4.csv"] {
        put(folder.path(), name, "c0\n1\n");
    }
    let all = ["a.csv", "a/1.csv", "a/2.csv", "a/deep/er/3.csv", "b.csv", "c.txt"];
    assert_eq!(found(folder.path(), ""), all);
    assert_eq!(found(folder.path(), "**"), all);
    assert_eq!(found(folder.path(), "**/*.csv"), all[..5]);
    assert_eq!(found(folder.path(), "*.csv"), ["a.csv", "b.csv"]);
    assert_eq!(found(folder.path(), "*/[12].csv"), ["a/1.csv", "a/2.csv"]);
    assert_eq!(found(folder.path(), "a*"), ["a.csv", "a/1.csv", "a/2.csv", "a/deep/er/3.csv"]);
    assert_eq!(found(folder.path(), "_*/*.csv"), ["_t/4.csv"]);
    // A name that is there is no pattern.
    put(folder.path(), "[x]*.csv", "c0\n1\n");
    assert!(FileList::find(&folder.path().join("[x]*.csv")).unwrap().is_none());
}

#[cfg(unix)]
#[test]
fn links_are_followed_but_not_in_circles() {
    let folder = tempfile::tempdir().unwrap();
    put(folder.path(), "data/a.csv", "c0\n1\n");
    let elsewhere = put(folder.path(), "elsewhere/b.csv", "c0\n2\n");
    std::os::unix::fs::symlink(elsewhere.parent().unwrap(), folder.path().join("data/more")).unwrap();
    assert_eq!(found(folder.path(), "data"), ["data/a.csv", "data/more/b.csv"]);
    std::os::unix::fs::symlink(folder.path().join("data"), folder.path().join("data/back")).unwrap();
    for pattern in ["data", "data/**/*.csv"] {
        let error = FileList::find(&folder.path().join(pattern)).unwrap_err().to_string();
        assert!(error.contains("back") && error.contains("leads back"), "{error}");
    }
}

#[test]
fn folders_tell_columns() {
    let folder = tempfile::tempdir().unwrap();
    put(folder.path(), "x=1/year=2020/who=a%2Cb%/=c/d/f=g.csv", "c0\n1\n");
    put(folder.path(), "x=1/year=__HIVE_DEFAULT_PARTITION__/who=/f.csv", "c0\n1\n");
    let keys = |pattern: &str| -> Vec<Vec<PartitionKey>> {
        let list = FileList::find(&folder.path().join(pattern)).unwrap().unwrap();
        list.files().iter().map(|file| file.keys.clone()).collect()
    };
    let key = |column: &str, cell: Option<&str>| PartitionKey {
        column: column.to_owned(),
        cell: cell.map(|cell| cell.as_bytes().to_vec()),
    };
    let below =
        vec![vec![key("year", Some("2020")), key("who", Some("a,b%"))], vec![key("year", None), key("who", Some(""))]];
    assert_eq!(keys("x=1"), below);
    assert_eq!(keys("x=1/*/**/*.csv"), below);
    assert_eq!(keys("x=1/year=2020/**")[0], [key("who", Some("a,b%"))]);
    assert_eq!(keys("")[0][0], key("x", Some("1")));
}

fn refused(folder: &Path, files: &[(&str, &str)]) -> String {
    files.iter().for_each(|(name, content)| drop(put(folder, name, content)));
    match read(&Input::Path(folder.to_owned()), &integers(&[9, 9])) {
        Ok(_) => panic!("{files:?} were read"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn files_that_do_not_go_together_are_named_with_the_column() {
    /// Files with their contents, and what is told of them.
    type Case = (&'static [(&'static str, &'static str)], &'static [&'static str]);
    let cases: [Case; 8] = [
        (&[("a.csv", "c0,c1\n1,2\n"), ("b.csv", "c0\n1\n")], &["b.csv", "a.csv", "no column \"c1\""]),
        (&[("a.csv", "c0,c1\n1,2\n"), ("b.csv", "c0,c1,c2\n")], &["b.csv", "a.csv", "a column \"c2\""]),
        (&[("a.csv", "c0,c1\n1,2\n"), ("b.csv", "c0,c1,c1\n")], &["b.csv", "two columns \"c1\""]),
        (&[("a.csv", "c0,c1\n1,2\n"), ("b.arrows", "c0,c1\n")], &["b.arrows", "is not an Arrow file"]),
        (&[("c1=3/a.csv", "c0,c1\n1,2\n")], &["a.csv", "\"c1\"", "c1=..."]),
        (&[("c1=3/a.csv", "c0\n1\n"), ("b.csv", "c0\n1\n")], &["c1=3/a.csv", "b.csv", "a column \"c1\""]),
        (&[("c1=3/c1=4/a.csv", "c0\n1\n")], &["a.csv", "\"c1\""]),
        (&[("a.csv", ""), ("b.csv", "")], &["empty files only"]),
    ];
    for (files, expected) in cases {
        let folder = tempfile::tempdir().unwrap();
        let line = refused(folder.path(), files);
        assert!(expected.iter().all(|words| line.contains(words)) && !line.contains('\n'), "{line}");
    }
    // Kinds are told by content.
    let folder = tempfile::tempdir().unwrap();
    let batch = arrow_array::RecordBatch::try_from_iter([
        ("c0", std::sync::Arc::new(arrow_array::Int32Array::from(vec![1])) as arrow_array::ArrayRef),
        ("c1", std::sync::Arc::new(arrow_array::Int32Array::from(vec![1])) as arrow_array::ArrayRef),
    ]);
    let batch = batch.unwrap();
    let mut writer =
        parquet::arrow::ArrowWriter::try_new(fs::File::create(folder.path().join("z")).unwrap(), batch.schema(), None)
            .unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
    let line = refused(folder.path(), &[("a.csv", "c0,c1\n1,2\n")]);
    assert!(line.contains("is Parquet, unlike") && line.contains("a.csv, which is delimited text"), "{line}");
}

/// Does something to the files once, while they are read.
struct Meddling<F>(F, AtomicBool);

impl<F: Fn() + Sync> ReadWatch for Meddling<F> {
    fn share_read(&self, _share: f64) {
        if !self.1.swap(true, Ordering::Relaxed) {
            (self.0)();
        }
    }
    fn cancelled(&self) -> bool {
        false
    }
}

fn read_while(input: &Input, meddle: impl Fn() + Sync) -> Result<(), TableError> {
    let options = ReadOptions { delimiter: None, encoding: None, multiline: false, memory: u64::MAX };
    let watch = Meddling(meddle, AtomicBool::new(false));
    let read = PrivateTable::read(input, &integers(&[9]), &options, &watch).map(drop);
    assert!(watch.1.into_inner(), "nothing was told");
    read
}

#[test]
fn rows_of_two_states_are_no_table() {
    type Change = (&'static str, fn(&Path));
    let changes: [Change; 6] = [
        ("nothing", |_| {}),
        ("another file", |folder| drop(put(folder, "data/b.csv", "c0\n3\n"))),
        ("a longer one", |folder| drop(put(folder, "data/a.csv", "c0\n1\n1\n"))),
        ("other cells", |folder| {
            drop(put(folder, "data/a.csv", "c0\n7\n"));
            let file = fs::File::options().write(true).open(folder.join("data/a.csv")).unwrap();
            file.set_modified(SystemTime::now() + Duration::from_secs(5)).unwrap();
        }),
        ("one that is gone", |folder| fs::remove_file(folder.join("data/a.csv")).unwrap()),
        ("a hidden one", |folder| drop(put(folder, "data/_later.csv", "c0\n3\n"))),
    ];
    for (what, change) in changes {
        for name in ["data", "data/*", "data/a.csv"] {
            let folder = tempfile::tempdir().unwrap();
            put(folder.path(), "data/a.csv", "c0\n1\n");
            let input = Input::Path(folder.path().join(name));
            let read = read_while(&input, || change(folder.path()));
            let stays = matches!(what, "nothing" | "a hidden one") || (what == "another file" && name == "data/a.csv");
            match read {
                Ok(()) => assert!(stays, "{what} in {name}"),
                Err(error) => {
                    assert!(!stays && matches!(error, TableError::Changed), "{what} in {name}: {error}");
                    let line = error.to_string();
                    assert!(line.contains("changed while they were read") && !line.contains("a.csv"), "{line}");
                }
            }
        }
    }
}

/// A list is of the files as they were when it was made, however long ago.
#[test]
fn a_list_that_is_out_of_date_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    put(folder.path(), "a.csv", "c0\n1\n");
    let list = Input::Files(FileList::find(folder.path()).unwrap().unwrap());
    assert!(read(&list, &integers(&[9])).is_ok());
    put(folder.path(), "a.csv", "c0\n1\n2\n");
    assert!(matches!(read(&list, &integers(&[9])), Err(TableError::Changed)));
}

/// Shares of files add up to one, and never go back.
#[test]
fn progress_is_that_of_all_files() {
    struct Shares(std::sync::Mutex<Vec<f64>>);
    impl ReadWatch for Shares {
        fn share_read(&self, share: f64) {
            self.0.lock().unwrap().push(share);
        }
        fn cancelled(&self) -> bool {
            false
        }
    }
    let folder = tempfile::tempdir().unwrap();
    for name in ["a.csv", "b.csv", "c.csv"] {
        put(folder.path(), name, &format!("c0\n{}", "1\n".repeat(100)));
    }
    let options = ReadOptions { delimiter: None, encoding: None, multiline: false, memory: u64::MAX };
    let shares = Shares(Default::default());
    PrivateTable::read(&Input::Path(folder.path().to_owned()), &integers(&[9]), &options, &shares).unwrap();
    let shares = shares.0.into_inner().unwrap();
    assert!(shares.is_sorted() && shares.iter().any(|share| (0.3..0.4).contains(share)), "{shares:?}");
    assert!((shares.last().unwrap() - 1.0).abs() < 1e-9);
}
