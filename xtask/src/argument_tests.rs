use super::*;

/// The argument as it stands. If this fails, read the steps that it names, then bless.
#[test]
fn the_privacy_argument_rests_on_the_code_as_it_is() {
    let references = check(&crate::cargo::root()).unwrap();
    assert!(references >= 60, "only {references} references: was the argument cut short?");
}

const SOURCE: &str = "//! Head\n//! # Privacy\n//! because\n\nconst A: u8 = 1;\nimpl B {\n    fn long(\n        x: u8,\n    ) -> u8 {\n        \
                      x\n    }\n    fn short() {}\n}\n";

fn lines_of(anchor: &str) -> Result<(usize, usize)> {
    let lines: Vec<&str> = SOURCE.lines().collect();
    extent(&lines, anchor).map(|range| (range.start + 1, range.end))
}

#[test]
fn an_anchor_stands_for_its_whole_item() {
    assert_eq!(lines_of("# Privacy").unwrap(), (2, 3));
    assert_eq!(lines_of("const A").unwrap(), (5, 5));
    assert_eq!(lines_of("impl B").unwrap(), (6, 13));
    assert_eq!(lines_of("fn long(").unwrap(), (7, 11));
    assert_eq!(lines_of("fn short").unwrap(), (12, 12));
    assert!(lines_of("fn none").is_err());
    assert!(lines_of("fn ").is_err(), "two lines hold it");
}

/// A small repository with a document about one file.
fn repository(document: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for path in DOOR.into_iter().chain(["docs", "crates/measurement/src/statement/v1"]) {
        fs::create_dir_all(folder.path().join(path)).unwrap();
    }
    fs::write(folder.path().join("crates/privacy/src/a.rs"), SOURCE).unwrap();
    fs::write(folder.path().join(STATEMENT[0]), "struct XV1 {\n    epsilon: f64,\n}\n").unwrap();
    fs::write(folder.path().join(STATEMENT[1]), "").unwrap();
    fs::write(folder.path().join(DOCUMENT), document).unwrap();
    folder
}

const NEW: &str = "### 1. Step\n`crates/privacy/src/a.rs \"fn long(\"` and `epsilon`\n";

#[test]
fn a_new_reference_is_blessed_and_then_holds() {
    let folder = repository(NEW);
    assert!(check(folder.path()).unwrap_err().to_string().contains("has no lines"));
    assert_eq!(bless(folder.path()).unwrap().len(), 1);
    assert_eq!(check(folder.path()).unwrap(), 1);
    let text = fs::read_to_string(folder.path().join(DOCUMENT)).unwrap();
    assert!(text.contains("`crates/privacy/src/a.rs#L7-L11 \"fn long(\" "), "{text}");
    assert!(bless(folder.path()).unwrap().is_empty(), "nothing is left to say");
}

#[test]
fn code_that_moves_changes_or_goes_is_noticed() {
    let folder = repository(NEW);
    bless(folder.path()).unwrap();
    let path = folder.path().join("crates/privacy/src/a.rs");
    let told = |source: &str| {
        fs::write(&path, source).unwrap();
        check(folder.path()).unwrap_err().to_string()
    };
    assert!(told(&format!("\n{SOURCE}")).contains("has moved from line 7 to line 8"));
    assert!(told(&SOURCE.replace("        x\n", "        x + 1\n")).contains("the code has changed"));
    assert!(told(&SOURCE.replace("fn long(", "fn other(")).contains("there is no"));
    fs::remove_file(&path).unwrap();
    assert!(check(folder.path()).unwrap_err().to_string().contains("cannot be read"));
    // Moved code is found again by its anchor.
    fs::write(&path, format!("\n{SOURCE}")).unwrap();
    assert_eq!(bless(folder.path()).unwrap(), ["1. Step: moved: crates/privacy/src/a.rs \"fn long(\""]);
    assert!(check(folder.path()).is_ok());
}

#[test]
fn what_the_argument_leaves_out_is_noticed() {
    let folder = repository(NEW);
    bless(folder.path()).unwrap();
    fs::write(folder.path().join("crates/curator/src/new.rs"), "").unwrap();
    assert!(check(folder.path()).unwrap_err().to_string().contains("curator/src/new.rs: is part of the door"));
    fs::remove_file(folder.path().join("crates/curator/src/new.rs")).unwrap();
    fs::write(folder.path().join(STATEMENT[1]), "struct YV1 {\n    rows: u64,\n}\n").unwrap();
    assert!(check(folder.path()).unwrap_err().to_string().contains("`rows` of privacy.json"));
    let bare = repository(&format!("{NEW}### 2. Bare\nWords.\n"));
    bless(bare.path()).unwrap();
    assert!(check(bare.path()).unwrap_err().to_string().contains("2. Bare: names no code"));
}
