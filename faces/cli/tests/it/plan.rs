//! `plan`, through the real program.

use lookalike_testkit::{Ran, Sandbox};

use crate::with_people;

const FLAGS: [&str; 5] = ["plan", "--schema", "people.toml", "--rows", "30000"];

fn plan(sandbox: &Sandbox, words: &[&str]) -> Ran {
    sandbox.run(&[&FLAGS[..], words].concat())
}

#[test]
fn a_page_of_text_that_fits_a_terminal() {
    let sandbox = with_people();
    let before = sandbox.names(".");
    let told = plan(&sandbox, &["--epsilon", "0.5,1,2"]);
    assert_eq!((told.code, told.err.as_str()), (0, ""));
    for word in ["30,000 rows", "no rows were read", "2-way", "range", "a pair", "WORST CASE", "seconds", "MB"] {
        assert!(told.out.contains(word), "{word} is not in: {}", told.out);
    }
    assert!(told.out.lines().all(|line| line.chars().count() <= 80), "{}", told.out);
    assert_eq!(sandbox.names("."), before, "plan wrote something");
    let all = plan(&sandbox, &["--epsilon", "1", "--method", "all"]);
    assert!(all.out.contains("privbayes-nist") && all.out.contains("Methods that cannot do it"), "{}", all.out);
    assert!(all.out.lines().all(|line| line.chars().count() <= 80), "{}", all.out);
}

#[test]
fn a_large_epsilon_is_remarked_on() {
    let sandbox = with_people();
    let remark = "an epsilon above 10 promises little";
    let in_one_line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    for (epsilon, is_large) in [("1,10", false), ("1,10.5", true)] {
        assert_eq!(in_one_line(&plan(&sandbox, &["--epsilon", epsilon]).out).contains(remark), is_large, "{epsilon}");
    }
    let words = ["synth", "people.csv", "--schema", "people.toml", "--no-steward-report", "--method", "independent"];
    for (epsilon, is_large) in [("10", false), ("11", true)] {
        let ran = sandbox.run(&[&words[..], &["--epsilon", epsilon, "--out", epsilon]].concat());
        assert_eq!(ran.code, 0, "{}", ran.err);
        assert_eq!(ran.out.matches(remark).count(), usize::from(is_large), "{}", ran.out);
    }
}

#[test]
fn json_has_all_figures_and_both_ways_agree() {
    let sandbox = with_people();
    let asked = plan(&sandbox, &["--error", "0.03", "--json"]).json();
    let epsilon = asked["needed"][0]["epsilon"].as_f64().unwrap();
    assert_eq!((asked["needed"][0]["way"].as_u64(), asked["plans"][0]["epsilon"].as_f64()), (Some(2), Some(epsilon)));
    let back = plan(&sandbox, &["--epsilon", &epsilon.to_string(), "--json"]).json();
    let expected = back["plans"][0]["tvd2"]["expected"].as_f64().unwrap();
    assert!((expected / 0.03 - 1.0).abs() < 0.02, "epsilon {epsilon} gives {expected}");
    let one = &back["plans"][0];
    for key in ["column_noise", "pair_noise", "smallest_group", "model_bytes", "seconds", "memory_bytes"] {
        assert!(one[key].as_f64().is_some_and(|value| value > 0.0), "{key}: {one}");
    }
    assert!(one["tvd3"]["high"].as_f64() > one["tvd2"]["high"].as_f64());
    assert!(one["worst_case"]["at_most"].as_f64() > one["worst_case"]["at_least"].as_f64());
    let hopeless = sandbox.run(&["plan", "--schema", "people.toml", "--rows", "3", "--error", "0.001"]);
    assert!(hopeless.out.contains("no epsilon up to 100"), "{}", hopeless.out);
}

#[test]
fn contributions_are_compared_in_a_small_table() {
    let sandbox = with_people();
    let words = ["--epsilon", "1", "--unit", "id", "--contribution", "1,2,5,10", "--persons", "6000"];
    let told = plan(&sandbox, &words);
    assert_eq!((told.code, told.err.as_str()), (0, ""));
    for word in ["30,000 rows of about 6,000 persons", "(column \"id\")", "rows read", "of rows read", "20%", "100%"] {
        assert!(told.out.contains(word), "{word} is not in: {}", told.out);
    }
    assert!(told.out.lines().all(|line| line.chars().count() <= 80), "{}", told.out);
    let all = plan(&sandbox, &[&words[..], &["--method", "all"]].concat());
    assert!(all.code == 0 && all.out.lines().all(|line| line.chars().count() <= 80), "{}", all.out);
    let json = plan(&sandbox, &[&words[..], &["--json"]].concat()).json();
    let kept: Vec<u64> =
        json["plans"].as_array().unwrap().iter().map(|it| it["kept"]["rows"].as_u64().unwrap()).collect();
    assert_eq!((kept.len(), kept[0], json["persons"].as_u64()), (4, 6000, Some(6000)));
    assert!(kept.is_sorted(), "{kept:?}");
    // The same facts in other words.
    let each = ["plan", "--schema", "people.toml", "--persons", "6000", "--rows-per-person", "5", "--json"];
    let same = sandbox.run(&[&each[..], &words[..6]].concat()).json();
    assert_eq!(same["plans"][3]["kept"], json["plans"][3]["kept"]);
}

#[test]
fn mistakes_are_one_line() {
    let sandbox = with_people();
    let refused = |words: &[&str], told: &[&str]| sandbox.run(&[&["plan"], words].concat()).refused(2, told);
    refused(&["--rows", "10", "--epsilon", "1"], &["schema"]);
    refused(&["--schema", "people.toml", "--epsilon", "1"], &["--rows"]);
    refused(&["--schema", "people.toml", "--rows", "10"], &["--epsilon", "--error"]);
    refused(&["--schema", "nowhere.toml", "--rows", "10", "--epsilon", "1"], &["nowhere.toml"]);
    refused(&["people.csv", "--schema", "people.toml", "--rows", "10", "--epsilon", "1"], &["people.csv"]);
    for words in [
        &["--epsilon", "0"][..],
        &["--epsilon", "-1"],
        &["--epsilon", "1,x"],
        &["--epsilon", "1e-300"],
        &["--epsilon", "1", "--delta", "2"],
        &["--epsilon", "1", "--method", "magic"],
        &["--epsilon", "1", "--method", "histogram"],
        &["--epsilon", "1", "--relation", "odd"],
        &["--error", "0"],
        &["--error", "1.5"],
        &["--error", "NaN"],
        &["--error", "0.1", "--way", "4"],
        &["--epsilon", "1", "--way", "2"],
        &["--epsilon", "1", "--unit", "id"],
        &["--epsilon", "1", "--contribution", "2"],
        &["--epsilon", "1", "--unit", "id", "--contribution", "1,2"],
        &["--epsilon", "1", "--unit", "id", "--contribution", "0"],
        &["--epsilon", "1", "--unit", "id", "--contribution", "-1"],
        &["--epsilon", "1", "--unit", "age", "--contribution", "2"],
        &["--epsilon", "1", "--unit", "id", "--contribution", "2", "--persons", "40000"],
        &["--epsilon", "1", "--persons", "400"],
    ] {
        refused(&[&FLAGS[1..], words].concat(), &[]);
    }
}
