use lookalike_privacy::Relation;

use super::support::{comparison, model, schema, statement, statement_for, statement_of, triples};
use crate::{RowsOnly, public_page, steward_page};

/// What a page must never hold: markup from a schema, or anything that asks the network.
fn assert_harmless(page: &str) {
    for banned in
        ["<script", "<b>", "<i>odd", "<i>are", "<link", "<img", "<iframe", "@import", "url(", "http:", "https:", "src="]
    {
        assert!(!page.contains(banned), "the page holds {banned}");
    }
    assert!(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>"));
    assert!(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;"));
    assert_balanced(page);
}

/// Every element that is opened is closed, in order.
fn assert_balanced(page: &str) {
    const VOID: [&str; 2] = ["meta", "br"];
    let mut open: Vec<&str> = Vec::new();
    for piece in page.split('<').skip(1) {
        let name = piece.split(|c: char| c == '>' || c.is_whitespace()).next().unwrap_or("");
        if let Some(name) = name.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name));
        } else if !name.starts_with('!') && !VOID.contains(&name) {
            open.push(name);
        }
    }
    assert!(open.is_empty(), "{open:?}");
}

#[test]
fn the_public_page_states_the_guarantee() {
    let page = public_page(&statement(1e-9, true), &model());
    assert_harmless(&page);
    for wanted in [
        "ε = 1, δ = 1e-9",
        "differential privacy",
        "discrete Gaussian",
        "Show 13 more queries",
        "one of 2 charged runs",
        "no graph to draw",
        "Pr[<i>M</i>(<i>D</i>) ∈ <i>S</i>] ≤ e<sup>1</sup>",
        "counts of single columns",
        "Expected errors",
    ] {
        assert!(page.contains(wanted), "the page lacks {wanted:?}");
    }
    assert!(!page.contains("NO GUARANTEE") && !page.contains("NOT PRIVATE"));
    let page = public_page(&statement(0.0, true), &model());
    assert!(page.contains("discrete Laplace") && page.contains("pure epsilons"));
}

/// Under replace-one nothing is said about who is in the table; and delta is told as what it is, or
/// as nothing at all.
#[test]
fn the_words_follow_the_relation_and_delta() {
    let page = |relation, delta| public_page(&statement_for(relation, delta, true, &["age".to_owned()]), &model());
    let added = page(Relation::AddRemove, 1e-9);
    assert!(added.contains("learns almost the same whether or not any one person's record was in the table."));
    assert!(added.contains("beyond that by at most δ"));
    let replaced = page(Relation::ReplaceOne, 0.0);
    assert!(replaced.contains("learns almost the same whatever the values of any one"));
    assert!(!replaced.contains("record was in the table"));
    assert!(replaced.contains("there is no allowance beside the factor") && !replaced.contains("at most δ"));
    for page in [added, replaced] {
        assert!(!page.contains("promise fails") && !page.contains("never fails") && !page.contains("chance of 1e-9"));
    }
}

#[test]
fn the_structure_is_drawn_and_told() {
    let marginals = [
        "age",
        "age, <script>alert(1)</script>",
        "age (merged), <script>alert(1)</script>, employed",
        "employed, born (level 1)",
    ]
    .map(str::to_owned);
    let page = public_page(&statement_of(1e-9, true, &marginals), &model());
    assert_harmless(&page);
    assert_eq!(page.matches("<path class=\"edge\"").count(), 4);
    assert_eq!(page.matches("<circle").count(), 5);
    for wanted in [
        "4 of 10 pairs",
        "age and &lt;script&gt;alert(1)&lt;/script&gt;: counted together twice",
        "&lt;script&gt;alert(1)&lt;/script&gt; (2×), employed",
        "3 more sets of columns",
        "counting the rows",
    ] {
        assert!(page.contains(wanted), "the page lacks {wanted:?}");
    }
}

#[test]
fn a_page_of_rows_without_a_model_says_so() {
    let schema = schema();
    let shares: Vec<Vec<f64>> =
        schema.domain().sizes().iter().map(|&size| vec![1.0 / f64::from(size); size as usize]).collect();
    let words = ["Rows <i>are</i> mixed.".to_string(), "Undo it.".to_string()];
    let rows = RowsOnly { schema: &schema, rows: 1234, shares: &shares, words: &words };
    let page = public_page(&statement(0.0, true), rows);
    assert_harmless(&page);
    for wanted in
        ["Rows &lt;i&gt;are", "Undo it.", "1,234", "every further row would cost privacy", "the released rows hold of"]
    {
        assert!(page.contains(wanted), "the page lacks {wanted:?}");
    }
    // What is true of models only.
    for banned in ["model.lookalike", "No row is a person", "free of charge", "the model holds"] {
        assert!(!page.contains(banned), "the page says {banned:?}");
        assert!(public_page(&statement(0.0, true), &model()).contains(banned), "nowhere: {banned:?}");
    }
}

#[test]
fn a_release_without_a_guarantee_is_loud() {
    let page = public_page(&statement(1e-9, false), &model());
    assert_harmless(&page);
    assert!(page.contains("NO GUARANTEE · NOT PRIVATE") && page.contains("class=\"banner\""));
    // Nothing on the page may read like a promise.
    for banned in ["class=\"promise\"", "learns almost the same", "may be published", "cite ε", "The guarantee is"] {
        assert!(!page.contains(banned), "the page promises: {banned}");
        assert!(public_page(&statement(1e-9, true), &model()).contains(banned), "the promise is nowhere: {banned}");
    }
}

#[test]
fn the_steward_page_is_marked_and_complete() {
    let page = steward_page(&schema(), &comparison(), Some(&triples()));
    assert_harmless(&page);
    for wanted in [
        "steward-only: do not publish",
        "Choosing among several releases",
        "45,000",
        "Where it is furthest off",
        "Most wrong",
        "0.0500",
        "Three columns",
        "all 10, on 40,000 real and 45,222 synthetic rows taken at random",
        "mean distance would be 0.0100",
    ] {
        assert!(page.contains(wanted), "the page lacks {wanted:?}");
    }
    // One square a pair, one figure a column and one for the map.
    assert_eq!(page.matches("class=\"heat gap\"").count(), 10);
    assert_eq!(page.matches("<figure").count(), 6);
}

#[test]
fn pages_of_nothing() {
    let schema = lookalike_schema::Schema::parse("[columns.who]\ntype = \"id\"\n", "ids.toml").unwrap();
    let origin = model().origin().clone();
    let model = lookalike_model::Model::product(schema.clone(), 0.0, vec![], vec![], origin).unwrap();
    assert_balanced(&public_page(&statement(1e-9, true), &model));
    let nothing =
        lookalike_evaluate::TableComparison { real_rows: 0, synthetic_rows: 0, columns: vec![], pairs: vec![] };
    assert_balanced(&steward_page(&schema, &nothing, None));
}

/// To look at them: `cargo test -p lookalike-report -- --ignored write_pages`, then open the files
/// it names.
#[test]
#[ignore = "writes pages to look at"]
#[allow(clippy::print_stdout)]
fn write_pages() {
    let folder = std::env::temp_dir();
    let pages = [
        ("lookalike-public.html", public_page(&statement(1e-9, true), &model())),
        ("lookalike-no-guarantee.html", public_page(&statement(1e-9, false), &model())),
        ("lookalike-steward.html", steward_page(&schema(), &comparison(), Some(&triples()))),
    ];
    for (name, page) in pages {
        std::fs::write(folder.join(name), page).unwrap();
        println!("{}", folder.join(name).display());
    }
}
