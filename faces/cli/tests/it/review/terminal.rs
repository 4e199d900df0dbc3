//! A terminal of 80 by 24 with the program in it: keys are typed, and the screen is read.

use std::fs::File;
use std::io::{Read, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::process::{Child, Command};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};

/// What clears a screen.
const CLEAR: &str = "\u{1b}[2J";
/// A program that shows nothing for as long has hung.
const PATIENCE: Duration = Duration::from_secs(120);

pub struct Terminal {
    child: Child,
    keys: File,
    output: Receiver<Vec<u8>>,
    /// What was written since the last keys.
    written: Vec<u8>,
}

impl Terminal {
    pub fn start(folder: &Path, words: &[&str]) -> Self {
        let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a terminal");
        grantpt(&master).and_then(|()| unlockpt(&master)).expect("a terminal of our own");
        let size = Winsize { ws_row: 24, ws_col: 80, ws_xpixel: 0, ws_ypixel: 0 };
        tcsetwinsize(&master, size).expect("a size");
        let name = ptsname(&master, Vec::new()).expect("a name");
        let path = Path::new(std::ffi::OsStr::from_bytes(name.as_bytes()));
        let no_control = rustix::fs::OFlags::NOCTTY.bits() as i32;
        let side = || File::options().read(true).write(true).custom_flags(no_control).open(path).expect("a side");
        let child = Command::new(super::super::PROGRAM)
            .args(words)
            .current_dir(folder)
            .env("TERM", "xterm")
            .stdin(side())
            .stdout(side())
            .stderr(side())
            .spawn()
            .expect("the program starts");
        let keys = File::from(master);
        let mut screen = keys.try_clone().expect("a second handle");
        let (sender, output) = channel();
        std::thread::spawn(move || {
            let mut piece = [0; 4096];
            // The reading ends with an error when the program is gone.
            while let Ok(length) = screen.read(&mut piece)
                && length > 0
                && sender.send(piece[..length].to_vec()).is_ok()
            {}
        });
        Self { child, keys, output, written: Vec::new() }
    }

    /// Types keys; what was shown before is forgotten.
    pub fn press(&mut self, keys: &str) {
        self.wait_for_keys();
        self.written.clear();
        self.keys.write_all(keys.as_bytes()).expect("keys arrive");
    }

    /// Waits until the program reads single keys: before that the terminal takes Ctrl-C and Ctrl-U
    /// for itself.
    fn wait_for_keys(&self) {
        let begin = std::time::Instant::now();
        let is_raw = || {
            let mode = rustix::termios::tcgetattr(&self.keys);
            mode.is_ok_and(|mode| !mode.local_modes.contains(rustix::termios::LocalModes::ICANON))
        };
        while !is_raw() && begin.elapsed() < PATIENCE {
            std::thread::yield_now();
        }
    }

    /// Waits until the screen shows some words, and gives all of it.
    pub fn until(&mut self, words: &str) -> String {
        loop {
            let screen = self.screen();
            if screen.contains(words) {
                let fits = screen.lines().count() <= 24 && screen.lines().all(|line| line.chars().count() < 80);
                assert!(fits || !screen.contains("Left to review"), "{screen}");
                return screen;
            }
            match self.output.recv_timeout(PATIENCE) {
                Ok(piece) => self.written.extend(piece),
                Err(_) => panic!("{words:?} is not shown: {screen}"),
            }
        }
    }

    /// The exit code.
    pub fn code(mut self) -> Option<i32> {
        self.child.wait().expect("the program ends").code()
    }

    /// The text since the screen was cleared last, without what steers the terminal.
    fn screen(&self) -> String {
        let text = String::from_utf8_lossy(&self.written);
        let mut letters = text.rsplit(CLEAR).next().unwrap_or_default().chars();
        let mut plain = String::new();
        while let Some(letter) = letters.next() {
            match letter {
                // A line that is cleared is written anew.
                '\u{1b}' => {
                    if letters.find(|end| end.is_ascii_alphabetic()) == Some('K') {
                        plain.truncate(plain.rfind('\n').map_or(0, |end| end + 1));
                    }
                }
                '\r' => {}
                _ => plain.push(letter),
            }
        }
        plain
    }
}
