//! A Rust file as tokens and syntax.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

use anyhow::{Result, anyhow};
use proc_macro2::{Span, TokenStream, TokenTree};

use super::cfg;

/// Folders whose Rust files are tests, whatever stands in them.
const TEST_FOLDERS: [&str; 5] = ["tests", "examples", "testkit", "fuzz", "oracles"];

/// A Rust file.
pub struct SourceFile {
    /// Its path below the root of the workspace.
    pub path: String,
    pub text: String,
    pub syntax: syn::File,
    /// The lines, from 1, that hold a token of code. Blank lines and comments hold none.
    pub code_lines: BTreeSet<usize>,
    /// The last token of each line that has one: the column behind it.
    pub line_ends: BTreeMap<usize, usize>,
    /// Whether all of it is for tests.
    pub is_test: bool,
    /// The lines of items that only a test build has.
    test_items: Vec<RangeInclusive<usize>>,
}

impl SourceFile {
    /// One file. `path` is how messages name it.
    pub fn parse(path: String, text: String) -> Result<Self> {
        let tokens: TokenStream = text.parse().map_err(|error| anyhow!("{path}: {error}"))?;
        let (mut code_lines, mut line_ends) = (BTreeSet::new(), BTreeMap::new());
        let lines: Vec<&str> = text.lines().collect();
        visit_spans(tokens.clone(), &text, &mut |span| {
            let (start, end) = (span.start(), span.end());
            // A string of several lines may hold blank ones.
            let filled = |line: &usize| lines.get(line - 1).is_some_and(|line| !line.trim().is_empty());
            code_lines.extend((start.line..=end.line).filter(filled));
            for line in start.line..=end.line {
                line_ends.insert(line, if line == end.line { end.column } else { usize::MAX });
            }
        });
        let syntax: syn::File = syn::parse2(tokens).map_err(|error| anyhow!("{path}: {error}"))?;
        let parts: Vec<&str> = path.split('/').collect();
        let name = parts.last().copied().unwrap_or_default();
        let is_test =
            parts.iter().any(|part| TEST_FOLDERS.contains(part)) || name == "tests.rs" || name.ends_with("_tests.rs");
        let test_items = cfg::test_items(&syntax);
        Ok(Self { path, text, syntax, code_lines, line_ends, is_test, test_items })
    }

    /// Whether only test builds have the code in this line.
    pub fn is_test_line(&self, line: usize) -> bool {
        self.is_test || self.test_items.iter().any(|range| range.contains(&line))
    }
}

/// Calls for every token in order, without those that a doc comment is turned into.
fn visit_spans(tokens: TokenStream, text: &str, visit: &mut impl FnMut(Span)) {
    for token in tokens {
        let source = text.get(token.span().byte_range().start..).unwrap_or_default();
        if source.starts_with("//") || source.starts_with("/*") {
            continue;
        }
        match token {
            TokenTree::Group(group) => {
                visit(group.span_open());
                visit_spans(group.stream(), text, visit);
                visit(group.span_close());
            }
            other => visit(other.span()),
        }
    }
}
