//! The network and the tables, where next to no noise is in the way.

use lookalike_privacy::{Neighbours, Relation, Step};
use lookalike_schema::{AttrId, Clique, Domain};

use super::{chained, door, fit, settings};
use crate::privbayes::fit::learn;
use crate::privbayes::layout::Layout;
use crate::privbayes::nodes::Nodes;
use crate::privbayes::params::{Encoding, PrivBayesParams};
use crate::privbayes::planning::Facts;
use crate::privbayes::search::{Choose, Pair, network};
use crate::settings::Parameters;
use crate::tests::{Watch, budget, schema};
use crate::{MethodError, build};

/// Columns as bits.
fn bits() -> PrivBayesParams {
    PrivBayesParams { encoding: Encoding::Binary, ..Default::default() }
}

/// Not private: always a pair with the highest R (the first of equals).
struct Greedy<'a> {
    columns: &'a [Vec<u32>],
    domain: &'a Domain,
    /// The smallest lead of a winner over the next, in rows.
    lead: f64,
}

/// n R of a pair, by the formula.
fn dependence(pair: &Pair, columns: &[Vec<u32>], domain: &Domain) -> f64 {
    let rows = columns[0].len();
    let size = domain.size(pair.child) as usize;
    let cells: usize = pair.parents.iter().map(|&parent| domain.size(parent) as usize).product();
    let (mut joint, mut own, mut others) = (vec![0.0; cells * size], vec![0.0; size], vec![0.0; cells]);
    for (row, _) in columns[0].iter().enumerate() {
        let code = |attribute: AttrId| columns[attribute.index()][row] as usize;
        let cell = pair.parents.iter().fold(0, |cell, &parent| cell * domain.size(parent) as usize + code(parent));
        joint[cell * size + code(pair.child)] += 1.0;
        own[code(pair.child)] += 1.0;
        others[cell] += 1.0;
    }
    let miss = |place: usize| (joint[place] - own[place % size] * others[place / size] / rows as f64).abs();
    (0..joint.len()).map(miss).sum::<f64>() / 2.0
}

impl Choose for Greedy<'_> {
    fn choose(&mut self, _round: usize, pairs: &[Pair]) -> Result<usize, MethodError> {
        let scores: Vec<f64> = pairs.iter().map(|pair| dependence(pair, self.columns, self.domain)).collect();
        let best = (0..scores.len()).fold(0, |best, next| if scores[next] > scores[best] { next } else { best });
        let next = (0..scores.len()).filter(|&place| place != best).map(|place| scores[place]).fold(0.0, f64::max);
        self.lead = self.lead.min(scores[best] - next);
        Ok(best)
    }
}

/// At a huge epsilon the selections pick the best pair (the odds of another are below exp(-200)
/// where the lead is a tenth of a row), and the model has the real joint of every table of the
/// network.
#[test]
fn next_to_no_noise_gives_the_greedy_network_and_the_real_tables() {
    let sizes = [3, 4, 5, 3, 4, 5];
    let rows = 2000;
    let columns = chained(&sizes, rows);
    let schema = schema(&sizes, "");
    let domain = schema.domain().clone();
    for (delta, relation) in [(0.0, Relation::AddRemove), (1e-9, Relation::AddRemove), (0.0, Relation::ReplaceOne)] {
        for pairs in [vec![("degree", "2"), ("score", "r")], vec![("degree", "2"), ("score", "r"), ("order", "given")]]
        {
            let budget = budget(1e6, delta);
            let params = crate::settings::read::<PrivBayesParams>(&settings(&pairs)).unwrap();
            let nodes = Nodes::new(&params, &schema).unwrap();
            let neighbours = Neighbours::new(relation, 1).unwrap();
            let facts =
                Facts { params: &params, domain: &domain, nodes: &nodes, neighbours, rows: rows as f64, budget };
            let layout = Layout::new(facts).unwrap();
            let mut greedy = Greedy { columns: &columns, domain: &domain, lead: f64::INFINITY };
            let wanted = network(&params, &layout, &domain, &mut greedy).unwrap();
            assert!(greedy.lead > 0.1, "the example has ties: {}", greedy.lead);

            let mut bench = door(&schema, &sizes, rows, budget, relation, 7);
            let learned = learn(&params, &mut bench.curator, &nodes, &Watch::default()).unwrap();
            assert_eq!(learned.pairs, wanted, "{pairs:?}");
            assert!(wanted.iter().any(|pair| pair.parents.len() == 2));

            let mut bench = door(&schema, &sizes, rows, budget, relation, 8);
            let model = fit(&mut bench, &pairs).unwrap();
            assert_eq!(model.rows(), rows as u64);
            for pair in &wanted {
                let clique = pair.clique();
                let found = model.marginal(&clique).unwrap();
                let real = shares(&clique, &columns, &domain);
                assert!(found.iter().zip(&real).all(|(a, b)| (a - b).abs() < 1e-3), "{clique:?}");
            }
        }
    }
}

fn shares(clique: &Clique, columns: &[Vec<u32>], domain: &Domain) -> Vec<f64> {
    let mut shares = vec![0.0; domain.cells(clique).unwrap() as usize];
    for row in 0..columns[0].len() {
        let place = |cell: usize, &a: &AttrId| cell * domain.size(a) as usize + columns[a.index()][row] as usize;
        shares[clique.attributes().iter().fold(0, place)] += 1.0 / columns[0].len() as f64;
    }
    shares
}

/// Bits and back: columns whose sizes are no powers of two keep their shapes, and no code that is
/// none appears.
#[test]
fn columns_come_back_from_their_bits() {
    let sizes = [5, 3, 2, 1, 7];
    let rows = 3000;
    let columns = chained(&sizes, rows);
    let schema = schema(&sizes, "");
    let mut bench = door(&schema, &sizes, rows, budget(1e5, 0.0), Relation::AddRemove, 7);
    let model = fit(&mut bench, &[("encoding", "binary"), ("degree", "8")]).unwrap();
    for attribute in schema.domain().attributes() {
        let clique = Clique::single(attribute);
        let (found, real) = (model.marginal(&clique).unwrap(), shares(&clique, &columns, schema.domain()));
        assert!(found.iter().zip(&real).all(|(a, b)| (a - b).abs() < 2e-3), "{found:?} instead of {real:?}");
    }
    // One table holds all nine bits, so pairs come back too.
    let pair = Clique::new([AttrId(0), AttrId(1)]);
    let (found, real) = (model.marginal(&pair).unwrap(), shares(&pair, &columns, schema.domain()));
    let distance: f64 = found.iter().zip(&real).map(|(a, b)| (a - b).abs()).sum::<f64>() / 2.0;
    assert!(distance < 0.01, "{distance}");
    let charged = bench.curator.close();
    assert!(charged.charged().iter().any(|query| query.label.contains("bit 1 of 3")));
}

/// Patterns of bits that no code has become valid codes, evenly.
#[test]
fn impossible_patterns_decode_evenly() {
    let schema = schema(&[5], "");
    let nodes = Nodes::new(&bits(), &schema).unwrap();
    assert_eq!((nodes.derived.len(), nodes.attributes.clone()), (3, vec![AttrId(1), AttrId(2), AttrId(3)]));
    let tables = nodes.untouched(&Domain::new(vec![5, 2, 2, 2]));
    let [table] = &tables[..] else { panic!("one column") };
    for (pattern, row) in table.weights.chunks(5).enumerate() {
        let wanted: Vec<f64> = (0..5).map(|code| f64::from(u8::from(pattern >= 5 || code == pattern))).collect();
        assert_eq!(row, wanted);
    }
}

/// Numbers become 16 bins first, and codes are drawn evenly from a bin.
#[test]
fn numbers_are_cut_into_bins() {
    let text = "[columns.age]\ntype = \"integer\"\nrange = [0, 79]\nbins = 80\nmissing = true\n";
    let schema = lookalike_schema::Schema::parse(text, "ages.toml").unwrap();
    let nodes = Nodes::new(&bits(), &schema).unwrap();
    // 16 bins and the missing code.
    assert_eq!(nodes.derived.len(), 5);
    let tables = nodes.untouched(&Domain::new(vec![81, 2, 2, 2, 2, 2]));
    assert_eq!(tables[0].weights.len(), 32 * 81);
    let first: Vec<f64> = tables[0].weights[..81].to_vec();
    assert_eq!(first.iter().filter(|&&weight| weight > 0.0).count(), 5);
}

#[test]
fn scores_are_checked_before_anything_is_paid() {
    let sizes = [3, 2];
    let refusals = [
        ("i", Relation::AddRemove, "relation replace-one"),
        ("f", Relation::AddRemove, "score=r"),
        ("f", Relation::ReplaceOne, "score=r"),
    ];
    for (score, relation, help) in refusals {
        let mut bench = door(&schema(&sizes, ""), &sizes, 100, budget(1.0, 0.0), relation, 1);
        let before = bench.records.records().len();
        let refusal = fit(&mut bench, &[("score", score)]).unwrap_err();
        assert!(matches!(&refusal, MethodError::Setting { .. }) && refusal.to_string().contains(help), "{refusal}");
        assert_eq!(bench.records.records().len(), before);
        assert!(bench.looks.lock().unwrap().is_empty());
    }
    let mut bench = door(&schema(&[3, 2, 2, 4], ""), &[3, 2, 2, 4], 100, budget(1.0, 0.0), Relation::ReplaceOne, 1);
    fit(&mut bench, &[("score", "i"), ("degree", "1")]).unwrap();
    assert!(bench.curator.close().charged().iter().any(|query| query.label.contains("mutual information I")));
    for (pairs, word) in [(("beta", "1"), "beta"), (("degree", "-1"), "degree"), (("score", "x"), "score")] {
        let refusal = build("privbayes", &settings(&[pairs])).map(|_| ()).unwrap_err();
        assert!(refusal.to_string().contains(word), "{refusal}");
    }
    assert!(PrivBayesParams { beta: 1.0, ..Default::default() }.check().is_err());
}

/// All columns of two values: F by default, and bits too.
#[test]
fn binary_attributes_are_scored_by_f() {
    for (sizes, pairs, score) in [
        (vec![2; 5], vec![("degree", "1")], "score F"),
        (vec![3; 5], vec![("degree", "1")], "dependence R"),
        (vec![3; 5], vec![("degree", "1"), ("encoding", "binary")], "score F"),
    ] {
        let mut bench = door(&schema(&sizes, ""), &sizes, 100, budget(1.0, 0.0), Relation::AddRemove, 1);
        fit(&mut bench, &pairs).unwrap();
        let ledger = bench.curator.close();
        let mut selections = ledger.charged().iter().filter(|query| matches!(query.step, Step::Exponential { .. }));
        assert!(selections.all(|query| query.label.contains(score)), "{pairs:?}");
    }
}
