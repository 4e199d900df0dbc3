//! A line of text that is changed where it stands.

use std::io;

use console::{Key, Term};

/// Takes back everything before the cursor, as in a shell.
const CTRL_U: char = '\u{15}';
/// Takes away everything behind the cursor.
const CTRL_K: char = '\u{b}';

/// What came of a line.
#[derive(Debug, PartialEq, Eq)]
pub enum Typed {
    /// Enter: the line as it stood.
    Kept(String),
    /// Esc: nothing is to be changed.
    GivenUp,
    /// Ctrl-C.
    Interrupted,
    /// No more keys.
    Stopped,
}

/// Lets a person change `value` behind a prompt, in the last line of a terminal.
pub fn edited(term: &Term, prompt: &str, value: &str) -> io::Result<Typed> {
    let mut line = Line::new(value);
    loop {
        let (_, columns) = term.size();
        // The last column stays free: some terminals go on in the next line from there.
        let room = usize::from(columns).saturating_sub(console::measure_text_width(prompt) + 1).max(2);
        let (shown, behind) = line.view(room);
        term.clear_line()?;
        term.write_str(&format!("{prompt}{shown}"))?;
        term.move_cursor_left(behind)?;
        let key = match term.read_key_raw() {
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(Typed::Stopped),
            key => key?,
        };
        if let Some(end) = line.press(key) {
            return Ok(end);
        }
    }
}

/// The letters of a line, and the cursor among them.
struct Line {
    letters: Vec<char>,
    cursor: usize,
    /// A key that came in pieces, of which some are still to come.
    pieces: Option<Pieces>,
}

/// The beginning of a key that `console` does not know.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Pieces {
    /// `ESC O` and a letter: arrows, Home and End of some terminals.
    Letter,
    /// `ESC [` with numbers, up to a letter or `~`: keys held with Ctrl or Shift.
    Numbers,
}

impl Line {
    /// A line with the cursor at its end.
    fn new(text: &str) -> Self {
        let letters: Vec<char> = text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect();
        Self { cursor: letters.len(), letters, pieces: None }
    }

    /// What follows from a key; `None` while the line goes on.
    fn press(&mut self, key: Key) -> Option<Typed> {
        let key = self.joined(key)?;
        match key {
            Key::Enter => return Some(Typed::Kept(self.letters.iter().collect())),
            Key::Escape => return Some(Typed::GivenUp),
            Key::CtrlC => return Some(Typed::Interrupted),
            Key::Backspace if self.cursor > 0 => {
                self.cursor -= 1;
                self.letters.remove(self.cursor);
            }
            Key::Del if self.cursor < self.letters.len() => drop(self.letters.remove(self.cursor)),
            Key::ArrowLeft => self.cursor = self.cursor.saturating_sub(1),
            Key::ArrowRight => self.cursor = (self.cursor + 1).min(self.letters.len()),
            Key::Home => self.cursor = 0,
            Key::End => self.cursor = self.letters.len(),
            Key::Char(CTRL_U) => {
                self.letters.drain(..self.cursor);
                self.cursor = 0;
            }
            Key::Char(CTRL_K) => self.letters.truncate(self.cursor),
            Key::Char(letter) if !letter.is_control() => {
                self.letters.insert(self.cursor, letter);
                self.cursor += 1;
            }
            _ => {}
        }
        None
    }

    /// The key that a piece completes. Without this, the rest of an unknown key would be typed.
    fn joined(&mut self, key: Key) -> Option<Key> {
        if let Key::UnknownEscSeq(seen) = &key {
            let open = seen.last().is_some_and(|last| !('@'..='~').contains(last) || seen.len() == 1 && *last == '[');
            self.pieces = match seen.as_slice() {
                ['O'] => Some(Pieces::Letter),
                _ => open.then_some(Pieces::Numbers),
            };
            return None;
        }
        match (self.pieces.take(), key) {
            (None, key) => Some(key),
            (Some(Pieces::Letter), Key::Char('H')) => Some(Key::Home),
            (Some(Pieces::Letter), Key::Char('F')) => Some(Key::End),
            (Some(Pieces::Letter), Key::Char('C')) => Some(Key::ArrowRight),
            (Some(Pieces::Letter), Key::Char('D')) => Some(Key::ArrowLeft),
            (Some(Pieces::Numbers), Key::Char(piece)) => {
                self.pieces = (!('@'..='~').contains(&piece)).then_some(Pieces::Numbers);
                None
            }
            (Some(Pieces::Letter), Key::Char(_)) => None,
            (Some(_), key) => Some(key),
        }
    }

    /// The part of the line around the cursor that fits in `room` columns, and how many columns of
    /// it are behind the cursor.
    fn view(&self, room: usize) -> (String, usize) {
        let wide = |letters: &[char]| console::measure_text_width(&letters.iter().collect::<String>());
        let mut begin = self.cursor;
        while begin > 0 && wide(&self.letters[begin - 1..self.cursor]) < room {
            begin -= 1;
        }
        let mut end = self.cursor;
        while end < self.letters.len() && wide(&self.letters[begin..=end]) <= room {
            end += 1;
        }
        (self.letters[begin..end].iter().collect(), wide(&self.letters[self.cursor..end]))
    }
}

/// A terminal that gives every key as it is pressed, until this is dropped. Between two keys the
/// terminal would otherwise wait for whole lines, and take Ctrl-U and Ctrl-C for itself.
pub struct SingleKeys {
    #[cfg(unix)]
    before: rustix::termios::Termios,
}

impl SingleKeys {
    /// From now on, on standard input.
    pub fn hold() -> io::Result<Self> {
        #[cfg(unix)]
        {
            use rustix::termios::{OptionalActions, tcgetattr, tcsetattr};
            let before = tcgetattr(io::stdin())?;
            let mut single = before.clone();
            single.make_raw();
            // What is written stays as it was: a line feed also goes back to the first column.
            single.output_modes = before.output_modes;
            tcsetattr(io::stdin(), OptionalActions::Drain, &single)?;
            Ok(Self { before })
        }
        // Elsewhere keys come one by one from the system.
        #[cfg(not(unix))]
        Ok(Self {})
    }
}

#[cfg(unix)]
impl Drop for SingleKeys {
    fn drop(&mut self) {
        // A terminal that is gone has nothing to be put back.
        let _ = rustix::termios::tcsetattr(io::stdin(), rustix::termios::OptionalActions::Drain, &self.before);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pressed(text: &str, keys: impl IntoIterator<Item = Key>) -> String {
        let mut line = Line::new(text);
        keys.into_iter().for_each(|key| assert_eq!(line.press(key), None));
        match line.press(Key::Enter) {
            Some(Typed::Kept(text)) => text,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_line_begins_with_the_value_and_is_changed_at_the_cursor() {
        use Key::{ArrowLeft, ArrowRight, Backspace, Char, Del, End, Home};
        assert_eq!(pressed("[0, 9]", []), "[0, 9]");
        assert_eq!(pressed("[0, 9]", [ArrowLeft, Char('9')]), "[0, 99]");
        assert_eq!(pressed("[0, 9]", [Backspace, Backspace, Char('5'), Char(']')]), "[0, 5]");
        assert_eq!(pressed("[0, 9]", [Home, ArrowRight, Char('-'), End, Char('!')]), "[-0, 9]!");
        assert_eq!(pressed("[0, 9]", [Home, Del, Backspace, ArrowLeft]), "0, 9]");
        assert_eq!(pressed("[0, 9]", [End, ArrowRight, Del, ArrowLeft, Char(CTRL_U)]), "]");
        assert_eq!(pressed("[0, 9]", [ArrowLeft, ArrowLeft, Char(CTRL_K)]), "[0, ");
        assert_eq!(pressed("é\u{5b57}x", [ArrowLeft, Backspace, Char('ü')]), "éüx");
        let mut line = Line::new("x");
        assert_eq!((line.press(Key::Escape), line.press(Key::CtrlC)), (Some(Typed::GivenUp), Some(Typed::Interrupted)));
    }

    #[test]
    fn keys_that_come_in_pieces_type_nothing() {
        let unknown = |seen: &str| Key::UnknownEscSeq(seen.chars().collect());
        // Home as some terminals send it, then Ctrl and the right arrow, then a function key.
        assert_eq!(pressed("ab", [unknown("O"), Key::Char('H'), Key::Char('x')]), "xab");
        assert_eq!(pressed("ab", [unknown("[1;"), Key::Char('5'), Key::Char('C'), Key::Char('x')]), "abx");
        assert_eq!(pressed("ab", [unknown("[15"), Key::Char('~'), Key::Char('x')]), "abx");
        assert_eq!(pressed("ab", [unknown("b"), Key::Char('x')]), "abx");
    }

    #[test]
    fn a_long_line_is_shown_around_the_cursor() {
        let mut line = Line::new("abcdefghij");
        assert_eq!(line.view(20), ("abcdefghij".to_owned(), 0));
        assert_eq!(line.view(5), ("ghij".to_owned(), 0));
        line.cursor = 0;
        assert_eq!(line.view(5), ("abcde".to_owned(), 5));
        line.cursor = 6;
        assert_eq!(line.view(5), ("cdefg".to_owned(), 1));
        assert_eq!(Line::new("\u{5b57}\u{5b57}\u{5b57}").view(5), ("\u{5b57}\u{5b57}".to_owned(), 0));
    }
}
