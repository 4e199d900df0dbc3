//! Where the file of a `mod` declaration lies.

use std::collections::BTreeMap;

use super::cfg::only_in_tests;
use super::file::SourceFile;

/// A `mod name;` and the file that it stands for.
pub struct Declaration {
    /// Place of the declaring file among the package's files.
    pub from: usize,
    /// The inline modules around the declaration.
    pub within: Vec<String>,
    pub name: String,
    /// Place of the declared file.
    pub to: usize,
    is_test: bool,
}

/// Marks the files of modules that only test builds have, with all their children.
pub fn mark_tests(files: &mut [SourceFile]) {
    let declarations = declarations(files);
    // Parents may come after their children, so this goes on until nothing changes.
    let mut changed = true;
    while changed {
        changed = false;
        for declaration in &declarations {
            let is_test = declaration.is_test || files[declaration.from].is_test;
            if is_test && !files[declaration.to].is_test {
                files[declaration.to].is_test = true;
                changed = true;
            }
        }
    }
}

/// All modules of a package that have a file of their own.
pub fn declarations(files: &[SourceFile]) -> Vec<Declaration> {
    let places: BTreeMap<&str, usize> =
        files.iter().enumerate().map(|(place, file)| (file.path.as_str(), place)).collect();
    let mut found = Vec::new();
    for (from, file) in files.iter().enumerate() {
        let (folder, name) = file.path.rsplit_once('/').unwrap_or(("", &file.path));
        let stem = name.trim_end_matches(".rs");
        // Roots of targets are told by their names, or by the folder of binaries and tests.
        let is_root = matches!(stem, "mod" | "lib" | "main") || folder.ends_with("/bin") || folder.ends_with("/tests");
        let children = if is_root { folder.to_owned() } else { format!("{folder}/{stem}") };
        let scope = Scope { from, folder, children, places: &places };
        scope.collect(&file.syntax.items, &mut Vec::new(), false, &mut found);
    }
    found
}

/// The file that declares.
struct Scope<'a> {
    from: usize,
    folder: &'a str,
    /// Where the files of its modules lie.
    children: String,
    places: &'a BTreeMap<&'a str, usize>,
}

impl Scope<'_> {
    fn collect(&self, items: &[syn::Item], within: &mut Vec<String>, is_test: bool, found: &mut Vec<Declaration>) {
        for item in items {
            let syn::Item::Mod(module) = item else { continue };
            let is_test = is_test || only_in_tests(&module.attrs);
            let name = module.ident.to_string();
            if let Some((_, items)) = &module.content {
                within.push(name);
                self.collect(items, within, is_test, found);
                within.pop();
            } else if let Some(to) = self.file_of(module, within, &name) {
                found.push(Declaration { from: self.from, within: within.clone(), name, to, is_test });
            }
        }
    }

    fn file_of(&self, module: &syn::ItemMod, within: &[String], name: &str) -> Option<usize> {
        let place = |path: String| self.places.get(path.as_str()).copied();
        if let Some(path) = path_attribute(module) {
            return place(format!("{}/{path}", self.folder));
        }
        let folder = within.iter().fold(self.children.clone(), |folder, name| format!("{folder}/{name}"));
        place(format!("{folder}/{name}.rs")).or_else(|| place(format!("{folder}/{name}/mod.rs")))
    }
}

/// What `#[path = "..."]` says.
fn path_attribute(module: &syn::ItemMod) -> Option<String> {
    module.attrs.iter().find_map(|attribute| match &attribute.meta {
        syn::Meta::NameValue(pair) if pair.path.is_ident("path") => match &pair.value {
            syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. }) => Some(text.value()),
            _ => None,
        },
        _ => None,
    })
}
