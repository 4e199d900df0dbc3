//! Bins over whole numbers: integers, days and seconds.

use super::cached::Cached;
use super::clock::ClockUnit;
use super::outer::Outer;
use super::search::{Buckets, buckets_for, pick};

/// An inclusive range of whole numbers, cut into bins. Codes ascend with the values.
#[derive(Clone, Debug, PartialEq)]
pub struct IntegerAxis {
    low: i64,
    high: i64,
    /// The distance between neighbouring values: 1, or the seconds in the smallest unit that a
    /// format writes.
    step: i64,
    /// First value of each bin, ascending, spikes left aside; `None`: every value has a bin.
    starts: Option<Vec<i64>>,
    /// Values with a bin of their own, ascending, and those of them that lie outside of the range.
    spikes: Vec<i64>,
    outer: Outer<i64>,
    /// The unit of values that are those of a clock, such as 517. Bins begin at such values.
    clock: Option<ClockUnit>,
    table: Cached<BinLookup>,
}

#[derive(Clone)]
enum BinLookup {
    EachValue { step: u64 },
    Search { starts: Vec<i64>, shift: u32, buckets: Buckets },
}

impl IntegerAxis {
    /// The range with near-equal bins; one bin a value where there are no more values than bins.
    pub(crate) fn even(low: i64, high: i64, step: i64, bins: u64, spikes: Vec<i64>) -> Self {
        let units = Self::units(low, high, step);
        if u128::from(bins) >= units {
            return Self::with(low, high, step, None, spikes);
        }
        let start = |i: u64| {
            let unit = u128::from(i) * units / u128::from(bins);
            (i128::from(low) + i128::from(step) * unit as i128) as i64
        };
        Self::with(low, high, step, Some((0..bins).map(start).collect()), spikes)
    }

    /// The range with bins that begin at the given values: ascending, the first equal to `low`.
    pub(crate) fn listed(low: i64, high: i64, step: i64, starts: Vec<i64>, spikes: Vec<i64>) -> Self {
        debug_assert!(starts.first() == Some(&low) && starts.is_sorted());
        let each = starts.len() as u128 == Self::units(low, high, step);
        Self::with(low, high, step, (!each).then_some(starts), spikes)
    }

    fn with(low: i64, high: i64, step: i64, starts: Option<Vec<i64>>, spikes: Vec<i64>) -> Self {
        let table = match &starts {
            None => BinLookup::EachValue { step: step as u64 },
            Some(starts) => {
                let inner = spikes.iter().filter(|spike| (low..=high).contains(*spike));
                let cuts = inner.flat_map(|&spike| [Some(spike), spike.checked_add(step)]).flatten();
                let mut starts: Vec<i64> = starts.iter().copied().chain(cuts.filter(|&cut| cut <= high)).collect();
                starts.sort_unstable();
                starts.dedup();
                let count = buckets_for(starts.len());
                let span = high.wrapping_sub(low) as u64;
                let mut shift = 0;
                while span >> shift >= count as u64 {
                    shift += 1;
                }
                let used = (span >> shift) as usize + 1;
                let bucket = |start: i64| (start.wrapping_sub(low) as u64 >> shift) as usize;
                let buckets = Buckets::new(&starts, used, bucket);
                BinLookup::Search { starts, shift, buckets }
            }
        };
        let outer = Outer::of(&spikes, low, high);
        Self { low, high, step, starts, spikes, outer, clock: None, table: Cached(table) }
    }

    /// The clock numbers between two, with bins that begin at the given ones: ascending, the first
    /// equal to `low`.
    pub(crate) fn clock(unit: ClockUnit, low: i64, high: i64, starts: Vec<i64>, spikes: Vec<i64>) -> Self {
        let axis = Self::with(low, high, 1, Some(starts), vec![]);
        // A spike ends where the next minute or second begins.
        let cuts = spikes.iter().flat_map(|&spike| [spike, unit.number(unit.units(spike) + 1)]);
        let own = axis.starts.iter().flatten().copied();
        let mut all: Vec<i64> = own.chain(cuts.filter(|&cut| cut <= high)).collect();
        all.sort_unstable();
        all.dedup();
        let table = Self::with(low, high, 1, Some(all), vec![]).table;
        Self { spikes, clock: Some(unit), table, ..axis }
    }

    /// The unit of a clock, where values are those of one.
    pub(crate) fn clock_unit(&self) -> Option<ClockUnit> {
        self.clock
    }

    /// How many values the range holds.
    pub(crate) fn units(low: i64, high: i64, step: i64) -> u128 {
        ((i128::from(high) - i128::from(low)) / i128::from(step)) as u128 + 1
    }

    /// The smallest and the largest value that a cell may have, spikes outside of the range among
    /// them.
    pub fn ends(&self) -> (i64, i64) {
        self.outer.ends(self.low, self.high)
    }

    /// How many spikes lie outside of the range, and how many of these below it.
    pub fn outer(&self) -> (u32, u32) {
        (self.outer.len(), self.outer.below())
    }

    /// Spikes outside of the range.
    pub(crate) fn outer_values(&self) -> impl Iterator<Item = i64> {
        self.outer.values()
    }

    /// The smallest value of the range.
    pub fn low(&self) -> i64 {
        self.low
    }

    /// The largest value of the range.
    pub fn high(&self) -> i64 {
        self.high
    }

    /// The distance between neighbouring values.
    pub fn step(&self) -> i64 {
        self.step
    }

    /// Values that have a bin of their own.
    pub fn spikes(&self) -> &[i64] {
        &self.spikes
    }

    /// The number of bins, spikes included.
    pub fn len(&self) -> u32 {
        self.inner_len() + self.outer.len()
    }

    /// The number of bins of the range.
    #[inline]
    fn inner_len(&self) -> u32 {
        match &self.table.0 {
            BinLookup::EachValue { .. } => Self::units(self.low, self.high, self.step) as u32,
            BinLookup::Search { starts, .. } => starts.len() as u32,
        }
    }

    /// An axis has at least one bin.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// The first and the last value of a bin.
    pub fn bounds(&self, bin: u32) -> (i64, i64) {
        let bin = match self.outer.meaning(bin, self.inner_len()) {
            Ok(bin) => bin,
            Err(spike) => return (spike, spike),
        };
        match &self.table.0 {
            BinLookup::EachValue { .. } => {
                let value = self.low + self.step * i64::from(bin);
                (value, value)
            }
            BinLookup::Search { starts, .. } => {
                let at = bin as usize;
                let last = |next: &i64| match self.clock {
                    Some(unit) => unit.number(unit.units(*next) - 1),
                    None => next - self.step,
                };
                (starts[at], starts.get(at + 1).map_or(self.high, last))
            }
        }
    }

    /// The starts of the bins with spikes left aside, when they are listed.
    pub(crate) fn starts(&self) -> Option<&[i64]> {
        self.starts.as_deref()
    }

    /// Whether the value lies in the range. A value between two steps belongs to the lower one.
    #[inline]
    pub fn contains(&self, value: i64) -> bool {
        self.low <= value && (value <= self.high || value.saturating_sub(self.high) < self.step)
            || self.outer.code(value, 0).is_some()
    }

    /// The bin of a value, which is clamped into the range first.
    #[inline]
    pub fn bin(&self, value: i64) -> u32 {
        if let Some(code) = self.outer.code(value, self.inner_len()) {
            return code;
        }
        self.outer.below() + self.inner_bin(value)
    }

    #[inline]
    fn inner_bin(&self, value: i64) -> u32 {
        let value = value.clamp(self.low, self.high);
        let offset = value.wrapping_sub(self.low) as u64;
        match &self.table.0 {
            BinLookup::EachValue { step: 1 } => offset as u32,
            BinLookup::EachValue { step } => (offset / step) as u32,
            BinLookup::Search { starts, shift, buckets } => buckets.find(starts, (offset >> shift) as usize, value),
        }
    }

    /// A value inside the bin, uniform when the bits are.
    pub fn value(&self, bin: u32, bits: u64) -> i64 {
        let (first, last) = self.bounds(bin);
        if let Some(unit) = self.clock {
            let units = unit.units(first)..=unit.units(last);
            let count = (units.end() - units.start()) as u64 + 1;
            return unit.number(units.start() + pick(bits, count) as i64);
        }
        // A bin with all 2^64 values would overflow the count; dropping one of them cannot be
        // noticed.
        let count = (last.wrapping_sub(first) as u64 / self.step as u64).saturating_add(1);
        first.wrapping_add((pick(bits, count) as i64).wrapping_mul(self.step))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The bin by brute force.
    fn slow_bin(axis: &IntegerAxis, value: i64) -> u32 {
        let value = value.clamp(axis.low, axis.high);
        (0..axis.len()).rev().find(|&bin| axis.bounds(bin).0 <= value).unwrap()
    }

    #[test]
    fn near_equal_bins_tile_the_range() {
        let axis = IntegerAxis::even(0, 99, 1, 7, vec![]);
        assert_eq!(axis.len(), 7);
        let sizes: Vec<i64> = (0..7).map(|bin| axis.bounds(bin).1 - axis.bounds(bin).0 + 1).collect();
        assert_eq!(sizes.iter().sum::<i64>(), 100);
        assert!(sizes.iter().all(|size| (14..=15).contains(size)));
    }

    #[test]
    fn the_whole_of_i64_works() {
        let axis = IntegerAxis::even(i64::MIN, i64::MAX, 1, 10, vec![0]);
        for value in [i64::MIN, -1, 0, 1, i64::MAX] {
            let bin = axis.bin(value);
            let (first, last) = axis.bounds(bin);
            assert!(first <= value && value <= last);
        }
        let below = IntegerAxis::even(i64::MIN, -5, 1, 10, vec![]);
        assert!(below.contains(-5) && !below.contains(-4) && !below.contains(i64::MAX));
        let one = IntegerAxis::even(i64::MIN, i64::MAX, 1, 1, vec![]);
        assert_eq!(one.bin(one.value(0, u64::MAX)), 0);
    }

    #[test]
    fn a_spike_has_its_own_bin_and_order_is_kept() {
        let axis = IntegerAxis::listed(0, 1000, 1, vec![0, 10, 100], vec![0, 500]);
        let bounds: Vec<_> = (0..axis.len()).map(|bin| axis.bounds(bin)).collect();
        assert_eq!(bounds, [(0, 0), (1, 9), (10, 99), (100, 499), (500, 500), (501, 1000)]);
    }

    #[test]
    fn a_clock_shows_no_minute_beyond_59() {
        let unit = ClockUnit::Minute;
        let all = (0..=1440).map(|minute| unit.number(minute)).collect();
        let axis = IntegerAxis::clock(unit, 0, 2400, all, vec![]);
        assert_eq!(axis.len(), 1441);
        for bin in 0..axis.len() {
            let value = axis.value(bin, u64::MAX);
            assert!(value % 100 < 60 && axis.bin(value) == bin);
        }
        assert_eq!(axis.bin(1275), axis.bin(1259));
        let wide = IntegerAxis::clock(unit, 0, 2359, vec![0, 530, 1200], vec![559]);
        let bounds: Vec<_> = (0..wide.len()).map(|bin| wide.bounds(bin)).collect();
        assert_eq!(bounds, [(0, 529), (530, 558), (559, 559), (600, 1159), (1200, 2359)]);
        for bits in (0..64).map(|bit| 1u64 << bit) {
            assert!((0..wide.len()).all(|bin| wide.value(bin, bits) % 100 < 60));
        }
        let seconds = IntegerAxis::clock(ClockUnit::Second, 0, 235_959, vec![0, 120_000, 135_930], vec![135_959]);
        let bounds: Vec<_> = (0..seconds.len()).map(|bin| seconds.bounds(bin)).collect();
        let expected = [(0, 115_959), (120_000, 135_929), (135_930, 135_958), (135_959, 135_959), (140_000, 235_959)];
        assert_eq!(bounds, expected);
        for bits in (0..64).map(|bit| 1u64 << bit) {
            let real = |value: i64| value % 100 < 60 && value / 100 % 100 < 60;
            assert!((0..seconds.len()).all(|bin| real(seconds.value(bin, bits))));
        }
    }

    #[test]
    fn spikes_outside_of_the_range_have_codes_of_their_own() {
        for axis in [
            IntegerAxis::listed(0, 99, 1, vec![0, 50], vec![-9, -1, 0, 999]),
            IntegerAxis::even(0, 99, 1, 2, vec![-9, -1, 0, 999]),
        ] {
            let bounds: Vec<_> = (0..axis.len()).map(|bin| axis.bounds(bin)).collect();
            assert_eq!(bounds, [(-9, -9), (-1, -1), (0, 0), (1, 49), (50, 99), (999, 999)]);
            for (value, bin) in [(-9, 0), (-1, 1), (-5, 2), (-10, 2), (0, 2), (99, 4), (100, 4), (998, 4), (999, 5)] {
                assert_eq!(axis.bin(value), bin, "{value}");
            }
            assert_eq!(
                [-9, -2, 99, 100, 999, 1000].map(|value| axis.contains(value)),
                [true, false, true, false, true, false]
            );
            assert_eq!((axis.value(0, u64::MAX), axis.value(5, 7)), (-9, 999));
            assert_eq!((axis.low(), axis.high(), axis.ends()), (0, 99, (-9, 999)));
        }
        let each = IntegerAxis::even(1, 5, 1, 5, vec![9]);
        assert_eq!((each.len(), each.bin(5), each.bin(8), each.bin(9)), (6, 4, 4, 5));
    }

    proptest::proptest! {
        #[test]
        fn fast_and_slow_bins_agree(
            low in -1_000_000i64..1_000_000, units in 1i64..300_000, step in 1i64..4, bins in 1u64..700,
            spike in 0i64..300_000, values in proptest::collection::vec(proptest::num::i64::ANY, 20), bits: u64,
        ) {
            let high = low + (units - 1) * step;
            let spikes = if spike < units { vec![low + spike * step] } else { vec![] };
            let axis = IntegerAxis::even(low, high, step, bins, spikes);
            for value in values {
                for value in [value, low + value.rem_euclid(units * step)] {
                    proptest::prop_assert_eq!(axis.bin(value), slow_bin(&axis, value));
                }
            }
            for bin in 0..axis.len() {
                let value = axis.value(bin, bits);
                proptest::prop_assert_eq!(axis.bin(value), bin);
                proptest::prop_assert_eq!((value - low) % step, 0);
                let (first, last) = axis.bounds(bin);
                proptest::prop_assert_eq!((axis.bin(first), axis.bin(last)), (bin, bin));
            }
        }

        #[test]
        fn uneven_bins_agree_too(
            cuts in proptest::collection::btree_set(1i64..1_000_000, 0..200), values in proptest::collection::vec(0i64..1_000_001, 50),
        ) {
            let starts: Vec<i64> = std::iter::once(0).chain(cuts).collect();
            let axis = IntegerAxis::listed(0, 1_000_000, 1, starts, vec![]);
            for value in values {
                proptest::prop_assert_eq!(axis.bin(value), slow_bin(&axis, value));
            }
        }
    }
}
