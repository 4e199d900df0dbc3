//! Drafts and domain files on public data sets, where they are at hand.

use lookalike_schema::codec::CodecKind;
use lookalike_schema::draft::Drafter;
use lookalike_schema::{Role, Schema};
use lookalike_testkit::benchmark_tables;

#[test]
fn domain_files_code_their_own_data() {
    let Some(folder) = benchmark_tables() else { return };
    for name in ["adult", "acs", "br2000", "nltcs"] {
        let domain = std::fs::read_to_string(folder.join(format!("{name}-domain.json"))).unwrap();
        let data = std::fs::read_to_string(folder.join(format!("{name}.csv"))).unwrap();
        let mut lines = data.lines();
        let header: Vec<String> = lines.next().unwrap().split(',').map(str::to_owned).collect();
        let schema = Schema::parse(&domain, name).unwrap().arranged(&header).unwrap();
        assert_eq!(schema.columns().len(), header.len());
        for line in lines {
            for (attribute, cell) in schema.domain().attributes().zip(line.split(',')) {
                let code = schema.codec(attribute).encode_text(cell.as_bytes());
                assert_eq!(Ok(code), cell.parse(), "{name}");
            }
        }
    }
}

#[test]
fn a_draft_of_labelled_data_reads_every_column_as_a_person_would() {
    let Some(folder) = benchmark_tables() else { return };
    let data = std::fs::read_to_string(folder.join("adult-labels.csv")).unwrap();
    let mut lines = data.lines();
    let header: Vec<String> = lines.next().unwrap().split(',').map(str::to_owned).collect();
    let mut drafter = Drafter::new(&header).unwrap();
    for line in lines {
        drafter.observe(&line.split(',').map(str::as_bytes).collect::<Vec<_>>());
    }
    let draft = drafter.finish().unwrap();
    let schema = draft.schema().closed().unwrap();
    assert_eq!(Schema::parse(&draft.to_toml(), "draft").unwrap(), schema);
    for column in schema.columns() {
        let Role::Modelled(codec) = &column.role else { panic!("{} is left out", column.name) };
        let words = [
            "workclass",
            "education",
            "marital_status",
            "occupation",
            "relationship",
            "race",
            "sex",
            "native_country",
            "income",
        ];
        assert_eq!(
            matches!(codec.kind(), CodecKind::Category(_)),
            words.contains(&column.name.as_str()),
            "{}",
            column.name
        );
        assert!(column.marks.names("type"));
    }
}
