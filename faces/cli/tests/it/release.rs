//! A release from start to end, in every form of input.

use lookalike_testkit::people::table;
use lookalike_testkit::{benchmark_table, people};

use crate::{empty, with_people};

const FILES: [&str; 5] = ["dictionary.csv", "model.lookalike", "privacy.json", "report.html", "synthetic.csv"];

#[test]
fn a_release_has_its_files_and_its_statement_holds() {
    let sandbox = with_people();
    let ran = sandbox.synth(&["--delta", "1e-5", "--method", "independent", "--out", "out/x"]);
    assert_eq!(sandbox.names("out/x/release"), FILES);
    assert_eq!(sandbox.names("out/x"), ["release"]);
    assert_eq!(sandbox.names("out"), ["x", "x.journal.jsonl"]);
    assert!(ran.out.contains("(1, 1e-5)-differential privacy"), "{}", ran.out);
    assert!(ran.out.contains("lookalike verify out/x/release"), "{}", ran.out);
    let statement: serde_json::Value = serde_json::from_str(&sandbox.read("out/x/release/privacy.json")).unwrap();
    let used = statement["used"]["epsilon"].as_f64().unwrap();
    assert!((0.999..=1.0).contains(&used), "{used}");
    assert_eq!(statement["charged_runs"], 1);
    assert_eq!(statement["job"]["method"], "independent");
    assert!(statement["job"]["seed"].is_u64());
    let text = statement.to_string();
    assert!(!text.contains("people"), "an input path is in the statement");
    for release in ["out/x/release", "out/x"] {
        let verdict = sandbox.run(&["verify", release]);
        assert_eq!(verdict.code, 0, "{}", verdict.out);
        assert!(verdict.out.contains("agrees"), "{}", verdict.out);
    }
}

#[test]
fn verify_disagrees_after_any_file_is_changed_lost_or_added() {
    let sandbox = with_people();
    sandbox.synth(&["--out", "x"]);
    for name in FILES {
        let path = format!("x/release/{name}");
        let whole = sandbox.bytes(&path);
        let changes: [(&str, Vec<u8>); 4] = [
            ("flipped", {
                let mut bytes = whole.clone();
                bytes[whole.len() / 2] ^= 1;
                bytes
            }),
            ("cut", whole[..whole.len() - 1].to_vec()),
            ("longer", [&whole[..], b"\n"].concat()),
            ("empty", Vec::new()),
        ];
        for (change, bytes) in changes {
            std::fs::write(sandbox.path(&path), bytes).unwrap();
            let verdict = sandbox.run(&["verify", "x"]);
            assert_eq!(verdict.code, 2, "{name} {change}: {}", verdict.out);
            assert!(verdict.out.contains(name), "{name} {change}: {}", verdict.out);
        }
        std::fs::remove_file(sandbox.path(&path)).unwrap();
        assert_eq!(sandbox.run(&["verify", "x"]).code, 2, "{name} is not there");
        std::fs::write(sandbox.path(&path), whole).unwrap();
        assert_eq!(sandbox.run(&["verify", "x"]).code, 0, "{name} is back");
    }
    sandbox.write("x/release/more.txt", "x");
    let verdict = sandbox.run(&["verify", "x", "--json"]);
    assert_eq!(verdict.code, 2);
    assert_eq!(verdict.json()["disagreements"].as_array().unwrap().len(), 1);
}

#[test]
fn a_statement_with_better_figures_is_found_out_even_when_sealed_anew() {
    let sandbox = with_people();
    sandbox.synth(&["--out", "x"]);
    let text = sandbox.read("x/release/privacy.json");
    let better = text.replacen("\"epsilon\": 1.0", "\"epsilon\": 0.5", 1);
    assert_ne!(text, better);
    sandbox.write("x/release/privacy.json", &better);
    let verdict = sandbox.run(&["verify", "x", "--json"]);
    assert_eq!(verdict.code, 2);
    let lines = verdict.json()["disagreements"].to_string();
    assert!(lines.contains("seal") && lines.contains("above") && lines.contains("model.lookalike"), "{lines}");
}

#[test]
fn parquet_out_and_in() {
    let sandbox = with_people();
    sandbox.synth(&["--out", "x", "--format", "parquet", "--rows", "300"]);
    assert!(sandbox.names("x/release").contains(&"synthetic.parquet".to_owned()));
    let again = sandbox.run(&[
        "synth",
        "x/release/synthetic.parquet",
        "--schema",
        "released.toml",
        "--epsilon",
        "1",
        "--out",
        "y",
    ]);
    // The released table has no `remark`: a schema that asks for it is the user's mistake.
    again.refused(2, &["released.toml"]);
    let released = people::SCHEMA.replace("[columns.remark]\ntype = \"ignore\"\n", "");
    sandbox.write("released.toml", &released);
    let again = sandbox.run(&[
        "synth",
        "x/release/synthetic.parquet",
        "--schema",
        "released.toml",
        "--epsilon",
        "1",
        "--out",
        "y",
    ]);
    assert_eq!(again.code, 0, "{}", again.err);
    assert_eq!(sandbox.run(&["verify", "y"]).code, 0);
    assert!(sandbox.path("y/steward-only/report.html").is_file());
}

#[test]
fn standard_input_header_only_and_one_row() {
    let sandbox = with_people();
    for rows in [0, 1, 500] {
        let out = format!("stdin-{rows}");
        let words = ["synth", "-", "--schema", "people.toml", "--epsilon", "1", "--out", &out];
        let ran = sandbox.run_with_input(&words, table(rows).as_bytes());
        assert_eq!(ran.code, 0, "{rows} rows: {}", ran.err);
        assert!(ran.err.contains("standard input cannot be read twice"), "{}", ran.err);
        assert_eq!(sandbox.names(&out), ["release"]);
        assert_eq!(sandbox.run(&["verify", &out]).code, 0);
        sandbox.write("few.csv", &table(rows));
        let out = format!("file-{rows}");
        let ran = sandbox.run(&["synth", "few.csv", "--schema", "people.toml", "--epsilon", "1", "--out", &out]);
        assert_eq!(ran.code, 0, "{rows} rows: {}", ran.err);
        assert_eq!(sandbox.names(&out), ["release", "steward-only"], "{}", ran.err);
        assert_eq!(sandbox.run(&["verify", &out]).code, 0);
    }
}

#[test]
fn the_folder_in_the_way_is_kept_or_moved_aside() {
    let sandbox = with_people();
    sandbox.synth(&["--out", "x"]);
    let first = sandbox.bytes("x/release/model.lookalike");
    sandbox.try_synth(&["--out", "x"]).refused(2, &["x:", "--force"]);
    assert_eq!(sandbox.bytes("x/release/model.lookalike"), first);
    let ran = sandbox.synth(&["--out", "x", "--force", "--json"]);
    assert_eq!(ran.json()["moved_aside"], "x.old-1");
    assert_eq!(sandbox.bytes("x.old-1/release/model.lookalike"), first);
    let ran = sandbox.synth(&["--out", "x", "--force", "--json"]);
    assert_eq!(ran.json()["moved_aside"], "x.old-2");
    assert_eq!(ran.json()["charged_runs"], 3);
    std::fs::create_dir(sandbox.path("empty")).unwrap();
    sandbox.synth(&["--out", "empty"]);
    assert_eq!(sandbox.run(&["verify", "x"]).code, 0);
    assert!(sandbox.run(&["verify", "x"]).out.contains("3 runs"), "the count of runs is shown");
}

#[cfg(unix)]
#[test]
fn the_stewards_folder_is_closed_to_others() {
    use std::os::unix::fs::PermissionsExt;
    let sandbox = with_people();
    let ran = sandbox.run(&["synth", "people.csv", "--schema", "people.toml", "--epsilon", "1", "--out", "x"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let mode = std::fs::metadata(sandbox.path("x/steward-only")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o700);
    for closed in ["x/steward-only/report.html", "x.journal.jsonl"] {
        let mode = std::fs::metadata(sandbox.path(closed)).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{closed}");
    }
    assert_eq!(sandbox.names("x/steward-only"), ["report.html"]);
    assert!(sandbox.read("x/steward-only/report.html").contains("do not publish"));
}

#[test]
fn adult_as_codes() {
    let (Some(table), Some(domain)) = (benchmark_table("adult.csv"), benchmark_table("adult-domain.json")) else {
        return;
    };
    let sandbox = empty();
    let (table, domain) = (table.display().to_string(), domain.display().to_string());
    let words = ["synth", &table, "--schema", &domain, "--epsilon", "1", "--delta", "1e-5", "--method", "independent"];
    let ran = sandbox.run(&[&words[..], &["--out", "out/x", "--json"]].concat());
    assert_eq!(ran.code, 0, "{}", ran.err);
    let used = ran.json()["used"].as_f64().unwrap();
    assert!((0.999..=1.0).contains(&used), "{used}");
    let rows = sandbox.rows("out/x/release/synthetic.csv") as i64;
    assert_eq!(ran.json()["rows"].as_i64().unwrap(), rows);
    // The noisy n: within 1,000 of the truth except with a probability far below 1e-9.
    assert!((rows - 45_222).abs() < 1_000, "{rows}");
    assert_eq!(sandbox.run(&["verify", "out/x/release"]).code, 0);
}

#[test]
fn adult_with_labels_and_a_drafted_and_reviewed_schema() {
    let Some(table) = benchmark_table("adult-labels.csv") else { return };
    let sandbox = empty();
    let table = table.display().to_string();
    let ran = sandbox.run(&["schema", "draft", &table, "-o", "adult.toml"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.err.contains("steward-only"), "{}", ran.err);
    let synth = ["synth", &table, "--schema", "adult.toml", "--epsilon", "1", "--delta", "1e-5", "--out", "x"];
    sandbox.run(&synth).refused(2, &["reviewed", "--accept-draft"]);
    let draft = sandbox.read("adult.toml");
    let reviewed: Vec<&str> =
        draft.lines().filter(|line| !line.starts_with("review") && !line.starts_with("harmless")).collect();
    sandbox.write("adult.toml", &reviewed.join("\n"));
    let ran = sandbox.run(&synth);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert_eq!(sandbox.run(&["verify", "x"]).code, 0);
    let header = sandbox.read("x/release/synthetic.csv").lines().next().unwrap().to_owned();
    assert_eq!(header, std::fs::read_to_string(&table).unwrap().lines().next().unwrap());
}
