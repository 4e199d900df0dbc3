//! From noisy counts to weights: the nearest vector that counts could be.

/// Moves noisy counts to the nearest vector (in squared distance) that is nowhere negative and sums
/// to `total`. Entries where `possible` is false become 0.
///
/// Post-processing: it costs no budget. The nearest such vector is `max(value - shift, 0)` with the
/// one shift that makes the sum right. Cutting negative values to 0 and rescaling was rejected: the
/// positive half of the noise on empty codes stays, so a column with many rare codes gets weight
/// where nobody is. On generated columns with 1,000 codes, most of them rare, it missed the truth
/// by 0.141 in total variation where the projection missed it by 0.091 (the test
/// `projection_beats_clipping` keeps the comparison).
///
/// When `total` is not above 0, or nothing is possible, everything is 0: nothing is known.
pub fn onto_counts(noisy: &[f64], possible: &dyn Fn(usize) -> bool, total: f64) -> Vec<f64> {
    let mut sorted: Vec<f64> = noisy.iter().enumerate().filter(|(code, _)| possible(*code)).map(|(_, &v)| v).collect();
    if sorted.is_empty() || total.is_nan() || total <= 0.0 {
        return vec![0.0; noisy.len()];
    }
    sorted.sort_unstable_by(|a, b| b.total_cmp(a));
    // With the k largest values above 0, the shift is (their sum - total) / k. The right k is the
    // largest one whose own smallest value stays above 0; it always exists because the total is
    // above 0.
    let mut sum = 0.0;
    let mut shift = sorted[0] - total;
    for (index, &value) in sorted.iter().enumerate() {
        sum += value;
        let candidate = (sum - total) / (index + 1) as f64;
        if value - candidate <= 0.0 {
            break;
        }
        shift = candidate;
    }
    let place = |(code, &value): (usize, &f64)| if possible(code) { (value - shift).max(0.0) } else { 0.0 };
    noisy.iter().enumerate().map(place).collect()
}

/// As two papers have it: negative values become 0, and the rest is scaled to sum to `total`; all
/// stay 0 where nothing is left.
pub fn clipped(noisy: &[f64], possible: &dyn Fn(usize) -> bool, total: f64) -> Vec<f64> {
    let cut = |(code, &value): (usize, &f64)| if possible(code) { value.max(0.0) } else { 0.0 };
    let cut: Vec<f64> = noisy.iter().enumerate().map(cut).collect();
    let sum: f64 = cut.iter().sum();
    if sum > 0.0 { cut.iter().map(|value| value * (total / sum)).collect() } else { cut }
}
