//! How text is encoded: UTF-8, or one byte a letter as older programs write it.

use serde::{Deserialize, Serialize};

/// How text is encoded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum TextEncoding {
    /// Every letter there is.
    #[default]
    #[serde(rename = "utf-8")]
    Utf8,
    /// ISO 8859-1: the first 256 letters of Unicode, one byte each.
    #[serde(rename = "latin-1")]
    Latin1,
    /// The same with other letters in the place of control characters, such as the sign of the
    /// euro.
    #[serde(rename = "windows-1252")]
    Windows1252,
}

/// The letters of the bytes 0x80 to 0x9f in Windows-1252. Five bytes have none: they stay what they
/// are in Latin-1, as browsers read them.
const WINDOWS: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}', '\u{90}', '‘', '’',
    '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

impl TextEncoding {
    /// The words of a schema file.
    pub(crate) const WORDS: [&str; 3] = ["utf-8", "latin-1", "windows-1252"];

    /// The encoding of that name, in any case and under its other names.
    pub fn named(name: &str) -> Option<Self> {
        match name.to_ascii_lowercase().as_str() {
            "utf-8" | "utf8" => Some(Self::Utf8),
            "latin-1" | "latin1" | "iso-8859-1" | "iso8859-1" => Some(Self::Latin1),
            "windows-1252" | "cp1252" | "cp-1252" => Some(Self::Windows1252),
            _ => None,
        }
    }

    /// The word of a schema file.
    pub fn word(self) -> &'static str {
        Self::WORDS[self as usize]
    }

    /// Appends the text of some bytes in UTF-8. Bytes that are said to be UTF-8 stay as they are.
    pub fn decode(self, bytes: &[u8], out: &mut Vec<u8>) {
        if self == Self::Utf8 {
            return out.extend_from_slice(bytes);
        }
        out.reserve(bytes.len());
        let mut buffer = [0; 4];
        for &byte in bytes {
            match byte {
                0..0x80 => out.push(byte),
                _ => out.extend_from_slice(self.letter(byte).encode_utf8(&mut buffer).as_bytes()),
            }
        }
    }

    /// The bytes of a text. A letter that the encoding does not have becomes a question mark.
    pub fn encode(self, text: Vec<u8>) -> Vec<u8> {
        if self == Self::Utf8 || text.is_ascii() {
            return text;
        }
        String::from_utf8_lossy(&text).chars().map(|letter| self.byte(letter).unwrap_or(b'?')).collect()
    }

    /// Whether it has every letter of a text.
    pub fn can_write(self, text: &str) -> bool {
        self == Self::Utf8 || text.is_ascii() || text.chars().all(|letter| self.byte(letter).is_some())
    }

    fn letter(self, byte: u8) -> char {
        match (self, byte) {
            (Self::Windows1252, 0x80..=0x9f) => WINDOWS[usize::from(byte - 0x80)],
            _ => char::from(byte),
        }
    }

    fn byte(self, letter: char) -> Option<u8> {
        let known = WINDOWS.iter().position(|&known| known == letter).filter(|_| self == Self::Windows1252);
        match known {
            Some(place) => Some(0x80 + place as u8),
            None => u8::try_from(letter).ok().filter(|&byte| self.letter(byte) == letter),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_comes_back() {
        let bytes: Vec<u8> = (0..=255).collect();
        for encoding in [TextEncoding::Latin1, TextEncoding::Windows1252] {
            let mut text = Vec::new();
            encoding.decode(&bytes, &mut text);
            assert_eq!(String::from_utf8(text.clone()).unwrap().chars().count(), 256);
            assert_eq!(encoding.encode(text), bytes);
        }
    }

    #[test]
    fn letters_are_where_they_belong() {
        let read = |encoding: TextEncoding, bytes: &[u8]| {
            let mut text = Vec::new();
            encoding.decode(bytes, &mut text);
            String::from_utf8(text).unwrap()
        };
        assert_eq!(read(TextEncoding::Latin1, b"Z\xfcrich"), "Zürich");
        assert_eq!(read(TextEncoding::Windows1252, b"\x80 5 \x96 \x9e"), "€ 5 – ž");
        assert!(TextEncoding::Windows1252.can_write("€") && !TextEncoding::Latin1.can_write("€"));
        assert!(!TextEncoding::Windows1252.can_write("Łódź") && TextEncoding::Utf8.can_write("Łódź"));
        assert_eq!(TextEncoding::Latin1.encode("a€ü".as_bytes().to_vec()), b"a?\xfc");
        assert_eq!(TextEncoding::named("CP1252"), Some(TextEncoding::Windows1252));
        assert_eq!(TextEncoding::named("utf-16"), None);
    }
}
