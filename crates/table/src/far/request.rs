//! What is to be counted in one pass.

use std::sync::Arc;

use lookalike_schema::{AttrId, Clique, Derived, Domain, Grouping};
use serde_json::{Value, json};

use crate::error::{TableError, file_error};

/// The cliques of one pass, with the columns that are derived for it.
///
/// It holds numbers of columns and groups of codes: public facts of the schema and answers that
/// were paid for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CountRequest {
    /// The cliques, in the order of the answer.
    pub cliques: Vec<Clique>,
    /// Columns behind the schema's own.
    pub derived: Vec<Derived>,
    /// How many codes each column has, derived ones too.
    pub sizes: Vec<u32>,
}

impl CountRequest {
    /// A request for rows of this domain.
    pub fn new(domain: &Domain, cliques: &[Clique], derived: &[Derived]) -> Self {
        let groups = derived.iter().map(|column| column.grouping.groups());
        let sizes = domain.sizes().iter().copied().chain(groups).collect();
        Self { cliques: cliques.to_vec(), derived: derived.to_vec(), sizes }
    }

    /// How many cells a clique has; `None` when they cannot be numbered.
    pub fn cells(&self, clique: &Clique) -> Option<u64> {
        let size = |attribute: &AttrId| self.sizes.get(attribute.index()).map(|&size| u64::from(size));
        clique.attributes().iter().try_fold(1u64, |cells, attribute| cells.checked_mul(size(attribute)?))
    }

    /// As JSON: `cliques` as lists of columns, `sizes`, and `derived` with the number of a base
    /// column and runs of `[group, codes]`.
    pub fn to_bytes(&self) -> Vec<u8> {
        let numbers = |clique: &Clique| clique.attributes().iter().map(|attribute| attribute.0).collect::<Vec<_>>();
        let cliques: Vec<_> = self.cliques.iter().map(numbers).collect();
        let derived: Vec<Value> = self
            .derived
            .iter()
            .map(|column| json!({ "base": column.base.0, "runs": column.grouping.runs().collect::<Vec<_>>() }))
            .collect();
        json!({ "cliques": cliques, "derived": derived, "sizes": self.sizes }).to_string().into_bytes()
    }

    /// Back from [`to_bytes`](Self::to_bytes). Derived columns have lost their names, which only a
    /// ledger needs.
    ///
    /// `Err` when the bytes are of something else.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, TableError> {
        let parsed: Option<Self> = serde_json::from_slice::<Value>(bytes).ok().and_then(|value| {
            let cliques: Vec<Vec<u32>> = serde_json::from_value(value["cliques"].clone()).ok()?;
            let derived = value["derived"].as_array()?.iter().map(derived).collect::<Option<Vec<Derived>>>()?;
            let sizes = serde_json::from_value(value["sizes"].clone()).ok()?;
            let cliques = cliques.into_iter().map(|clique| Clique::new(clique.into_iter().map(AttrId))).collect();
            Some(Self { cliques, derived, sizes })
        });
        parsed.ok_or_else(|| file_error("request", "these bytes ask for no counts", "use one version of Lookalike"))
    }
}

fn derived(value: &Value) -> Option<Derived> {
    let runs: Vec<(u32, u32)> = serde_json::from_value(value["runs"].clone()).ok()?;
    let codes = runs.iter().flat_map(|&(group, codes)| std::iter::repeat_n(group, codes as usize)).collect();
    let base = AttrId(u32::try_from(value["base"].as_u64()?).ok()?);
    Some(Derived { base, grouping: Arc::new(Grouping::new(codes).ok()?), name: String::new() })
}
