//! Fixed grids that bounds are found on.

use crate::codec::calendar::{DAY, civil, days};

/// The powers of two between which numbers are told apart. Smaller ones are 0, larger ones are all
/// in the last place.
const POWERS: std::ops::Range<i32> = -30..70;
/// Places on one side of 0.
const SIDE: i32 = POWERS.end - POWERS.start + 1;

/// The cells of the grid of magnitudes.
pub const MAGNITUDES: u32 = (2 * SIDE + 1) as u32;

/// The grid of all numbers: signed powers of two. Steps in between would have less of a tail in
/// each cell, and a tail is what has to stand out; the ends of a range are refined afterwards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Magnitude(pub u32);

impl Magnitude {
    /// The cell of a number. Infinities are in the last cells.
    pub fn of(value: f64) -> Self {
        let size = value.abs();
        let smallest = f64::from(POWERS.start).exp2();
        if size < smallest {
            return Self(SIDE as u32);
        }
        let step = (size.log2() - f64::from(POWERS.start)).floor();
        let place = 1 + (step.min(f64::from(SIDE - 1)) as i32).min(SIDE - 1);
        // A logarithm may round to the next step; the edges decide.
        let place = if place > 1 && size < Self::edge(place) { place - 1 } else { place };
        let place = if place < SIDE && size >= Self::edge(place + 1) { place + 1 } else { place };
        Self((SIDE + if value < 0.0 { -place } else { place }) as u32)
    }

    /// The numbers between which the cell lies.
    pub fn bounds(self) -> (f64, f64) {
        let place = self.0 as i32 - SIDE;
        let outer = |place: i32| if place >= SIDE { f64::from(POWERS.end + 10).exp2() } else { Self::edge(place + 1) };
        match place {
            0 => (0.0, 0.0),
            place if place > 0 => (Self::edge(place), outer(place)),
            place => (-outer(-place), -Self::edge(-place)),
        }
    }

    /// Where the place begins, counted from 0.
    fn edge(place: i32) -> f64 {
        f64::from(POWERS.start + place - 1).exp2()
    }
}

/// Cells between edges; what is outside is in the first or the last.
#[derive(Clone, Debug, PartialEq)]
pub struct EdgeGrid(Vec<f64>);

impl EdgeGrid {
    /// The edges in ascending order, equal ones once; the first and the last are the bounds of the
    /// grid. `None` with fewer than two.
    pub fn new(mut edges: Vec<f64>) -> Option<Self> {
        edges.retain(|edge| edge.is_finite());
        edges.sort_by(f64::total_cmp);
        edges.dedup();
        (edges.len() >= 2).then_some(Self(edges))
    }

    /// The edges.
    pub fn edges(&self) -> &[f64] {
        &self.0
    }

    /// How many cells.
    pub fn cells(&self) -> u32 {
        (self.0.len() - 1) as u32
    }

    /// The cell of a number.
    pub fn of(&self, value: f64) -> u32 {
        let behind = self.0.partition_point(|&edge| edge <= value);
        (behind.max(1) as u32 - 1).min(self.cells() - 1)
    }
}

/// Months of some years; what is outside is in the first or the last. Years alone are cells of
/// twelve months.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MonthGrid {
    /// The first year.
    pub first_year: i64,
    /// How many months a cell has: 1 or 12.
    pub months: u32,
    /// How many cells.
    pub cells: u32,
}

impl MonthGrid {
    /// All years that are told apart before anything is known.
    pub const YEARS: Self = Self { first_year: 1600, months: 12, cells: 801 };

    /// The cell of a moment in seconds.
    pub fn of(self, seconds: i64) -> u32 {
        let (year, month, _) = civil(seconds.div_euclid(DAY));
        let months = (year - self.first_year) * 12 + i64::from(month) - 1;
        months.div_euclid(i64::from(self.months)).clamp(0, i64::from(self.cells) - 1) as u32
    }

    /// The first day of a cell; of the one behind the last, the day after the grid.
    pub fn first_day(self, cell: u32) -> i64 {
        let months = i64::from(cell) * i64::from(self.months);
        let (year, month) = (self.first_year + months.div_euclid(12), months.rem_euclid(12) as u32 + 1);
        days(year, month, 1).unwrap_or_default()
    }
}
