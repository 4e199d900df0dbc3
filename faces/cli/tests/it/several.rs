//! Tables in folders, behind patterns and in Arrow's format, with every command that takes a table.

use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch, StringArray};
use arrow_ipc::writer::{FileWriter, StreamWriter};

use crate::with_people;
use lookalike_testkit::Sandbox;

/// `people.csv` once more, in three files and by whether somebody is married.
fn in_folders(sandbox: &Sandbox) {
    let text = sandbox.read("people.csv");
    let (header, rows) = text.split_once('\n').unwrap();
    let rows: Vec<&str> = rows.lines().collect();
    std::fs::create_dir(sandbox.path("parts")).unwrap();
    for (k, part) in rows.chunks(70).enumerate() {
        sandbox.write(&format!("parts/part-{k}.csv"), &format!("{header}\n{}\n", part.join("\n")));
    }
    sandbox.write("parts/_SUCCESS", "");
    for married in ["true", "false"] {
        let folder = format!("hive/married={married}");
        std::fs::create_dir_all(sandbox.path(&folder)).unwrap();
        let word = format!(",{married},");
        let own: Vec<String> =
            rows.iter().filter(|row| row.contains(&word)).map(|row| row.replace(&word, ",")).collect();
        let header = header.replace(",married", "");
        sandbox.write(&format!("{folder}/part-0.csv"), &format!("{header}\n{}\n", own.join("\n")));
    }
}

/// `people.csv` as an Arrow batch of texts.
fn batch(sandbox: &Sandbox) -> RecordBatch {
    let text = sandbox.read("people.csv").replace("\"south, \"\"old\"\"\"", "south");
    let mut lines = text.lines().map(|line| line.split(',').map(str::to_owned).collect::<Vec<_>>());
    let header = lines.next().unwrap();
    let rows: Vec<Vec<String>> = lines.collect();
    let column = |k: usize| Arc::new(rows.iter().map(|row| Some(row[k].as_str())).collect::<StringArray>()) as ArrayRef;
    RecordBatch::try_from_iter(header.iter().enumerate().map(|(k, name)| (name.as_str(), column(k)))).unwrap()
}

#[test]
fn every_command_that_takes_a_table_takes_folders_and_patterns() {
    let sandbox = with_people();
    in_folders(&sandbox);
    for data in ["parts", "parts/part-*.csv", "hive", "hive/*/*.csv"] {
        let ran = sandbox.run(&["schema", "check", "people.toml", data, "--json"]);
        assert_eq!(ran.code, 0, "{}", ran.err);
        assert_eq!(ran.json()["steward_only"]["rows"], 200);
        assert_eq!(sandbox.run(&["schema", "draft", data]).code, 0);
        let out = format!("out-{}", data.replace(['/', '*'], "-"));
        let ran = sandbox.run(&["synth", data, "--schema", "people.toml", "--epsilon", "1", "--out", &out]);
        assert_eq!(ran.code, 0, "{}", ran.err);
        // The child that compares finds the same rows under the same words.
        assert!(sandbox.path(&out).join("steward-only/report.html").exists(), "{}", ran.err);
        let ran = sandbox.run(&["evaluate", data, &out, "--schema", "people.toml"]);
        assert_eq!(ran.code, 0, "{}", ran.err);
    }
    let ran = sandbox.run(&["synth", "hive", "--discover", "--epsilon", "20", "--out", "found", "--no-steward-report"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(sandbox.read("found/release/schema.toml").contains("[columns.married]"));
    let ran = sandbox.run(&["schema", "review", "people.toml", "parts", "--accept", "harmless"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
}

#[test]
fn arrow_comes_by_name_and_by_pipe() {
    let sandbox = with_people();
    let batch = batch(&sandbox);
    let file = std::fs::File::create(sandbox.path("people.arrow")).unwrap();
    let mut writer = FileWriter::try_new(file, &batch.schema()).unwrap();
    writer.write(&batch).unwrap();
    writer.finish().unwrap();
    let mut writer = StreamWriter::try_new(Vec::new(), &batch.schema()).unwrap();
    (0..4).for_each(|k| writer.write(&batch.slice(50 * k, 50)).unwrap());
    let stream = writer.into_inner().unwrap();
    std::fs::write(sandbox.path("people.arrows"), &stream).unwrap();
    for data in ["people.arrow", "people.arrows"] {
        let ran = sandbox.run(&["schema", "check", "people.toml", data, "--json"]);
        assert_eq!((ran.code, ran.json()["steward_only"]["rows"].as_u64()), (0, Some(200)), "{}", ran.err);
    }
    for input in [stream, sandbox.bytes("people.arrow")] {
        let ran = sandbox.run_with_input(&["schema", "check", "people.toml", "-", "--json"], &input);
        assert_eq!((ran.code, ran.json()["steward_only"]["rows"].as_u64()), (0, Some(200)), "{}", ran.err);
        let words = ["synth", "-", "--schema", "people.toml", "--epsilon", "1", "--out", "x", "--force"];
        let ran = sandbox.run_with_input(&words, &input);
        assert_eq!(ran.code, 0, "{}", ran.err);
        let ran = sandbox.run_with_input(&["schema", "check", "people.toml", "-"], &input[..input.len() / 2]);
        ran.refused(2, &["standard input", "damaged Arrow"]);
    }
}

#[test]
fn files_that_do_not_go_together_are_refused_and_nothing_is_written() {
    let sandbox = with_people();
    in_folders(&sandbox);
    let synth = |data: &str| sandbox.run(&["synth", data, "--schema", "people.toml", "--epsilon", "1", "--out", "x"]);
    let before = sandbox.names(".");
    sandbox.write("parts/part-9.csv", "id,age,income,home region,married,since\n");
    synth("parts").refused(2, &["part-9.csv", "no column \"remark\"", "part-0.csv"]);
    sandbox.write("parts/part-9.csv", "id,age,income,home region,married,since,remark,more\n");
    synth("parts").refused(2, &["part-9.csv", "a column \"more\"", "part-0.csv"]);
    std::fs::write(sandbox.path("parts/part-9.csv"), "PAR1").unwrap();
    synth("parts").refused(2, &["part-9.csv"]);
    assert_eq!(sandbox.names("."), before);
    // A pattern that the shell has filled in.
    let words = ["synth", "parts/part-0.csv", "parts/part-1.csv", "--schema", "people.toml", "--epsilon", "1"];
    sandbox.run(&words).refused(2, &["parts/part-1.csv", "pattern in quotes"]);
}
