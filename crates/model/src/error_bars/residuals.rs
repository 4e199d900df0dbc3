//! How well each residual component of some columns has been measured.

use std::collections::BTreeMap;

use lookalike_schema::{AttrId, Clique, Domain};

use crate::{Coverage, ModelError};

/// Larger overlaps of a measured marginal with a question are refused: their subsets could not be listed.
const MOST_SHARED: usize = 20;
/// Questions about more columns are refused.
const MOST_COLUMNS: usize = 60;
/// The most column sets that are listed as not covered.
const MOST_GAPS: usize = 20;

/// A set of the question's columns, as bits.
pub(super) type Bits = u64;

/// The residual components of a question's columns that some measurement covers.
pub(super) struct Residuals {
    columns: Vec<AttrId>,
    /// The variance of each covered component, before it is spread over the cells.
    variances: BTreeMap<Bits, f64>,
}

impl Residuals {
    /// Works out every component of the columns. `domain` has the sizes at which the columns were measured.
    pub fn new(domain: &Domain, measured: &[Coverage], columns: &Clique) -> Result<Self, ModelError> {
        if columns.len() > MOST_COLUMNS {
            return Err(ModelError::shape("error bars of a question about more than 60 columns; ask for fewer"));
        }
        let columns = columns.attributes().to_vec();
        let mut precisions: BTreeMap<Bits, f64> = BTreeMap::new();
        for Coverage { clique, variance } in measured {
            let shared: Vec<usize> = (0..columns.len()).filter(|&at| clique.contains(columns[at])).collect();
            if shared.len() > MOST_SHARED {
                return Err(ModelError::shape("error bars of more than 20 columns that were measured together"));
            }
            for choice in 0..1u64 << shared.len() {
                let bits = shared.iter().enumerate().filter(|(place, _)| choice >> place & 1 == 1);
                let bits: Bits = bits.map(|(_, &at)| 1u64 << at).sum();
                let inside = |attribute: &AttrId| {
                    columns.iter().position(|column| column == attribute).is_some_and(|at| bits >> at & 1 == 1)
                };
                let summed = clique.attributes().iter().filter(|&attribute| !inside(attribute));
                let cells: f64 = summed.map(|&attribute| f64::from(domain.size(attribute))).product();
                *precisions.entry(bits).or_insert(0.0) += 1.0 / (variance * cells);
            }
        }
        // A marginal that is known exactly has infinite precision, and leaves a variance of 0.
        let variances = precisions.into_iter().map(|(bits, precision)| (bits, 1.0 / precision)).collect();
        Ok(Self { columns, variances })
    }

    /// The covered components: their columns, and their variances.
    pub fn covered(&self) -> impl Iterator<Item = (Bits, f64)> {
        self.variances.iter().map(|(&bits, &variance)| (bits, variance))
    }

    pub fn len(&self) -> usize {
        self.variances.len()
    }

    /// The smallest sets of columns that no measurement covers, and whether there are more than are listed. Columns that are
    /// not `open` (a single code, or all codes taken together) have no component of their own.
    pub fn gaps(&self, open: Bits) -> (Vec<Clique>, bool) {
        let mut gaps: Vec<Bits> = Vec::new();
        let bits_of = |bits: Bits| (0..self.columns.len()).filter(move |&at| bits >> at & 1 == 1);
        let mut layer: Vec<Bits> = vec![0];
        if !self.variances.contains_key(&0) {
            return (vec![Clique::new([])], false);
        }
        while !layer.is_empty() {
            let mut next = Vec::new();
            for &set in &layer {
                let from = Bits::BITS - set.leading_zeros();
                for at in bits_of(open).filter(|&at| at >= from as usize) {
                    let wider = set | 1 << at;
                    if self.variances.contains_key(&wider) {
                        next.push(wider);
                    } else if bits_of(wider).all(|out| self.variances.contains_key(&(wider & !(1 << out)))) {
                        gaps.push(wider);
                        if gaps.len() > MOST_GAPS {
                            return (self.named(&gaps[..MOST_GAPS]), true);
                        }
                    }
                }
            }
            layer = next;
        }
        (self.named(&gaps), false)
    }

    fn named(&self, sets: &[Bits]) -> Vec<Clique> {
        let name = |bits: Bits| (0..self.columns.len()).filter(move |&at| bits >> at & 1 == 1);
        sets.iter().map(|&bits| Clique::new(name(bits).map(|at| self.columns[at]))).collect()
    }
}
