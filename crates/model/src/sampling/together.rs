//! Groups that round together.
//!
//! A group of rows splits by systematic sampling with one random offset
//! ([`without`](super::without)): how many rows get a cell up to a border depends on whether the
//! offset lies above a threshold. With an offset of its own for every group their roundings add up
//! like coins, and where most groups are a row or two, as in large models, that is as much scatter
//! as drawing rows one by one has. So groups decide about a border one after the other, in the
//! order of their parent cells, and what one has rounded up the next ones round down: the ordered
//! pivotal method (Deville and Tille 1998). Of two neighbours that are undecided one is decided,
//! and the other takes over what is left of both. Each group rounds up exactly as often as by
//! itself, and over any stretch of groups the count before the border is right but for about one
//! row.
//!
//! Borders are those of halves, quarters and so on of the cells. The first is decided as well as
//! that; which groups then have rows for the later ones is chance, less of it the more alike
//! neighbouring groups are. What a group decides at one border leaves an interval for its offset,
//! and at the next border it decides with the chance that it has inside that interval. In the end
//! every offset is uniform, taken by itself, so that nothing about a single group is different.

use super::rng::SampleRng;
use super::shares::Shares;

/// Where a group's offset may still lie: from `low` to below `high`.
#[derive(Clone, Copy)]
struct Span {
    low: u64,
    high: u64,
    rows: u64,
}

/// A group's cells between two borders: places in the draw's list, and the shares of the group's
/// cells before them.
#[derive(Clone, Copy)]
struct GroupCells {
    group: u32,
    from: u32,
    to: u32,
    before: u64,
    after: u64,
    /// The border that is being decided about: its place, and the share before it.
    middle: (u32, u64),
}

impl GroupCells {
    /// With the border before a cell.
    fn with_border(self, shares: &Shares, cell: u64) -> Self {
        let (from, to) = (self.from as usize, self.to as usize);
        let place = from + shares.cells[from..to].partition_point(|&other| u64::from(other) < cell);
        let share = if place == from { self.before } else { shares.ends[place - 1] };
        Self { middle: (place as u32, share), ..self }
    }

    /// The part before the border, and the part behind it.
    fn halves(self) -> [Self; 2] {
        let (place, share) = self.middle;
        [Self { to: place, after: share, ..self }, Self { from: place, before: share, ..self }]
    }
}

/// A group that is undecided about a border: its threshold, and the chance to be above it.
#[derive(Clone, Copy)]
struct OpenBorder {
    group: usize,
    threshold: u64,
    chance: f64,
}

/// Buffers of one block.
#[derive(Default)]
pub(super) struct Together {
    spans: Vec<Span>,
    items: Vec<GroupCells>,
    /// The bits of a share.
    bits: u32,
}

impl Together {
    /// An offset of as many bits as shares have for each group, given by its parent cell and the
    /// end of its rows. Not joined, each is drawn by itself.
    pub fn offsets(
        &mut self,
        shares: &Shares,
        groups: &[(u32, u32)],
        joined: bool,
        offsets: &mut Vec<u64>,
        rng: &mut SampleRng,
    ) {
        self.spans.clear();
        self.items.clear();
        self.bits = shares.bits;
        let whole = 1 << shares.bits;
        let mut start = 0;
        for (group, &(row, end)) in groups.iter().enumerate() {
            let (from, to) = (shares.starts[row as usize], shares.starts[row as usize + 1]);
            self.spans.push(Span { low: 0, high: whole, rows: u64::from(end - start) });
            start = end;
            if to - from > 1 {
                self.items.push(GroupCells {
                    group: group as u32,
                    from,
                    to,
                    before: 0,
                    after: whole,
                    middle: (from, 0),
                });
            }
        }
        if joined {
            self.halve(shares, 0, 0, shares.width, rng);
        }
        offsets.clear();
        offsets.extend(self.spans.iter().map(|span| {
            let place = u128::from(rng.next_u64()) * u128::from(span.high - span.low);
            span.low + (place >> 64) as u64
        }));
    }

    /// Decides about all borders between two cells, for the items from `first` on. A group alone
    /// has nobody to round with.
    fn halve(&mut self, shares: &Shares, first: usize, low: u64, high: u64, rng: &mut SampleRng) {
        let last = self.items.len();
        if last - first < 2 || high - low < 2 {
            return;
        }
        let middle = low + (high - low) / 2;
        self.decide(shares, first, middle, rng);
        for (half, (low, high)) in [(low, middle), (middle, high)].into_iter().enumerate() {
            for place in first..last {
                let item = self.items[place].halves()[half];
                if item.to - item.from > 1 && self.may_get_rows(item) {
                    self.items.push(item);
                }
            }
            self.halve(shares, last, low, high, rng);
            self.items.truncate(last);
        }
    }

    /// Whether any row may go to these cells.
    fn may_get_rows(&self, item: GroupCells) -> bool {
        let Span { low, high, rows } = self.spans[item.group as usize];
        (rows * item.before + low) >> self.bits < (rows * item.after + high - 1) >> self.bits
    }

    /// The items from `first` on decide whether they round up or down before a cell.
    fn decide(&mut self, shares: &Shares, first: usize, middle: u64, rng: &mut SampleRng) {
        let mut left: Option<OpenBorder> = None;
        for place in first..self.items.len() {
            let item = self.items[place].with_border(shares, middle);
            self.items[place] = item;
            let Some(next) = self.open(item) else { continue };
            left = Some(match left {
                None => next,
                Some(open) => self.duel(open, next, rng),
            });
        }
        if let Some(open) = left {
            self.settle(open, rng.uniform() < open.chance);
        }
    }

    /// What a group has to decide about its border; nothing where it is settled.
    fn open(&self, item: GroupCells) -> Option<OpenBorder> {
        let Span { low, high, rows } = self.spans[item.group as usize];
        let whole = 1 << self.bits;
        let threshold = whole - ((rows * item.middle.1) & (whole - 1));
        let chance = || (high - threshold) as f64 / (high - low) as f64;
        (low < threshold && threshold < high).then(|| OpenBorder {
            group: item.group as usize,
            threshold,
            chance: chance(),
        })
    }

    /// Decides one of two groups; the other takes over what is left of both chances.
    fn duel(&mut self, one: OpenBorder, two: OpenBorder, rng: &mut SampleRng) -> OpenBorder {
        let both = one.chance + two.chance;
        let down = both < 1.0;
        let first_goes_on =
            if down { rng.uniform() * both < one.chance } else { rng.uniform() * (2.0 - both) >= 1.0 - two.chance };
        let (goes_on, settled) = if first_goes_on { (one, two) } else { (two, one) };
        self.settle(settled, !down);
        OpenBorder { chance: if down { both } else { both - 1.0 }, ..goes_on }
    }

    fn settle(&mut self, open: OpenBorder, up: bool) {
        let span = &mut self.spans[open.group];
        *if up { &mut span.low } else { &mut span.high } = open.threshold;
    }
}
