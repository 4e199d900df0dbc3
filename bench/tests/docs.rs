//! The benchmark commands of the documents work.

use std::path::Path;
use std::process::Command;

const PREFIX: &str = "cargo run --release -p lookalike-bench -- ";

#[test]
fn documented_benchmarks_run() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let text = std::fs::read_to_string(root.join("CONTRIBUTING.md")).expect("the document");
    let commands: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix(PREFIX)).collect();
    assert!(!commands.is_empty(), "no benchmark command is documented");
    for command in commands {
        let output = Command::new(env!("CARGO_BIN_EXE_lookalike-bench"))
            .args(command.split_whitespace())
            .output()
            .expect("the benchmark program starts");
        assert!(output.status.success(), "`{command}` failed: {}", String::from_utf8_lossy(&output.stderr));
        let text = String::from_utf8(output.stdout).expect("text");
        assert!(text.lines().count() > 0);
        for line in text.lines() {
            let line: serde_json::Value = serde_json::from_str(line).expect("a JSON line");
            assert!(line["bench"].is_string());
        }
    }
}
