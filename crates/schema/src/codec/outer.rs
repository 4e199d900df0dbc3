//! Values with a code of their own that lie outside of their column's range.

/// Such values, ascending: those below the range and those above it. Their codes stand before and
/// behind those of the range.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Outer<T> {
    below: Vec<T>,
    above: Vec<T>,
}

impl<T: Copy + PartialOrd> Outer<T> {
    /// Those of the spikes that lie outside.
    pub fn of(spikes: &[T], low: T, high: T) -> Self {
        let some = |is_there: &dyn Fn(&T) -> bool| spikes.iter().copied().filter(|spike| is_there(spike)).collect();
        Self { below: some(&|spike| *spike < low), above: some(&|spike| *spike > high) }
    }

    /// How many there are.
    #[inline]
    pub fn len(&self) -> u32 {
        (self.below.len() + self.above.len()) as u32
    }

    /// How many are below the range.
    #[inline]
    pub fn below(&self) -> u32 {
        self.below.len() as u32
    }

    /// All of them.
    pub fn values(&self) -> impl Iterator<Item = T> {
        self.below.iter().chain(&self.above).copied()
    }

    /// The code of a value that is one of them, where the range has `inner` codes.
    #[inline]
    pub fn code(&self, value: T, inner: u32) -> Option<u32> {
        if self.below.is_empty() && self.above.is_empty() {
            return None;
        }
        let place = |list: &[T]| list.iter().position(|known| *known == value).map(|place| place as u32);
        place(&self.below).or_else(|| place(&self.above).map(|place| self.below() + inner + place))
    }

    /// What a code stands for, where the range has `inner` codes: one of these values, or the code
    /// inside the range.
    #[inline]
    pub fn meaning(&self, code: u32, inner: u32) -> Result<u32, T> {
        let below = self.below();
        if code < below {
            return Err(self.below[code as usize]);
        }
        match self.above.get((code - below).checked_sub(inner).map_or(usize::MAX, |place| place as usize)) {
            Some(value) => Err(*value),
            None => Ok(code - below),
        }
    }

    /// The smallest and the largest value, those of the range among them.
    pub fn ends(&self, low: T, high: T) -> (T, T) {
        (self.below.first().copied().unwrap_or(low), self.above.last().copied().unwrap_or(high))
    }
}
