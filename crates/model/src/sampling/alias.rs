//! Drawing from a list of probabilities in constant time, by integers alone.

use super::rng::SampleRng;

/// Probabilities become integers of this many bits.
const BITS: i32 = 62;

/// An alias table (Walker's method in Vose's construction) with integer thresholds.
///
/// The float probabilities are turned into integers once, by an exact multiplication with a power
/// of two and a cut. Everything after that is integer arithmetic, so that the same probabilities
/// give the same draws on every platform. Cumulative thresholds were rejected: they need a search
/// for each draw, which at 40,000 codes misses the cache.
#[derive(Clone, Debug)]
pub struct Alias {
    buckets: Vec<Bucket>,
}

/// A draw that falls into a bucket gives its own index below the threshold, and the other one from
/// it on.
#[derive(Clone, Copy, Debug)]
struct Bucket {
    threshold: u64,
    own: u32,
    other: u32,
}

impl Alias {
    /// The table of probabilities that sum to 1 up to rounding; `None` when they are empty or none
    /// is above 0.
    ///
    /// Every probability is from 0 to 1. An index with probability 0 is never drawn. The
    /// probability drawn is within `len / 2^62` of the one given.
    pub fn new(probabilities: &[f64]) -> Option<Self> {
        let scale = f64::from_bits(((1023 + BITS) as u64) << 52);
        // A float to integer cast drops the fraction, and gives 0 for NaN: exact and the same
        // everywhere.
        let weights: Vec<u64> = probabilities.iter().map(|&p| ((p * scale) as u64).min(1 << BITS)).collect();
        let total: u128 = weights.iter().map(|&weight| u128::from(weight)).sum();
        if total == 0 || u32::try_from(weights.len()).is_err() {
            return None;
        }
        // Each of the `len` buckets holds `total`; a weight is worth `len` times itself. All sums
        // come out exactly.
        let len = weights.len() as u128;
        let mut left: Vec<u128> = weights.iter().map(|&weight| u128::from(weight) * len).collect();
        let (mut small, mut large) = (Vec::new(), Vec::new());
        for (index, &weight) in left.iter().enumerate() {
            if weight < total { small.push(index) } else { large.push(index) }
        }
        let mut buckets: Vec<Bucket> =
            (0..weights.len() as u32).map(|own| Bucket { threshold: u64::MAX, own, other: own }).collect();
        while let (Some(poor), Some(&rich)) = (small.pop(), large.last()) {
            buckets[poor].threshold = fraction(left[poor], total);
            buckets[poor].other = rich as u32;
            left[rich] -= total - left[poor];
            if left[rich] < total {
                large.pop();
                small.push(rich);
            }
        }
        Some(Self { buckets })
    }

    /// The table of weights that need not sum to 1. One pass in a fixed order: the same sum
    /// everywhere.
    pub(crate) fn of_weights(weights: &[f64]) -> Option<Self> {
        let sum: f64 = weights.iter().sum();
        if sum > 0.0 { Self::new(&weights.iter().map(|weight| weight / sum).collect::<Vec<f64>>()) } else { None }
    }

    /// One index. Uses one word of the generator.
    #[inline]
    pub fn draw(&self, rng: &mut SampleRng) -> u32 {
        self.pick(rng.next_u64())
    }

    /// The index that a word of uniform bits stands for.
    #[inline]
    pub(crate) fn pick(&self, word: u64) -> u32 {
        // The high word of the product is the bucket, the low word the place inside it.
        let product = u128::from(word) * self.buckets.len() as u128;
        let bucket = &self.buckets[(product >> 64) as usize];
        if (product as u64) < bucket.threshold { bucket.own } else { bucket.other }
    }
}

/// `floor(2^64 part / total)` for `part < total`. Totals of probabilities that sum to 1 stay below
/// `2^63`; larger ones (from a caller that did not normalize) are shifted down first.
fn fraction(part: u128, total: u128) -> u64 {
    let shift = (128 - total.leading_zeros()).saturating_sub(64);
    (((part >> shift) << 64) / ((total >> shift).max(1))).min(u128::from(u64::MAX)) as u64
}
