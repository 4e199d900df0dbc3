//! Choose, pay, draw.

use lookalike_curator::{Curator, HistogramQuery};
use lookalike_measurement::DrawnRows;
use lookalike_privacy::MechanismKind;

use super::params::HistogramParams;
use super::reach::{Reach, short};
use crate::budget::PlanBuilder;
use crate::{MethodError, Observer, PaidRows, Request, total};

pub(super) fn draw(
    params: &HistogramParams,
    curator: &mut Curator,
    request: &Request,
    observer: &dyn Observer,
) -> Result<PaidRows, MethodError> {
    let cells = curator.histogram_cells()?;
    // Public under replace-one, which the flags were checked for.
    let rows = total::public_count(curator)?.map_or(0, |count| count.value.max(0) as u64);
    let reach = Reach::choose(params, cells, rows, curator.budget(), request)?;
    reach.words().iter().for_each(|line| observer.note(line));
    observer.phase("measuring");
    let mut plan = PlanBuilder::new(curator.neighbours(), curator.budget());
    let kind = MechanismKind::Histogram(reach.facts());
    let rows = plan.add("rows of a smoothed histogram", kind, curator.neighbours().marginal(), 1.0, 1);
    let query: HistogramQuery = plan.commit(curator)?.get(rows)?;
    let drawn = curator.histogram(&query)?;
    observer.round(1, 1);
    observer.budget(curator.share_spent());
    Ok(PaidRows { words: words(&drawn, query.smoothing.to_f64(), cells), drawn })
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
