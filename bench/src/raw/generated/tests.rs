//! Generated tables fit their schemas and have what they are for.

use super::*;
use crate::raw::tables::RawFolders;
use lookalike_evaluate::raw::{RawTable, compare_raw};

fn open(name: &str) -> crate::raw::tables::OpenRaw {
    RawFolders::new(None).unwrap().open(name).unwrap()
}

#[test]
fn every_table_fits_its_schema_and_is_the_same_each_time() {
    for table in &GENERATED_RAW {
        let name = format!("{}@400", table.name);
        let (first, second) = (open(&name), open(&name));
        assert_eq!(first.cells.rows(), 400);
        let bits = |cells: &RawTable| cells.columns().concat().iter().map(|cell| cell.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(&first.cells), bits(&second.cells), "{name}");
        assert!(first.hints.targets().all(|target| first.schema.attribute(target).is_some()), "{name}");
        let declared = table.about.split(' ').next().and_then(|count| count.parse().ok());
        assert_eq!(declared, Some(first.schema.domain().len()), "{name}");
        for attribute in first.schema.domain().attributes() {
            let missing = first.cells.columns()[attribute.index()].iter().any(|cell| cell.is_nan());
            assert!(!missing || first.schema.codec(attribute).missing_code().is_some(), "{name}");
        }
    }
    assert!(find("no-such-table").unwrap().is_none());
    assert!(find("tails@many").is_err());
}

#[test]
fn an_age_follows_from_the_birth_date() {
    let table = open("seasons");
    let found = compare_raw(&table.schema, &table.cells, &table.cells, &|| false).unwrap();
    let [age, birth] = ["age", "birth"].map(|name| table.schema.attribute(name).unwrap());
    let pair = found.pairs.iter().find(|pair| [pair.first, pair.second] == [age, birth]).unwrap();
    assert!(pair.real.spearman.unwrap() < -0.999);
}
