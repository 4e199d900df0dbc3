//! A release that was written, read back and compared, through the library.

use std::fs;

use crate::common::Untouched;
use lookalike::{
    Budget, Category, Engine, Error, EvaluationSettings, Independent, Integer, Release, Schema, SettingError,
    Synthesizer,
};

struct Home {
    folder: tempfile::TempDir,
    release: Release,
}

impl Home {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let row = |i: u32| format!("{},{}\n", i * 7 % 10, if i.is_multiple_of(3) { "f" } else { "m" });
        fs::write(folder.path().join("rows.csv"), (0..400).fold("age,sex\n".to_owned(), |text, i| text + &row(i)))
            .unwrap();
        let schema = Schema::builder().column("age", Integer::range(0, 9)).column("sex", Category::of(["f", "m"]));
        let schema = schema.build().unwrap();
        let budget = Budget::new(5.0, 1e-9).unwrap();
        let run = Synthesizer::new(schema).budget(budget).method(Independent::default());
        let release = run.fit(folder.path().join("rows.csv")).unwrap();
        Self { folder, release }
    }
}

#[test]
fn a_release_that_was_opened_answers_for_its_files() {
    let home = Home::new();
    assert!(home.release.verify().agrees());
    let written = home.release.write(home.folder.path().join("out")).unwrap();
    let opened = Release::open(written.folder()).unwrap();
    let verdict = opened.verify();
    assert!(verdict.agrees() && verdict.files.len() > 2, "{verdict:?}");

    let rows = written.folder().join("release/synthetic.csv");
    let text = fs::read_to_string(&rows).unwrap();
    fs::write(&rows, text.replacen('\n', "\n\n", 2)).unwrap();
    let said = opened.verify().disagreements;
    assert!(said.len() == 1 && said[0].starts_with("synthetic.csv: was changed"), "{said:?}");

    fs::remove_dir_all(written.folder()).unwrap();
    let said = opened.verify().disagreements;
    assert!(said.len() == 1 && said[0].starts_with("the folder cannot be read any more"), "{said:?}");
    assert!(home.release.verify().agrees(), "what is in memory has no folder");
}

#[test]
fn a_release_is_compared_with_a_file_or_with_batches() {
    let home = Home::new();
    let settings = EvaluationSettings::default();
    let of_file = home.release.evaluate(home.folder.path().join("rows.csv"), &settings).unwrap();
    // As batches: the release's own rows, from which it cannot differ.
    let of_itself = home.release.evaluate(home.release.synthetic_rows().unwrap(), &settings).unwrap();
    let farthest = |evaluation: &lookalike::Evaluation| {
        evaluation.comparison.pairs.iter().map(|pair| pair.distance).fold(0.0, f64::max)
    };
    assert!(farthest(&of_file) > 0.0);
    assert_eq!(farthest(&of_itself), 0.0);
    let refused = home.release.evaluate(Engine(Untouched), &settings);
    assert!(matches!(refused, Err(Error::Setting(SettingError::NoRowsInEngine))));
}
