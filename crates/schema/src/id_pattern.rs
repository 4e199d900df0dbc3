//! Fresh ids in the shape of the table's own.

use crate::error::{Mistake, refuse_if};

/// The most digits that a pattern counts in: more rows than anybody has.
const MOST_DIGITS: usize = 18;

/// How fresh ids look: digits that count the rows, between fixed words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdPattern {
    text: String,
    /// Where the digits stand in the text.
    start: usize,
    digits: usize,
}

impl IdPattern {
    /// A pattern such as `N#####`: one run of `#`, which stand for digits.
    pub(crate) fn new(text: &str) -> Result<Self, Mistake> {
        let start = text.find('#').unwrap_or(text.len());
        let digits = text[start..].bytes().take_while(|&byte| byte == b'#').count();
        let one_run = digits > 0 && !text[start + digits..].contains('#');
        refuse_if(!one_run, format!("pattern = {text:?} has not one run of #"), "write it as \"N#####\"")?;
        refuse_if(digits > MOST_DIGITS, "`pattern` has more than 18 digits", "use fewer #")?;
        refuse_if(text.chars().any(char::is_control), "`pattern` holds a control character", "leave it out")?;
        Ok(Self { text: text.to_owned(), start, digits })
    }

    /// The pattern as the schema writes it.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Appends the id of a number. Numbers of more digits than the pattern has make it longer.
    pub fn write(&self, number: u64, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.text.as_bytes()[..self.start]);
        out.extend_from_slice(format!("{number:0width$}", width = self.digits).as_bytes());
        out.extend_from_slice(&self.text.as_bytes()[self.start + self.digits..]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_between_words() {
        let written = |pattern: &str, number: u64| {
            let mut out = Vec::new();
            IdPattern::new(pattern).unwrap().write(number, &mut out);
            String::from_utf8(out).unwrap()
        };
        assert_eq!(written("N#####", 42), "N00042");
        assert_eq!(written("ä-##/x", 7), "ä-07/x");
        assert_eq!(written("#", 1234), "1234");
        for wrong in ["", "N", "#-#", "\n#", &"#".repeat(19)] {
            assert!(IdPattern::new(wrong).is_err(), "{wrong:?}");
        }
    }
}
