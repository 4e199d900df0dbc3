//! Numbers as people read them.

/// A whole number with commas.
pub fn whole(value: u64) -> String {
    let digits = value.to_string();
    let mut out = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// A share as a percentage with as many decimals as it needs.
pub fn percent(share: f64) -> String {
    let percent = 100.0 * share;
    if percent == 0.0 || percent >= 99.95 || (10.0..99.0).contains(&percent) {
        format!("{percent:.0}%")
    } else if percent >= 0.05 {
        format!("{percent:.1}%")
    } else {
        "<0.1%".to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_as_people_read_them() {
        assert_eq!(
            [0, 12, 999, 1_000, 45_222, 1_234_567].map(whole),
            ["0", "12", "999", "1,000", "45,222", "1,234,567"]
        );
        let shares = [0.0, 1e-5, 0.001, 0.0514, 0.1, 0.5049, 0.995, 1.0];
        assert_eq!(shares.map(percent), ["0%", "<0.1%", "0.1%", "5.1%", "10%", "50%", "99.5%", "100%"]);
    }
}
