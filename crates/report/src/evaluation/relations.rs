//! Correlations and tests of pairs of columns.

use lookalike_evaluate::Evaluation;
use lookalike_evaluate::evaluation::{LEVEL, agreements, correlations};
use maud::{Markup, html};

use super::shared::names;
use crate::number::{distance, percent, whole};
use crate::table::{cells, table};

pub(super) fn section(found: &Evaluation) -> Markup {
    let measures = correlations(&found.pairs.pairs).into_iter().map(|measure| {
        let (first, second, real, synthetic) = measure.worst;
        let worst = format!("{}: {real:.3}, {synthetic:.3}", names(found, first, second));
        let pairs = whole(measure.pairs as u64);
        cells(&[&measure.measure, &pairs, &distance(measure.mean_difference), &worst])
    });
    let tests = agreements(&found.pairs.pairs).into_iter().map(|test| {
        let same = test.share().map_or("-".to_owned(), percent);
        let [pairs, lost, invented] = [test.pairs, test.lost, test.invented].map(|number| whole(number as u64));
        cells(&[&test.test, &pairs, &same, &lost, &invented])
    });
    let measured =
        [("Measure", "head"), ("Pairs", "n"), ("Mean difference", "n"), ("Furthest off: real, synthetic", "wrap")];
    let tested = [("Test", "head"), ("Pairs", "n"), ("Same", "n"), ("Lost", "n"), ("Invented", "n")];
    html! {
        (table(&measured, measures))
        p.small.soft {
            "Pearson's and Spearman's correlations are for ordered columns, without missing cells. Mutual information is in nats."
        }
        h3 { "Would a researcher conclude the same?" }
        (table(&tested, tests))
        p.small.soft {
            "Dependence claimed at a level of " (percent(LEVEL)) ", pair by pair. Lost: only the real table shows it; invented: only the synthetic "
            "one. Yates' correction changes tables of two by two only."
        }
    }
}
