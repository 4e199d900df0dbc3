//! What was lost, in words: by answers that were paid for.

use lookalike_schema::FoundColumn;

use crate::found::{Beyond, Found};
use crate::prices::Prices;

const NO_ROWS: &str = "no cell of any column stands out of the noise: the table may have no rows at all, and what follows is \
                       made of noise alone";
/// A range that cuts off more than this part of the numbers is told.
const CUT: f64 = 0.005;
/// So is a category of which more than this part of the cells has no value.
const LOST: f64 = 0.2;
/// That such a part of the columns is lost as a whole is told in a line before all others.
const MANY_LOST: f64 = 0.25;
/// So is a range that may cut off more than this part, for all that the noise tells.
const MAY_CUT: f64 = 0.05;

/// About the table as a whole, of about this many rows. That they are few is told where something
/// `is_lost`, which the next lines say.
pub(crate) fn of_rows(rows: f64, prices: &Prices, contribution: u32, is_lost: bool) -> Option<String> {
    if rows <= 0.0 {
        return Some(NO_ROWS.to_owned());
    }
    if !is_lost || !prices.are_too_few(rows) {
        return None;
    }
    let persons = match contribution {
        1 => String::new(),
        most => format!(
            "; up to {most} rows of a person multiply the noise by {most}, so with --contribution 1 less would be lost, here"
        ),
    };
    Some(format!(
        "there are few rows for this many columns ({:.0} times the noise of discovery; with 300 hardly anything is lost), \
         and what the next lines say is lost by that; state what is public knowledge, leave columns out, or take a larger \
         epsilon or --discover-share{persons}",
        rows / prices.noise()
    ))
}

/// How many of the columns hold nothing of what the rows have, where these are many.
pub(crate) fn of_columns(found: &[Found], ranges: &[(usize, Beyond)]) -> Option<String> {
    let is_empty = |found: &&Found| matches!(found, Some((FoundColumn::Category(values), _)) if values.is_empty());
    let lost = found.iter().filter(is_empty).count() + ranges.iter().filter(|(_, beyond)| beyond.is_fixed).count();
    (lost > 1 && lost as f64 >= MANY_LOST * found.len() as f64).then(|| {
        format!(
            "{lost} of {} columns are lost as a whole: nothing of them stands out of the noise of discovery, as the next \
             lines say; state what is public knowledge of them, leave columns out, or take a larger epsilon or \
             --discover-share",
            found.len()
        )
    })
}

/// Columns with letters of another encoding.
pub(crate) fn of_letters(names: &[String], undecodable: &[(usize, f64)]) -> Option<String> {
    let (_, most) = undecodable.iter().max_by(|(_, one), (_, two)| one.total_cmp(two))?;
    let some: Vec<String> = undecodable.iter().take(5).map(|(column, _)| format!("{:?}", names[*column])).collect();
    let more = if undecodable.len() > some.len() {
        format!(" and {} more", undecodable.len() - some.len())
    } else {
        String::new()
    };
    Some(format!(
        "about {:.0}% of the cells of {}{more} are not UTF-8 and are lost: say --encoding windows-1252 (or latin-1), if that \
         is what the file is written in",
        (100.0 * most).max(1.0),
        some.join(", ")
    ))
}

/// Categories of which no value was found, or too few.
pub(crate) fn of(names: &[String], found: &[Found], lost: &[(usize, f64)]) -> Vec<String> {
    let parts = |column: usize| lost.iter().find(|(of, _)| *of == column).map(|(_, part)| *part);
    let told = |column: usize| {
        let part = parts(column).filter(|part| *part > LOST)?;
        Some(format!(
            "{:?}: about {:.0}% of the cells have a value that too few rows have, or no two, and become \"other\"; state \
             what the column holds, or leave it out",
            names[column],
            100.0 * part.min(1.0)
        ))
    };

    let lost_whole = |(name, found): (&String, &Found)| match found {
        Some((FoundColumn::Category(values), discovered)) if values.is_empty() => Some(match discovered.threshold {
            Some(threshold) => {
                format!(
                    "{name:?}: no value has a noisy count of {threshold} or more, so all cells that are not missing become \"other\""
                )
            }
            None => format!(
                "{name:?}: values cannot be discovered at delta 0, so all cells that are not missing become \"other\""
            ),
        }),
        _ => None,
    };
    let whole = |(column, pair)| lost_whole(pair).or_else(|| told(column));
    names.iter().zip(found).enumerate().filter_map(whole).collect()
}

/// Ranges that cut off a part of the cells, one line each, and in one line those that may.
pub(crate) fn of_ranges(names: &[String], ranges: &[(usize, Beyond)]) -> Vec<String> {
    let name = |column: usize| format!("{:?}", names[column]);
    let told = |&(column, beyond): &(usize, Beyond)| match beyond {
        Beyond { is_fixed: true, .. } => {
            Some(format!("{}: no cell stands out of the noise, so its range is a fixed one", name(column)))
        }
        Beyond { about, .. } if about > CUT => Some(format!(
            "{}: about {:.1}% of the cells are beyond its range, and are drawn at its ends",
            name(column),
            100.0 * about
        )),
        _ => None,
    };
    let mut lines: Vec<String> = ranges.iter().filter_map(told).collect();
    let unsure = |(_, beyond): &&(usize, Beyond)| beyond.about <= CUT && !beyond.is_fixed && beyond.most > MAY_CUT;
    let unsure: Vec<&(usize, Beyond)> = ranges.iter().filter(unsure).collect();
    if let Some((_, worst)) = unsure.iter().max_by(|(_, one), (_, two)| one.most.total_cmp(&two.most)) {
        let some: Vec<String> = unsure.iter().take(5).map(|(column, _)| name(*column)).collect();
        let more =
            if unsure.len() > some.len() { format!(" and {} more", unsure.len() - some.len()) } else { String::new() };
        lines.push(format!(
            "the noise may hide up to {:.0}% of the cells beyond the ranges of {}{more}",
            100.0 * worst.most.min(1.0),
            some.join(", ")
        ));
    }
    lines
}

/// Columns that got words of a public list.
pub(crate) fn of_lists(names: &[String], added: &[usize]) -> Vec<String> {
    let told = |(name, words): (&String, &usize)| {
        (*words > 0)
            .then(|| format!("{name:?}: {words} words of a public list stand beside the values that were found; cells of values that were not may become any of them"))
    };
    names.iter().zip(added).filter_map(told).collect()
}
