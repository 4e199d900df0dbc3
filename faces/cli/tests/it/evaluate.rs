//! `lookalike evaluate`: what it prints, what it writes, and what it refuses.

use lookalike_testkit::Sandbox;
use lookalike_testkit::people::{SCHEMA, table};

use crate::{empty, with_people};

const EVALUATE: [&str; 5] = ["evaluate", "people.csv", "out", "--schema", "people.toml"];

fn with<'a>(words: &[&'a str]) -> Vec<&'a str> {
    EVALUATE.into_iter().chain(words.iter().copied()).collect()
}

fn released() -> Sandbox {
    let sandbox = with_people();
    sandbox.synth(&["--out", "out", "--seed", "3", "--method", "independent"]);
    sandbox
}

#[test]
fn a_release_is_compared_in_words_in_json_and_on_a_page() {
    let sandbox = released();
    let words = with(&["--target", "married", "--html", "page.html"]);
    let ran = sandbox.run(&words);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.err.contains("steward-only"), "{}", ran.err);
    for word in [
        "floor",
        "k-marginal",
        "NIST 2018",
        "Cramer's V",
        "chi-square (Yates)",
        "pMSE",
        "linear SVM",
        "SRA",
        "held-out rows",
        "Raw values",
        "what the bins cost",
        "Spearman, mean difference",
    ] {
        assert!(ran.out.contains(word), "{word} is not in:\n{}", ran.out);
    }
    assert!(!ran.out.contains("NaN") && ran.out.lines().all(|line| line == line.trim_end()), "{}", ran.out);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = std::fs::metadata(sandbox.path("page.html")).unwrap().permissions().mode();
        assert_eq!(mode & 0o077, 0, "the page tells of real rows: its owner alone may read it");
    }
    let page = sandbox.read("page.html");
    assert!(page.contains("steward-only") && page.contains("Disclosure checks") && !page.contains("NaN"));
    assert!(page.contains("Raw values") && page.contains("What the bins cost"));
    // The page is not overwritten, and the refusal comes before any row is read.
    sandbox.run(&words).refused(2, &["page.html"]);
    let ran = sandbox.run(&with(&["--target", "married", "--json", "--quiet"]));
    let json = ran.json();
    assert_eq!(json["steward_only"], true);
    assert_eq!(json["rows"]["real"], 200);
    assert!(json["marginals"]["2"]["floor"].as_f64().is_some_and(|floor| floor > 0.0));
    assert!(json["disclosure"]["membership"]["figures"].is_null());
    assert_eq!(ran.err, "");
    // Same seed, other number of threads: same bytes.
    let again = sandbox.run(&with(&["--target", "married", "--json", "--quiet", "--threads", "1"]));
    assert_eq!(ran.out, again.out);
}

#[test]
fn held_out_rows_and_nist_columns() {
    let sandbox = released();
    sandbox.write("fresh.csv", &table(120));
    let words = with(&[
        "--holdout",
        "fresh.csv",
        "--nist",
        "married",
        "income",
        "home region",
        "--target",
        "married",
        "--json",
    ]);
    let json = sandbox.run(&words).json();
    assert!(json["disclosure"]["membership"]["figures"]["auc"].is_number());
    assert!(json["nist_2018"]["regression"]["score"].is_number());
    assert_eq!(json["rows"]["holdout"], 120);
}

/// Raw figures are of the cells as they stand, whatever the files are: from a pipe and from Parquet
/// as from CSV.
#[test]
fn raw_values_from_every_kind_of_file() {
    let sandbox = released();
    let from_file = sandbox.run(&with(&["--target", "married", "--json", "--quiet"])).json();
    let raw = &from_file["raw"];
    assert_eq!((&raw["rows"]["real"], &raw["sampled"]), (&200.into(), &false.into()));
    let names: Vec<&str> =
        raw["columns"].as_array().unwrap().iter().map(|column| column["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["age", "income", "since"]);
    // 13 * row modulo 100, for 200 rows: every age twice. Its bins are ten years wide.
    assert_eq!(raw["columns"][0]["real"]["mean"], 49.5);
    assert_eq!(raw["columns"][0]["real"]["quantiles"]["50"], 49.5);
    let ks = |side: &str| raw["columns"][0]["kolmogorov_smirnov"][side].as_f64().unwrap();
    assert!(ks("bins") > 0.0 && ks("bins") < 0.1 && ks("synthetic") > 0.0);
    assert_eq!(raw["columns"][1]["missing"]["real"], 29.0 / 200.0);
    assert_eq!(raw["pairs"].as_array().unwrap().len(), 3);
    let words = ["evaluate", "-", "out", "--schema", "people.toml", "--target", "married", "--json", "--quiet"];
    let from_pipe = sandbox.run_with_input(&words, &sandbox.bytes("people.csv"));
    assert_eq!(from_pipe.json(), from_file, "{}", from_pipe.err);
    sandbox.synth(&["--out", "stored", "--seed", "3", "--method", "independent", "--format", "parquet"]);
    let words = ["evaluate", "people.csv", "stored", "--schema", "people.toml", "--target", "married", "--json", "-q"];
    assert_eq!(sandbox.run(&words).json()["raw"]["columns"].as_array().unwrap().len(), 3);
}

/// A table against itself, its columns in another order.
#[test]
fn the_order_of_columns_does_not_matter() {
    let sandbox = empty();
    let schema = "[columns.a]\ntype = \"integer\"\nrange = [0, 9]\n[columns.b]\ntype = \"integer\"\nrange = [0, 9]\n";
    sandbox.write("s.toml", schema);
    let rows = |turned: bool| {
        let line = |row: usize| match turned {
            true => format!("{},{}\n", row % 3, row % 7),
            false => format!("{},{}\n", row % 7, row % 3),
        };
        let head = if turned { "b,a\n" } else { "a,b\n" };
        head.to_owned() + &(0..60).map(line).collect::<String>()
    };
    sandbox.write("real.csv", &rows(false));
    sandbox.write("turned.csv", &rows(true));
    let json = sandbox.run(&["evaluate", "real.csv", "turned.csv", "--schema", "s.toml", "--json"]).json();
    assert_eq!(json["marginals"]["2"]["mean_tvd"], 0.0);
    assert_eq!(json["marginals"]["2"]["k_marginal"]["score"], 1000.0);
}

#[test]
fn bad_input_is_one_line_and_code_2() {
    let sandbox = released();
    let header = "id,age,income,home region,married,since\n";
    let run = |synthetic: &str, text: &str| {
        sandbox.write(synthetic, text);
        sandbox.run(&["evaluate", "people.csv", synthetic, "--schema", "people.toml", "--quiet"])
    };
    run("empty.csv", header).refused(2, &["synthetic", "no rows"]);
    run("other.csv", "id,years\n1,2\n").refused(2, &["other.csv"]);
    let words = "1,old,few,north,true,2001-01-01\n".repeat(5);
    run("words.csv", &format!("{header}{words}")).refused(2, &["words.csv", "age", "integer"]);
    sandbox.run(&with(&["--target", "agee", "--quiet"])).refused(2, &["target", "agee"]);
    sandbox.run(&with(&["--nist", "married", "home region", "age", "--quiet"])).refused(2, &["nist", "home region"]);
    sandbox.run(&["evaluate", "people.csv", "nowhere.csv", "--schema", "people.toml"]).refused(2, &["nowhere.csv"]);
    sandbox.run(&["evaluate", "-", "-", "--schema", "people.toml", "--quiet"]).refused(2, &["standard input"]);
    // One row: little can be said, and nothing is NaN.
    let ran = run("one.csv", &format!("{header}1,30,5.5,north,true,2001-01-01\n"));
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(SCHEMA.contains("income"));
    let missing = "1,30,,north,true,2001-01-01\n".repeat(30);
    sandbox.write("missing.csv", &format!("{header}{missing}"));
    let ran = sandbox.run(&["evaluate", "people.csv", "missing.csv", "--schema", "people.toml"]);
    assert!(ran.code == 0 && !ran.out.contains("NaN"), "{}", ran.err);
}

/// Rows sorted by a column of rare towns, with names that nobody shares and two common jobs.
fn with_rare_words() -> Sandbox {
    let sandbox = empty();
    let row = |i: u32| {
        let town = if i < 2_600 { format!("T{}", i / 2) } else { "Oslo".to_owned() };
        format!("{},person {i},{},{town}\n", 20 + i * 37 % 60, ["smith", "tailor"][i as usize % 2])
    };
    sandbox.write("t.csv", &format!("age,name,job,town\n{}", (0..4_000).map(row).collect::<String>()));
    sandbox
}

#[test]
fn what_a_discovered_release_lost_is_told_and_not_refused() {
    let sandbox = with_rare_words();
    let ran = sandbox.run(&["synth", "t.csv", "--discover", "--epsilon", "3", "--out", "out", "-q"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(sandbox.read("out/release/schema.toml").contains("values = []"), "the names are lost");
    let lost = "LOST: name.";
    let page = sandbox.read("out/steward-only/report.html");
    assert!(page.contains(lost) && page.contains("lost: no value is listed"), "{page}");
    // The schema of the release goes with the release, although no cell at the head of the file is
    // one of its names or towns.
    let words = ["evaluate", "t.csv", "out", "--schema", "out/release/schema.toml", "--target", "job"];
    let ran = sandbox.run(&[&words[..], &["--html", "page.html"]].concat());
    assert_eq!(ran.code, 0, "{}", ran.err);
    let out = ran.out.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(out.contains(lost) && out.contains("LOST: no value is listed"), "{}", ran.out);
    assert!(out.contains("became the word for all others: town 65"), "{}", ran.out);
    assert!(sandbox.read("page.html").contains(lost));
    let json = sandbox.run(&[&words[..], &["--json", "-q"]].concat()).json();
    let of = |name: &str| json["columns"].as_array().unwrap().iter().find(|column| column["name"] == name).cloned();
    let (name, town, job) = (of("name").unwrap(), of("town").unwrap(), of("job").unwrap());
    assert_eq!((&name["lost"], &name["lost_to_other"]), (&true.into(), &1.0.into()));
    assert_eq!((&town["lost"], &town["lost_to_other"]), (&false.into(), &0.65.into()));
    assert_eq!((&job["lost"], &job["lost_to_other"]), (&false.into(), &0.0.into()));
}
