//! What every page has around its content.

use maud::{DOCTYPE, Markup, PreEscaped, html};

const STYLE: &str = include_str!("style.css");

/// Nothing is loaded from anywhere; the style in the file is all that a browser may use.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'";

/// A page: what it is and its heading, a banner or none, and its parts.
pub(crate) fn page(title: &str, [about, heading]: [&str; 2], banner: Markup, sections: &[Section]) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta http-equiv="Content-Security-Policy" content=(POLICY);
                meta name="color-scheme" content="light dark";
                title { (title) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                header {
                    p.soft.small { "Lookalike · " (about) }
                    h1 { (heading) }
                    nav aria-label="Parts of this page" {
                        ul.contents { @for section in sections { li { a href={ "#" (section.id) } { (section.title) } } } }
                    }
                }
                (banner)
                main {
                    @for section in sections {
                        section aria-labelledby=(section.id) { h2 id=(section.id) { (section.title) } (section.content) }
                    }
                }
            }
        }
    };
    page.into_string()
}

/// A part of a page, to be found from its top.
pub(crate) struct Section {
    id: &'static str,
    title: &'static str,
    content: Markup,
}

impl Section {
    /// `id` is the anchor: letters alone.
    pub(crate) fn new(id: &'static str, title: &'static str, content: Markup) -> Self {
        Self { id, title, content }
    }
}

/// A loud box: a headline and what it means.
pub(crate) fn banner(headline: &str, text: Markup) -> Markup {
    html! { div.banner role="alert" { strong { (headline) } (text) } }
}

/// The banner of every page that was made from the real rows.
pub(crate) fn steward_only() -> Markup {
    banner(
        "steward-only: do not publish",
        html! {
            p {
                "This page was made from the real rows without paying for it. It is for whoever may see the real table, and "
                "covered by no guarantee."
            }
            p {
                "Choosing among several releases after reading pages like this one is not covered either: the choice itself "
                "tells something about the real rows. Decide on method and budget before, or pay for each run."
            }
        },
    )
}

/// Items beyond the first few, folded.
pub(crate) fn folded(rest: usize, what: &str, content: Markup) -> Markup {
    html! { details { summary { "Show " (crate::number::whole(rest as u64)) " more " (what) } (content) } }
}
