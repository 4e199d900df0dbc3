use lookalike_schema::Schema;
use proptest::prelude::*;
use serde_json::json;
use sha2::{Digest, Sha256};

use super::network::small_network;
use super::support::{coded_model, origin};
use super::tree::tree_model;
use crate::{Model, ModelError, Replacement, Sampling};

const RICH: &str = r#"
[columns.who]
type = "id"

[columns.age]
type = "integer"
range = [0, 99]
bins = 20
missing = true

[columns."höhe, \"m\""]
type = "number"
range = [0.1, 2.3]
bins = 7

[columns.job]
type = "category"
values = ["none", "clerk", "smith"]
other = "elsewhere"

[columns.skip]
type = "ignore"

[[impossible]]
age = "< 15"
job = "clerk"
"#;

fn rich() -> Model {
    let schema = Schema::parse(RICH, "rich.toml").unwrap();
    let weights =
        schema.domain().sizes().iter().map(|&size| (0..size).map(|code| 1.0 / (1.0 + f64::from(code))).collect());
    let weights = weights.collect();
    Model::product(schema, 123.4, weights, vec![], origin()).unwrap()
}

/// One model of each structure.
fn all() -> Vec<Model> {
    let rules = "[[impossible]]\nc0 = \"v0\"\nc2 = \"v1\"\n";
    vec![rich(), tree_model(&[3, 2, 2, 3], &[&[0, 1], &[1, 2], &[2, 3]], rules, 4), small_network(rules)]
}

/// The file with a body changed and the hash mended.
fn mended(start: &[u8], body: &[u8]) -> Vec<u8> {
    let mut bytes = [start, body].concat();
    let hash = Sha256::digest(&bytes);
    bytes.extend(hash);
    bytes
}

/// A file that is read after all must be a whole model: rows that can be drawn and are possible,
/// and a file of its own.
fn holds(bytes: &[u8]) {
    if let Ok(model) = Model::from_bytes(bytes) {
        for replacement in [Replacement::With, Replacement::Without] {
            let block = model.sampler(&Sampling::new(50, 1).with(replacement)).unwrap().block(0);
            for row in 0..block.rows {
                let row: Vec<u32> = block.columns.iter().map(|column| column[row]).collect();
                assert!(row.iter().zip(model.schema().domain().sizes()).all(|(code, size)| code < size));
                assert!(!model.schema().forbids(&row), "{row:?}");
            }
        }
        assert!(Model::from_bytes(&model.to_bytes()).is_ok());
    }
}

fn is_refused(bytes: &[u8]) -> bool {
    matches!(Model::from_bytes(bytes), Err(ModelError::File { .. }))
}

/// The same frame around other contents.
fn sealed(version: u32, header: &[u8], floats: &[f64]) -> Vec<u8> {
    let mut bytes = b"lookalike model\n".to_vec();
    bytes.extend(version.to_le_bytes());
    bytes.extend((header.len() as u64).to_le_bytes());
    bytes.extend(header);
    floats.iter().for_each(|value| bytes.extend(value.to_le_bytes()));
    let hash = Sha256::digest(&bytes);
    bytes.extend(hash);
    bytes
}

fn small_header(sections: &str) -> Vec<u8> {
    let schema = coded_model(&[&[0.5, 0.5]], 10.0, "").schema().to_json();
    format!(r#"{{"method":"m","guarantee":"g","structure":"product","sections":{sections},"schema":{schema}}}"#).into()
}

#[test]
fn a_model_comes_back_whole() {
    for model in all() {
        let bytes = model.to_bytes();
        let again = Model::from_bytes(&bytes).unwrap();
        assert_eq!(again, model);
        assert_eq!(again.to_bytes(), bytes);
    }
}

#[test]
fn every_cut_and_every_flipped_byte_is_refused() {
    for model in all() {
        let bytes = model.to_bytes();
        for len in 0..bytes.len() {
            assert!(is_refused(&bytes[..len]), "cut at {len}");
        }
        for at in 0..bytes.len() {
            let mut other = bytes.clone();
            other[at] ^= 0x20;
            assert!(is_refused(&other), "flipped at {at}");
        }
        assert!(is_refused(&[bytes.as_slice(), b"x"].concat()));
    }
}

/// Bits that flip where the hash does not see it: an error or a whole model, never a panic.
#[test]
fn flipped_bits_behind_a_mended_hash_do_no_harm() {
    for model in all() {
        let bytes = model.to_bytes();
        let (start, body) = bytes[..bytes.len() - 32].split_at(20);
        for at in 0..body.len() {
            let mut other = body.to_vec();
            other[at] ^= 1 << (at % 8);
            holds(&mended(start, &other));
        }
    }
}

/// Shapes that do not hold together, each in an otherwise sound file.
#[test]
fn structures_that_do_not_hold_are_refused() {
    let huge = "18446744073709551615";
    let tree = |structure: &str, sections: &str, floats: &[f64]| {
        let schema = coded_model(&[&[0.5, 0.5], &[0.5, 0.5]], 10.0, "").schema().to_json();
        let header = format!(
            r#"{{"method":"m","guarantee":"g","replacement":"without","structure":{structure},"measured":[],"sections":{sections},"schema":{schema}}}"#
        );
        Model::from_bytes(&sealed(2, header.as_bytes(), floats))
    };
    let quarter = [10.0, 0.25, 0.25, 0.25, 0.25];
    let sound = r#"{"tree":{"cliques":[[0,1]],"above":[null],"coarse":[]}}"#;
    assert!(tree(sound, "[1,0,4]", &quarter).is_ok());
    let refused = [
        r#"{"tree":{"cliques":[[1,0]],"above":[null],"coarse":[]}}"#.to_string(),
        r#"{"tree":{"cliques":[[0,1]],"above":[0],"coarse":[]}}"#.into(),
        r#"{"tree":{"cliques":[[0,1]],"above":[],"coarse":[]}}"#.into(),
        r#"{"tree":{"cliques":[[0,2]],"above":[null],"coarse":[]}}"#.into(),
        r#"{"tree":{"cliques":[[0]],"above":[null],"coarse":[]}}"#.into(),
        r#"{"tree":{"cliques":[[0,4294967295]],"above":[null],"coarse":[]}}"#.into(),
        format!(r#"{{"tree":{{"cliques":[[0,{huge}]],"above":[null],"coarse":[]}}}}"#),
        r#"{"tree":{"cliques":[[0,1]],"above":[null],"coarse":[{"column":0,"groups":[0,4294967295]}]}}"#.into(),
        r#"{"tree":{"cliques":[[0,1]],"above":[null],"coarse":[{"column":9,"groups":[0,1]}]}}"#.into(),
        r#"{"network":{"tables":[{"column":0,"parents":[]}]}}"#.into(),
        r#"{"network":{"tables":[{"column":0,"parents":[{"column":1}]}]}}"#.into(),
        r#"{"network":{"tables":[{"column":4294967295,"parents":[]}]}}"#.into(),
        r#"{"network":{"tables":[{"column":0,"parents":[{"column":4294967295}]}]}}"#.into(),
        r#"{"network":{"tables":[{"column":0,"groups":[0,7],"parents":[]}]}}"#.into(),
        r#"{"forest":{}}"#.into(),
        r#""product""#.into(),
    ];
    for structure in refused {
        assert!(matches!(tree(&structure, "[1,0,4]", &quarter), Err(ModelError::File { .. })), "{structure}");
    }
    for floats in [[0.25, 0.25, 0.25, 0.3], [f64::NAN, 0.5, 0.25, 0.25], [-0.25, 0.75, 0.25, 0.25], [0.0; 4]] {
        assert!(tree(sound, "[1,0,4]", &[&[10.0][..], &floats].concat()).is_err(), "{floats:?}");
    }
    // Neighbours that disagree.
    let two = r#"{"tree":{"cliques":[[0],[0,1]],"above":[null,0],"coarse":[]}}"#;
    assert!(tree(two, "[1,0,2,4]", &[10.0, 0.5, 0.5, 0.25, 0.25, 0.25, 0.25]).is_ok());
    assert!(tree(two, "[1,0,2,4]", &[10.0, 0.4, 0.6, 0.25, 0.25, 0.25, 0.25]).is_err());
    // Variances are measured marginals'.
    assert!(tree(sound, "[1,1,4]", &[10.0, 1.0, 0.25, 0.25, 0.25, 0.25]).is_err());
}

#[test]
fn a_newer_file_is_refused_in_one_line() {
    // Whatever follows the version: a newer one may have no hash where we would look for it.
    let mut bytes = rich().to_bytes();
    bytes[16] = 4;
    for bytes in [bytes.as_slice(), &bytes[..20]] {
        let error = Model::from_bytes(bytes).unwrap_err().to_string();
        assert!(error.contains("made by a newer lookalike") && error.contains("update lookalike"), "{error}");
        assert_eq!(error.lines().count(), 1);
    }
    assert!(is_refused(&sealed(0, &small_header("[1, 2]"), &[1.0, 0.5, 0.5])));
}

/// A header of version 3 with these words of `needs`, these further keys and sections.
fn growing(needs: &str, keys: &str, sections: &str, floats: &[f64]) -> Result<Model, ModelError> {
    let schema = coded_model(&[&[0.5, 0.5]], 10.0, "").schema().to_json();
    let header = format!(
        r#"{{"needs":{needs},{keys}"method":"m","guarantee":"g","replacement":"without","structure":"product","measured":[],"sections":[["rows",1],["measured variances",0],["structure",2]{sections}],"schema":{schema}}}"#
    );
    Model::from_bytes(&sealed(3, header.as_bytes(), &[&[10.0, 0.5, 0.5], floats].concat()))
}

#[test]
fn a_file_may_grow_and_says_when_it_cannot_be_read() {
    let plain = growing("[]", "", "", &[]).unwrap();
    let grown = growing("[]", r#""dialect":{"delimiter":";"},"#, r#",["colours",3]"#, &[1.0, 2.0, 3.0]).unwrap();
    assert_eq!(grown, plain, "what is not known is read past");
    let error = growing(r#"["derived columns"]"#, r#""structure_of":[],"#, "", &[]).unwrap_err().to_string();
    assert!(error.contains("newer lookalike") && error.contains("derived columns"), "{error}");
    assert_eq!(error.lines().count(), 1);
}

#[test]
fn answers_that_do_not_hold_are_refused() {
    let with = |answers: &str, groupings: &str, sections: &str, floats: &[f64]| {
        let keys = format!(r#""answers":{answers},"groupings":{groupings},"#);
        growing("[]", &keys, sections, floats)
    };
    let both = r#",["answer variances",1],["answer",2]"#;
    assert_eq!(with(r#"[[{"column":0}]]"#, "[]", both, &[4.0, 3.5, -1.0]).unwrap().answers().len(), 1);
    let one = r#",["answer variances",1],["answer",1]"#;
    let grouped = with(r#"[[{"column":0,"grouping":0}]]"#, "[[0,0]]", one, &[4.0, 3.5]);
    assert!(grouped.is_ok(), "{grouped:?}");
    for (answers, groupings, sections, floats) in [
        (r#"[[{"column":1}]]"#, "[]", both, &[4.0, 3.5, -1.0][..]),
        (r#"[[{"column":0}]]"#, "[]", both, &[-4.0, 3.5, -1.0]),
        (r#"[[{"column":0}]]"#, "[]", both, &[4.0, f64::NAN, -1.0]),
        (r#"[[{"column":0}]]"#, "[]", one, &[4.0, 3.5]),
        (r#"[[{"column":0,"grouping":0}]]"#, "[]", one, &[4.0, 3.5]),
        (r#"[[{"column":0,"grouping":0}]]"#, "[[0]]", one, &[4.0, 3.5]),
        (r#"[[{"column":0,"grouping":0}]]"#, "[[0,7]]", one, &[4.0, 3.5]),
        (
            r#"[[{"column":0},{"column":0}]]"#,
            "[]",
            r#",["answer variances",1],["answer",4]"#,
            &[4.0, 1.0, 1.0, 1.0, 1.0],
        ),
        (r#"[[{"column":0}],[]]"#, "[]", both, &[4.0, 3.5, -1.0]),
        (r#"[[{"column":0}]]"#, "[]", r#",["answer",2]"#, &[3.5, -1.0]),
    ] {
        assert!(with(answers, groupings, sections, floats).is_err(), "{answers} {groupings} {sections}");
    }
}

#[test]
fn other_files_are_told_apart() {
    for other in [&b""[..], b"PAR1", b"age,sex\n1,2\n", b"{}"] {
        let error = Model::from_bytes(other).unwrap_err().to_string();
        assert!(error.contains("not a model file"), "{error}");
    }
}

#[test]
fn numbers_are_checked() {
    let with = |floats: &[f64]| Model::from_bytes(&sealed(1, &small_header("[1, 2]"), floats));
    assert!(with(&[10.0, 0.5, 0.5]).is_ok(), "{:?}", with(&[10.0, 0.5, 0.5]));
    let refused = [
        [10.0, f64::NAN, 0.5],
        [10.0, f64::INFINITY, 0.5],
        [10.0, -0.5, 1.5],
        [10.0, 0.5, 0.6],
        [10.0, 0.0, 0.0],
        [f64::NAN, 0.5, 0.5],
        [f64::INFINITY, 0.5, 0.5],
        [-1.0, 0.5, 0.5],
    ];
    for floats in refused {
        assert!(matches!(with(&floats), Err(ModelError::File { .. })), "{floats:?}");
    }
}

#[test]
fn lengths_are_checked_before_anything_is_made() {
    let huge = u64::MAX;
    let sections = [
        "[]",
        "[1]",
        "[1, 1, 1]",
        "[3]",
        "[1, 3]",
        "[2, 1]",
        "[1, 2, 0]",
        &format!("[{huge}, 2]"),
        "[1, 2305843009213693954]",
    ];
    for sections in sections {
        assert!(is_refused(&sealed(1, &small_header(sections), &[10.0, 0.5, 0.5])), "{sections}");
    }
    assert!(is_refused(&sealed(1, &small_header("[1, 2]"), &[10.0, 0.5, 0.5, 0.5])), "bytes after the last section");
    let mut bytes = rich().to_bytes();
    bytes.truncate(bytes.len() - 32);
    bytes[20..28].copy_from_slice(&huge.to_le_bytes());
    let hash = Sha256::digest(&bytes);
    bytes.extend(hash);
    assert!(is_refused(&bytes));
}

#[test]
fn a_schema_of_a_million_codes_needs_a_million_weights() {
    let schema = r#"{"version":1,"columns":{"a":{"type":"integer","range":[0,999999],"bins":1000000}}}"#;
    let header =
        format!(r#"{{"method":"m","guarantee":"g","structure":"product","sections":[1,1],"schema":{schema}}}"#);
    assert!(is_refused(&sealed(1, header.as_bytes(), &[10.0, 1.0])));
}

#[test]
fn a_schema_of_many_bins_is_refused_before_they_are_made() {
    // 2,000 columns of 900,000 bins each would take gigabytes.
    let column = |index: u32| format!(r#""c{index}":{{"type":"number","range":[0,1],"bins":900000}}"#);
    let columns: Vec<String> = (0..2000).map(column).collect();
    let schema = format!(r#"{{"version":1,"columns":{{{}}}}}"#, columns.join(","));
    let header =
        format!(r#"{{"method":"m","guarantee":"g","structure":"product","sections":[1,1],"schema":{schema}}}"#);
    let error = Model::from_bytes(&sealed(1, header.as_bytes(), &[10.0, 1.0])).unwrap_err();
    assert!(error.to_string().contains("more bins"), "{error}");
}

#[test]
fn rules_that_list_too_many_codes_are_refused() {
    let column = r#""c":{"type":"integer","range":[0,999999],"bins":1000000}"#;
    let rules = vec![r#"{"c":">= 1"}"#; 1000].join(",");
    let schema = format!(r#"{{"version":1,"columns":{{{column}}},"impossible":[{rules}]}}"#);
    let header =
        format!(r#"{{"method":"m","guarantee":"g","structure":"product","sections":[1,1],"schema":{schema}}}"#);
    let error = Model::from_bytes(&sealed(1, header.as_bytes(), &[10.0, 1.0])).unwrap_err();
    assert!(error.to_string().contains("rules list more than"), "{error}");
}

#[test]
fn weight_on_an_impossible_value_is_refused() {
    let schema = super::support::coded_schema(&[2], "[[impossible]]\nc0 = \"v1\"\n").to_json();
    let header =
        format!(r#"{{"method":"m","guarantee":"g","structure":"product","sections":[1,2],"schema":{schema}}}"#);
    assert!(is_refused(&sealed(1, header.as_bytes(), &[10.0, 0.5, 0.5])));
    assert!(Model::from_bytes(&sealed(1, header.as_bytes(), &[10.0, 1.0, 0.0])).is_ok());
}

proptest! {
    #[test]
    fn random_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        prop_assert!(is_refused(&bytes));
    }

    #[test]
    fn random_bytes_in_a_true_frame_never_panic(
        header in prop::collection::vec(any::<u8>(), 0..200),
        floats in prop::collection::vec(any::<f64>(), 0..8),
    ) {
        prop_assert!(is_refused(&sealed(1, &header, &floats)));
    }

    // The hash is mended, so that the inner checks are reached.
    #[test]
    fn changed_files_never_panic(
        at in any::<prop::sample::Index>(),
        with in prop::collection::vec(any::<u8>(), 0..9),
        cut in 0usize..9,
        which in 0usize..3,
    ) {
        let bytes = all()[which].to_bytes();
        let (start, body) = bytes[..bytes.len() - 32].split_at(20);
        let at = at.index(body.len());
        let end = (at + cut).min(body.len());
        holds(&mended(start, &[&body[..at], &with, &body[end..]].concat()));
    }

    // Headers of the right form with numbers that mean nothing.
    #[test]
    fn random_shapes_never_panic(
        cliques in prop::collection::vec(prop::collection::btree_set(index(), 0..4), 0..4),
        above in prop::collection::vec(prop::option::of(index()), 0..4),
        groups in prop::collection::vec((index(), prop::collection::vec(index(), 0..4)), 0..3),
        tables in prop::collection::vec((index(), prop::collection::vec(index(), 0..3)), 0..4),
        sections in prop::collection::vec(prop_oneof![9 => 0u64..9, 1 => any::<u64>()], 0..6),
        floats in prop::collection::vec(prop_oneof![4 => Just(0.5), 4 => Just(0.25), 1 => any::<f64>()], 0..30),
        network in any::<bool>(),
    ) {
        let schema = coded_model(&[&[0.5, 0.5], &[0.5, 0.5], &[1.0]], 10.0, "").schema().to_json();
        let coarse: Vec<_> = groups.iter().map(|(column, groups)| json!({"column": column, "groups": groups})).collect();
        let table = |(column, parents): &(u32, Vec<u32>)| {
            let parents: Vec<_> = parents.iter().map(|column| json!({"column": column})).collect();
            json!({"column": column, "parents": parents})
        };
        let structure = if network {
            json!({"network": {"tables": tables.iter().map(table).collect::<Vec<_>>()}})
        } else {
            json!({"tree": {"cliques": cliques, "above": above, "coarse": coarse}})
        };
        let header = json!({
            "method": "m", "guarantee": "g", "replacement": "without", "structure": structure, "measured": cliques,
            "sections": sections, "schema": schema,
        });
        holds(&sealed(2, header.to_string().as_bytes(), &floats));
    }
}

/// A column's number: mostly one that may be, at times one that cannot.
fn index() -> impl Strategy<Value = u32> {
    prop_oneof![9 => 0u32..4, 1 => any::<u32>()]
}
