//! Weighted selections.
