//! The cells that the baseline counts: words, or parts of a range of equal width.

use lookalike_schema::{Codec, CodecKind};

/// Parts of a range, at most.
const MOST_PARTS: f64 = 256.0;
/// The values of a range whose numbers are written in full.
const FINE: f64 = (1u64 << 40) as f64;

/// How cells of a column become codes and back. The last code is that of missing cells, where the
/// column has them.
pub struct CellGrid {
    line: Option<GridLine>,
    present: u32,
    has_missing: bool,
}

/// A range of numbers: `units` values, `per_unit` of them in 1.
struct GridLine {
    first: f64,
    per_unit: f64,
    units: f64,
}

impl CellGrid {
    /// From the schema alone: the column's own grid when it has few values, else equal parts.
    pub fn of(codec: &Codec) -> Self {
        let line = match codec.kind() {
            CodecKind::Category(_) | CodecKind::Boolean(_) => None,
            CodecKind::Integer(axis) | CodecKind::Date(axis, _) | CodecKind::DateTime(axis, _) => {
                let per_unit = 1.0 / axis.step() as f64;
                Some((axis.low() as f64, axis.high() as f64, per_unit))
            }
            CodecKind::Number(axis) => {
                let per_unit = match axis.decimals() {
                    Some(decimals) => 10f64.powi(i32::from(decimals)),
                    None => FINE / (axis.high() - axis.low()).max(f64::MIN_POSITIVE),
                };
                Some((axis.low(), axis.high(), per_unit))
            }
        };
        let line = line.map(|(low, high, per_unit)| {
            let first = (low * per_unit).round();
            GridLine { first, per_unit, units: (high * per_unit).round() - first + 1.0 }
        });
        let present = line.as_ref().map_or(codec.present(), |line| line.units.min(MOST_PARTS) as u32);
        Self { line, present, has_missing: codec.missing_code().is_some() }
    }

    /// How many codes there are.
    pub fn size(&self) -> u32 {
        self.present + u32::from(self.has_missing)
    }

    /// Whether the column has words, which have no order.
    pub fn has_words(&self) -> bool {
        self.line.is_none()
    }

    /// The code of a cell. One that is missing where the schema knows no missing cells gets the
    /// first.
    pub fn code(&self, cell: f64) -> u32 {
        if cell.is_nan() {
            return if self.has_missing { self.present } else { 0 };
        }
        let Some(line) = &self.line else { return (cell as u32).min(self.present - 1) };
        let unit = (cell * line.per_unit).round() - line.first;
        let part = unit.clamp(0.0, line.units - 1.0) * f64::from(self.present) / line.units;
        (part as u32).min(self.present - 1)
    }

    /// A cell of a code, at a uniform place among the values of its part.
    pub fn value(&self, code: u32, place: f64) -> f64 {
        if code >= self.present {
            return f64::NAN;
        }
        let Some(line) = &self.line else { return f64::from(code) };
        let edge = |part: u32| (f64::from(part) * line.units / f64::from(self.present)).ceil();
        let (from, to) = (edge(code), edge(code + 1));
        // Divided, not multiplied: a decimal comes out as a reader of its text would have it.
        (line.first + (from + (to - from) * place).floor()) / line.per_unit
    }
}

#[cfg(test)]
mod tests {
    use lookalike_schema::{AttrId, Schema};

    use super::*;

    fn grid(column: &str) -> CellGrid {
        let schema = Schema::parse(&format!("[columns.a]\n{column}"), "test").unwrap();
        CellGrid::of(schema.codec(AttrId(0)))
    }

    #[test]
    fn small_grids_keep_their_values() {
        let grid = grid("type = 'number'\nrange = [0, 10]\ndecimals = 1\nmissing = true");
        assert_eq!(grid.size(), 102);
        for cell in [0.0, 0.3, 2.9, 9.9, 10.0] {
            assert_eq!(grid.value(grid.code(cell), 0.99), cell);
        }
        assert_eq!(grid.code(11.0), 100);
        assert!(grid.value(grid.code(f64::NAN), 0.5).is_nan());
    }

    #[test]
    fn wide_ranges_have_equal_parts() {
        let grid = grid("type = 'integer'\nrange = [0, 9999]\nmissing = false");
        assert_eq!(grid.size(), 256);
        for cell in [0.0, 40.0, 5000.0, 9999.0] {
            let back = grid.value(grid.code(cell), 0.0);
            assert!((cell - back).abs() < 40.0 && grid.code(back) == grid.code(cell), "{cell} {back}");
        }
    }
}
