//! The papers' figures from the command line.

use lookalike_testkit::Ran;

use crate::{empty, with_people};

#[test]
fn figures_are_listed_run_and_refused() {
    let sandbox = empty();
    let listed = sandbox.run(&["reproduce"]);
    assert_eq!(listed.code, 0, "{}", listed.err);
    for name in ["aau-histogram", "pb14-marginals", "pb21-nist", "mrf-svm", "th-bounds"] {
        assert!(listed.out.lines().any(|line| line.starts_with(name)), "{name} is not in the list");
    }
    sandbox.run(&["reproduce", "aau-9"]).refused(2, &["no figure is called", "aau-network"]);
    let ran = sandbox.run(&["reproduce", "aau-network", "--out", "figures", "--quiet"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.contains("seen again:"), "{}", ran.out);
    assert_eq!(sandbox.names("figures"), ["aau-network.csv", "aau-network.svg"]);
    assert!(sandbox.read("figures/aau-network.svg").ends_with("</svg>\n"));
    let json = sandbox.run(&["reproduce", "aau-network", "--out", "figures", "--quiet", "--json"]).json();
    assert_eq!(json[0]["name"], "aau-network");
    assert!(json[0]["findings"].as_array().is_some_and(|findings| findings.len() == 3));
}

#[test]
fn a_missing_table_is_named() {
    let sandbox = empty();
    let mut command = sandbox.command(&["reproduce", "pb14-theta", "--quiet"]);
    let ran = Ran::of(command.env_remove("LOOKALIKE_DATA").output().expect("the program starts"));
    ran.refused(2, &["nltcs.csv", "LOOKALIKE_DATA", "--simulated"]);
}

#[test]
fn synth_knows_nothing_of_baselines_and_recipes() {
    let sandbox = with_people();
    let methods = sandbox.run(&["methods"]).out;
    for name in ["laplace", "fourier", "contingency", "uniform", "published"] {
        assert!(!methods.lines().any(|line| line.starts_with(name)), "{name} is offered");
        assert_eq!(sandbox.try_synth(&["--method", name, "--out", "out"]).code, 2);
    }
}
