//! Schema files: old ones, hostile ones, and those of public data sets.

mod data;
mod golden;
mod hostile;
