//! A method's parameters: what there are, what each may be, and reading `--set name=value` pairs.

use std::ops::{Bound, RangeBounds};

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::{Method, MethodError};

/// A parameter that `--set name=value` may give.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameter {
    /// Its name.
    pub name: &'static str,
    /// What it may be.
    pub rule: Rule,
    /// What it does, in one line.
    pub help: &'static str,
}

/// The largest key of a public generator: floats hold all whole numbers up to it.
pub const MOST_KEYS: u64 = 9_000_000_000_000_000;

/// What a parameter may be. One whose default is `None` may be `auto` too.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Rule {
    /// A finite number in a range.
    Number(Bound<f64>, Bound<f64>),
    /// A whole number in a range, both ends included.
    Whole(u64, u64),
    /// One of some words.
    Word(&'static [&'static str]),
    /// `true` or `false`.
    Switch,
}

impl Rule {
    /// A share of something: above 0 and below 1.
    pub const SHARE: Self = Self::Number(Bound::Excluded(0.0), Bound::Excluded(1.0));
    /// A number above 0.
    pub const ABOVE_0: Self = Self::Number(Bound::Excluded(0.0), Bound::Unbounded);

    /// A number in a range, both ends included.
    pub const fn from_to(from: f64, to: f64) -> Self {
        Self::Number(Bound::Included(from), Bound::Included(to))
    }

    /// The value of a text, where it is one that the rule takes.
    fn read(&self, text: &str) -> Option<Value> {
        let value: Value = match self {
            Self::Number(..) => text.parse::<f64>().ok()?.into(),
            // As a float first: 1e5 is a whole number.
            Self::Whole(..) => {
                let number = text.parse::<f64>().ok().filter(|number| number.fract() == 0.0 && *number >= 0.0)?;
                (number as u64).into()
            }
            Self::Word(_) => text.into(),
            Self::Switch => text.parse::<bool>().ok()?.into(),
        };
        self.takes(&value).then_some(value)
    }

    fn takes(&self, value: &Value) -> bool {
        match self {
            Self::Number(from, to) => {
                value.as_f64().is_some_and(|number| number.is_finite() && (*from, *to).contains(&number))
            }
            Self::Whole(from, to) => value.as_u64().is_some_and(|number| (*from..=*to).contains(&number)),
            Self::Word(words) => value.as_str().is_some_and(|word| words.contains(&word)),
            Self::Switch => value.is_boolean(),
        }
    }

    fn words(&self) -> String {
        let (from, to) = match self {
            Self::Number(from, to) => (from, to),
            Self::Whole(from, to) => return format!("a whole number from {from} to {to}"),
            Self::Word(words) => return format!("one of: {}", words.join(", ")),
            Self::Switch => return "true or false".into(),
        };
        let from = match from {
            Bound::Included(from) => format!(" from {from}"),
            Bound::Excluded(from) => format!(" above {from}"),
            Bound::Unbounded => String::new(),
        };
        match to {
            Bound::Included(to) => format!("a number{from} to {to}"),
            Bound::Excluded(to) if from.starts_with(" from") => format!("a number{from} to below {to}"),
            Bound::Excluded(to) => format!("a number{from} and below {to}"),
            Bound::Unbounded => format!("a number{from}"),
        }
    }
}

impl Parameter {
    /// A parameter: its name in ASCII, and a line on what it does.
    pub const fn new(name: &'static [u8], rule: Rule, help: &'static str) -> Self {
        let (Ok(name), Ok(help)) = (std::str::from_utf8(name), std::str::from_utf8(help.as_bytes().trim_ascii()))
        else {
            panic!("a parameter's name and help are text");
        };
        Self { name, rule, help }
    }

    fn value(&self, text: &str, usual: &Value) -> Option<Value> {
        if text == "auto" && usual.is_null() { Some(Value::Null) } else { self.rule.read(text) }
    }

    fn refusal(&self, method: &str, value: &str, usual: &Value) -> MethodError {
        let words = self.rule.words();
        let help = match self.rule {
            Rule::Number(..) | Rule::Whole(..) if usual.is_null() => format!("give auto, or {words}"),
            Rule::Number(..) | Rule::Whole(..) => format!("give {words}, such as {}", as_text(usual)),
            _ => format!("give {words}"),
        };
        MethodError::Setting { what: format!("method {method}: {} = {value} does not do", self.name), help }
    }
}

/// A parameter's value as the command line has it.
fn as_text(value: &Value) -> String {
    match value {
        Value::Null => "auto".into(),
        Value::String(word) => word.clone(),
        // Without a point where there is nothing behind it.
        other => other.as_f64().map_or_else(|| other.to_string(), |number| number.to_string()),
    }
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
    defaults: fn() -> Map<String, Value>,
}

impl MethodInfo {
    /// What is known of the method that has these parameters.
    pub const fn new<P: Parameters>(name: &'static str, summary: &'static str, default_delta: f64) -> Self {
        let (build, defaults) = (build_from::<P>, || fields_of(&P::default()));
        Self { name, summary, default_delta, parameters: P::PARAMETERS, build, defaults }
    }

    /// What a parameter is when nothing is said of it, as text.
    pub fn default_of(&self, parameter: &Parameter) -> String {
        as_text((self.defaults)().get(parameter.name).unwrap_or(&Value::Null))
    }
}

/// Makes a method from its `(name, value)` settings.
pub type Build = fn(&[(String, String)]) -> Result<Box<dyn Method>, MethodError>;

/// Proof that parameters were checked: only [`Parameters::check`] makes one.
pub struct AreLegal(());

/// The list of a type's parameters, which [`parameters!`](crate::parameters!) writes.
pub trait DeclaredParameters: Serialize + DeserializeOwned + Default + PartialEq {
    /// What `--set` may give.
    const PARAMETERS: &'static [Parameter];
}

/// A method's parameters as a type, with a public field each: what a program gives instead of names
/// and texts. Serialized, the fields have the names and words of the command line; null is `auto`.
pub trait Parameters: DeclaredParameters {
    /// The method with checked parameters.
    type Checked: Method + 'static;

    /// What the list says of the method that they are for.
    const METHOD: MethodInfo;

    /// The method with these parameters.
    fn checked(self, _: AreLegal) -> Self::Checked;

    /// Refuses parameters of which each does by itself, but not all together.
    fn check_together(&self) -> Result<(), MethodError> {
        Ok(())
    }

    /// The method, when they are legal.
    fn check(self) -> Result<Self::Checked, MethodError> {
        check_each(&self)?;
        self.check_together()?;
        Ok(self.checked(AreLegal(())))
    }

    /// The same in a box.
    fn build(self) -> Result<Box<dyn Method>, MethodError> {
        Ok(Box::new(self.check()?))
    }
}

/// The method of parameters that are given as names and texts.
fn build_from<P: Parameters>(pairs: &[(String, String)]) -> Result<Box<dyn Method>, MethodError> {
    read::<P>(pairs)?.build()
}

/// The parameters that are given as names and texts; the others are the default's.
///
/// # Errors
/// A name that the method does not have, a name given twice, a value that the rule does not take.
pub fn read<P: Parameters>(pairs: &[(String, String)]) -> Result<P, MethodError> {
    let MethodInfo { name: method, parameters, .. } = P::METHOD;
    let usual = fields_of(&P::default());
    let mut fields = usual.clone();
    for (index, (name, text)) in pairs.iter().enumerate() {
        let Some(parameter) = parameters.iter().find(|parameter| parameter.name == name) else {
            let names: Vec<&str> = parameters.iter().map(|parameter| parameter.name).collect();
            let help = if names.is_empty() { "it has none".into() } else { format!("it has: {}", names.join(", ")) };
            return Err(MethodError::Setting { what: format!("method {method} has no parameter {name:?}"), help });
        };
        if pairs[..index].iter().any(|(earlier, _)| earlier == name) {
            let what = format!("parameter {name:?} is set twice");
            return Err(MethodError::Setting { what, help: "set it once".into() });
        }
        let usual = &usual[name];
        let value = parameter.value(text.trim(), usual);
        let value = value.ok_or_else(|| parameter.refusal(method, &format!("{text:?}"), usual))?;
        fields.insert(name.clone(), value);
    }
    serde_json::from_value(Value::Object(fields)).map_err(|error| unreadable(method, &error.to_string()))
}

/// Refuses parameters of which one by itself does not do.
fn check_each<P: Parameters>(params: &P) -> Result<(), MethodError> {
    let (fields, usual) = (fields_of(params), fields_of(&P::default()));
    for parameter in P::METHOD.parameters {
        let (value, usual) = (&fields[parameter.name], &usual[parameter.name]);
        let is_auto = value.is_null() && usual.is_null();
        if !is_auto && !parameter.rule.takes(value) {
            return Err(parameter.refusal(P::METHOD.name, &value.to_string(), usual));
        }
    }
    // A number that is none looks like `auto` above.
    match serde_json::from_value::<P>(Value::Object(fields)) {
        Ok(same) if same == *params => Ok(()),
        _ => Err(unreadable(P::METHOD.name, "a parameter is not a number")),
    }
}

/// Refuses shares that leave nothing for what is not named among them.
pub fn check_shares(method: &str, names: &str, sum: f64) -> Result<(), MethodError> {
    if sum < 1.0 {
        return Ok(());
    }
    let what = format!("method {method}: {names} leave nothing for tables");
    Err(MethodError::Setting { what, help: "give shares that sum to less than 1".into() })
}

fn fields_of<P: Parameters>(params: &P) -> Map<String, Value> {
    match serde_json::to_value(params) {
        Ok(Value::Object(fields)) => fields,
        _ => Map::new(),
    }
}

fn unreadable(method: &str, what: &str) -> MethodError {
    MethodError::Setting { what: format!("method {method}: {what}"), help: "give a number".into() }
}
