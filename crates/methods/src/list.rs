//! The list of methods: one line each.

use crate::{
    Method, MethodError, MethodInfo, aim, auto, histogram, independent, mst, pb_pgm, privbayes, privbayes_nist, privmrf,
};

/// All methods, the default first.
pub fn methods() -> &'static [MethodInfo] {
    &[
        auto::INFO,
        independent::INFO,
        privbayes::INFO,
        privbayes_nist::INFO,
        pb_pgm::INFO,
        mst::INFO,
        privmrf::INFO,
        aim::INFO,
        histogram::INFO,
    ]
}

/// The method of that name with checked settings; errors name the methods or parameters there are.
pub fn build(name: &str, settings: &[(String, String)]) -> Result<Box<dyn Method>, MethodError> {
    let Some(info) = methods().iter().find(|info| info.name == name) else {
        let names: Vec<&str> = methods().iter().map(|info| info.name).collect();
        return Err(MethodError::Setting {
            what: format!("there is no method {name:?}"),
            help: format!("there is: {}", names.join(", ")),
        });
    };
    (info.build)(settings)
}
