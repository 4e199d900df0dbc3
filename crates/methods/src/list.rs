//! The list of methods: one line each.

use serde::Serialize;

use crate::{Method, MethodError, aim, auto, histogram, independent, mst, pb_pgm, privbayes, privbayes_nist, privmrf};

/// A parameter that `--set name=value` may give.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameter {
    /// Its name.
    pub name: &'static str,
    /// Its default, as text.
    pub default: &'static str,
    /// What it does, in one line.
    pub help: &'static str,
}

/// What is known of a method without running it.
#[derive(Clone, Copy)]
pub struct MethodInfo {
    /// The name on the command line.
    pub name: &'static str,
    /// One line on what it does.
    pub summary: &'static str,
    /// The delta used when none is given.
    pub default_delta: f64,
    /// Its parameters.
    pub parameters: &'static [Parameter],
    /// Checks the settings and makes the method.
    pub build: Build,
}

/// Makes a method from its `(name, value)` settings.
pub type Build = fn(&[(String, String)]) -> Result<Box<dyn Method>, MethodError>;

/// A method's parameters as a type, with a public field each: what a program gives instead of names
/// and texts. Serialized, the fields have the names and words of the command line; null is `auto`.
pub trait Parameters: Serialize + Default {
    /// The method that they are for.
    const METHOD: MethodInfo;
    /// The method, when they are legal.
    fn build(self) -> Result<Box<dyn Method>, MethodError>;
}

macro_rules! parameters {
    ($($type:ty => $info:expr),+ $(,)?) => {
        $(impl Parameters for $type {
            const METHOD: MethodInfo = $info;
            fn build(self) -> Result<Box<dyn Method>, MethodError> {
                Ok(Box::new(self.check()?))
            }
        })+
    };
}

parameters! {
    independent::IndependentParams => independent::INFO,
    privbayes::PrivBayesParams => privbayes::INFO,
    privbayes_nist::PrivBayesNistParams => privbayes_nist::INFO,
    pb_pgm::PbPgmParams => pb_pgm::INFO,
    mst::MstParams => mst::INFO,
    privmrf::PrivMrfParams => privmrf::INFO,
    aim::AimParams => aim::INFO,
    histogram::HistogramParams => histogram::INFO,
}

impl Parameters for auto::Auto {
    const METHOD: MethodInfo = auto::INFO;
    fn build(self) -> Result<Box<dyn Method>, MethodError> {
        Ok(Box::new(self))
    }
}

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
