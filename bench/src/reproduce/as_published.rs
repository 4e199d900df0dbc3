//! The methods as their papers have them, where our defaults are others. Budgets are split as in
//! the papers and accounted for as we do it everywhere: exactly, and all of it.

use crate::run::MethodSetting;

/// More bins than any benchmark column has values: their codes are bins already.
const ALL_BINS: u32 = 1_000_000;

/// PrivBayes 2014: parents by F among the bits of the codes, negative counts cut to 0, every row
/// drawn by itself, and another first attribute (and other candidates) in every run.
pub(super) fn privbayes_2014(epsilon: f64, run: u64) -> MethodSetting {
    privbayes(epsilon, run).with("encoding", "binary").with("bins", ALL_BINS).with("score", "f")
}

/// PrivBayes as PrivMRF's authors ran it (the journal version): attributes as they are, parents by
/// R (F where all columns are binary), and 0.3 of the budget for the network.
pub(super) fn privbayes_2017(epsilon: f64, run: u64) -> MethodSetting {
    privbayes(epsilon, run).with("beta", 0.3)
}

fn privbayes(epsilon: f64, run: u64) -> MethodSetting {
    MethodSetting::new("privbayes", epsilon, 0.0).with("negatives", "clamp").with("shuffle", run).with_replacement()
}

/// PB-PGM as PrivMRF's authors ran it.
pub(super) fn pb_pgm(epsilon: f64, run: u64) -> MethodSetting {
    MethodSetting::new("pb-pgm", epsilon, 0.0).with("beta", 0.3).with("shuffle", run)
}

/// PrivMRF's settings, where ours are others.
const PRIVMRF: [(&str, &str); 8] = [
    ("ones-share", "0"),
    ("score-share", "0.1"),
    ("select-share", "0.1"),
    ("rounds", "0.8"),
    ("theta", "6"),
    ("round-theta", "6"),
    ("penalty", "0"),
    ("choice", "gaussian"),
];

/// PrivMRF 2021, at the delta of its experiments.
pub(super) fn privmrf(epsilon: f64, run: u64) -> MethodSetting {
    let ours = privmrf_of_ours(epsilon, run);
    PRIVMRF.iter().fold(ours, |setting, (name, value)| setting.with(name, value))
}

/// The same method with our defaults.
pub(super) fn privmrf_of_ours(epsilon: f64, run: u64) -> MethodSetting {
    MethodSetting::new("privmrf", epsilon, 1e-5).with("shuffle", run)
}

/// PrivBayes at the NIST challenge: negative cells clipped, variances updated (equation 3.3).
pub(super) fn privbayes_nist(epsilon: f64, sampling: &str) -> MethodSetting {
    let setting = MethodSetting::new("privbayes-nist", epsilon, 1e-9).with("sampling", sampling);
    setting.with("negatives", "clip").with("variances", "updated")
}
