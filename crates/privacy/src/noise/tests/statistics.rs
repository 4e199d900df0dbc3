//! The tests' own tools.

use crate::noise::testing::{chi_square_tail, goodness_of_fit, same_distribution};

/// Closed forms: with an even number 2m of degrees of freedom the tail is a Poisson sum; with 1,
/// erfc(sqrt(x/2)).
#[test]
fn chi_square_tails_match_closed_forms() {
    for m in [1usize, 2, 7, 50, 300] {
        for x in [0.01, 0.5, 3.0, 40.0, 130.0, 700.0] {
            let half = x / 2.0f64;
            let mut term = (-half).exp();
            let mut poisson = term;
            for n in 1..m {
                term *= half / n as f64;
                poisson += term;
            }
            let tail = chi_square_tail(x, 2 * m);
            assert!((tail - poisson).abs() <= 1e-9 * poisson.max(1e-6), "{m} {x}: {tail} {poisson}");
        }
    }
    for (x, tail) in [(1.0, 0.317_310_507_862_914_1), (23.928_126_895_1, 1e-6), (3.841_458_820_694_124, 0.05)] {
        assert!((chi_square_tail(x, 1) / tail - 1.0).abs() < 1e-6, "{x}");
    }
}

#[test]
fn fits_tell_fair_from_loaded() {
    let fair: Vec<i64> = (0..60_000).map(|n| n % 6).collect();
    let loaded: Vec<i64> = (0..60_000).map(|n| if n % 20 == 0 { 0 } else { n % 6 }).collect();
    let sixth = |_| 1.0 / 6.0;
    assert!(goodness_of_fit(&fair, 0..=5, sixth) > 0.999);
    assert!(goodness_of_fit(&loaded, 0..=5, sixth) < 1e-6);
    assert!(goodness_of_fit(&fair, 0..=4, sixth) > 0.999, "the rest is a cell of its own");
    assert!(same_distribution(&fair, &fair[..30_000]) > 0.999);
    assert!(same_distribution(&fair, &loaded) < 1e-6);
}
