use super::settings;
use crate::{MethodError, Parameters, build, methods};

fn refusal(name: &str, pairs: &[(&str, &str)]) -> String {
    match build(name, &settings(pairs)) {
        Err(error @ MethodError::Setting { .. }) => error.to_string(),
        Err(other) => panic!("another error: {other}"),
        Ok(_) => panic!("{name} {pairs:?} was taken"),
    }
}

#[test]
fn every_method_is_built_with_its_defaults() {
    for info in methods() {
        assert_eq!(build(info.name, &[]).unwrap().name(), info.name);
        for parameter in info.parameters {
            assert!(
                build(info.name, &settings(&[(parameter.name, &info.default_of(parameter))])).is_ok(),
                "{}",
                parameter.name
            );
        }
    }
    assert_eq!(methods()[0].default_delta, 1e-9);
}

#[test]
fn refusals_name_what_there_is() {
    assert!(refusal("magic", &[]).contains("independent"));
    let unknown = refusal("independent", &[("count-shore", "0.1")]);
    assert!(unknown.contains("count-shore") && unknown.contains("it has: count-share"), "{unknown}");
    for value in ["", "x", "-0.1", "1", "nan", "inf"] {
        let bad = refusal("independent", &[("count-share", value)]);
        assert!(bad.contains("count-share") && bad.contains("from 0 to below 1"), "{bad}");
    }
    assert!(refusal("independent", &[("count-share", "0.1"), ("count-share", "0.2")]).contains("twice"));
}

#[test]
fn unchecked_parameters_do_not_run() {
    use crate::independent::IndependentParams;
    assert!(IndependentParams { count_share: f64::NAN }.check().is_err());
    assert!(IndependentParams { count_share: 1.0 }.check().is_err());
    assert!(IndependentParams::default().check().is_ok());
}

/// The defaults of the list are read as those of the types, and a number that is none is no `auto`.
#[test]
fn defaults_are_texts_that_are_read() {
    use crate::settings::read;
    fn agrees<P: Parameters>() {
        let texts: Vec<(String, String)> = (P::METHOD.parameters.iter())
            .map(|parameter| (parameter.name.to_owned(), P::METHOD.default_of(parameter)))
            .collect();
        assert!(read::<P>(&texts).unwrap() == P::default(), "{}", P::METHOD.name);
    }
    agrees::<crate::auto::AutoParams>();
    agrees::<crate::independent::IndependentParams>();
    agrees::<crate::privbayes::PrivBayesParams>();
    agrees::<crate::privbayes_nist::PrivBayesNistParams>();
    agrees::<crate::pb_pgm::PbPgmParams>();
    agrees::<crate::mst::MstParams>();
    agrees::<crate::privmrf::PrivMrfParams>();
    agrees::<crate::aim::AimParams>();
    agrees::<crate::histogram::HistogramParams>();
    assert!(crate::aim::AimParams { rounds: Some(f64::NAN), ..Default::default() }.check().is_err());
}
