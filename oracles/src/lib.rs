//! Oracles: other people's code that ours must agree with.
//!
//! This crate has tests only. It keeps a heavy dependency (OpenDP, built without its secure
//! entropy, which is good enough to compare distributions) out of every other crate's build.
