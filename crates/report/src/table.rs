//! Tables of a page.

use maud::{Markup, Render, html};

use crate::frame::folded;

/// The titles of a table's columns, each with the classes of its cells.
pub(crate) type ColumnTitles<'a> = [(&'a str, &'a str)];

/// A table that scrolls sideways where there is no room for it.
pub(crate) fn table(columns: &ColumnTitles<'_>, rows: impl IntoIterator<Item = Vec<Markup>>) -> Markup {
    html! { div.scroll { (plain_table(columns, rows)) } }
}

/// A table. Titles have the classes of their cells, but for those about the wrapping of text. The
/// class `head` makes cells the titles of their rows.
pub(crate) fn plain_table(columns: &ColumnTitles<'_>, rows: impl IntoIterator<Item = Vec<Markup>>) -> Markup {
    let of_title = |classes: &str| {
        classes.split(' ').filter(|class| !["head", "wrap", "both"].contains(class)).collect::<Vec<_>>().join(" ")
    };
    let given = |classes: &str| Some(classes.to_owned()).filter(|classes| !classes.is_empty());
    html! {
        table {
            thead { tr { @for (title, classes) in columns { th class=[given(&of_title(classes))] { (title) } } } }
            tbody {
                @for row in rows {
                    tr {
                        @for ((_, classes), cell) in columns.iter().zip(row) {
                            @if *classes == "head" { th { (cell) } } @else { td class=[given(classes)] { (cell) } }
                        }
                    }
                }
            }
        }
    }
}

/// What stands in the cells of a row.
pub(crate) fn cells(contents: &[&dyn Render]) -> Vec<Markup> {
    contents.iter().map(|content| content.render()).collect()
}

/// Facts by name, each with a remark.
pub(crate) fn facts(rows: impl IntoIterator<Item = Markup>) -> Markup {
    html! { div.scroll { table { tbody { @for row in rows { (row) } } } } }
}

/// A fact by name, with a remark.
pub(crate) fn fact(name: &str, value: impl Render, remark: impl Render) -> Markup {
    html! { tr { th { (name) } td.n { (value) } td.wrap.soft { (remark) } } }
}

/// The first items, and the others folded under their number.
pub(crate) fn first_few<T>(items: &[T], shown: usize, what: &str, show: impl Fn(&[T]) -> Markup) -> Markup {
    let (first, others) = items.split_at(items.len().min(shown));
    html! {
        (show(first))
        @if !others.is_empty() { (folded(others.len(), what, show(others))) }
    }
}
