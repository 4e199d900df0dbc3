//! A drafted schema says nothing about the rows that no mark covers. Drafts of two neighbouring
//! tables, reviewed alike, are one schema, and what is released under it is the same, byte by byte,
//! when the answers are.

mod review;
mod tables;

use std::path::Path;

use crate::common::{Run, Shown, run_related};
use lookalike::Schema;
use lookalike::testing::Recording;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use review::{file_reviewed_like, leaving_out, one_schema};
use tables::{ADD_REMOVE, REPLACE_ONE, Sheet, neighbours, witnesses};
use toml::Table;

/// Both releases under both schemas, the second with the answers of the first.
fn replayed(schemas: &[Schema; 2], one: &Sheet, two: &Sheet, relation: &str) -> [Shown; 2] {
    let recording = Recording::new();
    let run = |schema: &Schema, sheet: &Sheet, adapt: &dyn Fn(Run) -> Run| {
        run_related(relation, &schema.to_toml(), &sheet.csv(), adapt)
    };
    let recorded = run(&schemas[0], one, &|job| job.with_test_noise(1).recording_on(&recording));
    let second = run(&schemas[1], two, &|job| job.with_test_noise(2).replaying(&recording));
    recorded.release();
    assert!(!recording.answers().is_empty(), "nothing was recorded");
    [recorded, second]
}

fn assert_same_release(schemas: &[Schema; 2], one: &Sheet, two: &Sheet, relation: &str) {
    let [first, second] = replayed(schemas, one, two, relation);
    second.release();
    assert!(first.files.contains_key(Path::new("release/model.lookalike")));
    assert!(first.files == second.files && first.story == second.story, "the releases differ: {one:?} and {two:?}");
}

#[test]
fn every_fact_that_a_record_can_change_is_marked() {
    for (fact, one, two) in witnesses() {
        let (first, second) = (one.draft(), two.draft());
        assert_ne!(first, second, "{fact}: the neighbours are drafted alike");
        let schemas = one_schema(&first, &second).unwrap_or_else(|why| panic!("{fact}: {why}"));
        if !schemas[0].domain().is_empty() {
            assert_same_release(&schemas, &one, &two, ADD_REMOVE);
        }
    }
}

#[test]
fn a_mark_that_is_left_out_is_caught() {
    for (fact, one, two) in witnesses() {
        let (first, second) = (one.draft(), two.draft());
        let marked = [leaving_out(fact, &first), leaving_out(fact, &second)];
        assert!(one_schema(&marked[0], &marked[1]).is_err(), "{fact} is not marked, and nobody sees it");
        // A mark that depends on what was found is a fact too: it must stand in both.
        assert!(one_schema(&marked[0], &second).is_err(), "{fact} is marked in one of the two");
        assert!(one_schema(&first, &marked[1]).is_err(), "{fact} is marked in one of the two");
    }
}

#[test]
fn of_which_kind_a_mark_is_changes_nothing_else() {
    // Nineteen rows tell something, twenty do not.
    let one = Sheet::column([vec!["a"; 30], vec!["b"; 19]].concat());
    let two = one.with(&["b"]);
    let (first, second) = (one.draft(), two.draft());
    let list = |file: &Table, kind: &str| file["columns"]["x"].get(kind).map(ToString::to_string).unwrap_or_default();
    assert_eq!((list(&first, "review"), list(&second, "review")), ("[\"values\"]".into(), String::new()));
    let schemas = one_schema(&first, &second).unwrap();
    assert_same_release(&schemas, &one, &two, ADD_REMOVE);
}

#[test]
fn bounds_by_name_are_the_same_whatever_the_cells_hold() {
    for odd in ["4", "300", "-7", "1e9"] {
        let one = Sheet::column((0..60).map(|row| (row * 7 % 50).to_string())).named("age");
        let (first, second) = (one.draft(), one.with(&[odd]).draft());
        assert_eq!(first["columns"]["age"], second["columns"]["age"], "{odd}");
    }
}

#[test]
fn what_is_not_marked_would_be_in_the_release() {
    // The control of the bytes: the same answers do not hide a word that differs. One record is
    // replaced, so that both tables have as many values, and the same answers fit both.
    let shared = Sheet::column(["No", "Yes"].repeat(30));
    let (one, two) = (shared.with(&["Perhaps"]), shared.with(&["Never"]));
    let unreviewed = |sheet: &Sheet| {
        let file = leaving_out("values", &sheet.draft());
        Schema::parse(&file_reviewed_like(&file, &file).to_string(), "draft").unwrap()
    };
    let [first, second] = replayed(&[unreviewed(&one), unreviewed(&two)], &one, &two, REPLACE_ONE);
    let model = |shown: &Shown| shown.files[Path::new("release/model.lookalike")].clone();
    assert_ne!(model(&first), model(&second));
}

#[test]
fn generated_neighbours_catch_each_mark_that_is_left_out() {
    // The control of the property below: its tables do differ in every fact.
    let mut runner = TestRunner::deterministic();
    let pairs: Vec<[Table; 2]> = (0..600)
        .map(|_| {
            let (one, two, _) = neighbours().new_tree(&mut runner).unwrap().current();
            [one.draft(), two.draft()]
        })
        .collect();
    for fact in ["type", "range", "values", "missing_tokens", "decimal", "multiline"] {
        let caught = |[one, two]: &&[Table; 2]| one_schema(&leaving_out(fact, one), &leaving_out(fact, two)).is_err();
        assert!(pairs.iter().filter(caught).count() > 0, "no pair shows that {fact} is marked");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn drafts_of_neighbours_reviewed_alike_are_one_schema((one, two, _) in neighbours()) {
        let found = one_schema(&one.draft(), &two.draft());
        prop_assert!(found.is_ok(), "{}", found.err().unwrap_or_default());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn and_their_releases_are_one_release((one, two, relation) in neighbours()) {
        if let Ok(schemas) = one_schema(&one.draft(), &two.draft()) && !schemas[0].domain().is_empty() {
            assert_same_release(&schemas, &one, &two, relation);
        }
    }
}
