//! The methods and their parameters, for programs.

use lookalike_methods::{MethodInfo, methods};
use serde_json::{Value, json};

/// All methods with their parameters, the default method first.
pub fn methods_json() -> Value {
    let method = |method: &MethodInfo| {
        let parameters = method.parameters.iter();
        let parameters =
            parameters.map(|it| json!({ "name": it.name, "default": method.default_of(it), "help": it.help }));
        json!({
            "name": method.name,
            "summary": method.summary,
            "default_delta": method.default_delta,
            "parameters": parameters.collect::<Vec<_>>(),
        })
    };
    methods().iter().map(method).collect()
}
