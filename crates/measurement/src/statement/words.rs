//! The guarantee in plain words.

use lookalike_privacy::{Budget, Delta, Neighbours, Relation};
use lookalike_schema::Mark;

/// The mark of a release whose schema has unreviewed facts.
pub const NO_GUARANTEE: &str = "NO GUARANTEE";
/// The mark of whatever the seeded test stream or a recording has touched.
pub const NOT_PRIVATE: &str = "NOT PRIVATE";

/// What (epsilon, delta) means, for someone who has never heard of it.
pub(crate) fn sentence(budget: Budget, neighbours: Neighbours, person: Option<&str>) -> String {
    let change = match (neighbours.relation(), neighbours.contribution(), person) {
        (Relation::AddRemove, _, Some(person)) => format!("Adding or removing all records of any one {person}"),
        (Relation::AddRemove, 1, None) => "Adding or removing any one record".to_string(),
        (Relation::AddRemove, rows, None) => {
            format!("Adding or removing all records of any one person (at most {rows})")
        }
        (Relation::ReplaceOne, ..) => "Changing the values of any one record (the number of records is public)".into(),
    };
    let epsilon = budget.epsilon.get();
    let delta = budget.delta.get();
    let factor = format!("e^{epsilon} = {}", short(epsilon.exp()));
    let beyond = if delta == 0.0 { String::new() } else { format!(", and beyond it by at most {}", scientific(delta)) };
    format!(
        "{change} changes the probability of anything that this release could show by a factor of at most {factor}{beyond}. \
         This is ({epsilon}, {})-differential privacy for the whole release.",
        scientific(delta)
    )
}

/// What the promise assumes where facts of the schema were accepted in bulk.
///
/// That a draft found them harmless depends on the rows too, so it is assumed along with them.
pub(crate) fn assumption(facts: usize) -> String {
    if facts == 0 {
        return String::new();
    }
    format!(
        " The guarantee assumes that the facts of the schema in `assumed_public` ({facts}) are public: they were read \
         from the table, and accepted or left to the budget in bulk, by what was seen of them."
    )
}

/// What hardly shows: who was in the table, or which values a record has.
pub(crate) fn hidden(neighbours: Neighbours, person: Option<&str>) -> String {
    match (neighbours.relation(), neighbours.contribution(), person) {
        (Relation::AddRemove, _, Some(person)) => {
            format!("whether or not any one {person} was in the table, with all that was read of their records.")
        }
        (Relation::AddRemove, 1, None) => "whether or not any one person's record was in the table.".into(),
        (Relation::AddRemove, _, None) => {
            "whether or not any one person was in the table, with all of their records.".into()
        }
        (Relation::ReplaceOne, ..) => {
            "whatever the values of any one person's record are. The number of records is public, and is not hidden."
                .into()
        }
    }
}

/// A person as the unit that is protected.
pub(crate) fn person(column: &str, rows: u32) -> String {
    let rows = if rows == 1 { "1 row".to_owned() } else { format!("{rows} rows") };
    format!("person (column {column:?}, at most {rows})")
}

/// What is said instead of a guarantee.
pub(crate) fn no_guarantee_sentence(reasons: &[String]) -> String {
    format!("{NO_GUARANTEE}: {}. This release must not be published as private.", reasons.join("; "))
}

/// The reason behind unreviewed facts, with the first few of them.
pub(crate) fn unreviewed_reason(facts: &[Mark<'_>]) -> Option<String> {
    const SHOWN: usize = 5;
    if facts.is_empty() {
        return None;
    }
    let words = |mark: &Mark<'_>| match mark.column {
        Some(column) => format!("{} of {column:?}", mark.fact),
        None => format!("{} of the file", mark.fact),
    };
    let shown: Vec<String> = facts.iter().take(SHOWN).map(words).collect();
    let more = if facts.len() > SHOWN { format!(" and {} more", facts.len() - SHOWN) } else { String::new() };
    Some(format!("the schema was drafted from the data and nobody has reviewed {}{more}", shown.join(", ")))
}

/// A warning when delta is not small against the noisy number of rows: a mechanism could then
/// publish whole records and still keep the promise.
pub fn delta_warning(delta: Delta, noisy_rows: i64) -> Option<String> {
    let expected = delta.get() * noisy_rows.max(0) as f64;
    (expected > 0.01).then(|| {
        format!(
            "delta {} times about {noisy_rows} rows is {}, above 0.01; use a smaller delta",
            scientific(delta.get()),
            short(expected)
        )
    })
}

fn short(value: f64) -> String {
    if (0.001..1e6).contains(&value) { format!("{value:.3}") } else { scientific(value) }
}

fn scientific(value: f64) -> String {
    if value == 0.0 || (0.001..1e6).contains(&value) { format!("{value}") } else { format!("{value:e}") }
}
