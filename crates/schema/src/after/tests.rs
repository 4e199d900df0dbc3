use crate::{AttrId, CellValue, Codec, CodecKind, Schema, TypedCell};

const CAME: &str = "[columns.came]\ntype = 'date'\nrange = ['2020-01-01', '2020-12-31']\nbins = 366\nmissing = true\n\
                    [columns.hour]\ntype = 'datetime'\nrange = ['2020-01-01', '2020-12-31']\nformat = '%Y-%m-%d %H:%M'\nbins = 600000\n\
                    [columns.low]\ntype = 'integer'\nrange = [10, 90]\n\
                    [columns.coded]\ntype = 'integer'\nrange = [0, 9]\nspikes = [99]\n\
                    [columns.share]\ntype = 'number'\nrange = [0, 1]\ndecimals = 2\nbins = 101\n\
                    [columns.clock]\ntype = 'integer'\nformat = 'hmm'\n\
                    [columns.town]\ntype = 'category'\nvalues = ['A', 'B']\n";

fn with(column: &str) -> Result<Schema, String> {
    Schema::parse(&format!("{CAME}[columns.left]\n{column}\n"), "test").map_err(|error| error.to_string())
}

/// The code of a row, by its two cells.
fn code(schema: &Schema, earlier: &str, own: &str) -> u32 {
    let attribute = schema.attribute("left").unwrap();
    let after = schema.after(attribute).unwrap();
    let raw = |codec: &Codec, text: &str| codec.raw_text(text.as_bytes());
    let earlier = raw(schema.written_codec(after.earlier()), earlier);
    after.code(schema.codec(attribute), earlier, raw(after.own(), own))
}

/// The text of a row's cell, by the code of the difference and the value of the earlier cell.
fn text(schema: &Schema, earlier: &str, code: u32) -> String {
    let attribute = schema.attribute("left").unwrap();
    let before = schema.after(attribute).unwrap().earlier();
    let earlier = schema.codec(before).encode_text(earlier.as_bytes());
    let drawn = |one: AttrId| (if one == before { earlier } else { code }, 0);
    let mut out = Vec::new();
    schema.written_codec(attribute).write_text(&schema.cell(attribute, &drawn), &mut out);
    String::from_utf8(out).unwrap()
}

#[test]
fn a_row_is_coded_as_the_difference_and_written_as_the_value() {
    let days = "type = 'date'\nafter = 'came'\nwithin = 60\nmissing = true\nedges = [0, 1, 2, 3, 10, 60]";
    let schema = with(days).unwrap();
    let labels = |code: u32| schema.codec(schema.attribute("left").unwrap()).label(code);
    assert_eq!(labels(code(&schema, "2020-02-28", "2020-03-01")), "2 days after came");
    assert_eq!(labels(code(&schema, "2020-02-28", "2020-02-29")), "1 day after came");
    assert_eq!(labels(code(&schema, "2020-02-28", "2020-03-05")), "3-9 days after came");
    assert_eq!(text(&schema, "2020-02-28", 1), "2020-02-29");
    // Differences outside are clamped, and so are the values they are taken of.
    for (came, left, label) in [
        ("2020-03-01", "2020-02-01", "0 days after came"),
        ("2020-03-01", "2024-02-01", "10-60 days after came"),
        ("2019-12-01", "2020-01-03", "2 days after came"),
        ("", "2020-01-03", "(missing)"),
        ("2020-01-03", "", "(missing)"),
        ("2020-01-03", "soon", "(missing)"),
    ] {
        assert_eq!(labels(code(&schema, came, left)), label, "{came} {left}");
    }
    let range = |schema: &Schema| match schema.written_codec(schema.attribute("left").unwrap()).kind() {
        CodecKind::Date(axis, _) | CodecKind::DateTime(axis, _) => (axis.low(), axis.high()),
        _ => panic!("it is a date"),
    };
    assert_eq!(range(&schema), (18_262, 18_262 + 365 + 60));
}

/// Every pair of columns that may follow each other: a row in order keeps its difference, and comes
/// back as it was where each difference has a code of its own.
#[test]
fn all_kinds_come_back() {
    for (column, earlier, rows) in [
        ("type = 'date'\nafter = 'came'\nwithin = '3 weeks'", "2020-05-06", &["2020-05-06", "2020-05-27"][..]),
        (
            "type = 'date'\nafter = 'came'\nwithin = [-5, 5]\nformat = '%d/%m/%y'",
            "2020-05-06",
            &["01/05/20", "11/05/20"],
        ),
        ("type = 'date'\nafter = 'hour'\nwithin = 30", "2020-05-06 23:59", &["2020-05-06", "2020-05-07"]),
        (
            "type = 'datetime'\nafter = 'hour'\nwithin = '2 hours'\nformat = '%Y-%m-%d %H:%M'\nbins = 200",
            "2020-05-06 23:59",
            &["2020-05-06 23:59", "2020-05-07 01:02"],
        ),
        (
            "type = 'datetime'\nafter = 'came'\nwithin = '1 day'\nformat = '%Y-%m-%d %H:%M'\nbins = 2000",
            "2020-05-06",
            &["2020-05-06 00:00", "2020-05-06 13:07"],
        ),
        ("type = 'integer'\nafter = 'low'\nwithin = 20\nformat = '# kg'", "30", &["30 kg", "49 kg"]),
        ("type = 'number'\nafter = 'share'\nwithin = 0.5\ndecimals = 2\nbins = 51", "0.25", &["0.25", "0.75"]),
    ] {
        let missing = if column.contains("'came'") { "\nmissing = true" } else { "" };
        let schema = with(&format!("{column}{missing}")).unwrap();
        for row in rows {
            let again = text(&schema, earlier, code(&schema, earlier, row));
            assert_eq!(again, *row, "{column}");
        }
        for other in [schema.to_toml(), schema.to_json().to_string()] {
            assert_eq!(Schema::parse(&other, "again").unwrap(), schema, "{other}");
        }
        assert_eq!(schema.on_grid(4096).unwrap().binned().unwrap(), schema);
        let released = schema.released().unwrap();
        assert_eq!(text(&released, earlier, code(&released, earlier, rows[1])), rows[1]);
        let header = ["left", "town", "clock", "coded", "share", "low", "hour", "came"].map(str::to_owned);
        let turned = schema.arranged(&header).unwrap();
        assert_eq!(text(&turned, earlier, code(&turned, earlier, rows[1])), rows[1]);
    }
}

/// On the grid of `auto`, with long differences: what is written is never before the earlier value
/// nor outside the range, whatever was drawn.
#[test]
fn no_row_is_out_of_order() {
    let schema = with("type = 'datetime'\nafter = 'came'\nwithin = '52 weeks'\nmissing = true").unwrap();
    let schema = schema.on_grid(4096).unwrap();
    let [came, left] = ["came", "left"].map(|name| schema.attribute(name).unwrap());
    let mut present = 0;
    for row in 0..20_000u64 {
        let drawn = |attribute: AttrId| {
            let mixed = row.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(17 * attribute.0 + 5);
            ((mixed >> 20) as u32 % schema.domain().size(attribute), mixed.wrapping_mul(0xd134_2543_de82_ef95))
        };
        match (schema.cell(came, &drawn), schema.cell(left, &drawn)) {
            (CellValue::Date(day), CellValue::DateTime(moment)) => {
                let since = moment - i64::from(day) * 86_400;
                assert!((0..=364 * 86_400).contains(&since), "{since}");
                present += 1;
            }
            (_, cell) => assert_eq!(cell, CellValue::Missing),
        }
    }
    assert!(present > 10_000, "{present}");
}

/// Typed cells and texts give one code.
#[test]
fn typed_cells_mean_the_same() {
    let schema = with("type = 'datetime'\nafter = 'came'\nwithin = '30 days'\nmissing = true").unwrap();
    let left = schema.attribute("left").unwrap();
    let after = schema.after(left).unwrap();
    let earlier = schema.written_codec(after.earlier()).raw(TypedCell::Date(18_300));
    for moment in [18_299 * 86_400, 18_300 * 86_400 + 4711, 18_305 * 86_400, 19_000 * 86_400] {
        let typed = after.code(schema.codec(left), earlier, after.own().raw(TypedCell::DateTime(moment)));
        let mut text = Vec::new();
        crate::codec::calendar::write_iso_datetime(moment, &mut text);
        assert_eq!(typed, code(&schema, "2020-02-08", std::str::from_utf8(&text).unwrap()));
    }
}

#[test]
fn columns_may_follow_in_a_row() {
    let chain = "[columns.home]\ntype = 'date'\nafter = 'left'\nwithin = 5\nmissing = true\n";
    let schema = with(&format!("type = 'date'\nafter = 'came'\nwithin = 10\nmissing = true\n{chain}")).unwrap();
    let [came, left, home] = ["came", "left", "home"].map(|name| schema.attribute(name).unwrap());
    let drawn = |one: AttrId| {
        if one == came {
            (30, 0)
        } else if one == left {
            (7, 0)
        } else {
            (2, 0)
        }
    };
    assert_eq!(schema.cell(home, &drawn), CellValue::Date(18_262 + 39));
    let circle = "[columns.home]\ntype = 'date'\nafter = 'left'\nwithin = 5\nmissing = true\n";
    let error = with(&format!("type = 'date'\nafter = 'home'\nwithin = 10\nmissing = true\n{circle}")).unwrap_err();
    assert!(error.contains("in a circle"), "{error}");
    let mut long = CAME.to_owned();
    for place in 0..40 {
        let on = if place == 0 { "came".to_owned() } else { format!("c{}", place - 1) };
        long += &format!("[columns.c{place}]\ntype = 'date'\nafter = '{on}'\nwithin = 1\nmissing = true\n");
    }
    assert!(Schema::parse(&long, "test").unwrap_err().to_string().contains("in a row"));
}

#[test]
fn mistakes_are_told() {
    let date = |rest: &str| format!("type = 'date'\nmissing = true\n{rest}");
    for (column, words) in [
        (date("after = 'came'"), "without `within`"),
        (date("range = ['2020-01-01', '2020-02-01']\nwithin = 3"), "without `after`"),
        (date("after = 'came'\nwithin = 3\nrange = ['2020-01-01', '2020-02-01']"), "both `range` and `after`"),
        (date("after = 'came'\nwithin = 3\ndepends_on = ['town']"), "both `depends_on` and `after`"),
        (date("after = 'cane'\nwithin = 3"), "did you mean \"came\""),
        (date("after = 'town'\nwithin = 3"), "cannot be counted from"),
        (date("after = 'low'\nwithin = 3"), "cannot be counted from"),
        (date("after = 'left'\nwithin = 3"), "in a circle"),
        (date("after = 'came'\nwithin = [3]"), "not two bounds"),
        (date("after = 'came'\nwithin = [3, 1]"), "reversed"),
        (date("after = 'came'\nwithin = '2 hours'"), "between dates"),
        (date("after = 'came'\nwithin = 'a while'"), "no difference"),
        (date("after = 'came'\nwithin = [99999999, 99999999]"), "no value that can be written"),
        ("type = 'date'\nafter = 'came'\nwithin = 3".to_owned(), "no code for missing cells"),
        ("type = 'integer'\nafter = 'clock'\nwithin = 3".to_owned(), "cannot be counted from"),
        ("type = 'integer'\nafter = 'coded'\nwithin = 3".to_owned(), "spikes outside"),
        ("type = 'integer'\nafter = 'low'\nwithin = 3\nspikes = [99]".to_owned(), "outside of `within`"),
        ("type = 'integer'\nafter = 'low'\nwithin = 3\nformat = 'hmm'".to_owned(), "clock number"),
        ("type = 'number'\nafter = 'share'\nwithin = 3\ndecimals = 1".to_owned(), "more decimals"),
        ("type = 'datetime'\nafter = 'hour'\nwithin = 9\nformat = '%Y-%m-%d %H'".to_owned(), "more finely"),
        (date("after = 'came'\nwithin = 3\nformat = '%d/%m/%y'\nstored = 'uint8'"), "cannot hold"),
        (date("after = 'came'\nwithin = 30\n[columns.x]\ntype = 'date'\nafter = 'x'\nwithin = 3"), "in a circle"),
        (date("after = 'came'\nwithin = 3\n[[impossible]]\nleft = '> 2'"), "held as its difference"),
        (
            date(
                "after = 'came'\nwithin = 3\n[columns.m]\ntype = 'integer'\nrange = [0, 9]\nmissing = true\n\
                  depends_on = ['left']",
            ),
            "held as a difference",
        ),
    ] {
        let error = with(&column).unwrap_err();
        assert!(error.contains(words), "{column}: {error}");
        assert!(!error.contains('\n'), "{error}");
    }
    let error = Schema::parse(
        &format!(
            "in_order = [['came', 'left']]\n{CAME}[columns.left]\ntype = 'date'\nafter = 'came'\nwithin = 3\nmissing = true\n"
        ),
        "test",
    );
    assert!(error.unwrap_err().to_string().contains("in order with it"));
}

#[test]
fn what_else_a_schema_says_goes_with_it() {
    let text = format!(
        "missing_together = [['came', 'left']]\n{CAME}[columns.left]\ntype = 'date'\nafter = 'came'\nwithin = 30\n\
         missing = true\nlevels = [[7, 14]]\n[columns.month]\ntype = 'derived'\nformula = 'month(left)'\n\
         [columns.stay]\ntype = 'derived'\nformula = 'left - came'\n\
         [[impossible]]\ntown = 'A'\nleft = {{ missing = true }}\n"
    );
    let schema = Schema::parse(&text, "test").unwrap();
    assert_eq!(Schema::parse(&schema.to_toml(), "again").unwrap(), schema);
    let filter = |text: &str| crate::Filter::parse(&schema, text).map_err(|error| error.to_string());
    assert!(filter("left is missing").is_ok());
    let error = filter("left > '2020-02-01'").unwrap_err();
    assert!(error.contains("ask for values of came"), "{error}");
    let plain = schema.all_modelled().unwrap();
    let left = plain.attribute("left").unwrap();
    assert!(plain.after(left).is_none() && plain.codec(left).kind_name() == "date");
}
