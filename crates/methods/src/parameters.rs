//! Parameters stated once: [`parameters!`](crate::parameters!) makes the type, its defaults and
//! what `--set` may give.

/// A method's parameters: a field each, `name: type = default, rule;`, under a line that says what
/// it does. Underscores are dashes on the command line.
///
/// ```
/// use lookalike_methods::settings::{DeclaredParameters, Rule};
///
/// lookalike_methods::parameters! {
///     /// What the method may be told.
///     pub struct MyParams {
///         /// The share of the budget for columns.
///         one_share: f64 = 0.1, Rule::SHARE;
///     }
/// }
///
/// assert_eq!(MyParams::default().one_share, 0.1);
/// let [parameter] = MyParams::PARAMETERS else { panic!("one parameter") };
/// assert_eq!(parameter.name, "one-share");
/// assert_eq!(parameter.help, "The share of the budget for columns.");
/// ```
#[macro_export]
macro_rules! parameters {
    (
        $(#[$about:meta])*
        $seen:vis struct $params:ident {
            $($(#[doc = $help:literal])+ $name:ident: $kind:ty = $default:expr, $rule:expr;)+
        }
    ) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, ::serde::Serialize, ::serde::Deserialize)]
        #[serde(rename_all = "kebab-case")]
        $seen struct $params {
            $($(#[doc = $help])+ pub $name: $kind,)+
        }

        impl Default for $params {
            fn default() -> Self {
                Self { $($name: $default),+ }
            }
        }

        impl $crate::settings::DeclaredParameters for $params {
            const PARAMETERS: &'static [$crate::Parameter] = &[$({
                const NAME: [u8; stringify!($name).len()] = $crate::parameters::dashed(stringify!($name));
                $crate::Parameter::new(&NAME, $rule, concat!($($help),+))
            }),+];
        }
    };
}

/// A field's name as the command line has it.
pub const fn dashed<const N: usize>(name: &str) -> [u8; N] {
    let mut dashed = [0; N];
    let mut place = 0;
    while place < N {
        let byte = name.as_bytes()[place];
        dashed[place] = if byte == b'_' { b'-' } else { byte };
        place += 1;
    }
    dashed
}
