//! Times of day such as 10:05, while rows go by.

use super::dates::is_hopeless;
use crate::codec::clock::TimeOfDay;

/// The cells of a column as times of day.
pub(crate) struct TimeProfile {
    alive: bool,
    seen: u64,
    /// Cells that are none.
    pub(crate) bad: u64,
    /// Whether some cell tells seconds, and whether some hour below ten has two digits, or one.
    seconds: bool,
    full: bool,
    short: bool,
}

impl Default for TimeProfile {
    fn default() -> Self {
        Self { alive: true, seen: 0, bad: 0, seconds: false, full: false, short: false }
    }
}

impl TimeProfile {
    pub(crate) fn observe(&mut self, cell: &[u8]) {
        if !self.alive {
            return;
        }
        self.seen += 1;
        let Some(time) = TimeOfDay::parse(cell) else {
            self.bad += 1;
            self.alive = !is_hopeless(self.bad, self.seen);
            return;
        };
        self.seconds |= time.has_seconds();
        self.full |= time.is_early() && time.hour_digits == 2;
        self.short |= time.hour_digits == 1;
    }

    /// The format, where cells are times of day.
    pub(crate) fn format(&self) -> Option<&'static str> {
        let is_short = self.short && !self.full;
        let formats = if self.seconds { ["hh:mm:ss", "h:mm:ss"] } else { ["hh:mm", "h:mm"] };
        (self.alive && self.bad < self.seen).then_some(formats[usize::from(is_short)])
    }
}
