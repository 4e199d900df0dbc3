use super::*;

fn file(path: &str, text: &str) -> SourceFile {
    SourceFile::parse(path.to_owned(), text.to_owned()).unwrap()
}

fn package(folder: &str, text: &str) -> Package {
    Package { folder: folder.to_owned(), files: vec![file(&format!("{folder}/src/lib.rs"), text)] }
}

fn told(a: &str, b: &str) -> String {
    check(&[package("crates/a", a), package("crates/b", b)]).err().map(|error| error.to_string()).unwrap_or_default()
}

#[test]
fn a_public_type_name_in_two_packages_is_told() {
    for b in ["pub enum Table {}", "pub trait Table {}", "mod x { pub struct Table; }\npub use x::Table;"] {
        assert!(told("pub struct Table;", b).contains("Table is a public type in crates/a/src/lib.rs and"), "{b}");
    }
}

#[test]
fn names_that_nobody_else_sees_may_stand_twice() {
    for b in [
        "struct Table;",
        "pub(crate) struct Table;",
        "mod x { pub struct Table; }",
        "pub use a::Table;",
        "pub fn Table() {}",
        "#[cfg(test)]\npub struct Table;",
    ] {
        assert_eq!(told("pub struct Table;", b), "", "{b}");
    }
    assert_eq!(told("pub struct Error; pub struct HeadV1;", "pub struct Error; pub struct HeadV1;"), "");
    assert!(!is_versioned("V") && !is_versioned("Level3") && is_versioned("SchemaV12"));
}

fn faults(text: &str) -> Vec<String> {
    comment_faults(&file("a.rs", text))
}

#[test]
fn wide_comments_and_numbers_without_names_are_told() {
    let wide = format!("// {} end\n", "x".repeat(100));
    assert_eq!(faults(&wide), ["a.rs:1: a comment wider than 100 columns"]);
    assert_eq!(faults(&format!("/{wide}fn f() {{}}\n")).len(), 1, "doc comments too");
    assert_eq!(faults("fn f() {} // so many rows\n"), ["a.rs:1: \"so many\" in a comment; name the number"]);
    assert_eq!(faults("/// So many.\nfn f() {}\n").len(), 1);
}

#[test]
fn addresses_strings_and_code_may_be_wide() {
    assert!(faults(&format!("// {}\n", "x".repeat(120))).is_empty(), "one word cannot be broken");
    assert!(faults(&format!("const A: &str = \"\n// {} so many\n\";\n", "x ".repeat(60))).is_empty());
    assert!(faults(&format!("const A: &str = \"{}\"; // why\n", "é".repeat(110))).is_empty());
    assert!(faults("const A: &str = \"so many // so many\";\n").is_empty());
}
