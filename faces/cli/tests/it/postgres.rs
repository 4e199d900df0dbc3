//! Rows of a PostgreSQL server, through the program.

use std::path::Path;
use std::process::Command;

use lookalike_testkit::{Postgres, Ran, Sandbox, people};

use crate::PROGRAM;
use crate::leak::files;

fn sandbox(server: &Postgres, table: &str) -> Sandbox {
    let sandbox = Sandbox::with_people(PROGRAM);
    let text = people::table(200);
    let header: Vec<String> =
        text.lines().next().unwrap().split(',').map(|name| format!("\"{}\" text", name.trim_matches('"'))).collect();
    let fill = format!("COPY {table} FROM STDIN (FORMAT csv, HEADER);\n{}\n\\.\n", text.trim_end());
    server.sql(&format!("DROP TABLE IF EXISTS {table} CASCADE; CREATE TABLE {table} ({});\n{fill}", header.join(", ")));
    sandbox
}

fn synth(sandbox: &Sandbox, address: &str, words: &[&str]) -> Ran {
    let all = ["synth", address, "--schema", "people.toml", "--epsilon", "1", "--method", "independent"];
    sandbox.run(&[&all[..], words].concat())
}

#[test]
fn a_table_becomes_a_release() {
    let Some(server) = Postgres::shared() else { return };
    let sandbox = sandbox(server, "whole_job");
    let address = server.address("table=whole_job");
    let ran = synth(&sandbox, &address, &["--out", "out"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert_eq!(sandbox.run(&["verify", "out"]).code, 0);
    assert!(sandbox.path("out/steward-only/report.html").is_file(), "{}", ran.err);
    let statement: serde_json::Value = serde_json::from_str(&sandbox.read("out/release/privacy.json")).unwrap();
    let source = &statement["job"]["source"];
    assert_eq!((source["engine"].as_str(), source["rows_of"].as_str()), (Some("PostgreSQL"), Some("a table")));
    let evaluated =
        sandbox.run(&["evaluate", &address, "out/release/synthetic.csv", "--schema", "people.toml", "--json"]);
    assert_eq!(evaluated.code, 0, "{}", evaluated.err);
    let drafted = sandbox.run(&["schema", "draft", &address]);
    assert!(drafted.code == 0 && drafted.out.contains("[columns."), "{}", drafted.err);
    // Kept rows need no server.
    for round in ["one", "two"] {
        let ran = synth(&sandbox, &address, &["--keep-coded", "kept.coded", "--out", round, "--no-steward-report"]);
        assert_eq!(ran.code, 0, "{}", ran.err);
        assert_eq!(ran.err.contains("the table was not read"), round == "two");
        assert!(sandbox.read(&format!("{round}/release/privacy.json")).contains("PostgreSQL"));
    }
}

/// Passwords, users, databases, queries and what the server says: nowhere but on the terminal.
#[test]
fn no_secret_and_no_word_of_the_server_is_written() {
    let Some(server) = Postgres::shared() else { return };
    let sandbox = sandbox(server, "canary_table");
    server.sql(
        "DROP ROLE IF EXISTS canary_user; CREATE ROLE canary_user LOGIN PASSWORD 'canary_password'; \
         GRANT SELECT ON canary_table TO canary_user",
    );
    let (folder, port) = (server.socket().display().to_string().replace('/', "%2F"), server.port());
    let at = |rows: &str| format!("postgres://canary_user@{folder}:{port}/postgres?{rows}");
    let with_password =
        |words: &[&str], password: &str| Ran::of(sandbox.command(words).env("PGPASSWORD", password).output().unwrap());
    let query = at("query=SELECT * FROM canary_table WHERE 'canary_query' <> 'x'");
    let job = ["--schema", "people.toml", "--epsilon", "1", "--method", "independent", "--log-file", "log.txt"];
    let all = [&["synth", &query, "--out", "out"][..], &job].concat();
    let ran = with_password(&all, "canary_password");
    assert_eq!(ran.code, 0, "{}", ran.err);
    let refused = with_password(&[&all[..], &["--force"]].concat(), "canary_wrong");
    assert_eq!(refused.code, 2, "{}", refused.err);
    assert!(
        refused.err.contains("did not let the user in") && refused.err.contains("the server said"),
        "{}",
        refused.err
    );
    let broken = at("query=SELECT *, 1 / (length('canary_broken') - 13) FROM canary_table");
    let broken = with_password(&[&["synth", &broken, "--out", "other"][..], &job].concat(), "canary_password");
    assert!(broken.code != 0 && broken.err.contains("division by zero"), "{}", broken.err);
    let in_address = format!("postgres://canary_user:canary_password@{folder}:{port}/postgres?table=canary_table");
    with_password(&[&["synth", &in_address, "--out", "third"][..], &job].concat(), "").refused(2, &["password"]);
    let mut looked = 0;
    let mut all = Vec::new();
    files(&sandbox.path(""), &mut all);
    for path in all {
        let bytes = std::fs::read(&path).unwrap();
        looked += 1;
        for canary in ["canary", "division by zero", &folder, "authentication"] {
            let found = bytes.windows(canary.len()).any(|window| window == canary.as_bytes());
            assert!(!found, "{canary:?} is in {}", path.display());
        }
    }
    assert!(looked > 6, "{looked} files");
}

#[test]
fn encrypted_with_a_certificate_that_fits() {
    let Some(server) = Postgres::shared() else { return };
    let sandbox = sandbox(server, "encrypted");
    let certificate = sandbox.path("root.crt");
    std::fs::copy(server.certificate(), &certificate).unwrap();
    let draft = |host: &str, mode: &str, root: Option<&Path>| {
        let address = format!("postgres://postgres@{host}:{}/postgres?{mode}table=encrypted", server.port());
        let mut command: Command = sandbox.command(&["schema", "draft", &address]);
        root.map(|root| command.env("PGSSLROOTCERT", root));
        Ran::of(command.output().unwrap())
    };
    for (mode, root, taken) in [
        ("sslmode=verify-full&", Some(certificate.as_path()), true),
        ("sslmode=require&", None, false),
        ("sslmode=disable&", None, true),
        ("", None, true),
    ] {
        let ran = draft("localhost", mode, root);
        assert_eq!(ran.code == 0, taken, "{mode} {root:?}: {}", ran.err);
        assert!(taken || ran.code == 2 && ran.err.contains("could not be reached"), "{}", ran.err);
    }
}

/// The script of the examples, as it stands.
#[test]
fn the_example_runs() {
    let Some(_) = Postgres::shared() else { return };
    let Some(data) = lookalike_testkit::benchmark_tables() else { return };
    let sandbox = Sandbox::new(PROGRAM);
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/postgres/run.sh");
    let mut command = Command::new("sh");
    command.arg(script).arg(data.join("adult.csv")).arg(data.join("adult-domain.json"));
    command.current_dir(sandbox.path("")).env("LOOKALIKE", PROGRAM).env("LOOKALIKE_WORDS", "--method mst");
    let ran = Ran::of(command.output().unwrap());
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    assert!(sandbox.path("census/release/synthetic.csv").is_file());
    assert!(ran.out.contains("epsilon"), "{}", ran.out);
}
