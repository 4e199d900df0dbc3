//! Whether real and synthetic rows rank models alike (Jordon et al. 2018: SRA).

use super::result::{ModelResult, TargetResult};

/// Of all pairs of models of a target, the share that real rows (trained and tested on) and
/// synthetic rows (trained and tested on) put in the same order; equal on both sides counts as the
/// same. Nothing without pairs.
pub fn ranking_agreement(targets: &[TargetResult]) -> Option<f64> {
    let (mut agreed, mut pairs) = (0usize, 0usize);
    for target in targets {
        for (index, first) in target.models.iter().enumerate() {
            for second in &target.models[index + 1..] {
                let order = |of: fn(&ModelResult) -> f64| of(first).total_cmp(&of(second));
                agreed += usize::from(order(|model| model.real) == order(|model| model.synthetic_alone));
                pairs += 1;
            }
        }
    }
    (pairs > 0).then(|| agreed as f64 / pairs as f64)
}
