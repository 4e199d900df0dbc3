use super::{chi_square, goodness_of_fit, pearson, ranks, spearman};
use crate::tests::fixture::{close, list, number, numbers, read};

fn counts(value: &serde_json::Value) -> Vec<u64> {
    value.as_array().unwrap().iter().map(|count| count.as_u64().unwrap()).collect()
}

#[test]
fn chi_square_as_scipy() {
    for case in list(&read("tests.json"), "chi_square") {
        let found = chi_square(&counts(&case["counts"]), number(case, "columns") as usize, case["yates"] == true);
        close(found.statistic, number(case, "statistic"), 1e-10);
        close(found.p_value, number(case, "p"), 1e-8);
        close(found.least_expected, number(case, "least"), 1e-10);
        assert_eq!(found.degrees as f64, number(case, "degrees"));
    }
}

#[test]
fn yates_is_kinder_to_small_tables_and_leaves_larger_ones_alone() {
    let small = [8, 2, 1, 5];
    assert!(chi_square(&small, 2, true).p_value > chi_square(&small, 2, false).p_value);
    let larger = [8, 2, 1, 5, 3, 3];
    assert_eq!(chi_square(&larger, 3, true), chi_square(&larger, 3, false));
    // A column without rows does not make a larger table.
    assert_eq!(chi_square(&[8, 0, 2, 1, 0, 5], 3, true), chi_square(&small, 2, true));
}

#[test]
fn nothing_to_test_claims_nothing() {
    for counts in [&[5, 5][..], &[0, 0, 0, 0], &[3, 0, 4, 0]] {
        let found = chi_square(counts, 2, false);
        assert!(found.degrees == 0 && found.p_value == 1.0 && !found.rejects(0.05), "{counts:?}");
    }
    assert!(!goodness_of_fit(&[7]).rejects(0.05) && !goodness_of_fit(&[0, 0]).rejects(0.05));
}

#[test]
fn goodness_of_fit_as_scipy() {
    for case in list(&read("tests.json"), "goodness_of_fit") {
        let found = goodness_of_fit(&counts(&case["counts"]));
        close(found.statistic, number(case, "statistic"), 1e-12);
        close(found.p_value, number(case, "p"), 1e-10);
    }
}

#[test]
fn spearman_as_scipy() {
    for case in list(&read("tests.json"), "spearman") {
        let (x, y) = (numbers(&case["x"]), numbers(&case["y"]));
        let found = spearman(&x, &y).unwrap();
        close(found.rho, number(case, "rho"), 1e-10);
        close(found.p_value, number(case, "p"), 1e-7);
        close(pearson(&x, &y).unwrap(), number(case, "pearson"), 1e-10);
    }
}

#[test]
fn ranks_share_ties() {
    assert_eq!(ranks(&[3.0, 1.0, 3.0, -0.0, 0.0]), [4.5, 3.0, 4.5, 1.5, 1.5]);
}

#[test]
fn constant_short_or_broken_columns_have_no_correlation() {
    assert!(spearman(&[1.0, 1.0, 1.0], &[1.0, 2.0, 3.0]).is_none());
    assert!(spearman(&[1.0, 2.0], &[1.0, 2.0]).is_none());
    assert!(spearman(&[1.0, f64::NAN, 2.0], &[1.0, 2.0, 3.0]).is_none());
    assert!(pearson(&[], &[]).is_none());
    let perfect = spearman(&[1.0, 2.0, 3.0, 4.0], &[1.0, 2.0, 5.0, 6.0]).unwrap();
    assert_eq!((perfect.rho, perfect.p_value), (1.0, 0.0));
}
