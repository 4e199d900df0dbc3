//! Schemas of a line, and sets of columns.

use lookalike_schema::{AttrId, Clique, Schema};

/// A set of columns by their places.
pub fn clique(attributes: &[u32]) -> Clique {
    Clique::new(attributes.iter().copied().map(AttrId))
}

/// Integer columns `c0`, `c1`, ... of these numbers of codes.
pub fn integers(sizes: &[u32]) -> Schema {
    let entries: Vec<String> = sizes.iter().enumerate().map(|(place, size)| format!("\"c{place}\": {size}")).collect();
    parsed(&format!("{{{}}}", entries.join(", ")), "sizes.json")
}

/// Columns of words `v0`, `v1`, ... behind an id, with rules in the words of the schema file.
pub fn words(sizes: &[u32], rules: &str) -> Schema {
    let mut text = String::from("[columns.who]\ntype = \"id\"\n");
    for (index, size) in sizes.iter().enumerate() {
        let words: Vec<String> = (0..*size).map(|code| format!("\"v{code}\"")).collect();
        text += &format!("[columns.c{index}]\ntype = \"category\"\nvalues = [{}]\n", words.join(", "));
    }
    parsed(&(text + rules), "words.toml")
}

fn parsed(text: &str, name: &str) -> Schema {
    Schema::parse(text, name).unwrap_or_else(|error| panic!("{name}: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schemas_have_the_columns_that_were_asked_for() {
        assert_eq!(integers(&[2, 3]).domain().sizes(), [2, 3]);
        let schema = words(&[4, 2], "[[impossible]]\nc0 = \"v1\"\nc1 = \"v0\"\n");
        assert_eq!(schema.domain().sizes(), [4, 2]);
        assert_eq!(schema.impossible().len(), 1);
        assert_eq!(clique(&[2, 0, 2]), clique(&[0, 2]));
    }
}
