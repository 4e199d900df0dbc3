//! The range of a column of numbers, from two slots.
//!
//! The first slot counts powers of two. Those that stand out give a range whose ends are powers of
//! two, too wide by a factor of two or more. The second slot looks at its ends again: in finer
//! cells, and at what lies beyond. An end moves inwards only where the two answers together say
//! that next to nobody is left out, and outwards only where they say that somebody is there.

use std::cmp::Ordering;

use lookalike_schema::CellReader;
use lookalike_schema::discover::{EdgeGrid, MAGNITUDES, Magnitude, NumberText};

use crate::found::Beyond;
use crate::prices::FactNoise;
use crate::stands_out::{FALSE_ALARM, HIDDEN, NEXT_MAGNITUDES, hidden, run};

/// Where nothing stands out: fixed and public.
pub(crate) const NUMBERS: (f64, f64) = (0.0, 100.0);
/// A range that begins this close to 0, as a part of its other end, begins at 0.
const NEAR_ZERO: f64 = 0.125;
/// The largest number that a schema takes.
const LARGEST: f64 = 1e15;
/// An edge beyond all numbers of a schema.
const FAR: f64 = 2e15;
/// Where a power of two may be cut, as parts of the one before: the first parts are narrow, since a
/// tail falls, and each part behind them is one cell, since sums of cells have more noise.
const TAIL_CUTS: [f64; 4] = [1.125, 1.25, 1.5, 1.75];
/// Cells of a power of two at the end near 0.
const NEAR_CELLS: usize = 4;
/// The most and the fewest cells of a range that is narrow for its magnitude.
const NARROW_CELLS: (usize, usize) = (64, 16);
/// A range is narrow for its magnitude up to this factor between its ends: 1900 to 2020.
const NARROW: f64 = 4.0;
/// What is cut off at an end holds at most this part of the rows, with one deviation of the noise.
const LEFT_OUT: f64 = 0.0075;
/// Nor more than this part of the power of two that is cut.
const PART_OF_CELL: f64 = 0.5;
/// What is cut off at both ends of a narrow range, in the same way: where that leaves more than
/// half of it, and where it leaves less, of which a column of years has more to gain.
const BOTH_LEFT_OUT: f64 = 0.0125;
const MORE_LEFT_OUT: f64 = 0.04;
/// A single cell that stands out behind this many or more that do not is looked at once more: the
/// noise brings up one in a thousand columns, and it may be any number.
const GAP: usize = 1;
/// It belongs to the range where the second look sees this part of what the first saw.
const SEEN_AGAIN: f64 = 0.5;
/// The other side of 0 is looked at in this many powers of two, from the largest of this side on.
const OTHER_SIDE: usize = 6;
/// It belongs to the range where all of them together are this many deviations; of whole numbers,
/// most of which are counts of something, as many more.
const OTHER_SIDE_LEVEL: [f64; 2] = [2.0, 3.5];
/// Bounds of a name that allow at most this many numbers are taken as a whole: those of the
/// calendar and the clock.
const FEW: f64 = 60.0;
/// Powers of two beyond the range that are looked at once more.
const BEYOND: usize = 2;
/// They belong to the range from this many deviations on, and with this part of the rows.
const BEYOND_LEVEL: f64 = 4.0;
const BEYOND_PART: f64 = 0.005;

/// 0 is a spike from this many deviations on, and with this part of the rows, of whole numbers and
/// of others, of which hardly any is 0 by chance.
const SPIKE_LEVEL: f64 = 6.0;
const SPIKE_PART: (f64, f64) = (0.05, 0.02);
/// Of whole numbers it has this many times the rows of 1, and the range this many numbers that not
/// each has a code.
const SPIKE_RATIO: f64 = 3.0;
const MANY_VALUES: f64 = 128.0;

/// A noisy sum of rows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Estimate {
    pub rows: f64,
    pub variance: f64,
}

impl Estimate {
    pub fn of(counts: &[i64], noise: &FactNoise) -> Self {
        let rows = counts.iter().map(|&count| count as f64).sum();
        Self { rows, variance: noise.deviation.powi(2) * counts.len() as f64 }
    }

    pub fn less(self, other: Self) -> Self {
        Self { rows: self.rows - other.rows, variance: self.variance + other.variance }
    }

    /// Two independent estimates of the same, each by what it is worth.
    pub fn and(self, other: Self) -> Self {
        if self.variance <= 0.0 || other.variance <= 0.0 {
            return if self.variance <= 0.0 { self } else { other };
        }
        let (a, b) = (1.0 / self.variance, 1.0 / other.variance);
        Self { rows: (self.rows * a + other.rows * b) / (a + b), variance: 1.0 / (a + b) }
    }

    /// The most rows that one deviation of the noise allows.
    fn most(self) -> f64 {
        self.rows.max(0.0) + self.variance.sqrt()
    }
}

/// One end of a range: the cells of the second slot beside each other, from the inside outwards.
#[derive(Clone, Debug)]
struct End {
    /// The cells of the power of two at the end.
    inner: Vec<usize>,
    /// The cells beyond it.
    beyond: Vec<usize>,
    /// The same powers of two in the first slot.
    seen: Estimate,
    seen_beyond: Vec<i64>,
    /// Whether the power of two stands alone: then `inner` is the gap before it and itself.
    is_far: bool,
}

/// How the ends are found from the second slot.
#[derive(Clone, Debug)]
enum Look {
    /// All cells in between are told apart: those from the first number to the second.
    Narrow { base: (usize, usize), seen: Estimate },
    /// The two ends apart; `None` where an end is known.
    Wide { low: Option<End>, high: Option<End> },
}

/// What the second slot counts, and what goes with its answer.
#[derive(Clone, Debug)]
pub(crate) struct NumberLook {
    edges: Vec<f64>,
    look: Look,
    /// The places of the edges that a range may end at: what is beyond them is counted and told.
    ends: (usize, usize),
    /// The range that stands out in the first slot, and whether numbers are whole.
    stands_out: (f64, f64),
    is_whole: bool,
    /// The noise of the first slot, and about how many rows it saw.
    noise: FactNoise,
    rows: f64,
    /// Whether far more cells are 0 than have any number beside it.
    has_spike: bool,
}

/// A range of powers of two, as places of the first slot.
pub(crate) struct Run<'a> {
    pub first: usize,
    pub last: usize,
    pub counts: &'a [i64],
    /// How many places beside 0 are not among them.
    pub left_out: usize,
}

/// The places that a column can have cells in, and how many are left out at each side of 0: whole
/// numbers have none between 0 and 1.
pub(crate) fn possible(counts: &[i64], whole: bool) -> (Vec<i64>, usize) {
    let zero = Magnitude::of(0.0).0 as usize;
    let left_out = if whole { Magnitude::of(1.0).0 as usize - zero - 1 } else { 0 };
    let is_left_out = |place: usize| place != zero && place.abs_diff(zero) <= left_out;
    let some = counts.iter().enumerate().filter(|(place, _)| !is_left_out(*place));
    (some.map(|(_, &count)| count).collect(), left_out)
}

impl Run<'_> {
    pub fn zero(&self) -> usize {
        self.counts.len() / 2
    }

    /// The place among all that the first slot has.
    pub fn place(&self, place: usize) -> usize {
        let (zero, middle) = (self.zero(), Magnitude::of(0.0).0 as usize);
        match place.cmp(&zero) {
            Ordering::Less => (middle + place).saturating_sub(self.left_out + zero),
            Ordering::Equal => middle,
            Ordering::Greater => middle + self.left_out + place - zero,
        }
    }

    pub fn bounds(&self, place: usize) -> (f64, f64) {
        let (from, to) = Magnitude((self.place(place) as u32).min(MAGNITUDES - 1)).bounds();
        (from.clamp(-LARGEST, LARGEST), to.clamp(-LARGEST, LARGEST))
    }

    /// The power of two before the gap that parts the outermost one from all others; `None` where
    /// there is no gap.
    fn before_gap(&self, up: bool, noise: &FactNoise) -> Option<usize> {
        let level = noise.level(FALSE_ALARM / self.counts.len() as f64);
        let mut inside = self.first + usize::from(!up)..self.last + usize::from(!up);
        let passes = |place: &usize| self.counts[*place] as f64 > level;
        let (before, outermost) = match up {
            true => (inside.rfind(passes)?, self.last),
            false => (inside.find(passes)?, self.first),
        };
        (passes(&outermost) && before.abs_diff(outermost) > GAP).then_some(before)
    }

    /// The places that stand out, with the next ones at each side that may hold more than next to
    /// nobody. One behind a gap may be noise itself, so nothing goes with it, and the other side of
    /// 0 has to stand out as a whole.
    fn widened(&self, noise: &FactNoise) -> (usize, usize) {
        let rows = Estimate::of(&self.counts[self.first..=self.last], noise).rows.max(0.0);
        let (zero, mut first, mut last) = (self.zero(), self.first, self.last);
        if self.before_gap(false, noise).is_none() && first != zero {
            first -= hidden(self.counts[..first].iter().rev().copied(), rows, noise);
        }
        if self.before_gap(true, noise).is_none() && (last != zero || first == last) {
            last += hidden(self.counts[last + 1..].iter().copied(), rows, noise);
        }
        let (below, above) = (zero.saturating_sub(first), last.saturating_sub(zero));
        if below == 0 && above > 0 {
            let mirrored = self.other_side(self.counts[..zero].iter().rev(), above, rows, noise);
            first = mirrored.map_or(first, |place| zero - place);
        } else if above == 0 && below > 0 {
            let mirrored = self.other_side(self.counts[zero + 1..].iter(), below, rows, noise);
            last = mirrored.map_or(last, |place| zero + place);
        }
        (first, last)
    }

    /// How far the other side of 0 goes, where this one goes `far`: numbers around a mean near 0
    /// have a few of the other sign, each power of two too few to stand out.
    fn other_side<'c>(
        &self,
        outwards: impl Iterator<Item = &'c i64>,
        far: usize,
        rows: f64,
        noise: &FactNoise,
    ) -> Option<usize> {
        let nearest = far.saturating_sub(OTHER_SIDE);
        let cells: Vec<i64> = outwards.take(far).skip(nearest).copied().collect();
        let all = Estimate::of(&cells, noise);
        let level = OTHER_SIDE_LEVEL[usize::from(self.left_out > 0)];
        if all.rows <= (level * all.variance.sqrt()).max(HIDDEN * rows) {
            return None;
        }
        let outermost = cells.iter().rposition(|&count| count as f64 > noise.deviation);
        outermost.map(|place| nearest + place + 1)
    }

    /// The counts of the places beyond an end, outwards.
    fn beyond(&self, up: bool) -> Vec<i64> {
        match up {
            true => self.counts[self.last + 1..].iter().take(BEYOND).copied().collect(),
            false => self.counts[..self.first].iter().rev().take(BEYOND).copied().collect(),
        }
    }
}

impl NumberLook {
    /// Finer cells at both ends of what stands out in the first slot.
    pub fn new(counts: &[i64], whole: bool, noise: &FactNoise, second: &FactNoise) -> Self {
        let (counts, left_out) = possible(counts, whole);
        let counts = counts.as_slice();
        let Some((first, last)) = run(counts, NEXT_MAGNITUDES, noise) else {
            let (edges, look) = (vec![NUMBERS.0, NUMBERS.1], Look::Wide { low: None, high: None });
            return Self {
                edges,
                look,
                ends: (0, 1),
                stands_out: NUMBERS,
                is_whole: whole,
                noise: *noise,
                rows: 0.0,
                has_spike: false,
            };
        };
        let (first, last) = Run { first, last, counts, left_out }.widened(noise);
        let run = Run { first, last, counts, left_out };
        let (mut low, mut high) = (run.bounds(first), run.bounds(last));
        // What lies beyond the largest number altogether is one number to a schema, so the range
        // begins or ends at 0.
        if low.0 >= LARGEST || (low.0 > 0.0 && low.0 < NEAR_ZERO * high.1) {
            low = (0.0, 0.0);
        }
        if high.1 <= -LARGEST || (high.1 < 0.0 && high.1 > NEAR_ZERO * low.0) {
            high = (0.0, 0.0);
        }
        let seen = Estimate::of(&counts[first..=last], noise);
        let is_narrow = (low.0 > 0.0 && high.1 <= NARROW * low.0) || (high.1 < 0.0 && low.0 >= NARROW * high.1);
        let (edges, look) = match is_narrow {
            true => narrow((low.0, high.1), whole, seen, second),
            false => wide(&run, (low, high), whole, noise),
        };
        let is_inside = |edge: &f64| edge.abs() <= LARGEST;
        let ends = match &look {
            Look::Narrow { .. } => (0, edges.len() - 1),
            Look::Wide { .. } => (
                edges.iter().position(is_inside).unwrap_or_default(),
                edges.iter().rposition(is_inside).unwrap_or(edges.len() - 1),
            ),
        };
        Self {
            edges,
            look,
            ends,
            stands_out: (low.0, high.1),
            is_whole: whole,
            noise: *noise,
            rows: seen.rows.max(0.0),
            has_spike: has_spike(&run, seen.rows, high.1.max(-low.0), noise),
        }
    }

    /// The edges of the cells that the second slot has for it.
    pub fn edges(&self) -> &[f64] {
        &self.edges
    }

    /// Whether nothing stands out, so that the range is a fixed one.
    pub fn stands_out_nowhere(&self) -> bool {
        self.rows <= 0.0
    }

    /// Whether 0 is a spike.
    pub fn has_spike(&self) -> bool {
        self.has_spike
    }

    /// Whether numbers stand out that are all between 0 and the first number, some of them from the
    /// second on.
    pub fn is_within(&self, (high, some): (f64, f64)) -> bool {
        let (low, top) = self.first_range();
        self.rows > 0.0 && low >= 0.0 && top <= high && top > some
    }

    /// The range that the first slot says.
    pub fn first_range(&self) -> (f64, f64) {
        self.stands_out
    }

    /// What is beyond a range of which the second slot says nothing.
    pub fn unsure(&self) -> Beyond {
        Beyond { is_fixed: self.rows <= 0.0, ..Beyond::default() }
    }

    /// What is beyond a range, by the answer to the second slot.
    pub fn beyond(&self, (low, high): (f64, f64), counts: &[i64], noise: &FactNoise) -> Beyond {
        if self.rows <= 0.0 || counts.len() + 1 != self.edges.len() {
            return self.unsure();
        }
        let edge = |value: f64| self.edges.partition_point(|&edge| edge < value);
        Beyond::of(counts, (edge(low), edge(high).max(edge(low))), noise, false)
    }

    /// The range with bounds that are public by the column's name, where next to nothing stands out
    /// beyond these: its part of them, or all of a few numbers such as months of which it has half.
    pub fn by_name(
        &self,
        (low, high): (f64, f64),
        public: Option<(i64, i64)>,
        counts: &[i64],
        noise: &FactNoise,
    ) -> (f64, f64) {
        let Some((from, to)) = public.filter(|_| self.rows > 0.0) else { return (low, high) };
        // An edge ends a cell of whole numbers before it.
        let (from, to) = (from as f64, to as f64 + f64::from(u8::from(self.is_whole)));
        let beyond: Vec<i64> = (self.edges.windows(2).zip(counts))
            .filter(|(edge, _)| edge[1] <= from || edge[0] >= to)
            .map(|(_, &count)| count)
            .collect();
        let outside = Estimate::of(&beyond, noise);
        let (inner_low, inner_high) = (low.max(from), high.min(to));
        if inner_low >= inner_high || outside.rows > BEYOND_LEVEL * outside.variance.sqrt() {
            return (low, high);
        }
        let is_whole = to - from <= FEW && inner_high - inner_low >= 0.5 * (to - from);
        if is_whole { (from, to) } else { (inner_low, inner_high) }
    }

    /// What the second slot counts.
    pub fn reader(&self, text: NumberText) -> CellReader {
        match EdgeGrid::new(self.edges.clone()) {
            Some(grid) => CellReader::Edges(text, grid),
            None => CellReader::Magnitudes(text),
        }
    }

    /// The range, by the answer to the second slot.
    pub fn range(&self, counts: &[i64], noise: &FactNoise) -> (f64, f64) {
        let last = self.edges.len() - 1;
        if counts.len() != last {
            return NUMBERS;
        }
        let (from, to) = match &self.look {
            Look::Narrow { base, seen } => self.narrowed(*base, *seen, counts, noise),
            Look::Wide { low, high } => {
                // Cells behind the place of an end are inside for the low one and outside for the
                // high one.
                let low = low.as_ref().and_then(|end| self.cut(end, counts, noise));
                let high = high.as_ref().and_then(|end| self.cut(end, counts, noise));
                (low.unwrap_or(self.ends.0), high.map_or(self.ends.1, |cell| cell + 1))
            }
        };
        let (from, to) = if from < to { (from, to) } else { self.ends };
        (self.edges[from], self.edges[to])
    }

    /// The last cell of an end that is kept; `None` where there is none.
    fn cut(&self, end: &End, counts: &[i64], noise: &FactNoise) -> Option<usize> {
        let at = |cells: &[usize]| cells.iter().map(|&cell| counts[cell]).collect::<Vec<i64>>();
        if let ([gap, far], true) = (end.inner.as_slice(), end.is_far) {
            let is_real = counts[*far] as f64 > SEEN_AGAIN * end.seen.rows;
            let inwards = if far > gap { gap.checked_sub(1) } else { Some(gap + 1) };
            return if is_real { Some(*far) } else { inwards };
        }
        let powers = end.beyond.len().min(end.seen_beyond.len());
        for kept in (0..powers).rev() {
            // What the cells from this one outwards hold.
            let again = Estimate::of(&at(&end.beyond[kept..powers]), noise);
            let both = Estimate::of(&end.seen_beyond[kept..powers], &self.noise).and(again);
            if both.rows > (BEYOND_LEVEL * both.variance.sqrt()).max(BEYOND_PART * self.rows) {
                return Some(end.beyond[kept]);
            }
        }
        let allowed = (LEFT_OUT * self.rows).min(PART_OF_CELL * end.seen.rows);
        let is_enough = |kept: usize| {
            let (inside, outside) = end.inner.split_at(kept);
            let left = Estimate::of(&at(outside), noise);
            kept == end.inner.len() || left.and(end.seen.less(Estimate::of(&at(inside), noise))).most() <= allowed
        };
        let kept = (1..=end.inner.len()).find(|&kept| is_enough(kept))?;
        Some(end.inner[kept - 1])
    }

    /// The smallest run of cells that holds all that stand out, and more at the side where more
    /// rows are left out as long as too many are. A run that is short for what the first slot
    /// allows gets a cell more at each side instead.
    fn narrowed(&self, base: (usize, usize), seen: Estimate, counts: &[i64], noise: &FactNoise) -> (usize, usize) {
        let level = noise.level(FALSE_ALARM / counts.len() as f64);
        let passes = |cell: &usize| counts[*cell] as f64 > level;
        let (Some(first), Some(last)) = ((base.0..base.1).find(passes), (base.0..base.1).rfind(passes)) else {
            return base;
        };
        let (mut from, mut to) = (first, last + 1);
        while (from, to) != base {
            let (below, above) = (&counts[base.0..from], &counts[to..base.1]);
            let (below, above) = (Estimate::of(below, noise), Estimate::of(above, noise));
            let outside = Estimate { rows: below.rows + above.rows, variance: below.variance + above.variance };
            let outside = outside.and(seen.less(Estimate::of(&counts[from..to], noise)));
            let is_short = 2 * (to - from) < base.1 - base.0;
            if outside.most() <= BOTH_LEFT_OUT * self.rows {
                break;
            }
            if is_short && outside.most() <= MORE_LEFT_OUT * self.rows {
                return ((from.max(base.0 + 1) - 1), (to + 1).min(base.1));
            }
            let share = |side: Estimate| side.rows / side.variance.sqrt().max(1.0);
            let goes_down = to == base.1 || (from > base.0 && share(below) > share(above));
            if goes_down { from -= 1 } else { to += 1 }
        }
        (from, to)
    }
}

/// Whether 0 has a count of its own: far more than the numbers beside it. Nothing but 0 is at its
/// place of the first slot. Where there are few whole numbers, each has a code anyway.
fn has_spike(run: &Run<'_>, rows: f64, largest: f64, noise: &FactNoise) -> bool {
    let (zero, is_whole) = (run.zero(), run.left_out > 0);
    let count = run.counts[zero] as f64;
    let part = if is_whole { SPIKE_PART.0 } else { SPIKE_PART.1 };
    let beside =
        |place: Option<usize>| place.and_then(|place| run.counts.get(place)).map_or(0.0, |&count| count as f64);
    let neighbours = beside(zero.checked_sub(1)).max(beside(Some(zero + 1)));
    let stands_out = !is_whole || largest >= MANY_VALUES && count > SPIKE_RATIO * neighbours;
    count > SPIKE_LEVEL * noise.deviation && count > part * rows && stands_out
}

/// Cells of the same width all over a range.
fn narrow((low, high): (f64, f64), whole: bool, seen: Estimate, second: &FactNoise) -> (Vec<f64>, Look) {
    // As many as a fourth of their share of the rows stands out of the noise.
    let most = (seen.rows.max(0.0) / (4.0 * second.deviation)) as usize;
    let cells = most.clamp(NARROW_CELLS.1, NARROW_CELLS.0).next_power_of_two();
    let width = (high - low) / cells as f64;
    let (low, width) = if whole { (low.floor(), width.ceil().max(1.0)) } else { (low, width) };
    let cells = ((high - low) / width).ceil().max(1.0) as usize;
    let edges: Vec<f64> = (0..=cells).map(|cell| low + width * cell as f64).collect();
    (edges, Look::Narrow { base: (0, cells), seen })
}

/// Cells at the two ends, what is beyond them, and one cell in between.
fn wide(run: &Run<'_>, (low, high): ((f64, f64), (f64, f64)), whole: bool, noise: &FactNoise) -> (Vec<f64>, Look) {
    let rounded = |edges: Vec<f64>, up: bool| match (whole, up) {
        (false, _) => edges,
        (true, true) => edges.into_iter().map(f64::ceil).collect(),
        (true, false) => edges.into_iter().map(f64::floor).collect(),
    };
    let tail = |from: f64| TAIL_CUTS.iter().map(move |cut| from * cut);
    let beyond = |end: f64| (1..=BEYOND as i32).map(move |power| end * f64::from(power).exp2());
    // Edges from the inside outwards: those of the power of two, then those beyond it.
    let (mut below, mut above) = ((Vec::new(), Vec::new()), (Vec::new(), Vec::new()));
    let gaps = [false, true].map(|up| run.before_gap(up, noise));
    // Far cells are whole ones, as the edges of an end that is not refined.
    let far = |up: bool, (near, end): (f64, f64)| {
        let before = run.bounds(gaps[usize::from(up)]?);
        Some(vec![if up { before.1 } else { before.0 }, near, end])
    };
    let (far_above, far_below) =
        (far(true, high).filter(|_| high.0 > 0.0), far(false, (low.1, low.0)).filter(|_| low.1 < 0.0));
    let is_far = [far_below.is_some(), far_above.is_some()];
    if let Some(edges) = far_above {
        above.0 = edges;
    } else if high.0 > 0.0 {
        above = (std::iter::once(high.0).chain(tail(high.0)).chain([high.1]).collect(), beyond(high.1).collect());
    } else if high.1 < 0.0 {
        let width = (high.1 - high.0) / NEAR_CELLS as f64;
        above.0 = (0..=NEAR_CELLS).map(|cell| high.0 + width * cell as f64).collect();
    }
    if let Some(edges) = far_below {
        below.0 = edges;
    } else if low.1 < 0.0 {
        below = (std::iter::once(low.1).chain(tail(low.1)).chain([low.0]).collect(), beyond(low.0).collect());
    } else if low.0 > 0.0 {
        let width = (low.1 - low.0) / NEAR_CELLS as f64;
        below.0 = (0..=NEAR_CELLS).map(|cell| low.1 - width * cell as f64).collect();
    }
    let known = |edges: Vec<f64>, end: f64| if edges.is_empty() { vec![end] } else { edges };
    let within = |edge: &f64| edge.abs() <= LARGEST;
    let keep = |edges: Vec<f64>, up: bool| rounded(edges, up).into_iter().filter(within).collect::<Vec<f64>>();
    let (above, above_beyond) = (keep(known(above.0, high.1), true), keep(above.1, true));
    let (below, below_beyond) = (keep(known(below.0, low.0), false), keep(below.1, false));
    let mut edges = [below.as_slice(), &below_beyond, &above, &above_beyond].concat();
    edges.sort_by(f64::total_cmp);
    edges.dedup();
    if edges.len() < 2 {
        edges.push(edges.first().copied().unwrap_or(0.0) + 1.0);
    }
    // What is beyond all of these has cells of its own, so that what a range leaves out is told.
    edges.insert(0, -FAR);
    edges.push(FAR);
    let place = |edge: f64| edges.partition_point(|&known| known < edge);
    // The cells between edges that go outwards.
    let cells = |list: &[f64], up: bool| {
        let mut cells: Vec<usize> =
            list.windows(2).flat_map(|pair| place(pair[0].min(pair[1]))..place(pair[0].max(pair[1]))).collect();
        if !up {
            cells.sort_unstable_by(|a, b| b.cmp(a));
        }
        cells
    };
    let end = |inner: &[f64], beyond: &[f64], up: bool| {
        let (outer, seen) = (*inner.last()?, if up { run.last } else { run.first });
        let chain: Vec<f64> = std::iter::once(outer).chain(beyond.iter().copied()).collect();
        let inner = cells(inner, up);
        let seen = Estimate::of(&run.counts[seen..=seen], noise);
        let end = End {
            beyond: cells(&chain, up),
            seen,
            seen_beyond: run.beyond(up),
            inner,
            is_far: is_far[usize::from(up)],
        };
        (!end.inner.is_empty()).then_some(end)
    };
    let (low, high) = (end(&below, &below_beyond, false), end(&above, &above_beyond, true));
    (edges, Look::Wide { low, high })
}
