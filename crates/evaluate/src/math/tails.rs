//! Tails of the chi-square and of Student's distribution.

use statrs::function::beta::beta_reg;
use statrs::function::gamma::gamma_ur;

/// The chance that a chi-square variable of that many degrees of freedom is at least `statistic`.
///
/// 1 for a statistic of 0 or below, and for 0 degrees (a table with nothing to test shows nothing
/// unusual).
pub fn chi_square_above(statistic: f64, degrees: f64) -> f64 {
    if degrees <= 0.0 || statistic <= 0.0 || statistic.is_nan() {
        return 1.0;
    }
    if statistic.is_infinite() { 0.0 } else { gamma_ur(0.5 * degrees, 0.5 * statistic).clamp(0.0, 1.0) }
}

/// The chance that a Student variable of that many degrees of freedom is at least `t` away from 0.
/// 1 without degrees.
pub fn student_two_sided(t: f64, degrees: f64) -> f64 {
    if degrees <= 0.0 || t.is_nan() {
        return 1.0;
    }
    if t.is_infinite() { 0.0 } else { beta_reg(0.5 * degrees, 0.5, degrees / (degrees + t * t)).clamp(0.0, 1.0) }
}
