//! Worked examples of the document. (Its scores are tested behind the door.)

use lookalike_privacy::{Neighbours, Relation, Step};
use lookalike_schema::{AttrId, Domain};

use lookalike_testkit::clique;

use crate::privbayes::layout::Layout;
use crate::privbayes::nodes::Nodes;
use crate::privbayes::params::PrivBayesParams;
use crate::privbayes::planning::Facts;
use crate::privbayes::search::Pair;
use crate::privbayes::tables::{maximal, with_repeats};
use crate::tests::{budget, schema};

fn pair(child: u32, parents: &[u32]) -> Pair {
    Pair { child: AttrId(child), parents: parents.iter().copied().map(AttrId).collect() }
}

/// Columns of these sizes, as they are.
fn nodes(domain: &Domain) -> Nodes {
    Nodes::new(&PrivBayesParams::default(), &schema(domain.sizes(), "")).unwrap()
}

fn layout(params: &PrivBayesParams, sizes: &[u32], rows: f64, epsilon: f64, relation: Relation) -> Layout {
    let domain = Domain::new(sizes.to_vec());
    let nodes = nodes(&domain);
    let neighbours = Neighbours::new(relation, 1).unwrap();
    let facts = Facts { params, domain: &domain, nodes: &nodes, neighbours, rows, budget: budget(epsilon, 0.0) };
    let (layout, _, plan) = Layout::calibrated(facts, |plan| Ok(plan.calibrate(facts.budget)?)).unwrap();
    assert_eq!(plan.steps().len(), layout.selections + layout.marginals);
    layout
}

/// Example 1: A; B given A; C given A, B; D given A, C. Only ABC and ACD are measured, with Lap(8 /
/// (n eps)) on probabilities under replace-one.
#[test]
fn example_1_measures_two_tables() {
    let pairs = [pair(0, &[]), pair(1, &[0]), pair(2, &[0, 1]), pair(3, &[0, 2])];
    assert_eq!(maximal(&pairs), [clique(&[0, 1, 2]), clique(&[0, 2, 3])]);
    let params = PrivBayesParams { degree: Some(2), ..Default::default() };
    let domain = Domain::new(vec![2; 4]);
    let nodes = nodes(&domain);
    let neighbours = Neighbours::new(Relation::ReplaceOne, 1).unwrap();
    let budget = budget(0.4, 0.0);
    let facts = Facts { params: &params, domain: &domain, nodes: &nodes, neighbours, rows: 1000.0, budget };
    let (layout, _, plan) = Layout::calibrated(facts, |plan| Ok(plan.calibrate(facts.budget)?)).unwrap();
    assert_eq!((layout.certain, layout.selections, layout.marginals), (2, 3, 2));
    let Step::Laplace { scale, .. } = &plan.steps().last().unwrap().step else { panic!("Laplace noise") };
    assert!((scale.to_f64() * 0.4 / 8.0 - 1.0).abs() < 1e-6, "{scale}");
}

/// Network N1 over age, education, workclass, title and income.
#[test]
fn network_n1_measures_two_tables() {
    let pairs = [pair(0, &[]), pair(1, &[0]), pair(2, &[0]), pair(3, &[0, 1, 2]), pair(4, &[2, 3])];
    assert_eq!(maximal(&pairs), [clique(&[0, 1, 2, 3]), clique(&[2, 3, 4])]);
    assert_eq!(pairs.iter().map(|pair| pair.parents.len()).max(), Some(3));
    // Two more answers go to the larger table, then to the other.
    let domain = Domain::new(vec![2; 5]);
    let asked = with_repeats(maximal(&pairs), 4, &domain);
    assert_eq!(asked, [0, 1, 0, 1].map(|place| maximal(&pairs)[place].clone()));
    // Equal tables are measured once.
    assert_eq!(maximal(&[pair(0, &[]), pair(1, &[0]), pair(2, &[]), pair(3, &[2])]).len(), 2);
}

/// theta = 4, beta = 0.5, replace-one: the degree at six epsilons, for NLTCS and for Adult in bits.
#[test]
fn degrees_by_usefulness() {
    let params = PrivBayesParams::default();
    for (bits, rows, degrees) in [(16, 21_574.0, [1, 2, 3, 4, 5, 6]), (52, 45_222.0, [0, 1, 2, 3, 4, 5])] {
        for (epsilon, degree) in [0.05, 0.1, 0.2, 0.4, 0.8, 1.6].into_iter().zip(degrees) {
            let layout = layout(&params, &vec![2; bits], rows, epsilon, Relation::ReplaceOne);
            assert_eq!(layout.certain, degree, "{bits} bits at {epsilon}");
            assert_eq!(layout.marginals, bits - degree);
            assert_eq!(layout.selections, if degree == 0 { 0 } else { bits - 1 }, "{bits} bits at {epsilon}");
        }
    }
}

/// Half the noise: under add/remove the same degree is reached at half the epsilon.
#[test]
fn add_remove_needs_half_the_epsilon() {
    let params = PrivBayesParams::default();
    for epsilon in [0.1, 0.4, 1.6] {
        let one = layout(&params, &[2; 16], 21_574.0, epsilon, Relation::ReplaceOne);
        let other = layout(&params, &[2; 16], 21_574.0, epsilon / 2.0, Relation::AddRemove);
        assert_eq!(one.certain, other.certain);
    }
}

#[test]
fn wide_columns_stand_alone_and_a_small_table_is_measured_whole() {
    let params = PrivBayesParams::default();
    let wide = layout(&params, &[2, 3, 5000, 2], 20_000.0, 1.0, Relation::AddRemove);
    assert_eq!(wide.wide, [AttrId(2)]);
    // The three narrow ones fit one table: no selection, two tables in all.
    assert_eq!((wide.selections, wide.marginals), (0, 2));
    let alone = layout(&params, &[7], 20_000.0, 1.0, Relation::AddRemove);
    assert_eq!((alone.selections, alone.marginals), (0, 1));
    let hopeless = layout(&params, &[2; 5], 1.0, 0.01, Relation::AddRemove);
    assert_eq!((hopeless.selections, hopeless.marginals, hopeless.wide.len()), (0, 5, 5));
    let constant = layout(&params, &[1, 3, 1, 4], 20_000.0, 1.0, Relation::AddRemove);
    assert_eq!((constant.selections, constant.marginals, constant.narrow.len()), (0, 1, 2));
}
