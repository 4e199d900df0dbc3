//! What a steward's board asks about single people. None of it replaces the guarantee: each check
//! can find a leak, none can rule one out.

mod nearest;
mod twins;

pub use nearest::{Closeness, Guesses, Membership, NearestLimits, NearestRows, Space};
pub use twins::{Twins, twins};

/// The checks, and what none of them proves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Check {
    /// Synthetic rows that equal a real row.
    ExactMatches,
    /// Real rows that nobody shares, and reappear.
    UniqueRows,
    /// Distance to the closest record.
    Closeness,
    /// Guessing a hidden cell.
    Guesses,
    /// Telling members from others.
    Membership,
}

/// What is said of a check.
pub struct CheckWords {
    /// A name for people.
    pub name: &'static str,
    /// A name for programs.
    pub key: &'static str,
    /// How to read the figures.
    pub reading: &'static str,
    /// What the check does not prove.
    pub limit: &'static str,
}

impl Check {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::ExactMatches, Self::UniqueRows, Self::Closeness, Self::Guesses, Self::Membership];

    /// What is said of it.
    pub fn words(self) -> CheckWords {
        match self {
            Self::ExactMatches => CheckWords {
                name: "Exact matches",
                key: "exact_matches",
                reading: "Synthetic rows whose codes all equal those of a real row, beside real rows that equal another real row.",
                limit: "No match does not prove that nobody can be recognized, and a match does not prove a leak: common combinations are \
                        met by chance, and rows are compared as codes.",
            },
            Self::UniqueRows => CheckWords {
                name: "Unique rows",
                key: "unique_rows",
                reading: "Real rows that no other real row equals, and how many of them stand among the synthetic rows.",
                limit: "It does not prove that people are safe who are unique on a few columns, nor that a row that reappears was copied: \
                        a good model makes likely rows.",
            },
            Self::Closeness => CheckWords {
                name: "Distance to the closest record",
                key: "closest_record",
                reading: "How far rows are from the closest of the same real rows: synthetic rows beside other real rows. \
                          Synthetic rows that are clearly closer would be copies.",
                limit: "It does not prove privacy: it speaks of the average row, while a single person far from all others may be \
                        exposed, and another distance may see more.",
            },
            Self::Guesses => CheckWords {
                name: "Guessing a hidden cell",
                key: "hidden_cell",
                reading: "Somebody knows all cells of a real row but one and guesses it from the most similar synthetic rows: the chance to \
                          be right, beside guessing from as many rows of other real people, and beside always saying the commonest value.",
                limit: "It does not prove that nobody guesses better: this is one simple guesser. A right guess that other people's rows \
                        allow as well is a statistic, not a leak.",
            },
            Self::Membership => CheckWords {
                name: "Membership inference",
                key: "membership",
                reading: "Rows that the release was made from against real rows that it has not seen, told apart by their distance to the \
                          closest synthetic row: 0.5 is a coin.",
                limit: "It does not prove that membership is hidden: this is a weak attack, on the average row. Only the (epsilon, delta) \
                        statement bounds every attack.",
            },
        }
    }
}
