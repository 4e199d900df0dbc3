//! What many steps of a Gaussian mechanism on random batches cost.

/// The orders that are tried.
const ORDERS: std::ops::RangeInclusive<u32> = 2..=256;

/// The Renyi divergence of this order of one step: every row is in the batch by a coin of chance
/// `rate`, and noise has a deviation of `sigma` times what a row can add.
///
/// Add/remove. Mironov, Talwar and Zhang 2019, section 3.3, for whole orders: the logarithm of the
/// sum over k of (a over k) (1 - q)^(a - k) q^k exp((k^2 - k) / (2 sigma^2)), over a - 1.
pub fn renyi(rate: f64, sigma: f64, order: u32) -> f64 {
    let a = f64::from(order);
    if rate >= 1.0 {
        return a / (2.0 * sigma * sigma);
    }
    let mut choose = 0.0f64;
    let mut terms = Vec::with_capacity(order as usize + 1);
    for k in 0..=order {
        let k = f64::from(k);
        terms.push(choose + (a - k) * (-rate).ln_1p() + k * rate.ln() + (k * k - k) / (2.0 * sigma * sigma));
        choose += ((a - k) / (k + 1.0)).ln();
    }
    let most = terms.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    (most + terms.iter().map(|term| (term - most).exp()).sum::<f64>().ln()) / (a - 1.0)
}

/// The epsilon of `steps` steps at this delta: the best order, converted as by Canonne, Kamath and
/// Steinke 2020, proposition 12.
pub fn epsilon(rate: f64, sigma: f64, steps: usize, delta: f64) -> f64 {
    let at = |order: u32| {
        let a = f64::from(order);
        steps as f64 * renyi(rate, sigma, order) + (-1.0 / a).ln_1p() - (delta.ln() + a.ln()) / (a - 1.0)
    };
    ORDERS.map(at).fold(f64::INFINITY, f64::min).max(0.0)
}

/// The least noise, up to a thousandth, whose steps stay within the budget.
pub fn least_sigma(rate: f64, steps: usize, target: f64, delta: f64) -> f64 {
    let (mut low, mut high) = (0.05, 1.0);
    while epsilon(rate, high, steps, delta) > target {
        high *= 2.0;
    }
    while high - low > 1e-3 * high {
        let middle = 0.5 * (low + high);
        if epsilon(rate, middle, steps, delta) <= target {
            high = middle;
        } else {
            low = middle;
        }
    }
    high
}
