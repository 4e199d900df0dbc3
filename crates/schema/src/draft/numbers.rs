//! What the cells of a column are as numbers, while rows go by.

use super::dates::is_hopeless;
use crate::codec::scan;

/// What the cells are as numbers.
#[derive(Clone, Default)]
pub(crate) struct NumberProfile {
    /// Whether the cells are numbers, but for a few.
    pub(crate) alive: bool,
    /// Cells that were looked at, and those of them that are no numbers.
    seen: u64,
    pub(crate) bad: u64,
    /// Whether every number is whole.
    pub(crate) whole: bool,
    /// Whether each number was larger than the one before.
    pub(crate) ascending: bool,
    last: f64,
    pub(crate) low: f64,
    pub(crate) high: f64,
    pub(crate) low_whole: i64,
    pub(crate) high_whole: i64,
    pub(crate) decimals: usize,
    pub(super) points: u64,
    commas: u64,
    /// A comma that cannot stand between thousands.
    plain_comma: bool,
    pub(crate) longest: usize,
    pub(crate) shortest: usize,
    /// The fewest and the most digits behind the mark, 0 for a number without it.
    fractions: (usize, usize),
    /// Whether two or more of them end in a zero somewhere.
    padded: bool,
    /// Whether every number is one of a clock: hours and two digits of minutes.
    clock: bool,
}

impl NumberProfile {
    pub(super) fn new() -> Self {
        Self {
            alive: true,
            whole: true,
            ascending: true,
            last: f64::NEG_INFINITY,
            low: f64::INFINITY,
            high: f64::NEG_INFINITY,
            low_whole: i64::MAX,
            high_whole: i64::MIN,
            shortest: usize::MAX,
            fractions: (usize::MAX, 0),
            clock: true,
            ..Self::default()
        }
    }

    /// Whether the column writes its decimals behind a comma.
    pub(crate) fn is_comma(&self) -> bool {
        self.commas > 0 && self.points == 0 && self.plain_comma
    }

    /// Whether the column can be read with the decimal mark of the file.
    pub(crate) fn fits(&self, comma: bool) -> bool {
        self.alive
            && self.low <= self.high
            && if comma { self.points == 0 && (self.commas == 0 || self.is_comma()) } else { self.commas == 0 }
    }

    /// The decimals that every number is written with, where it is the same number of them.
    pub(crate) fn written_decimals(&self) -> Option<usize> {
        (self.fractions.0 == self.fractions.1).then_some(self.fractions.0)
    }

    /// Whether numbers have one decimal at least and no zeros behind it: 181.0, 181.25.
    pub(crate) fn has_one_decimal_at_least(&self) -> bool {
        self.fractions.0 == 1 && !self.padded && self.decimals != usize::MAX
    }

    /// Whether every number is one of a clock, up to hours of two digits.
    pub(crate) fn is_clock(&self) -> bool {
        self.clock && self.whole && self.high >= 1000.0
    }

    /// A cell that is no number.
    pub(super) fn miss(&mut self) {
        self.seen += 1;
        self.bad += 1;
        self.alive = !is_hopeless(self.bad, self.seen);
    }

    pub(super) fn observe(&mut self, cell: &[u8]) {
        if !self.alive {
            return;
        }
        let comma = cell.contains(&b',');
        let mark = if comma { b',' } else { b'.' };
        let digits = cell.strip_prefix(b"-").or(cell.strip_prefix(b"+")).unwrap_or(cell);
        // A leading zero is a code's, not a number's: 007.
        let code = digits.len() > 1 && digits[0] == b'0' && digits[1].is_ascii_digit();
        let Some(value) = scan::number(cell, mark).filter(|_| !code) else {
            self.miss();
            self.alive &= !code;
            return;
        };
        self.seen += 1;
        self.longest = self.longest.max(cell.len());
        self.shortest = self.shortest.min(cell.len());
        let fraction = cell.iter().position(|&byte| byte == mark).map(|at| &cell[at + 1..]);
        if let Some(fraction) = fraction {
            self.commas += u64::from(comma);
            self.points += u64::from(!comma);
            self.plain_comma |= comma && fraction.len() != 3;
            let length = fraction.iter().take_while(|byte| byte.is_ascii_digit()).count();
            let zeros = fraction[..length].iter().rev().take_while(|&&byte| byte == b'0').count();
            self.decimals = self.decimals.max(length - zeros);
            self.padded |= length > 1 && zeros > 0;
        }
        let length = fraction.map_or(0, <[u8]>::len);
        self.fractions = (self.fractions.0.min(length), self.fractions.1.max(length));
        if cell.iter().any(|byte| matches!(byte, b'e' | b'E')) {
            // 1e-3 has decimals that its text does not show; the range will decide.
            self.decimals = usize::MAX;
        }
        if value.is_finite() {
            self.value(value, cell, mark);
        }
    }

    fn value(&mut self, value: f64, cell: &[u8], mark: u8) {
        self.whole &= value.fract() == 0.0 && value.abs() < 9e18;
        self.clock &= scan::is_clock_number(value);
        self.ascending &= value > self.last;
        self.last = value;
        self.low = self.low.min(value);
        self.high = self.high.max(value);
        if let Some(whole) = scan::integer(cell, mark).filter(|_| self.whole) {
            self.low_whole = self.low_whole.min(whole);
            self.high_whole = self.high_whole.max(whole);
        }
    }
}
