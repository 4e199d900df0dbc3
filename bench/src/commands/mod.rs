//! The subcommands, each the answer to one question.

mod ablate;
mod cancel;
mod candidates;
mod counting;
mod coverage;
mod discover;
mod estimation;
mod inference;
mod instances;
mod io;
mod methods;
mod noise;
mod one_run;
mod plan;
mod raw;
mod reproduce;
mod sampling;
mod tables;

pub use one_run::watched;

use anyhow::Result;
use clap::Subcommand;

#[derive(Subcommand)]
pub enum Command {
    /// Which method is closest to which table, at what cost? Runs methods over tables, epsilons and
    /// runs; --summary sums up
    Methods(Box<methods::MethodsArgs>),
    /// What does a release keep of a raw table, in raw units, beside a private copula and other
    /// tools?
    Raw(raw::RawArgs),
    /// What is lost when nothing is stated? Releases that discover their schema, beside those with
    /// the public one
    Discover(discover::DiscoverArgs),
    /// Which parts of `auto` earn their place? Leaves each out alone, on coded, raw and generated
    /// tables
    Ablate(ablate::AblateArgs),
    /// One run of `methods`
    #[command(hide = true)]
    OneRun(one_run::OneRunArgs),
    /// Are the papers' findings seen again? Numbers, a picture and a verdict for each of their
    /// figures
    Reproduce(reproduce::ReproduceArgs),
    /// Do releases reach what `lookalike plan` promises?
    Plan(plan::PlanArgs),
    /// How often do the printed 95% intervals of releases hold the truth, by class of cell?
    Coverage(coverage::CoverageArgs),
    /// How long does the shipped program go on after a signal, at random moments of every method?
    Cancel(cancel::CancelArgs),
    /// How fast are marginals counted, beside the roofline (and numpy, pandas, mbi with --peers)?
    Counting(counting::CountingArgs),
    /// How fast is a CSV read and coded, and in how much memory (and by pandas with --peers)?
    Io(io::IoArgs),
    /// How many nanoseconds does a draw of exact noise take?
    Noise(noise::NoiseArgs),
    /// How fast is a model fitted to noisy marginals (and by mbi with --peers)?
    Estimation(estimation::EstimationArgs),
    /// How fast is one full pass of inference, beside copying the same memory?
    Inference(inference::InferenceArgs),
    /// How fast are rows drawn from a fitted tree model (and by mbi with --peers)?
    Sampling(sampling::SamplingArgs),
    /// Writes generated tables as files that `methods` and the program read
    Tables(tables::TablesArgs),
}

impl Command {
    pub fn run(&self) -> Result<()> {
        match self {
            Self::Methods(args) => args.run(),
            Self::Raw(args) => args.run(),
            Self::Discover(args) => args.run(),
            Self::Ablate(args) => args.run(),
            Self::OneRun(args) => args.run(),
            Self::Reproduce(args) => args.run(),
            Self::Plan(args) => args.run(),
            Self::Coverage(args) => args.run(),
            Self::Cancel(args) => args.run(),
            Self::Counting(args) => args.run(),
            Self::Io(args) => args.run(),
            Self::Noise(args) => args.run(),
            Self::Estimation(args) => args.run(),
            Self::Inference(args) => args.run(),
            Self::Sampling(args) => args.run(),
            Self::Tables(args) => args.run(),
        }
    }
}
