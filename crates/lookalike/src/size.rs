//! Sizes in bytes and spans of time as people write them: `512MiB`, `2GiB`, `4GB`; `30s`, `5min`,
//! `2h`.

use crate::error::{Error, SettingError};

const SIZES: [(&str, u64); 9] = [
    ("kib", 1 << 10),
    ("mib", 1 << 20),
    ("gib", 1 << 30),
    ("tib", 1 << 40),
    ("kb", 1_000),
    ("mb", 1_000_000),
    ("gb", 1_000_000_000),
    ("tb", 1_000_000_000_000),
    ("b", 1),
];

/// Reads a size of that setting; a bare number is bytes.
pub(crate) fn parse_size(setting: &'static str, text: &str) -> Result<u64, Error> {
    let wrong = (setting, "is not a size", "write a number and a unit, such as 512MiB or 2GiB");
    parse(text, &SIZES, (1u64 << 60) as f64, wrong)
}

const SPANS: [(&str, u64); 4] = [("min", 60), ("h", 3600), ("m", 60), ("s", 1)];

/// Reads a span of time in seconds; a bare number is seconds.
pub(crate) fn parse_time(text: &str) -> Result<u64, Error> {
    parse(text, &SPANS, 1e9, ("time", "is not a time", "write a number and a unit, such as 30s, 5min or 2h"))
}

/// A number with one of the units, from 1 to `most` of the smallest. `wrong` has the setting, what
/// a text that is none is not, and what to write.
fn parse(
    text: &str,
    units: &[(&str, u64)],
    most: f64,
    (setting, what, help): (&'static str, &'static str, &'static str),
) -> Result<u64, Error> {
    let trimmed = text.trim().to_ascii_lowercase();
    let with_unit = |(unit, factor): &(&str, u64)| Some((trimmed.strip_suffix(unit)?.trim_end(), *factor));
    let (digits, factor) = units.iter().find_map(with_unit).unwrap_or((&trimmed, 1));
    match digits.parse::<f64>().map(|number| number * factor as f64) {
        Ok(value) if (1.0..=most).contains(&value) => Ok(value as u64),
        _ => Err(SettingError::Unreadable { setting, text: text.to_owned(), what, help }.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::{parse_size, parse_time};

    #[test]
    fn times_as_people_write_them() {
        for (text, seconds) in [("30s", 30), ("5 min", 300), ("2h", 7200), ("90", 90), ("1.5m", 90)] {
            assert_eq!(parse_time(text).unwrap(), seconds, "{text}");
        }
        for text in ["", "s", "-1s", "NaN", "inf", "0", "0.2s", "2 hours", "1e99h"] {
            let message = parse_time(text).unwrap_err().to_string();
            assert!(message.starts_with("time: "), "{message}");
        }
    }

    #[test]
    fn sizes_as_people_write_them() {
        for (text, bytes) in [
            ("2GiB", 2 << 30),
            ("512 MiB", 512 << 20),
            ("1.5kb", 1500),
            ("4096", 4096),
            ("10B", 10),
            ("1tb", 1_000_000_000_000),
        ] {
            assert_eq!(parse_size("memory", text).unwrap(), bytes, "{text}");
        }
    }

    #[test]
    fn nonsense_is_refused() {
        for text in ["", "GiB", "-1GiB", "NaN", "inf", "0", "2 GiBs", "9e99TiB"] {
            let message = parse_size("memory", text).unwrap_err().to_string();
            assert!(message.starts_with("memory: "), "{message}");
        }
    }
}
