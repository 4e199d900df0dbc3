//! How many rows are read where a person has at most a few, from stated facts: the number of rows
//! and of persons. How rows are spread over persons is private, so there is a range.

use crate::error::{Error, SettingError};
use crate::limits::check_rows;

/// In the uneven case one person in five has four fifths of the rows, as far as everybody has one.
const UNEVEN: f64 = 0.2;

/// The rows that are read where each person has at most as many as the contribution.
///
/// `m` rows a person on average are kept up to `C` of each:
/// - at most `min(m, C)`, when everybody has as many (`low <= share <= high` are shares of rows),
/// - as expected when the numbers are geometric, `m (1 - (1 - 1/m)^C)`,
/// - in the uneven case when one person in five has four fifths of the rows, both parts geometric.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KeptRows {
    /// The expected number of rows.
    pub rows: u64,
    /// The expected share of all rows.
    pub share: f64,
    /// The share in the uneven case. Few persons with nearly all rows keep still less.
    pub low: f64,
    /// The share when everybody has as many rows: no table of this size keeps more.
    pub high: f64,
}

/// What the steward states of the table. Nothing of it is read from rows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct StatedSize {
    pub rows: u64,
    pub persons: Option<u64>,
}

impl StatedSize {
    /// Rows, or persons with their rows, or rows with their persons.
    pub fn new(rows: Option<u64>, persons: Option<u64>, rows_per_person: Option<f64>) -> Result<Self, Error> {
        let wrong = |what: String, help| Err(SettingError::Persons { what, help }.into());
        if let Some(each) = rows_per_person
            && !(each >= 1.0 && each.is_finite())
        {
            return wrong(format!("{each} is no number of rows a person"), "write 1 or more, such as 3.5");
        }
        let (rows, persons) = match (rows, persons, rows_per_person) {
            (Some(_), Some(_), Some(_)) => {
                return wrong("rows, persons and rows a person are stated".into(), "state two of them");
            }
            (rows, persons, None) => (rows.ok_or(SettingError::NoRows)?, persons),
            // A product beyond all numbers is refused as too many rows.
            (None, Some(persons), Some(each)) => ((persons as f64 * each).round() as u64, Some(persons)),
            (Some(rows), None, Some(each)) => (rows, Some(((rows as f64 / each).round() as u64).min(rows))),
            (None, None, Some(_)) => return Err(SettingError::NoRows.into()),
        };
        if persons.is_some_and(|persons| persons > rows) {
            return wrong(format!("there are more than the {rows} rows"), "state those that have a row");
        }
        if persons == Some(0) && rows > 0 {
            return wrong(format!("{rows} rows are nobody's"), "state about how many there are");
        }
        Ok(Self { rows: check_rows(rows)?, persons })
    }

    /// The rows that are read; `None` where the persons were not stated.
    pub fn kept(&self, contribution: u32) -> Option<KeptRows> {
        let persons = self.persons? as f64;
        if self.rows == 0 {
            return Some(KeptRows { rows: 0, share: 1.0, low: 1.0, high: 1.0 });
        }
        let mean = self.rows as f64 / persons;
        let most = f64::from(contribution);
        let few = (UNEVEN * mean / (1.0 - UNEVEN)).max(1.0);
        let many = (mean - (1.0 - UNEVEN) * few) / UNEVEN;
        let uneven = (1.0 - UNEVEN) * geometric(few, most) + UNEVEN * geometric(many, most);
        let share = |each: f64| (each / mean).clamp(0.0, 1.0);
        let expected = share(geometric(mean, most));
        let rows = (expected * self.rows as f64).round() as u64;
        Some(KeptRows { rows, share: expected, low: share(uneven), high: share(mean.min(most)) })
    }
}

/// The mean of the smaller of `most` and a geometric number, 1 or more, of this mean.
fn geometric(mean: f64, most: f64) -> f64 {
    mean * (1.0 - (1.0 - 1.0 / mean).powf(most))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(rows: u64, persons: u64, contribution: u32) -> KeptRows {
        StatedSize { rows, persons: Some(persons) }.kept(contribution).unwrap()
    }

    /// Sums over the numbers themselves, in the place of the closed form.
    fn summed(mean: f64, most: u32) -> f64 {
        let (end, more) = (1.0 / mean, 1.0 - 1.0 / mean);
        (1..20_000).map(|rows| f64::from(rows.min(most)) * end * more.powi(rows as i32 - 1)).sum()
    }

    #[test]
    fn the_closed_form_is_the_sum() {
        for mean in [1.0, 1.5, 4.0, 30.0] {
            for most in [1, 2, 7, 100] {
                let difference = geometric(mean, f64::from(most)) - summed(mean, most);
                assert!(difference.abs() < 1e-9, "{mean} {most}: {difference}");
            }
        }
    }

    #[test]
    fn more_is_kept_with_a_larger_contribution_and_never_less_than_one_row_a_person() {
        for (rows, persons) in [(1000, 1000), (1500, 1000), (40_000, 1000), (7, 7), (100_000, 1)] {
            let all: Vec<KeptRows> = [1, 2, 5, 10, 100_000].map(|most| kept(rows, persons, most)).to_vec();
            for at in &all {
                assert!(at.low <= at.share + 1e-12 && at.share <= at.high + 1e-12 && at.high <= 1.0, "{at:?}");
                assert!(at.low * rows as f64 >= persons as f64 * (1.0 - 1e-9), "{rows} {persons}: {at:?}");
            }
            assert!(all.windows(2).all(|two| two[0].share <= two[1].share && two[0].low <= two[1].low));
        }
        assert_eq!(kept(500, 500, 1), KeptRows { rows: 500, share: 1.0, low: 1.0, high: 1.0 });
        assert_eq!(kept(4000, 1000, 1).rows, 1000);
        assert!(kept(4000, 1000, 4).share < 0.7 && kept(4000, 1000, 4).high == 1.0);
    }

    #[test]
    fn two_of_three_facts_are_enough() {
        let of = |rows, persons, each| StatedSize::new(rows, persons, each).map_err(|error| error.to_string());
        let stated = Ok(StatedSize { rows: 4000, persons: Some(1000) });
        assert_eq!(of(Some(4000), Some(1000), None), stated);
        assert_eq!(of(None, Some(1000), Some(4.0)), stated);
        assert_eq!(of(Some(4000), None, Some(4.0)), stated);
        assert_eq!(of(Some(4000), None, None), Ok(StatedSize { rows: 4000, persons: None }));
        for (rows, persons, each, told) in [
            (None, None, None, "number of rows"),
            (None, Some(9), None, "number of rows"),
            (None, None, Some(2.0), "number of rows"),
            (Some(9), Some(3), Some(3.0), "two of them"),
            (Some(9), Some(10), None, "more than the 9 rows"),
            (Some(9), Some(0), None, "nobody's"),
            (Some(9), None, Some(0.5), "0.5"),
            (Some(9), None, Some(f64::NAN), "NaN"),
            (None, Some(u64::MAX), Some(1e300), "too many"),
        ] {
            let error = of(rows, persons, each).unwrap_err();
            assert!(error.contains(told), "{error}");
        }
    }
}
