//! How many codes each modelled column has.

use crate::{AttrId, Clique};

/// The sizes of the modelled columns, in attribute order.
///
/// Cells of a clique are laid out row-major: the last attribute of the clique varies fastest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Domain {
    sizes: Vec<u32>,
}

impl Domain {
    /// A domain with the given number of codes for each attribute. Every size is at least 1.
    pub fn new(sizes: Vec<u32>) -> Self {
        assert!(sizes.iter().all(|&size| size >= 1), "a column has at least one code");
        Self { sizes }
    }

    /// One more attribute behind the others.
    pub(crate) fn push(&mut self, size: u32) {
        debug_assert!(size >= 1);
        self.sizes.push(size);
    }

    /// The number of modelled columns.
    pub fn len(&self) -> usize {
        self.sizes.len()
    }

    /// Whether no column is modelled.
    pub fn is_empty(&self) -> bool {
        self.sizes.is_empty()
    }

    /// All attributes, in order.
    pub fn attributes(&self) -> impl Iterator<Item = AttrId> + use<> {
        (0..self.sizes.len() as u32).map(AttrId)
    }

    /// The number of codes of one attribute.
    pub fn size(&self, attribute: AttrId) -> u32 {
        self.sizes[attribute.index()]
    }

    /// All sizes, in attribute order.
    pub fn sizes(&self) -> &[u32] {
        &self.sizes
    }

    /// The sizes of a clique's attributes, in the clique's order.
    pub fn shape(&self, clique: &Clique) -> Vec<u32> {
        clique.attributes().iter().map(|&a| self.size(a)).collect()
    }

    /// The number of cells of a clique, or `None` when it does not fit in a `u64`.
    pub fn cells(&self, clique: &Clique) -> Option<u64> {
        clique.attributes().iter().try_fold(1u64, |cells, &a| cells.checked_mul(u64::from(self.size(a))))
    }
}
