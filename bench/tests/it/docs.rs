//! The benchmark commands of the documents work.

use std::path::Path;
use std::process::Command;

use crate::text;

const PREFIX: &str = "cargo run --release -p lookalike-bench -- ";
const DOCUMENTS: [&str; 3] = ["CONTRIBUTING.md", "docs/guide.md", "docs/reproduction.md"];

#[test]
fn documented_benchmarks_run() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let folder = tempfile::tempdir().expect("a folder");
    for document in DOCUMENTS {
        let document = std::fs::read_to_string(root.join(document)).expect("the document");
        let commands: Vec<&str> = document.lines().filter_map(|line| line.strip_prefix(PREFIX)).collect();
        assert!(!commands.is_empty(), "no benchmark command is documented");
        for command in commands {
            let output = Command::new(env!("CARGO_BIN_EXE_lookalike-bench"))
                .args(command.split_whitespace())
                .current_dir(folder.path())
                .output()
                .expect("the benchmark program starts");
            let told = text(&output);
            assert!(told.lines().count() > 0, "`{command}` says nothing");
            for line in told.lines().filter(|_| !command.starts_with("reproduce")) {
                let line: serde_json::Value = serde_json::from_str(line).expect("a JSON line");
                assert!(line["bench"].is_string());
            }
        }
    }
}
