//! Files and rows of every version, kept for ever: a model released today gives the same rows
//! tomorrow.

use std::sync::Arc;

use lookalike_schema::{AttrId, Clique, CodeBox, Domain, Filter, Grouping, Schema};

use super::tree::{clique, noise};
use crate::{
    AnswerAxis, BLOCK_ROWS, Calibrated, Conditional, JunctionTree, KeptAnswer, LogFactor, MeasuredClique, Model,
    Origin, Refinement, Replacement, Rules, SPLIT_ROWS, Sampling,
};

const FILE: &[u8] = include_bytes!("../../tests/golden/v1.lookalike");
const ROWS: &str = include_str!("../../tests/golden/v1-rows.txt");

/// The structures of version 2. Their files are read when the test runs, so that writing them needs
/// no second build.
const SECOND: [&str; 3] = ["product", "tree", "network"];

/// The same structures, drawn as they are since rows are thinned.
const THINNED: [&str; 3] = ["product-thinned", "tree-thinned", "network-thinned"];

/// The same structures in files of version 3, with answers.
const THIRD: [&str; 3] = SECOND;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden");

const SCHEMA: &str = r#"
[columns.id]
type = "id"

[columns.age]
type = "integer"
range = [0, 99]
bins = 10
missing = true

[columns.sex]
type = "category"
values = ["f", "m", "x"]

[columns.married]
type = "boolean"

[columns.height]
type = "number"
range = [0.4, 2.2]
edges = [0.4, 1.1, 1.7, 2.2]

[[impossible]]
age = "< 10"
married = true

[[impossible]]
sex = "x"
"#;

fn fresh() -> Model {
    let schema = Schema::parse(SCHEMA, "golden.toml").unwrap();
    let weights = schema.domain().sizes().iter().map(|&size| (1..=size).map(|code| 1.0 / f64::from(code)).collect());
    let weights = weights.collect();
    let origin = Origin { method: "independent".into(), guarantee: "epsilon 1, delta 1e-9".into() };
    Model::product(schema, 20_000.4, weights, vec![], origin).unwrap()
}

/// The first rows of two blocks, with the first words of their place streams.
fn rows(model: &Model, sampling: Sampling) -> String {
    let sampler = model.sampler(&sampling).unwrap();
    let mut text = String::new();
    for index in 0..sampler.blocks() {
        let block = sampler.block(index);
        for row in 0..40.min(block.rows) {
            let codes: Vec<String> = block.columns.iter().map(|column| column[row].to_string()).collect();
            text += &format!("{} {}\n", block.first_row + row as u64, codes.join(" "));
        }
        let mut places = block.places.rng();
        text += &format!("places {:016x} {:016x}\n", places.next_u64(), places.next_u64());
    }
    text
}

fn first_rows(model: &Model) -> String {
    rows(model, Sampling::new(2 * BLOCK_ROWS as u64, 20_240_229))
}

/// As the file says over two blocks, then with replacement, then some of the rows only.
fn second_rows(model: &Model) -> String {
    let seed = 20_261_115;
    let some = CodeBox { parts: vec![(AttrId(0), vec![1, 2, 5]), (AttrId(1), vec![0, 1])] };
    let others = CodeBox { parts: vec![(AttrId(0), vec![7])] };
    rows(model, Sampling::new(SPLIT_ROWS as u64 + 50, seed))
        + &rows(model, Sampling::new(40, seed).with(Replacement::With))
        + &rows(model, Sampling::new(40, seed).filtered(Filter::from_boxes(vec![some, others])))
}

/// A release that is too large to be thinned, in one block, and some of its rows only.
fn large_rows(model: &Model) -> String {
    let (many, seed) = (5 * SPLIT_ROWS as u64, 20_261_116);
    let some = CodeBox { parts: vec![(AttrId(0), vec![1, 2, 5])] };
    let others = CodeBox { parts: vec![(AttrId(0), vec![7])] };
    rows(model, Sampling::new(many, seed))
        + &rows(model, Sampling::new(many, seed).filtered(Filter::from_boxes(vec![some, others])))
}

/// One model of each structure over the golden schema.
fn fresh_second(name: &str) -> Model {
    let schema = fresh().schema().clone();
    let origin = Origin { method: name.into(), guarantee: "epsilon 1, delta 1e-9".into() };
    let measured = vec![MeasuredClique { clique: clique(&[0, 2]), variance: 6.25 }];
    let weight = |seed: u64, cells: u64| -> Vec<f64> { (0..cells).map(|cell| noise(seed + cell)).collect() };
    match name.trim_end_matches("-thinned") {
        "product" => {
            let weights = schema.domain().sizes().iter().enumerate();
            let weights = weights.map(|(column, &size)| weight(column as u64 * 50, u64::from(size))).collect();
            Model::product(schema, 20_000.4, weights, measured, origin).unwrap()
        }
        "tree" => {
            // Ages are held by halves of five bins each, split where the rules ask for it.
            let halves = Grouping::new(vec![0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 2]).unwrap();
            let grouping = Arc::new(Rules::new(&schema).unwrap().split(0, &halves).unwrap());
            let rules = Rules::coarse(&schema, &[Some(grouping.clone()), None, None, None]).unwrap();
            let sizes = [&[grouping.groups()], &schema.domain().sizes()[1..]].concat();
            let domain = Domain::new(sizes);
            let cliques = [clique(&[0, 2]), clique(&[1, 2]), clique(&[1, 3])];
            let tree = JunctionTree::new(&domain, &cliques, &rules).unwrap();
            let potential = |(place, clique): (usize, &Clique)| {
                let cells = domain.cells(clique).unwrap();
                LogFactor::new(&domain, clique, weight(1000 * place as u64, cells)).unwrap()
            };
            let potentials: Vec<LogFactor> = cliques.iter().enumerate().map(potential).collect();
            let calibrated = Calibrated::new(&tree, &potentials).unwrap();
            let ages = Refinement { grouping, weights: weight(77, 11) };
            Model::tree(schema, &calibrated, 20_000.4, vec![Some(ages), None, None, None], measured, origin).unwrap()
        }
        _ => {
            let decades = Arc::new(Grouping::new(vec![0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3]).unwrap());
            let table = |child: u32, parents: Vec<(AttrId, Option<Arc<Grouping>>)>, cells: u64| Conditional {
                child: AttrId(child),
                refinement: None,
                parents,
                weights: weight(u64::from(child) * 500, cells),
            };
            let mut tables = vec![
                table(1, vec![], 3),
                table(0, vec![(AttrId(1), None)], 12),
                table(2, vec![(AttrId(0), Some(decades.clone())), (AttrId(1), None)], 24),
                table(3, vec![(AttrId(1), None), (AttrId(2), None)], 18),
            ];
            tables[1].refinement = Some(Refinement { grouping: decades, weights: weight(3, 11) });
            Model::network(schema, &[], tables, 20_000.4, measured, origin).unwrap()
        }
    }
}

/// A pair, one of its columns in groups, and a public count.
fn answers() -> Vec<KeptAnswer> {
    let domain = fresh().schema().domain().clone();
    let halves = Arc::new(Grouping::new(vec![0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 2]).unwrap());
    let axes = vec![
        AnswerAxis { column: AttrId(0), grouping: Some(halves) },
        AnswerAxis { column: AttrId(1), grouping: None },
    ];
    let values = (0..9).map(|cell| 1_000.5 - 130.25 * f64::from(cell)).collect();
    let pair = KeptAnswer::stored(&domain, axes, values, 6.25).unwrap();
    vec![pair, KeptAnswer::plain(&domain, &clique(&[]), vec![20_000.0], 0.0).unwrap()]
}

#[test]
fn the_golden_file_is_read_and_gives_the_golden_rows() {
    let model = Model::from_bytes(FILE).unwrap();
    assert_eq!(model.rows(), 20_000);
    assert_eq!(model.origin().guarantee, "epsilon 1, delta 1e-9");
    assert_eq!(model.schema(), fresh().schema());
    assert_eq!(model.replacement(), Replacement::With);
    assert_eq!(
        first_rows(&model),
        ROWS,
        "the rows of a seed have changed: released models would no longer give their rows"
    );
}

#[test]
fn the_golden_files_of_version_2_are_read_and_give_the_golden_rows() {
    for name in SECOND.into_iter().chain(THINNED) {
        let file = std::fs::read(format!("{FOLDER}/v2-{name}.lookalike")).unwrap();
        let golden = std::fs::read_to_string(format!("{FOLDER}/v2-{name}-rows.txt")).unwrap();
        let model = Model::from_bytes(&file).unwrap();
        assert_eq!(Model::from_bytes(&model.to_bytes()).unwrap(), model, "{name}");
        let way = if name.ends_with("-thinned") { Replacement::Thinned } else { Replacement::Without };
        assert_eq!(model.replacement(), way, "{name}");
        assert_eq!((model.rows(), model.measured().len()), (20_000, 1), "{name}");
        assert_eq!(second_rows(&model), golden, "the rows of a seed have changed for a {name}");
        if way == Replacement::Thinned {
            let golden = std::fs::read_to_string(format!("{FOLDER}/v2-{name}-large-rows.txt")).unwrap();
            assert_eq!(large_rows(&model), golden, "the rows of a seed have changed for a large release of a {name}");
        }
        // What is fitted today may differ in the last bits from what was fitted then; its shape may
        // not.
        let clique = clique(&[0, 1, 2, 3]);
        let (old, new) = (model.marginal(&clique).unwrap(), fresh_second(name).marginal(&clique).unwrap());
        assert!(old.iter().zip(&new).all(|(a, b)| (a - b).abs() < 1e-9), "{name}");
    }
}

#[test]
fn the_golden_files_of_version_3_are_read_and_give_the_golden_rows() {
    for name in THIRD {
        let file = std::fs::read(format!("{FOLDER}/v3-{name}.lookalike")).unwrap();
        let golden = std::fs::read_to_string(format!("{FOLDER}/v3-{name}-rows.txt")).unwrap();
        let model = Model::from_bytes(&file).unwrap();
        assert_eq!(model.to_bytes(), file, "{name}");
        assert_eq!(model.replacement(), Replacement::Thinned, "{name}");
        assert_eq!((model.rows(), model.measured().len()), (20_000, 1), "{name}");
        assert_eq!(model.answers(), answers(), "{name}");
        assert_eq!(second_rows(&model), golden, "the rows of a seed have changed for a {name}");
    }
}

/// Written once, by hand: `cargo test -p lookalike-model -- --ignored write_golden`. Never again
/// for a version that has been released. All others were written by the program of their time.
#[test]
#[ignore = "writes the golden files"]
fn write_golden() {
    for name in THIRD {
        let model = fresh_second(name).with_answers(answers());
        std::fs::write(format!("{FOLDER}/v3-{name}.lookalike"), model.to_bytes()).unwrap();
        std::fs::write(format!("{FOLDER}/v3-{name}-rows.txt"), second_rows(&model)).unwrap();
    }
}
