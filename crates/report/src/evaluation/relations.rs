//! Correlations and tests of pairs of columns.

use lookalike_evaluate::Evaluation;
use lookalike_evaluate::evaluation::{LEVEL, agreements, correlations};
use maud::{Markup, html};

use super::names;
use crate::number::{percent, whole};

pub(super) fn section(found: &Evaluation) -> Markup {
    html! {
        div.scroll { table {
            thead { tr { th { "Measure" } th.n { "Pairs" } th.n { "Mean difference" } th { "Furthest off: real, synthetic" } } }
            tbody {
                @for measure in correlations(&found.pairs.pairs) {
                    @let (first, second, real, synthetic) = measure.worst;
                    tr {
                        th { (measure.measure) } td.n { (whole(measure.pairs as u64)) } td.n { (format!("{:.4}", measure.mean_difference)) }
                        td.wrap { (names(found, first, second)) ": " (format!("{real:.3}, {synthetic:.3}")) }
                    }
                }
            }
        } }
        p.small.soft {
            "Pearson's and Spearman's correlations are for ordered columns, without missing cells. Mutual information is in nats."
        }
        h3 { "Would a researcher conclude the same?" }
        div.scroll { table {
            thead { tr { th { "Test" } th.n { "Pairs" } th.n { "Same" } th.n { "Lost" } th.n { "Invented" } } }
            tbody {
                @for test in agreements(&found.pairs.pairs) {
                    tr {
                        th { (test.test) } td.n { (whole(test.pairs as u64)) } td.n { (test.share().map_or("-".to_owned(), percent)) }
                        td.n { (whole(test.lost as u64)) } td.n { (whole(test.invented as u64)) }
                    }
                }
            }
        } }
        p.small.soft {
            "Dependence claimed at a level of " (percent(LEVEL)) ", pair by pair. Lost: only the real table shows it; invented: only the synthetic "
            "one. Yates' correction changes tables of two by two only."
        }
    }
}
