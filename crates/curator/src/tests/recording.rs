//! Record on one table, replay on a neighbour: the same answers, and nothing made with a recording
//! is private.

use lookalike_privacy::{Ledger, NoiseRng};

use super::selection::all_pairs;
use super::{Looks, Records, Rows, Setting, add_remove, budget, gaussian, laplace, ratio, schema};
use crate::recording::Answer;
use crate::{Cancel, CountQuery, Curator, CuratorError, Noise, Recording, SelectQuery};

fn ask_everything(curator: &mut Curator) -> Result<Vec<Answer>, CuratorError> {
    let count = curator.row_count(&CountQuery { noise: Noise::Laplace(ratio(20, 1)) })?;
    let marginals = curator.marginals(&[gaussian(&[0], 100), laplace(&[0, 1], 20)])?;
    let query = SelectQuery { label: "pair".into(), candidates: all_pairs(2), epsilon: ratio(1, 10) };
    let selection = curator.select(&query)?;
    Ok(vec![Answer::Count(count), Answer::Marginals(marginals), Answer::Selection(selection)])
}

#[test]
fn a_replay_on_a_neighbour_gives_the_recorded_answers() {
    let recording = Recording::new();
    let mut first = Setting { seed: 5, ..Setting::default() }.open();
    first.curator.record_on(&recording);
    let recorded = ask_everything(&mut first.curator).unwrap();
    assert_eq!(recording.answers(), recorded);
    // Other rows and other noise.
    let mut second = Setting { seed: 6, rows: vec![vec![1, 0]; 1_000], ..Setting::default() }.open();
    second.curator.replay_from(&recording);
    assert_eq!(ask_everything(&mut second.curator).unwrap(), recorded);
    // The replay paid and looked as always.
    assert_eq!(second.looks(), first.looks());
    assert_eq!(second.curator.close().charged(), first.curator.close().charged());
    // Control: without the recording the answers differ.
    let mut third = Setting { seed: 6, rows: vec![vec![1, 0]; 1_000], ..Setting::default() }.open();
    assert_ne!(ask_everything(&mut third.curator).unwrap(), recorded);
}

#[test]
fn a_replay_that_asks_something_else_is_noticed() {
    let recording = Recording::new();
    let mut first = Setting::default().open();
    first.curator.record_on(&recording);
    first.curator.marginals(&[gaussian(&[0], 100)]).unwrap();
    for other in [gaussian(&[1], 100), gaussian(&[0], 101), laplace(&[0], 100)] {
        let mut second = Setting::default().open();
        second.curator.replay_from(&recording);
        assert!(second.curator.marginals(&[other]).is_err());
    }
    let mut second = Setting::default().open();
    second.curator.replay_from(&recording);
    second.curator.marginals(&[gaussian(&[0], 100)]).unwrap();
    assert!(second.curator.marginals(&[gaussian(&[0], 100)]).is_err(), "the recording has ended");
    let mut second = Setting::default().open();
    second.curator.replay_from(&recording);
    assert!(second.curator.row_count(&CountQuery { noise: Noise::Laplace(ratio(20, 1)) }).is_err());
}

#[test]
fn a_replay_with_other_candidates_is_noticed() {
    let recording = Recording::new();
    let query = |many: usize| {
        let candidates = all_pairs(2).into_iter().take(many).collect();
        SelectQuery { label: "pair".into(), candidates, epsilon: ratio(1, 10) }
    };
    let (mut first, mut second) = (Setting::default().open(), Setting::default().open());
    first.curator.record_on(&recording);
    first.curator.select(&query(2)).unwrap();
    second.curator.replay_from(&recording);
    assert!(second.curator.select(&query(1)).is_err());
}

#[test]
fn only_real_noise_without_a_tape_is_private() {
    let real = || {
        let (store, schema) = (Records::default(), schema(&[2]));
        let domain = schema.domain().clone();
        let engine = Rows { rows: vec![], domain, sparse: false, looks: Looks::default(), store: store.clone() };
        let ledger = Ledger::open(Box::new(store), budget(1.0, 1e-5), add_remove()).unwrap();
        Curator::new(schema, Box::new(engine), ledger, Box::new(NoiseRng::from_os().unwrap()), Cancel::new())
    };
    assert!(real().is_private());
    assert!(!Setting::default().bench().curator.is_private(), "the seeded stream");
    let (mut recording, mut replaying) = (real(), real());
    recording.record_on(&Recording::new());
    replaying.replay_from(&Recording::new());
    assert!(!recording.is_private() && !replaying.is_private());
}
