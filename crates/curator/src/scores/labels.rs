//! Words for thousands of scores: short, and complete.
//!
//! A batch may score every pair of 200 columns. Pairs that follow each other and begin with the
//! same column share a label, which names all of them; the ledger and the statement write equal
//! charges once, with their number.

use lookalike_schema::{AttrId, View};

use crate::{Score, ScoreQuery};

/// The most columns that are named in one shared label.
const MOST_NAMES: usize = 16;

/// The label of every query, in order.
pub(crate) fn of(queries: &[ScoreQuery], view: &View) -> Vec<String> {
    let mut labels = Vec::with_capacity(queries.len());
    let mut start = 0;
    while start < queries.len() {
        let length = run_length(&queries[start..]);
        let run = &queries[start..start + length];
        start += length;
        match pair(&run[0].score) {
            Some((first, _)) => label_run(run, first, view, &mut labels),
            None => labels.push(alone(&run[0].score, view)),
        }
    }
    labels
}

/// The two columns of a symmetric score of a pair, in the schema's order.
fn pair(score: &Score) -> Option<(AttrId, AttrId)> {
    match (score, score.clique().attributes()) {
        // F is about one of the two.
        (Score::DistanceToModel { .. } | Score::MaximumJoint { .. }, _) => None,
        (_, &[first, second]) => Some((first, second)),
        _ => None,
    }
}

/// How many queries from the first on are pairs with the same first column, the second ascending.
fn run_length(queries: &[ScoreQuery]) -> usize {
    let Some((first, mut last)) = pair(&queries[0].score) else { return 1 };
    let more = queries[1..].iter().take_while(|query| match pair(&query.score) {
        Some((other, second)) if other == first && second > last && query.score.name() == queries[0].score.name() => {
            last = second;
            true
        }
        _ => false,
    });
    1 + more.count()
}

fn label_run(run: &[ScoreQuery], first: AttrId, view: &View, labels: &mut Vec<String>) {
    let score = run[0].score.name();
    let name = |attribute: AttrId| view.name(attribute);
    // The seconds ascend, so their number tells whether all are there.
    let after = |columns: usize| run.len() > 1 && first.index() + 1 + run.len() == columns;
    let last = run.last().and_then(|query| pair(&query.score)).map_or(0, |pair| pair.1.index() + 1);
    let all = match last {
        columns if after(columns) && columns == view.own() => Some("with each column after it"),
        columns if after(columns) && columns == view.domain().len() => {
            Some("with each column after it, derived ones too")
        }
        _ => None,
    };
    if let Some(all) = all {
        let label = format!("{score} of {} {all}", name(first));
        labels.extend(std::iter::repeat_n(label, run.len()));
        return;
    }
    for part in run.chunks(MOST_NAMES) {
        let names: Vec<&str> = part.iter().filter_map(|query| pair(&query.score)).map(|pair| name(pair.1)).collect();
        let label = format!("{score} of {} with {}", name(first), names.join(", "));
        labels.extend(std::iter::repeat_n(label, part.len()));
    }
}

/// The label of a score that shares its own with no other.
fn alone(score: &Score, view: &View) -> String {
    match score {
        Score::Dependence { child, parents }
        | Score::MaximumJoint { child, parents }
        | Score::Information { child, parents } => {
            let child = view.name(*child);
            format!("{} of {child} given {}", score.name(), view.names(parents))
        }
        Score::DistanceToModel { clique, .. } => format!("{} of {}", score.name(), view.names(clique)),
    }
}
