//! The modules of a package with the names in them, and what a path means in one of them.
//!
//! This is name resolution as far as the checks need it: items, modules, imports, re-exports and
//! globs of one package. A path that leads into another package has no meaning here.

use std::collections::{BTreeMap, BTreeSet};

use syn::{Item, UseTree, Visibility};

use super::file::SourceFile;
use super::modules::{self, Declaration};

/// More steps than this from import to import mean that a path leads back to itself.
const MOST_STEPS: usize = 24;

/// A module: a file or a part of one.
pub struct Module<'a> {
    /// Place of its file among the package's files.
    pub file: usize,
    /// Its items as written, without child modules that have files of their own.
    pub items: &'a [Item],
    /// The module at the top of its target, which `crate` means.
    root: usize,
    parent: Option<usize>,
    children: BTreeMap<String, Child>,
    names: BTreeMap<String, Named>,
    imports: Vec<Import>,
}

struct Child {
    module: usize,
    is_public: bool,
}

/// An item that a module defines.
struct Named {
    is_type: bool,
    is_public: bool,
}

/// A leaf of a `use`.
pub struct Import {
    /// The name that it brings; none for a glob.
    name: Option<String>,
    pub path: Vec<String>,
    pub visibility: Reach,
}

impl Import {
    /// Whether it brings all names of a module.
    pub fn is_glob(&self) -> bool {
        self.name.is_none()
    }
}

/// How far an import can be seen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Reach {
    /// In its own module only: the module needs it.
    Private,
    /// Further: it is a re-export.
    Shared,
    /// Outside of the package.
    Public,
}

/// What a path means.
#[derive(Clone, Debug, PartialEq)]
pub enum Target {
    Module(usize),
    /// An item by the module that defines it and its name.
    Item(usize, String),
}

pub struct ModuleTree<'a> {
    pub files: &'a [SourceFile],
    pub modules: Vec<Module<'a>>,
}

impl<'a> ModuleTree<'a> {
    /// The modules of a package that plain builds have.
    pub fn new(files: &'a [SourceFile]) -> Self {
        let declarations = modules::declarations(files);
        let declared: BTreeSet<usize> = declarations.iter().map(|declaration| declaration.to).collect();
        let mut tree = Self { files, modules: Vec::new() };
        let roots = (0..files.len()).filter(|place| !declared.contains(place) && !files[*place].is_test);
        for root in roots {
            tree.add(root, None, &files[root].syntax.items, &mut Vec::new(), &declarations);
        }
        tree
    }

    fn add(
        &mut self,
        file: usize,
        parent: Option<usize>,
        items: &'a [Item],
        within: &mut Vec<String>,
        declarations: &[Declaration],
    ) -> usize {
        let place = self.modules.len();
        let root = parent.map_or(place, |parent| self.modules[parent].root);
        let (children, names, imports) = (BTreeMap::new(), BTreeMap::new(), Vec::new());
        self.modules.push(Module { file, items, root, parent, children, names, imports });
        for item in items.iter().filter(|item| !self.files[file].is_test_line(line_of(*item))) {
            match item {
                Item::Mod(module) => {
                    let name = module.ident.to_string();
                    let child = if let Some((_, items)) = &module.content {
                        within.push(name.clone());
                        let child = self.add(file, Some(place), items, within, declarations);
                        within.pop();
                        child
                    } else {
                        let is_this = |declaration: &&Declaration| {
                            declaration.from == file && declaration.name == name && declaration.within == *within
                        };
                        let Some(declaration) = declarations.iter().find(is_this) else { continue };
                        let items = &self.files[declaration.to].syntax.items;
                        self.add(declaration.to, Some(place), items, &mut Vec::new(), declarations)
                    };
                    let is_public = reach(&module.vis) == Reach::Public;
                    self.modules[place].children.insert(name, Child { module: child, is_public });
                }
                Item::Use(item) => self.modules[place].imports.extend(leaves(item)),
                other => self.modules[place].names.extend(named(other)),
            }
        }
        place
    }

    /// What a path in a module means, if it leads to something of this package.
    pub fn resolve(&self, module: usize, path: &[String]) -> Option<Target> {
        self.resolve_within(module, path, 0)
    }

    fn resolve_within(&self, module: usize, path: &[String], steps: usize) -> Option<Target> {
        if steps > MOST_STEPS {
            return None;
        }
        let mut target = Target::Module(module);
        for (place, word) in path.iter().enumerate() {
            // What follows an item is a variant, a method or a constant of it.
            let Target::Module(module) = target else { break };
            target = match word.as_str() {
                "crate" => Target::Module(self.modules[module].root),
                "self" => Target::Module(module),
                "super" => Target::Module(self.modules[module].parent?),
                name => self.look_up(module, name, place + 1 == path.len(), steps)?,
            };
        }
        Some(target)
    }

    /// A name in a module. The last name of a path is an item rather than a module called the same.
    fn look_up(&self, module: usize, name: &str, is_last: bool, steps: usize) -> Option<Target> {
        let here = &self.modules[module];
        if here.names.contains_key(name) {
            return Some(Target::Item(module, name.to_owned()));
        }
        let child = here.children.get(name).map(|child| Target::Module(child.module));
        if child.is_some() && !is_last {
            return child;
        }
        let by_name = here.imports.iter().filter(|import| import.name.as_deref() == Some(name));
        let by_name = by_name.filter_map(|import| self.resolve_within(module, &import.path, steps + 1)).next();
        if let Some(target) = by_name {
            return Some(target);
        }
        let globs = here.imports.iter().filter(|import| import.is_glob());
        let mut by_glob = globs.filter_map(|import| match self.resolve_within(module, &import.path, steps + 1)? {
            Target::Module(other) if other != module && steps < MOST_STEPS => {
                self.look_up(other, name, is_last, steps + 1)
            }
            _ => None,
        });
        child.or_else(|| by_glob.next())
    }

    /// The types that a package shows to others, as their names and the files that define them.
    pub fn public_types(&self, root: usize) -> BTreeSet<(String, usize)> {
        let (mut found, mut seen) = (BTreeSet::new(), BTreeSet::new());
        self.collect_public(root, &mut found, &mut seen);
        found
    }

    fn collect_public(&self, module: usize, found: &mut BTreeSet<(String, usize)>, seen: &mut BTreeSet<usize>) {
        if !seen.insert(module) {
            return;
        }
        let here = &self.modules[module];
        let own = here.names.iter().filter(|(_, named)| named.is_type && named.is_public);
        found.extend(own.map(|(name, _)| (name.clone(), here.file)));
        for child in here.children.values().filter(|child| child.is_public) {
            self.collect_public(child.module, found, seen);
        }
        for import in here.imports.iter().filter(|import| import.visibility == Reach::Public) {
            match self.resolve(module, &import.path) {
                Some(Target::Module(other)) => self.collect_public(other, found, seen),
                Some(Target::Item(other, name)) if self.modules[other].names[&name].is_type => {
                    found.insert((name, self.modules[other].file));
                }
                _ => {}
            }
        }
    }
}

/// The leaves of a `use`.
pub fn leaves(item: &syn::ItemUse) -> Vec<Import> {
    let mut found = Vec::new();
    flatten(&item.tree, &mut Vec::new(), reach(&item.vis), &mut found);
    found
}

fn flatten(tree: &UseTree, path: &mut Vec<String>, visibility: Reach, found: &mut Vec<Import>) {
    let leaf = |name: Option<String>, last: Option<String>, path: &[String]| {
        let path = path.iter().cloned().chain(last.filter(|last| last != "self")).collect();
        Import { name, path, visibility }
    };
    match tree {
        UseTree::Path(step) => {
            path.push(step.ident.to_string());
            flatten(&step.tree, path, visibility, found);
            path.pop();
        }
        UseTree::Group(group) => group.items.iter().for_each(|tree| flatten(tree, path, visibility, found)),
        UseTree::Name(name) => {
            let word = name.ident.to_string();
            let brought = if word == "self" { path.last().cloned() } else { Some(word.clone()) };
            found.push(leaf(brought, Some(word), path));
        }
        UseTree::Rename(name) => {
            found.push(leaf(Some(name.rename.to_string()), Some(name.ident.to_string()), path));
        }
        UseTree::Glob(_) => found.push(leaf(None, None, path)),
    }
}

fn reach(visibility: &Visibility) -> Reach {
    match visibility {
        Visibility::Public(_) => Reach::Public,
        Visibility::Restricted(_) => Reach::Shared,
        Visibility::Inherited => Reach::Private,
    }
}

/// The name that an item defines.
fn named(item: &Item) -> Option<(String, Named)> {
    let (name, visibility, is_type) = match item {
        Item::Const(item) => (&item.ident, &item.vis, false),
        Item::Static(item) => (&item.ident, &item.vis, false),
        Item::Fn(item) => (&item.sig.ident, &item.vis, false),
        Item::Enum(item) => (&item.ident, &item.vis, true),
        Item::Struct(item) => (&item.ident, &item.vis, true),
        Item::Trait(item) => (&item.ident, &item.vis, true),
        Item::Type(item) => (&item.ident, &item.vis, true),
        Item::Macro(item) => (item.ident.as_ref()?, &Visibility::Inherited, false),
        _ => return None,
    };
    Some((name.to_string(), Named { is_type, is_public: reach(visibility) == Reach::Public }))
}

/// The line that a piece of syntax begins in.
pub fn line_of(node: impl syn::spanned::Spanned) -> usize {
    node.span().start().line
}
