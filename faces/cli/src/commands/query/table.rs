//! An answer as a person reads it.

use lookalike::metrics::number::whole;
use lookalike::{Answer, Cell, Interval, IntervalKind};

use super::super::layout::{letters, wrapped};
use crate::stdout;

/// A space at which no line ends.
const TIED: char = '\u{a0}';

/// What the numbers are.
const LEGEND: &str = "error: one standard error. Interval and error are those of the noisy answers; the count is the \
                      model's, which agrees with all of them, so that it may lie to one side.";

/// Labels are not made shorter than this.
const LEAST_LABEL: usize = 6;

/// The answer as text, at most that wide where labels can be shortened, and of at most that many
/// lines.
pub fn show(answer: &Answer, width: usize, most: Option<usize>) -> String {
    let mut page: Vec<String> = tied(&answer.origin().guarantee, width);
    let known = answer.total_interval();
    let counted = decimals(known.and_then(|interval| interval.error));
    let error = match known {
        Some(Interval { low, high, error }) => {
            let kind = if error.is_some() { "95% interval" } else { "bound" };
            format!(" ({kind}: {}{TIED}to{TIED}{})", number(low, counted), number(high, counted))
        }
        None => String::new(),
    };
    let total = format!("{}{error}", number(answer.total(), counted));
    let which = answer.condition().map_or_else(String::new, |condition| format!(" where {condition}"));
    page.extend(tied(&format!("Rows{which}: {total}"), width));
    if !answer.columns().is_empty() {
        page.push(String::new());
        page.extend(lines(answer, width, most));
        let left = answer.len().saturating_sub(most.unwrap_or(usize::MAX));
        if left > 0 {
            let left = whole(left as u64);
            page.push(format!("... and {left} more lines; --format csv or -o FILE has all of them"));
        }
    }
    let has_errors = |cell: Cell| cell.errors.is_some_and(|errors| errors.count.error.is_some());
    let legend = answer.cells().take(100).any(has_errors).then_some(LEGEND);
    for note in legend.into_iter().chain(answer.notes().iter().map(String::as_str)) {
        page.push(String::new());
        page.extend(tied(note, width));
    }
    page.iter().map(|line| format!("{}\n", line.trim_end())).collect()
}

fn lines(answer: &Answer, width: usize, most: Option<usize>) -> Vec<String> {
    let cells: Vec<Cell> = answer.cells().take(most.unwrap_or(usize::MAX)).collect();
    let labels: Vec<Vec<String>> =
        cells.iter().map(|cell| cell.values.iter().map(|value| printable(value)).collect()).collect();
    let heads: Vec<String> = answer.columns().iter().map(|name| printable(name)).collect();
    let numbers = numbers(&cells);
    let widest = |texts: &mut dyn Iterator<Item = usize>| texts.max().unwrap_or(0);
    let mut label_widths: Vec<usize> = (0..heads.len())
        .map(|at| widest(&mut std::iter::once(&heads[at]).chain(labels.iter().map(|row| &row[at])).map(|t| letters(t))))
        .collect();
    let number_widths: Vec<usize> =
        (0..numbers[0].len()).map(|at| widest(&mut numbers.iter().map(|row| letters(&row[at])))).collect();
    let room = width.saturating_sub(number_widths.iter().map(|width| width + 2).sum::<usize>());
    narrow(&mut label_widths, room);
    let line = |labels: &[String], numbers: &[String]| {
        let labels = labels.iter().zip(&label_widths).map(|(text, &width)| format!("{:<width$}", cut(text, width)));
        let numbers = numbers.iter().zip(&number_widths).map(|(text, &width)| format!("{text:>width$}"));
        labels.chain(numbers).collect::<Vec<_>>().join("  ")
    };
    let mut shown = vec![stdout::strong(line(&heads, &numbers[0]).trim_end())];
    shown.extend(labels.iter().zip(&numbers[1..]).map(|(labels, numbers)| line(labels, numbers)));
    shown
}

/// The heads and the numbers of every line.
fn numbers(cells: &[Cell]) -> Vec<Vec<String>> {
    let heads = ["count", "error", "share", "95% interval"];
    let largest =
        cells.iter().filter_map(|cell| cell.errors).filter_map(|errors| errors.count.error).fold(0.0, f64::max);
    // Bounds are wide: where there is nothing else, whole numbers will do.
    let counted = match cells.iter().any(|cell| cell.errors.is_some()) {
        true if largest == 0.0 => 0,
        true => decimals(Some(largest)),
        false => decimals(None),
    };
    let percents = if cells.len() > 20 { 2 } else { 1 };
    let mut rows = vec![heads.map(str::to_owned).to_vec()];
    for cell in cells {
        let (error, interval) = match cell.errors {
            Some(errors) => {
                // The words are explained by the notes below the table.
                let error = match (errors.kind, errors.count.error) {
                    (IntervalKind::Impossible, _) => "impossible".to_owned(),
                    (IntervalKind::LowerBound, Some(error)) => format!("at least {}", number(error, counted)),
                    (_, Some(error)) => number(error, counted),
                    (_, None) => "bound".to_owned(),
                };
                let Interval { low, high, .. } = errors.count;
                (error, format!("{} to {}", number(low, counted), number(high, counted)))
            }
            None => ("?".to_owned(), "?".to_owned()),
        };
        rows.push(vec![number(cell.count, counted), error, format!("{:.percents$}%", cell.share * 100.0), interval]);
    }
    rows
}

/// As many decimals as the error leaves a sense to.
fn decimals(error: Option<f64>) -> usize {
    match error {
        Some(error) if error < 1.0 => 2,
        Some(error) if error < 10.0 => 1,
        Some(_) => 0,
        None => 1,
    }
}

/// A number with commas between thousands.
fn number(value: f64, decimals: usize) -> String {
    let text = format!("{:.decimals$}", value.abs());
    let (digits, rest) = text.split_at(text.find('.').unwrap_or(text.len()));
    digits.parse().map_or_else(|_| digits.to_owned(), whole) + rest
}

/// Takes from the widest labels until they fit.
fn narrow(widths: &mut [usize], room: usize) {
    while widths.iter().map(|width| width + 2).sum::<usize>() > room + 2 {
        let Some(widest) = widths.iter_mut().max() else { return };
        if *widest <= LEAST_LABEL {
            return;
        }
        *widest -= 1;
    }
}

fn cut(text: &str, width: usize) -> String {
    if letters(text) <= width {
        return text.to_owned();
    }
    text.chars().take(width.saturating_sub(2)).collect::<String>() + ".."
}

/// Words of a schema come from a file: control characters could move the cursor.
fn printable(text: &str) -> String {
    text.chars().map(|letter| if letter.is_control() { '\u{fffd}' } else { letter }).collect()
}

/// Harmless words in lines of that width, none of which ends at a tied space.
fn tied(text: &str, width: usize) -> Vec<String> {
    wrapped(&printable(text), width).iter().map(|line| line.replace(TIED, " ")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_for_people() {
        assert_eq!(number(1_234_567.4, 0), "1,234,567");
        assert_eq!(number(999.96, 1), "1,000.0");
        assert_eq!(number(0.0, 2), "0.00");
    }

    #[test]
    fn labels_give_way_from_the_widest_on() {
        let mut widths = vec![30, 10, 8];
        narrow(&mut widths, 40);
        assert!(widths.iter().map(|width| width + 2).sum::<usize>() <= 42, "{widths:?}");
        assert_eq!(widths[2], 8);
        assert_eq!(cut("a long label", 8), "a long..");
    }

    #[test]
    fn lines_are_wrapped_and_harmless() {
        assert_eq!(tied("one two three", 7), ["one two", "three"]);
        assert_eq!(tied("one two\u{a0}three", 7), ["one", "two three"]);
        assert_eq!(printable("a\u{1b}[2J"), "a\u{fffd}[2J");
    }
}
