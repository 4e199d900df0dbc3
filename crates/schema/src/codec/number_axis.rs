//! Bins over real numbers.

use super::cached::Cached;
use super::grid::starts;
use super::outer::Outer;
use super::scan::{LARGEST_MULTIPLE, POWERS, write_fixed, write_plain};
use super::search::{Buckets, buckets_for, pick};
use crate::error::{Mistake, refuse_if};

/// The most decimals that a column may write.
pub(crate) const MOST_DECIMALS: u8 = 15;

/// The most bins on a grid of numbers that are written in full.
const UNWRITTEN_BINS: u32 = 4096;

/// A closed range of numbers, cut into bins. Codes ascend with the values.
///
/// A bin holds its start and all numbers below the next start; the last one holds the range's end
/// too. A spike is a bin with a single number in it.
#[derive(Clone, Debug, PartialEq)]
pub struct NumberAxis {
    low: f64,
    high: f64,
    /// Bin starts, ascending, spikes left aside.
    starts: Vec<f64>,
    /// Numbers with a bin of their own, ascending, and those of them that lie outside of the range.
    spikes: Vec<f64>,
    outer: Outer<f64>,
    /// Decimals that are written, or `None` for a range so wide or narrow that numbers are written
    /// in full.
    decimals: Option<u8>,
    table: Cached<BinLookup>,
}

#[derive(Clone)]
struct BinLookup {
    /// Bin starts with the spikes put in.
    starts: Vec<f64>,
    scale: f64,
    buckets: Buckets,
    /// With decimals: for each bin its first multiple of the last decimal, and how many there are.
    multiples: Vec<(i64, u64)>,
}

impl NumberAxis {
    /// Near-equal bins. With decimals their starts are numbers that have no more of them, and there
    /// is one bin a number where there are few numbers; without, the width of the bins chooses.
    pub(crate) fn even(
        low: f64,
        high: f64,
        bins: u32,
        spikes: Vec<f64>,
        decimals: Option<u8>,
    ) -> Result<Self, Mistake> {
        let Some(places) = decimals else {
            let starts = (0..bins).map(|i| low + (high - low) * f64::from(i) / f64::from(bins)).collect();
            return Self::listed(low, high, starts, spikes, None);
        };
        check_decimals(low, high, places)?;
        let (first, count) = multiples(low, high, places);
        if count == 0 {
            return Err(too_few_decimals());
        }
        let bins = u64::from(bins).min(count);
        let at = |i: u64| first + (u128::from(i) * u128::from(count) / u128::from(bins)) as i64;
        let starts = std::iter::once(low).chain((1..bins).map(|i| at(i) as f64 / POWERS[usize::from(places)]));
        Self::listed(low, high, starts.collect(), spikes, decimals)
    }

    /// Bins that begin at the given numbers: ascending, the first equal to `low`.
    pub(crate) fn listed(
        low: f64,
        high: f64,
        starts: Vec<f64>,
        spikes: Vec<f64>,
        decimals: Option<u8>,
    ) -> Result<Self, Mistake> {
        let narrow = starts.windows(2).any(|pair| pair[0] >= pair[1]);
        refuse_if(narrow, "the range is too narrow for that many bins", "use fewer bins")?;
        let inner = spikes.iter().filter(|spike| (low..=high).contains(*spike));
        let cuts = inner.flat_map(|&spike| [spike, spike.next_up()]);
        let outer: Vec<f64> = Outer::of(&spikes, low, high).values().collect();
        let mut all: Vec<f64> = starts.iter().copied().chain(cuts.filter(|&cut| cut <= high)).collect();
        all.sort_unstable_by(f64::total_cmp);
        all.dedup();
        let decimals = match decimals {
            Some(decimals) => {
                check_decimals(low, high, decimals)?;
                let unwritten = |spike: &f64| !is_written(*spike, decimals);
                let empty = bin_multiples(&all, high, decimals).iter().any(|&(_, count)| count == 0);
                if empty || outer.iter().any(unwritten) {
                    return Err(too_few_decimals());
                }
                Some(decimals)
            }
            None => choose_decimals((low, high), starts.len(), &all, &outer),
        };
        Ok(Self::with(low, high, starts, all, spikes, decimals))
    }

    /// The same range with a bin for each number that can be written, or at most `most` bins.
    pub(crate) fn on_grid(self, most: u32) -> Result<Self, Mistake> {
        let Self { low, high, spikes, decimals, .. } = self;
        let Some(places) = decimals else {
            return Self::even(low, high, most.min(UNWRITTEN_BINS), spikes, None);
        };
        let (first, count) = multiples(low, high, places);
        let most = most.saturating_sub(2 * spikes.len() as u32);
        let number = |multiple: i64| multiple as f64 / POWERS[usize::from(places)];
        let mut starts: Vec<i64> =
            starts(u128::from(count), -i128::from(first), most).into_iter().map(|unit| first + unit as i64).collect();
        // A spike is a bin of its own on the grid too.
        let inner = spikes.iter().filter(|spike| (low..=high).contains(*spike));
        let spike = |spike: &f64| (spike * POWERS[usize::from(places)]).round() as i64;
        starts.extend(inner.map(spike).flat_map(|spike| [spike, spike + 1]));
        starts.retain(|start| (first..first + count as i64).contains(start));
        starts.sort_unstable();
        starts.dedup();
        let starts: Vec<f64> = std::iter::once(low).chain(starts.into_iter().skip(1).map(number)).collect();
        Ok(Self::with(low, high, starts.clone(), starts, spikes, decimals))
    }

    /// From bin starts without spikes, and with them.
    fn with(low: f64, high: f64, starts: Vec<f64>, all: Vec<f64>, spikes: Vec<f64>, decimals: Option<u8>) -> Self {
        let multiples = decimals.map(|decimals| bin_multiples(&all, high, decimals)).unwrap_or_default();
        let count = buckets_for(all.len());
        let scale = count as f64 / (high - low);
        let scale = if scale.is_finite() { scale } else { 0.0 };
        let buckets = Buckets::new(&all, count, |start: f64| bucket(start, low, scale).min(count - 1));
        let table = Cached(BinLookup { starts: all, scale, buckets, multiples });
        let outer = Outer::of(&spikes, low, high);
        Self { low, high, starts, spikes, outer, decimals, table }
    }

    /// The smallest and the largest number that a cell may have, spikes outside of the range among
    /// them.
    pub fn ends(&self) -> (f64, f64) {
        self.outer.ends(self.low, self.high)
    }

    /// How many spikes lie outside of the range, and how many of these below it.
    pub fn outer(&self) -> (u32, u32) {
        (self.outer.len(), self.outer.below())
    }

    /// Spikes outside of the range.
    pub(crate) fn outer_values(&self) -> impl Iterator<Item = f64> {
        self.outer.values()
    }

    /// The smallest number of the range.
    pub fn low(&self) -> f64 {
        self.low
    }

    /// The largest number of the range.
    pub fn high(&self) -> f64 {
        self.high
    }

    /// Numbers that have a bin of their own.
    pub fn spikes(&self) -> &[f64] {
        &self.spikes
    }

    /// Decimals that are written; `None` when numbers are written in full.
    pub fn decimals(&self) -> Option<u8> {
        self.decimals
    }

    /// The number of bins, spikes included.
    pub fn len(&self) -> u32 {
        self.inner_len() + self.outer.len()
    }

    #[inline]
    fn inner_len(&self) -> u32 {
        self.table.0.starts.len() as u32
    }

    /// An axis has at least one bin.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// The smallest and the largest number of a bin.
    pub fn bounds(&self, bin: u32) -> (f64, f64) {
        let starts = &self.table.0.starts;
        let at = match self.outer.meaning(bin, self.inner_len()) {
            Ok(bin) => bin as usize,
            Err(spike) => return (spike, spike),
        };
        (starts[at], starts.get(at + 1).map_or(self.high, |next| next.next_down()))
    }

    /// The smallest and the largest number that is written for a bin, where decimals are.
    pub(crate) fn written(&self, bin: u32) -> Option<(f64, f64)> {
        let unit = POWERS[usize::from(self.decimals?)];
        let bin = match self.outer.meaning(bin, self.inner_len()) {
            Ok(bin) => bin,
            Err(spike) => return Some((spike, spike)),
        };
        let (first, count) = *self.table.0.multiples.get(bin as usize)?;
        Some((first as f64 / unit, (first + count as i64 - 1) as f64 / unit))
    }

    /// The starts of the bins, spikes left aside.
    pub(crate) fn starts(&self) -> &[f64] {
        &self.starts
    }

    /// Whether the number lies in the range.
    #[inline]
    pub fn contains(&self, value: f64) -> bool {
        self.low <= value && value <= self.high || self.outer.code(value, 0).is_some()
    }

    /// The bin of a number (not a NaN), which is clamped into the range first.
    #[inline]
    pub fn bin(&self, value: f64) -> u32 {
        if let Some(code) = self.outer.code(value, self.inner_len()) {
            return code;
        }
        self.outer.below() + self.inner_bin(value)
    }

    #[inline]
    fn inner_bin(&self, value: f64) -> u32 {
        let table = &self.table.0;
        let value = value.clamp(self.low, self.high);
        table.buckets.find(&table.starts, bucket(value, self.low, table.scale), value)
    }

    /// A number inside the bin, uniform over what can be written when the bits are uniform.
    pub fn value(&self, bin: u32, bits: u64) -> f64 {
        let inner = match self.outer.meaning(bin, self.inner_len()) {
            Ok(inner) => inner,
            Err(spike) => return spike,
        };
        match self.decimals {
            Some(decimals) => {
                let (first, count) = self.table.0.multiples[inner as usize];
                (first + pick(bits, count) as i64) as f64 / POWERS[usize::from(decimals)]
            }
            None => {
                let (first, last) = self.bounds(bin);
                let share = (bits >> 11) as f64 / (1u64 << 53) as f64;
                (first + (last - first) * share).clamp(first, last)
            }
        }
    }

    /// Appends the number as the column writes it.
    pub(crate) fn write(&self, value: f64, mark: u8, out: &mut Vec<u8>) {
        match self.decimals {
            Some(decimals) => write_fixed(value, decimals, mark, out),
            None => write_plain(value, mark, out),
        }
    }
}

#[inline]
fn bucket(value: f64, low: f64, scale: f64) -> usize {
    ((value - low) * scale) as usize
}

fn check_decimals(low: f64, high: f64, decimals: u8) -> Result<(), Mistake> {
    let wide = decimals > MOST_DECIMALS || !fits(low, high, decimals);
    refuse_if(wide, "the range is too wide for that many decimals", "use fewer `decimals` or a narrower `range`")
}

fn too_few_decimals() -> Mistake {
    Mistake::new("some bins or spikes hold no number with that few decimals", "use more `decimals`, or wider bins")
}

fn fits(low: f64, high: f64, decimals: u8) -> bool {
    low.abs().max(high.abs()) * POWERS[usize::from(decimals)] <= LARGEST_MULTIPLE
}

/// About a thousand steps in a bin of average width, at least a few in the narrowest one, and every
/// spike exactly.
fn choose_decimals((low, high): (f64, f64), bins: usize, starts: &[f64], outer: &[f64]) -> Option<u8> {
    let width = (high - low) / bins as f64;
    let mut decimals = 0;
    while decimals < MOST_DECIMALS && width * POWERS[usize::from(decimals)] < 1000.0 {
        decimals += 1;
    }
    let enough = |decimals: u8| {
        fits(low, high, decimals)
            && outer.iter().all(|&spike| is_written(spike, decimals))
            && bin_multiples(starts, high, decimals).iter().enumerate().all(|(bin, &(_, count))| {
                let last = starts.get(bin + 1).map_or(high, |next| next.next_down());
                count >= if starts[bin] == last { 1 } else { 8 }
            })
    };
    (decimals..=MOST_DECIMALS).find(|&decimals| enough(decimals))
}

/// Whether a number can be written with that many decimals.
fn is_written(value: f64, decimals: u8) -> bool {
    let unit = POWERS[usize::from(decimals)];
    fits(value, value, decimals) && (value * unit).round() / unit == value
}

fn bin_multiples(starts: &[f64], high: f64, decimals: u8) -> Vec<(i64, u64)> {
    let last = |bin: usize| starts.get(bin + 1).map_or(high, |next| next.next_down());
    starts.iter().enumerate().map(|(bin, &first)| multiples(first, last(bin), decimals)).collect()
}

/// The first integer m for which `m / 10^decimals` is in the closed interval, and how many follow
/// it.
fn multiples(low: f64, high: f64, decimals: u8) -> (i64, u64) {
    let unit = POWERS[usize::from(decimals)];
    let mut first = (low * unit).ceil() as i64;
    // The product is rounded, so the bound is corrected by what the division gives back.
    while first as f64 / unit < low {
        first += 1;
    }
    while (first - 1) as f64 / unit >= low {
        first -= 1;
    }
    let mut last = (high * unit).floor() as i64;
    while last as f64 / unit > high {
        last -= 1;
    }
    while (last + 1) as f64 / unit <= high {
        last += 1;
    }
    (first, (last - first + 1).max(0) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codec::scan::plain;

    fn slow_bin(axis: &NumberAxis, value: f64) -> u32 {
        let value = value.clamp(axis.low, axis.high);
        (0..axis.len()).rev().find(|&bin| axis.bounds(bin).0 <= value).unwrap()
    }

    #[test]
    fn spikes_outside_of_the_range_have_codes_of_their_own() {
        let spikes = vec![-1.0, 0.0, 9.5];
        for axis in [
            NumberAxis::even(0.0, 2.0, 2, spikes.clone(), Some(1)).unwrap(),
            NumberAxis::even(0.0, 2.0, 2, spikes.clone(), None).unwrap(),
            NumberAxis::even(0.0, 2.0, 2, spikes, Some(1)).unwrap().on_grid(40).unwrap(),
        ] {
            let last = axis.len() - 1;
            assert_eq!((axis.bounds(0), axis.bounds(1).0, axis.bounds(last)), ((-1.0, -1.0), 0.0, (9.5, 9.5)));
            assert_eq!(axis.bounds(last - 1).1, 2.0);
            assert_eq!(
                [-1.0, -0.9, 0.0, 2.1, 9.4, 9.5].map(|value| axis.bin(value)),
                [0, 1, 1, last - 1, last - 1, last]
            );
            assert_eq!(
                (axis.value(0, 7), axis.value(last, u64::MAX), axis.written(last)),
                (-1.0, 9.5, Some((9.5, 9.5)))
            );
            assert_eq!([9.5, 9.4].map(|value| axis.contains(value)), [true, false]);
        }
        assert!(NumberAxis::even(0.0, 2.0, 2, vec![9.25], Some(1)).is_err(), "a spike that cannot be written");
        assert_eq!(NumberAxis::even(0.0, 1e6, 32, vec![-0.25], None).unwrap().decimals(), Some(2));
    }

    #[test]
    fn decimals_follow_the_width_of_the_bins() {
        assert_eq!(NumberAxis::even(0.0, 32.0, 32, vec![], None).unwrap().decimals(), Some(3));
        assert_eq!(NumberAxis::even(0.0, 1e6, 32, vec![], None).unwrap().decimals(), Some(0));
        assert_eq!(NumberAxis::even(0.0, 1.0, 32, vec![], None).unwrap().decimals(), Some(5));
        assert_eq!(
            NumberAxis::even(0.0, 1e6, 32, vec![0.25], None).unwrap().decimals(),
            Some(2),
            "a spike is written exactly"
        );
        assert_eq!(NumberAxis::even(0.0, 1e300, 32, vec![], None).unwrap().decimals(), None);
        assert_eq!(NumberAxis::even(0.0, 1e-30, 32, vec![], None).unwrap().decimals(), None);
    }

    #[test]
    fn few_numbers_get_a_bin_each() {
        let axis = NumberAxis::even(0.0, 5.0, 32, vec![], Some(0)).unwrap();
        assert_eq!(axis.len(), 6);
        assert_eq!((axis.value(5, 7), axis.bin(4.9)), (5.0, 4));
        assert!(NumberAxis::even(0.2, 0.8, 4, vec![], Some(0)).is_err());
        assert!(NumberAxis::even(0.0, 1e15, 4, vec![], Some(3)).is_err());
    }

    #[test]
    fn multiples_are_exact_beside_every_edge() {
        for decimals in 0..=6u8 {
            for m in 1..2000i64 {
                let edge = m as f64 / POWERS[usize::from(decimals)];
                let above = (m + 5) as f64 / POWERS[usize::from(decimals)];
                assert_eq!(multiples(edge, above, decimals), (m, 6), "{m} {decimals}");
                assert_eq!(multiples(edge.next_up(), above, decimals), (m + 1, 5), "{m} {decimals}");
                assert_eq!(multiples(edge.next_down(), above.next_down(), decimals), (m, 5), "{m} {decimals}");
            }
        }
    }

    #[test]
    fn a_spike_holds_one_number() {
        let axis = NumberAxis::listed(0.0, 10.0, vec![0.0, 5.0], vec![0.0, 10.0], Some(1)).unwrap();
        assert_eq!(axis.len(), 4);
        assert_eq!(axis.bin(0.0), 0);
        assert_eq!(axis.bin(-0.0), 0);
        assert_eq!(axis.bin(1e-300), 1);
        assert_eq!(axis.bin(9.999), 2);
        assert_eq!(axis.bin(f64::INFINITY), 3);
        assert_eq!(axis.value(1, 0), 0.1);
    }

    #[test]
    fn numbers_are_written_in_their_decimals() {
        let axis = NumberAxis::even(-10.0, 10.0, 4, vec![], Some(2)).unwrap();
        let text = |value: f64, mark: u8| {
            let mut out = Vec::new();
            axis.write(value, mark, &mut out);
            String::from_utf8(out).unwrap()
        };
        assert_eq!(text(-0.05, b'.'), "-0.05");
        assert_eq!(text(3.5, b','), "3,50");
        assert_eq!(text(-0.0, b'.'), "0.00");
        assert_eq!(plain(1e300), "1e300");
        assert_eq!(plain(0.1), "0.1");
    }

    proptest::proptest! {
        #[test]
        fn every_written_number_reads_back_to_its_bin(
            low in -1e6f64..1e6, width in 1e-6f64..1e7, bins in 1u32..300, decimals in proptest::option::of(0u8..8),
            share in 0.0f64..1.0, with_spike: bool, bits: u64,
        ) {
            let high = low + width;
            let spikes = if with_spike { vec![(low + share * width).clamp(low, high)] } else { vec![] };
            let Ok(axis) = NumberAxis::even(low, high, bins, spikes, decimals) else { return Ok(()) };
            for bin in 0..axis.len() {
                let (first, last) = axis.bounds(bin);
                proptest::prop_assert_eq!((axis.bin(first), axis.bin(last)), (bin, bin));
                let value = axis.value(bin, bits);
                proptest::prop_assert_eq!(axis.bin(value), bin);
                let mut out = Vec::new();
                axis.write(value, b'.', &mut out);
                proptest::prop_assert_eq!(super::super::scan::number(&out, b'.'), Some(value));
            }
            for i in 0..50 {
                let value = low + width * f64::from(i) / 50.0;
                proptest::prop_assert_eq!(axis.bin(value), slow_bin(&axis, value));
            }
        }
    }
}
