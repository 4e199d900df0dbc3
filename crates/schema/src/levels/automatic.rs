//! Groupings that need no word of the schema: equal bins, and neighbours put together.

use crate::{Codec, Grouping};

/// How many neighbouring values one group of the next level holds, where the schema gives no
/// levels.
pub const GROUP_WIDTH: u32 = 16;

impl Codec {
    /// A column with an order cut into `bins` runs of equally many codes (to one), the missing code
    /// apart. `None` for a column without order, or with no more values than that.
    ///
    /// The codes are the schema's own bins, equal ones unless it says otherwise, so runs of codes
    /// are equal bins of values.
    pub fn equal_bins(&self, bins: u32) -> Option<Grouping> {
        let (present, wide) = (u64::from(self.present()), u64::from(bins));
        (self.is_ordered() && wide >= 1 && present > wide)
            .then(|| self.grouped(|code| (u64::from(code) * wide / present) as u32))
    }

    /// Coarser and coarser groupings of neighbouring codes, the finest first: each has `width`
    /// groups of the one before in one of its own, until at most `width` squared remain. None for a
    /// column with no more values than that. The missing code stays apart and is not counted.
    pub fn neighbour_levels(&self, width: u32) -> Vec<Grouping> {
        let width = u64::from(width.max(2));
        let mut levels = Vec::new();
        let mut held = 1u64;
        while u64::from(self.present()).div_ceil(held) > width * width {
            held *= width;
            levels.push(self.grouped(|code| (u64::from(code) / held) as u32));
        }
        levels
    }

    /// The groups of the present codes, which ascend without gaps, and one more for the missing
    /// code.
    fn grouped(&self, group: impl Fn(u32) -> u32) -> Grouping {
        let mut group_of: Vec<u32> = (0..self.present()).map(group).collect();
        let next = group_of.last().map_or(0, |last| last + 1);
        group_of.extend(self.missing_code().map(|_| next));
        Grouping::known(group_of, next + u32::from(self.missing_code().is_some()))
    }
}
