//! The gamma function's logarithm, and the upper tail of the chi-square distribution.

/// Lanczos coefficients for g = 7 and nine terms: relative error below 1e-13.
const LANCZOS: [f64; 9] = [
    0.999_999_999_999_809_9,
    676.520_368_121_885_1,
    -1_259.139_216_722_402_8,
    771.323_428_777_653_1,
    -176.615_029_162_140_6,
    12.507_343_278_686_905,
    -0.138_571_095_265_720_12,
    9.984_369_578_019_572e-6,
    1.505_632_735_149_311_6e-7,
];

/// The natural logarithm of gamma(x), for x above 0.
pub fn ln_gamma(x: f64) -> f64 {
    if x < 0.5 {
        // Reflection: the series loses digits near 0.
        return (std::f64::consts::PI / (std::f64::consts::PI * x).sin()).ln() - ln_gamma(1.0 - x);
    }
    let x = x - 1.0;
    let mut sum = LANCZOS[0];
    for (index, coefficient) in LANCZOS.iter().enumerate().skip(1) {
        sum += coefficient / (x + index as f64);
    }
    let t = x + 7.5;
    0.5 * (2.0 * std::f64::consts::PI).ln() + (x + 0.5) * t.ln() - t + sum.ln()
}

/// The chance that a chi-square variable of that many degrees of freedom is at least `statistic`.
///
/// 1 for a statistic of 0 or below, and for 0 degrees (a table with nothing to test shows nothing
/// unusual).
pub fn chi_square_above(statistic: f64, degrees: f64) -> f64 {
    if degrees <= 0.0 || statistic <= 0.0 || statistic.is_nan() {
        return 1.0;
    }
    upper_gamma(0.5 * degrees, 0.5 * statistic).clamp(0.0, 1.0)
}

/// The regularized upper incomplete gamma function Q(a, x).
fn upper_gamma(a: f64, x: f64) -> f64 {
    if x.is_infinite() {
        return 0.0;
    }
    let front = (a * x.ln() - x - ln_gamma(a)).exp();
    if x < a + 1.0 { 1.0 - front * series(a, x) } else { front * fraction(a, x) }
}

/// The sum of x^n / (a (a+1) ... (a+n)).
fn series(a: f64, x: f64) -> f64 {
    let (mut term, mut sum, mut place) = (1.0 / a, 1.0 / a, a);
    while term > sum * 1e-17 {
        place += 1.0;
        term *= x / place;
        sum += term;
    }
    sum
}

/// The continued fraction of Q, by Lentz's method.
fn fraction(a: f64, x: f64) -> f64 {
    const TINY: f64 = 1e-300;
    let mut b = x + 1.0 - a;
    let mut c = 1.0 / TINY;
    let mut d = 1.0 / b;
    let mut value = d;
    // It converges in about sqrt(a) steps; the bound only guards against a standstill.
    for index in 1..100_000 {
        let n = f64::from(index);
        let an = -n * (n - a);
        b += 2.0;
        d = an * d + b;
        d = if d.abs() < TINY { TINY } else { d };
        c = b + an / c;
        c = if c.abs() < TINY { TINY } else { c };
        d = 1.0 / d;
        let step = d * c;
        value *= step;
        if (step - 1.0).abs() < 1e-15 {
            break;
        }
    }
    value
}
