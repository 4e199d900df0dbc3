//! The answer: a marginal with error bars.

use lookalike_model::{ErrorBars, Interval, Origin};

/// A marginal with error bars.
#[derive(Clone, Debug)]
pub struct Answer {
    pub(super) columns: Vec<String>,
    pub(super) condition: Option<String>,
    pub(super) origin: Origin,
    /// For each asked column its labels, and how far apart its codes lie among the cells of the
    /// marginal.
    pub(super) axes: Vec<(Vec<String>, usize)>,
    /// The estimated number of rows that are meant.
    pub(super) total: f64,
    pub(super) shares: Vec<f64>,
    /// Cells that cannot hold a row: left out by the condition, or impossible by the schema.
    pub(super) state: Vec<State>,
    pub(super) bars: Option<ErrorBars>,
    pub(super) notes: Vec<String>,
}

/// What a cell may hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
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
