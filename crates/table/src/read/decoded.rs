//! Text of another encoding as UTF-8, while it is read.

use std::io::{self, Read};

use lookalike_schema::TextEncoding;

/// Bytes that are decoded at once.
const AT_ONCE: usize = 1 << 16;

/// A stream in UTF-8 of one that has a byte a letter.
pub(super) struct Decoded<R> {
    inner: R,
    encoding: TextEncoding,
    bytes: Vec<u8>,
    /// What was decoded, and how much of it was given out.
    text: Vec<u8>,
    given: usize,
}

impl<R: Read> Decoded<R> {
    pub(super) fn new(inner: R, encoding: TextEncoding) -> Self {
        Self { inner, encoding, bytes: vec![0; AT_ONCE], text: Vec::new(), given: 0 }
    }
}

impl<R: Read> Read for Decoded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.given == self.text.len() {
            let count = self.inner.read(&mut self.bytes)?;
            self.text.clear();
            self.given = 0;
            self.encoding.decode(&self.bytes[..count], &mut self.text);
        }
        let count = buffer.len().min(self.text.len() - self.given);
        buffer[..count].copy_from_slice(&self.text[self.given..][..count]);
        self.given += count;
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_of_it_comes_out_whatever_is_asked_for() {
        let bytes: Vec<u8> = (0..200_000u32).map(|i| (i % 251) as u8).collect();
        let mut whole = Vec::new();
        TextEncoding::Windows1252.decode(&bytes, &mut whole);
        let mut stream = Decoded::new(bytes.as_slice(), TextEncoding::Windows1252);
        let (mut read, mut piece) = (Vec::new(), [0; 777]);
        loop {
            match stream.read(&mut piece).unwrap() {
                0 => break,
                count => read.extend_from_slice(&piece[..count]),
            }
        }
        assert_eq!(read, whole);
    }
}
