//! The toolkit of graphical methods: merged columns, growing models, choices.

use lookalike_curator::Noise;
use lookalike_model::Sampling;
use lookalike_privacy::{Rational, Relation};
use lookalike_schema::{AttrId, Schema};

use crate::graphical::{Columns, GrowingModel, Limit, Merging, OneWayMarginals};
use crate::tests::{Bench, bench, budget, clique, schema};
use crate::{MethodError, Request};

pub(crate) fn laplace(scale: u64) -> Noise {
    Noise::Laplace(Rational::new(scale, 1).unwrap())
}

/// A wide column with few frequent values, a column that follows it, and one by itself; the first
/// value of the wide column never meets the last of the second.
pub(crate) fn setting(rows: usize, seed: u64) -> (Schema, Bench) {
    let rule = "[[impossible]]\nc0 = [\"v0\"]\nc1 = [\"v3\"]\n";
    let schema = schema(&[300, 4, 3], rule);
    let wide = |row: usize| if row.is_multiple_of(10) { (row / 10 % 300) as u32 } else { (row % 5) as u32 };
    let follows = |row: usize| {
        let code = wide(row) % 4;
        if wide(row) == 0 && code == 3 { 0 } else { code }
    };
    let columns = vec![
        (0..rows).map(wide).collect(),
        (0..rows).map(follows).collect(),
        (0..rows).map(|row| (row / 7 % 3) as u32).collect(),
    ];
    let bench = bench(&schema, rows, columns, budget(100.0, 0.0), Relation::AddRemove, seed);
    (schema, bench)
}

pub(crate) fn grow(schema: &Schema, bench: &mut Bench) -> Result<GrowingModel, MethodError> {
    bench.curator.commit_filter()?;
    let ones = OneWayMarginals::measure(&mut bench.curator, laplace(2))?;
    let groupings = Merging::default().groupings(schema, &ones)?;
    let columns = Columns::grouped(&mut bench.curator, groupings)?;
    GrowingModel::new(schema, columns, &ones, None)
}

#[test]
fn rare_values_are_merged_modelled_and_spread_again() {
    let (schema, mut bench) = setting(5000, 1);
    let mut model = grow(&schema, &mut bench).unwrap();
    let sizes = model.columns().domain().sizes().to_vec();
    assert!((5..30).contains(&sizes[0]) && sizes[1..] == [4, 3], "{sizes:?}");
    assert!((model.total() - 5000.0).abs() < 50.0);
    // The derived column comes last at the door, and first here.
    model.measure(&mut bench.curator, &[clique(&[0, 1]), clique(&[0, 2])], laplace(2), 1, &[]).unwrap();
    model.refit().unwrap();
    let counts = model.counts(&[clique(&[0, 1])]).unwrap().remove(0);
    assert_eq!(counts.len(), 4 * sizes[0] as usize);
    // Values 0 to 3 stand out, and are followed by their own second value.
    for code in 0..4 {
        let group = model.columns().grouping(0).unwrap().group(code) as usize;
        let row = &counts[4 * group..4 * group + 4];
        assert!(row[code as usize] > 0.9 * row.iter().sum::<f64>() && row[code as usize] > 450.0, "{code}: {row:?}");
    }
    let fitted = model.finish(&schema, "test").unwrap();
    let own = fitted.marginal(&clique(&[0])).unwrap();
    assert_eq!(own.len(), 300);
    assert!((own.iter().sum::<f64>() - 1.0).abs() < 1e-9);
    assert!(own[1..5].iter().all(|&share| (0.15..0.22).contains(&share)), "{:?}", &own[..5]);
    let sampler = fitted.sampler(&Sampling::new(fitted.rows(), 3)).unwrap();
    let block = sampler.block(0);
    assert!(block.columns[0].iter().zip(&block.columns[1]).all(|(&wide, &follows)| wide != 0 || follows != 3));
    assert!(fitted.measured().iter().any(|coverage| coverage.clique == clique(&[0])));
    assert!(fitted.measured().iter().all(|coverage| coverage.clique != clique(&[0, 1])), "groups are not the column");
}

#[test]
fn cells_change_their_order_at_the_door_and_back() {
    let (schema, mut bench) = setting(2000, 2);
    let model = grow(&schema, &mut bench).unwrap();
    let columns = model.columns();
    let all = clique(&[0, 1, 2]);
    let cells: Vec<f64> = (0..columns.cells(&all)).map(|cell| cell as f64).collect();
    let asked = columns.to_asked(&all, cells.clone());
    assert_ne!(asked, cells);
    assert_eq!(columns.from_asked(&all, asked), cells);
    assert_eq!(columns.asked(&all).attributes(), [AttrId(1), AttrId(2), AttrId(3)]);
    let plain = Columns::plain(&schema).unwrap();
    assert_eq!(plain.asked(&all), all);
}

#[test]
fn limits_follow_the_flags() {
    let limit = |memory, seconds| Limit::of(&Request { memory, seconds, ..Request::default() });
    assert!(limit(Some(1 << 20), None) < limit(None, None));
    assert!(limit(None, Some(1)) < limit(None, None));
    assert!(limit(None, Some(1000)) > limit(None, None));
    assert_eq!(limit(Some(1), None).cells(), limit(None, Some(0)).cells());
    assert!(limit(None, None).part(0.1) < limit(None, None).cells());
}
