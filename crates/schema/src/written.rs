//! Names as conditions on rows write them.

/// Whether a letter may stand in a name or a value without quotes.
pub(crate) fn is_word_letter(letter: char) -> bool {
    !letter.is_whitespace() && !letter.is_control() && !"()<>=!,'\"".contains(letter)
}

/// The text between the quotes that `text` begins with, and the bytes of all of it. A doubled quote
/// stands for itself. `None` where they are never closed.
pub(crate) fn quoted(text: &str, quote: char) -> Option<(String, usize)> {
    let mut inside = String::new();
    let mut letters = text.char_indices().skip(1).peekable();
    while let Some((at, letter)) = letters.next() {
        if letter != quote {
            inside.push(letter);
        } else if letters.next_if(|&(_, next)| next == quote).is_some() {
            inside.push(quote);
        } else {
            return Some((inside, at + 1));
        }
    }
    None
}

/// Words that a column's name has to be quoted for.
pub(crate) fn is_reserved(word: &str) -> bool {
    ["and", "or", "not", "in", "between", "is"].iter().any(|reserved| word.eq_ignore_ascii_case(reserved))
}

/// A column's name as a condition has to write it: in double quotes unless it is one plain word.
pub fn written_name(name: &str) -> String {
    let plain = !name.is_empty() && name.chars().all(is_word_letter) && !is_reserved(name);
    if plain { name.to_owned() } else { format!("\"{}\"", name.replace('"', "\"\"")) }
}
