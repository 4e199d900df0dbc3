use crate::{
    AttrId, CellValue, Discovered, FoundTable, Integer, LookedUp, MOST_DEPENDENT_CELLS, PlainValue, Role, Schema,
    SchemaError,
};

const KEYS: &str = "[columns.from]\ntype = 'category'\nvalues = ['EWR', 'JFK']\nother = 'else'\n\
                    [columns.stop]\ntype = 'integer'\nrange = [1, 3]\nmissing = true\n";

fn with(column: &str) -> Result<Schema, SchemaError> {
    Schema::parse(&format!("{KEYS}[columns.miles]\n{column}"), "test")
}

fn learned(column: &str) -> Schema {
    with(&format!("{column}\ndepends_on = ['from', 'stop']\n")).unwrap()
}

fn refused(column: &str) -> String {
    with(column).unwrap_err().to_string()
}

/// The text of a row's cell, by the codes of the other columns.
fn cell(schema: &Schema, codes: [u32; 2]) -> String {
    let column = schema.columns().iter().find(|column| column.name == "miles").unwrap();
    let Role::Dependent(dependent) = &column.role else { panic!("it depends on others") };
    let code = dependent.code(&|attribute| codes[attribute.index()]);
    let mut text = Vec::new();
    match dependent.cell(code) {
        CellValue::Missing => return "-".to_owned(),
        value => dependent.codec().write_text(&value, &mut text),
    }
    String::from_utf8(text).unwrap()
}

#[test]
fn a_table_says_what_belongs_to_each_key() {
    let schema = with(
        "type = 'integer'\nrange = [0, 3000]\nmissing = true\ndepends_on = ['stop', 'from']\n\
         table = [[1, 'EWR', 1400], [3, 'JFK', 2475], ['', 'else', 7]]\n",
    )
    .unwrap();
    assert_eq!(schema.domain().len(), 2, "it is not modelled");
    assert!(!schema.learns() && schema.attribute("miles").is_none());
    let cells: Vec<String> =
        (0..3).flat_map(|from| (0..4).map(move |stop| [from, stop])).map(|codes| cell(&schema, codes)).collect();
    let mut expected = vec!["-"; 12];
    (expected[0], expected[6], expected[11]) = ("1400", "2475", "7");
    assert_eq!(cells, expected);
    for again in [schema.to_toml(), schema.to_json().to_string()] {
        assert_eq!(Schema::parse(&again, "again").unwrap(), schema);
    }
    let released = schema.released().unwrap();
    assert_eq!((cell(&released, [1, 2]), cell(&released, [2, 3])), ("2475".to_owned(), "7".to_owned()));
    let turned = schema.arranged(&["miles", "stop", "from"].map(str::to_owned)).unwrap();
    assert_eq!(cell(&turned, [2, 1]), "2475", "the attributes are the other way round");
}

/// All types, with every value of theirs: what is written is what is read.
#[test]
fn every_type_can_be_looked_up() {
    let columns = [
        ("type = 'category'\nvalues = ['a', 'b,c']\nother = 'rest'", "rest"),
        ("type = 'category'\nvalues = ['a', 'b,c']\nmissing = true", "-"),
        ("type = 'boolean'\nvalues = ['no', 'yes']\nmissing = true", "-"),
        ("type = 'integer'\nrange = [-5, 400]\nmissing = true\nformat = '$#'", "-"),
        ("type = 'integer'\nrange = [0, 100]\nbins = 7\nmissing = true", "-"),
        ("type = 'number'\nrange = [-1.5, 20]\ndecimals = 1\nmissing = true", "-"),
        ("type = 'number'\nrange = [0, 1e9]\nmissing = true", "-"),
        ("type = 'integer'\nrange = [-4000000000, 9000000000]\nmissing = true", "-"),
        ("type = 'date'\nrange = ['2020-01-01', '2024-12-31']\nformat = '%d/%m/%Y'\nmissing = true", "-"),
        ("type = 'datetime'\nrange = ['2020-01-01', '2024-12-31']\nmissing = true", "-"),
    ];
    for (column, rest) in columns {
        let schema = learned(column);
        assert!(schema.learns() && schema.domain().len() == 2, "{column}");
        let coded = schema.for_learning().unwrap();
        assert_eq!(coded.domain().len(), 3);
        let codec = coded.codec(AttrId(2)).clone();
        assert!(u64::from(codec.size()) * 12 <= MOST_DEPENDENT_CELLS, "{column}: {}", codec.size());
        let some = (0..codec.size()).step_by((codec.size() as usize / 20).max(1)).chain([codec.size() - 1]);
        for code in some {
            // The key of code 1 and code 2, and one whose cell is missing.
            let mut codes = vec![None; 12];
            (codes[6], codes[3]) = (Some(code), Some(code));
            let discovered = Discovered { facts: vec!["table".to_owned()], noise: 2.5, threshold: Some(9) };
            let found = vec![FoundTable { column: "miles".to_owned(), codes, discovered }];
            let schema = schema.learned(found).unwrap();
            assert!(!schema.learns());
            let own = cell(&schema, [1, 2]);
            assert_eq!((cell(&schema, [0, 3]), cell(&schema, [0, 0])), (own.clone(), rest.to_owned()), "{column}");
            assert_eq!(codec.encode_text(own.replace("-", if own == "-" { "" } else { "-" }).as_bytes()), code);
            let released = Schema::parse(&schema.to_released_toml().unwrap(), "released").unwrap();
            assert_eq!(cell(&released, [1, 2]), own, "{column}");
            let gridded = schema.on_grid(1024).unwrap();
            assert_eq!(cell(&gridded, [1, 2]), own, "{column}: the method's grid is not its own");
        }
    }
}

#[test]
fn what_cannot_be_looked_up_is_refused() {
    let miles = "type = 'integer'\nrange = [0, 3000]\nmissing = true\n";
    let plain = "type = 'integer'\nrange = [0, 3000]\n";
    for (column, word) in [
        (format!("{plain}depends_on = ['from']"), "say missing = true"),
        (format!("{miles}depends_on = ['fromm']"), "did you mean"),
        (format!("{miles}depends_on = ['miles']"), "not modelled"),
        (format!("{miles}depends_on = ['from']\nlevels = [[7]]"), "`levels`"),
        (format!("{miles}table = [['EWR', 3]]"), "without `depends_on`"),
        (format!("{miles}depends_on = ['from']\ntable = [['EWR']]"), "one cell for each column"),
        (format!("{miles}depends_on = ['from']\ntable = [['EWR', 3], ['EWR', 4]]"), "twice"),
        (format!("{miles}depends_on = ['from']\ntable = [['SFO', 3]]"), "cannot hold"),
        (format!("{miles}depends_on = ['from']\ntable = [['EWR', 3001]]"), "cannot hold"),
        (format!("{miles}depends_on = ['from']\ntable = [['EWR', 2.5]]"), "cannot hold"),
        (format!("{miles}depends_on = ['from']\n[columns.k]\ntype = 'id'\ndepends_on = ['from']"), "no meaning"),
        (format!("{miles}depends_on = ['n']\n[columns.n]\ntype = 'integer'\nrange = [0, 500]"), "bins = 365"),
        (format!("{miles}depends_on = ['n']\n[columns.n]\ntype = 'id'"), "not modelled"),
        (
            format!(
                "{miles}depends_on = ['n', 'm']\n[columns.n]\ntype = 'integer'\nrange = [1, 3000]\nbins = 3000\n\
                 [columns.m]\ntype = 'integer'\nrange = [1, 3000]\nbins = 3000"
            ),
            "fewer columns",
        ),
    ] {
        let error = refused(&column);
        assert!(error.contains(word), "{column}: {error}");
    }
    // Nothing else may speak of it, since no model holds it.
    let rule = "[[impossible]]\nmiles = '< 3'\nfrom = 'EWR'\n";
    assert!(refused(&format!("{miles}depends_on = ['from']\n{rule}")).contains("miles"));
    let group = format!("in_order = [['stop', 'hop']]\n{KEYS}[columns.hop]\ntype = 'integer'\nrange = [1, 3]\n");
    let error = Schema::parse(&format!("{group}[columns.miles]\n{miles}depends_on = ['stop']"), "test").unwrap_err();
    assert!(error.to_string().contains("in_order"), "{error}");
}

#[test]
fn the_builder_says_the_same() {
    let column = || Integer::range(0, 3000).missing(true);
    let keys = |schema: crate::SchemaBuilder| {
        schema
            .column("from", crate::Category::of(["EWR", "JFK"]).other("else"))
            .column("stop", Integer::range(1, 3).missing(true))
    };
    let built = keys(Schema::builder()).column("miles", LookedUp::on(["from", "stop"], column())).build().unwrap();
    assert_eq!(built, learned("type = 'integer'\nrange = [0, 3000]\nmissing = true"));
    let row = [PlainValue::Text("EWR".into()), PlainValue::Integer(2), PlainValue::Integer(1400)];
    let table = LookedUp::on(["from", "stop"], column()).table([row]);
    let built = keys(Schema::builder()).column("miles", table).build().unwrap();
    assert_eq!(cell(&built, [0, 1]), "1400");
}

/// What a release found of keys says nothing of how its rows were read.
#[test]
fn words_for_missing_cells_stay_behind() {
    let column = "type = 'integer'\nrange = [0, 3000]\nmissing = true\ndepends_on = ['from', 'stop']";
    let schema = Schema::parse(&format!("missing_tokens = ['gone']\n{KEYS}[columns.miles]\n{column}"), "t").unwrap();
    let discovered = Discovered { facts: vec!["table".to_owned()], noise: 2.5, threshold: Some(9) };
    let codes = vec![Some(7); 12];
    let found = schema.learned(vec![FoundTable { column: "miles".to_owned(), codes, discovered }]).unwrap();
    assert!(!found.released().unwrap().to_json().to_string().contains("gone"));
}
