//! Tests of reviewing: what is asked, in which order, and what the answers make of the file.

use super::{PendingFact, Review};
use crate::{MarkKind, Schema};

const DRAFT: &str = r#"# Mine: do not lose this.
version = 1
missing_tokens = ["", "NA"] # as in the export
decimal = "."
order = ["age", "weight", "job", "name"]
harmless = ["missing_tokens", "decimal"]

[columns.name]
# LOOKS LIKE AN IDENTIFIER: every cell is different
type = "id"
review = ["type"]

[columns.job]
# values: 1 of its 3 values has fewer than 20 rows
type = "category"
values = [
    "king", "smith",
    "tailor",
]
missing = true
review = ["values"]
harmless = ["type"]

[columns.weight]
type = "number"
range = [30.5, 140.0]
decimals = 1
missing = true
review = ["range"]
harmless = ["type"]

[columns.age]
type = "integer"
range = [0, 120]
missing = true
harmless = ["type"]
"#;

fn review() -> Review {
    Review::parse(DRAFT, "draft.toml").unwrap()
}

fn of(review: &Review, column: &str, fact: &str) -> PendingFact {
    let pending = review.pending().into_iter();
    pending.into_iter().find(|found| found.column.as_deref() == Some(column) && found.fact == fact).unwrap()
}

fn names(review: &Review) -> Vec<String> {
    let words = |fact: &PendingFact| match &fact.column {
        Some(column) => format!("{column}: {}", fact.fact),
        None => fact.fact.clone(),
    };
    review.pending().iter().map(words).collect()
}

#[test]
fn telling_facts_come_first_and_bring_what_is_needed() {
    let review = review();
    assert_eq!(
        names(&review),
        [
            "name: type",
            "job: values",
            "weight: range",
            "job: type",
            "weight: type",
            "age: type",
            "missing_tokens",
            "decimal"
        ]
    );
    assert_eq!(review.text(), DRAFT, "nothing was asked to change");
    let job = of(&review, "job", "values");
    assert_eq!(job.wording, ["values = [\"king\", \"smith\", \"tailor\"]"]);
    assert_eq!(job.remarks, ["values: 1 of its 3 values has fewer than 20 rows"]);
    assert_eq!(of(&review, "weight", "type").wording, ["type = \"number\"", "decimals = 1"]);
    for fact in review.pending() {
        assert!(!fact.why().is_empty() && !fact.proposal().is_empty());
        assert_eq!(fact.kind == MarkKind::Harmless, fact.why().contains("empty form"), "{fact:?}");
    }
}

#[test]
fn answers_change_one_fact_and_leave_everything_else() {
    let mut review = review();
    review.accept(&of(&review, "name", "type")).unwrap();
    assert_eq!(review.text(), DRAFT.replacen("review = [\"type\"]\n", "", 1));
    let range = of(&review, "weight", "range");
    assert!(range.can_be_discovered());
    for nonsense in ["", "[", "[3]", "[9, 1]", "\"heavy\"", "bins = 3, nonsense = 1"] {
        let before = review.text();
        assert!(review.edit(&range, nonsense).is_err(), "{nonsense}");
        assert_eq!(review.text(), before);
    }
    review.edit(&range, "0, 300").unwrap();
    assert!(review.text().contains("type = \"number\"\nrange = [0, 300]\ndecimals = 1\nmissing = true\nharmless"));
    review.ignore(&of(&review, "weight", "type")).unwrap();
    assert!(review.text().contains("[columns.weight]\ntype = \"ignore\"\n\n"), "{}", review.text());
    let values = of(&review, "job", "values");
    review.edit(&values, "type = \"boolean\", values = [\"no\", \"yes\"]").unwrap();
    review.edit(&of(&review, "age", "type"), "\"integer\", range = [0, 99]").unwrap();
    assert!(review.text().ends_with("type = \"integer\"\nmissing = true\nrange = [0, 99]\n"), "{}", review.text());
    assert!(review.text().contains("missing = true\nvalues = [\"no\", \"yes\"]\n"), "{}", review.text());
    assert_eq!(names(&review), ["missing_tokens", "decimal"]);
    assert!(review.text().starts_with("# Mine: do not lose this.\n"));
    for fact in review.pending() {
        review.accept(&fact).unwrap();
    }
    assert!(Schema::parse(&review.text(), "reviewed").unwrap().unreviewed().is_empty());
}

#[test]
fn facts_are_left_to_the_budget() {
    let mut review = review();
    review.discover(&of(&review, "job", "values")).unwrap();
    review.discover(&of(&review, "weight", "range")).unwrap();
    review.discover(&of(&review, "name", "type")).unwrap();
    let text = review.text();
    for line in ["values = \"discover\"", "range = \"discover\"", "type = \"discover\""] {
        assert!(text.contains(&format!("\n{line}\n")), "{text}");
    }
    let decimal = review.pending().pop().unwrap();
    assert!(!decimal.can_be_discovered());
    assert!(review.discover(&decimal).is_err() && review.ignore(&decimal).is_err());
    assert!(review.pending().iter().all(|fact| fact.kind == MarkKind::Harmless));
}

#[test]
fn what_is_accepted_in_bulk_is_assumed_public() {
    let mut review = review();
    assert_eq!(review.accept_harmless().unwrap(), 5);
    assert_eq!(names(&review), ["name: type", "job: values", "weight: range"]);
    assert_eq!(review.accept_harmless().unwrap(), 0);
    let schema = Schema::parse(&review.text(), "reviewed").unwrap();
    let assumed = ["missing_tokens", "decimal", "age: type", "weight: type", "job: type"];
    assert_eq!(schema.assumed_public(), assumed);
    assert!(schema.released().unwrap().assumed_public().is_empty(), "the statement says it, not the model");
    assert_eq!(review.discover_telling().unwrap(), 3);
    assert!(review.pending().is_empty());
    let open = review.schema().unwrap();
    assert!(open.is_open());
    assert_eq!(open.stand_in().unwrap().unwrap().assumed_public().len(), 8);
    assert!(
        review
            .text()
            .contains("[columns.name]\n# LOOKS LIKE AN IDENTIFIER: every cell is different\ntype = \"id\"\nassumed")
    );
}

#[test]
fn older_files_and_other_forms() {
    let mut old = Review::parse(
        "review = [\"decimal\"]\n[columns.x]\ntype = \"integer\"\nrange = [0, 999]\nbins = 9\nspikes = [0]\nreview = [\"type\", \
         \"range\", \"bins\", \"spikes\"]\n",
        "old.toml",
    )
    .unwrap();
    assert_eq!(old.pending().len(), 5);
    assert!(old.pending().iter().all(|fact| fact.kind == MarkKind::Telling));
    old.discover(&of(&old, "x", "range")).unwrap();
    assert!(old.text().ends_with("range = \"discover\"\nreview = [\"type\"]\n"), "{}", old.text());
    let inline = "columns = { x = { type = \"integer\", range = [0, 9], review = [\"range\"] } }\n";
    let mut inline = Review::parse(inline, "inline.toml").unwrap();
    inline.accept(&of(&inline, "x", "range")).unwrap();
    assert!(inline.pending().is_empty(), "{}", inline.text());
    assert!(Review::parse("{\"columns\": {\"x\": {\"type\": \"id\"}}}", "s.json").is_err());
    assert!(Review::parse("[columns.x]\ntype = \"no such\"\n", "s.toml").is_err());
}

/// Rules that were pasted from a check keep their marks: no budget finds them, and a person who
/// wanted them has to say that they are public.
#[test]
fn rules_are_left_to_a_person() {
    let text = "in_order = [['a', 'b']]\nreview = ['in_order']\n\
                [columns.a]\ntype = 'integer'\nrange = [0, 9]\nreview = ['range']\n\
                [columns.b]\ntype = 'integer'\nrange = [0, 9]\n\
                [columns.c]\ntype = 'derived'\nformula = 'a + b'\nreview = ['type']\n";
    let mut review = Review::parse(text, "rules.toml").unwrap();
    assert_eq!(review.discover_telling().unwrap(), 1);
    let text = review.text();
    assert!(text.contains("range = \"discover\"") && text.contains("formula = 'a + b'"), "{text}");
    assert_eq!(review.pending().len(), 2);
}
