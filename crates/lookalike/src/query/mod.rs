//! A marginal of a released model, with error bars: free of charge.

mod columns;
mod notes;
#[cfg(test)]
mod tests;
mod write;

use lookalike_model::error_bars::{interval, lean};
use lookalike_model::{ErrorBars, Model, ModelError, Origin};
use lookalike_schema::{AttrId, Clique, Filter, Schema};

use crate::Error;

/// Larger answers are refused: nobody reads them, and as text they would fill a disk.
const MOST_CELLS: u64 = 10_000_000;

/// What is asked of a model, as typed.
#[derive(Clone, Debug, Default)]
pub struct Question {
    /// The columns, with commas between them; a name that has a comma or a quote in it stands in double quotes. Empty: no
    /// columns, only the number of rows.
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
    /// For each asked column its labels, and how far apart its codes lie among the cells of the marginal.
    axes: Vec<(Vec<String>, usize)>,
    /// The estimated number of rows that are meant.
    total: f64,
    shares: Vec<f64>,
    /// Cells that cannot hold a row: left out by the condition, or impossible by the schema.
    state: Vec<State>,
    bars: Option<ErrorBars>,
    /// How far counts lean downwards, in standard errors.
    lean: f64,
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
    /// The standard error of the count.
    pub count: f64,
    /// A 95% interval of the count, cut at 0.
    pub count_interval: (f64, f64),
    /// The standard error of the share.
    pub share: f64,
    /// A 95% interval of the share, cut at 0 and 1.
    pub share_interval: (f64, f64),
}

/// Asks a model for a marginal.
///
/// Refuses columns that the model lacks or that are named twice, a condition that is mistaken or that no row of the model
/// meets, and answers of more than ten million cells.
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
        Some(_) => (model.marginal_where(&clique, &filter)?, model.probability(&filter)?),
        None => (model.marginal(&clique)?, 1.0),
    };
    let bars = match model.measured() {
        [] => None,
        _ => match model.error_bars(&clique, &filter) {
            Ok(bars) => Some(bars),
            // A question that is too large for error bars still has an answer.
            Err(ModelError::Shape { .. }) => None,
            Err(error) => return Err(error.into()),
        },
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
        lean: 0.0,
        notes: Vec::new(),
    };
    answer.lean = answer.leaning();
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

    /// The standard error of the total.
    pub fn total_error(&self) -> Option<f64> {
        self.bars.as_ref().map(|bars| bars.total_variance().max(0.0).sqrt())
    }

    /// Whether the errors are only lower bounds; [`notes`](Self::notes) say why.
    pub fn is_lower_bound(&self) -> bool {
        self.bars.as_ref().is_some_and(|bars| !bars.is_covered())
    }

    /// What has to be known to read the numbers, one sentence or two each.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// The number of lines.
    pub fn len(&self) -> usize {
        self.state.iter().filter(|state| **state != State::LeftOut).count()
    }

    /// Whether there are no lines. A condition that leaves out every cell has been refused, so there are some.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The lines, in the order of the columns asked for, the last one fastest. Cells that the condition leaves out have none.
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
                return Errors { count: 0.0, count_interval: (0.0, 0.0), share: 0.0, share_interval: (0.0, 0.0) };
            }
            let of_count = bars.variance(place).max(0.0).sqrt();
            let of_share = bars.share_variance(place, share, self.total).sqrt();
            let (low, high) = interval(share, of_share, self.lean);
            Errors {
                count: of_count,
                count_interval: interval(count, of_count, self.lean),
                share: of_share,
                share_interval: (low.min(1.0), high.min(1.0)),
            }
        });
        Cell { values, count, share, errors }
    }

    /// How far counts lean, judged from the cells that may hold rows.
    fn leaning(&self) -> f64 {
        let Some(bars) = self.bars.as_ref().filter(|bars| bars.is_covered()) else { return 0.0 };
        let open: Vec<usize> = (0..self.shares.len()).filter(|&place| self.state[place] == State::Open).collect();
        let counts: Vec<f64> = open.iter().map(|&place| self.total * self.shares[place]).collect();
        lean(&counts, open.iter().map(|&place| bars.variance(place)).fold(0.0, f64::max).sqrt())
    }
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
