//! "Did you mean": the listed name that is closest to a mistyped one.

use strsim::generic_levenshtein;

/// The closest name, when it is close enough to be meant.
pub(crate) fn nearest<'a>(word: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word: Vec<char> = word.chars().take(64).flat_map(char::to_lowercase).collect();
    let most = (word.len() / 3).max(1);
    // A bound on the work: a suggestion is a courtesy, and lists may hold 40,000 words.
    let scored = names.into_iter().take(100_000).filter_map(|name| {
        let other: Vec<char> = name.chars().take(64).flat_map(char::to_lowercase).collect();
        (word.len().abs_diff(other.len()) <= most).then(|| (generic_levenshtein(&word, &other), name))
    });
    scored.min_by_key(|&(distance, _)| distance).filter(|&(distance, _)| distance <= most).map(|(_, name)| name)
}

/// The sentence that suggests it, or nothing.
pub fn suggestion<'a>(word: &str, names: impl IntoIterator<Item = &'a str>) -> String {
    nearest(word, names).map_or_else(String::new, |name| format!(" (did you mean {name:?}?)"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn close_names_are_found_and_far_ones_are_not() {
        let names = ["age", "education", "hours per week"];
        assert_eq!(nearest("Age", names), Some("age"));
        assert_eq!(nearest("eduction", names), Some("education"));
        assert_eq!(nearest("income", names), None);
        assert_eq!(nearest("", names), None);
        assert_eq!(generic_levenshtein(&['a', 'b', 'c'], &['a', 'c']), 1);
    }
}
