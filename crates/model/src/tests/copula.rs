//! Values that follow other columns inside groups.

use std::sync::Arc;

use lookalike_schema::{AttrId, CodeBox, Domain, Filter, Grouping, Schema};

use super::support::origin;
use super::tree::{clique, rows_of};
use crate::{Calibrated, JunctionTree, LogFactor, Model, ModelError, Refinement, Replacement, Sampling};

const CODES: u32 = 100;

/// What two halves of ordered codes have in common when the columns are a normal copula of
/// correlation 0.7: a quarter and this.
const BEYOND: f64 = 0.123_4;

/// Two ordered columns in halves that go together, and a third without an order.
fn model() -> Model {
    let column = "type = \"integer\"\nrange = [0, 99]\nbins = 100\n";
    let text = format!(
        "[columns.a]\n{column}missing = true\n[columns.b]\n{column}missing = false\n\
         [columns.c]\ntype = \"category\"\nvalues = [\"x\", \"y\"]\nmissing = false\n"
    );
    let schema = Schema::parse(&text, "copula.toml").unwrap();
    let with_missing = Grouping::new((0..CODES).map(half).chain([2]).collect()).unwrap();
    let without = Grouping::new((0..CODES).map(half).collect()).unwrap();
    let domain = Domain::new(vec![3, 2, 2]);
    let pair = clique(&[0, 1]);
    let tree = JunctionTree::new(&domain, &[pair.clone(), clique(&[2])], &[]).unwrap();
    // A tenth of the rows has no first value, and those have nothing to say.
    let shares = [0.25 + BEYOND, 0.25 - BEYOND, 0.25 - BEYOND, 0.25 + BEYOND, 0.05, 0.05];
    let potential = LogFactor::new(&domain, &pair, shares.map(f64::ln).to_vec()).unwrap();
    let calibrated = Calibrated::new(&tree, &[potential]).unwrap();
    let refined = |grouping| Some(Refinement::uniform(Arc::new(grouping)));
    Model::tree(schema, &calibrated, 20_000.0, vec![refined(with_missing), refined(without), None], vec![], origin())
        .unwrap()
}

fn half(code: u32) -> u32 {
    code * 2 / CODES
}

fn correlation(rows: &[Vec<u32>]) -> f64 {
    let both: Vec<(f64, f64)> =
        rows.iter().filter(|row| row[0] < CODES).map(|row| (f64::from(row[0]), f64::from(row[1]))).collect();
    let count = both.len() as f64;
    let mean = |of: &dyn Fn(&(f64, f64)) -> f64| both.iter().map(of).sum::<f64>() / count;
    let (x, y) = (mean(&|row| row.0), mean(&|row| row.1));
    let covariance = mean(&|row| (row.0 - x) * (row.1 - y));
    covariance / (mean(&|row| (row.0 - x).powi(2)) * mean(&|row| (row.1 - y).powi(2))).sqrt()
}

fn sorted<K: Ord>(rows: &[Vec<u32>], of: impl Fn(&Vec<u32>) -> K) -> Vec<K> {
    let mut all: Vec<K> = rows.iter().map(of).collect();
    all.sort();
    all
}

/// Halves alone keep 0.37 of the correlation of codes. That of a normal copula of 0.7 is 0.683; the
/// scatter of 20,000 rows is 0.005.
#[test]
fn values_follow_inside_groups_and_counts_stay() {
    let (plain, following) = (model(), model().with_copula().unwrap());
    for replacement in [Replacement::With, Replacement::Thinned] {
        let sampling = Sampling::new(20_000, 3).with(replacement);
        let (before, after) = (rows_of(&plain, &sampling), rows_of(&following, &sampling));
        for column in 0..3 {
            assert_eq!(sorted(&before, |row| row[column]), sorted(&after, |row| row[column]));
        }
        let in_groups = |row: &Vec<u32>| (half(row[0]), half(row[1]), row[2]);
        assert!(before.iter().map(in_groups).eq(after.iter().map(in_groups)), "rows stay in their groups");
        let (before, after) = (correlation(&before), correlation(&after));
        assert!((before - 0.37).abs() < 0.02 && (after - 0.683).abs() < 0.025, "{before} {after}");
    }
}

#[test]
fn a_copula_comes_back_whole_and_gives_the_same_rows() {
    let model = model().with_copula().unwrap();
    let again = Model::from_bytes(&model.to_bytes()).unwrap();
    assert_eq!(again, model);
    assert_eq!(again.to_bytes(), model.to_bytes());
    let sampling = Sampling::new(5000, 8);
    let rows = rows_of(&again, &sampling);
    assert_eq!(rows, rows_of(&model, &sampling));
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    assert_eq!(rows, one.install(|| rows_of(&model, &sampling)), "on any number of threads");
}

#[test]
fn a_copula_of_something_else_is_refused() {
    let model = model().with_copula().unwrap();
    let copula = model.copula().unwrap().clone();
    let mut broken = vec![copula.clone(), copula.clone(), copula.clone(), copula];
    broken[0].columns = vec![1, 0];
    broken[1].columns = vec![0, 9];
    broken[2].correlations[1] *= 0.5;
    broken[3].correlations.pop();
    for copula in broken {
        assert!(matches!(model.clone().with_stored_copula(Some(copula)), Err(ModelError::Shape { .. })));
    }
}

/// A value without an order may be held in a run. It has no place there: the run's other values
/// follow as they would without it, and its rows keep it.
#[test]
fn a_value_without_an_order_may_be_held_in_a_run() {
    let in_a_run = |weight: f64| {
        let model = model();
        let grouping = Arc::new(Grouping::new((0..CODES).map(half).chain([1]).collect()).unwrap());
        let weights = (0..CODES).map(|_| 1.0).chain([weight]).collect();
        let domain = Domain::new(vec![2, 2, 2]);
        let pair = clique(&[0, 1]);
        let tree = JunctionTree::new(&domain, &[pair.clone(), clique(&[2])], &[]).unwrap();
        let shares = [0.25 + BEYOND, 0.25 - BEYOND, 0.25 - BEYOND, 0.25 + BEYOND];
        let potential = LogFactor::new(&domain, &pair, shares.map(f64::ln).to_vec()).unwrap();
        let calibrated = Calibrated::new(&tree, &[potential]).unwrap();
        let without = Arc::new(Grouping::new((0..CODES).map(half).collect()).unwrap());
        let refined = vec![Some(Refinement { grouping, weights }), Some(Refinement::uniform(without)), None];
        let schema = model.schema().clone();
        Model::tree(schema, &calibrated, 20_000.0, refined, vec![], origin()).unwrap().with_copula().unwrap()
    };
    for (weight, missing) in [(0.0, 0..1), (5.0, 800..1000)] {
        let rows = rows_of(&in_a_run(weight), &Sampling::new(20_000, 3));
        let found = rows.iter().filter(|row| row[0] == CODES).count();
        assert!(missing.contains(&found), "{found}");
        let kept = correlation(&rows);
        assert!((kept - 0.683).abs() < 0.025, "{kept}");
    }
}

/// A row of one box must not get a value of another's.
#[test]
fn filtered_rows_stay_in_their_boxes() {
    let model = model().with_copula().unwrap();
    let low = |codes: std::ops::Range<u32>, word: u32| CodeBox {
        parts: vec![(AttrId(0), codes.collect()), (AttrId(2), vec![word])],
    };
    let filter = Filter::from_boxes(vec![low(0..10, 0), low(20..40, 1)]);
    let rows = rows_of(&model, &Sampling::new(4000, 1).filtered(filter));
    assert!(rows.iter().all(|row| if row[2] == 0 { row[0] < 10 } else { (20..40).contains(&row[0]) }));
    let one = Filter::from_boxes(vec![CodeBox { parts: vec![(AttrId(1), (5..30).collect())] }]);
    let rows = rows_of(&model, &Sampling::new(4000, 1).filtered(one));
    assert!(rows.iter().all(|row| (5..30).contains(&row[1])));
}

#[test]
fn without_groups_nothing_changes() {
    let plain = super::tree::tree_model(&[3, 4], &[&[0, 1]], "", 5);
    let following = plain.clone().with_copula().unwrap();
    assert_eq!(plain, following);
}
