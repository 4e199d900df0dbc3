//! Which bin a value falls into, in a step or two whatever the bins look like.
//!
//! The axis is cut into equal buckets. A bucket knows the first and the last bin that its values
//! can fall into; even bins leave one comparison, and uneven ones a short binary search. The
//! comparisons are with the bin starts themselves, so that no rounding of the bucket arithmetic can
//! move a value into a neighbouring bin.

const FEWEST: usize = 64;
const MOST: usize = 1 << 16;

/// How many buckets serve a number of bins.
pub(crate) fn buckets_for(bins: usize) -> usize {
    (bins * 2).next_power_of_two().clamp(FEWEST, MOST)
}

/// Bucket boundaries over sorted bin starts.
#[derive(Clone)]
pub(crate) struct Buckets {
    /// For each bucket the first bin its values can fall into; the entry behind it is the last one.
    first: Vec<u32>,
}

impl Buckets {
    /// Prepares the buckets. `bucket` is monotone and below `count` for every start.
    pub(crate) fn new<T: Copy>(starts: &[T], count: usize, bucket: impl Fn(T) -> usize) -> Self {
        let mut first = Vec::with_capacity(count + 1);
        let mut passed = 0usize;
        for index in 0..=count {
            // A start in an earlier bucket is at or below every value of this one.
            while passed < starts.len() && bucket(starts[passed]) < index {
                passed += 1;
            }
            first.push(passed.saturating_sub(1) as u32);
        }
        Self { first }
    }

    /// The last bin whose start is not above the value.
    #[inline]
    pub(crate) fn find<T: Copy + PartialOrd>(&self, starts: &[T], bucket: usize, value: T) -> u32 {
        let bucket = bucket.min(self.first.len() - 2);
        let (from, to) = (self.first[bucket], self.first[bucket + 1]);
        let next = (from as usize + 1).min(starts.len() - 1);
        if to - from <= 1 {
            // Whether a bucket holds an edge cannot be predicted, so no branch is made of it.
            return from + u32::from(value >= starts[next]).min(to - from);
        }
        from + starts[next..=to as usize].partition_point(|start| *start <= value) as u32
    }
}

/// A uniform index below `count` from uniform bits.
#[inline]
pub(crate) fn pick(bits: u64, count: u64) -> u64 {
    ((u128::from(bits) * u128::from(count)) >> 64) as u64
}
