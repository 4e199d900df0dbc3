//! The privacy argument names the code it rests on; this keeps the names true.
//!
//! A reference in `docs/privacy-argument.md` is a code span: the path, the lines, an anchor that
//! the first of them holds, and the first eight digits of the SHA-256 of those lines. When the code
//! moves or changes, the check fails until somebody has read the argument again. `--bless` then
//! writes lines and digests anew; a new reference needs path and anchor only.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::ops::Range;
use std::path::Path;

use anyhow::{Context, Result, bail};
use sha2::{Digest, Sha256};

const DOCUMENT: &str = "docs/privacy-argument.md";

/// Every file here must be named in the document, so that nothing enters the door unargued. Tests
/// are left out.
const DOOR: [&str; 9] = [
    "crates/privacy/src",
    "crates/curator/src",
    "crates/ledger/src",
    "crates/table/src/read",
    "crates/table/src/coded",
    "crates/table/src/dataset",
    "crates/table/src/far",
    "crates/tally/src",
    "engines/postgres/src",
];

/// Where the fields of `privacy.json` are, each of which the document must name.
const STATEMENT: [&str; 2] =
    ["crates/measurement/src/statement/v1/mod.rs", "crates/measurement/src/statement/v1/step.rs"];

/// Where references begin.
const ROOTS: [&str; 5] = ["crates/", "engines/", "faces/", "xtask/", "Cargo.toml"];

/// A reference as it stands in the document.
#[derive(Debug, PartialEq)]
struct Reference {
    /// Where it stands in the text, without its backticks.
    span: Range<usize>,
    /// The heading above it.
    step: String,
    path: String,
    anchor: String,
    /// First and last line, from 1, and the digest; absent in a reference that nobody has blessed
    /// yet.
    blessed: Option<(usize, usize, String)>,
}

/// The lines that a reference is about, as they are now.
struct Found {
    first: usize,
    last: usize,
    digest: String,
}

/// Fails when the document says anything that is not so any more. Gives the number of references.
pub fn check(root: &Path) -> Result<usize> {
    let text = read(root, DOCUMENT)?;
    let references = references(&text)?;
    let mut faults = Vec::new();
    for reference in &references {
        if let Err(error) = compare(root, reference) {
            faults.push(format!("{}: {error:#}", reference.step));
        }
    }
    faults.extend(steps_without_code(&text, &references));
    faults.extend(unnamed(root, &text)?);
    if faults.is_empty() {
        return Ok(references.len());
    }
    bail!(
        "{DOCUMENT}:\n  {}\nRead these steps again. When they still hold, run `cargo xtask argument --bless`.",
        faults.join("\n  ")
    )
}

/// Writes all lines and digests anew, and tells what has changed since they were last written.
pub fn bless(root: &Path) -> Result<Vec<String>> {
    let mut text = read(root, DOCUMENT)?;
    let mut told = Vec::new();
    // From the end on, so that earlier spans stay where they are.
    for reference in references(&text)?.iter().rev() {
        let found = find(root, reference).with_context(|| reference.step.clone())?;
        let name = format!("{} {:?}", reference.path, reference.anchor);
        match &reference.blessed {
            None => told.push(format!("{}: new: {name}", reference.step)),
            Some((.., digest)) if *digest != found.digest => told.push(format!("{}: CHANGED: {name}", reference.step)),
            Some((first, ..)) if *first != found.first => told.push(format!("{}: moved: {name}", reference.step)),
            Some(_) => {}
        }
        let Found { first, last, digest } = found;
        let written = format!("{}#L{first}-L{last} \"{}\" {digest}", reference.path, reference.anchor);
        text.replace_range(reference.span.clone(), &written);
    }
    fs::write(root.join(DOCUMENT), text).with_context(|| format!("cannot write {DOCUMENT}"))?;
    told.reverse();
    Ok(told)
}

fn compare(root: &Path, reference: &Reference) -> Result<()> {
    let name = format!("{} {:?}", reference.path, reference.anchor);
    let found = find(root, reference)?;
    match &reference.blessed {
        None => bail!("{name}: has no lines and no digest yet"),
        Some((.., digest)) if *digest != found.digest => bail!("{name}: the code has changed"),
        Some((first, last, _)) if (*first, *last) != (found.first, found.last) => {
            bail!("{name}: the code has moved from line {first} to line {}", found.first)
        }
        Some(_) => Ok(()),
    }
}

fn find(root: &Path, reference: &Reference) -> Result<Found> {
    let source = read(root, &reference.path)?;
    let lines: Vec<&str> = source.lines().collect();
    let Range { start, end } = extent(&lines, &reference.anchor).with_context(|| reference.path.clone())?;
    let digest = Sha256::digest(lines[start..end].join("\n").as_bytes());
    let digest = digest.iter().take(4).map(|byte| format!("{byte:02x}")).collect();
    Ok(Found { first: start + 1, last: end, digest })
}

/// The lines that an anchor stands for: the item that begins there, or the comment from there on.
fn extent(lines: &[&str], anchor: &str) -> Result<Range<usize>> {
    let mut holders = lines.iter().enumerate().filter(|(_, line)| line.contains(anchor)).map(|(place, _)| place);
    let start = holders.next().with_context(|| format!("there is no {anchor:?}"))?;
    if let Some(other) = holders.next() {
        bail!("{anchor:?} stands in lines {} and {}: it must be unique", start + 1, other + 1);
    }
    let first = lines[start];
    let bare = first.trim_start();
    for comment in ["//!", "///", "//", "#"] {
        if bare.starts_with(comment) && !bare.starts_with("#[") {
            let length = lines[start..].iter().take_while(|line| line.trim_start().starts_with(comment)).count();
            return Ok(start..start + length);
        }
    }
    let indent = first.len() - bare.len();
    let ends_here = first.ends_with(';') || first.ends_with(',') || (first.contains('{') && first.ends_with('}'));
    if ends_here {
        return Ok(start..start + 1);
    }
    // A table of a TOML file goes up to the next empty line.
    if bare.starts_with('[') {
        let length = lines[start..].iter().take_while(|line| !line.trim().is_empty()).count();
        return Ok(start..start + length);
    }
    let closes = |line: &&str| {
        let bare = line.trim_start();
        line.len() - bare.len() == indent && (bare.starts_with('}') || (line.ends_with(';') && bare.starts_with(')')))
    };
    let length = lines[start + 1..].iter().position(closes).with_context(|| format!("{anchor:?} has no end"))?;
    Ok(start..start + length + 2)
}

/// All references, in order.
fn references(text: &str) -> Result<Vec<Reference>> {
    let mut found = Vec::new();
    let (mut step, mut at, mut fenced) = (String::new(), 0, false);
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        if line.starts_with("```") {
            fenced = !fenced;
        }
        if let Some(heading) = line.strip_prefix('#') {
            step = heading.trim_start_matches('#').trim().to_owned();
        }
        if fenced {
            continue;
        }
        let mut place = start;
        // Odd pieces are code spans.
        for (number, piece) in line.split('`').enumerate() {
            let span = place..place + piece.len();
            place = span.end + 1;
            let is_reference = ROOTS.iter().any(|root| piece.starts_with(root)) && piece.contains('"');
            if number % 2 == 1 && is_reference {
                found.push(parse(piece, span, &step).with_context(|| format!("{step}: {piece:?}"))?);
            }
        }
    }
    if found.is_empty() {
        bail!("{DOCUMENT} has no references: is the check looking at it?");
    }
    Ok(found)
}

fn parse(piece: &str, span: Range<usize>, step: &str) -> Result<Reference> {
    const FORM: &str = "a reference is: path#Lfirst-Llast \"anchor\" digest";
    let (place, rest) = piece.split_once(" \"").context(FORM)?;
    let (anchor, digest) = rest.rsplit_once('"').context(FORM)?;
    let (path, lines) = place.split_once('#').map_or((place, None), |(path, lines)| (path, Some(lines)));
    let blessed = match (lines, digest.trim()) {
        (None, "") => None,
        (Some(lines), digest) if digest.len() == 8 => {
            let (first, last) = lines.split_once('-').context(FORM)?;
            let line = |text: &str| text.strip_prefix('L').and_then(|text| text.parse().ok()).context(FORM);
            Some((line(first)?, line(last)?, digest.to_owned()))
        }
        _ => bail!(FORM),
    };
    Ok(Reference { span, step: step.to_owned(), path: path.to_owned(), anchor: anchor.to_owned(), blessed })
}

/// Numbered steps that name no code.
fn steps_without_code(text: &str, references: &[Reference]) -> Vec<String> {
    let argued: BTreeSet<&str> = references.iter().map(|reference| reference.step.as_str()).collect();
    let headings = text.lines().filter_map(|line| line.strip_prefix("### "));
    let bare = headings.filter(|heading| !argued.contains(heading.trim()));
    bare.map(|heading| format!("{heading}: names no code")).collect()
}

/// Files of the door, and fields of the statement, that the document does not name.
fn unnamed(root: &Path, text: &str) -> Result<Vec<String>> {
    let mut faults = Vec::new();
    for folder in DOOR {
        for path in sources(root, folder)? {
            if !text.contains(&path) {
                faults.push(format!("{path}: is part of the door, but the argument does not name it"));
            }
        }
    }
    let mut fields = BTreeMap::new();
    for path in STATEMENT {
        for field in fields_of(&read(root, path)?) {
            fields.insert(field, path);
        }
    }
    if fields.is_empty() {
        bail!("no fields of privacy.json were found: is the check looking at them?");
    }
    let missing = fields.iter().filter(|(field, _)| !text.contains(&format!("`{field}`")));
    faults.extend(
        missing.map(|(field, path)| format!("`{field}` of privacy.json ({path}) is in no line of the argument")),
    );
    Ok(faults)
}

/// The sources under a folder, without tests.
fn sources(root: &Path, folder: &str) -> Result<Vec<String>> {
    let mut found = Vec::new();
    let entries = fs::read_dir(root.join(folder)).with_context(|| format!("cannot read {folder}"))?;
    for entry in entries {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = format!("{folder}/{name}");
        if entry.path().is_dir() {
            if name != "tests" && name != "testing" {
                found.extend(sources(root, &path)?);
            }
        } else if name.ends_with(".rs") && name != "tests.rs" {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// The field names of the structs whose names end in `V1`.
fn fields_of(source: &str) -> Vec<String> {
    let mut inside = false;
    let mut fields = Vec::new();
    for line in source.lines() {
        if line.contains("struct ") && line.ends_with("V1 {") {
            inside = true;
        } else if line.starts_with('}') {
            inside = false;
        } else if let Some((name, _)) = line.trim().split_once(": ").filter(|_| inside)
            && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_')
        {
            fields.push(name.to_owned());
        }
    }
    fields
}

fn read(root: &Path, path: &str) -> Result<String> {
    fs::read_to_string(root.join(path)).with_context(|| format!("{path}: cannot be read"))
}

#[cfg(test)]
#[path = "argument_tests.rs"]
mod tests;
