//! Raw figures against pandas and SciPy, on tables with little in them, and on a column that its
//! bins ruin.

use std::path::Path;

use lookalike_schema::{AttrId, Schema};
use lookalike_table::{Input, PrivateTable, RawFile, ReadOptions, ReadWatch, Table};
use serde_json::Value;

use super::correlate::{Correlations, RankedColumn, correlate};
use super::{Ascending, NumberSummary, QUANTILES, RawComparison, RawTable, compare_numbers, compare_raw};
use crate::tests::fixture::{close, list, number, numbers, read};
use crate::{EvaluationRng, RawEvaluation, RawLimits, evaluate_raw};

struct Quiet;

impl ReadWatch for Quiet {
    fn share_read(&self, _share: f64) {}
    fn cancelled(&self) -> bool {
        false
    }
}

const OPTIONS: ReadOptions = ReadOptions { delimiter: None, encoding: None, multiline: false, memory: u64::MAX };

/// Evaluates two texts as files of a schema.
fn evaluated(schema: &Schema, texts: [&str; 2], limits: &RawLimits, seed: u64) -> RawEvaluation {
    let folder = tempfile::tempdir().unwrap();
    let inputs = ["real.csv", "synthetic.csv"].map(|name| Input::Path(folder.path().join(name)));
    for (input, text) in inputs.iter().zip(texts) {
        let Input::Path(path) = input else { unreachable!() };
        std::fs::write::<&Path, _>(path, text).unwrap();
    }
    let coded = |input: &Input| -> Table {
        PrivateTable::read(input, schema, &OPTIONS, &Quiet).unwrap().open_for_steward_only()
    };
    let (real, rows) = (coded(&inputs[0]), coded(&inputs[1]).rows());
    let files = inputs.map(|input| RawFile::for_steward_only(input, schema.clone(), OPTIONS));
    evaluate_raw([&files[0], &files[1]], &real, rows, seed, limits, &Quiet).unwrap()
}

#[track_caller]
fn same(found: Option<f64>, wanted: &Value) {
    match wanted.as_f64() {
        // What pandas calls 1e-33 is 0.
        Some(wanted) if wanted.abs() < 1e-12 => assert!(found.is_some_and(|found| found.abs() < 1e-12), "{found:?}"),
        Some(wanted) => close(found.unwrap_or_else(|| panic!("nothing instead of {wanted}")), wanted, 1e-9),
        None => assert_eq!(found, None),
    }
}

fn same_spread(found: Option<NumberSummary>, wanted: &Value) {
    assert_eq!(found.is_none(), wanted.is_null());
    let Some(found) = found else { return };
    assert_eq!(Some(found.values), wanted["values"].as_u64());
    close(found.mean, number(wanted, "mean"), 1e-12);
    same(Some(found.deviation), &wanted["deviation"]);
    assert_eq!(QUANTILES.len(), list(wanted, "quantiles").len());
    found.quantiles.iter().zip(list(wanted, "quantiles")).for_each(|(&found, wanted)| same(Some(found), wanted));
}

fn same_pair(found: &Correlations, wanted: &Value) {
    assert_eq!(Some(found.rows), wanted["rows"].as_u64());
    same(found.pearson, &wanted["pearson"]);
    same(found.spearman, &wanted["spearman"]);
    same(found.slope, &wanted["slope"]);
}

fn same_figures(schema: &Schema, found: &RawComparison, case: &Value) {
    let name = |attribute: AttrId| schema.column(attribute).name.as_str();
    assert_eq!(found.columns.len(), list(case, "columns").len());
    for ((attribute, column), wanted) in found.columns.iter().zip(list(case, "columns")) {
        assert_eq!(Some(name(*attribute)), wanted["name"].as_str());
        same(column.kolmogorov, &wanted["ks"]);
        same_spread(column.spread[0], &wanted["real"]);
        same_spread(column.spread[1], &wanted["synthetic"]);
        column.missing.iter().zip(numbers(&wanted["missing"])).for_each(|(a, b)| close(*a, b, 1e-12));
    }
    assert_eq!(found.pairs.len(), list(case, "pairs").len());
    for wanted in list(case, "pairs") {
        let columns = [0, 1].map(|at| schema.attribute(wanted["columns"][at].as_str().unwrap()).unwrap());
        let pair = found.pairs.iter().find(|pair| [pair.first, pair.second] == columns).unwrap();
        same_pair(&pair.real, &wanted["real"]);
        same_pair(&pair.other, &wanted["synthetic"]);
    }
    assert_eq!(found.groups.len(), list(case, "groups").len());
    for (group, wanted) in found.groups.iter().zip(list(case, "groups")) {
        assert_eq!(Some(name(group.category)), wanted["category"].as_str());
        assert_eq!(Some(name(group.number)), wanted["number"].as_str());
        for (found, wanted) in group.eta.iter().zip(list(wanted, "eta")) {
            // The root of what rounding leaves is no longer small.
            let square = |eta: f64| if eta < 1e-6 { 0.0 } else { eta * eta };
            assert_eq!(found.is_none(), wanted.is_null());
            close(square(found.unwrap_or(0.0)), square(wanted.as_f64().unwrap_or(0.0)), 1e-9);
        }
        same(group.mean_error, &wanted["means"]);
    }
    let together: Vec<_> = found.missing.iter().filter(|pair| pair.real).collect();
    assert_eq!(together.len(), list(case, "missing").len());
    for wanted in list(case, "missing") {
        let columns = [0, 1].map(|at| schema.attribute(wanted["columns"][at].as_str().unwrap()).unwrap());
        let pair = together.iter().find(|pair| [pair.first, pair.second] == columns).unwrap();
        pair.share.iter().zip(numbers(&wanted["share"])).for_each(|(a, b)| close(*a, b, 1e-12));
    }
}

#[test]
fn the_figures_of_pandas_and_scipy() {
    let fixture = read("raw.json");
    assert_eq!(list(&fixture, "cases").len(), 3);
    for case in list(&fixture, "cases") {
        let schema = Schema::parse(case["schema"].as_str().unwrap(), "case.toml").unwrap();
        let texts = ["real", "synthetic"].map(|side| case[side].as_str().unwrap());
        let found = evaluated(&schema, texts, &RawLimits::default(), 0).synthetic;
        same_figures(&schema, &found, case);
        let (summary, wanted) = (found.summary(), &case["summary"]);
        same(summary.kolmogorov, &wanted["ks"]);
        for (kept, wanted) in [(summary.pearson, &wanted["pearson"]), (summary.spearman, &wanted["spearman"])] {
            same(kept.share, &wanted["kept"]);
            same(kept.mean_difference, &wanted["mae"]);
            assert_eq!(Some(kept.pairs as u64), wanted["strong"].as_u64());
        }
        same(summary.eta_difference, &wanted["eta"]);
        same(summary.group_means, &wanted["group_means"]);
    }
}

#[test]
fn little_or_nothing_to_compare() {
    let schema = "[columns.a]\ntype = 'number'\nrange = [0, 9]\n[columns.b]\ntype = 'integer'\nrange = [0, 9]\n\
        [columns.c]\ntype = 'category'\nvalues = ['x', 'y']\nmissing = true";
    let schema = Schema::parse(schema, "little.toml").unwrap();
    let table = |rows: &[[f64; 3]]| RawTable::new((0..3).map(|c| rows.iter().map(|row| row[c]).collect()).collect());
    let (none, one) = (table(&[]), table(&[[1.5, 2.0, f64::NAN]]));
    let gone = table(&[[f64::NAN; 3]; 4]);
    for (real, other) in [(&none, &none), (&none, &one), (&one, &none), (&one, &one), (&one, &gone), (&gone, &one)] {
        let found = compare_raw(&schema, real, other, &|| false).unwrap();
        assert!(found.pairs.iter().all(|pair| pair.real.pearson.is_none() && pair.real.spearman.is_none()));
        assert!(found.groups.is_empty(), "no column has three different values");
        let summary = found.summary();
        assert_eq!((summary.pearson.share, summary.pearson.mean_difference, summary.kolmogorov), (None, None, None));
        assert!(summary.slopes.is_empty() && summary.group_means.is_none() && summary.deviation_worst.is_none());
    }
    let found = compare_raw(&schema, &one, &gone, &|| false).unwrap();
    assert_eq!((found.columns[0].1.kolmogorov, found.columns[0].1.missing), (Some(1.0), [0.0, 1.0]));
    assert_eq!(found.missing_shares, [[0.0, 1.0], [0.0, 1.0], [1.0, 1.0]]);
    let found = compare_raw(&schema, &none, &one, &|| false).unwrap();
    assert_eq!((found.columns[0].1.kolmogorov, found.columns[0].1.spread[0]), (None, None));
    assert!(compare_raw(&schema, &one, &one, &|| true).is_err(), "a stop is heard");
}

#[test]
fn by_hand() {
    let nan = f64::NAN;
    let column = compare_numbers(&Ascending::new(vec![3.0, nan, 1.0, 2.0]), &Ascending::new(vec![2.0, 2.0]));
    close(column.kolmogorov.unwrap(), 1.0 / 3.0, 1e-15);
    assert_eq!((column.missing, column.different), ([0.25, 0.0], 3));
    assert_eq!(column.spread[0].map(|spread| (spread.mean, spread.quantiles[3])), Some((2.0, 2.0)));
    assert_eq!(column.deviation_ratio(), Some(0.0));
    // The last row has no second cell, so that ranks are those of the first three.
    let (x, y) = ([1.0, 2.0, 4.0, 3.0], [10.0, 30.0, 20.0, nan]);
    let found = correlate(&RankedColumn::new(&x), &RankedColumn::new(&y));
    assert_eq!(found.rows, 3);
    close(found.spearman.unwrap(), 0.5, 1e-12);
    // A constant whose mean is rounded is constant all the same.
    let found =
        correlate(&RankedColumn::new(&[0.1; 30]), &RankedColumn::new(&(0..30).map(f64::from).collect::<Vec<_>>()));
    assert_eq!((found.pearson, found.spearman, found.slope), (None, None, None));
    let huge = [1e300, -1e300, 1e300, -1e300];
    let found = correlate(&RankedColumn::new(&huge), &RankedColumn::new(&[1.0, 2.0, 1.0, 2.0]));
    assert_eq!((found.pearson, found.spearman), (None, Some(-1.0)), "beyond what a double can square");
}

/// Two long-tailed numbers that follow each other, and a third that follows them less. Bins of the
/// first two are as wide as public knowledge makes them: nearly all rows lie in the first one.
fn long_tails(rows: usize, seed: u64) -> String {
    let mut rng = EvaluationRng::new(seed, "long tails", 0);
    let mut text = "cost,paid,score\n".to_owned();
    for _ in 0..rows {
        // The sum of a few uniform numbers is near enough to a normal one.
        let mut normal = || (0..12).map(|_| rng.uniform()).sum::<f64>() - 6.0;
        let (size, own, other) = (normal(), normal(), normal());
        let (cost, paid) = ((4.0 + size).exp(), (3.5 + size + 0.1 * own).exp());
        text += &format!("{cost:.2},{paid:.2},{:.0}\n", 50.0 + 10.0 * (0.6 * size + 0.8 * other));
    }
    text
}

/// Coded metrics find a table that equals its own bins perfect. Raw ones show what the bins cost,
/// and name the ruined columns.
#[test]
fn a_column_that_its_bins_ruin_is_found() {
    let schema = "[columns.cost]\ntype = 'number'\nrange = [0, 100000]\nbins = 32\n[columns.paid]\ntype = 'number'\n\
        range = [0, 100000]\nbins = 32\n[columns.score]\ntype = 'integer'\nrange = [0, 100]\nbins = 101";
    let schema = Schema::parse(schema, "tails.toml").unwrap();
    let text = long_tails(4000, 1);
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("real.csv"), &text).unwrap();
    let input = Input::Path(folder.path().join("real.csv"));
    let coded = PrivateTable::read(&input, &schema, &OPTIONS, &Quiet).unwrap().open_for_steward_only();
    // A release without any error but that of the bins.
    let decoded = RawTable::decoded(&coded, None, 7).unwrap();
    let cell = |row: usize, column: usize| decoded.columns()[column][row].to_string();
    let lines = (0..decoded.rows()).map(|row| format!("{},{},{}\n", cell(row, 0), cell(row, 1), cell(row, 2)));
    let release = "cost,paid,score\n".to_owned() + &lines.collect::<String>();
    let found = evaluated(&schema, [&text, &release], &RawLimits::default(), 0);
    let of = |comparison: &RawComparison| {
        let pair = comparison.pairs.iter().find(|pair| pair.first == AttrId(0) && pair.second == AttrId(1)).unwrap();
        (pair.real.pearson.unwrap(), pair.other.pearson.unwrap())
    };
    let (real, synthetic) = of(&found.synthetic);
    assert!(real > 0.95 && synthetic < 0.5, "{real} became {synthetic}");
    assert!(of(&found.bins).1 < 0.5, "the bins alone cost that much");
    let strongest = found.synthetic.strong_pairs()[0];
    assert_eq!([strongest.first, strongest.second], [AttrId(0), AttrId(1)]);
    let mut order: Vec<_> =
        found.synthetic.columns.iter().map(|(id, column)| (column.kolmogorov.unwrap(), *id)).collect();
    order.sort_by(|a, b| b.0.total_cmp(&a.0));
    assert!(order[0].0 > 0.5 && order[1].0 > 0.5 && order[2] == (0.0, AttrId(2)), "{order:?}");
    let (bins, kept) = (found.bins.summary(), found.synthetic.summary());
    assert!(bins.pearson.share.unwrap() < 0.6 && kept.pearson.share.unwrap() < 0.6);
    // The coded metrics see nothing of it.
    let other = tempfile::tempdir().unwrap();
    std::fs::write(other.path().join("release.csv"), &release).unwrap();
    let input = Input::Path(other.path().join("release.csv"));
    let released = Table::read(&input, &schema, &OPTIONS, &Quiet).unwrap();
    let pairs = crate::pairs::compare_pairs(&coded, &released, &|| false).unwrap();
    assert!(pairs.pairs.iter().all(|pair| pair.distance == 0.0));
}

/// Beyond the limit: single columns on all rows, the rest on as many rows as were asked for, chosen
/// by the seed alone.
#[test]
fn large_files_are_sampled_for_pairs_and_read_in_passes() {
    let schema = "[columns.cost]\ntype = 'number'\nrange = [0, 1000]\n[columns.paid]\ntype = 'number'\nrange = [0, 1000]\n\
        [columns.score]\ntype = 'integer'\nrange = [0, 100]";
    let schema = Schema::parse(schema, "tails.toml").unwrap();
    let (real, synthetic) = (long_tails(5000, 1), long_tails(900, 2));
    let texts = [real.as_str(), synthetic.as_str()];
    let whole = evaluated(&schema, texts, &RawLimits::default(), 3);
    // One column a pass.
    let few = RawLimits { rows: 1000, bytes: 1 };
    let some = evaluated(&schema, texts, &few, 3);
    assert!(!whole.is_sample() && whole.sample().is_none());
    assert!(some.is_sample() && some.sample().unwrap().contains("1,000 real and 900 synthetic"));
    assert_eq!(some.synthetic.columns, whole.synthetic.columns, "all rows");
    assert_eq!(some.synthetic.rows, [1000, 900]);
    assert_eq!(some.synthetic.pairs[0].real.rows, 1000);
    assert_ne!(some.synthetic.pairs[0].real, whole.synthetic.pairs[0].real);
    assert_eq!(some.synthetic.pairs[0].other, whole.synthetic.pairs[0].other, "900 rows are not too many");
    let apart = some.synthetic.pairs[0].real.spearman.unwrap() - whole.synthetic.pairs[0].real.spearman.unwrap();
    assert!(apart.abs() < 0.02, "a sample is near the whole: {apart}");
    assert_eq!(some, evaluated(&schema, texts, &few, 3));
    assert_ne!(some, evaluated(&schema, texts, &few, 4));
}
