//! What fits, what is refused, and who pays.

use lookalike_privacy::accounting::{epsilon_of_rho, rho_of};
use lookalike_privacy::{Neighbours, Relation, Rho};

use super::{Bench, add_remove, budget, mistake, refusal, request, reserve, terms};
use crate::{Amount, Cost, LedgerError, LedgerFile, PrivacyFilter, ReservationRequest, RowDigests, RunState, Terms};

#[test]
fn sums_of_epsilon_fit_to_the_last_digit_and_no_further() {
    let (bench, mut ledger) = Bench::with_people(&terms(1.0, 1e-8, PrivacyFilter::EpsilonDelta));
    for _ in 0..10 {
        reserve(&mut ledger, &request("people", 0.1, 1e-9), 1).unwrap();
    }
    let set = ledger.data_set("people").unwrap();
    assert_eq!((set.left(), set.drawn().len()), (set.total().minus(set.total()), 10));
    let what = refusal(reserve(&mut ledger, &request("people", 1e-6, 0.0), 1));
    assert!(what.contains("\"people\" has epsilon 0 and delta 0 left"), "{what}");
    // Across processes too: nothing lives in memory.
    drop(ledger);
    refusal(reserve(&mut bench.ledger(), &request("people", 1e-6, 0.0), 1));
}

#[test]
fn either_part_of_epsilon_and_delta_can_refuse() {
    let (_bench, mut ledger) = Bench::with_people(&terms(10.0, 1e-9, PrivacyFilter::EpsilonDelta));
    reserve(&mut ledger, &request("people", 1.0, 1e-9), 1).unwrap();
    assert!(refusal(ledger.check(&request("people", 1.0, 1e-9))).contains("epsilon 9 and delta 0 left"));
    ledger.check(&request("people", 9.0, 0.0)).unwrap();
    refusal(ledger.check(&request("people", 9.0001, 0.0)));
}

#[test]
fn sums_of_rho_are_those_of_the_conversion() {
    let (_bench, mut ledger) = Bench::with_people(&terms(4.0, 1e-6, PrivacyFilter::Rho));
    let total = rho_of(budget(4.0, 1e-6)).unwrap().get();
    assert_eq!(ledger.data_set("people").unwrap().total(), Cost::Rho(Amount::at_most(total).unwrap()));
    // A run of the whole total fits exactly, and nothing after it.
    ledger.check(&request("people", 4.0, 1e-6)).unwrap();
    let one = rho_of(budget(1.0, 1e-9)).unwrap().get();
    let fitting = (total / one).floor() as usize;
    assert!(fitting > 4, "in rho more runs fit than in epsilon: {fitting}");
    for _ in 0..fitting {
        assert!(reserve(&mut ledger, &request("people", 1.0, 1e-9), 1).unwrap().in_rho());
    }
    let what = refusal(reserve(&mut ledger, &request("people", 1.0, 1e-9), 1));
    assert!(what.contains("epsilon ") && what.contains("at delta 1e-6"), "{what}");
    // All of it together keeps the promise of the data set.
    let set = ledger.data_set("people").unwrap();
    let Cost::Rho(reserved) = set.reserved() else { panic!("rho") };
    let delta = budget(4.0, 1e-6).delta;
    assert!(epsilon_of_rho(Rho::new(reserved.to_f64()).unwrap(), delta).unwrap() <= 4.0);
    // What is shown as left can be spent.
    let left = (set.left().epsilon(set.terms()) * 1e4).floor() / 1e4;
    reserve(&mut ledger, &request("people", left, 1e-6), 1).unwrap();
}

#[test]
fn a_pure_run_costs_half_its_square_of_rho() {
    let (_bench, mut ledger) = Bench::with_people(&terms(4.0, 1e-6, PrivacyFilter::Rho));
    reserve(&mut ledger, &request("people", 0.5, 0.0), 1).unwrap();
    let Cost::Rho(reserved) = ledger.data_set("people").unwrap().reserved() else { panic!("rho") };
    assert!(reserved.to_f64() >= 0.125 && reserved.to_f64() < 0.125 + 1e-12);
    let what = refusal(reserve(&mut ledger, &request("people", 1.0, 0.0), 1));
    assert!(what.contains("filter epsilon-delta"), "the way out is named: {what}");
}

/// A delta below the last place that a ledger writes is not nothing when it is spent, and nothing
/// when it is what there is.
#[test]
fn costs_are_rounded_up_and_totals_down() {
    let own = terms(1.0, 1e-40, PrivacyFilter::EpsilonDelta);
    let (one, last) = (Amount::at_most(1.0).unwrap(), "0.000000000000000000000000000001".parse().unwrap());
    assert_eq!(own.cost(budget(1.0, 1e-40), true).unwrap(), Cost::EpsilonDelta(one, last));
    assert_eq!(own.total().unwrap(), Cost::EpsilonDelta(one, Amount::ZERO));
    let (_bench, mut ledger) = Bench::with_people(&own);
    refusal(ledger.check(&request("people", 0.5, 1e-40)));
    ledger.check(&request("people", 0.5, 0.0)).unwrap();
}

#[test]
fn runs_under_other_neighbours_are_refused() {
    let person = Neighbours::new(Relation::AddRemove, 3).unwrap();
    let own = Terms::new(budget(4.0, 1e-6), PrivacyFilter::Rho, person, Some("pid".into())).unwrap();
    let (_bench, mut ledger) = Bench::with_people(&own);
    let right = crate::ReservationRequest { neighbours: person, unit: Some("pid"), ..request("people", 1.0, 1e-9) };
    let replace = Neighbours::new(Relation::ReplaceOne, 1).unwrap();
    for wrong in [
        request("people", 1.0, 1e-9),
        crate::ReservationRequest { unit: Some("other"), ..right },
        crate::ReservationRequest { neighbours: Neighbours::new(Relation::AddRemove, 2).unwrap(), ..right },
        crate::ReservationRequest { neighbours: replace, unit: None, ..right },
    ] {
        let what = mistake(ledger.check(&wrong));
        assert!(what.contains("unit pid and contribution 3"), "{what}");
        mistake(reserve(&mut ledger, &wrong, 1));
    }
    reserve(&mut ledger, &right, 1).unwrap();
}

#[test]
fn terms_that_make_no_sense() {
    let replace = Neighbours::new(Relation::ReplaceOne, 1).unwrap();
    let three = Neighbours::new(Relation::AddRemove, 3).unwrap();
    let make = |delta, filter, neighbours, unit: Option<&str>| {
        Terms::new(budget(1.0, delta), filter, neighbours, unit.map(str::to_owned))
    };
    mistake(make(0.0, PrivacyFilter::Rho, add_remove(), None));
    mistake(make(1e-9, PrivacyFilter::Rho, replace, Some("pid")));
    mistake(make(1e-9, PrivacyFilter::Rho, three, None));
    mistake(Terms::new(budget(1e300, 0.0), PrivacyFilter::EpsilonDelta, add_remove(), None));
    make(0.0, PrivacyFilter::EpsilonDelta, replace, None).unwrap();
}

#[test]
fn the_same_rows_under_a_new_name_draw_on_the_old_budget() {
    let (_bench, mut ledger) = Bench::with_people(&terms(2.0, 0.0, PrivacyFilter::EpsilonDelta));
    ledger.open_data_set("fresh", &terms(5.0, 0.0, PrivacyFilter::EpsilonDelta)).unwrap();
    reserve(&mut ledger, &request("people", 1.5, 0.0), 1).unwrap();
    // The name alone would allow it.
    ledger.check(&request("fresh", 1.0, 0.0)).unwrap();
    let what = refusal(reserve(&mut ledger, &request("fresh", 1.0, 0.0), 1));
    assert!(what.contains("known as \"people\"") && what.contains("epsilon 0.5"), "{what}");
    let taken = reserve(&mut ledger, &request("fresh", 0.5, 0.0), 1).unwrap();
    assert_eq!(taken.known_as(), ["people"]);
    let left = |ledger: &mut LedgerFile, name| ledger.data_set(name).unwrap().left().to_string();
    assert_eq!(left(&mut ledger, "people"), "epsilon 0 and delta 0");
    assert_eq!(left(&mut ledger, "fresh"), "epsilon 4.5 and delta 0");
    // Other rows under the new name are its own.
    assert!(reserve(&mut ledger, &request("fresh", 1.0, 0.0), 2).unwrap().known_as().is_empty());
    let drawn = ledger.data_set("people").unwrap().drawn().to_vec();
    assert_eq!(drawn.iter().map(|drawn| drawn.asked.as_str()).collect::<Vec<_>>(), ["people", "fresh"]);
}

#[test]
fn unknown_rows_under_a_known_name_draw_on_the_name() {
    let (_bench, mut ledger) = Bench::with_people(&terms(2.0, 0.0, PrivacyFilter::EpsilonDelta));
    for rows in 1..=4 {
        reserve(&mut ledger, &request("people", 0.5, 0.0), rows).unwrap();
    }
    refusal(reserve(&mut ledger, &request("people", 0.5, 0.0), 5));
}

#[test]
fn recognized_rows_carry_the_old_terms_with_them() {
    let (_bench, mut ledger) = Bench::with_people(&terms(2.0, 0.0, PrivacyFilter::EpsilonDelta));
    reserve(&mut ledger, &request("people", 0.5, 0.0), 1).unwrap();
    let replace = Neighbours::new(Relation::ReplaceOne, 1).unwrap();
    let other = Terms::new(budget(2.0, 1e-6), PrivacyFilter::Rho, replace, None).unwrap();
    ledger.open_data_set("replaced", &other).unwrap();
    let run = crate::ReservationRequest { neighbours: replace, ..request("replaced", 0.1, 1e-9) };
    assert!(mistake(reserve(&mut ledger, &run, 1)).contains("known as \"people\""));
    assert!(reserve(&mut ledger, &run, 2).unwrap().in_rho());
    // Whether a run counts in rho hangs on the name asked for, because it shows in the release. So
    // rows that are known in rho cannot be drawn under a name that sums up epsilons; the other way
    // round is fine.
    ledger.open_data_set("sums", &terms(9.0, 1e-3, PrivacyFilter::EpsilonDelta)).unwrap();
    ledger.open_data_set("rhos", &terms(9.0, 1e-3, PrivacyFilter::Rho)).unwrap();
    assert!(!reserve(&mut ledger, &request("sums", 0.1, 1e-9), 7).unwrap().in_rho());
    let both = reserve(&mut ledger, &request("rhos", 0.1, 1e-9), 7).unwrap();
    assert_eq!((both.in_rho(), both.known_as()), (true, &["sums".to_owned()][..]));
    assert!(mistake(reserve(&mut ledger, &request("sums", 0.1, 1e-9), 7)).contains("filter rho"));
}

#[test]
fn closed_is_closed_for_the_name_and_for_its_rows() {
    let (_bench, mut ledger) = Bench::with_people(&terms(2.0, 0.0, PrivacyFilter::EpsilonDelta));
    reserve(&mut ledger, &request("people", 0.5, 0.0), 1).unwrap();
    ledger.open_data_set("fresh", &terms(2.0, 0.0, PrivacyFilter::EpsilonDelta)).unwrap();
    assert!(ledger.close_data_set("people").unwrap().closed().is_some());
    assert!(refusal(ledger.check(&request("people", 0.1, 0.0))).contains("is closed"));
    refusal(reserve(&mut ledger, &request("people", 0.1, 0.0), 2));
    refusal(reserve(&mut ledger, &request("fresh", 0.1, 0.0), 1));
    mistake(ledger.close_data_set("people"));
    mistake(ledger.open_data_set("people", &terms(2.0, 0.0, PrivacyFilter::EpsilonDelta)));
}

#[test]
fn names() {
    let (_bench, mut ledger) = Bench::with_people(&terms(2.0, 0.0, PrivacyFilter::EpsilonDelta));
    assert!(mistake(ledger.open_data_set("people", &terms(9.0, 0.0, PrivacyFilter::EpsilonDelta))).contains("already"));
    for bad in ["", "two\nlines", &"x".repeat(201)] {
        mistake(ledger.open_data_set(bad, &terms(9.0, 0.0, PrivacyFilter::EpsilonDelta)));
    }
    assert!(mistake(ledger.check(&request("poeple", 1.0, 0.0))).contains("those in it are: \"people\""));
    mistake(ledger.close_data_set("poeple"));
}

#[test]
fn what_became_of_a_run_gives_nothing_back() {
    let (_bench, mut ledger) = Bench::with_people(&terms(2.0, 0.0, PrivacyFilter::EpsilonDelta));
    let runs: Vec<_> = (0..3).map(|_| reserve(&mut ledger, &request("people", 0.5, 0.0), 1).unwrap()).collect();
    assert_eq!(runs.iter().map(|run| run.asked_runs()).collect::<Vec<_>>(), [1, 2, 3]);
    let before = ledger.data_set("people").unwrap().left();
    ledger.end(&runs[0], true).unwrap();
    ledger.end(&runs[1], false).unwrap();
    let set = ledger.data_set("people").unwrap();
    assert_eq!(set.left(), before);
    let states: Vec<RunState> = set.drawn().iter().map(|drawn| drawn.state).collect();
    assert_eq!(states, [RunState::Released, RunState::Failed, RunState::Reserved]);
}

fn rows(byte: u8) -> RowDigests {
    RowDigests { records: [byte; 32], older: None }
}

/// A part of delta is kept for values that are discovered, or none are.
#[test]
fn discovery_draws_on_rho_and_tau() {
    let (_bench, mut ledger) = Bench::with_people(&terms(4.0, 1e-6, PrivacyFilter::RhoTau));
    let (left, tau) = lookalike_privacy::with_tau(budget(4.0, 1e-6)).unwrap();
    let rho = rho_of(left).unwrap().get();
    let total = Cost::RhoTau(Amount::at_most(rho).unwrap(), Amount::at_most(tau).unwrap());
    assert_eq!(ledger.data_set("people").unwrap().total(), total);
    let discovering =
        |epsilon: f64, delta: f64| ReservationRequest { discovers: true, ..request("people", epsilon, delta) };
    let run = discovering(1.0, 1e-9);
    ledger.reserve(&run, &rows(1)).unwrap();
    let Cost::RhoTau(own, spent) = ledger.data_set("people").unwrap().reserved() else { panic!("rho and tau") };
    let (left, run_tau) = lookalike_privacy::with_tau(budget(1.0, 1e-9)).unwrap();
    assert_eq!(own, Amount::at_least(rho_of(left).unwrap().get()).unwrap());
    assert_eq!(spent, Amount::at_least(run_tau).unwrap());
    // A run that finds no values takes no tau; one with a delta like the total's takes all of it.
    ledger.reserve(&request("people", 0.5, 1e-9), &rows(1)).unwrap();
    ledger.reserve(&discovering(0.1, 9.9e-7), &rows(1)).unwrap();
    assert!(matches!(ledger.reserve(&discovering(0.1, 1e-7), &rows(1)), Err(LedgerError::Refused { .. })));
    ledger.reserve(&request("people", 0.1, 1e-7), &rows(1)).unwrap();
    // Without tau at opening there is no discovery.
    ledger.open_data_set("old", &terms(4.0, 1e-6, PrivacyFilter::Rho)).unwrap();
    let old = ReservationRequest { discovers: true, ..request("old", 0.1, 1e-9) };
    assert!(matches!(ledger.reserve(&old, &rows(9)), Err(LedgerError::Usage { .. })));
    ledger.reserve(&ReservationRequest { discovers: true, ..request("old", 0.1, 0.0) }, &rows(9)).unwrap();
}
