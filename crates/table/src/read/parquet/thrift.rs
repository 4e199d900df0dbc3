//! A walk over thrift's compact form that makes nothing: footers and page headers are looked over
//! before the Parquet library reads them.
//!
//! The library makes room for what a file says it holds. A number in a damaged or hostile file must
//! not cost more memory or time than the file's own bytes warrant, and a failed allocation cannot
//! be caught.

/// Structs and lists inside each other; Parquet needs fewer than ten.
const MOST_DEEP: usize = 32;

const LIST: u8 = 9;
const STRUCT: u8 = 12;
const INTEGERS: std::ops::RangeInclusive<u8> = 4..=6;

/// A place in bytes. Every step gives `None` when the bytes end or make no sense.
pub(super) struct Walk<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Walk<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    /// Bytes behind us.
    pub(super) fn passed(&self) -> usize {
        self.at
    }

    fn byte(&mut self) -> Option<u8> {
        let byte = *self.bytes.get(self.at)?;
        self.at += 1;
        Some(byte)
    }

    fn pass(&mut self, count: u64) -> Option<()> {
        let end = self.at.checked_add(usize::try_from(count).ok()?)?;
        self.at = (end <= self.bytes.len()).then_some(end)?;
        Some(())
    }

    pub(super) fn unsigned(&mut self) -> Option<u64> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(value);
            }
        }
        None
    }

    fn signed(&mut self) -> Option<i64> {
        self.unsigned().map(|value| (value >> 1) as i64 ^ -((value & 1) as i64))
    }

    /// Walks over a struct. `field` is shown each field's number and kind, and says whether it took
    /// the value; else it is passed.
    pub(super) fn fields(
        &mut self,
        depth: usize,
        mut field: impl FnMut(&mut Self, i64, u8) -> Option<bool>,
    ) -> Option<()> {
        let mut id = 0;
        loop {
            let head = self.byte()?;
            if head == 0 {
                return Some(());
            }
            let (step, kind) = (i64::from(head >> 4), head & 0xf);
            id = if step == 0 { self.signed()? } else { id + step };
            if !field(self, id, kind)? {
                self.value(kind, depth)?;
            }
        }
    }

    /// An integer field's value.
    fn integer(&mut self, kind: u8) -> Option<i64> {
        if INTEGERS.contains(&kind) { self.signed() } else { None }
    }

    /// Walks over a struct for the value of one integer field; 0 when it is not there.
    fn integer_of(&mut self, field: i64) -> Option<i64> {
        let mut value = 0;
        self.fields(1, |walk, id, kind| {
            if id == field {
                value = walk.integer(kind)?;
            }
            Some(id == field)
        })?;
        Some(value)
    }

    /// The number of a list's items and their kind. A list of more items than there are bytes is
    /// none.
    fn list(&mut self) -> Option<(usize, u8)> {
        let head = self.byte()?;
        let size = if head >> 4 == 15 { self.unsigned()? } else { u64::from(head >> 4) };
        let size = usize::try_from(size).ok().filter(|&size| size <= self.bytes.len() - self.at)?;
        Some((size, head & 0xf))
    }

    /// Passes a value.
    fn value(&mut self, kind: u8, depth: usize) -> Option<()> {
        if depth >= MOST_DEEP {
            return None;
        }
        match kind {
            1 | 2 => Some(()),
            3 => self.pass(1),
            4..=6 => self.unsigned().map(|_| ()),
            7 => self.pass(8),
            8 => {
                let length = self.unsigned()?;
                self.pass(length)
            }
            LIST | 10 => {
                let (size, kind) = self.list()?;
                (0..size).try_for_each(|_| self.item(kind, depth + 1))
            }
            11 => {
                let size = self.unsigned()?;
                let size = usize::try_from(size).ok().filter(|&size| size <= self.bytes.len() - self.at)?;
                let kinds = if size > 0 { self.byte()? } else { 0 };
                (0..size).try_for_each(|_| {
                    self.item(kinds >> 4, depth + 1)?;
                    self.item(kinds & 0xf, depth + 1)
                })
            }
            STRUCT => self.fields(depth + 1, |_, _, _| Some(false)),
            _ => None,
        }
    }

    /// Passes an item of a list or map, where a truth value has a byte of its own.
    fn item(&mut self, kind: u8, depth: usize) -> Option<()> {
        if kind == 1 || kind == 2 { self.pass(1) } else { self.value(kind, depth) }
    }
}

/// Whether a footer is one that the library can be given: lists no longer than the bytes, and a
/// schema that is no deep tower.
pub(super) fn footer_is_sane(bytes: &[u8]) -> bool {
    let mut schema = true;
    let whole = Walk::new(bytes).fields(0, |walk, id, kind| {
        if id != 2 || kind != LIST {
            return Some(false);
        }
        let (size, kind) = walk.list()?;
        schema &= kind == STRUCT && schema_is_sane(walk, size)?;
        Some(true)
    });
    whole.is_some() && schema
}

/// Walks over the schema's elements, which stand in the order of a walk through the tree, each with
/// the number of its children.
fn schema_is_sane(walk: &mut Walk<'_>, size: usize) -> Option<bool> {
    // The children that are still to come, of the groups that we are in.
    let mut open: Vec<i64> = Vec::new();
    for _ in 0..size {
        let children = walk.integer_of(5)?;
        if let Some(left) = open.last_mut() {
            *left -= 1;
        }
        if children < 0 || children as u64 > size as u64 {
            return Some(false);
        }
        open.push(children);
        while open.last() == Some(&0) {
            open.pop();
        }
        if open.len() > MOST_DEEP {
            return Some(false);
        }
    }
    Some(true)
}

/// What a page's header says.
#[derive(Default)]
pub(super) struct PageHead {
    /// Bytes of the header itself.
    pub(super) length: usize,
    pub(super) unpacked: i64,
    pub(super) packed: i64,
    /// The number of words, when it is a dictionary.
    pub(super) words: Option<i64>,
}

impl PageHead {
    /// Reads the header at the start of `bytes`; `None` when it is none, or longer than `bytes`.
    pub(super) fn read(bytes: &[u8]) -> Option<Self> {
        let mut head = Self { unpacked: -1, packed: -1, ..Self::default() };
        let mut walk = Walk::new(bytes);
        walk.fields(0, |walk, id, kind| {
            match id {
                2 => head.unpacked = walk.integer(kind)?,
                3 => head.packed = walk.integer(kind)?,
                7 if kind == STRUCT => head.words = Some(walk.integer_of(1)?),
                _ => return Some(false),
            }
            Some(true)
        })?;
        head.length = walk.passed();
        Some(head)
    }
}

/// The values and the length in bytes of a stretch of delta-packed integers; `None` when it is
/// none.
pub(super) fn delta_packed(bytes: &[u8]) -> Option<(u64, usize)> {
    let mut walk = Walk::new(bytes);
    let (block, minis, total) = (walk.unsigned()?, walk.unsigned()?, walk.unsigned()?);
    walk.unsigned()?;
    if minis == 0 || block > 1 << 20 || minis > block {
        return None;
    }
    let in_mini = block / minis;
    let mut left = total.saturating_sub(1);
    while left > 0 {
        walk.unsigned()?;
        let widths = walk.bytes.get(walk.at..walk.at + minis as usize)?;
        walk.at += minis as usize;
        for &width in widths {
            // Miniblocks behind the last value are left out.
            if left == 0 {
                break;
            }
            walk.pass((u64::from(width) * in_mini).div_ceil(8))?;
            left = left.saturating_sub(in_mini);
        }
    }
    Some((total, walk.passed()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_longer_than_the_bytes_and_towers_are_no_footer() {
        // Field 1 (i32), field 2: a list of structs.
        let list = |size: u8, items: &[u8]| [&[0x15, 2, 0x19, size << 4 | STRUCT][..], items, &[0]].concat();
        // A group with one child (field 5), and a leaf.
        let (group, leaf) = ([0x55, 2, 0], [0]);
        assert!(footer_is_sane(&list(2, &[&group[..], &leaf].concat())));
        assert!(!footer_is_sane(&list(3, &[&group[..], &leaf].concat())));
        assert!(!footer_is_sane(&[0x19, 0xfc, 0xff, 0xff, 0xff, 0xff, 7, 0]));
        let mut tower = vec![0x15, 2, 0x19, 0xf0 | STRUCT, 0xc8, 1];
        (0..200).for_each(|_| tower.extend(group));
        tower.push(0);
        assert!(!footer_is_sane(&tower));
        // A group of more children than there are elements.
        assert!(!footer_is_sane(&list(2, &[0x55, 0x80, 0x80, 4, 0, 0])));
    }

    #[test]
    fn a_page_header_is_read_in_any_window_that_holds_it() {
        let bytes = [0x15, 4, 0x15, 0x80, 1, 0x15, 20, 0x4c, 0x15, 6, 0x15, 0, 0, 0, 99];
        let head = PageHead::read(&bytes).unwrap();
        assert_eq!((head.length, head.unpacked, head.packed, head.words), (14, 64, 10, Some(3)));
        assert!((0..14).all(|length| PageHead::read(&bytes[..length]).is_none()));
    }

    #[test]
    fn a_delta_stretch_ends_where_its_values_end() {
        // 128 values a block, 4 miniblocks, 3 values, the first one 7; widths 1, then bytes of one
        // miniblock of 32.
        let bytes = [128, 1, 4, 3, 14, 2, 1, 0, 0, 0, 1, 1, 1, 1, 99];
        assert_eq!(delta_packed(&bytes), Some((3, 14)));
        assert_eq!(delta_packed(&bytes[..13]), None);
        assert_eq!(delta_packed(&[128, 1, 0, 3, 14]), None);
    }
}
