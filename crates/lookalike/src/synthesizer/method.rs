//! The method of a run: by type, or by name and texts.

use lookalike_methods::{Method, MethodError, MethodInfo, Parameters, methods};
use serde_json::Value;

use crate::error::{Error, SettingError};

/// A method with the settings that were given for it.
pub(crate) struct ChosenMethod {
    pub method: Box<dyn Method>,
    /// What was set, for the statement.
    pub settings: Vec<(String, String)>,
}

impl ChosenMethod {
    /// The method whose parameters these are. Only those that are not the default's are settings.
    pub(crate) fn of<P: Parameters>(parameters: P) -> Result<Self, SettingError> {
        let plain = fields(&P::default());
        let settings = fields(&parameters).into_iter().filter(|field| !plain.contains(field)).collect();
        match parameters.build() {
            Ok(method) => Ok(Self { method, settings }),
            Err(MethodError::Setting { what, help }) => Err(SettingError::Parameter { what, help }),
            Err(other) => Err(SettingError::Parameter { what: other.to_string(), help: String::new() }),
        }
    }

    /// The method of that name.
    pub(crate) fn named(name: &str, settings: Vec<(String, String)>) -> Result<Self, Error> {
        Ok(Self { method: (method_info(name)?.build)(&settings)?, settings })
    }
}

/// The parameters as names and texts.
fn fields<P: Parameters>(parameters: &P) -> Vec<(String, String)> {
    let text = |value: Value| match value {
        Value::Null => "auto".to_owned(),
        Value::String(word) => word,
        number => number.to_string(),
    };
    match serde_json::to_value(parameters) {
        Ok(Value::Object(fields)) => fields.into_iter().map(|(name, value)| (name, text(value))).collect(),
        _ => Vec::new(),
    }
}

/// What is known of the method of that name.
pub(crate) fn method_info(name: &str) -> Result<&'static MethodInfo, Error> {
    let known = methods().iter().find(|info| info.name == name);
    known.ok_or_else(|| SettingError::UnknownMethod { name: name.to_owned() }.into())
}

#[cfg(test)]
mod tests {
    use lookalike_methods::aim::AimParams;
    use lookalike_methods::auto::AutoParams;
    use lookalike_methods::histogram::HistogramParams;
    use lookalike_methods::independent::IndependentParams;
    use lookalike_methods::mst::MstParams;
    use lookalike_methods::pb_pgm::{MarginalSource, PbPgmParams};
    use lookalike_methods::privbayes::{PrivBayesParams, Scoring};
    use lookalike_methods::privbayes_nist::PrivBayesNistParams;
    use lookalike_methods::privmrf::PrivMrfParams;

    use super::*;

    /// Every field has the name of a parameter and a text that it takes: a statement can be read
    /// back.
    fn texts_are_taken<P: Parameters>(changed: P, settings: &[(&str, &str)]) {
        let all = fields(&changed);
        let names: Vec<&str> = P::METHOD.parameters.iter().map(|parameter| parameter.name).collect();
        let own: Vec<&str> = all.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(own, names, "{}", P::METHOD.name);
        assert!((P::METHOD.build)(&all).is_ok(), "{}: {all:?}", P::METHOD.name);
        let chosen = ChosenMethod::of(changed).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(chosen.method.name(), P::METHOD.name);
        let kept: Vec<(&str, &str)> =
            chosen.settings.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        assert_eq!(kept, settings);
    }

    #[test]
    fn parameters_by_type_are_settings_by_name() {
        texts_are_taken(AutoParams { forest: false, ..Default::default() }, &[("forest", "false")]);
        texts_are_taken(IndependentParams { count_share: 0.02 }, &[("count-share", "0.02")]);
        texts_are_taken(HistogramParams { smoothing: Some(0.5) }, &[("smoothing", "0.5")]);
        texts_are_taken(MstParams { merge_threshold: 2.0, ..Default::default() }, &[("merge-threshold", "2.0")]);
        texts_are_taken(AimParams { rounds: Some(20.0), ..Default::default() }, &[("rounds", "20.0")]);
        let scored = PrivBayesParams { score: Scoring::Dependence, degree: Some(2), ..Default::default() };
        texts_are_taken(scored, &[("score", "r"), ("degree", "2")]);
        texts_are_taken(PrivBayesNistParams { group_width: 8, ..Default::default() }, &[("group-width", "8")]);
        texts_are_taken(
            PbPgmParams { marginals: MarginalSource::Nist, ..Default::default() },
            &[("marginals", "privbayes-nist")],
        );
        texts_are_taken(PrivMrfParams { width: 3, ..Default::default() }, &[("width", "3")]);
    }

    #[test]
    fn illegal_parameters_are_refused() {
        let refused = ChosenMethod::of(AimParams { one_share: 2.0, ..Default::default() });
        assert!(matches!(refused, Err(SettingError::Parameter { .. })));
        assert!(ChosenMethod::named("nonesuch", Vec::new()).is_err());
    }
}
