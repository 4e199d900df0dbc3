//! Columns of many codes in few groups.

use std::sync::Arc;

use lookalike_schema::{AttrId, Clique, Domain, Filter, Grouping, Schema};
use sha2::{Digest, Sha256};

use super::support::origin;
use crate::{
    AnswerAxis, Calibrated, Factor, JunctionTree, KeptAnswer, Mixture, Model, ModelError, Refinement, Sampling,
};

const CODES: u32 = 200_001;

/// A column of 200,000 values with a missing code, one of two words, and one of 3,000 values.
fn schema() -> Schema {
    let text = "[columns.pay]\ntype = 'integer'\nrange = [0, 199999]\nmissing = true\n\
                [columns.sex]\ntype = 'category'\nvalues = ['F', 'M']\n\
                [columns.age]\ntype = 'integer'\nrange = [0, 2999]\n";
    Schema::parse(text, "test").unwrap().on_grid(262_144).unwrap()
}

/// Groups that end before these codes, and a last one behind them.
fn cut(codes: u32, ends: &[u32]) -> Arc<Grouping> {
    let group = |code| ends.iter().filter(|&&end| end <= code).count() as u32;
    Arc::new(Grouping::new((0..codes).map(group).collect()).unwrap())
}

/// Weights that are the same along stretches of codes, with a spike.
fn refinements() -> Vec<Option<Refinement>> {
    let pay = cut(CODES, &[1_000, 50_000, 120_000, 200_000]);
    let weights = (0..CODES).map(|code| if code == 60_000 { 900.0 } else { f64::from(1 + code / 30_000) / 7.0 });
    let pay = Refinement { grouping: pay, weights: weights.collect() };
    vec![Some(pay), None, Some(Refinement::uniform(cut(3_000, &[1_500])))]
}

fn tree() -> Model {
    let domain = Domain::new(vec![5, 2, 2]);
    let all = Clique::new([AttrId(0), AttrId(1), AttrId(2)]);
    let tree = JunctionTree::new(&domain, std::slice::from_ref(&all), &[]).unwrap();
    let values = (1..=20).map(|cell| f64::from(cell * cell % 13 + 1)).collect();
    let factor = Factor::new(&domain, &all, values).unwrap();
    let calibrated = Calibrated::new(&tree, &[factor.ln()]).unwrap();
    let model = Model::tree(schema(), &calibrated, 1_000.0, refinements(), vec![], origin()).unwrap();
    let axis = |ends: &[u32]| vec![AnswerAxis { column: AttrId(0), grouping: Some(cut(CODES, ends)) }];
    let answer =
        |ends: &[u32], values: Vec<f64>| KeptAnswer::stored(model.schema().domain(), axis(ends), values, 9.0).unwrap();
    let answers = vec![answer(&[70_000], vec![400.0, 600.0]), answer(&[1_000, 90_000], vec![100.0, 300.0, 600.0])];
    model.with_answers(answers)
}

fn mixture() -> Model {
    let columns = vec![
        vec![0.1, 0.2, 0.3, 0.1, 0.3, 0.5, 0.2, 0.1, 0.1, 0.1],
        vec![0.5, 0.5, 0.1, 0.9],
        vec![0.3, 0.7, 0.6, 0.4],
    ];
    let mixture = Mixture::new(&Domain::new(vec![5, 2, 2]), &[], vec![0.25, 0.75], columns).unwrap();
    Model::mixture(schema(), &mixture, 1_000.0, refinements(), vec![], origin()).unwrap()
}

fn product() -> Model {
    let even = |size: u32| (0..size).map(|code| f64::from(1 + code * 5 / size)).collect();
    let weights = schema().domain().sizes().iter().map(|&size| even(size)).collect();
    Model::product(schema(), 1_000.0, weights, vec![], origin()).unwrap()
}

#[test]
fn files_of_long_columns_are_short_and_whole() {
    for model in [tree(), mixture(), product()] {
        let bytes = model.to_bytes();
        assert!(bytes.len() < 8_000, "{} bytes", bytes.len());
        let again = Model::from_bytes(&bytes).unwrap();
        assert_eq!(again, model, "bit by bit");
        assert_eq!(again.to_bytes(), bytes);
        let rows = |model: &Model| model.sampler(&Sampling::new(2_000, 3)).unwrap().block(0).columns;
        assert_eq!(rows(&again), rows(&model));
    }
}

/// The file with other words in its header, and a hash that fits.
fn changed(bytes: &[u8], from: &str, to: &str) -> Vec<u8> {
    let len = u64::from_le_bytes(bytes[20..28].try_into().unwrap()) as usize;
    let header = String::from_utf8(bytes[28..28 + len].to_vec()).unwrap();
    assert!(header.contains(from), "{header}");
    let header = header.replace(from, to);
    let mut other = bytes[..20].to_vec();
    other.extend((header.len() as u64).to_le_bytes());
    other.extend(header.as_bytes());
    other.extend(&bytes[28 + len..bytes.len() - 32]);
    let hash = Sha256::digest(&other);
    other.extend(hash);
    other
}

#[test]
fn runs_are_told_and_bounded() {
    let bytes = tree().to_bytes();
    assert!(Model::from_bytes(&changed(&bytes, "\"needs\":[\"runs\"]", "\"needs\":[\"other\"]")).is_err());
    let refused =
        |from: &str, to: &str| matches!(Model::from_bytes(&changed(&bytes, from, to)), Err(ModelError::File { .. }));
    assert!(refused("[1,49000]", "[1,48999]"), "a grouping of another number of codes");
    assert!(refused("[1,49000]", "[1,4294967295]"));
    assert!(refused("[1,49000]", "[9,49000]"));
    // Weights for 200,001 codes, of a column that has 100,001.
    assert!(refused("\"range\":[0,199999]", "\"range\":[0,99999]"));
    // A section of runs must come in pairs of a number and how often it stands.
    assert!(refused("[\"structure\",20]", "[\"structure runs\",20]"));
}

/// Sums of a model's marginal over the codes of the shown cells, which holds for any model.
fn summed(model: &Model, columns: &[u32], filter: &Filter) -> (Vec<f64>, Vec<f64>) {
    let clique = Clique::new(columns.iter().map(|&column| AttrId(column)));
    let shown = model.shown(&clique, filter).unwrap();
    let sizes: Vec<usize> = clique.attributes().iter().map(|&one| shown.size(one)).collect();
    let mut sums = vec![0.0; sizes.iter().product()];
    let fine: Vec<usize> = clique.attributes().iter().map(|&one| model.schema().domain().size(one) as usize).collect();
    for (cell, share) in model.marginal_where(&clique, filter).unwrap().into_iter().enumerate() {
        let (mut rest, mut place, mut step) = (cell, 0, 1);
        for (axis, &attribute) in clique.attributes().iter().enumerate().rev() {
            let code = (rest % fine[axis]) as u32;
            place += step * shown.grouping(attribute).map_or(code, |grouping| grouping.group(code)) as usize;
            (rest, step) = (rest / fine[axis], step * sizes[axis]);
        }
        sums[place] += share;
    }
    (sums, shown.marginal().unwrap())
}

#[test]
fn shown_cells_are_sums_of_codes() {
    let conditions = ["", "pay >= 40000 and pay < 90000", "pay < 77 or sex = 'F'", "age > 20 and pay is missing"];
    for model in [tree(), mixture(), product()] {
        for condition in conditions {
            let parsed = |text| Filter::parse(model.schema(), text).unwrap();
            let filter = if condition.is_empty() { Filter::everything() } else { parsed(condition) };
            for columns in [&[0u32][..], &[1], &[0, 1], &[1, 2]] {
                let (sums, shown) = summed(&model, columns, &filter);
                assert!(shown.len() < 300, "{} cells", shown.len());
                let close = sums.iter().zip(&shown).all(|(one, other)| (one - other).abs() < 1e-9);
                assert!(close && sums.len() == shown.len(), "{condition} {columns:?}: {sums:?} {shown:?}");
            }
        }
        // Pairs of codes could not be listed.
        let everything = Filter::everything();
        let pair = model.shown(&Clique::new([AttrId(0), AttrId(2)]), &everything).unwrap();
        assert!((pair.marginal().unwrap().iter().sum::<f64>() - 1.0).abs() < 1e-9);
    }
}

#[test]
fn groups_are_cut_where_a_condition_cuts() {
    let model = tree();
    let filter = Filter::parse(model.schema(), "pay >= 40000 and pay < 90000").unwrap();
    let pay = Clique::single(AttrId(0));
    let shown = model.shown(&pay, &filter).unwrap();
    let labels = model.schema().codec(AttrId(0)).labels(shown.grouping(AttrId(0)).unwrap());
    let wanted = ["0-999", "1000-39999", "40000-49999", "50000-89999", "90000-119999", "120000-199999", "(missing)"];
    assert_eq!(labels, wanted);
}
