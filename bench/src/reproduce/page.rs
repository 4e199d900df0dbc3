//! The page about all figures, made from their results, so that text and figures cannot disagree.

use std::fmt::Write as _;
use std::path::Path;

use anyhow::{Context, Result};
use lookalike::write_whole;

use super::coverage_rows::{COVERAGE, How};
use super::figure::PaperFigure;
use super::list::FIGURES;
use super::results::{StudyResults, results_file};
use super::settings::StudySize;
use super::study::Study;
use super::verdict::Verdict;

const INTRODUCTION: &str = include_str!("page_introduction.md");

/// Chapters, and how the names of their figures begin.
const CHAPTERS: [(&str, &[&str]); 5] = [
    ("The Aalborg report", &["aau-", "orders"]),
    ("PrivBayes, 2014", &["pb14-"]),
    ("PrivBayes at the NIST challenge, 2021", &["pb21-"]),
    ("PrivMRF, 2021", &["mrf-"]),
    ("The theory", &["th-"]),
];

/// A figure with its results, if it has any, and what they say.
struct Told {
    figure: &'static PaperFigure,
    found: Option<(StudyResults, Study)>,
}

/// Writes `reproduction.md` and `figures/NAME.svg` into the documents' folder.
pub fn write_page(results: &Path, documents: &Path) -> Result<()> {
    let told = read_all(results)?;
    let figures = documents.join("figures");
    std::fs::create_dir_all(&figures).with_context(|| format!("{}: cannot be made", figures.display()))?;
    for Told { figure, found } in &told {
        if let Some((_, study)) = found {
            write_whole(&figures.join(format!("{}.svg", figure.name)), true, study.svg().as_bytes())?;
        }
    }
    Ok(write_whole(&documents.join("reproduction.md"), true, page(&told).as_bytes())?)
}

fn read_all(folder: &Path) -> Result<Vec<Told>> {
    let one = |figure: &'static PaperFigure| -> Result<Told> {
        let found = StudyResults::read(&results_file(folder, figure.name))?;
        Ok(Told {
            figure,
            found: found.map(|results| (figure.read(&results), results)).map(|(study, all)| (all, study)),
        })
    };
    FIGURES.iter().map(one).collect()
}

/// The page of some results.
#[cfg(test)]
pub fn page_of(folder: &Path) -> Result<String> {
    Ok(page(&read_all(folder)?))
}

fn page(told: &[Told]) -> String {
    let mut text = INTRODUCTION.to_owned();
    summary(&mut text, told);
    for (title, beginnings) in CHAPTERS {
        let _ = writeln!(text, "\n## {title}");
        let inside = |told: &&Told| beginnings.iter().any(|beginning| told.figure.name.starts_with(beginning));
        told.iter().filter(inside).for_each(|told| chapter(&mut text, told));
    }
    coverage(&mut text, told);
    text
}

/// "3 seen, 1 not seen, 2 cannot tell".
fn tally(study: &Study) -> String {
    let count = |verdict| study.findings.iter().filter(|finding| finding.verdict == verdict).count();
    let words = [Verdict::Seen, Verdict::NotSeen, Verdict::CannotTell]
        .map(|verdict| (count(verdict), verdict.word()))
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, word)| format!("{count} {word}"));
    words.collect::<Vec<_>>().join(", ")
}

fn summary(text: &mut String, told: &[Told]) {
    let _ = writeln!(text, "\n| figure | what | claims |\n|---|---|---|");
    for Told { figure, found } in told {
        let found = found.as_ref().map_or("not run".to_owned(), |(_, study)| tally(study));
        let _ = writeln!(text, "| [`{0}`](#{0}) | {1} | {found} |", figure.name, figure.about);
    }
}

fn chapter(text: &mut String, Told { figure, found }: &Told) {
    let PaperFigure { name, about, from, paper, differs, .. } = figure;
    let _ = writeln!(text, "\n### `{name}`\n{}: {about}.\n\n**The paper.** {paper}", capital(from));
    if let Some((results, study)) = found {
        let _ = writeln!(text, "\n![{}](figures/{name}.svg)\n\n**Here**, {}.\n", study.title, how_much(results));
        let _ = writeln!(text, "| claim | verdict | found |\n|---|---|---|");
        for finding in &study.findings {
            let words = finding.words.replace('|', "\\|");
            let _ = writeln!(text, "| {} | {} | {words} |", finding.claim, finding.verdict.word());
        }
        if let Some(table) = &study.table {
            let _ = writeln!(text, "\n{}", table.trim_end());
        }
        for note in &results.header.notes {
            let _ = writeln!(text, "\nNote: {note}.");
        }
    } else {
        let _ = writeln!(text, "\nNot run yet.");
    }
    if !differs.is_empty() {
        let _ = writeln!(text, "\n**Where we differ.** {differs}");
    }
}

fn how_much(results: &StudyResults) -> String {
    let (fewest, most) = results.runs();
    let runs = if fewest == most { format!("{most} runs") } else { format!("up to {most} runs") };
    let size = match results.header.size {
        StudySize::Full => "full",
        StudySize::Quick => "quick",
        StudySize::Tiny => "a test of the runner",
    };
    let minutes = (results.seconds() / 60.0).ceil().max(1.0);
    let ending = if minutes > 1.0 { "s" } else { "" };
    format!("{size}: {runs} a place, {minutes:.0} CPU minute{ending}")
}

fn coverage(text: &mut String, told: &[Told]) {
    let _ = writeln!(text, "\n## Every item of the five documents\n");
    let _ = writeln!(text, "| document | item | where it lives | how to run it | verdict |\n|---|---|---|---|---|");
    for row in &COVERAGE {
        let (how, verdict) = match row.how {
            How::Figure(name) => {
                let found = told.iter().find(|told| told.figure.name == name).and_then(|told| told.found.as_ref());
                (format!("`reproduce {name}`"), found.map_or("not run".to_owned(), |(_, study)| tally(study)))
            }
            How::Test(package, name) => {
                (format!("`cargo test -p lookalike-{package} {name}`"), "as printed".to_owned())
            }
            How::Words(words) => (String::new(), words.to_owned()),
        };
        let verdict = if row.remark.is_empty() { verdict } else { format!("{verdict}; {}", row.remark) };
        let _ = writeln!(text, "| {} | {} | {} | {how} | {verdict} |", row.document, row.item, row.place);
    }
}

fn capital(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}
