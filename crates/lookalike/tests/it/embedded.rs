//! What a program that embeds the library needs, such as the Python package: rows in memory, a
//! register of fits, rows filled in, releases as bytes.

use std::sync::Arc;

use arrow_array::{Array, ArrayRef, Int64Array, RecordBatch, StringArray};
use lookalike::{
    Budget, Cancel, Category, Error, ErrorKind, EvaluateSpec, FittedRows, Format, HeldBatches, Input, Integer, Mst,
    OpenSchema, Release, SampleSpec, Schema, Seed, SettingError, Synthesizer, Unwatched, check_against, draft_schema,
    evaluate, read_options,
};

fn schema() -> Schema {
    let columns = Schema::builder().column("age", Integer::range(0, 9)).column("sex", Category::of(["f", "m"]));
    columns.build().unwrap()
}

/// `sex` follows from `age` but for one row in ten.
fn batches(rows: i64) -> Vec<RecordBatch> {
    let ages: Vec<i64> = (0..rows).map(|row| row * 7 % 10).collect();
    let sexes = ages.iter().zip(0..rows).map(|(age, row)| if (*age < 5) == (row / 10 % 10 != 3) { "f" } else { "m" });
    let sexes: ArrayRef = Arc::new(StringArray::from_iter_values(sexes));
    let ages: ArrayRef = Arc::new(Int64Array::from(ages));
    let whole = RecordBatch::try_from_iter([("age", ages), ("sex", sexes)]).unwrap();
    vec![whole.slice(0, 100), whole.slice(100, rows as usize - 100)]
}

fn run() -> Synthesizer<'static> {
    Synthesizer::new(schema()).budget(Budget::new(20.0, 1e-9).unwrap()).method(Mst::default())
}

fn is_known(outcome: Result<Release, Error>) -> bool {
    match outcome {
        Ok(_) => false,
        Err(error) => {
            assert_eq!(error.kind(), ErrorKind::Budget);
            assert!(matches!(error, Error::Setting(SettingError::FittedBefore)), "{error}");
            true
        }
    }
}

#[test]
fn rows_that_were_fitted_before_are_refused_unless_they_are_meant() {
    let register = FittedRows::new().unwrap();
    let fit = |run: Synthesizer<'static>, rows, again| {
        let run: Synthesizer<'_> = run;
        is_known(run.once_only(&register, again).fit(rows))
    };
    assert!(!fit(run(), batches(500), false));
    assert!(fit(run(), batches(500), false));
    // In another order, and by a run that discovers the schema.
    let turned: Vec<_> = batches(500).into_iter().rev().collect();
    assert!(fit(run(), turned.clone(), false));
    let open = || Synthesizer::discovering(OpenSchema::nothing()).budget(Budget::new(1.0, 1e-9).unwrap());
    assert!(fit(open(), turned, false));
    assert!(!fit(run(), batches(500), true));
    assert!(!fit(run(), batches(499), false) && !fit(run(), batches(501), false));
    // Another register knows nothing of this one's rows, and neither shows what it knows.
    let other = FittedRows::new().unwrap();
    assert!(!is_known(run().once_only(&other, false).fit(batches(500))));
    assert_eq!(format!("{other:?}"), "FittedRows");
}

#[test]
fn rows_of_a_run_that_charged_nothing_are_forgotten() {
    let register = FittedRows::new().unwrap();
    let home = tempfile::tempdir().unwrap();
    let ledger = home.path().join("ledger");
    let spec = lookalike::LedgerSpec { name: "people".into(), epsilon: 0.5, ..Default::default() };
    lookalike::open_in_ledger(&ledger, &spec).unwrap();
    let file = lookalike::LedgerFile::open(&ledger).unwrap();
    let refused = run().once_only(&register, false).ledger(file, "people").fit(batches(500)).unwrap_err();
    assert!(matches!(refused, Error::Ledger(_)), "{refused}");
    assert!(!is_known(run().once_only(&register, false).fit(batches(500))));
}

#[test]
fn a_ledger_and_a_register_know_the_same_rows() {
    let register = FittedRows::new().unwrap();
    let home = tempfile::tempdir().unwrap();
    let ledger = home.path().join("ledger");
    let spec = lookalike::LedgerSpec { name: "people".into(), epsilon: 90.0, ..Default::default() };
    lookalike::open_in_ledger(&ledger, &spec).unwrap();
    let open = || lookalike::LedgerFile::open(&ledger).unwrap();
    assert!(!is_known(run().once_only(&register, false).ledger(open(), "people").fit(batches(500))));
    assert!(is_known(run().once_only(&register, false).fit(batches(500))));
    assert!(is_known(run().once_only(&register, false).ledger(open(), "people").fit(batches(500))));
    assert_eq!(lookalike::show_ledger(&ledger, None).unwrap()[0].drawn().len(), 1);
}

#[test]
fn rows_in_memory_are_drafted_checked_and_compared_like_a_file() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("rows.csv");
    let rows = batches(500);
    let mut text = "age,sex\n".to_owned();
    for batch in &rows {
        let ages = batch.column(0).as_any().downcast_ref::<Int64Array>().unwrap();
        let sexes = batch.column(1).as_any().downcast_ref::<StringArray>().unwrap();
        (0..batch.num_rows()).for_each(|row| text += &format!("{},{}\n", ages.value(row), sexes.value(row)));
    }
    std::fs::write(&path, text).unwrap();
    let (file, held) = (Input::Path(path), Input::Batches(HeldBatches::new(rows)));
    let options = read_options(None, None).unwrap();
    let draft = |input: &Input| draft_schema(input, &options, &Unwatched, &Cancel::new()).unwrap().schema().names();
    assert_eq!(draft(&file), draft(&held));
    let narrow = Schema::builder().column("age", Integer::range(0, 8)).column("sex", Category::of(["f"]));
    let narrow = narrow.build().unwrap();
    let check = |input: &Input| check_against(&narrow, input, &options, &Unwatched, &Cancel::new()).unwrap();
    assert_eq!(check(&file), check(&held));
    assert_eq!(check(&held).outside.len(), 2);
    let compared = |real: &Input, synthetic: &Input| {
        let spec = EvaluateSpec { seed: Some(1), ..EvaluateSpec::new(real.clone(), synthetic.clone()) };
        evaluate(&spec, &schema(), &Unwatched, &Cancel::new()).unwrap().to_json().to_string()
    };
    assert_eq!(compared(&file, &held), compared(&held, &file));
}

#[test]
fn batches_of_a_job_are_the_rows_of_its_file() {
    let release = run().fit(batches(500)).unwrap();
    let spec = |condition: Option<&str>| SampleSpec {
        rows: 50,
        seed: Some(4),
        format: Format::Csv,
        threads: Some(1),
        condition: condition.map(str::to_owned),
        replacement: None,
    };
    let rows = |condition| release.sample_job(&spec(condition).check().unwrap(), &Cancel::new());
    assert_eq!(rows(None).unwrap(), release.sample(50, Seed(4)).unwrap());
    let women = rows(Some("sex = f")).unwrap();
    let words = women[0].column(1).as_any().downcast_ref::<StringArray>().unwrap();
    assert!(words.iter().all(|word| word == Some("f")));
    assert!(matches!(rows(Some("age >")), Err(Error::Schema(_))));
    // Without a row the columns are there.
    let none = release.sample(0, Seed(4)).unwrap();
    assert_eq!((none.len(), none[0].num_rows(), none[0].num_columns()), (1, 0, 2));
}

/// Batches, CSV and Parquet: no cell lies outside what the condition means, though it cuts bins.
#[test]
fn rows_of_every_form_meet_a_condition_that_cuts_bins() {
    const SCHEMA: &str = "[columns.age]\ntype = 'integer'\nrange = [0, 99]\nbins = 4\n\
                          [columns.rate]\ntype = 'number'\nrange = [0, 2]\nbins = 3\ndecimals = 2\n\
                          [columns.born]\ntype = 'date'\nrange = [2000-01-01, 2000-12-31]\nbins = 5\n";
    let home = tempfile::tempdir().unwrap();
    let table = home.path().join("rows.csv");
    let row = |row: u32| {
        format!("{},{:.2},2000-{:02}-{:02}\n", row % 100, f64::from(row % 7) * 0.3, row % 12 + 1, row % 28 + 1)
    };
    std::fs::write(&table, "age,rate,born\n".to_owned() + &(0..3000).map(row).collect::<String>()).unwrap();
    let schema = Schema::parse(SCHEMA, "test").unwrap();
    let run = Synthesizer::new(schema).budget(Budget::new(20.0, 1e-9).unwrap()).method(Mst::default());
    let release = run.fit(table).unwrap();
    let narrow = SCHEMA
        .replace("[0, 99]", "[30, 60]")
        .replace("[0, 2]", "[0.41, 1.23]")
        .replace("2000-01-01", "2000-02-20")
        .replace("2000-12-31", "2000-09-09");
    let narrow = Schema::parse(&narrow, "test").unwrap();
    let outside = |input: &Input| {
        let checked = check_against(&narrow, input, &read_options(None, None).unwrap(), &Unwatched, &Cancel::new());
        checked.unwrap().outside.len()
    };
    let meant = "age between 30 and 60 and rate > 0.4 and rate < 1.235 and born >= 2000-02-20 and born <= '2000-09-09'";
    for (condition, expected) in [(Some(meant), 0), (None, 3)] {
        for format in [Format::Csv, Format::Parquet] {
            let spec = SampleSpec {
                rows: 5000,
                seed: Some(9),
                format,
                threads: Some(1),
                condition: condition.map(str::to_owned),
                replacement: None,
            };
            let job = spec.check().unwrap();
            let notes = job.notes(release.schema()).unwrap();
            assert_eq!(notes.len(), 3 - expected, "{notes:?}");
            let path = home.path().join(format!("{}.{}", condition.is_some(), format.name()));
            let file = std::fs::File::create(&path).unwrap();
            let model = release.model().unwrap();
            lookalike::sample(model, &job, Box::new(file), &Unwatched, &Cancel::new()).unwrap();
            assert_eq!(outside(&Input::Path(path)), expected, "{condition:?} {format:?}");
            let held = release.sample_job(&job, &Cancel::new()).unwrap();
            assert_eq!(held.iter().map(RecordBatch::num_rows).sum::<usize>(), 5000);
            assert_eq!(outside(&Input::Batches(HeldBatches::new(held))), expected, "{condition:?}");
        }
    }
}

#[test]
fn blocks_that_are_drawn_by_themselves_are_the_rows_of_the_job() {
    let release = run().fit(batches(500)).unwrap();
    for rows in [0, 50, 70_000, 300_000] {
        let job = SampleSpec {
            rows,
            seed: Some(4),
            format: Format::Csv,
            threads: Some(1),
            condition: None,
            replacement: None,
        };
        let job = job.check().unwrap();
        let block = |block: u64| release.sample_block(&job, block, &Cancel::new()).unwrap();
        let blocks = release.sample_blocks(&job).unwrap();
        assert_eq!(blocks > 1, rows == 70_000, "{rows}");
        let drawn: Vec<RecordBatch> =
            (0..blocks).rev().map(block).collect::<Vec<_>>().into_iter().rev().flatten().collect();
        if rows > 0 {
            assert_eq!(drawn, release.sample_job(&job, &Cancel::new()).unwrap());
        }
        // Behind the last block there are no rows, and the columns are there.
        let none = block(blocks);
        assert_eq!((none.len(), none[0].num_rows(), none[0].num_columns()), (1, 0, 2));
    }
}

#[test]
fn known_columns_are_filled_in() {
    let release = run().fit(batches(2000)).unwrap();
    let ages: ArrayRef = Arc::new(Int64Array::from_iter_values((0..400).map(|row| if row < 200 { 1 } else { 8 })));
    let known = |name: &str| vec![RecordBatch::try_from_iter([(name, Arc::clone(&ages))]).unwrap()];
    let filled = release.complete(known("age"), Seed(1), &Cancel::new()).unwrap();
    assert_eq!(filled[0].column(0), &ages);
    let sexes = filled[0].column(1).as_any().downcast_ref::<StringArray>().unwrap();
    let women = |from: usize| (from..from + 200).filter(|&row| sexes.value(row) == "f").count();
    assert!(women(0) > 150 && women(200) < 50, "{} {}", women(0), women(200));
    let other = release.complete(known("nobody"), Seed(1), &Cancel::new());
    assert!(matches!(other, Err(Error::OtherColumns { .. })));
}

#[test]
fn a_release_goes_through_bytes_and_a_changed_one_does_not() {
    let release = run().fit(batches(500)).unwrap();
    let bytes = release.to_bytes().unwrap();
    let read = Release::from_bytes(&bytes).unwrap();
    assert_eq!(read.sample(20, Seed(1)).unwrap(), release.sample(20, Seed(1)).unwrap());
    assert_eq!((read.guarantee(), read.rows(), read.seed()), (release.guarantee(), release.rows(), release.seed()));
    assert!(read.verify().agrees());
    for place in [0, 9, 20, bytes.len() / 2, bytes.len() - 1] {
        let mut changed = bytes.clone();
        changed[place] ^= 1;
        assert!(Release::from_bytes(&changed).is_err(), "byte {place}");
    }
    assert!(Release::from_bytes(&bytes[..12]).is_err() && Release::from_bytes(b"").is_err());
}
