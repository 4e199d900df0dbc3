//! All orders of a few columns: does it matter in which one a network is built?

use anyhow::Result;
use lookalike_privacy::Relation;
use lookalike_schema::AttrId;
use lookalike_table::Table;

use super::figure::PaperFigure;
use super::recorder::Recorder;
use super::results::StudyResults;
use super::source_tables::{distances, table};
use super::study::Study;
use super::verdict::{below, mean_and_error};
use crate::marginal::{all_marginals, mean};
use crate::plot::Panel;
use crate::run::MethodSetting;
use crate::simulate::Copula;
use crate::simulate::draw::coded_schema;

pub(super) const FIGURE: PaperFigure = PaperFigure {
    name: "orders",
    about: "all orders of five columns, and the order that is chosen privately",
    from: "an open question of the Aalborg report and of PrivBayes 2021",
    paper: "The report builds its networks in the given order of the columns and asks what other orders would \
            do; PrivBayes 2021 chooses the order by scores, without a guarantee.",
    differs: "All 120 orders of the report's five columns and of five columns of NLTCS, at most two parents, \
              mutual information, replace-one. The best and the worst order are found in half of the runs and \
              compared in the other half, so that luck does not count.",
    record,
    read,
};

const COLUMNS: usize = 5;
/// The tables, each with two budgets: NLTCS has twenty times the rows.
const TABLES: [(&str, [f64; 2]); 2] = [("the report's columns", [1.0, 10.0]), ("five columns of NLTCS", [0.1, 1.0])];
const GIVEN: &str = "a given order";
const CHOSEN: &str = "chosen privately";

fn panel(table: &str, alpha: f64) -> String {
    format!("{table}, alpha = {alpha}")
}

/// All orders of the columns, the given one first.
fn orders() -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for _ in 0..COLUMNS {
        let longer = |order: &Vec<usize>| {
            let order = order.clone();
            let rest = (0..COLUMNS).filter({
                let order = order.clone();
                move |column| !order.contains(column)
            });
            rest.map(move |column| order.iter().copied().chain([column]).collect()).collect::<Vec<Vec<usize>>>()
        };
        all = all.iter().flat_map(longer).collect();
    }
    all
}

/// The table with its columns in another order.
fn ordered(table: &Table, order: &[usize]) -> Result<Table> {
    let columns = order.iter().map(|&column| table.codes(AttrId(column as u32))).collect::<Result<Vec<_>, _>>()?;
    Ok(Table::from_columns(&coded_schema(&[2; COLUMNS])?, columns))
}

fn record(recorder: &mut Recorder) -> Result<()> {
    let settings = recorder.settings;
    let runs = settings.pick3(2, 20, 20);
    let copula = Copula::report()?;
    let nltcs = table("nltcs", recorder)?;
    let every = settings.pick3(60, 6, 1);
    for (index, (name, alphas)) in TABLES.into_iter().enumerate() {
        let rows = |run: u64| match index {
            0 => copula.table(1_000, run),
            _ => ordered(&nltcs, &[0, 1, 2, 3, 4]),
        };
        for alpha in alphas {
            let base = MethodSetting::new("privbayes", alpha, 0.0).with("score", "i").with("degree", 2);
            let one = |order: Option<&[usize]>, run: u64, seed: u64| -> Result<Vec<f64>> {
                let real = rows(run)?;
                let (real, how) = match order {
                    Some(order) => (ordered(&real, order)?, base.clone().with("order", "given")),
                    None => (real, base.clone().with("shuffle", run)),
                };
                let made = how.synthesize(&real, Relation::ReplaceOne, seed)?;
                distances(&real, &made, &[all_marginals(real.domain(), 2)])
            };
            let panel = panel(name, alpha);
            for (place, order) in orders().iter().enumerate().step_by(every) {
                recorder
                    .trials(&[&panel], GIVEN, place as f64, runs, |trial| one(Some(order), trial.run, trial.seed))?;
            }
            recorder.trials(&[&panel], CHOSEN, 0.0, runs, |trial| one(None, trial.run, trial.seed))?;
        }
    }
    Ok(())
}

fn read(results: &StudyResults) -> Study {
    let mut study = Study::new(
        "All orders of five columns",
        "The mean distance of pairs, orders from the best to the worst, beside the order that PrivBayes chooses \
         privately.",
    );
    for panel in results.panels() {
        let places = results.places(panel, GIVEN);
        let mut means: Vec<f64> = places.iter().map(|&place| mean(results.values(panel, GIVEN, place))).collect();
        means.sort_by(f64::total_cmp);
        let mut drawn = Panel::new(panel, "order, from the best", "mean distance");
        means.iter().enumerate().for_each(|(rank, mean)| drawn.put(GIVEN, rank as f64 + 1.0, *mean));
        let chosen = mean(results.values(panel, CHOSEN, 0.0));
        drawn.dashed(CHOSEN, [(1.0, chosen), (means.len() as f64, chosen)]);
        study.panels.push(drawn);
    }
    for panel in results.panels() {
        judge(&mut study, results, panel);
    }
    study
}

fn judge(study: &mut Study, results: &StudyResults, panel: &str) {
    let places = results.places(panel, GIVEN);
    let halves = |place: f64| {
        let values = results.values(panel, GIVEN, place);
        values.split_at(values.len() / 2)
    };
    let by_first = |one: &&f64, other: &&f64| mean(halves(**one).0).total_cmp(&mean(halves(**other).0));
    let [Some(&best), Some(&worst)] = [places.iter().min_by(by_first), places.iter().max_by(by_first)] else { return };
    let (good, bad) = (halves(best).1, halves(worst).1);
    study.finding(
        &format!("{panel}: some orders are better than others"),
        below(good, bad, 0.0),
        format!(
            "the best {}, the worst {}, the given one {}",
            mean_and_error(good, 4),
            mean_and_error(bad, 4),
            mean_and_error(results.values(panel, GIVEN, 0.0), 4)
        ),
    );
    let chosen = results.values(panel, CHOSEN, 0.0);
    let typical = results.run_means(places.iter().map(|&place| (panel, GIVEN, place)));
    study.finding(
        &format!("{panel}: an order chosen privately is better than a random one"),
        below(chosen, &typical, 0.0),
        format!("{} against {}", mean_and_error(chosen, 4), mean_and_error(&typical, 4)),
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_120_orders_and_the_given_one_is_first() {
        let all = orders();
        assert_eq!(all.len(), 120);
        assert_eq!(all[0], [0, 1, 2, 3, 4]);
        let mut distinct = all.clone();
        distinct.sort();
        distinct.dedup();
        assert_eq!(distinct.len(), 120);
    }
}
