//! What a column's name says, word by word.

/// The words of a name in lower case, split at marks, at digits, and where a capital begins a word:
/// `birthYear2` is "birth year".
pub(crate) fn words(name: &str) -> Vec<String> {
    let letters: Vec<char> = name.chars().collect();
    let mut words = vec![String::new()];
    for (at, &letter) in letters.iter().enumerate() {
        let before = at.checked_sub(1).map(|before| letters[before]);
        let begins = letter.is_uppercase()
            && before.is_some_and(|before| {
                before.is_lowercase()
                    || before.is_uppercase() && letters.get(at + 1).is_some_and(|after| after.is_lowercase())
            });
        if begins || !letter.is_alphabetic() {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| letter.is_alphabetic()) {
            word.extend(letter.to_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// Whether one of the name's words is in a list.
pub(crate) fn has_word(name: &str, list: &[&str]) -> bool {
    words(name).iter().any(|word| list.contains(&word.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_fall_into_words() {
        assert_eq!(words("birthYear2"), ["birth", "year"]);
        assert_eq!(words("hours_per-week"), ["hours", "per", "week"]);
        assert_eq!(words("ZIPCode"), ["zip", "code"]);
        assert_eq!(words("customer ID"), ["customer", "id"]);
        assert_eq!(words("age76"), ["age"]);
        assert_eq!(words("Größe"), ["größe"]);
        assert!(words(" _1").is_empty());
        assert!(has_word("Last Name", &["name"]) && !has_word("rename", &["name"]));
    }
}
