//! The shape of ids such as ORD-000417, while rows go by.

/// More digits than that are no row's number.
const MOST_DIGITS: usize = 18;
/// A shape that fewer cells have is no rule.
const FEW_CELLS: u64 = 20;

/// The cells of a column as digits between texts that are the same in every cell.
#[derive(Default)]
pub(crate) struct IdShape {
    cells: u64,
    broken: bool,
    /// What stands before and behind the last digits.
    around: Option<(String, String)>,
    fewest: usize,
    most: usize,
    /// Whether some number begins with 0.
    padded: bool,
}

impl IdShape {
    pub(crate) fn observe(&mut self, cell: &[u8]) {
        if self.broken {
            return;
        }
        self.broken = !self.fits(cell);
        self.cells += 1;
    }

    fn fits(&mut self, cell: &[u8]) -> bool {
        let Ok(text) = std::str::from_utf8(cell) else { return false };
        let Some(end) = text.rfind(|letter: char| letter.is_ascii_digit()).map(|last| last + 1) else { return false };
        let start = text[..end].trim_end_matches(|letter: char| letter.is_ascii_digit()).len();
        let (before, number, behind) = (&text[..start], &text[start..end], &text[end..]);
        let (one, other) = self.around.get_or_insert_with(|| (before.to_owned(), behind.to_owned()));
        if one != before || other != behind || number.len() > MOST_DIGITS {
            return false;
        }
        self.fewest = if self.cells == 0 { number.len() } else { self.fewest.min(number.len()) };
        self.most = self.most.max(number.len());
        self.padded |= number.starts_with('0');
        true
    }

    /// The pattern, where cells have one that plain numbers are not.
    pub(crate) fn pattern(&self) -> Option<String> {
        let (before, behind) = self.around.as_ref().filter(|_| !self.broken && self.cells >= FEW_CELLS)?;
        let is_same = self.fewest == self.most;
        let is_plain = before.is_empty() && behind.is_empty() && !self.padded;
        let has_sign =
            [before, behind].into_iter().any(|text| text.contains('#') || text.chars().any(char::is_control));
        let digits = if self.padded || is_same { self.fewest } else { 1 };
        (!is_plain && !has_sign).then(|| format!("{before}{}{behind}", "#".repeat(digits)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(cells: impl Iterator<Item = String>) -> Option<String> {
        let mut shape = IdShape::default();
        cells.for_each(|cell| shape.observe(cell.as_bytes()));
        shape.pattern()
    }

    #[test]
    fn digits_between_the_same_texts_are_a_pattern() {
        let cells = |of: &dyn Fn(u32) -> String| shape((1..=250).map(of));
        assert_eq!(cells(&|row| format!("ORD-2024-{row:06}")).as_deref(), Some("ORD-2024-######"));
        assert_eq!(cells(&|row| format!("N{row}x")).as_deref(), Some("N#x"), "as many digits as it takes");
        assert_eq!(cells(&|row| format!("N{:03}", row * 10)).as_deref(), Some("N###"), "padded to three");
        assert_eq!(cells(&|row| format!("{row:05}")).as_deref(), Some("#####"));
        assert_eq!(cells(&|row| row.to_string()), None, "a plain counter");
        assert_eq!(cells(&|row| format!("{}{row}", ["a", "b"][row as usize % 2])), None, "no one text");
        assert_eq!(cells(&|row| format!("#{row}")), None, "a pattern could not say it");
        assert_eq!(cells(&|_| "none".to_owned()), None);
        assert_eq!(shape((0..19).map(|row| format!("N{row}"))), None, "too few to tell");
        assert_eq!(shape(std::iter::empty()), None);
    }
}
