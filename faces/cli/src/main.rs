//! The program `lookalike`. All of it is in the library beside, which the Python package carries as
//! well.

use std::process::ExitCode;

fn main() -> ExitCode {
    let itself = std::env::current_exe().map_or_else(|_| "lookalike".into(), Into::into);
    ExitCode::from(lookalike_cli::main(std::env::args_os().collect(), vec![itself]))
}
