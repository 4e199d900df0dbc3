//! Advanced composition, by which two of the systems were published.

/// What `times` mechanisms of a pure epsilon cost together, with a chance `delta` to fail: Dwork,
/// Rothblum and Vadhan 2010.
pub fn advanced(epsilon: f64, times: f64, delta: f64) -> f64 {
    epsilon * (2.0 * times * (1.0 / delta).ln()).sqrt() + times * epsilon * epsilon.exp_m1()
}

/// The largest pure epsilon that `times` mechanisms may have each: by advanced or by plain
/// composition, whichever leaves more.
pub fn each(total: f64, times: f64, delta: f64) -> f64 {
    let (mut low, mut high) = (total / times, total);
    if advanced(low, times, delta) >= total {
        return low;
    }
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        if advanced(middle, times, delta) <= total {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}
