//! No file may import from a file that imports from it, over however many others.
//!
//! A file that needs another cannot be read, moved or tested without it, so a circle of files is
//! one file in pieces. An import is a `use` or a path in the code; a re-export is followed to the
//! file that defines the item, and `mod` declarations and re-exports themselves import nothing.
//! Tests are left out: they import what they test.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use anyhow::{Result, bail};
use proc_macro2::{TokenStream, TokenTree};
use syn::visit::{self, Visit};

use crate::source::Package;
use crate::source::tree::{ModuleTree, Reach, Target, leaves, line_of};

/// From file to file, with the names that are imported.
type Graph = BTreeMap<usize, BTreeMap<usize, BTreeSet<String>>>;

/// Fails when files of a package import each other in a circle. Gives the number of files.
pub fn check(packages: &[Package]) -> Result<usize> {
    let (mut files, mut faults) = (0, Vec::new());
    for package in packages {
        files += package.files.iter().filter(|file| !file.is_test).count();
        faults.extend(circles(package));
    }
    if faults.is_empty() {
        return Ok(files);
    }
    bail!("files import each other in circles:\n  {}\nMove what both need into a file of its own.", faults.join("\n  "))
}

/// The shortest circle through each knot of files, in words.
fn circles(package: &Package) -> Vec<String> {
    let graph = graph(&ModuleTree::new(&package.files));
    let reached: BTreeMap<usize, BTreeSet<usize>> =
        graph.keys().map(|file| (*file, reachable(&graph, *file))).collect();
    let meets = |a: usize, b: usize| reached[&a].contains(&b) && reached.get(&b).is_some_and(|from| from.contains(&a));
    let mut told = BTreeSet::new();
    let mut faults = Vec::new();
    for &file in graph.keys() {
        if told.contains(&file) || !meets(file, file) {
            continue;
        }
        let knot: BTreeSet<usize> = reached[&file].iter().copied().filter(|other| meets(file, *other)).collect();
        faults.push(words(package, &graph, &shortest(&graph, file), knot.len()));
        told.extend(knot);
    }
    faults
}

fn words(package: &Package, graph: &Graph, circle: &[usize], knot: usize) -> String {
    let name = |file: usize| package.files[file].path.strip_prefix(&format!("{}/", package.folder)).unwrap_or_default();
    let mut text = format!("{}: {}", package.folder, name(circle[0]));
    for pair in circle.windows(2) {
        let items: Vec<&str> = graph[&pair[0]][&pair[1]].iter().map(String::as_str).collect();
        text.push_str(&format!(" -> {} ({})", name(pair[1]), items.join(", ")));
    }
    if knot > circle.len() - 1 {
        text.push_str(&format!("; {knot} files hang together"));
    }
    text
}

/// All files that can be reached by at least one import.
fn reachable(graph: &Graph, from: usize) -> BTreeSet<usize> {
    let (mut seen, mut ahead) = (BTreeSet::new(), vec![from]);
    while let Some(file) = ahead.pop() {
        let next = graph.get(&file).into_iter().flat_map(BTreeMap::keys);
        ahead.extend(next.filter(|next| seen.insert(**next)));
    }
    seen
}

/// The shortest way from a file to itself.
fn shortest(graph: &Graph, from: usize) -> Vec<usize> {
    let mut ways = VecDeque::from([vec![from]]);
    let mut seen = BTreeSet::new();
    while let Some(way) = ways.pop_front() {
        for next in graph.get(&way[way.len() - 1]).into_iter().flat_map(BTreeMap::keys) {
            let longer = [&way[..], &[*next]].concat();
            if *next == from {
                return longer;
            }
            if seen.insert(*next) {
                ways.push_back(longer);
            }
        }
    }
    vec![from]
}

fn graph(tree: &ModuleTree<'_>) -> Graph {
    let mut graph = Graph::new();
    for (place, module) in tree.modules.iter().enumerate() {
        let mut finder = Finder { tree, module: place, graph: &mut graph };
        module.items.iter().for_each(|item| finder.visit_item(item));
    }
    graph
}

/// Finds the imports of a module.
struct Finder<'a> {
    tree: &'a ModuleTree<'a>,
    module: usize,
    graph: &'a mut Graph,
}

impl Finder<'_> {
    fn import(&mut self, path: &[String]) {
        if let Some(Target::Item(module, name)) = self.tree.resolve(self.module, path) {
            self.join(module, name);
        }
    }

    fn join(&mut self, module: usize, name: String) {
        let (from, to) = (self.tree.modules[self.module].file, self.tree.modules[module].file);
        if from != to {
            self.graph.entry(from).or_default().entry(to).or_default().insert(name);
        }
    }

    fn is_test(&self, line: usize) -> bool {
        self.tree.files[self.tree.modules[self.module].file].is_test_line(line)
    }

    /// The paths in a macro's words. A name behind a point is a field or a method.
    fn tokens(&mut self, tokens: TokenStream) {
        let mut path: Vec<String> = Vec::new();
        // How many colons follow the path so far, and whether a point came last.
        let (mut colons, mut point) = (0, false);
        for token in tokens {
            let is_colon = matches!(&token, TokenTree::Punct(mark) if mark.as_char() == ':');
            if is_colon {
                colons += 1;
                continue;
            }
            match &token {
                TokenTree::Ident(word) if colons == 2 && !path.is_empty() => path.push(word.to_string()),
                other => {
                    self.import(&std::mem::take(&mut path));
                    if let TokenTree::Ident(word) = other
                        && !point
                    {
                        path.push(word.to_string());
                    }
                }
            }
            if let TokenTree::Group(group) = &token {
                self.tokens(group.stream());
            }
            colons = 0;
            point = matches!(&token, TokenTree::Punct(mark) if mark.as_char() == '.');
        }
        self.import(&path);
    }
}

impl<'a> Visit<'a> for Finder<'_> {
    fn visit_item(&mut self, item: &'a syn::Item) {
        // Inline modules are visited by themselves.
        if !self.is_test(line_of(item)) && !matches!(item, syn::Item::Mod(_)) {
            visit::visit_item(self, item);
        }
    }

    fn visit_item_use(&mut self, item: &'a syn::ItemUse) {
        for import in leaves(item) {
            if import.visibility != Reach::Private {
                continue;
            }
            match self.tree.resolve(self.module, &import.path) {
                Some(Target::Module(module)) if import.is_glob() => self.join(module, "*".to_owned()),
                Some(Target::Item(module, name)) => self.join(module, name),
                _ => {}
            }
        }
    }

    fn visit_path(&mut self, path: &'a syn::Path) {
        if self.is_test(line_of(path)) {
            return;
        }
        let words: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        if path.leading_colon.is_none() {
            self.import(&words);
        }
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, item: &'a syn::Macro) {
        if !self.is_test(line_of(item)) {
            self.tokens(item.tokens.clone());
        }
    }

    fn visit_vis_restricted(&mut self, _: &'a syn::VisRestricted) {}

    fn visit_attribute(&mut self, _: &'a syn::Attribute) {}
}

#[cfg(test)]
#[path = "circles_tests.rs"]
mod tests;
