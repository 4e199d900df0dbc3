//! Words in pictures: how wide they are at most, and where their lines end.

/// The width of a letter for each pixel of the font's size: generous, as fonts differ.
pub const LETTER: f64 = 0.627;

/// About the width of a text, not less than most fonts need.
pub fn text_width(text: &str, size: f64) -> f64 {
    text.chars().count() as f64 * LETTER * size
}

/// The lines of a text of which none is wider than `width`, as long as no word is. Line ends in the
/// text stay.
pub fn wrap(text: &str, size: f64, width: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for paragraph in text.lines() {
        let mut line = String::new();
        for word in paragraph.split_whitespace() {
            if line.is_empty() {
                line = word.into();
            } else if text_width(&line, size) + text_width(word, size) + LETTER * size <= width {
                line = format!("{line} {word}");
            } else {
                lines.push(std::mem::replace(&mut line, word.into()));
            }
        }
        if !line.is_empty() {
            lines.push(line);
        }
    }
    lines
}
