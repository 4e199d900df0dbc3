//! `lookalike methods`.

use lookalike::{methods, methods_json};

use crate::args::MethodsArgs;
use crate::fail::{Ended, Outcome};
use crate::stdout;

/// Lists the methods, the default first.
pub fn run(args: MethodsArgs) -> Ended {
    if args.json {
        stdout::json(&methods_json())?;
        return Ok(Outcome::Done);
    }
    for (place, method) in methods().iter().enumerate() {
        let default = if place == 0 { " (default)" } else { "" };
        stdout::line(format!("{}{default}: {}", method.name, method.summary))?;
        stdout::line(format!("    delta when none is given: {}", method.default_delta))?;
        for parameter in method.parameters {
            stdout::line(format!("    --set {}={}  {}", parameter.name, method.default_of(parameter), parameter.help))?;
        }
    }
    Ok(Outcome::Done)
}
