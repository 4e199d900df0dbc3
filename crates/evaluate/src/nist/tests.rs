use lookalike_schema::{AttrId, Schema};
use lookalike_table::Table;

use super::{
    NistColumns, NistSettings, classification_score, conditions, frequencies, gini, nist_scores, rank_deviation,
};
use crate::tests::fixture::{close, list, number, numbers, read};
use crate::{CodedRows, EvaluationRng};

#[test]
fn gini_by_all_pairs() {
    for case in list(&read("tables.json"), "gini") {
        let values: Vec<(f64, f64)> = numbers(&case["values"]).into_iter().map(|value| (value, 1.0)).collect();
        assert!((gini(&values) - number(case, "gini")).abs() < 1e-12, "{case}");
    }
    assert_eq!(gini(&[]), 0.0);
    close(gini(&[(1.0, 2.0), (3.0, 2.0)]), gini(&[(1.0, 1.0), (1.0, 1.0), (3.0, 1.0), (3.0, 1.0)]), 1e-12);
}

#[test]
fn ranks_deviate_from_nothing_to_reversal() {
    let list = [0.1, 0.5, 0.2, 0.9];
    let reversed = list.map(|value| -value);
    assert_eq!(rank_deviation(&list, &list), 1.0);
    assert!(rank_deviation(&list, &reversed).abs() < 1e-12);
    assert_eq!(rank_deviation(&[1.0], &[2.0]), 1.0);
}

#[test]
fn classification_by_hand() {
    assert_eq!(classification_score(&[0.5, 0.0], &[0.5, 1e-9]), 1e6);
    let score = classification_score(&[0.1, 0.2], &[0.01, 0.2]);
    let wanted = 1e6 * (1.0 - (10f64.ln().powi(2) / 2.0).sqrt() / 1000f64.ln());
    close(score, wanted, 1e-12);
    assert_eq!(classification_score(&[1.0], &[0.0]), 0.0);
}

fn people(rows: u32, seed: u64, gap: bool) -> Table {
    let schema = r#"
        [columns.sex]
        type = "category"
        values = ["F", "M"]
        [columns.city]
        type = "category"
        values = ["a", "b", "c", "d"]
        [columns.income]
        type = "integer"
        range = [0, 99]
        bins = 20
        missing = true
    "#;
    let schema = Schema::parse(schema, "people.toml").unwrap();
    let mut rng = EvaluationRng::new(seed, "people", 0);
    let mut columns = vec![vec![], vec![], vec![]];
    for _ in 0..rows {
        let (sex, city) = (rng.below(2), rng.below(4));
        let lead = if gap { sex * city * 3 } else { (1 - sex) * city * 3 };
        columns[0].push(sex);
        columns[1].push(city);
        columns[2].push(if rng.below(10) == 0 { 20 } else { rng.below(10) + lead });
    }
    Table::from_columns(&schema, columns)
}

const COLUMNS: NistColumns = NistColumns { sex: AttrId(0), income: AttrId(2), city: AttrId(1) };

#[test]
fn all_three_scores_are_full_for_the_same_table_and_fall_for_another() {
    let (real, other) = (people(4000, 1, true), people(4000, 2, false));
    let settings = NistSettings::default();
    let same = nist_scores(&real, &real, Some(COLUMNS), &settings, &|| false).unwrap();
    assert_eq!((same.clustering, same.classification, same.regression.unwrap().score), (1e6, 1e6, 1e6));
    let far = nist_scores(&real, &other, Some(COLUMNS), &settings, &|| false).unwrap();
    let regression = far.regression.unwrap();
    assert!(far.clustering < 0.9e6 && far.classification < 0.999e6, "{far:?}");
    // The order of the cities by pay gap is turned round.
    assert!(regression.ranks < 0.1 && regression.cities == 4, "{far:?}");
    assert_eq!(far, nist_scores(&real, &other, Some(COLUMNS), &settings, &|| false).unwrap());
}

#[test]
fn no_regression_score_without_an_order_of_incomes() {
    let real = people(50, 1, true);
    let wrong = NistColumns { income: AttrId(1), city: AttrId(2), ..COLUMNS };
    let found = nist_scores(&real, &real, Some(wrong), &NistSettings::default(), &|| false).unwrap();
    assert!(found.regression.is_none());
}

#[test]
fn conditions_ask_a_third_of_the_columns() {
    let rows = CodedRows::new(vec![4; 9], vec![vec![0, 1, 2, 3]; 9]);
    let asked = conditions(rows.sizes(), &[true, true, true, true, true, false, false, false, false], 40, 7);
    assert_eq!(asked.len(), 40);
    let found = frequencies(&rows, &asked);
    assert!(found.iter().all(|share| [0.0, 0.25, 0.5, 0.75, 1.0].contains(share)));
    assert!(found.iter().any(|&share| share > 0.0 && share < 1.0));
}
