//! Which items only a test build has: those under a `cfg` that is false in a plain build.

use std::ops::RangeInclusive;

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::parse::{ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Attribute, Meta, Token};

/// Features that only tests, audits of broken mechanisms and the fuzzer switch on.
const TEST_FEATURES: [&str; 3] = ["test-noise", "broken", "fuzzing"];

/// The lines of all items, fields, arms and statements that only a test build has.
pub fn test_items(file: &syn::File) -> Vec<RangeInclusive<usize>> {
    let mut finder = Finder { found: Vec::new() };
    finder.visit_file(file);
    finder.found
}

/// Whether one of the attributes is a `cfg` that no plain build fulfils.
pub fn only_in_tests(attributes: &[Attribute]) -> bool {
    let conditions = attributes.iter().filter(|attribute| attribute.path().is_ident("cfg"));
    conditions.filter_map(|attribute| attribute.parse_args::<Meta>().ok()).any(|condition| !may_hold(&condition))
}

/// Whether a plain build on some system may fulfil the condition.
fn may_hold(condition: &Meta) -> bool {
    let parts = |list: &syn::MetaList| {
        let parts = list.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated);
        parts.map(|parts| parts.into_iter().collect::<Vec<_>>()).unwrap_or_default()
    };
    match condition {
        Meta::Path(path) => !path.is_ident("test"),
        Meta::NameValue(pair) if pair.path.is_ident("feature") => {
            let name = pair.value.to_token_stream().to_string();
            !TEST_FEATURES.contains(&name.trim_matches('"'))
        }
        Meta::List(list) if list.path.is_ident("all") => parts(list).iter().all(may_hold),
        Meta::List(list) if list.path.is_ident("any") => parts(list).iter().any(may_hold),
        _ => true,
    }
}

struct Finder {
    found: Vec<RangeInclusive<usize>>,
}

impl Finder {
    /// Notes the lines of a node that only tests have. Gives whether it is one.
    fn note(&mut self, node: &(impl ToTokens + Spanned)) -> bool {
        let is_test = only_in_tests(&attributes(node.to_token_stream()));
        if is_test {
            self.found.push(node.span().start().line..=node.span().end().line);
        }
        is_test
    }
}

/// The attributes that a piece of code begins with.
fn attributes(tokens: TokenStream) -> Vec<Attribute> {
    let leading = |input: ParseStream<'_>| {
        let attributes = Attribute::parse_outer(input)?;
        input.parse::<TokenStream>()?;
        Ok(attributes)
    };
    leading.parse2(tokens).unwrap_or_default()
}

impl<'a> Visit<'a> for Finder {
    fn visit_item(&mut self, node: &'a syn::Item) {
        if !self.note(node) {
            visit::visit_item(self, node);
        }
    }
    fn visit_impl_item(&mut self, node: &'a syn::ImplItem) {
        if !self.note(node) {
            visit::visit_impl_item(self, node);
        }
    }
    fn visit_trait_item(&mut self, node: &'a syn::TraitItem) {
        if !self.note(node) {
            visit::visit_trait_item(self, node);
        }
    }
    fn visit_field(&mut self, node: &'a syn::Field) {
        if !self.note(node) {
            visit::visit_field(self, node);
        }
    }
    fn visit_field_value(&mut self, node: &'a syn::FieldValue) {
        if !self.note(node) {
            visit::visit_field_value(self, node);
        }
    }
    fn visit_variant(&mut self, node: &'a syn::Variant) {
        if !self.note(node) {
            visit::visit_variant(self, node);
        }
    }
    fn visit_arm(&mut self, node: &'a syn::Arm) {
        if !self.note(node) {
            visit::visit_arm(self, node);
        }
    }
    fn visit_stmt(&mut self, node: &'a syn::Stmt) {
        if !self.note(node) {
            visit::visit_stmt(self, node);
        }
    }
}
