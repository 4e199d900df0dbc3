//! Sampling plans: any model as an ordered list of draws, each of some variables given earlier
//! ones.
//!
//! This is the one form that sampling works on. Independent columns are draws without parents, a
//! junction tree is a walk from its root, a network is its ancestral order. Variables beyond the
//! schema's columns are hidden: the coarse level of a column that is refined later, or which
//! impossible rules a row has met so far.
//!
//! - `weights` holds the conditional weights of a draw;
//! - `evidence` conditions a sampling plan on what is known of some columns, exactly;
//! - `junction` turns the part of a sampling plan that matters into a junction tree, for marginals
//!   and for conditioning sampling plans that are not trees themselves.
//!
//! Everything that decides rows is plain arithmetic in a fixed order: the same on every platform.

pub(crate) mod evidence;
pub(crate) mod junction;
mod weights;

use std::sync::Arc;

use lookalike_schema::Grouping;

use crate::pgm::factor::layout::strides;

pub(crate) use weights::Weights;

/// Variables and the draws that give them values.
#[derive(Clone, Debug)]
pub(crate) struct SamplingPlan {
    /// The number of codes of each variable. The first ones are the schema's columns.
    pub sizes: Vec<u32>,
    /// How many of the variables are columns.
    pub columns: usize,
    /// Every variable is a child of exactly one draw, and a parent only of later ones.
    pub draws: Vec<ConditionalDraw>,
}

/// One draw: values of the children given the parents.
#[derive(Clone, Debug)]
pub(crate) struct ConditionalDraw {
    pub parents: Vec<Parent>,
    pub children: Vec<usize>,
    /// One row a parent cell (first parent outermost), over the children's joint cells (last child
    /// fastest).
    pub weights: Arc<Weights>,
}

/// A variable that a draw looks at, perhaps only at the group of its code.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Parent {
    pub variable: usize,
    pub grouping: Option<Arc<Grouping>>,
}

impl Parent {
    pub fn plain(variable: usize) -> Self {
        Self { variable, grouping: None }
    }

    /// How many different things a draw can see here.
    pub fn size(&self, sizes: &[u32]) -> usize {
        self.grouping.as_ref().map_or(sizes[self.variable], |grouping| grouping.groups()) as usize
    }

    /// What a draw sees of a code.
    pub fn sees(&self, code: usize) -> usize {
        self.grouping.as_ref().map_or(code, |grouping| grouping.group(code as u32) as usize)
    }
}

impl SamplingPlan {
    /// A sampling plan of columns alone, without draws yet.
    pub fn new(sizes: &[u32]) -> Self {
        Self { sizes: sizes.to_vec(), columns: sizes.len(), draws: Vec::new() }
    }

    /// A new hidden variable.
    pub fn hide(&mut self, size: u32) -> usize {
        self.sizes.push(size);
        self.sizes.len() - 1
    }

    /// Adds a draw.
    pub fn push(&mut self, parents: Vec<Parent>, children: Vec<usize>, weights: Weights) {
        self.draws.push(ConditionalDraw { parents, children, weights: Arc::new(weights) });
    }
}

impl ConditionalDraw {
    /// The number of joint cells of the children.
    pub fn width(&self, sizes: &[u32]) -> usize {
        self.children.iter().map(|&child| sizes[child] as usize).product()
    }

    /// What the parents show, and what it adds to the number of the parent cell.
    pub fn strides(&self, sizes: &[u32]) -> Vec<usize> {
        strides(&self.parents.iter().map(|parent| parent.size(sizes)).collect::<Vec<_>>())
    }
}
