use std::fs;

use super::*;

/// A package of these files, in a folder of its own.
fn count_of(files: &[(&str, &str)]) -> Lines {
    let folder = tempfile::tempdir().unwrap();
    for (path, text) in [("a/Cargo.toml", "")].iter().chain(files) {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    count(&source::packages(folder.path()).unwrap())["a"]
}

#[track_caller]
fn assert_lines(text: &str, code: usize, tests: usize) {
    assert_eq!(count_of(&[("a/src/lib.rs", text)]), Lines { code, tests, new: 0 }, "{text}");
}

#[test]
fn blanks_and_comments_of_all_kinds_are_no_code() {
    assert_lines("//! Head\n\n/// Doc\n// why\nfn f() {} // behind\n", 1, 0);
    assert_lines("/* a\n /* nested */\n b */\nfn f() {}\n/** doc\nmore */\nfn g() {}\n", 2, 0);
    assert_lines("#[doc = \"an attribute is code\"]\nfn f() {}\n", 2, 0);
}

#[test]
fn strings_are_code_even_when_they_look_like_comments() {
    assert_lines("const A: &str = \"x\n// not a comment\n\n/* nor this\";\n", 3, 0);
    assert_lines("const A: &str = r#\"\n// \"quoted\"\n\"#;\nconst B: char = '\"';\n", 4, 0);
}

#[test]
fn items_that_only_tests_have_are_tests() {
    assert_lines("fn f() {}\n#[cfg(test)]\nmod tests {\n    // why\n    fn g() {}\n}\n", 1, 4);
    assert_lines("#[cfg(any(test, feature = \"test-noise\"))]\nfn f() {\n}\nfn g() {}\n", 1, 3);
    assert_lines("#[cfg(all(test, unix))]\nfn f() {}\n#[cfg(all(unix, feature = \"x\"))]\nfn g() {}\n", 2, 2);
    assert_lines("#[cfg(not(test))]\nfn f() {}\n#[cfg(any(test, unix))]\nfn g() {}\n", 4, 0);
    assert_lines("struct A {\n    b: u8,\n    #[cfg(test)]\n    c: u8,\n}\n", 3, 2);
    assert_lines("impl A {\n    #[cfg(test)]\n    fn f() {\n    }\n    fn g() {}\n}\n", 3, 3);
    assert_lines("fn f() {\n    #[cfg(test)]\n    g();\n    h();\n}\n", 3, 2);
}

#[test]
fn files_of_test_modules_are_tests_with_all_their_children() {
    let lines = count_of(&[
        ("a/src/lib.rs", "mod x;\n#[cfg(feature = \"test-noise\")]\npub mod hooks;\n"),
        ("a/src/x.rs", "fn f() {}\n#[cfg(test)]\n#[path = \"other.rs\"]\nmod tests;\n"),
        ("a/src/other.rs", "fn t() {}\n"),
        ("a/src/hooks/mod.rs", "mod deep;\n"),
        ("a/src/hooks/deep.rs", "fn t() {}\n"),
        ("a/tests/main.rs", "fn t() {}\n"),
        ("a/examples/e.rs", "fn main() {}\n"),
    ]);
    assert_eq!(lines, Lines { code: 2, tests: 10, new: 0 });
}

#[test]
fn the_table_stands_beside_that_of_a_revision() {
    let lines = |code| Lines { code, tests: 1, new: 0 };
    let now = Count::from([("one".to_owned(), lines(90)), ("two".to_owned(), lines(10))]);
    let before = Count::from([("one".to_owned(), lines(100)), ("three".to_owned(), lines(25))]);
    let table = show(&now, Some(&before));
    let row = |name: &str| {
        let row = table.lines().find(|line| line.starts_with(name)).unwrap();
        row.split_whitespace().skip(1).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(row("one"), ["90", "1", "0", "100", "0.900"]);
    assert_eq!(row("two"), ["10", "1", "0", "0", "-"]);
    assert_eq!(row("three"), ["0", "0", "0", "25", "0.000"]);
    assert_eq!(row("sum"), ["100", "2", "0", "125", "0.800"]);
}

#[test]
fn a_revision_is_counted_without_checking_it_out() {
    let folder = tempfile::tempdir().unwrap();
    let git = |words: &[&str]| {
        let identity = ["-c", "user.name=a", "-c", "user.email=a@example.org"];
        assert!(Command::new("git").args(identity).args(words).current_dir(folder.path()).status().unwrap().success());
    };
    fs::create_dir_all(folder.path().join("a/src")).unwrap();
    fs::write(folder.path().join("a/Cargo.toml"), "").unwrap();
    fs::write(folder.path().join("a/src/lib.rs"), "fn f() {}\nfn g() {}\n").unwrap();
    git(&["init", "-q"]);
    git(&["add", "."]);
    git(&["commit", "-q", "-m", "first"]);
    fs::write(folder.path().join("a/src/lib.rs"), "fn f() {}\n").unwrap();
    let table = table(folder.path(), Some("HEAD")).unwrap();
    assert!(table.lines().any(|line| line.starts_with("sum") && line.ends_with("2   0.500")), "{table}");
    assert!(table_of_nothing(folder.path()), "an unknown revision is told");
}

fn table_of_nothing(root: &Path) -> bool {
    table(root, Some("no-such-revision")).is_err_and(|error| error.to_string().contains("no revision"))
}
