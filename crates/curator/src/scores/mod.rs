//! Scores on exact counts: one file each, with sensitivity and brute-force test.
// SKELETON: dependence.rs (R), distance.rs (L1 to a fixed vector).
