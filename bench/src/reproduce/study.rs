//! What is told about a study's results.

use serde::Serialize;

use super::verdict::Verdict;
use crate::plot::{Panel, plot};

/// What a paper reports, and whether it was seen again.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Finding {
    /// What the paper says, in short.
    pub claim: String,
    /// Whether our figures say so too.
    pub verdict: Verdict,
    /// What we found, with figures.
    pub words: String,
}

/// What is told about a study's results: everything here is computed from them.
pub struct Study {
    /// Above the picture.
    pub title: &'static str,
    /// The picture's panels; none where the study draws it itself.
    pub panels: Vec<Panel>,
    /// The picture that the study drew.
    pub drawing: Option<String>,
    /// One entry a claim of the paper.
    pub findings: Vec<Finding>,
    /// What the picture's caption says.
    pub caption: String,
    /// A table for the page, in Markdown.
    pub table: Option<String>,
}

impl Study {
    /// Nothing yet.
    pub fn new(title: &'static str, caption: &str) -> Self {
        let caption = caption.to_owned();
        Self { title, panels: Vec::new(), drawing: None, findings: Vec::new(), caption, table: None }
    }

    /// Adds a claim, whether it was seen, and what was found.
    pub fn finding(&mut self, claim: &str, verdict: Verdict, words: String) {
        self.findings.push(Finding { claim: claim.into(), verdict, words });
    }

    /// The picture, a self-contained SVG. Panels stand below each other, so that a phone shows them
    /// in their own size; only where there are many do two share a row.
    pub fn svg(&self) -> String {
        let across = if self.panels.len() <= 6 { 1 } else { 2 };
        self.drawing.clone().unwrap_or_else(|| plot(self.title, &self.caption, across, &self.panels))
    }
}
