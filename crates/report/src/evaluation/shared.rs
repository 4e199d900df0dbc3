//! What several parts of the page use.

use lookalike_evaluate::Evaluation;
use lookalike_schema::AttrId;
use maud::{Markup, html};

/// Marginals in the lists of the worst.
pub(super) const WORST: usize = 8;
/// Lines of a table before the rest is folded.
pub(super) const SHOWN: usize = 40;

/// Two figures, in a cell of class `both`: where there is no room beside each other, one goes below
/// the other, and a time below its day.
pub(super) fn both(real: &str, synthetic: &str) -> Markup {
    let parts = |text: &str| -> Vec<String> { text.split('T').map(str::to_owned).collect() };
    let mut real = parts(real);
    if let Some(last) = real.last_mut() {
        last.push_str(" /");
    }
    html! { @for part in real.into_iter().chain(parts(synthetic)) { span { (part) } " " } }
}

/// The names of two columns.
pub(super) fn names(found: &Evaluation, first: AttrId, second: AttrId) -> String {
    found.names(&[first, second])
}
