//! `dictionary.csv`: what every code of every column means. Made from the schema alone,
//! which is public.

use lookalike_schema::codec::Meaning;
use lookalike_schema::{CellValue, Codec, Role, Schema};

/// A line for each column and code: `column,type,code,label,low,high`. The codes of a column on its
/// own grid are its values: they share a line, but for the missing one.
///
/// `low` and `high` are the ends of the bin, written as the column's cells are, or as numbers where
/// it is held as a difference; a column without bins leaves them empty. Id columns have one line
/// without a code. Ignored columns are not in the release and have none.
pub fn dictionary_csv(schema: &Schema) -> String {
    let mut out = String::from("column,type,code,label,low,high\n");
    for column in schema.columns() {
        match &column.role {
            Role::Modelled(codec) => {
                let range = codec.is_on_grid().then(|| (0, codec.present() - 1)).into_iter();
                let single = if codec.is_on_grid() { codec.present() } else { 0 };
                for (first, last) in range.chain((single..codec.size()).map(|code| (code, code))) {
                    let (low, high) = ends(codec, first, last);
                    let code = if first == last { first.to_string() } else { format!("{first}-{last}") };
                    let label = codec.label_of(first, last);
                    line(&mut out, [&column.name, column.type_name(), &code, &label, &low, &high]);
                }
            }
            Role::Dependent(dependent) => {
                let label = format!("belongs to {}", dependent.on().join(", "));
                line(&mut out, [&column.name, dependent.codec().kind_name(), "", &label, "", ""]);
            }
            Role::Id => {
                let shape = column.pattern.as_ref().map_or(String::new(), |pattern| format!(" as {}", pattern.text()));
                line(&mut out, [&column.name, "id", "", &format!("fresh ids from 1{shape}"), "", ""]);
            }
            Role::Derived(formula) => {
                line(&mut out, [&column.name, "derived", "", &format!("= {}", formula.text()), "", ""]);
            }
            Role::Ignored => {}
        }
    }
    out
}

fn ends(codec: &Codec, first: u32, last: u32) -> (String, String) {
    let text = |value: CellValue<'_>| {
        let mut bytes = Vec::new();
        codec.write_text(&value, &mut bytes);
        String::from_utf8_lossy(&bytes).into_owned()
    };
    match codec.meaning_of(first, last) {
        Meaning::Integers(low, high) => (low.to_string(), high.to_string()),
        // A bin that ends just below an edge is told by the edge: nobody reads seventeen digits.
        Meaning::Numbers(low, high) if low < high => (plain(low, low.next_down()), plain(high, high.next_up())),
        Meaning::Numbers(low, high) => (low.to_string(), high.to_string()),
        Meaning::Dates(low, high) => (text(CellValue::Date(low as i32)), text(CellValue::Date(high as i32))),
        Meaning::DateTimes(low, high) => (text(CellValue::DateTime(low)), text(CellValue::DateTime(high))),
        Meaning::Word(_) | Meaning::Other(_) | Meaning::Missing => (String::new(), String::new()),
    }
}

fn plain(value: f64, neighbour: f64) -> String {
    let (exact, near) = (value.to_string(), neighbour.to_string());
    if near.len() < exact.len() { near } else { exact }
}

fn line(out: &mut String, cells: [&str; 6]) {
    let quoted = |cell: &str| {
        let plain = !cell.contains([',', '"', '\n', '\r']) && !cell.starts_with(' ') && !cell.ends_with(' ');
        if plain { cell.to_owned() } else { format!("\"{}\"", cell.replace('"', "\"\"")) }
    };
    *out += &(cells.map(quoted).join(",") + "\n");
}
