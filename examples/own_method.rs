//! A method of one's own, in one file: every column alone, then its pair with one given column,
//! those that are farthest from what the model expects first.
//!
//! `cargo run -p lookalike-examples --example own_method`
#![allow(clippy::print_stdout)]

use lookalike::{Budget, Category, Integer, Schema, Synthesizer};
use lookalike_curator::{Curator, Noise};
use lookalike_methods::budget::{Bought, PlanBuilder, Purchase, expected_noise};
use lookalike_methods::graphical::{GrowingModel, Merging, OneWayMarginals};
use lookalike_methods::rounds::{
    ChoicePrice, ChosenClique, Draws, MeasurementOutcome, Policy, Round, RoundOffer, Run, WeightedCandidate,
};
use lookalike_methods::settings::AreLegal;
use lookalike_methods::{
    Forecast, Method, MethodError, MethodInfo, Observer, Outcome, Parameters, PublicFacts, Request, Rule, parameters,
};
use lookalike_privacy::{Budget as Spending, Neighbours};
use lookalike_schema::{AttrId, Clique};
use people::Ended;

parameters! {
    /// The parameters: public fields with a default and a rule each.
    struct StarParams {
        /// The column that every other one is paired with, by its place.
        center: u32 = 0, Rule::Whole(0, 1000);
        /// How many pairs are measured.
        pairs: u32 = 2, Rule::Whole(1, 1000);
    }
}

impl Parameters for StarParams {
    type Checked = Star;

    const METHOD: MethodInfo = MethodInfo::new::<Self>("star", "pairs of one column with the others", 1e-9);

    fn checked(self, _: AreLegal) -> Star {
        Star { params: self }
    }
}

/// The method with checked parameters.
///
/// # Privacy
/// One plan, fixed before the first look: every column alone, and for each pair a choice and its
/// marginal. Which pair a step asks for depends on answers; how many there are and their scales do
/// not.
struct Star {
    params: StarParams,
}

/// What is bought, from public facts alone.
struct StarPlan {
    plan: PlanBuilder,
    ones: Purchase<Noise>,
    choice: Purchase<ChoicePrice>,
    pair: Purchase<Noise>,
}

impl Star {
    fn plan(&self, columns: usize, neighbours: Neighbours, budget: Spending) -> StarPlan {
        let (mut plan, pairs) = (PlanBuilder::new(neighbours, budget), self.params.pairs as usize);
        let ones = plan.marginals("one-way marginals", 0.3, columns);
        let choice = plan.choices("choices of pairs", 0.2, pairs);
        let pair = plan.marginals("marginals of pairs", 0.5, pairs);
        StarPlan { plan, ones, choice, pair }
    }
}

impl Method for Star {
    fn name(&self) -> &'static str {
        StarParams::METHOD.name
    }

    fn forecast(&self, facts: &PublicFacts) -> Result<Forecast, MethodError> {
        let wanted = self.plan(facts.schema.domain().len(), facts.neighbours, facts.budget);
        let bought = wanted.plan.forecast_quickly(facts.budget)?;
        let (ones, pair) = (bought.variance(wanted.ones).sqrt(), bought.variance(wanted.pair).sqrt());
        Ok(Forecast { tvd1: ones / facts.rows.max(1) as f64, column_noise: ones, cell_noise: pair, model_bytes: 0 })
    }

    fn run(&self, curator: &mut Curator, _request: &Request, observer: &dyn Observer) -> Result<Outcome, MethodError> {
        let wanted = self.plan(curator.schema().domain().len(), curator.neighbours(), curator.budget());
        let bought = wanted.plan.commit(curator)?;
        let ones = OneWayMarginals::measure(curator, bought.get(wanted.ones)?)?;
        let model = GrowingModel::merged(curator, &ones, Merging::default(), None)?;
        let mut run = Run::new(curator, observer, model);
        run.rounds(&mut StarRounds::new(self.params, &wanted, &bought)?)?;
        run.finish(self.name()).map(Outcome::Model)
    }
}

/// The policy: what a round chooses from and pays, and what follows from an outcome.
struct StarRounds {
    params: StarParams,
    price: ChoicePrice,
    noise: Noise,
    done: u32,
}

impl StarRounds {
    fn new(params: StarParams, wanted: &StarPlan, bought: &Bought) -> Result<Self, MethodError> {
        Ok(Self { params, price: bought.get(wanted.choice)?, noise: bought.get(wanted.pair)?, done: 0 })
    }
}

impl Policy for StarRounds {
    const LABEL: &'static str = "a pair of the star";

    fn next(&mut self, run: &mut Run) -> Result<Option<Round>, MethodError> {
        if self.done == self.params.pairs {
            return Ok(None);
        }
        let center = AttrId(self.params.center);
        let others = run.model.columns().domain().attributes().filter(|&other| other != center);
        let weigh = |other| WeightedCandidate {
            clique: Clique::new([center, other]),
            weight: 1.0,
            offset: 0.0,
            expected: None,
        };
        let offer = RoundOffer::Choice(others.map(weigh).collect(), self.price);
        let draws = Some(Draws { noise: self.noise, times: 1, mean_noise: expected_noise(self.noise) });
        let progress = (u64::from(self.done) + 1, self.params.pairs.into());
        Ok(Some(Round { offer, draws, progress }))
    }

    /// The model is fitted after every pair.
    fn learn(&mut self, _run: &Run, _chosen: &[ChosenClique], _outcomes: &[MeasurementOutcome]) -> bool {
        self.done += 1;
        true
    }
}

/// The example.
pub fn main() -> Ended<()> {
    let schema = Schema::builder()
        .column("sex", Category::of(["F", "M"]))
        .column("age", Integer::range(0, 99).bins(10))
        .build()?;
    let method = StarParams { pairs: 1, ..StarParams::default() };
    let budget = Budget::new(1.0, 1e-9)?;
    let release = Synthesizer::new(schema).budget(budget).method(method).fit(people::batches()?)?;
    println!("{}; {} rows", release.guarantee(), release.rows());
    assert!(release.rows().abs_diff(1000) < 300);
    Ok(())
}
