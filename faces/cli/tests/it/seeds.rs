//! Row counts, seeds and threads.

use crate::with_people;

#[test]
fn the_row_count_is_the_one_asked_for_or_the_noisy_one() {
    let sandbox = with_people();
    for rows in ["0", "1", "777"] {
        sandbox.synth(&["--out", rows, "--rows", rows]);
        assert_eq!(sandbox.rows(&format!("{rows}/release/synthetic.csv")).to_string(), rows);
    }
    let ran = sandbox.synth(&["--out", "noisy", "--json"]);
    assert_eq!(ran.json()["rows"], sandbox.rows("noisy/release/synthetic.csv"));
}

#[test]
fn a_seed_fixes_sampling_and_never_the_noise() {
    let sandbox = with_people();
    for out in ["x", "y"] {
        sandbox.synth(&["--out", out, "--seed", "7", "--rows", "100"]);
    }
    assert_ne!(sandbox.bytes("x/release/model.lookalike"), sandbox.bytes("y/release/model.lookalike"));
    assert_ne!(sandbox.bytes("x/release/synthetic.csv"), sandbox.bytes("y/release/synthetic.csv"));
    // The same seed on the same model gives the released rows again.
    let ran = sandbox.run(&["sample", "x", "-n", "100", "--seed", "7"]);
    assert_eq!(ran.out, sandbox.read("x/release/synthetic.csv"));
}

#[test]
fn samples_are_the_same_whatever_the_threads() {
    let sandbox = with_people();
    sandbox.synth(&["--out", "x"]);
    // More than two blocks, so that several threads have something to do.
    for format in ["csv", "parquet"] {
        for threads in ["1", "2", "5"] {
            let out = format!("{threads}.{format}");
            let words = ["sample", "x/release/model.lookalike", "-n", "20000", "--seed", "3", "--threads", threads];
            let ran = sandbox.run(&[&words[..], &["-o", &out]].concat());
            assert_eq!(ran.code, 0, "{}", ran.err);
            assert_eq!(sandbox.bytes(&out), sandbox.bytes(&format!("1.{format}")), "{threads} threads");
        }
    }
    assert_eq!(sandbox.rows("1.csv"), 20_000);
    let other = sandbox.run(&["sample", "x", "-n", "20000", "--seed", "4"]);
    assert_ne!(other.out, sandbox.read("1.csv"));
}

#[test]
fn a_sample_without_a_seed_tells_the_seed_it_took() {
    let sandbox = with_people();
    sandbox.synth(&["--out", "x"]);
    let first = sandbox.run(&["sample", "x", "-n", "50"]);
    let seed = first.err.split("--seed ").nth(1).and_then(|rest| rest.split(' ').next()).expect("a seed").to_owned();
    let again = sandbox.run(&["sample", "x", "-n", "50", "--seed", &seed]);
    assert_eq!(first.out, again.out);
}

#[test]
fn a_sample_does_not_overwrite_unless_told() {
    let sandbox = with_people();
    sandbox.synth(&["--out", "x"]);
    sandbox.write("mine.csv", "precious");
    sandbox.run(&["sample", "x", "-n", "5", "-o", "mine.csv"]).refused(2, &["mine.csv", "--force"]);
    assert_eq!(sandbox.read("mine.csv"), "precious");
    assert_eq!(sandbox.run(&["sample", "x", "-n", "5", "-o", "mine.csv", "--force"]).code, 0);
    assert_eq!(sandbox.rows("mine.csv"), 5);
    sandbox.run(&["sample", "people.csv", "-n", "5"]).refused(2, &["not a model"]);
    sandbox.run(&["sample", "nowhere", "-n", "5"]).refused(2, &["nowhere: no such file"]);
}
