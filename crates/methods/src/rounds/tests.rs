//! The loop: what is chosen, what is counted again, and what a policy is told.

use lookalike_privacy::Rational;

use super::{
    ChoicePrice, ChosenClique, Draws, MeasurementOutcome, Policy, Round, RoundOffer, Run, WeightedCandidate, pairs,
};
use crate::MethodError;
use crate::graphical::tests::{grow, laplace, setting};
use crate::tests::{Looks, Watch};

/// Chooses among all pairs: without measuring, with, and without again.
struct Pairs {
    round: u64,
    looks: Looks,
    seen: usize,
    /// The chosen pair of each round, and how many cliques were counted for the choice.
    told: Vec<(Vec<u32>, usize)>,
    fits: usize,
}

impl Pairs {
    fn counted(&self) -> usize {
        self.looks.lock().unwrap().iter().sum()
    }
}

impl Policy for Pairs {
    const LABEL: &'static str = "a pair";

    fn next(&mut self, run: &mut Run) -> Result<Option<Round>, MethodError> {
        self.round += 1;
        self.seen = self.counted();
        let weigh = |clique| WeightedCandidate { clique, weight: 1.0, offset: 0.0, expected: None };
        let candidates = pairs(run.model.columns().len()).into_iter().map(weigh).collect();
        let offer = RoundOffer::Choice(candidates, ChoicePrice::Exponential(Rational::new(5, 1).unwrap()));
        let draws = (self.round == 2).then(|| Draws { noise: laplace(2), times: 1, mean_noise: 2.0 });
        Ok((self.round < 4).then_some(Round { offer, draws, progress: (self.round, 3) }))
    }

    fn learn(&mut self, run: &Run, chosen: &[ChosenClique], outcomes: &[MeasurementOutcome]) -> bool {
        let [ChosenClique { clique, .. }] = chosen else { panic!("one choice a round") };
        self.told.push((clique.attributes().iter().map(|it| it.0).collect(), self.counted() - self.seen));
        assert_eq!(outcomes.len(), usize::from(self.round == 2));
        assert_eq!(run.measured.len(), usize::from(self.round >= 2));
        assert!(outcomes.iter().all(|outcome| outcome.error_to_noise > 10.0), "columns that follow each other");
        !outcomes.is_empty()
    }

    fn fitted(&mut self, _run: &Run, outcomes: &[MeasurementOutcome]) -> Result<(), MethodError> {
        assert_eq!(outcomes.len(), 1);
        self.fits += 1;
        Ok(())
    }
}

#[test]
fn the_worst_fit_is_chosen_and_known_scores_are_not_counted_again() {
    let (schema, mut bench) = setting(3000, 3);
    // No table is kept for later, so that what is counted shows which scores were known.
    bench.curator.set_door_memory(0);
    let model = grow(&schema, &mut bench).unwrap();
    let (looks, watch) = (bench.looks.clone(), Watch::default());
    let mut policy = Pairs { round: 0, looks, seen: 0, told: Vec::new(), fits: 0 };
    let mut run = Run::new(&mut bench.curator, &watch, model);
    run.rounds(&mut policy).unwrap();
    // The second time nothing is counted but the pair that is measured.
    assert_eq!(policy.told[..2], [(vec![0, 1], 3), (vec![0, 1], 1)]);
    // What was measured fits now; the third column is in no measurement, but its pairs have a new
    // partner.
    assert!(policy.told[2].0 != [0, 1] && policy.told[2].1 == 3, "{:?}", policy.told[2]);
    assert_eq!((policy.fits, run.most_error_to_noise > 10.0), (1, true));
}
