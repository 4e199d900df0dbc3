//! Choose, pay, draw.

use lookalike_curator::{CountQuery, Curator, CuratorError, HistogramQuery, Noise};
use lookalike_measurement::DrawnRows;
use lookalike_privacy::{MechanismKind, Plan, PlanItem, Rational, Step};

use super::params::HistogramParams;
use super::reach::{Reach, short};
use crate::{MethodError, Observer, PaidRows, Request, planned};

pub(super) fn draw(
    params: &HistogramParams,
    curator: &mut Curator,
    request: &Request,
    observer: &dyn Observer,
) -> Result<PaidRows, MethodError> {
    let cells = curator.histogram_cells()?;
    // Public and free under replace-one; the noise is not used.
    let noise = Noise::Laplace(Rational::new(1, 1).map_err(CuratorError::from)?);
    let rows = curator.row_count(&CountQuery { noise })?.value.max(0) as u64;
    let reach = Reach::choose(params, cells, rows, curator.budget(), request)?;
    reach.words().iter().for_each(|line| observer.note(line));
    observer.phase("measuring");
    let item = PlanItem {
        label: "rows of a smoothed histogram".into(),
        kind: MechanismKind::Histogram(reach.facts()),
        sensitivity: curator.neighbours().marginal(),
        share: 1.0,
        copies: 1,
    };
    let plan = curator.commit(&Plan { items: vec![item] })?;
    let Some(Step::Histogram { smoothing, histogram }) = plan.steps().first().map(|planned| planned.step.clone())
    else {
        return Err(planned::broken_plan());
    };
    let drawn = curator.histogram(&HistogramQuery { draws: histogram.draws, smoothing })?;
    observer.round(1, 1);
    observer.budget(curator.share_spent());
    Ok(PaidRows { words: words(&drawn, smoothing.to_f64(), cells), drawn })
}

/// What a reader of the rows must know.
fn words(drawn: &DrawnRows, smoothing: f64, cells: u64) -> Vec<String> {
    let (rows, d) = (drawn.cells.len(), short(smoothing));
    vec![
        format!(
            "Each of the {rows} rows was drawn by itself. With probability {d} (the smoothing) it is one of the {cells} possible \
             combinations of codes, all equally likely; otherwise it has the codes of a record chosen at random. A row may \
             therefore agree with a real record. Nobody can tell such a row from a uniform one: that is what the guarantee \
             rests on."
        ),
        format!(
            "Relations between all columns are in the rows, but diluted. A group with the share p of the records has about the \
             share (1 - {d}) p + {d} u of the rows, where u is its share of the possible combinations. To undo it, subtract \
             {d} u from the share that you see and divide by 1 - {d}."
        ),
        format!(
            "Shares of so few rows scatter: the typical error of a share s that you see is the square root of s (1 - s) / {rows}, \
             and undoing the smoothing divides that error by 1 - {d} too."
        ),
    ]
}
