//! What the attributes of the network are.

use lookalike_schema::{AttrId, View};

/// The attributes of the network, in the schema's order.
#[derive(Clone, Debug)]
pub(super) struct Nodes {
    /// As the curator knows them.
    pub attributes: Vec<AttrId>,
}

impl Nodes {
    /// The columns themselves.
    pub fn columns(view: &View) -> Self {
        Self { attributes: (0..view.own() as u32).map(AttrId).collect() }
    }
}
