//! Patterns of paths, such as `data/**/*.csv.gz`.

use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf};

/// What makes a name a pattern.
const WILDCARDS: [char; 3] = ['*', '?', '['];

/// A path in which names may have wildcards.
pub(super) struct PathPattern {
    /// What comes before the first name with a wildcard.
    pub(super) root: PathBuf,
    /// The names from there on.
    pub(super) names: Vec<NamePattern>,
}

/// What a folder or file may be called.
pub(super) enum NamePattern {
    /// `**`: any folders, or none.
    AnyFolders,
    /// `*` for any characters, `?` for one, `[a-z]` for one of a set, `[!a-z]` for one outside.
    Name(Vec<char>),
}

impl PathPattern {
    /// `None` when the path has no wildcard.
    pub(super) fn new(path: &Path) -> Option<Self> {
        let has_wildcard = |part: &Component<'_>| part.as_os_str().to_string_lossy().contains(WILDCARDS);
        let parts: Vec<Component<'_>> = path.components().collect();
        let first = parts.iter().position(has_wildcard)?;
        let names = parts[first..].iter().map(|part| match part.as_os_str().to_string_lossy() {
            name if name == "**" => NamePattern::AnyFolders,
            name => NamePattern::Name(name.chars().collect()),
        });
        Some(Self { root: parts[..first].iter().collect(), names: names.collect() })
    }
}

/// Whether a name fits. Names that begin with `.` or `_` do where the pattern begins so, too.
pub(super) fn fits(pattern: &[char], name: &OsStr) -> bool {
    let name: Vec<char> = name.to_string_lossy().chars().collect();
    let hidden = matches!(name.first(), Some('.' | '_'));
    if hidden && pattern.first() != name.first() {
        return false;
    }
    fits_from(pattern, &name)
}

/// Whether the pattern is a name that whoever wrote it had in mind.
pub(super) fn is_plain(pattern: &[char]) -> bool {
    !pattern.iter().any(|letter| WILDCARDS.contains(letter))
}

/// Whether a pattern takes in the file at these names, or a folder on the way to it.
pub(super) fn takes_in(patterns: &[NamePattern], names: &[&OsStr]) -> bool {
    match (patterns.split_first(), names.split_first()) {
        (None, _) => true,
        (Some((NamePattern::AnyFolders, rest)), first) => {
            takes_in(rest, names) && !rest.is_empty()
                || first.is_some_and(|(_, behind)| rest.is_empty() || takes_in(patterns, behind))
        }
        (Some((NamePattern::Name(pattern), rest)), Some((first, behind))) => {
            fits(pattern, first) && takes_in(rest, behind)
        }
        (Some((NamePattern::Name(_), _)), None) => false,
    }
}

/// A star that was passed is the only place to come back to: what a star before it takes in could
/// be taken in by this one. So the time is the product of the lengths at most.
fn fits_from(pattern: &[char], name: &[char]) -> bool {
    let (mut at, mut place) = (0, 0);
    let mut star = None;
    while place < name.len() {
        match pattern.get(at) {
            Some('*') => {
                star = Some((at, place));
                at += 1;
                continue;
            }
            Some(_) => {
                if let Some(length) = fits_one(&pattern[at..], name[place]) {
                    at += length;
                    place += 1;
                    continue;
                }
            }
            None => {}
        }
        let Some((back, from)) = star else { return false };
        (at, place) = (back + 1, from + 1);
        star = Some((back, from + 1));
    }
    pattern[at..].iter().all(|&rest| rest == '*')
}

/// The length of the pattern's first element, when the character fits it.
fn fits_one(pattern: &[char], letter: char) -> Option<usize> {
    match pattern {
        ['?', ..] => Some(1),
        ['[', set @ ..] => {
            let negated = usize::from(matches!(set.first(), Some('!' | '^')));
            // A bracket that stands first is one of the set.
            let end = set.iter().skip(negated + 1).position(|&c| c == ']').map(|at| at + negated + 1);
            let Some(end) = end else { return (letter == '[').then_some(1) };
            let inside = in_set(&set[negated..end], letter);
            (inside == (negated == 0)).then_some(end + 2)
        }
        [own, ..] => (*own == letter).then_some(1),
        [] => None,
    }
}

fn in_set(mut set: &[char], letter: char) -> bool {
    loop {
        set = match set {
            [] => return false,
            [from, '-', to, ..] if (*from..=*to).contains(&letter) => return true,
            [_, '-', _, rest @ ..] => rest,
            [own, ..] if *own == letter => return true,
            [_, rest @ ..] => rest,
        };
    }
}
