//! Bars under a condition that cuts bins: nobody knows how the rows of a bin are spread.

use lookalike_schema::{Clique, CodeBox, Domain, Filter};

use super::interval::CellEstimate;
use super::question::{ColumnsInGroups, MarginalQuestion};

/// Cells, and all rows that are meant.
pub(super) type Estimates = (Vec<CellEstimate>, CellEstimate);

/// Estimates of the rows that are meant, from those of the rows that surely are and of those that
/// may be. A cell with rows in a cut bin lies anywhere between none of them and all of them; others
/// are as they were measured.
pub(super) fn between(
    surely: Estimates,
    possibly: Estimates,
    domain: &Domain,
    query: &Clique,
    filter: &Filter,
    groups: &ColumnsInGroups,
) -> Estimates {
    let joined = |low: CellEstimate, high: CellEstimate| CellEstimate::Bound {
        low: low.interval().low,
        high: high.interval().high.max(low.interval().low),
    };
    let doubtful = filter.doubtful();
    let about =
        |one: &CodeBox| CodeBox { parts: one.parts.iter().filter(|part| query.contains(part.0)).cloned().collect() };
    let shown = Filter::from_boxes(doubtful.boxes().iter().map(about).collect());
    let question = MarginalQuestion::new(domain, &[], query, &shown, groups);
    let ((surely, surely_whole), (mut bars, whole)) = (surely, possibly);
    let mut touching = Vec::new();
    question.each_cell(|cell, codes| {
        question.meant(codes, &mut touching);
        if !touching.is_empty() {
            bars[cell] = joined(surely[cell], bars[cell]);
        }
    });
    let whole = match doubtful.boxes() {
        [] => whole,
        _ => joined(surely_whole, whole),
    };
    (bars, whole)
}
