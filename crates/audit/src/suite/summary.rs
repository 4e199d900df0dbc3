//! The table that people read: claim, bound, limit, and what the controls showed.

use super::result::{AuditId, AuditResult};

const HEADS: [&str; 8] = ["audit", "neighbours", "claimed", "found", "plain", "limit", "runs", "controls"];

/// For a terminal.
pub fn text(rows: &[AuditResult]) -> String {
    let lines = lines(rows);
    let width = |column: usize| {
        let cells = lines.iter().map(|line| line[column].chars().count());
        cells.chain([HEADS[column].len()]).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..HEADS.len()).map(width).collect();
    let mut out = String::new();
    for line in std::iter::once(HEADS.map(str::to_owned)).chain(lines) {
        let cells: Vec<String> = line.iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}")).collect();
        out += cells.join("  ").trim_end();
        out.push('\n');
    }
    out
}

/// For a document.
pub fn markdown(rows: &[AuditResult]) -> String {
    let row = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let mut out = row(&HEADS.map(str::to_owned)) + &row(&HEADS.map(|_| "---".to_owned()));
    lines(rows).iter().for_each(|line| out += &row(line));
    out
}

/// A line for every audit of the product as it is; its controls stand in the last cell.
fn lines(rows: &[AuditResult]) -> Vec<[String; 8]> {
    let number = |value: f64| format!("{value:.3}");
    let line = |row: &AuditResult| {
        let own = &row.audit;
        let controls = rows.iter().filter(|other| {
            let AuditId { kind, name, neighbours, control, claimed, .. } = &other.audit;
            (kind, name, neighbours, claimed) == (&own.kind, &own.name, &own.neighbours, &own.claimed)
                && control.is_some()
        });
        let words = |control: &AuditResult| {
            let verdict = if control.is_above() { "caught" } else { "not caught" };
            let found = control.found.max(control.plain);
            format!("{}: {found:.2}, {verdict}", control.audit.control.as_deref().unwrap_or_default())
        };
        let found = if row.is_above() { format!("{} ABOVE", number(row.found)) } else { number(row.found) };
        let controls = controls.map(words).collect::<Vec<_>>().join("; ");
        let (plain, limit) = (number(row.plain), number(row.limit));
        [
            own.name.clone(),
            own.neighbours.clone(),
            own.claimed.to_string(),
            found,
            plain,
            limit,
            own.runs.to_string(),
            controls,
        ]
    };
    rows.iter().filter(|row| row.audit.control.is_none()).map(line).collect()
}
