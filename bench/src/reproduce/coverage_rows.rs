//! Every item of the five documents: where it lives, how to run it, and what came of it.

/// How an item is run.
pub(super) enum How {
    /// A figure's study.
    Figure(&'static str),
    /// Tests of this crate whose paths hold this word.
    Test(&'static str, &'static str),
    /// Not run; why.
    Words(&'static str),
}

/// One item.
pub(super) struct CoverageRow {
    /// The document, in short.
    pub(super) document: &'static str,
    /// What it has.
    pub(super) item: &'static str,
    /// Our files.
    pub(super) place: &'static str,
    /// How to run it.
    pub(super) how: How,
    /// What a reader must know.
    pub(super) remark: &'static str,
}

const fn row(
    document: &'static str,
    item: &'static str,
    place: &'static str,
    how: How,
    remark: &'static str,
) -> CoverageRow {
    CoverageRow { document, item, place, how, remark }
}

const PB14: &str = "PrivBayes 2014";
const PB21: &str = "PrivBayes 2021";
const MRF: &str = "PrivMRF";
const TH: &str = "Theory";
const AAU: &str = "Aalborg";

pub(super) const COVERAGE: [CoverageRow; 36] = [
    row(
        PB14,
        "Algorithm 1, noisy conditionals",
        "`crates/methods/src/privbayes`",
        How::Figure("pb14-marginals"),
        "as published with `negatives=clamp` and rows drawn one by one; the default projects and thins",
    ),
    row(
        PB14,
        "Algorithm 2, greedy network by the exponential mechanism",
        "`crates/methods/src/privbayes`",
        How::Figure("pb14-score"),
        "the first attribute varies with `shuffle`; candidates are capped",
    ),
    row(
        PB14,
        "scores I and F, sensitivities",
        "`crates/curator/src/scores`",
        How::Test("curator", "scores"),
        "brute-forced",
    ),
    row(
        PB14,
        "F for general domains",
        "",
        How::Words("the paper defers it"),
        "see the [open questions](research/open-questions.md)",
    ),
    row(PB14, "theta-usefulness, bits, 16 bins", "`crates/methods/src/privbayes`", How::Figure("pb14-theta"), ""),
    row(
        PB14,
        "Laplace, Fourier, Contingency, Uniform",
        "`bench/src/baselines/marginals`",
        How::Figure("pb14-marginals"),
        "Fourier through bits where columns are not binary; Contingency in two readings",
    ),
    row(
        PB14,
        "Majority, NoPrivacy, PrivateERM, PrivateERM (Single)",
        "`bench/src/baselines/classify`",
        How::Figure("pb14-svm"),
        "",
    ),
    row(PB14, "PrivGene", "`bench/src/baselines/classify`", How::Figure("pb14-svm"), ""),
    row(PB14, "TPC-E, one of its four tables", "", How::Words("not at hand: ACS stands in its place"), ""),
    row(
        PB21,
        "Algorithms 1 to 3, scores and network",
        "`crates/methods/src/privbayes_nist`",
        How::Test("methods", "privbayes_nist"),
        "",
    ),
    row(
        PB21,
        "Algorithm 4, budget and tau",
        "`crates/methods/src/privbayes_nist`",
        How::Figure("pb21-nist"),
        "as published with `negatives=clip`; the default projects",
    ),
    row(
        PB21,
        "Algorithm 5, consistency over a hierarchy",
        "`crates/methods/src/privbayes_nist`",
        How::Test("methods", "the_example_of_consistency"),
        "",
    ),
    row(
        PB21,
        "equation 3.3, the variance update",
        "`crates/methods/src/privbayes_nist`",
        How::Test("methods", "variances_are_updated_by_equation_3_3"),
        "an option of the method",
    ),
    row(
        PB21,
        "three ways of making rows, three scores",
        "`crates/methods/src/privbayes_nist`, `crates/evaluate/src/nist`",
        How::Figure("pb21-nist"),
        "stepping back is capped at six",
    ),
    row(
        PB21,
        "without replacement is better for regression",
        "`bench/src/reproduce/pb21_nist.rs`",
        How::Figure("pb21-nist"),
        "",
    ),
    row(
        MRF,
        "Algorithms 1 to 6, lemma 2",
        "`crates/methods/src/privmrf`",
        How::Test("methods", "privmrf"),
        "as published by its settings; failed pairs are not retried",
    ),
    row(
        MRF,
        "equation 8",
        "`crates/methods/src/privmrf`",
        How::Test("methods", "rho_of_the_papers_table"),
        "pairs counted once, as in the authors' program; twice, as printed, is an option",
    ),
    row(MRF, "figures 1a to 3b, theta, t and k", "`bench/src/reproduce/mrf_tuning.rs`", How::Figure("mrf-tuning"), ""),
    row(MRF, "figure 4, marginals", "`bench/src/reproduce/mrf_marginals.rs`", How::Figure("mrf-marginals"), ""),
    row(MRF, "figure 5, machines", "`bench/src/reproduce/mrf_svm.rs`", How::Figure("mrf-svm"), ""),
    row(MRF, "figure 6, seconds", "`bench/src/reproduce/mrf_time.rs`", How::Figure("mrf-time"), ""),
    row(MRF, "PB-PGM", "`crates/methods/src/pb_pgm`", How::Figure("mrf-marginals"), ""),
    row(
        MRF,
        "rounding to rows (tables 3 and 4)",
        "`crates/model/src/sampling`",
        How::Test("methods", "rounded_counts_become_the_papers_rows"),
        "",
    ),
    row(MRF, "BSG, DP-Copula, DP-WGAN", "`bench/src/baselines/synthesizers`", How::Figure("mrf-marginals"), ""),
    row(
        MRF,
        "MWEM, DualQuery (named)",
        "`bench/src/baselines/synthesizers`",
        How::Figure("mrf-marginals"),
        "on NLTCS only",
    ),
    row(MRF, "PATE-GAN (named)", "", How::Words("left out by the paper, and here"), ""),
    row(TH, "theorems 4.1 to 4.3, upper bounds", "`crates/lookalike/src/bounds`", How::Figure("th-bounds"), ""),
    row(TH, "theorem 4.4, the risk gap", "`crates/lookalike/src/bounds`", How::Figure("th-risk"), ""),
    row(
        TH,
        "theorem 5.1 and corollary 5.2, the lower bound",
        "`crates/lookalike/src/bounds`",
        How::Figure("th-lower"),
        "",
    ),
    row(
        TH,
        "the factor d and post-processing",
        "`bench/src/reproduce/th_factor.rs`",
        How::Figure("th-factor"),
        "open in the paper",
    ),
    row(AAU, "the smoothed histogram", "`crates/methods/src/histogram`", How::Figure("aau-histogram"), ""),
    row(AAU, "private networks", "`bench/src/reproduce/aau_network.rs`", How::Figure("aau-network"), ""),
    row(AAU, "the mixture parameter", "`bench/src/reproduce/aau_power.rs`", How::Figure("aau-mixture"), ""),
    row(
        AAU,
        "the budget, as coded and as the text has it (2^(1+q) noise)",
        "`bench/src/reproduce/published.rs`",
        How::Figure("aau-privacy"),
        "the code's recipe is not private",
    ),
    row(
        AAU,
        "histogram against PrivBayes",
        "`bench/src/reproduce/aau_versus.rs`",
        How::Figure("aau-versus"),
        "open in the report",
    ),
    row(
        AAU,
        "all orders of attributes",
        "`bench/src/reproduce/orders.rs`",
        How::Figure("orders"),
        "open in the report and in PrivBayes 2021",
    ),
];
