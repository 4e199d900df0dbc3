//! The checks that a board asks for, each with what it does not prove.

use lookalike_evaluate::Evaluation;
use lookalike_evaluate::disclosure::Check;
use maud::{Markup, html};

use crate::number::{percent, whole};

pub(super) fn section(found: &Evaluation) -> Markup {
    html! {
        p {
            "The protection of people is the (epsilon, delta) statement of the release. These checks look for accidents; none of them can replace it."
        }
        @for check in Check::ALL {
            h3 { (check.name()) }
            p { (check.reading()) }
            p { strong { (figures(found, check)) } }
            p.small.soft { (check.limit()) }
        }
    }
}

fn figures(found: &Evaluation, check: Check) -> String {
    let twins = &found.twins;
    match check {
        Check::ExactMatches => format!(
            "{} of {} synthetic rows equal a real row ({}). Of the real rows {} have a twin.",
            whole(twins.matched),
            whole(twins.synthetic),
            percent(twins.match_rate()),
            percent(twins.real_rate())
        ),
        Check::UniqueRows => format!(
            "{} real rows are unique; {} of them ({}) reappear.",
            whole(twins.unique),
            whole(twins.unique_matched),
            percent(twins.unique_rate())
        ),
        Check::Closeness => match found.closeness {
            None => "There are too few rows for it.".into(),
            Some(closeness) => format!(
                "Median distance {:.4} from synthetic rows, {:.4} from other real rows{}. A synthetic row is the closer one with a chance of {:.3} \
                 (0.5 ± {:.3} is alike).",
                closeness.median[0],
                closeness.median[1],
                if closeness.fresh { " (held out)" } else { " (the other half)" },
                closeness.closer,
                closeness.closer_error
            ),
        },
        Check::Guesses => match &found.guesses {
            None => "There are too few rows for it.".into(),
            Some(guesses) => {
                let [synthetic, real, commonest] = guesses.means();
                format!(
                    "Right in {} of the cells from synthetic rows, {} from other people's rows, {} by the commonest value.",
                    percent(synthetic),
                    percent(real),
                    percent(commonest)
                )
            }
        },
        Check::Membership => match found.membership {
            None => "Needs real rows that the release was not made from: --holdout.".into(),
            Some(found) => format!("Area under the curve {:.3} (0.5 ± {:.3} is a coin).", found.auc, found.error),
        },
    }
}
