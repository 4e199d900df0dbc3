//! Chi-square tests, small schemas and small rules.

use lookalike_schema::{AttrId, ImpossibleRule, Schema};

use crate::{Model, Origin};

/// The p-value of observed counts against probabilities. Cells with an expectation below 5 are
/// pooled.
pub(crate) fn chi_square_p(observed: &[u64], probabilities: &[f64]) -> f64 {
    let total = observed.iter().sum::<u64>() as f64;
    let (mut statistic, mut cells) = (0.0, 0u32);
    let (mut pooled_observed, mut pooled_expected) = (0.0, 0.0);
    for (&count, &p) in observed.iter().zip(probabilities) {
        let (count, expected) = (count as f64, p * total);
        if expected < 5.0 {
            assert!(p > 0.0 || count == 0.0, "drawn with probability 0");
            pooled_observed += count;
            pooled_expected += expected;
        } else {
            statistic += (count - expected) * (count - expected) / expected;
            cells += 1;
        }
    }
    if pooled_expected >= 5.0 {
        statistic += (pooled_observed - pooled_expected) * (pooled_observed - pooled_expected) / pooled_expected;
        cells += 1;
    }
    assert!(cells >= 2, "nothing to test");
    upper_gamma(f64::from(cells - 1) / 2.0, statistic / 2.0)
}

/// The regularized upper incomplete gamma function, by series or continued fraction (Numerical
/// Recipes, 6.2).
fn upper_gamma(a: f64, x: f64) -> f64 {
    if x <= 0.0 {
        return 1.0;
    }
    let front = (a * x.ln() - x - ln_gamma(a)).exp();
    if x < a + 1.0 {
        let (mut term, mut sum, mut n) = (1.0 / a, 1.0 / a, a);
        for _ in 0..10_000 {
            n += 1.0;
            term *= x / n;
            sum += term;
            if term < sum * 1e-15 {
                break;
            }
        }
        return 1.0 - front * sum;
    }
    let mut b = x + 1.0 - a;
    let (mut c, mut d) = (1e300, 1.0 / b);
    let mut h = d;
    for i in 1..10_000 {
        let an = -f64::from(i) * (f64::from(i) - a);
        b += 2.0;
        d = 1.0 / (an * d + b);
        c = b + an / c;
        h *= d * c;
        if (d * c - 1.0).abs() < 1e-15 {
            break;
        }
    }
    front * h
}

/// Stirling's series after shifting the argument up.
fn ln_gamma(x: f64) -> f64 {
    let (mut x, mut shift) = (x, 0.0);
    while x < 10.0 {
        shift -= x.ln();
        x += 1.0;
    }
    let inverse = 1.0 / x;
    let series = inverse / 12.0 - inverse.powi(3) / 360.0 + inverse.powi(5) / 1260.0;
    shift + (x - 0.5) * x.ln() - x + 0.5 * (2.0 * std::f64::consts::PI).ln() + series
}

pub(crate) fn rule(parts: &[(u32, &[u32])]) -> ImpossibleRule {
    ImpossibleRule { parts: parts.iter().map(|&(attribute, codes)| (AttrId(attribute), codes.to_vec())).collect() }
}

pub(crate) fn origin() -> Origin {
    Origin { method: "independent".into(), guarantee: "epsilon 1, delta 1e-9".into() }
}

/// Columns over integer codes, with the rules in the words of the schema file.
pub(crate) fn coded_schema(sizes: &[u32], rules: &str) -> Schema {
    let mut text = String::new();
    for (index, size) in sizes.iter().enumerate() {
        let edges: Vec<String> = (0..*size).map(|code| format!("\"v{code}\"")).collect();
        text += &format!("[columns.c{index}]\ntype = \"category\"\nvalues = [{}]\n", edges.join(", "));
    }
    text += rules;
    Schema::parse(&text, "test.toml").unwrap()
}

/// A model of independent columns over integer codes.
pub(crate) fn coded_model(weights: &[&[f64]], rows: f64, rules: &str) -> Model {
    let sizes: Vec<u32> = weights.iter().map(|weights| weights.len() as u32).collect();
    let weights = weights.iter().map(|weights| weights.to_vec()).collect();
    Model::product(coded_schema(&sizes, rules), rows, weights, vec![], origin()).unwrap()
}

#[test]
fn the_p_value_is_the_textbooks() {
    // Chi-square 5.991 at 2 degrees and 124.342 at 100 degrees: 5 percent each.
    assert!((upper_gamma(1.0, 5.991_465 / 2.0) - 0.05).abs() < 1e-6);
    assert!((upper_gamma(50.0, 124.342_113 / 2.0) - 0.05).abs() < 1e-6);
    assert!((upper_gamma(0.5, 0.5) - 0.317_310_5).abs() < 1e-6);
}
