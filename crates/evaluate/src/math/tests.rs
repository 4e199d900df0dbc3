use statrs::function::gamma::ln_gamma;

use super::{Deviations, chi_square_above, student_two_sided};
use crate::tests::fixture::{close, list, number, read};

#[test]
fn logarithms_of_gamma() {
    for case in list(&read("tests.json"), "ln_gamma") {
        let (found, wanted) = (ln_gamma(number(case, "x")), number(case, "value"));
        assert!((found - wanted).abs() < 1e-12 * wanted.abs().max(1.0), "{case}: {found}");
    }
}

#[test]
fn tails_of_chi_square() {
    for case in list(&read("tests.json"), "chi_square_tail") {
        close(chi_square_above(number(case, "x"), number(case, "degrees")), number(case, "p"), 1e-9);
    }
    assert_eq!(chi_square_above(0.0, 3.0), 1.0);
    assert_eq!(chi_square_above(5.0, 0.0), 1.0);
    assert_eq!(chi_square_above(1e9, 3.0), 0.0);
    assert_eq!(chi_square_above(f64::INFINITY, 3.0), 0.0);
}

#[test]
fn tails_of_student() {
    for case in list(&read("tests.json"), "student") {
        close(student_two_sided(number(case, "t"), number(case, "degrees")), number(case, "p"), 1e-8);
    }
    assert_eq!(student_two_sided(f64::INFINITY, 5.0), 0.0);
    assert_eq!(student_two_sided(3.0, 0.0), 1.0);
}

/// The binomial's deviation, narrowed, against the hypergeometric's own: within 1%, where a cell is
/// not nearly everything.
#[test]
fn deviations_of_dealt_rows() {
    for case in list(&read("tests.json"), "deviations") {
        let (total, count) = (number(case, "total") as u64, number(case, "count") as u64);
        let found = Deviations::new(number(case, "share"), total).of(count);
        let wanted = number(case, "mean");
        // Where nearly all rows are in one cell, the few others decide; what is left is far below a
        // row.
        let slack = if count * 10 > total * 9 { 0.4 } else { 0.01 * wanted };
        assert!((found - wanted).abs() <= slack, "{case}: {found}");
    }
    assert_eq!(Deviations::new(0.5, 10).of(10), 0.0);
    assert_eq!(Deviations::new(0.5, 10).of(0), 0.0);
    assert_eq!(Deviations::new(0.5, 1).of(1), 0.0);
}
