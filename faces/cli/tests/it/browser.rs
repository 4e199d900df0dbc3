//! The pages in a real browser: nothing asked of the network, nothing to complain of, nothing cut
//! off, on a phone, a desk and paper, light and dark. Skipped where there is no Chromium (`CHROME`
//! names one).

use std::path::{Path, PathBuf};

use lookalike_testkit::{Dice, benchmark_table, or_missing};
use serde_json::Value;

use crate::chrome::{self, Browser, Screen};
use crate::empty;

/// A phone and a desk.
const WIDTHS: [u32; 2] = [380, 1280];

/// What the page says of itself: how far it reaches to the right, and what a reader would miss.
const LOOK: &str = include_str!("chrome/look.js");

fn browser() -> Option<Browser> {
    let program = or_missing(chrome::program(), "no Chromium was found; name one with CHROME")?;
    Some(Browser::start(&program))
}

/// Every fault of a page on every screen. With `LOOKALIKE_SHOTS` set, pictures are written into
/// that folder.
fn faults(browser: &mut Browser, page: &Path, name: &str) -> Vec<String> {
    let mut faults = Vec::new();
    let screens = WIDTHS.iter().flat_map(|&width| [false, true].map(|dark| Screen { width, dark, print: false }));
    for screen in screens.chain([Screen { width: 720, dark: true, print: true }]) {
        let visit = browser.open(page, screen);
        let seen = browser.evaluate(LOOK);
        let words = |list: &Value| -> Vec<String> {
            list.as_array().into_iter().flatten().map(|word| word.as_str().unwrap_or_default().to_owned()).collect()
        };
        let asked = visit.requests.into_iter().map(|url| format!("asks for {url}"));
        let complained = visit.complaints.into_iter().map(|text| format!("complains: {text}"));
        faults.extend(asked.chain(complained).chain(words(&seen)).map(|what| format!("{name}, {screen:?}: {what}")));
        if let Some(folder) = std::env::var_os("LOOKALIKE_SHOTS") {
            let light = if screen.print {
                "print"
            } else if screen.dark {
                "dark"
            } else {
                "light"
            };
            for (part, shot) in browser.screenshots().into_iter().enumerate() {
                let file = format!("{name}-{}-{light}-{part:02}.png", screen.width);
                std::fs::write(Path::new(&folder).join(file), shot).expect("a picture");
            }
        }
    }
    faults
}

fn assert_well(browser: &mut Browser, pages: &[(&str, PathBuf)]) {
    for (name, page) in pages {
        let faults = faults(browser, page, name);
        assert!(faults.is_empty(), "{}", faults.join("\n"));
    }
}

#[test]
fn a_broken_page_is_caught() {
    let Some(mut browser) = browser() else { return };
    let sandbox = empty();
    let page = "<!DOCTYPE html><html><head><title>x</title></head><body><h1>x</h1><h3>skipped</h3>\
        <p style='color:#ccc;background:#fff'>pale</p><div style='width:2000px;height:1px'></div>\
        <svg width='9' height='9'></svg><img src='http://127.0.0.1:9/x.png' alt=''>\
        <script>console.error('bad'); missing();</script></body></html>";
    sandbox.write("broken.html", page);
    let faults = faults(&mut browser, &sandbox.path("broken.html"), "broken").join("\n");
    for wanted in [
        "asks for http://127.0.0.1:9/x.png",
        "bad",
        "missing is not defined",
        "wider than the screen",
        "without a label",
        "contrast",
        "heading",
        "lang",
    ] {
        assert!(faults.contains(wanted), "{wanted:?} was not noticed in:\n{faults}");
    }
}

#[test]
fn the_pages_of_the_demo() {
    let Some(mut browser) = browser() else { return };
    let sandbox = empty();
    let ran = sandbox.run(&["demo", "--quiet", "--out", "demo"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let page = |folder: &str| sandbox.path(&format!("demo/people-release/{folder}/report.html"));
    assert_well(&mut browser, &[("demo-release", page("release")), ("demo-steward", page("steward-only"))]);
    let rows = "demo/people-release/release/synthetic.csv";
    let words = ["evaluate", "demo/people.csv", rows, "--schema", "demo/people.toml", "--html", "demo.html", "-q"];
    let ran = sandbox.run(&words);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert_well(&mut browser, &[("demo-evaluation", sandbox.path("demo.html"))]);
}

#[test]
fn the_pages_of_adult() {
    let (Some(table), Some(schema)) = (benchmark_table("adult.csv"), benchmark_table("adult-domain.json")) else {
        return;
    };
    let Some(mut browser) = browser() else { return };
    let sandbox = empty();
    for method in ["mst", "aim", "privbayes"] {
        let (table, schema) = (table.to_string_lossy(), schema.to_string_lossy());
        let words = ["synth", &table, "--schema", &schema, "--epsilon", "1", "--method", method, "--out", method, "-q"];
        let ran = sandbox.run(&words);
        assert_eq!(ran.code, 0, "{}", ran.err);
        let page = |folder: &str| sandbox.path(&format!("{method}/{folder}/report.html"));
        let names = [format!("adult-{method}-release"), format!("adult-{method}-steward")];
        assert_well(&mut browser, &[(&names[0], page("release")), (&names[1], page("steward-only"))]);
    }
    let (table, schema) = (table.to_string_lossy(), schema.to_string_lossy());
    let words = ["evaluate", &table, "mst/release/synthetic.csv", "--schema", &schema, "--html", "adult.html", "-q"];
    let ran = sandbox.run(&words);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert_well(&mut browser, &[("adult-evaluation", sandbox.path("adult.html"))]);
}

/// Many columns that follow each other, under long names.
#[test]
fn the_pages_of_a_hundred_columns() {
    let Some(mut browser) = browser() else { return };
    let sandbox = empty();
    for columns in [50, 100] {
        let name = |column: usize| format!("answer_to_question_number_{column}");
        let domain: Vec<String> =
            (0..columns).map(|column| format!("\"{}\": {}", name(column), 2 + column % 4)).collect();
        sandbox.write("wide.json", &format!("{{{}}}", domain.join(",")));
        let mut dice = Dice(columns as u64);
        let mut text = (0..columns).map(name).collect::<Vec<_>>().join(",") + "\n";
        for _ in 0..4000 {
            let mut row = vec![0u64; columns];
            for column in 0..columns {
                let before = if column < 3 { 0 } else { row[column - 1 - column % 3] };
                let size = 2 + column as u64 % 4;
                row[column] = if dice.below(4) > 0 { before % size } else { dice.below(size) };
            }
            text += &(row.iter().map(u64::to_string).collect::<Vec<_>>().join(",") + "\n");
        }
        sandbox.write("wide.csv", &text);
        let out = format!("wide-{columns}");
        let words =
            ["synth", "wide.csv", "--schema", "wide.json", "--epsilon", "4", "--method", "mst", "--out", &out, "-q"];
        let ran = sandbox.run(&words);
        assert_eq!(ran.code, 0, "{}", ran.err);
        let page = |folder: &str| sandbox.path(&format!("{out}/{folder}/report.html"));
        let names = [format!("{out}-release"), format!("{out}-steward")];
        assert_well(&mut browser, &[(&names[0], page("release")), (&names[1], page("steward-only"))]);
    }
}
