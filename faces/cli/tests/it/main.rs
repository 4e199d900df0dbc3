//! The real program, run as people run it.

mod audit;
mod books;
mod browser;
mod chrome;
mod docs;
mod evaluate;
mod faults;
mod histogram;
mod jobs;
mod leak;
mod ledger;
mod limits;
mod persons;
mod plan;
mod postgres;
mod query;
mod quotes;
mod refusals;
mod release;
mod review;
mod rules;
mod seeds;
mod several;

use lookalike_testkit::Sandbox;

/// The program under test.
const PROGRAM: &str = env!("CARGO_BIN_EXE_lookalike");

/// An empty folder with the program in it.
fn empty() -> Sandbox {
    Sandbox::new(PROGRAM)
}

/// The same with `people.csv` (200 rows) and `people.toml`.
fn with_people() -> Sandbox {
    Sandbox::with_people(PROGRAM)
}

/// Kills at random moments. The study of record has 200.
fn kills() -> u32 {
    std::env::var("LOOKALIKE_KILLS").ok().and_then(|text| text.parse().ok()).unwrap_or(20)
}
