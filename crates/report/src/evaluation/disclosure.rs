//! The checks that a board asks for, each with what it does not prove.

use lookalike_evaluate::Evaluation;
use lookalike_evaluate::disclosure::Check;
use maud::{Markup, html};

pub(super) fn section(found: &Evaluation) -> Markup {
    html! {
        p {
            "The protection of people is the (epsilon, delta) statement of the release. These checks look for accidents; none of them can replace it."
        }
        @for check in Check::ALL {
            @let words = check.words();
            h3 { (words.name) }
            p { (words.reading) }
            p { strong { (found.finding(check)) } }
            p.small.soft { (words.limit) }
        }
    }
}
