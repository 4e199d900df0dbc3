//! Classifiers against scikit-learn on the same rows.

use super::{Examples, Forest, Inputs, LinearSvm, Logistic, Points, RbfSvm, Standard};
use crate::tests::fixture::{close, codes, list, number, numbers, read};

struct Case {
    sizes: Vec<u32>,
    train: Vec<Vec<u32>>,
    test: Vec<Vec<u32>>,
    train_classes: Vec<u32>,
    test_classes: Vec<u32>,
    classes: usize,
}

fn cases() -> Vec<(Case, serde_json::Value)> {
    let fixture = read("classifiers.json");
    let sizes = codes(&fixture["sizes"]);
    let columns: Vec<Vec<u32>> = list(&fixture, "columns").iter().map(codes).collect();
    let cut = number(&fixture, "train") as usize;
    let case = |wanted: &serde_json::Value| {
        let target = number(wanted, "target") as usize;
        let others: Vec<usize> = (0..sizes.len()).filter(|&column| column != target).collect();
        let part = |from: usize, to: usize| others.iter().map(|&c| columns[c][from..to].to_vec()).collect();
        let rows = columns[0].len();
        let case = Case {
            sizes: others.iter().map(|&column| sizes[column]).collect(),
            train: part(0, cut),
            test: part(cut, rows),
            train_classes: columns[target][..cut].to_vec(),
            test_classes: columns[target][cut..].to_vec(),
            classes: sizes[target] as usize,
        };
        (case, wanted.clone())
    };
    list(&fixture, "cases").iter().map(case).collect()
}

fn one_hot(columns: &[Vec<u32>], sizes: &[u32]) -> Examples {
    Examples::one_hot(columns, sizes, |_| true)
}

fn points(columns: &[Vec<u32>]) -> Points {
    let rows = columns[0].len();
    let values = (0..rows).flat_map(|row| columns.iter().map(move |codes| f64::from(codes[row]))).collect();
    Points::new(columns.len(), values)
}

fn error(predicted: &[u32], wanted: &[u32]) -> f64 {
    predicted.iter().zip(wanted).filter(|(a, b)| a != b).count() as f64 / wanted.len() as f64
}

/// Rows on which two machines of the same optimum may still differ: those that lie on the border.
fn differing(found: &[u32], wanted: &[u32]) -> usize {
    found.iter().zip(wanted).filter(|(a, b)| a != b).count()
}

#[test]
fn rbf_machines_answer_as_scikit_learn() {
    for (case, wanted) in cases() {
        let standard = Standard::fit(&points(&case.train));
        let (train, test) = (standard.apply(&points(&case.train)), standard.apply(&points(&case.test)));
        let svm = RbfSvm { tolerance: 1e-5, ..RbfSvm::default() };
        let fit = svm.fit(&train, &case.train_classes, case.classes);
        let found: Vec<u32> = (0..test.len()).map(|row| fit.predict(test.row(row))).collect();
        assert!(differing(&found, &codes(&wanted["rbf"]["predicted"])) <= 1);
        assert!((error(&found, &case.test_classes) - number(&wanted["rbf"], "error")).abs() < 0.003);
        if let Some(scores) = wanted["rbf"].get("scores") {
            for (row, wanted) in numbers(scores).into_iter().enumerate() {
                // Ours is above 0 for the lower class, theirs for the upper one.
                assert!((fit.score(test.row(row)).unwrap() + wanted).abs() < 1e-3, "row {row}");
            }
        }
    }
}

#[test]
fn linear_machines_answer_as_scikit_learn() {
    for (case, wanted) in cases() {
        let (train, test) = (one_hot(&case.train, &case.sizes), one_hot(&case.test, &case.sizes));
        let svm = LinearSvm { tolerance: 1e-7, passes: 20_000, ..LinearSvm::default() };
        let fit = svm.fit_classes(&train, &case.train_classes, case.classes);
        let found: Vec<u32> = (0..test.len()).map(|row| fit.predict(&test, row)).collect();
        let differing = differing(&found, &codes(&wanted["linear"]["predicted"]));
        // Machines of several classes tie often on a few codes; which class a tie goes to is
        // rounding.
        assert!(differing <= 8, "{differing} of {} rows", found.len());
        assert!((error(&found, &case.test_classes) - number(&wanted["linear"], "error")).abs() < 0.01);
    }
}

#[test]
fn logistic_chances_are_those_of_scikit_learn() {
    for (case, wanted) in cases() {
        let (train, test) = (one_hot(&case.train, &case.sizes), one_hot(&case.test, &case.sizes));
        let model = Logistic { tolerance: 1e-8, iterations: 5000, ..Logistic::default() };
        let fit = model.fit(&train, &case.train_classes, case.classes);
        for (row, chances) in list(&wanted["logistic"], "chances").iter().enumerate() {
            for (found, wanted) in fit.chances(&test, row).iter().zip(numbers(chances)) {
                assert!((found - wanted).abs() < 1e-4, "row {row}: {found} instead of {wanted}");
            }
        }
        close(fit.log_loss(&test, &case.test_classes), number(&wanted["logistic"], "log_loss"), 1e-4);
        let found: Vec<u32> = (0..test.len()).map(|row| fit.predict(&test, row)).collect();
        assert!((error(&found, &case.test_classes) - number(&wanted["logistic"], "error")).abs() < 0.003);
    }
}

/// Two random forests never agree on every row. Theirs scatter by 0.01 around the mean of five;
/// 0.05 is five of that.
#[test]
fn forests_err_as_often_as_those_of_scikit_learn() {
    for (case, wanted) in cases() {
        fn inputs<'a>(columns: &'a [Vec<u32>], sizes: &'a [u32], ordered: &'a [bool]) -> Inputs<'a> {
            Inputs { columns, sizes, ordered }
        }
        let ordered = vec![true; case.sizes.len()];
        let (train, test) = (&case.train, &case.test);
        let forest = Forest { trees: 100, ..Forest::default() };
        let fit = forest.fit(inputs(train, &case.sizes, &ordered), &case.train_classes, case.classes);
        let found = fit.predict(inputs(test, &case.sizes, &ordered));
        let (ours, theirs) = (error(&found, &case.test_classes), number(&wanted, "forest_error"));
        assert!((ours - theirs).abs() < 0.05, "{ours} against {theirs}");
        // Seen rows are known by heart, unseen ones are not: out-of-bag chances must not be those
        // of memory.
        let memory = fit.predict(inputs(train, &case.sizes, &ordered));
        let unseen: Vec<u32> = fit
            .unseen_chances(inputs(train, &case.sizes, &ordered))
            .iter()
            .map(|chances| super::largest(chances))
            .collect();
        let (memory, unseen) = (error(&memory, &case.train_classes), error(&unseen, &case.train_classes));
        assert!(memory < 0.05 + 0.5 * ours && (unseen - ours).abs() < 0.1, "{memory}, {unseen}, {ours}");
    }
}

#[test]
fn one_class_and_no_rows_are_no_trouble() {
    let points = Points::new(1, vec![1.0, 2.0]);
    assert_eq!(RbfSvm::default().fit(&points, &[2, 2], 3).predict(&[0.0]), 2);
    assert_eq!(RbfSvm::default().fit(&Points::new(1, vec![]), &[], 2).predict(&[0.0]), 0);
    // The same point in both classes.
    let twins = Points::new(1, vec![1.0, 1.0, 1.0]);
    assert_eq!(RbfSvm::default().fit(&twins, &[0, 1, 1], 2).predict(&[1.0]), 1);
    let none = Logistic::default().fit(&Examples::new(2), &[], 2);
    let mut one = Examples::new(2);
    one.push([(0, 1.0)], true);
    assert_eq!(none.chances(&one, 0), [0.5, 0.5]);
}
