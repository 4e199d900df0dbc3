//! Every command in the documents is run, in order, as a newcomer would: documents that lie are
//! bugs.

use std::path::{Path, PathBuf};
use std::process::Command;

/// How a line of a shell block is run.
enum Line {
    /// The program with these words.
    Program(Vec<String>),
    /// A command that another test runs (the benchmark program), or that runs this test.
    Elsewhere,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The documents with commands: those at the root, and all under `docs/`.
fn documents() -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![root().join("docs")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder of documents") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "md") {
                found.push(path);
            }
        }
    }
    found.extend(["README.md", "ARCHITECTURE.md", "SECURITY.md", "CONTRIBUTING.md"].map(|name| root().join(name)));
    found.sort();
    found
}

/// The lines of the `sh` blocks of a document.
fn commands(text: &str) -> Vec<&str> {
    let mut inside = false;
    let mut lines = Vec::new();
    for line in text.lines() {
        if line.starts_with("```") {
            inside = line == "```sh";
        } else if inside && !line.trim().is_empty() {
            lines.push(line.trim());
        }
    }
    lines
}

fn understand(line: &str) -> Line {
    let words = |text: &str| Line::Program(split(text));
    if let Some(rest) = line.strip_prefix("cargo run --release -- ") {
        words(rest)
    } else if let Some(rest) = line.strip_prefix("lookalike ") {
        words(rest)
    } else if line == "cargo xtask test"
        || line.starts_with("pip install ")
        || line.starts_with("cargo run --release -p lookalike-bench -- ")
    {
        Line::Elsewhere
    } else {
        panic!("no test knows how to run this documented command: {line}");
    }
}

/// Words as a shell splits them, with single and double quotes, and backslashes in the latter.
fn split(text: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), String::new(), None);
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        match (letter, quote) {
            ('\\', Some('"')) => word.extend(letters.next()),
            ('"' | '\'', None) => quote = Some(letter),
            (letter, Some(open)) if letter == open => quote = None,
            (' ', None) => words.push(std::mem::take(&mut word)),
            _ => word.push(letter),
        }
    }
    words.push(word);
    words.retain(|word| !word.is_empty());
    words
}

/// What the text around a drafted schema asks of the steward: delete the review marks.
fn review(folder: &Path) {
    for path in ["schema.toml", "visits.toml"].map(|name| folder.join(name)) {
        if let Ok(text) = std::fs::read_to_string(&path) {
            let kept: Vec<&str> =
                text.lines().filter(|line| !line.starts_with("review") && !line.starts_with("harmless")).collect();
            std::fs::write(&path, kept.join("\n")).expect("a reviewed schema");
        }
    }
}

/// A stop of the tour: a file and the beginning of a function, both in backquotes.
fn stop(line: &str) -> Option<(&str, &str)> {
    let mut quoted = line.split('`').skip(1).step_by(2);
    line.split_once(". `")?.0.parse::<u32>().ok()?;
    Some((quoted.next()?, quoted.next()?))
}

#[test]
fn the_tour_has_twelve_stops_that_are_there() {
    let tour = std::fs::read_to_string(root().join("docs/tour.md")).expect("a tour");
    let stops: Vec<(&str, &str)> = tour.lines().filter_map(stop).collect();
    assert_eq!(stops.len(), 12);
    for (file, function) in stops {
        let code = std::fs::read_to_string(root().join(file)).unwrap_or_else(|error| panic!("{file}: {error}"));
        assert_eq!(code.matches(function).count(), 1, "{file}: `{function}` is not there once");
    }
    assert_eq!(stop("text with `two` `quotes`"), None);
}

/// The people once more, in a file for each of two years.
fn visits(folder: &Path) {
    for (seed, year) in [(6, "year=2023"), (7, "year=2024")] {
        let path = folder.join("visits").join(year);
        std::fs::create_dir_all(&path).expect("a folder");
        let mut people = Vec::new();
        lookalike::demo_data::write_csv(500, seed, &mut people).expect("made-up people");
        std::fs::write(path.join("part-0.csv"), people).expect("a table");
    }
}

#[test]
fn every_documented_command_works() {
    let mut run = 0;
    for document in documents() {
        let text = std::fs::read_to_string(&document).expect("a document");
        let folder = tempfile::tempdir().expect("a folder");
        let mut people = Vec::new();
        lookalike::demo_data::write_csv(2_000, 5, &mut people).expect("made-up people");
        std::fs::write(folder.path().join("people.csv"), people).expect("a table");
        visits(folder.path());
        std::fs::write(folder.path().join("book.csv"), "name,type,values\nage,integer,0-99\nsex,,F; M\n")
            .expect("a book");
        for line in commands(&text) {
            let Line::Program(words) = understand(line) else { continue };
            let output = Command::new(env!("CARGO_BIN_EXE_lookalike"))
                .args(&words)
                .current_dir(folder.path())
                .output()
                .expect("the program starts");
            assert!(
                output.status.success(),
                "{}: `{line}` failed: {}",
                document.display(),
                String::from_utf8_lossy(&output.stderr)
            );
            review(folder.path());
            run += 1;
        }
    }
    assert!(run >= 6, "only {run} commands were found: is the test looking at the documents?");
}
