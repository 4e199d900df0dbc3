//! Tests of draws against a distribution, or against another sampler's draws.

use std::collections::BTreeMap;

/// The false-alarm rate of one statistical test here. A suite of a hundred fails by chance once in
/// ten thousand runs.
pub const ALPHA: f64 = 1e-6;

/// A cell of a chi-square test is merged with its neighbour until it expects at least this many
/// draws.
const SMALLEST_EXPECTED: f64 = 20.0;

/// The p-value of draws against a distribution, by chi-square over cells that all expect at least
/// 20 draws.
///
/// `probability` is asked for every integer in `range`; what is outside is one more cell, of the
/// remaining probability.
pub fn goodness_of_fit(draws: &[i64], range: std::ops::RangeInclusive<i64>, probability: impl Fn(i64) -> f64) -> f64 {
    let total = draws.len() as f64;
    let mut seen = BTreeMap::<i64, f64>::new();
    for &draw in draws {
        *seen.entry(draw).or_default() += 1.0;
    }
    let (mut cells, mut inside, mut covered) = (Vec::new(), 0.0, 0.0);
    for value in range {
        let (expected, observed) = (total * probability(value), seen.get(&value).copied().unwrap_or(0.0));
        inside += observed;
        covered += expected;
        cells.push((expected, observed));
    }
    cells.push(((total - covered).max(0.0), total - inside));
    let cells = merge(cells, |&(expected, _)| expected);
    let statistic = cells.iter().map(|(expected, observed)| (observed - expected).powi(2) / expected).sum();
    chi_square_tail(statistic, cells.len() - 1)
}

/// The p-value of two samples being drawn from one distribution: two-sample chi-square over cells
/// in which both together have at least 40 draws.
pub fn same_distribution(left: &[i64], right: &[i64]) -> f64 {
    let mut seen = BTreeMap::<i64, (f64, f64)>::new();
    for &draw in left {
        seen.entry(draw).or_default().0 += 1.0;
    }
    for &draw in right {
        seen.entry(draw).or_default().1 += 1.0;
    }
    let cells = merge(seen.into_values().collect(), |&(l, r)| (l + r) / 2.0);
    let balance = (right.len() as f64 / left.len() as f64).sqrt();
    let statistic = cells.iter().map(|(l, r)| (balance * l - r / balance).powi(2) / (l + r)).sum();
    chi_square_tail(statistic, cells.len() - 1)
}

/// How many standard errors the mean square of the draws lies from `variance`, when the fourth
/// moment is known. For draws of mean 0.
pub fn standard_errors_off(draws: &[i64], variance: f64, fourth_moment: f64) -> f64 {
    let count = draws.len() as f64;
    let mean_square = draws.iter().map(|&draw| (draw as f64).powi(2)).sum::<f64>() / count;
    (mean_square - variance) / ((fourth_moment - variance * variance) / count).sqrt()
}

/// Neighbouring cells are added up until each has enough weight. The leftovers join the last one.
fn merge(cells: Vec<(f64, f64)>, weight: impl Fn(&(f64, f64)) -> f64) -> Vec<(f64, f64)> {
    let mut merged = Vec::new();
    let mut open = (0.0, 0.0);
    for (first, second) in cells {
        open = (open.0 + first, open.1 + second);
        if weight(&open) >= SMALLEST_EXPECTED {
            merged.push(open);
            open = (0.0, 0.0);
        }
    }
    if let Some(last) = merged.last_mut() {
        *last = (last.0 + open.0, last.1 + open.1);
    }
    assert!(merged.len() >= 2, "too few draws for a chi-square test");
    merged
}

/// P(chi-square with `freedom` degrees of freedom >= `statistic`): the regularized upper incomplete
/// gamma function.
pub fn chi_square_tail(statistic: f64, freedom: usize) -> f64 {
    assert!(freedom > 0 && statistic >= 0.0);
    let (a, x) = (freedom as f64 / 2.0, statistic / 2.0);
    if x == 0.0 {
        return 1.0;
    }
    // x^a e^-x / Gamma(a), the common factor of both expansions.
    let factor = (a * x.ln() - x - ln_gamma(a)).exp();
    if x < a + 1.0 { 1.0 - factor * lower_series(a, x) } else { factor * upper_fraction(a, x) }
}

/// sum over n of x^n / (a (a+1) ... (a+n)).
fn lower_series(a: f64, x: f64) -> f64 {
    let (mut term, mut sum, mut n) = (1.0 / a, 1.0 / a, a);
    while term > sum * 1e-16 {
        n += 1.0;
        term *= x / n;
        sum += term;
    }
    sum
}

/// 1/(x+1-a- 1(1-a)/(x+3-a- 2(2-a)/(x+5-a- ...))), by Lentz's method.
fn upper_fraction(a: f64, x: f64) -> f64 {
    let mut b = x + 1.0 - a;
    let mut c = 1e300;
    let mut d = 1.0 / b;
    let mut value = d;
    for n in 1..100_000 {
        let numerator = -f64::from(n) * (f64::from(n) - a);
        b += 2.0;
        d = 1.0 / (numerator * d + b);
        c = b + numerator / c;
        value *= c * d;
        if (c * d - 1.0).abs() < 1e-15 {
            break;
        }
    }
    value
}

/// ln Gamma(x) for x a positive multiple of 1/2, by the recursion up to where Stirling's series is
/// exact enough.
fn ln_gamma(x: f64) -> f64 {
    let (mut x, mut product) = (x, 1.0f64);
    while x < 20.0 {
        product *= x;
        x += 1.0;
    }
    let series = 1.0 / (12.0 * x) - 1.0 / (360.0 * x.powi(3)) + 1.0 / (1260.0 * x.powi(5));
    (x - 0.5) * x.ln() - x + 0.5 * (2.0 * std::f64::consts::PI).ln() + series - product.ln()
}
