//! The normal distribution, the same on every platform: `libm` is compiled, not the system's.

use std::f64::consts::FRAC_1_SQRT_2;

/// Scores lie between this and its negative.
pub(super) const FARTHEST: f64 = 8.0;

/// The chance that a standard normal number is below `x`.
pub fn below(x: f64) -> f64 {
    0.5 * libm::erfc(-x * FRAC_1_SQRT_2)
}

/// The number that a standard normal one is below with this chance, between the farthest scores, to
/// nine digits (the rational approximation of P. J. Acklam).
pub(crate) fn quantile(chance: f64) -> f64 {
    const TAIL: f64 = 0.024_25;
    const A: [f64; 6] = [
        -39.696_830_286_653_76,
        220.946_098_424_520_5,
        -275.928_510_446_968_7,
        138.357_751_867_269,
        -30.664_798_066_147_16,
        2.506_628_277_459_239,
    ];
    const B: [f64; 6] = [
        -54.476_098_798_224_06,
        161.585_836_858_040_9,
        -155.698_979_859_886_6,
        66.801_311_887_719_72,
        -13.280_681_552_885_72,
        1.0,
    ];
    const C: [f64; 6] = [
        -0.007_784_894_002_430_293,
        -0.322_396_458_041_136_5,
        -2.400_758_277_161_838,
        -2.549_732_539_343_734,
        4.374_664_141_464_968,
        2.938_163_982_698_783,
    ];
    const D: [f64; 5] =
        [0.007_784_695_709_041_462, 0.322_467_129_070_039_8, 2.445_134_137_142_996, 3.754_408_661_907_416, 1.0];
    let at = |terms: &[f64], x: f64| terms.iter().fold(0.0, |sum, term| sum * x + term);
    let tail = |chance: f64| {
        let x = (-2.0 * libm::log(chance)).sqrt();
        at(&C, x) / at(&D, x)
    };
    let found = if chance <= 0.0 {
        -FARTHEST
    } else if chance >= 1.0 {
        FARTHEST
    } else if chance < TAIL {
        tail(chance)
    } else if chance > 1.0 - TAIL {
        -tail(1.0 - chance)
    } else {
        let x = chance - 0.5;
        x * at(&A, x * x) / at(&B, x * x)
    };
    found.clamp(-FARTHEST, FARTHEST)
}

/// A standard normal number between two bounds, from a uniform one between 0 and 1.
pub(super) fn between(low: f64, high: f64, uniform: f64) -> f64 {
    // The lower tail has the digits.
    if low > 0.0 {
        return -between(-high, -low, 1.0 - uniform);
    }
    let (from, to) = (below(low), below(high));
    if to - from < 1e-14 {
        // Next to nothing lies between: the end that is nearer to the middle.
        return if low.abs() < high.abs() { low } else { high };
    }
    quantile(from + (to - from) * uniform).clamp(low, high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_and_quantiles_are_each_others_inverse() {
        for step in -70..=70 {
            let x = f64::from(step) / 10.0;
            assert!((quantile(below(x.min(0.0))) - x.min(0.0)).abs() < 1e-6, "{x}");
            assert!((below(x) + below(-x) - 1.0).abs() < 1e-12);
        }
        assert!((below(1.959_963_985) - 0.975).abs() < 1e-9);
        assert_eq!((quantile(0.0), quantile(1.0)), (-FARTHEST, FARTHEST));
    }

    #[test]
    fn numbers_between_bounds_stay_there_however_far_out() {
        for (low, high) in [(-1.0, 2.0), (5.0, 5.1), (-7.9, -7.8), (0.0, 0.0), (-30.0, -29.0), (12.0, 40.0)] {
            let mut last = low;
            for uniform in [0.0, 0.1, 0.5, 0.9, 1.0] {
                let found = between(low, high, uniform);
                assert!((low..=high).contains(&found) && found >= last, "{low} {high} {uniform}: {found}");
                last = found;
            }
        }
    }
}
