//! The list of methods: one line each.

use crate::aim::AimParams;
use crate::auto::AutoParams;
use crate::histogram::HistogramParams;
use crate::independent::IndependentParams;
use crate::mst::MstParams;
use crate::pb_pgm::PbPgmParams;
use crate::privbayes::PrivBayesParams;
use crate::privbayes_nist::PrivBayesNistParams;
use crate::privmrf::PrivMrfParams;
use crate::{Method, MethodError, MethodInfo, Parameters};

/// All methods, the default first.
pub fn methods() -> &'static [MethodInfo] {
    &[
        AutoParams::METHOD,
        IndependentParams::METHOD,
        PrivBayesParams::METHOD,
        PrivBayesNistParams::METHOD,
        PbPgmParams::METHOD,
        MstParams::METHOD,
        PrivMrfParams::METHOD,
        AimParams::METHOD,
        HistogramParams::METHOD,
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
