//! A marginal of a released model, with error bars: free of charge.

mod columns;
mod notes;
#[cfg(test)]
mod tests;
mod write;

use lookalike_model::MOST_WORK;
use lookalike_model::{ErrorBars, Interval, Model, ModelError, Origin};
use lookalike_schema::{AttrId, Clique, CodeBox, Filter, ImpossibleRule, Schema};

use crate::Error;

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

/// A marginal with error bars.
#[derive(Clone, Debug)]
pub struct Answer {
    columns: Vec<String>,
    condition: Option<String>,
    origin: Origin,
    /// For each asked column its labels, and how far apart its codes lie among the cells of the
    /// marginal.
    axes: Vec<(Vec<String>, usize)>,
    /// The estimated number of rows that are meant.
    total: f64,
    shares: Vec<f64>,
    /// Cells that cannot hold a row: left out by the condition, or impossible by the schema.
    state: Vec<State>,
    bars: Option<ErrorBars>,
    notes: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Open,
    /// The schema says that there is none.
    Impossible,
    /// The condition leaves it out.
    LeftOut,
}

/// One line of an answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell<'a> {
    /// The columns' values: words, bins as ranges, `(missing)`.
    pub values: Vec<&'a str>,
    /// The estimated number of rows.
    pub count: f64,
    /// The share of the rows that are meant: all rows, or those that meet the condition.
    pub share: f64,
    /// The errors of both, unless the model does not say what it was made from.
    pub errors: Option<Errors>,
}

/// How far a cell may be off because of the noise.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Errors {
    /// What the intervals are.
    pub kind: IntervalKind,
    /// A 95% interval of the count, at least 0.
    pub count: Interval,
    /// A 95% interval of the share, between 0 and 1.
    pub share: Interval,
}

/// What an interval is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IntervalKind {
    /// The count was measured: an estimate with a standard error.
    Interval,
    /// It was not: limits from what was measured around it.
    Bound,
    /// The schema says that there are no such rows.
    Impossible,
    /// The model's file keeps no answers: the error is at least this.
    LowerBound,
}

impl IntervalKind {
    /// The word in an answer for programs.
    pub fn word(self) -> &'static str {
        match self {
            Self::Interval => "interval",
            Self::Bound => "bound",
            Self::Impossible => "impossible",
            Self::LowerBound => "lower bound",
        }
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
    match schema.domain().cells(&clique) {
        Some(cells) if cells <= MOST_CELLS => {}
        _ => {
            let what = format!("{}: more than {MOST_CELLS} cells", question.columns);
            return Err(Error::usage(what, "ask for fewer columns"));
        }
    }
    let filter = match &question.condition {
        Some(text) => Filter::parse(schema, text)?,
        None => Filter::everything(),
    };
    let (shares, meant) = match &question.condition {
        Some(_) => match model.marginal_where(&clique, &filter) {
            Ok(shares) => (shares, model.probability(&filter)?),
            // The fit has no such rows, but the answers may still leave room for some.
            Err(ModelError::Impossible) if may_hold_rows(schema, &filter) => {
                (vec![0.0; schema.domain().cells(&clique).unwrap_or(0) as usize], 0.0)
            }
            Err(error) => return Err(error.into()),
        },
        None => (model.marginal(&clique)?, 1.0),
    };
    let bars = match (model.answers(), model.measured()) {
        ([], []) => None,
        _ => Some(model.error_bars(&clique, &filter, MOST_WORK)?),
    };
    let mut answer = Answer {
        columns: attributes.iter().map(|&attribute| schema.column(attribute).name.clone()).collect(),
        condition: question.condition.clone(),
        origin: model.origin().clone(),
        axes: axes(schema, &clique, &attributes),
        total: model.total() * meant,
        state: states(schema, &clique, &filter, shares.len()),
        shares,
        bars,
        notes: Vec::new(),
    };
    answer.notes = notes::of(&answer, model);
    Ok(answer)
}

impl Answer {
    /// The columns, in the order of the question.
    pub fn columns(&self) -> &[String] {
        &self.columns
    }

    /// The condition, as typed.
    pub fn condition(&self) -> Option<&str> {
        self.condition.as_deref()
    }

    /// The model's method and guarantee.
    pub fn origin(&self) -> &Origin {
        &self.origin
    }

    /// The estimated number of rows that are meant.
    pub fn total(&self) -> f64 {
        self.total
    }

    /// The interval of the total.
    pub fn total_interval(&self) -> Option<Interval> {
        self.bars.as_ref().map(|bars| bars.total(self.total))
    }

    /// Whether some lines are bounds; [`notes`](Self::notes) say why.
    pub fn has_bounds(&self) -> bool {
        let Some(bars) = &self.bars else { return false };
        (0..self.shares.len()).any(|place| self.state[place] == State::Open && bars.count(place, 0.0).is_bound())
    }

    /// What has to be known to read the numbers, one sentence or two each.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// The number of lines.
    pub fn len(&self) -> usize {
        self.state.iter().filter(|state| **state != State::LeftOut).count()
    }

    /// Whether there are no lines. A condition that leaves out every cell has been refused, so
    /// there are some.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The lines, in the order of the columns asked for, the last one fastest. Cells that the
    /// condition leaves out have none.
    pub fn cells(&self) -> impl Iterator<Item = Cell<'_>> {
        (0..self.shares.len()).filter_map(|number| {
            let (mut rest, mut place) = (number, 0);
            let mut values = vec![""; self.axes.len()];
            for ((labels, step), value) in self.axes.iter().zip(&mut values).rev() {
                *value = labels[rest % labels.len()].as_str();
                place += rest % labels.len() * step;
                rest /= labels.len();
            }
            (self.state[place] != State::LeftOut).then(|| self.cell(place, values))
        })
    }

    fn cell<'a>(&'a self, place: usize, values: Vec<&'a str>) -> Cell<'a> {
        let share = self.shares[place];
        let count = self.total * share;
        let errors = self.bars.as_ref().map(|bars| {
            if self.state[place] == State::Impossible {
                let none = Interval { low: 0.0, high: 0.0, error: Some(0.0) };
                return Errors { kind: IntervalKind::Impossible, count: none, share: none };
            }
            let interval = bars.count(place, count);
            let kind = match interval.is_bound() {
                true => IntervalKind::Bound,
                false if bars.stands_on_fit() => IntervalKind::LowerBound,
                false => IntervalKind::Interval,
            };
            Errors { kind, count: interval, share: bars.share(place, share) }
        });
        Cell { values, count, share, errors }
    }
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
fn axes(schema: &Schema, clique: &Clique, asked: &[AttrId]) -> Vec<(Vec<String>, usize)> {
    let step = |attribute: AttrId| {
        let behind = clique.attributes().iter().filter(|&&other| other > attribute);
        behind.map(|&other| schema.domain().size(other) as usize).product::<usize>()
    };
    let labels = |attribute: AttrId| {
        let codec = schema.codec(attribute);
        (0..codec.size()).map(|code| codec.label(code)).collect::<Vec<_>>()
    };
    asked.iter().map(|&attribute| (labels(attribute), step(attribute))).collect()
}

/// Which cells of the marginal can hold a row.
fn states(schema: &Schema, clique: &Clique, filter: &Filter, cells: usize) -> Vec<State> {
    let attributes = clique.attributes();
    let about = |parts: &[(AttrId, Vec<u32>)]| {
        parts.iter().all(|part| clique.contains(part.0)).then(|| by_axis(schema, attributes, parts))
    };
    let rules: Vec<Vec<Option<Vec<bool>>>> = schema.impossible().iter().filter_map(|rule| about(&rule.parts)).collect();
    let boxes: Vec<Vec<Option<Vec<bool>>>> =
        filter.boxes().iter().map(|one| by_axis(schema, attributes, &one.parts)).collect();
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
            if *code < schema.domain().size(attribute) as usize {
                break;
            }
            *code = 0;
        }
    }
    states
}

/// For each attribute which codes are listed; `None` where no part speaks of it.
fn by_axis(schema: &Schema, attributes: &[AttrId], parts: &[(AttrId, Vec<u32>)]) -> Vec<Option<Vec<bool>>> {
    let listed = |&attribute: &AttrId| {
        let (_, codes) = parts.iter().find(|part| part.0 == attribute)?;
        let mut taken = vec![false; schema.domain().size(attribute) as usize];
        codes.iter().for_each(|&code| taken[code as usize] = true);
        Some(taken)
    };
    attributes.iter().map(listed).collect()
}
