//! Dates beside moments in order: a date is compared with the day of a moment, and moments with
//! each other to the second.

use crate::codec::calendar::DAY;

/// What is known of each column of a group, in its order.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct DaysAndMoments {
    columns: Vec<TimeColumn>,
}

/// A column of days, or of seconds, and what it may hold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct TimeColumn {
    pub(super) is_moment: bool,
    pub(super) low: i64,
    pub(super) high: i64,
}

impl TimeColumn {
    fn day(self, value: i64) -> i64 {
        if self.is_moment { value.div_euclid(DAY) } else { value }
    }

    /// The first value of a day.
    fn first_of(self, day: i64) -> i64 {
        if self.is_moment { day * DAY } else { day }
    }

    fn last_of(self, day: i64) -> i64 {
        if self.is_moment { day * DAY + DAY - 1 } else { day }
    }
}

impl DaysAndMoments {
    /// Narrows what each column may hold to what leaves the others something. The first column
    /// that nothing is left of is told.
    pub(super) fn new(mut columns: Vec<TimeColumn>) -> Result<Self, usize> {
        let finer = |one: TimeColumn, two: TimeColumn| one.is_moment && two.is_moment;
        for place in 0..columns.len() {
            let mut own = columns[place];
            for &before in &columns[..place] {
                let least = if finer(before, own) { before.low } else { own.first_of(before.day(before.low)) };
                own.low = own.low.max(least);
            }
            columns[place] = own;
        }
        for place in (0..columns.len()).rev() {
            let mut own = columns[place];
            for &behind in &columns[place + 1..] {
                let most = if finer(own, behind) { behind.high } else { own.last_of(behind.day(behind.high)) };
                own.high = own.high.min(most);
            }
            columns[place] = own;
        }
        match columns.iter().position(|column| column.low > column.high) {
            Some(place) => Err(place),
            None => Ok(Self { columns }),
        }
    }

    fn is_sorted(&self, cells: &[Option<i64>]) -> bool {
        let present = || self.columns.iter().zip(cells).filter_map(|(column, cell)| Some((*column, (*cell)?)));
        let moments = present().filter(|(column, _)| column.is_moment).map(|(_, value)| value);
        present().map(|(column, value)| column.day(value)).is_sorted() && moments.is_sorted()
    }

    /// The values in order: days go to their places, and moments of one day share their times.
    pub(super) fn sorted(&self, mut cells: Vec<Option<i64>>) -> Vec<Option<i64>> {
        if self.is_sorted(&cells) {
            return cells;
        }
        let places: Vec<usize> = (0..cells.len()).filter(|&place| cells[place].is_some()).collect();
        let value = |place: usize| cells[place].unwrap_or_default();
        let mut days: Vec<i64> = places.iter().map(|&place| self.columns[place].day(value(place))).collect();
        days.sort_unstable();
        let mut moments: Vec<(i64, i64)> = Vec::new();
        for (&place, &day) in places.iter().zip(&days) {
            if self.columns[place].is_moment {
                moments.push((day, value(place).rem_euclid(DAY)));
            }
        }
        // Days rise already, so that only times of one day change places.
        moments.sort_unstable();
        let mut moments = moments.into_iter();
        for (place, day) in places.into_iter().zip(days) {
            let column = self.columns[place];
            let next = if column.is_moment { moments.next() } else { None };
            let value = next.map_or(day, |(day, time)| day * DAY + time);
            cells[place] = Some(value.clamp(column.low, column.high));
        }
        cells
    }
}
