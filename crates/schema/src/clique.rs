//! Typed column indices and canonical sets of them.

/// The index of a modelled column: position among the columns that are neither `id` nor `ignore`,
/// in file order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AttrId(pub u32);

impl AttrId {
    /// The index as a `usize`, for slices.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A set of attributes, sorted and without repeats by construction.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Clique(Box<[AttrId]>);

impl Clique {
    /// The canonical set of the given attributes.
    pub fn new(attributes: impl IntoIterator<Item = AttrId>) -> Self {
        let mut sorted: Vec<AttrId> = attributes.into_iter().collect();
        sorted.sort_unstable();
        sorted.dedup();
        Self(sorted.into_boxed_slice())
    }

    /// The set with a single attribute.
    pub fn single(attribute: AttrId) -> Self {
        Self(Box::new([attribute]))
    }

    /// The attributes in ascending order.
    pub fn attributes(&self) -> &[AttrId] {
        &self.0
    }

    /// The number of attributes.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether the set is empty. The marginal of the empty clique is the row count.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether every attribute of `self` is in `other`.
    pub fn is_subset(&self, other: &Self) -> bool {
        self.0.iter().all(|attribute| other.contains(*attribute))
    }

    /// Whether the attribute is in the set.
    pub fn contains(&self, attribute: AttrId) -> bool {
        self.0.binary_search(&attribute).is_ok()
    }

    /// The attributes of both.
    pub fn union(&self, other: &Self) -> Self {
        Self::new(self.0.iter().chain(other.0.iter()).copied())
    }

    /// The attributes that both have.
    pub fn intersection(&self, other: &Self) -> Self {
        Self(self.0.iter().filter(|a| other.contains(**a)).copied().collect())
    }
}
