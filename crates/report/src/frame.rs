//! What every page has around its content.

use maud::{DOCTYPE, Markup, PreEscaped, html};

const STYLE: &str = include_str!("style.css");

/// Nothing is loaded from anywhere; the style in the file is all that a browser may use.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'";

pub(crate) fn page(title: &str, body: Markup) -> String {
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
            body { (body) }
        }
    };
    page.into_string()
}

/// A loud box: a headline and what it means.
pub(crate) fn banner(headline: &str, text: Markup) -> Markup {
    html! { div.banner role="alert" { strong { (headline) } (text) } }
}

/// Items beyond the first few, folded.
pub(crate) fn folded(rest: usize, what: &str, content: Markup) -> Markup {
    html! { details { summary { "Show " (crate::number::whole(rest as u64)) " more " (what) } (content) } }
}
