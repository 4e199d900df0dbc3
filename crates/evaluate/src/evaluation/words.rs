//! An evaluation in sentences, the same in a terminal and on a page.

use super::Evaluation;
use crate::disclosure::Check;
use crate::number::{percent, whole};

impl Evaluation {
    /// What was done on a part of the rows or columns only, in sentences.
    pub fn samples(&self) -> Vec<String> {
        let mut notes = Vec::new();
        let rows = [self.comparison.real_rows, self.comparison.synthetic_rows];
        if let Some(ways) = self.wide.iter().find(|ways| ways.rows != rows) {
            let [real, synthetic] = ways.rows;
            notes.push(format!(
                "Marginals of three and more columns and the NIST scores were counted on {real} real and {synthetic} synthetic rows \
                 drawn at random. A sample is further from everything; the floor beside a figure is for the same sample."
            ));
        }
        notes.extend(self.raw.as_ref().and_then(super::RawEvaluation::sample));
        if let Some(prediction) = &self.prediction {
            notes.push(format!(
                "Classifiers were trained on {} rows of each table and tested on {} real rows ({} of each for the RBF machine).",
                prediction.train[0], prediction.test, prediction.rbf
            ));
            let targets = prediction.targets.len() + prediction.constant.len();
            if targets < self.columns.len() {
                notes.push(format!("{targets} of {} columns were predicted.", self.columns.len()));
            }
            if !prediction.fresh {
                notes.push(
                    "The release was made from the test rows too. Differential privacy keeps the effect small, but give held-out rows \
                     that it has not seen for a clean test."
                        .to_owned(),
                );
            }
        }
        notes
    }

    /// What a disclosure check found, in a sentence or two.
    pub fn finding(&self, check: Check) -> String {
        let twins = &self.twins;
        let few = || "There are too few rows for it.".to_owned();
        match check {
            Check::ExactMatches => format!(
                "{} of {} synthetic rows equal a real row ({}). Of the real rows {} have a twin among the real ones.",
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
            Check::Closeness => self.closeness.map_or_else(few, |closeness| {
                let others = if closeness.fresh { "held-out real rows" } else { "the other half of the real rows" };
                format!(
                    "Median distance {:.4} from synthetic rows, {:.4} from {others}. The synthetic row is the closer one with a chance of \
                     {:.3} (0.5 ± {:.3} is alike).",
                    closeness.median[0], closeness.median[1], closeness.closer, closeness.closer_error
                )
            }),
            Check::Guesses => self.guesses.as_ref().map_or_else(few, |guesses| {
                let [synthetic, real, commonest] = guesses.means();
                format!(
                    "Right in {} of the cells from similar synthetic rows, {} from similar rows of other people, {} by the commonest value.",
                    percent(synthetic),
                    percent(real),
                    percent(commonest)
                )
            }),
            Check::Membership => self.membership.map_or_else(
                || "Needs real rows that the release was not made from.".to_owned(),
                |found| format!("Area under the curve {:.3} (0.5 ± {:.3} is a coin).", found.auc, found.error),
            ),
        }
    }
}
