//! Models: those that tell synthetic from real rows, and those that are trained on synthetic rows.

use lookalike_evaluate::Evaluation;
use lookalike_evaluate::predict::{ModelKind, Prediction, TargetResult};
use maud::{Markup, html};

use super::shared::both;
use crate::chart::{BarSeries, bars};
use crate::number::{percent, short, whole};
use crate::table::{cells, fact, facts, table};

pub(super) fn propensity(found: &Evaluation) -> Markup {
    let Some(telling) = found.propensity else { return html! { p { "There are too few rows for it." } } };
    html! {
        (facts([
            fact("pMSE", format!("{:.5}", telling.pmse), "logistic regression on single columns: 0 cannot tell"),
            fact("pMSE over chance", short(telling.ratio), format!(
                "1 is what rows dealt out at random give, (k - 1) c (1 - c) / N with k = {} weights",
                whole(telling.weights as u64)
            )),
            fact("Forest", format!("{:.3}", telling.forest_auc), format!(
                "area under the curve on rows its trees have not seen; 0.5 ± {:.3} cannot tell",
                telling.auc_error
            )),
        ]))
        p.small.soft {
            "Trained on " (whole(telling.rows[0] as u64)) " real and " (whole(telling.rows[1] as u64)) " synthetic rows. The logistic model sees single "
            "columns, the forest also their relations."
        }
    }
}

pub(super) fn prediction(found: &Evaluation) -> Markup {
    let Some(prediction) = &found.prediction else {
        return html! { p { "There are too few rows or columns to train anything." } };
    };
    if prediction.targets.is_empty() {
        return html! { p { "No target has two classes in the real rows." } };
    }
    html! {
        (picture(found, prediction))
        (targets(found, prediction))
        p.small.soft {
            "Shares of wrong answers on real rows, trained on real / on synthetic rows. Majority always answers the commonest class. U is the risk gap: "
            "the difference of both trainings on the real training rows, of logistic regression."
        }
        @if let Some(ranking) = prediction.ranking {
            p {
                "Pairs of models that real and synthetic rows put in the same order: " strong { (percent(ranking)) }
                ". Somebody who has only the release would choose the same model so often."
            }
        }
    }
}

fn picture(found: &Evaluation, prediction: &Prediction) -> Markup {
    let best: Vec<(f64, f64)> = prediction.targets.iter().map(|target| target.best().unwrap_or_default()).collect();
    let (synthetic, real): (Vec<f64>, Vec<f64>) = best.into_iter().unzip();
    let label = |index: usize| found.name(prediction.targets[index].target).to_owned();
    let series = [
        BarSeries { shares: &real, class: "a", word: "trained on real rows" },
        BarSeries { shares: &synthetic, class: "b", word: "trained on synthetic rows" },
    ];
    html! {
        p.small { span.key.a {} "trained on real rows " span.key.b {} "trained on synthetic rows" }
        figure { (bars("Wrong answers of the best model for each target", &label, &series)) }
    }
}

fn targets(found: &Evaluation, prediction: &Prediction) -> Markup {
    // A forest knows its training rows by heart, which says nothing about the release.
    let gap = |target: &TargetResult| {
        target.models.iter().find(|model| model.model == ModelKind::Logistic).map_or(0.0, |model| model.risk_gap)
    };
    let mut titles = vec![("Target", "wrap"), ("Classes", "n"), ("Majority", "n")];
    titles.extend(ModelKind::ALL.iter().map(|model| (model.name(), "n both")));
    titles.push(("U", "n"));
    let row = |target: &TargetResult| {
        let classes = format!("{}{}", target.classes, if target.grouped { "*" } else { "" });
        let mut row = cells(&[&found.name(target.target), &classes, &three(target.majority)]);
        row.extend(target.models.iter().map(|model| both(&three(model.real), &three(model.synthetic))));
        row.extend(cells(&[&three(gap(target))]));
        row
    };
    html! {
        (table(&titles, prediction.targets.iter().map(row)))
        @if prediction.targets.iter().any(|target| target.grouped) { p.small.soft { "* codes were grouped into classes." } }
    }
}

fn three(value: f64) -> String {
    format!("{value:.3}")
}
