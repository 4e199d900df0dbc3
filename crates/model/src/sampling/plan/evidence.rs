//! Conditioning a sampling plan: what is known of the columns goes into the weights, and messages
//! carry it to the first draws.

use std::sync::Arc;

use super::{ConditionalDraw, Parent, SamplingPlan, Weights};
use crate::pgm::factor::layout::digit_sums;

/// For each variable, the share of each code that is still possible: 1 for all of it, 0 for none,
/// something between for a bin of which only some values are. `None` when all codes are.
pub(crate) type Evidence = Vec<Option<Vec<f64>>>;

/// What the weights of the draws are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scale {
    /// Each row is a distribution, whatever its sum.
    Conditional,
    /// The weights of all draws multiply to the weight of a row of the table.
    Potential,
}

/// A sampling plan given the evidence, and the evidence's probability (for potentials: the total
/// weight).
pub(crate) struct Conditioned {
    pub sampling_plan: SamplingPlan,
    pub probability: f64,
}

/// Why a sampling plan cannot be conditioned draw by draw.
pub(crate) struct NotATree;

impl SamplingPlan {
    /// The sampling plan given the evidence. Draws that it does not touch are shared, not copied.
    ///
    /// Each draw's parents must be seen together by one earlier draw: true for products, trees and
    /// chains. Parent cells from which a later draw could not go on lose their weight, so that no
    /// dead end is ever reached; this holds without evidence too. A probability of 0 means that no
    /// row is left.
    pub fn given(&self, evidence: &Evidence, scale: Scale) -> Result<Conditioned, NotATree> {
        let homes = (0..self.draws.len()).map(|draw| self.home(draw)).collect::<Result<Vec<_>, _>>()?;
        let mut sampling_plan = self.clone();
        let mut pending: Vec<Vec<(usize, Vec<f64>)>> = vec![Vec::new(); self.draws.len()];
        let mut probability = 1.0;
        for number in (0..self.draws.len()).rev() {
            let messages = std::mem::take(&mut pending[number]);
            let (weights, message) = self.absorb(number, evidence, &messages, scale);
            if let Some(weights) = weights {
                sampling_plan.draws[number].weights = Arc::new(weights);
            }
            match (message, homes[number]) {
                (Some(message), None) => probability *= message[0],
                (Some(message), Some(home)) => pending[home].push((number, message)),
                (None, _) => {}
            }
        }
        Ok(Conditioned { sampling_plan, probability })
    }

    /// The latest earlier draw that sees everything that a draw's parents show; `None` for a draw
    /// without parents.
    fn home(&self, number: usize) -> Result<Option<usize>, NotATree> {
        let parents = &self.draws[number].parents;
        if parents.is_empty() {
            return Ok(None);
        }
        let sees = |draw: &ConditionalDraw| parents.iter().all(|parent| draw.shows(parent).is_some());
        (0..number).rev().find(|&earlier| sees(&self.draws[earlier])).map(Some).ok_or(NotATree)
    }

    /// One draw with its evidence and messages: the new weights when they differ, and the message
    /// when it is not all 1.
    fn absorb(
        &self,
        number: usize,
        evidence: &Evidence,
        messages: &[(usize, Vec<f64>)],
        scale: Scale,
    ) -> (Option<Weights>, Option<Vec<f64>>) {
        let draw = &self.draws[number];
        let known = draw.children.iter().any(|&child| evidence[child].is_some());
        if messages.is_empty() && !known && scale == Scale::Conditional {
            let full = || (0..draw.weights.rows()).map(|row| f64::from(u8::from(draw.weights.total(row) > 0.0)));
            return (None, if draw.weights.is_full() { None } else { Some(full().collect()) });
        }
        let allowed = self.allowed(draw, evidence);
        let looks: Vec<MessageView<'_>> =
            messages.iter().map(|(later, message)| self.look(draw, &self.draws[*later], message)).collect();
        let mut weights = Weights::new();
        let mut message = Vec::with_capacity(draw.weights.rows());
        let mut row_values = Vec::new();
        for row in 0..draw.weights.rows() {
            let (cells, values) = draw.weights.row(row);
            row_values.clear();
            for (&cell, &value) in cells.iter().zip(values) {
                let place = cell as usize;
                let start = allowed.as_ref().map_or(value, |allowed| value * allowed[place]);
                row_values.push((cell, looks.iter().fold(start, |value, look| value * look.at(row, place))));
            }
            let sum: f64 = row_values.iter().map(|entry| entry.1).sum();
            message.push(match scale {
                Scale::Potential => sum,
                // Without evidence below, both sums are the same float, and the ratio is exactly 1.
                Scale::Conditional if sum > 0.0 => sum / values.iter().sum::<f64>(),
                Scale::Conditional => 0.0,
            });
            weights.push(row_values.iter().copied());
        }
        let flat = scale == Scale::Conditional && message.iter().all(|&value| value == 1.0);
        (Some(weights), (!flat).then_some(message))
    }

    /// The share of each joint cell of the children that the evidence leaves.
    fn allowed(&self, draw: &ConditionalDraw, evidence: &Evidence) -> Option<Vec<f64>> {
        if draw.children.iter().all(|&child| evidence[child].is_none()) {
            return None;
        }
        let joined = |cells: Vec<f64>, &child: &usize| match &evidence[child] {
            Some(shares) => cells.iter().flat_map(|cell| shares.iter().map(move |share| cell * share)).collect(),
            None => cells.iter().flat_map(|&cell| std::iter::repeat_n(cell, self.sizes[child] as usize)).collect(),
        };
        Some(draw.children.iter().fold(vec![1.0], joined))
    }

    /// How a draw's cells map to the parent cells of a later draw.
    fn look<'a>(&self, draw: &ConditionalDraw, later: &ConditionalDraw, message: &'a [f64]) -> MessageView<'a> {
        let strides = later.strides(&self.sizes);
        let steps = || later.parents.iter().zip(&strides).map(|(parent, stride)| (draw.shows(parent), parent, stride));
        let shape: Vec<usize> = draw.parents.iter().map(|parent| parent.size(&self.sizes)).collect();
        let from_parents = digit_sums(&shape, |own, digit| {
            let step = |(shown, parent, stride): (Option<Shown>, &Parent, &usize)| match shown {
                Some(Shown::Parent { axis, grouped: true }) if axis == own => stride * digit,
                Some(Shown::Parent { axis, grouped: false }) if axis == own => stride * parent.sees(digit),
                _ => 0,
            };
            steps().map(step).sum()
        });
        let shape: Vec<usize> = draw.children.iter().map(|&child| self.sizes[child] as usize).collect();
        let from_children = digit_sums(&shape, |own, digit| {
            let step = |(shown, parent, stride): (Option<Shown>, &Parent, &usize)| match shown {
                Some(Shown::Child { axis }) if axis == own => stride * parent.sees(digit),
                _ => 0,
            };
            steps().map(step).sum()
        });
        MessageView { from_parents, from_children, message }
    }
}

/// Where a draw shows what a later one looks at.
#[derive(Clone, Copy)]
enum Shown {
    Child {
        axis: usize,
    },
    /// `grouped`: both look at it through the same grouping.
    Parent {
        axis: usize,
        grouped: bool,
    },
}

impl ConditionalDraw {
    fn shows(&self, wanted: &Parent) -> Option<Shown> {
        if let Some(axis) = self.children.iter().position(|&child| child == wanted.variable) {
            return Some(Shown::Child { axis });
        }
        let plain = |own: &Parent| own.variable == wanted.variable && own.grouping.is_none();
        if let Some(axis) = self.parents.iter().position(plain) {
            return Some(Shown::Parent { axis, grouped: false });
        }
        let same = |own: &Parent| own.variable == wanted.variable && own.grouping == wanted.grouping;
        self.parents.iter().position(same).map(|axis| Shown::Parent { axis, grouped: true })
    }
}

/// A message, read at a draw's own cells.
struct MessageView<'a> {
    from_parents: Vec<usize>,
    from_children: Vec<usize>,
    message: &'a [f64],
}

impl MessageView<'_> {
    fn at(&self, row: usize, cell: usize) -> f64 {
        self.message[self.from_parents[row] + self.from_children[cell]]
    }
}
