//! Tables that would make the junction tree too large, summed onto fewer of their columns.

use lookalike_model::{Factor, JunctionTree, MeasuredClique};
use lookalike_schema::{AttrId, Clique, Domain, ImpossibleRule};

use super::answers::{Answers, Table};
use crate::MethodError;

/// Makes tables narrower, one after the other, until a tree of all has at most `most` cells. The
/// number of tables that lost columns.
///
/// Sums of what was bought are post-processing. What a table says of fewer columns is worth more
/// than a model that holds all columns but only roughly: on a hundred columns a mixture of products
/// was farther from the rows than columns alone.
pub(super) fn narrow(
    answers: &mut Answers,
    domain: &Domain,
    rules: &[ImpossibleRule],
    most: u64,
) -> Result<usize, MethodError> {
    let mut tree = JunctionTree::new(domain, &[], rules)?;
    let mut whole: Vec<Table> = Vec::new();
    for table in &mut answers.tables {
        let kept = widest(&tree, &table.clique, most)?;
        tree.add(&kept)?;
        if kept != table.clique {
            let narrower = table.summed_onto(domain, &kept)?;
            whole.push(std::mem::replace(table, narrower));
        }
    }
    // Every column is still told of, by its own counts at least.
    for attribute in domain.attributes() {
        let holds = |table: &&Table| table.clique.contains(attribute);
        if answers.tables.iter().any(|table| holds(&table)) {
            continue;
        }
        let noise = |table: &&Table| table.variance * table.values.len() as f64;
        if let Some(best) = whole.iter().filter(holds).min_by(|a, b| noise(a).total_cmp(&noise(b))) {
            answers.tables.push(best.summed_onto(domain, &Clique::single(attribute))?);
        }
    }
    let covered = |table: &Table| MeasuredClique { clique: table.clique.clone(), variance: table.variance };
    answers.coverage = answers.tables.iter().map(covered).collect();
    Ok(whole.len())
}

impl Table {
    /// Its counts of fewer columns.
    fn summed_onto(&self, domain: &Domain, kept: &Clique) -> Result<Self, MethodError> {
        let sums = Factor::new(domain, &self.clique, self.values.clone())?.sum_onto(kept).into_values();
        let variance = self.variance * (self.values.len() / sums.len().max(1)) as f64;
        Ok(Self { clique: kept.clone(), values: sums, variance })
    }
}

/// The clique, or what is left of it when one column after the other is taken out until the tree
/// has room: of those that leave room the one whose going costs fewest cells, else the one with
/// most values.
fn widest(tree: &JunctionTree, clique: &Clique, most: u64) -> Result<Clique, MethodError> {
    let domain = tree.domain();
    let mut kept = clique.clone();
    while kept.len() > 1 && !tree.has_room_for(&kept, most)? {
        let mut without: Vec<Clique> = kept.attributes().iter().map(|&out| less(&kept, out)).collect();
        without.sort_by_key(|set| std::cmp::Reverse(domain.cells(set)));
        let mut roomy = None;
        for set in &without {
            if tree.has_room_for(set, most)? {
                roomy = Some(set.clone());
                break;
            }
        }
        kept = roomy.or_else(|| without.pop()).unwrap_or_else(|| Clique::new([]));
    }
    Ok(kept)
}

fn less(clique: &Clique, out: AttrId) -> Clique {
    Clique::new(clique.attributes().iter().copied().filter(|&attribute| attribute != out))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clique(members: &[u32]) -> Clique {
        Clique::new(members.iter().copied().map(AttrId))
    }

    fn table(domain: &Domain, members: &[u32]) -> Table {
        let cells = domain.cells(&clique(members)).unwrap();
        Table { clique: clique(members), values: (0..cells).map(|cell| cell as f64).collect(), variance: 2.0 }
    }

    #[test]
    fn sums_are_over_the_right_columns() {
        let domain = Domain::new(vec![2, 3, 2]);
        let all = table(&domain, &[0, 1, 2]);
        let onto = |members: &[u32]| all.summed_onto(&domain, &clique(members)).unwrap().values;
        assert_eq!(onto(&[1]), [0.0 + 1.0 + 6.0 + 7.0, 2.0 + 3.0 + 8.0 + 9.0, 30.0]);
        assert_eq!(onto(&[0, 2]), [6.0, 9.0, 24.0, 27.0]);
        assert_eq!(onto(&[0, 1, 2]), all.values);
    }

    #[test]
    fn the_tree_stays_small_and_what_fits_stays_whole() {
        let domain = Domain::new(vec![10; 8]);
        // All pairs: a tree of them would hold 10^8 cells.
        let pairs = (0..8).flat_map(|a| (a + 1..8).map(move |b| [a, b]));
        let tables: Vec<Table> = pairs.map(|pair| table(&domain, &pair)).collect();
        let coverage = |table: &Table| MeasuredClique { clique: table.clique.clone(), variance: table.variance };
        let coverage = tables.iter().map(coverage).collect();
        let mut answers = Answers { rows: 100.0, tables, coverage };
        let narrowed = narrow(&mut answers, &domain, &[], 20_000).unwrap();
        assert_eq!(answers.tables.len(), 28);
        let cliques: Vec<Clique> = answers.tables.iter().map(|table| table.clique.clone()).collect();
        assert!(JunctionTree::new(&domain, &cliques, &[]).unwrap().cells() <= 20_000);
        let whole = cliques.iter().filter(|clique| clique.len() == 2).count();
        assert_eq!(whole + narrowed, 28);
        assert!(whole >= 7, "a chain of pairs always fits, {whole} are left");
        for (table, covered) in answers.tables.iter().zip(&cliques) {
            assert!(answers.coverage.iter().any(|other| other.clique == *covered && other.variance == table.variance));
            assert_eq!(table.values.iter().sum::<f64>(), 4950.0);
            assert_eq!(table.variance, if covered.len() == 2 { 2.0 } else { 20.0 });
        }
        // One table, and no room for it: its columns stand alone.
        let mut one = Answers { rows: 1.0, tables: vec![table(&domain, &[0, 1, 2])], coverage: Vec::new() };
        assert_eq!(narrow(&mut one, &domain, &[], 0).unwrap(), 1);
        for column in 0..3 {
            let alone = one.tables.iter().find(|table| table.clique == clique(&[column])).unwrap();
            assert_eq!((alone.values.len(), alone.variance, alone.values.iter().sum::<f64>()), (10, 200.0, 499_500.0));
        }
        let mut same = Answers { rows: 1.0, tables: vec![table(&domain, &[0, 1])], coverage: Vec::new() };
        assert_eq!(narrow(&mut same, &domain, &[], 1 << 20).unwrap(), 0);
    }
}
