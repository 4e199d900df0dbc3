//! Statistical tests here draw from fixed seeds: they pass or fail the same way each time. The
//! stated alpha is the chance that a correct sampler would have failed for the seed that was
//! picked.

mod alias;
mod complete;
mod copula;
mod cover;
mod file;
mod filter;
mod golden;
mod impossible;
mod large;
mod long;
mod mixture;
mod model;
mod network;
mod project;
mod sample;
mod split;
mod spread;
mod stopping;
mod support;
mod thin;
mod tree;
mod without;
