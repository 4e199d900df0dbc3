//! A marginal of a released model, with error bars: free of charge.

mod answer;
mod columns;
mod notes;
#[cfg(test)]
mod tests;
mod write;

use lookalike_model::{MOST_WORK, Model, ModelError, ShownCells};
use lookalike_schema::{AttrId, Clique, CodeBox, Filter, ImpossibleRule, Schema};

pub use answer::{Answer, Cell, Errors, IntervalKind};

use answer::State;

use crate::error::{Error, SettingError};
use crate::release::Release;

/// Larger answers are refused: nobody reads them, and as text they would fill a disk.
const MOST_CELLS: u64 = 10_000_000;

/// What is asked of a model, as typed.
#[derive(Clone, Debug, Default)]
pub struct Question {
    /// The columns, with commas between them; a name that has a comma or a quote in it stands in
    /// double quotes. Empty: no columns, only the number of rows.
    pub columns: String,
    /// Only rows that meet this condition, in the words of `docs/where.md`.
    pub condition: Option<String>,
}

impl Release {
    /// Asks the model for a marginal with error bars, free of charge; see [`query`].
    pub fn query(&self, question: &Question) -> Result<Answer, Error> {
        query(self.model().ok_or(Error::NoModel)?, question)
    }
}

/// Asks a model for a marginal.
///
/// Refuses columns that the model lacks or that are named twice, a condition that is mistaken or
/// that no possible row meets, and answers of more than ten million cells.
pub fn query(model: &Model, question: &Question) -> Result<Answer, Error> {
    let schema = model.schema();
    let attributes = columns::parse(schema, &question.columns)?;
    let clique = Clique::new(attributes.iter().copied());
    let filter = match &question.condition {
        Some(text) => Filter::parse(schema, text)?,
        None => Filter::everything(),
    };
    let shown = model.shown(&clique, &filter)?;
    let Some(cells) = shown.cells().filter(|&cells| cells <= MOST_CELLS) else {
        let columns = question.columns.clone();
        return Err(SettingError::TooManyCells { columns, most: MOST_CELLS }.into());
    };
    let (shares, meant) = match shown.marginal() {
        Ok(shares) if question.condition.is_none() => (shares, 1.0),
        Ok(shares) => (shares, model.probability(&filter)?),
        // The fit has no such rows, but the answers may still leave room for some.
        Err(ModelError::Impossible) if may_hold_rows(schema, &filter) => (vec![0.0; cells as usize], 0.0),
        Err(error) => return Err(error.into()),
    };
    let bars = match (model.answers(), model.measured()) {
        ([], []) => None,
        _ => Some(shown.error_bars(MOST_WORK)?),
    };
    let mut answer = Answer {
        columns: attributes.iter().map(|&attribute| schema.column(attribute).name.clone()).collect(),
        condition: question.condition.clone(),
        origin: model.origin().clone(),
        axes: axes(schema, &shown, &clique, &attributes),
        total: model.total() * meant,
        state: states(schema, &shown, &clique, &filter, shares.len()),
        shares,
        bars,
        notes: Vec::new(),
    };
    answer.notes = notes::of(&answer, model, &filter);
    Ok(answer)
}

/// Whether some row that the condition means is possible by the schema, as far as single rules
/// tell.
fn may_hold_rows(schema: &Schema, filter: &Filter) -> bool {
    let forbids = |one: &CodeBox, rule: &ImpossibleRule| {
        rule.parts.iter().all(|(attribute, codes)| {
            one.codes(*attribute).is_some_and(|taken| taken.iter().all(|code| codes.binary_search(code).is_ok()))
        })
    };
    filter.boxes().iter().any(|one| !schema.impossible().iter().any(|rule| forbids(one, rule)))
}

/// Labels of the asked columns, and the steps of their codes in the marginal, whose columns ascend.
fn axes(schema: &Schema, shown: &ShownCells, clique: &Clique, asked: &[AttrId]) -> Vec<(Vec<String>, usize)> {
    let step = |attribute: AttrId| {
        let behind = clique.attributes().iter().filter(|&&other| other > attribute);
        behind.map(|&other| shown.size(other)).product::<usize>()
    };
    let labels = |attribute: AttrId| {
        let codec = schema.codec(attribute);
        let codes = || (0..codec.size()).map(|code| codec.label(code)).collect::<Vec<_>>();
        shown.grouping(attribute).map_or_else(codes, |groups| codec.labels(groups))
    };
    asked.iter().map(|&attribute| (labels(attribute), step(attribute))).collect()
}

/// Which cells of the marginal can hold a row.
fn states(schema: &Schema, shown: &ShownCells, clique: &Clique, filter: &Filter, cells: usize) -> Vec<State> {
    let attributes = clique.attributes();
    let about = |parts: &[(AttrId, Vec<u32>)]| {
        parts.iter().all(|part| clique.contains(part.0)).then(|| by_axis(shown, attributes, parts))
    };
    let rules: Vec<Vec<Option<Vec<bool>>>> = schema.impossible().iter().filter_map(|rule| about(&rule.parts)).collect();
    let boxes: Vec<Vec<Option<Vec<bool>>>> =
        filter.boxes().iter().map(|one| by_axis(shown, attributes, &one.parts)).collect();
    let mut codes = vec![0usize; attributes.len()];
    let mut states = Vec::with_capacity(cells);
    for _ in 0..cells {
        let within = |axes: &Vec<Option<Vec<bool>>>| {
            axes.iter().zip(&codes).all(|(axis, &code)| axis.as_ref().is_none_or(|taken| taken[code]))
        };
        states.push(if !boxes.iter().any(within) {
            State::LeftOut
        } else if rules.iter().any(within) {
            State::Impossible
        } else {
            State::Open
        });
        for (code, &attribute) in codes.iter_mut().zip(attributes).rev() {
            *code += 1;
            if *code < shown.size(attribute) {
                break;
            }
            *code = 0;
        }
    }
    states
}

/// For each attribute which codes are listed, or which groups with all of their codes; `None` where
/// no part speaks of it.
fn by_axis(shown: &ShownCells, attributes: &[AttrId], parts: &[(AttrId, Vec<u32>)]) -> Vec<Option<Vec<bool>>> {
    let listed = |&attribute: &AttrId| {
        let (_, codes) = parts.iter().find(|part| part.0 == attribute)?;
        let mut missing = vec![1u32; shown.size(attribute)];
        let groups = shown.grouping(attribute);
        if let Some(groups) = groups {
            missing.fill(0);
            groups.runs().for_each(|(group, len)| missing[group as usize] += len);
        }
        let place = |code: u32| groups.map_or(code, |groups| groups.group(code)) as usize;
        codes.iter().for_each(|&code| missing[place(code)] -= 1);
        Some(missing.into_iter().map(|missing| missing == 0).collect())
    };
    attributes.iter().map(listed).collect()
}
