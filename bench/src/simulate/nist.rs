//! A table with the shape of the 2018 NIST challenge: 98 columns and 662,000 rows, a third of the
//! columns with more than 50 values, some with thousands.

use super::design::{DesignedColumns, Link};

/// Rows of the challenge's table.
pub const ROWS: usize = 662_000;
/// Columns of the challenge's table.
pub const COLUMNS: usize = 98;

/// Codes of the narrow columns, in turn.
const NARROW: [u32; 12] = [2, 3, 9, 4, 16, 2, 7, 25, 5, 12, 2, 40];
/// Codes of the columns with more than 50 values, in turn.
const WIDE: [u32; 11] = [60, 99, 128, 72, 3_000, 54, 250, 88, 9_000, 110, 400];

/// The columns.
///
/// Every third column is wide. The first column of every seven is free; the others follow one of
/// the six columns before them, keeping order or not, or the sum of two: there is a structure to
/// find, of pairs and of triples.
pub fn columns() -> DesignedColumns {
    let columns = (0..COLUMNS).map(|index| {
        // 33 of the 98 columns, never the first.
        let size =
            if index % 3 == 2 || index == 97 { WIDE[(index / 3) % WIDE.len()] } else { NARROW[index % NARROW.len()] };
        (size, link(index, size))
    });
    columns.collect()
}

fn link(index: usize, size: u32) -> Link {
    // How closely a column follows varies: nearly always, mostly, or half of the time.
    let noise = [20, 60, 128][index % 3];
    let parent = index.saturating_sub(1 + index % 6);
    match index % 7 {
        0 if size > 50 => Link::LongTailed,
        0 => Link::Skewed,
        1 | 4 => Link::Ordered { parent, noise },
        2 | 5 => Link::Shuffled { parent, noise },
        3 if size <= 16 => Link::Sum { parents: [index - 1, index - 3], noise },
        3 => Link::Ordered { parent: index - 1, noise },
        _ if size > 1_000 => Link::LongTailed,
        _ => Link::Ordered { parent: index - 6, noise },
    }
}
