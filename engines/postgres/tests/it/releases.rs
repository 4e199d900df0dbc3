//! The same release from a server's table as from a CSV file of it: every method, with all the
//! groups, bits and merged values that they count, and with persons.

use lookalike::{Budget, Schema, Synthesizer, methods};
use lookalike_testkit::{Postgres, people};

/// Under the same noise, equal models mean equal counts, cell by cell: another count anywhere would
/// shift an answer.
#[test]
fn every_method_makes_the_same_model() {
    let Some(server) = Postgres::shared() else { return };
    let folder = tempfile::tempdir().unwrap();
    let csv = folder.path().join("people.csv");
    // Three rows a person, and some of nobody.
    let text = people::table(900);
    let rows: Vec<String> = text
        .lines()
        .skip(1)
        .enumerate()
        .map(|(row, line)| {
            let (_, rest) = line.split_once(',').unwrap();
            let id = if row % 50 == 0 { String::new() } else { format!("p{}", row / 3) };
            format!("{id},{rest}\n")
        })
        .collect();
    let text = format!("{}\n{}", text.lines().next().unwrap(), rows.concat());
    std::fs::write(&csv, &text).unwrap();
    server.sql(&format!(
        "CREATE TABLE released (id text, age smallint, income double precision, \"home region\" varchar(30), \
         married boolean, since date, remark text);\nCOPY released FROM STDIN (FORMAT csv, HEADER);\n{text}\\.\n"
    ));
    let schema = Schema::parse(people::SCHEMA, "people").unwrap();
    let address = server.address("table=released");
    let run = |method: &str, persons: bool, seed: u64| {
        let delta = if matches!(method, "privbayes" | "histogram") { 0.0 } else { 1e-9 };
        let run = Synthesizer::new(schema.clone()).budget(Budget::new(2.0, delta).unwrap());
        let run = run.method_named(method, []).unwrap().with_test_noise(seed);
        if persons { run.unit("id", 3) } else { run }
    };
    for info in methods().iter().filter(|info| info.name != "histogram") {
        for persons in [false, true] {
            let model = |release: lookalike::Release| release.model().unwrap().to_bytes();
            let from_csv = model(run(info.name, persons, 1).fit(csv.clone()).unwrap());
            let from_server = model(run(info.name, persons, 1).fit(address.clone()).unwrap());
            assert!(from_csv == from_server, "{}, persons: {persons}", info.name);
            // The control: other noise makes another model.
            assert!(from_csv != model(run(info.name, persons, 2).fit(csv.clone()).unwrap()));
        }
    }
}
