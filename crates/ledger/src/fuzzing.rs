//! For the fuzzer alone: entries as somebody with the key could write them.

use crate::ReservationRequest;
use crate::book::Book;
use crate::entry::LedgerEntry;

/// Takes in entries, a line each, as far as they can stand; then draws on every data set. Says what
/// came of it.
///
/// # Panics
/// When a sum does not hold: that is a finding.
pub fn entries(text: &str) -> String {
    let mut book = Book::default();
    let mut taken = 0;
    for line in text.lines() {
        let Some(entry) = serde_json::from_str::<LedgerEntry>(line).ok() else { break };
        if book.apply(&entry).is_none() {
            break;
        }
        taken += 1;
    }
    let mut told = format!("{taken} entries");
    let zeros = ["00".to_owned()];
    for set in &book.sets {
        let terms = set.terms();
        let (neighbours, unit) = (terms.neighbours(), terms.unit());
        let (dataset, budget, method, folder) = (set.name(), terms.budget(), "", "");
        let request = ReservationRequest { dataset, budget, neighbours, unit, discovers: false, method, folder };
        told += &format!("; {} {}", set.left_in_words().split(' ').next().unwrap_or_default(), set.closed().is_some());
        let drawn = book.payers(&request, set.drawn().first().map_or(&[][..], |_| &zeros));
        told += if drawn.is_ok() { " fits" } else { " refused" };
        let rest = set.left().plus(set.reserved());
        assert!(
            rest.is_none_or(|whole| whole.fits(set.total())) || !set.reserved().fits(set.total()),
            "a sum does not hold"
        );
    }
    told
}
