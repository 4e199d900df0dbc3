//! Columns that depend on others, whose tables a release buys: every method, both relations,
//! persons, ledgers, and no delta.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use crate::common::METHODS;
use lookalike::{
    Budget, Error, LedgerFile, LedgerSpec, OpenSchema, PlanSpec, Relation, Release, ReleaseFolder, Schema, Seed,
    SettingError, Synthesizer, open_in_ledger, verify,
};

const SCHEMA: &str = "[columns.who]\ntype = 'id'\n[columns.from]\ntype = 'category'\nvalues = ['EWR', 'JFK']\n\
                      [columns.to]\ntype = 'category'\nvalues = ['BOS', 'IAH', 'LAX', 'SFO']\nmissing = true\n\
                      [columns.miles]\ntype = 'integer'\nrange = [0, 3000]\nmissing = true\ndepends_on = ['from', 'to']\n\
                      [columns.coast]\ntype = 'category'\nvalues = ['east', 'west']\nother = 'none'\ndepends_on = ['to']\n\
                      [columns.late]\ntype = 'boolean'\n";

/// A flight from one of two airports to one of three; nobody flies to the fourth.
fn records(count: usize) -> Vec<String> {
    let record = |row: usize| {
        let (from, to) = (row % 2, row / 2 % 3);
        let miles = [[200, 1400, 2454], [187, 1417, 2475]][from][to];
        let (from, coast) = (["EWR", "JFK"][from], ["east", "south", "west"][to]);
        format!("{},{from},{},{miles},{coast},{}", row / 2, ["BOS", "IAH", "LAX"][to], row.is_multiple_of(5))
    };
    (0..count).map(record).collect()
}

fn written(lines: &[String]) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rows.csv");
    std::fs::write(&path, format!("who,from,to,miles,coast,late\n{}\n", lines.join("\n"))).unwrap();
    (folder, path)
}

fn schema() -> Schema {
    Schema::parse(SCHEMA, "schema").unwrap()
}

fn run(epsilon: f64, delta: f64) -> Synthesizer<'static> {
    Synthesizer::new(schema()).budget(Budget::new(epsilon, delta).unwrap())
}

/// What belongs to each pair of airports in a file of rows, and the coast of each.
fn looked_up(path: &Path) -> HashMap<(String, String), (String, String)> {
    let text = std::fs::read_to_string(path).unwrap();
    let mut found = HashMap::new();
    for line in text.lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        let value = (cells[3].to_owned(), cells[4].to_owned());
        let key = (cells[1].to_owned(), cells[2].to_owned());
        assert_eq!(found.entry(key).or_insert_with(|| value.clone()), &value, "one value a key: {line}");
    }
    found
}

fn expected() -> HashMap<(String, String), (String, String)> {
    let pair = |from: &str, to: &str, miles: &str, coast: &str| {
        ((from.to_owned(), to.to_owned()), (miles.to_owned(), coast.to_owned()))
    };
    HashMap::from([
        pair("EWR", "BOS", "200", "east"),
        pair("EWR", "IAH", "1400", "none"),
        pair("EWR", "LAX", "2454", "west"),
        pair("JFK", "BOS", "187", "east"),
        pair("JFK", "IAH", "1417", "none"),
        pair("JFK", "LAX", "2475", "west"),
        pair("EWR", "SFO", "", "none"),
        pair("JFK", "SFO", "", "none"),
        pair("EWR", "", "", "none"),
        pair("JFK", "", "", "none"),
    ])
}

#[test]
fn rows_agree_with_what_was_found_and_so_do_later_ones() {
    let (folder, path) = written(&records(6000));
    let (release, made) = run(10.0, 1e-6).fit_to(path, &ReleaseFolder::new(folder.path().join("out"))).unwrap();
    let (own, expected) = (looked_up(&made.release_folder().join("synthetic.csv")), expected());
    assert!(own.len() >= 6 && own.iter().all(|(key, value)| expected[key] == *value), "{own:?}");
    assert!(verify(made.folder()).unwrap().agrees());
    // The model is of the modelled columns only, and has the table with it.
    let model = release.model().unwrap();
    assert_eq!(model.schema().domain().len(), 3);
    let found = std::fs::read_to_string(made.release_folder().join("schema.toml")).unwrap();
    assert!(found.contains("[\"EWR\", \"LAX\", 2454]") && found.contains("facts = [\"table\"]"), "{found}");
    assert!(release.statement().to_json().contains("marginal of from, to, miles"));
    // The file is a schema: with it the table is public, and costs nothing.
    let known = Schema::parse(&found, "found").unwrap();
    assert!(!known.learns());
    let labels = |release: &Release| -> Vec<String> {
        release.statement().charges().iter().map(|charge| charge.label.clone()).collect()
    };
    assert!(labels(&release).iter().any(|label| label.contains("miles")));
    let (_folder, path) = written(&records(60));
    let run = Synthesizer::new(known).budget(Budget::new(10.0, 1e-6).unwrap());
    let again = run.fit_to(path, &ReleaseFolder::new(folder.path().join("again"))).unwrap();
    assert!(!labels(&again.0).iter().any(|label| label.contains("miles")));
    let own = looked_up(&again.1.release_folder().join("synthetic.csv"));
    assert!(own.iter().all(|(key, value)| expected[key] == *value), "{own:?}");
    // So are rows that are drawn later.
    let batches = release.sample(500, Seed(9)).unwrap();
    assert_eq!(batches[0].num_columns(), 6);
}

#[test]
fn every_method_leaves_them_out() {
    let (folder, path) = written(&records(1200));
    for (method, _) in METHODS {
        // Rows of a histogram are for pure epsilon, and few cells.
        let (delta, relation) =
            if method == "histogram" { (0.0, Relation::ReplaceOne) } else { (1e-6, Relation::AddRemove) };
        let run = run(40.0, delta).relation(relation).method_named(method, []).unwrap().rows(80);
        let out = ReleaseFolder::new(folder.path().join(method));
        let (release, made) = run.fit_to(path.clone(), &out).unwrap_or_else(|error| panic!("{method}: {error}"));
        release.statement().recompute().unwrap();
        assert!(release.used() <= 40.0, "{method}");
        let (own, expected) = (looked_up(&made.release_folder().join("synthetic.csv")), expected());
        assert!(own.iter().all(|(key, value)| expected[key] == *value), "{method}: {own:?}");
    }
}

#[test]
fn persons_replaced_records_and_no_delta() {
    let (_folder, path) = written(&records(3000));
    let release = run(20.0, 1e-6).unit("who", 2).fit(path.clone()).unwrap();
    let charges = release.statement().charges();
    assert!(charges.iter().all(|charge| charge.step.belongs_to(release.statement().neighbours())));
    let release = run(20.0, 1e-6).relation(Relation::ReplaceOne).fit(path.clone()).unwrap();
    release.statement().recompute().unwrap();
    let release = run(20.0, 0.0).fit(path).unwrap();
    release.statement().recompute().unwrap();
    assert!(release.delta() == Some(0.0) && release.used() <= 20.0);
    assert!(release.found_schema().unwrap().unwrap().contains("[\"EWR\", \"LAX\", 2454]"));
}

/// With hardly any budget nothing stands out, and every key has the word for others.
#[test]
fn keys_of_few_rows_have_no_value_of_their_own() {
    let (folder, path) = written(&records(300));
    let run = run(0.05, 1e-9).rows(200);
    let (release, made) = run.fit_to(path, &ReleaseFolder::new(folder.path().join("out"))).unwrap();
    let found = release.found_schema().unwrap().unwrap();
    // A key stands out by noise alone with a chance of one in a hundred.
    let own = looked_up(&made.release_folder().join("synthetic.csv"));
    let rest = own.values().filter(|(miles, coast)| miles.is_empty() && coast == "none").count();
    assert!(rest + 3 >= own.len(), "{own:?} {found}");
}

#[test]
fn what_cannot_be_learned_is_refused_before_a_row_is_read() {
    let (_folder, path) = written(&records(10));
    let refused = |run: Synthesizer<'_>| match run.fit(path.clone()) {
        Err(Error::Setting(error)) => error,
        Err(other) => panic!("another error: {other}"),
        Ok(_) => panic!("not refused"),
    };
    assert!(matches!(refused(run(1.0, 1e-9).discover_share(1.5)), SettingError::DiscoverShare { .. }));
    assert!(matches!(refused(run(1.0, 1e-9).unit("miles", 2)), SettingError::UnitIsModelled { .. }));
    let open = OpenSchema::parse(&format!("unlisted = 'discover'\n{SCHEMA}"), "schema").unwrap();
    let open = Synthesizer::discovering(open).budget(Budget::new(1.0, 1e-9).unwrap());
    assert!(matches!(refused(open), SettingError::DiscoverBesideTables { .. }));
    let narrow = Schema::parse("{\"a\": 2}", "narrow").unwrap();
    let coded = lookalike::PrivateTable::from_columns(&narrow, vec![vec![0]]);
    assert!(matches!(run(1.0, 1e-9).fit(coded), Err(Error::Setting(SettingError::DiscoverOfCodedRows))));
    let coded = lookalike::PrivateTable::from_columns(&schema(), vec![vec![0], vec![1], vec![0]]);
    let other = Schema::parse("{\"a\": 2}", "narrow").unwrap();
    let other = Synthesizer::new(other).budget(Budget::new(1.0, 1e-9).unwrap());
    assert!(matches!(other.fit(coded), Err(Error::Setting(SettingError::DiscoverOfCodedRows))));
    let marked = SCHEMA.replacen("depends_on", "review = ['depends_on']\ndepends_on", 1);
    let marked = Synthesizer::new(Schema::parse(&marked, "schema").unwrap()).budget(Budget::new(1.0, 1e-9).unwrap());
    assert!(matches!(refused(marked), SettingError::Unreviewed { .. }));
}

#[test]
fn a_ledger_reserves_what_they_cost() {
    let (folder, path) = written(&records(1000));
    let file = folder.path().join("L.db");
    let spec = LedgerSpec { name: "flights".into(), epsilon: 10.0, delta: Some(1e-8), ..LedgerSpec::default() };
    open_in_ledger(&file, &spec).unwrap();
    let ledger = || LedgerFile::open(&file).unwrap();
    run(2.0, 1e-9).ledger(ledger(), "flights").fit(path.clone()).unwrap();
    // A run with the delta of the whole data set takes all that is kept for facts.
    let all = run(0.5, 1e-8).ledger(ledger(), "flights").fit(path);
    assert!(matches!(all, Err(Error::Ledger(_))), "the rest of tau is too little");
}

#[test]
fn coded_rows_are_kept_with_them() {
    let (folder, path) = written(&records(1000));
    let kept = folder.path().join("rows.coded");
    for _ in 0..2 {
        let release = run(20.0, 1e-6).keep_coded(&kept).fit(path.clone()).unwrap();
        assert!(release.found_schema().unwrap().unwrap().contains("[\"EWR\", \"LAX\", 2454]"));
    }
}

/// What `plan` says beforehand is what the run then does: the same noise and the same threshold.
#[test]
fn the_plan_knows_noise_and_threshold() {
    let (_folder, path) = written(&records(600));
    for (delta, share) in [(1e-6, None), (0.0, Some(0.3))] {
        let spec = PlanSpec {
            rows: Some(600),
            epsilon: vec![3.0],
            delta: Some(delta),
            discover_share: share,
            ..PlanSpec::default()
        };
        let plan = spec.plan(&schema()).unwrap();
        assert_eq!(plan.tables.len(), 2);
        let run = run(3.0, delta).discover_share(share.unwrap_or(0.1));
        let release = run.fit(path.clone()).unwrap();
        for table in &plan.tables {
            let column = release.schema().columns().iter().find(|column| column.name == table.column).unwrap();
            let found = column.discovered.clone().unwrap();
            assert_eq!(found.threshold, Some(table.threshold));
            assert!((found.noise / table.noise - 1.0).abs() < 0.01, "{found:?} {table:?}");
            assert!(table.threshold as f64 > 2.0 * table.noise && plan.columns == 3);
        }
        assert_eq!(plan.tables[0].keys, 10);
    }
    let nothing = Schema::parse("{\"a\": 2}", "narrow").unwrap();
    let spec = PlanSpec { rows: Some(9), epsilon: vec![1.0], discover_share: Some(0.2), ..PlanSpec::default() };
    assert!(matches!(spec.plan(&nothing), Err(Error::Setting(SettingError::NothingToDiscover))));
}

#[cfg(feature = "test-noise")]
mod replayed {
    use super::*;
    use lookalike::testing::Recording;

    /// Everything behind the door is post-processing: with the answers of one table, a run on a
    /// neighbour gives the same bytes, whatever the neighbour's own values are.
    #[test]
    fn answers_of_a_neighbour_give_the_same_bytes() {
        let mut lines = records(400);
        let (folder, path) = written(&lines);
        lines[17] = "7777,JFK,SFO,2586,east,true".to_owned();
        lines.push("8888,atlantis,nowhere,1e300,\"odd, one\",maybe".to_owned());
        let other = folder.path().join("other.csv");
        std::fs::write(&other, format!("who,from,to,miles,coast,late\n{}\n", lines.join("\n"))).unwrap();
        for (method, delta) in [("auto", 1e-6), ("mst", 1e-6), ("independent", 0.0)] {
            let recording = Recording::new();
            let run = || run(12.0, delta).method_named(method, []).unwrap().seed(Seed(3)).with_test_noise(5);
            let first = run().recording_on(&recording).fit(path.clone()).unwrap();
            let second = run().replaying(&recording).fit(other.clone()).unwrap();
            let bytes = |release: &Release| release.model().map(|model| model.to_bytes());
            assert_eq!(bytes(&first), bytes(&second), "{method}");
            assert_eq!(first.found_schema().unwrap(), second.found_schema().unwrap());
            assert_eq!(first.statement().to_json(), second.statement().to_json());
            assert_eq!(first.report(), second.report());
            // The control: without the recording, another table has other answers.
            let own = run().fit(other.clone()).unwrap();
            assert_ne!(bytes(&own), bytes(&first), "{method}");
        }
    }

    /// Rows with the same codes are the same rows: nothing else of a cell reaches a release.
    #[test]
    fn cells_of_equal_codes_give_the_same_bytes() {
        let lines = records(400);
        let (folder, path) = written(&lines);
        let other = folder.path().join("other.csv");
        // Distances beyond the range are clamped, coasts that are not listed are one, and who is
        // never read.
        let spoiled = lines.iter().map(|line| {
            let mut cells: Vec<&str> = line.split(',').collect();
            cells[0] = "nobody";
            cells[4] = if cells[4] == "south" { "a coast that nobody has" } else { cells[4] };
            cells.join(",")
        });
        let text = spoiled.collect::<Vec<_>>().join("\n");
        std::fs::write(&other, format!("who,from,to,miles,coast,late\n{text}\n")).unwrap();
        let run = || run(12.0, 1e-6).seed(Seed(3)).with_test_noise(5);
        let (first, second) = (run().fit(path).unwrap(), run().fit(other).unwrap());
        assert_eq!(first.model().unwrap().to_bytes(), second.model().unwrap().to_bytes());
        assert_eq!(first.statement().to_json(), second.statement().to_json());
    }
}
