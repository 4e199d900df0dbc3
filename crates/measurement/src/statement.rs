//! The statement: `privacy.json`, which lets anyone recompute the total.
// SKELETON: the curator owner fills this in with v1 structs, `to_json`, `parse`, `recompute`.

/// The statement of one release.
#[derive(Clone, Debug, PartialEq)]
pub struct Statement {}
