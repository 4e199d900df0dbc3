//! The whole evaluation: with itself, with shuffled columns, with another half, and of tables that
//! have little in them.

use lookalike_schema::{AttrId, Schema};
use lookalike_table::Table;
use serde_json::Value;

use crate::disclosure::{NearestLimits, NearestRows, Space};
use crate::evaluation::{agreements, correlations};
use crate::predict::PredictLimits;
use crate::{CodedRows, EvaluateError, Evaluation, EvaluationRng, EvaluationSettings, evaluate};

const SIZES: [u32; 6] = [4, 3, 6, 2, 5, 8];

/// Rows with a hidden class behind them.
fn columns(rows: u64, seed: u64) -> Vec<Vec<u32>> {
    let mut rng = EvaluationRng::new(seed, "columns", 0);
    let mut columns: Vec<Vec<u32>> = vec![Vec::new(); SIZES.len()];
    for _ in 0..rows {
        let hidden = rng.below(3);
        for (index, (column, &size)) in columns.iter_mut().zip(&SIZES).enumerate() {
            let known = (hidden * (index as u32 + 2)) % size;
            column.push(if rng.uniform() < 0.6 { known } else { rng.below(size) });
        }
    }
    columns
}

fn table(columns: Vec<Vec<u32>>) -> Table {
    Table::from_columns(&super::schema(&SIZES), columns)
}

/// Small enough for a test, large enough to learn from.
fn settings() -> EvaluationSettings {
    EvaluationSettings {
        predict: PredictLimits { train: 800, test: 800, rbf: 300, trees: 20, ..PredictLimits::default() },
        nearest: NearestLimits { queries: 300, others: 1500 },
        propensity_rows: 5000,
        targets: Some(vec![AttrId(0), AttrId(3)]),
        ..EvaluationSettings::default()
    }
}

fn run(real: &Table, synthetic: &Table, holdout: Option<&Table>) -> Evaluation {
    evaluate(real, synthetic, holdout, &settings(), &|_| (), &|| false).unwrap()
}

/// Figures that a table may lack.
const CAN_BE_ABSENT: [&str; 18] = [
    "holdout",
    "like_subsample",
    "regression",
    "missing",
    "numbers",
    "propensity",
    "prediction",
    "pearson",
    "spearman",
    "spearman_p",
    "cramers_v",
    "chi_square",
    "chi_square_yates",
    "figures",
    "log_risk_gap",
    "agreement",
    "ranking_agreement",
    "raw",
];

/// JSON has no NaN: it would be a `null`, which may stand only where a figure can be absent.
fn no_nan(found: &Evaluation) -> Value {
    fn walk(key: &str, value: &Value) {
        match value {
            Value::Null => assert!(CAN_BE_ABSENT.contains(&key), "{key} is null"),
            Value::Array(items) => items.iter().for_each(|item| walk(key, item)),
            Value::Object(items) => items.iter().for_each(|(key, item)| walk(key, item)),
            _ => {}
        }
    }
    let json = found.to_json();
    walk("", &json);
    json
}

#[test]
fn a_table_with_itself_is_perfect() {
    let real = table(columns(3000, 1));
    let found = run(&real, &real, None);
    assert_eq!(found.comparison.mean_column_distance(), 0.0);
    assert_eq!(found.comparison.mean_pair_distance(), 0.0);
    assert!(found.wide.len() == 3 && found.wide.iter().all(|ways| ways.mean() == 0.0 && ways.all));
    assert_eq!((found.pairs.score.score, found.pairs.score.subsample), (1000.0, Some(1.0)));
    assert_eq!((found.nist.clustering, found.nist.classification), (1e6, 1e6));
    assert!(correlations(&found.pairs.pairs).iter().all(|measure| measure.mean_difference == 0.0));
    assert!(agreements(&found.pairs.pairs).iter().all(|test| test.share() == Some(1.0)));
    assert!(found.propensity.unwrap().pmse < 1e-9);
    assert_eq!(found.twins.match_rate(), 1.0);
    assert_eq!(found.twins.unique_matched, found.twins.unique);
    let closeness = found.closeness.unwrap();
    // Half of the synthetic rows are the very rows that the others are measured against; but two
    // thirds of all rows have twins.
    assert!(closeness.closer > 0.5 + 3.0 * closeness.closer_error, "{closeness:?}");
    no_nan(&found);
}

#[test]
fn shuffled_columns_keep_single_columns_and_lose_pairs() {
    let real = table(columns(3000, 1));
    let mut shuffled = columns(3000, 1);
    let mut rng = EvaluationRng::new(9, "shuffle", 0);
    shuffled.iter_mut().for_each(|column| rng.shuffle(column));
    let found = run(&real, &table(shuffled), None);
    assert_eq!(found.comparison.mean_column_distance(), 0.0);
    let (_, floor) = found.floors();
    assert!(found.comparison.mean_pair_distance() > 2.0 * floor);
    assert!(found.pairs.score.subsample.is_none_or(|share| share < 0.1), "{:?}", found.pairs.score);
    let measures = correlations(&found.pairs.pairs);
    assert!(measures.iter().any(|measure| measure.mean_difference > 0.05), "{measures:?}");
    assert!(agreements(&found.pairs.pairs)[0].lost > 5);
    // Single columns tell nothing, relations tell all.
    let propensity = found.propensity.unwrap();
    assert!(propensity.ratio < 0.01 && propensity.forest_auc > 0.5 + 5.0 * propensity.auc_error, "{propensity:?}");
    for target in &found.prediction.as_ref().unwrap().targets {
        let (synthetic, real) = target.best().unwrap();
        assert!(synthetic > target.majority - 0.05 && real < target.majority - 0.05, "{target:?}");
    }
    no_nan(&found);
}

/// Five standard errors everywhere: a false alarm in a million runs.
#[test]
fn another_half_is_at_the_floor() {
    let (real, synthetic, holdout) = (table(columns(3000, 1)), table(columns(3000, 2)), table(columns(3000, 3)));
    let found = run(&real, &synthetic, Some(&holdout));
    let (columns, pairs) = found.floors();
    let near =
        |found: f64, floor: f64, slack: f64| assert!((found / floor - 1.0).abs() < slack, "{found} against {floor}");
    near(found.comparison.mean_column_distance(), columns, 0.6);
    near(found.comparison.mean_pair_distance(), pairs, 0.15);
    for ways in &found.wide {
        near(ways.mean(), ways.floor(), 0.1);
    }
    let propensity = found.propensity.unwrap();
    assert!(
        propensity.ratio < 2.5 && (propensity.forest_auc - 0.5).abs() < 5.0 * propensity.auc_error,
        "{propensity:?}"
    );
    let closeness = found.closeness.unwrap();
    assert!((closeness.closer - 0.5).abs() < 5.0 * closeness.closer_error && closeness.fresh);
    let membership = found.membership.unwrap();
    assert!((membership.auc - 0.5).abs() < 5.0 * membership.error);
    let [synthetic, real, _] = found.guesses.as_ref().unwrap().means();
    assert!((synthetic - real).abs() < 0.05);
    for target in &found.prediction.as_ref().unwrap().targets {
        assert!(target.models.iter().all(|model| (model.real - model.synthetic).abs() < 0.1), "{target:?}");
    }
    let json = no_nan(&found);
    assert!(json["marginals"]["2"]["floor"].as_f64().unwrap() > 0.0);
}

/// The negative control of the disclosure checks: a release that copies its rows is found by each
/// of them.
#[test]
fn copied_rows_are_found() {
    // Wide columns, so that nearly every row is unique.
    let sizes = [40u32; 8];
    let mut rng = EvaluationRng::new(5, "wide", 0);
    let mut draw = |rows: usize| -> CodedRows {
        let mut column = |size: u32| (0..rows).map(|_| rng.below(size)).collect::<Vec<u32>>();
        CodedRows::new(sizes.to_vec(), sizes.iter().map(|&size| column(size)).collect())
    };
    let (real, fresh) = (draw(600), draw(600));
    let space = Space::new(&super::schema(&sizes));
    let limits = NearestLimits { queries: 300, others: 1000 };
    let rows = |synthetic| NearestRows { space: &space, real: &real, synthetic, limits: &limits, seed: 1 };
    let found = rows(&real).membership(&fresh).unwrap();
    assert!(found.auc > 0.99, "{found:?}");
    let [copied, others, _] = rows(&real).guesses().unwrap().means();
    assert!(copied > 0.45 && others < 0.1, "{copied} against {others}");
    let honest = rows(&fresh).guesses().unwrap().means();
    assert!(honest[0] < 0.1, "{honest:?}");
}

#[test]
fn the_seed_decides_and_nothing_else() {
    let (real, synthetic) = (table(columns(900, 1)), table(columns(700, 2)));
    let run = |seed: u64, threads: usize| {
        let settings = EvaluationSettings { seed, ..settings() };
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| evaluate(&real, &synthetic, None, &settings, &|_| (), &|| false).unwrap().to_json())
    };
    let first = run(7, 1);
    assert_eq!(first, run(7, 3));
    assert_ne!(first, run(8, 1));
}

#[test]
fn little_or_nothing_to_compare() {
    let schema = super::schema(&SIZES);
    let rows = |count: usize| Table::from_columns(&schema, vec![vec![0; count]; SIZES.len()]);
    for (real, synthetic, word) in [(rows(0), rows(5), "real"), (rows(5), rows(0), "synthetic")] {
        match evaluate(&real, &synthetic, None, &settings(), &|_| (), &|| false) {
            Err(error @ EvaluateError::Empty { .. }) => assert!(error.to_string().contains(word), "{error}"),
            _ => panic!("an empty table was compared"),
        }
    }
    // One row, two rows, constant columns: sections are empty, nothing is NaN.
    for (real, synthetic) in [(rows(1), rows(1)), (rows(1), rows(40)), (rows(2), rows(2)), (rows(60), rows(60))] {
        let found = run(&real, &synthetic, Some(&rows(1)));
        assert!(found.propensity.is_none() || real.rows() >= 10);
        no_nan(&found);
    }
    let missing = "[columns.a]\ntype = \"integer\"\nrange = [0, 9]\nmissing = true\n";
    let schema = Schema::parse(missing, "missing.toml").unwrap();
    let empty = Table::from_columns(&schema, vec![vec![10; 50]]);
    let found = evaluate(&empty, &empty, None, &EvaluationSettings::default(), &|_| (), &|| false).unwrap();
    assert!(found.columns[0].numbers.is_none() && found.prediction.is_none() && found.wide.is_empty());
    no_nan(&found);
    let other = Table::from_columns(&super::schema(&[10]), vec![vec![1; 50]]);
    assert!(evaluate(&empty, &other, None, &EvaluationSettings::default(), &|_| (), &|| false).is_err());
}

#[test]
fn a_stop_is_heard() {
    let real = table(columns(300, 1));
    assert!(matches!(
        evaluate(&real, &real, None, &settings(), &|_| (), &|| true),
        Err(EvaluateError::Table(lookalike_table::TableError::Cancelled))
    ));
}
