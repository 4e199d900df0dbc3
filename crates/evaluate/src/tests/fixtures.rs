//! Metrics on two small tables against numpy, SciPy and scikit-learn.

use lookalike_schema::{AttrId, Clique, Schema};
use lookalike_table::Table;
use serde_json::Value;

use crate::CodedRows;
use crate::columns::column_details;
use crate::compare::compare_columns;
use crate::marginals::{CountsOfCounts, compare_marginals};
use crate::pairs::{PairStatistics, compare_pairs};
use crate::propensity::propensity;
use crate::tests::fixture::{close, codes, list, number, read};

struct Tables {
    fixture: Value,
    real: Table,
    synthetic: Table,
}

fn tables() -> Tables {
    let fixture = read("tables.json");
    let sizes = codes(&fixture["sizes"]);
    let schema = super::schema(&sizes);
    let table = |key: &str| Table::from_columns(&schema, list(&fixture, key).iter().map(codes).collect());
    let (real, synthetic) = (table("real"), table("synthetic"));
    Tables { fixture, real, synthetic }
}

fn clique(value: &Value) -> Clique {
    Clique::new(codes(&value["columns"]).into_iter().map(AttrId))
}

/// The floors are means of 4,000 deals; five standard errors fail by chance once in two million.
#[test]
fn distances_and_floors() {
    let Tables { fixture, real, synthetic } = tables();
    let cliques: Vec<Clique> = list(&fixture, "distances").iter().map(clique).collect();
    let found = compare_marginals(&real, &synthetic, 2, &cliques, true, &|| false).unwrap();
    for (found, (distance, floor)) in
        found.marginals.iter().zip(list(&fixture, "distances").iter().zip(list(&fixture, "floor")))
    {
        close(found.distance, number(distance, "tvd"), 1e-12);
        let (wanted, error) = (number(floor, "floor"), number(floor, "error"));
        let slack = 5.0 * error + 0.01 * wanted;
        assert!((found.floor - wanted).abs() < slack, "{:?}: {} instead of {wanted}", found.clique, found.floor);
    }
}

/// What simulated subsamples score, read back: the share must come out.
#[test]
fn k_marginal_and_its_reading() {
    let Tables { fixture, real, synthetic } = tables();
    let pairs: Vec<Clique> = crate::all_pairs(real.domain());
    let found = compare_marginals(&real, &synthetic, 2, &pairs, true, &|| false).unwrap();
    let mean = list(&fixture, "distances").iter().filter(|entry| clique(entry).len() == 2);
    let mean: f64 = mean.map(|entry| number(entry, "tvd")).sum::<f64>() / pairs.len() as f64;
    close(found.score.score, 1000.0 * (1.0 - mean), 1e-12);
    let mut counts = CountsOfCounts::default();
    real.count(&pairs, &|| false).unwrap().iter().for_each(|pair| counts.merge(&CountsOfCounts::of(pair)));
    for case in list(&fixture, "subsample") {
        let distance = 1.0 - number(case, "score") / 1000.0;
        let share = counts.subsample(distance, real.rows(), pairs.len()).unwrap();
        assert!((share / number(case, "share") - 1.0).abs() < 0.03, "{case}: {share}");
    }
    assert_eq!(counts.subsample(0.0, real.rows(), pairs.len()), Some(1.0));
    assert_eq!(counts.subsample(0.99999, real.rows(), pairs.len()), None);
}

fn same(found: &PairStatistics, wanted: &Value) {
    close(found.cramers_v.unwrap(), number(wanted, "cramers_v"), 1e-9);
    close(found.mutual_information, number(wanted, "mutual_information"), 1e-9);
    close(found.pearson.unwrap(), number(wanted, "pearson"), 1e-9);
    close(found.spearman.unwrap().rho, number(wanted, "spearman"), 1e-9);
    close(found.chi_square.p_value, number(wanted, "p"), 1e-7);
}

#[test]
fn correlations_and_tests_of_pairs() {
    let Tables { fixture, real, synthetic } = tables();
    let found = compare_pairs(&real, &synthetic, &|| false).unwrap();
    for (pair, wanted) in found.pairs.iter().zip(list(&fixture, "pairs")) {
        assert_eq!(vec![pair.first.0, pair.second.0], codes(&wanted["columns"]));
        same(&pair.real, &wanted["real"]);
        same(&pair.synthetic, &wanted["synthetic"]);
    }
}

#[test]
fn details_of_columns() {
    let Tables { fixture, real, synthetic } = tables();
    let columns = compare_columns(&real, &synthetic, &|| false).unwrap();
    let details = column_details(real.schema(), &columns, [real.rows(), synthetic.rows()]);
    for (detail, wanted) in details.iter().zip(list(&fixture, "columns")) {
        let numbers = detail.numbers.unwrap();
        close(numbers.kolmogorov, number(wanted, "ks"), 1e-9);
        close(numbers.wasserstein, number(wanted, "wasserstein"), 1e-9);
        for side in 0..2 {
            close(numbers.mean[side], wanted["mean"][side].as_f64().unwrap(), 1e-9);
            close(numbers.deviation[side], wanted["sd"][side].as_f64().unwrap(), 1e-9);
        }
    }
}

#[test]
fn propensity_of_a_logistic_model() {
    let Tables { fixture, real, synthetic } = tables();
    let (left, right) = (CodedRows::all(&real).unwrap(), CodedRows::all(&synthetic).unwrap());
    let found = propensity(&left, &right, &[true; 4], 10_000, 40, 1).unwrap();
    let wanted = &fixture["propensity"];
    close(found.pmse, number(wanted, "pmse"), 1e-3);
    // Codes that occur less one a column, and the intercept.
    assert_eq!(found.weights, 3 + 2 + 5 + 1 + 1);
    let share = 450.0 / 1050.0;
    close(found.ratio, found.pmse / (11.0 * share * (1.0 - share) / 1050.0), 1e-12);
}

/// Dates, missing cells, booleans and categories have what fits their type.
#[test]
fn every_type_of_column() {
    let schema = r#"
        [columns.day]
        type = "date"
        range = ["2020-01-01", "2020-01-10"]
        bins = 10
        missing = true
        [columns.word]
        type = "category"
        values = ["a", "b", "c"]
        [columns.yes]
        type = "boolean"
    "#;
    let schema = Schema::parse(schema, "types.toml").unwrap();
    let real = Table::from_columns(&schema, vec![vec![0, 1, 2, 10], vec![0, 0, 1, 1], vec![0, 1, 0, 1]]);
    let synthetic = Table::from_columns(&schema, vec![vec![10, 10, 10, 10], vec![0, 2, 2, 2], vec![0, 0, 0, 1]]);
    let columns = compare_columns(&real, &synthetic, &|| false).unwrap();
    let details = column_details(&schema, &columns, [4, 4]);
    assert_eq!(details[0].missing, Some([0.25, 1.0]));
    assert!(details[0].numbers.is_none(), "no synthetic day is there to compare with");
    assert!(details[1].numbers.is_none() && details[1].missing.is_none());
    assert_eq!(details[1].furthest[0], 2);
    assert_eq!(details[2].numbers.unwrap().mean, [0.5, 0.25]);
    let codec = schema.codec(AttrId(0));
    assert_eq!(crate::columns::shown(codec, 18262.0), "2020-01-01");
    let found = compare_pairs(&real, &synthetic, &|| false).unwrap();
    assert!(found.pairs[0].real.pearson.is_none() && found.pairs[0].real.cramers_v.is_some());
}
