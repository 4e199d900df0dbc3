//! `query` and `sample --where`, through the real program.

use lookalike_testkit::{Sandbox, people};

use crate::with_people;

/// A released model to ask.
fn released() -> Sandbox {
    let sandbox = with_people();
    sandbox.synth(&["--out", "x"]);
    sandbox
}

#[test]
fn a_marginal_as_table_csv_and_json() {
    let sandbox = released();
    let table = sandbox.run(&["query", "x", "home region,married"]);
    assert_eq!((table.code, table.err.as_str()), (0, ""));
    assert!(table.out.starts_with("(1, 1e-9)-differential privacy"), "{}", table.out);
    for word in ["Rows: ", "bound", "south, \"old\"", "no table holds"] {
        assert!(table.out.contains(word), "{word} is not in: {}", table.out);
    }
    let json = sandbox.run(&["query", "x/release/model.lookalike", "age", "--format", "json"]).json();
    assert_eq!(json["cells"].as_array().map(Vec::len), Some(10));
    assert!(json["cells"].as_array().unwrap().iter().all(|cell| cell["kind"] == "interval"), "{json}");
    assert_eq!(json["cells"][3]["values"][0], "30-39");
    let written = sandbox.run(&["query", "x", "income", "-o", "income.csv"]);
    assert_eq!((written.code, written.out.as_str(), written.err.as_str()), (0, "", ""));
    assert_eq!(sandbox.rows("income.csv"), 9);
    assert!(sandbox.read("income.csv").contains("(missing),"));
    sandbox.run(&["query", "x", "income", "-o", "income.csv"]).refused(2, &["income.csv: is there already"]);
    assert_eq!(sandbox.run(&["query", "x", "income", "-o", "income.csv", "--force"]).code, 0);
}

#[test]
fn long_tables_are_cut_with_a_word_and_files_are_not() {
    let sandbox = released();
    let table = sandbox.run(&["query", "x", "age,income,since"]);
    assert!(table.out.contains("... and 530 more lines; --format csv or -o FILE has all of them"), "{}", table.out);
    assert_eq!(sandbox.run(&["query", "x", "age,income,since", "--format", "csv"]).out.lines().count(), 631);
    assert_eq!(sandbox.run(&["query", "x", "age,income,since", "-o", "all.txt"]).code, 0);
    assert!(sandbox.read("all.txt").lines().count() > 631);
}

#[test]
fn conditions_are_shared_by_query_and_sample() {
    let sandbox = released();
    let condition = "age between 30 and 49 and (married = true or \"home region\" in ('west', 'elsewhere'))";
    let answer = sandbox.run(&["query", "x", "married", "--where", condition, "--format", "json"]).json();
    assert_eq!(answer["where"], condition);
    let sampled = sandbox.run(&["sample", "x", "-n", "300", "--seed", "5", "--where", condition]);
    assert_eq!(sampled.code, 0, "{}", sampled.err);
    let rows: Vec<Vec<&str>> = sampled.out.lines().skip(1).map(|line| line.split(',').collect()).collect();
    assert_eq!(rows.len(), 300);
    for row in &rows {
        let age: u32 = row[1].parse().unwrap();
        let married = row[row.len() - 2] == "true";
        assert!((30..50).contains(&age), "{row:?}");
        assert!(married || ["west", "elsewhere"].contains(&row[3]), "{row:?}");
    }
    // Without replacement the rows hold the model's own share, but for rounding.
    let share = answer["cells"].as_array().unwrap().iter().find(|cell| cell["values"][0] == "true").unwrap()["share"]
        .as_f64()
        .unwrap();
    let married = rows.iter().filter(|row| row[row.len() - 2] == "true").count() as f64;
    assert!((married - 300.0 * share).abs() <= 4.0, "{married} of {}", 300.0 * share);
    let again = sandbox.run(&["sample", "x", "-n", "300", "--seed", "5", "--where", condition]);
    assert_eq!(again.out, sampled.out);
    let scattered =
        sandbox.run(&["sample", "x", "-n", "300", "--seed", "5", "--where", condition, "--with-replacement"]);
    assert_eq!((scattered.code, scattered.out.lines().count()), (0, 301));
    assert_ne!(scattered.out, sampled.out);
}

#[test]
fn a_condition_that_cuts_a_bin_is_met_and_told() {
    let sandbox = released();
    let note = "cuts the bin \"30-39\" of \"age\"";
    let sampled = sandbox.run(&["sample", "x", "-n", "300", "--seed", "5", "--where", "age >= 35 and age < 50"]);
    assert!(sampled.code == 0 && sampled.err.contains(note), "{}", sampled.err);
    let ages: Vec<u32> =
        sampled.out.lines().skip(1).map(|line| line.split(',').nth(1).unwrap().parse().unwrap()).collect();
    assert!(ages.len() == 300 && ages.iter().all(|age| (35..50).contains(age)), "{ages:?}");
    assert!(ages.contains(&35) && ages.contains(&39), "every value of the part is drawn");
    let quiet = sandbox.run(&["sample", "x", "-n", "5", "--seed", "5", "--where", "age >= 35", "--quiet"]);
    assert_eq!((quiet.code, quiet.err.as_str()), (0, ""));
    let answer = sandbox.run(&["query", "x", "--where", "age >= 35", "--format", "json"]).json();
    assert_eq!(answer["cells"][0]["kind"], "bound");
    assert!(answer["notes"][0].as_str().unwrap().contains(note), "{answer}");
    let csv = sandbox.run(&["query", "x", "--where", "age >= 35", "--format", "csv"]);
    assert!(csv.err.contains(note) && !csv.out.contains(note), "{}", csv.err);
}

#[test]
fn mistakes_are_one_line_and_leave_nothing() {
    let sandbox = released();
    let before = sandbox.names(".");
    for (words, told) in [
        (&["query", "x", "agee"][..], &["agee", "did you mean \"age\"?"][..]),
        (&["query", "x", "age", "--where", "nonsense"], &["--where", "no such column"]),
        (&["query", "x", "age", "--where", ""], &["an empty condition"]),
        (&["query", "x", "age", "--format", "xml"], &["format", "table, csv or json"]),
        (&["query", "x", "age", "--where", "age < 0", "-o", "no.csv"], &["no row of the model"]),
        (&["query", "nowhere", "age"], &["nowhere"]),
        (&["query"], &["MODEL"]),
        (&["sample", "x", "-n", "5", "--where", "age < 0", "-o", "no.csv"], &["no row of the model"]),
        (&["sample", "x", "-n", "5", "--where", "age < 0"], &["no row of the model"]),
        (&["sample", "x", "-n", "5", "--where", "id = 3"], &["type \"id\""]),
        (&["sample", "x", "-n", "5", "--where", "age <"], &["ends where a value"]),
    ] {
        sandbox.run(words).refused(2, told);
    }
    assert_eq!(sandbox.names("."), before);
    for command in ["query", "sample"] {
        let help = sandbox.run(&[command, "--help"]).out;
        assert!(help.contains("docs/where.md") && help.contains("--where <CONDITION>"), "{help}");
    }
}

#[test]
fn a_model_without_a_guarantee_says_so_every_time() {
    let sandbox = with_people();
    sandbox.write("people.toml", &people::SCHEMA.replace("bins = 10", "bins = 10\nreview = [\"range\"]"));
    sandbox.synth(&["--out", "x", "--accept-draft"]);
    assert!(sandbox.run(&["query", "x", "age"]).out.contains("NO GUARANTEE"));
    let csv = sandbox.run(&["query", "x", "age", "--format", "csv", "--quiet"]);
    assert!(csv.err.contains("NO GUARANTEE") && !csv.out.contains("NO GUARANTEE"));
    assert!(
        sandbox.run(&["query", "x", "age", "--format", "json"]).json()["guarantee"]
            .as_str()
            .unwrap()
            .contains("NO GUARANTEE")
    );
    assert!(sandbox.run(&["sample", "x", "-n", "5", "--quiet"]).err.contains("NO GUARANTEE"));
}
