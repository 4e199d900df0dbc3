//! What PrivMRF is compared with: as its paper ran it, and with our defaults.

use anyhow::Result;
use lookalike_privacy::Relation;
use lookalike_table::Table;

use super::as_published;
use super::recorder::Trial;
use crate::baselines::synthesizers::{BaselineSynthesizer, SynthesisTask};
use crate::run::{MethodSetting, study_noise};

pub(super) const PRIVMRF: &str = "PrivMRF as published";
pub(super) const PRIVMRF_OURS: &str = "PrivMRF, our defaults";
pub(super) const PB_PGM: &str = "PB-PGM";
pub(super) const PRIVBAYES: &str = "PrivBayes as published";
const PRIVBAYES_OURS: &str = "PrivBayes, our defaults";
const AUTO: &str = "auto";

/// Runs of our own defaults on tables where each takes a minute.
const RUNS_OF_OURS: u64 = 3;

/// The delta of the paper's experiments, for methods that need one.
pub(super) const DELTA: f64 = 1e-5;

/// One of those that are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Contender {
    /// A method of the product.
    Method(&'static str),
    /// A system of the papers that the product does not offer.
    Baseline(BaselineSynthesizer),
}

/// Those that can run on a table. MWEM and DualQuery are named beside PrivMRF in the paper, not
/// drawn; they hold or search the joint domain, and appear on the smallest table only.
pub(super) fn contenders(file: &str) -> Vec<Contender> {
    let methods = [PRIVMRF, PRIVMRF_OURS, PB_PGM, PRIVBAYES, PRIVBAYES_OURS, AUTO].map(Contender::Method);
    let here = |system: &BaselineSynthesizer| file == "nltcs" || !["MWEM", "DualQuery"].contains(&system.name());
    methods.into_iter().chain(BaselineSynthesizer::ALL.into_iter().filter(here).map(Contender::Baseline)).collect()
}

impl Contender {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Method(name) => name,
            Self::Baseline(system) => system.name(),
        }
    }

    /// How often it is run where `runs` are wanted: no claim is about our own defaults, and beyond
    /// the smallest table a run takes a minute, so that a few of them show where they stand.
    pub(super) fn runs(self, file: &str, runs: u64) -> u64 {
        let is_ours = [PRIVMRF_OURS, PRIVBAYES_OURS, AUTO].contains(&self.name());
        if is_ours && file != "nltcs" { runs.min(RUNS_OF_OURS) } else { runs }
    }

    /// Rows of one run.
    pub(super) fn synthesize(self, real: &Table, epsilon: f64, trial: Trial) -> Result<Table> {
        let setting = match self {
            Self::Baseline(system) => {
                let task = SynthesisTask { table: real, epsilon, delta: DELTA, rows: real.rows() as usize };
                return system.synthesize(&task, study_noise(trial.seed)?.as_mut());
            }
            Self::Method(PRIVMRF) => as_published::privmrf(epsilon, trial.run),
            Self::Method(PRIVMRF_OURS) => as_published::privmrf_of_ours(epsilon, trial.run),
            Self::Method(PB_PGM) => as_published::pb_pgm(epsilon, trial.run),
            Self::Method(PRIVBAYES) => as_published::privbayes_2017(epsilon, trial.run),
            Self::Method(PRIVBAYES_OURS) => MethodSetting::new("privbayes", epsilon, 0.0).with("shuffle", trial.run),
            Self::Method(_) => MethodSetting::new("auto", epsilon, DELTA),
        };
        setting.synthesize(real, Relation::AddRemove, trial.seed)
    }
}
