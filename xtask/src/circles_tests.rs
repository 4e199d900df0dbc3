use super::*;
use crate::source::{SourceFile, mark_tests};

/// The circles of a package of these files below `a/src`.
fn circles_of(files: &[(&str, &str)]) -> Vec<String> {
    let parse = |(path, text): &(&str, &str)| SourceFile::parse(format!("a/src/{path}"), (*text).to_owned()).unwrap();
    let mut files: Vec<SourceFile> = files.iter().map(parse).collect();
    mark_tests(&mut files);
    circles(&Package { folder: "a".to_owned(), files })
}

const ROOT: (&str, &str) = ("lib.rs", "mod x;\nmod y;\npub use x::X;\npub use y::Y;\n");

#[test]
fn imports_one_way_are_no_circle() {
    let x = ("x.rs", "use crate::Y;\npub struct X(Y);\n");
    assert!(circles_of(&[ROOT, x, ("y.rs", "pub struct Y;\n")]).is_empty());
}

#[test]
fn two_files_that_import_each_other_are_told_in_order_with_the_names() {
    let x = ("x.rs", "use crate::y::Y;\npub struct X(Y);\n");
    let y = ("y.rs", "pub struct Y;\nimpl Y { fn x(x: crate::x::X) -> crate::x::X { x } }\n");
    assert_eq!(circles_of(&[ROOT, x, y]), ["a: src/x.rs -> src/y.rs (Y) -> src/x.rs (X)"]);
}

/// Every way to name an item of the other file closes the circle.
#[test]
fn all_ways_of_importing_count() {
    for use_of_x in [
        "use crate::X; fn f(_: X) {}",
        "use crate::{x::{self}, Y as _}; fn f(_: x::X) {}",
        "use super::x as other; fn f() { other::X::new(); }",
        "use crate::x::*;",
        "fn f() { use crate::x::X; }",
        "fn f() { println!(\"{}\", crate::x::X::NAME); }",
        "fn f() { vec![Some(super::X)]; }",
        "fn f() { match () { _ => crate::X { } }; }",
        "impl crate::x::X {}",
        "use crate::again::Renamed;",
    ] {
        let root = ("lib.rs", "mod x;\nmod y;\nmod again { pub use crate::X as Renamed; }\npub use x::X;\n");
        let x = ("x.rs", "pub struct X(crate::y::Y);\n");
        let y = format!("pub struct Y;\n{use_of_x}\n");
        assert_eq!(circles_of(&[root, x, ("y.rs", &y)]).len(), 1, "{use_of_x}");
    }
}

#[test]
fn re_exports_tests_and_other_packages_import_nothing() {
    for y in [
        "pub struct Y;\npub use crate::x::X;\n",
        "pub struct Y;\n#[cfg(test)]\nmod tests { use crate::x::X; fn f(_: X) {} }\n",
        "pub struct Y;\n#[cfg(test)]\nuse crate::x::X;\n",
        "pub struct Y;\nuse other::x::X;\nfn f(_: X, _: ::x::X) {}\n",
        "pub struct Y;\npub(in crate::x) fn f() {}\n",
        "pub struct Y;\nfn f() { let x = 1; println!(\"{}\", x.X); }\n",
    ] {
        let x = ("x.rs", "use crate::y::Y;\npub struct X(Y);\n");
        assert_eq!(circles_of(&[ROOT, x, ("y.rs", y)]), [""; 0], "{y}");
    }
}

#[test]
fn a_module_that_uses_its_children_and_is_used_by_them_is_a_circle() {
    let root = ("lib.rs", "mod x;\n");
    let child = ("x/child.rs", "use super::Options;\npub fn run(_: Options) {}\n");
    let parent = ("x/mod.rs", "mod child;\npub struct Options;\npub fn all() { child::run(Options) }\n");
    assert_eq!(circles_of(&[root, parent, child]).len(), 1);
    let facade = ("x/mod.rs", "mod child;\npub struct Options;\npub use child::run;\n");
    assert!(circles_of(&[root, facade, child]).is_empty(), "a re-export alone uses nothing");
}

#[test]
fn a_function_called_like_its_module_is_found() {
    let root = ("lib.rs", "mod run;\nmod y;\nuse run::run;\npub fn go() { run() }\n");
    let run = ("run.rs", "pub fn run() { crate::go() }\n");
    assert_eq!(circles_of(&[root, run, ("y.rs", "")]), ["a: src/lib.rs -> src/run.rs (run) -> src/lib.rs (go)"]);
}

#[test]
fn a_knot_is_told_once_by_its_shortest_circle() {
    let root = ("lib.rs", "mod x;\nmod y;\nmod z;\n");
    let x = ("x.rs", "use crate::y::Y;\npub struct X(Y);\n");
    let y = ("y.rs", "use crate::{x::X, z::Z};\npub struct Y(X, Z);\n");
    let z = ("z.rs", "use crate::x::X;\npub struct Z(X);\n");
    let told = circles_of(&[root, x, y, z]);
    assert_eq!(told, ["a: src/x.rs -> src/y.rs (Y) -> src/x.rs (X); 3 files hang together"]);
}
