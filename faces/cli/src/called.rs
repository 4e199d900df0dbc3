//! How this program was called, and how it is started once more.

use std::ffi::OsString;
use std::path::Path;
use std::process::Command;
use std::sync::OnceLock;

use crate::stdout::shown;

struct Called {
    name: String,
    again: Vec<OsString>,
}

/// A process runs the program once.
static CALLED: OnceLock<Called> = OnceLock::new();

/// Remembers the name and the command.
pub fn remember(name: Option<&OsString>, again: Vec<OsString>) {
    let name = name.map_or_else(|| "lookalike".to_owned(), |name| shown(Path::new(name)));
    CALLED.get_or_init(|| Called { name, again });
}

/// This program as the user called it, so that commands that are shown can be pasted.
pub fn program() -> String {
    CALLED.get().map_or_else(|| "lookalike".to_owned(), |called| called.name.clone())
}

/// A command that starts this very program.
pub fn itself() -> Command {
    let mut words = CALLED.get().map_or(&[][..], |called| &called.again).iter();
    let mut command = Command::new(words.next().map_or_else(|| "lookalike".into(), Clone::clone));
    command.args(words);
    command
}
