//! Whatever the builder makes is what a file would say, and is refused for the same reasons.

use proptest::prelude::*;

use super::{Boolean, Category, Date, DateTime, Id, Ignore, Integer, Number, SchemaBuilder};
use crate::{CellCondition, ColumnFile, Schema, Spacing, Unlisted};

/// Both written forms of a schema are read back to it.
fn assert_reads_back(schema: &Schema) {
    for text in [schema.to_toml(), schema.to_json().to_string()] {
        assert_eq!(Schema::parse(&text, "written").unwrap(), *schema, "{text}");
    }
}

fn one(column: impl Into<ColumnFile>) -> SchemaBuilder {
    Schema::builder().column("x", column)
}

fn refusal(builder: SchemaBuilder) -> String {
    builder.build().unwrap_err().to_string()
}

#[test]
fn every_kind_says_what_its_file_says() {
    let cases: [(ColumnFile, &str); 14] = [
        (
            Integer::range(0, 99).bins(20).spikes([0, 7]).level([50]).missing(true).into(),
            "type = 'integer'\nrange = [0, 99]\nbins = 20\nspikes = [0, 7]\nlevels = [[50]]\nmissing = true",
        ),
        (
            Integer::range(0, 100_000).bins(10).spacing(Spacing::Log).into(),
            "type = 'integer'\nrange = [0, 100000]\nbins = 10\nspacing = 'log'",
        ),
        (
            Integer::range(0, 99).edges([15, 40, 65]).level([15, 65]).level([65]).into(),
            "type = 'integer'\nrange = [0, 99]\nedges = [15, 40, 65]\nlevels = [[15, 65], [65]]",
        ),
        (
            Number::range(0, 2.5).edges([0.5]).spikes([0]).decimals(3).level([0.5]).missing(true).into(),
            "type = 'number'\nrange = [0, 2.5]\nedges = [0.5]\nspikes = [0]\ndecimals = 3\nlevels = [[0.5]]\nmissing = true",
        ),
        (
            Number::range(0, 300).bins(12).spacing(Spacing::Log).into(),
            "type = 'number'\nrange = [0, 300]\nbins = 12\nspacing = 'log'",
        ),
        (
            Category::of(["a", "b", "c"]).other("rest").level([("ab", ["a", "b"])]).missing(true).into(),
            "type = 'category'\nvalues = ['a', 'b', 'c']\nother = 'rest'\nlevels = [{ ab = ['a', 'b'] }]\nmissing = true",
        ),
        (Boolean::default().into(), "type = 'boolean'"),
        (Boolean::words("no", "yes").missing(true).into(), "type = 'boolean'\nvalues = ['no', 'yes']\nmissing = true"),
        (
            Date::range("2020-01-01", "2020-12-31").format("%d/%m/%Y").bins(12).missing(true).into(),
            "type = 'date'\nrange = ['2020-01-01', '2020-12-31']\nformat = '%d/%m/%Y'\nbins = 12\nmissing = true",
        ),
        (
            Date::range("2020-01-01", "2020-12-31").edges(["2020-04-01", "2020-07-01"]).level(["2020-07-01"]).into(),
            "type = 'date'\nrange = [2020-01-01, 2020-12-31]\nedges = [2020-04-01, 2020-07-01]\nlevels = [[2020-07-01]]",
        ),
        (
            DateTime::range("2020-01-01", "2021-01-01").edges(["2020-06-01T12:00:00"]).missing(true).into(),
            "type = 'datetime'\nrange = ['2020-01-01', '2021-01-01']\nedges = ['2020-06-01T12:00:00']\nmissing = true",
        ),
        (
            DateTime::range("2020-01-01", "2021-01-01").bins(4).format("%Y-%m-%d %H:%M").level(["2020-07-02"]).into(),
            "type = 'datetime'\nrange = ['2020-01-01', '2021-01-01']\nbins = 4\nformat = '%Y-%m-%d %H:%M'\nlevels = [[2020-07-02]]",
        ),
        (Id.into(), "type = 'id'"),
        (ColumnFile::from(Ignore).review(["type"]), "type = 'ignore'\nreview = ['type']"),
    ];
    for (column, text) in cases {
        let schema = match one(column).build() {
            Ok(schema) => schema,
            Err(error) => panic!("{text}: {error}"),
        };
        assert_eq!(schema, Schema::parse(&format!("[columns.x]\n{text}"), "file").unwrap(), "{text}");
        assert_reads_back(&schema);
    }
}

#[test]
fn the_whole_file_can_be_said() {
    let built = Schema::builder()
        .missing_tokens(["-", "9999"])
        .delimiter(';')
        .decimal(',')
        .unlisted(Unlisted::Ignore)
        .multiline(true)
        .review(["decimal"])
        .column("age", ColumnFile::from(Integer::range(0, 99).missing(true)).review(["range"]))
        .column("married", Boolean::words("no", "yes"))
        .column("sex", Category::of(["F", "M"]))
        .impossible([("age", CellCondition::below(15)), ("married", CellCondition::is("yes"))])
        .impossible([("age", CellCondition::missing()), ("sex", CellCondition::any_of(["F", "M"]))])
        .build()
        .unwrap();
    let file = Schema::parse(
        "missing_tokens = ['-', '9999']\ndelimiter = ';'\ndecimal = ','\nunlisted = 'ignore'\nmultiline = true\n\
         review = ['decimal']\n[columns.age]\ntype = 'integer'\nrange = [0, 99]\nmissing = true\nreview = ['range']\n\
         [columns.married]\ntype = 'boolean'\nvalues = ['no', 'yes']\n\
         [columns.sex]\ntype = 'category'\nvalues = ['F', 'M']\n\
         [[impossible]]\nage = '< 15'\nmarried = 'yes'\n\
         [[impossible]]\nage = { missing = true }\nsex = ['F', 'M']",
        "file",
    );
    assert_eq!(built, file.unwrap());
    assert_reads_back(&built);
}

#[test]
fn conditions_cover_what_they_say() {
    for (condition, codes) in [
        (CellCondition::is(3), vec![3]),
        (CellCondition::is_not(3), vec![0, 1, 2, 4]),
        (CellCondition::any_of([4, 0]), vec![0, 4]),
        (CellCondition::below(2), vec![0, 1]),
        (CellCondition::at_most(2), vec![0, 1, 2]),
        (CellCondition::above(2), vec![3, 4]),
        (CellCondition::at_least(2), vec![2, 3, 4]),
        (CellCondition::between(1, 2), vec![1, 2]),
        (CellCondition::missing(), vec![5]),
    ] {
        let schema = one(Integer::range(0, 4).missing(true)).impossible([("x", condition.clone())]).build().unwrap();
        assert_eq!(schema.impossible()[0].parts[0].1, codes, "{condition:?}");
        assert_reads_back(&schema);
    }
    let date = one(Date::range("2020-01-01", "2020-01-09"));
    let schema = date.impossible([("x", CellCondition::between("2020-01-02", "2020-01-03"))]).build().unwrap();
    assert_eq!(schema.impossible()[0].parts[0].1, [1, 2]);
    let number = one(Number::range(0, 1).edges([0.5])).impossible([("x", CellCondition::at_least(0.5))]).build();
    assert_eq!(number.unwrap().impossible()[0].parts[0].1, [1]);
    let truth = one(Boolean::default()).impossible([("x", CellCondition::is(true))]).build();
    assert_eq!(truth.unwrap().impossible()[0].parts[0].1, [1]);
}

#[test]
fn refusals_are_those_of_files() {
    for (builder, part) in [
        (Schema::builder(), "no columns"),
        (one(Integer::range(9, 0)), "column \"x\": `range` is reversed"),
        (one(Integer::range(0, 9).bins(0)), "bins = 0"),
        (one(Integer::range(0, 9).bins(2).edges([5])), "both `bins` and `edges`"),
        (one(Number::range(0, f64::NAN)), "not finite"),
        (one(Category::of(["a", "a"])), "lists \"a\" twice"),
        (one(Category::of([""; 0])), "without values"),
        (one(Boolean::words("yes", "no")), "false first"),
        (one(Date::range("2020-01-01", "soon")), "\"soon\" is not a date"),
        (one(Id).column("x", Ignore), "column \"x\": listed twice"),
        (one(Id).delimiter('é'), "`delimiter`"),
        (one(Id).decimal(';'), "`decimal`"),
        (one(Id).impossible([("y", CellCondition::is(1))]), "column \"y\": named by [[impossible]]"),
        (one(Boolean::default()).impossible([("x", CellCondition::Missing { missing: false })]), "missing = false"),
    ] {
        let message = refusal(builder);
        assert!(message.contains(part) && !message.contains('\n'), "{part}: {message}");
    }
}

proptest! {
    #[test]
    fn whatever_is_built_reads_back(
        low in -1000i64..1000, width in 0i64..100_000, bins in 1u32..100, spike in 0i64..100_000, log: bool, missing: bool,
        decimals in 0u8..4, words in proptest::collection::btree_set("\\PC{1,6}", 1..6), other in "[a-z]{1,4}",
    ) {
        let spacing = if log { Spacing::Log } else { Spacing::Even };
        let integer = Integer::range(low, low + width).bins(bins).spacing(spacing).spikes([low + spike % (width + 1)]);
        let number = Number::range(low as f64, (low + width) as f64).bins(bins).spacing(spacing).decimals(decimals);
        for builder in [
            one(integer.missing(missing)),
            one(number.missing(missing)),
            one(Category::of(words).other(other).missing(missing)),
        ] {
            if let Ok(schema) = builder.build() {
                assert_reads_back(&schema);
            }
        }
    }
}
