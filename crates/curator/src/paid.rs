//! A paid batch: from one receipt to the looks it pays for.

use std::collections::HashMap;

use lookalike_privacy::Receipt;
use lookalike_schema::{Clique, Domain, View};

use crate::kept::KeptTables;
use crate::{Cancel, CountTable, Counts, CuratorError, Permit};

/// What a look needs: who counts, the columns, and what earlier looks have left.
pub(crate) struct Lookout<'a> {
    pub counts: &'a dyn Counts,
    pub view: &'a View,
    pub kept: &'a mut KeptTables,
    /// Goes up by one with each pass over the rows.
    pub passes: &'a mut u64,
    pub cancel: &'a Cancel,
}

/// The cliques that one durable charge paid for, and how far they have been looked at.
///
/// A batch may be too large to count in one piece. The receipt stays in here, and permits are made
/// for one piece at a time, in order, never twice for the same clique: the mark moves on before the
/// engine is asked, so that even a failed look is used up. Every table that comes out was therefore
/// paid for, once.
pub(crate) struct PaidBatch<'a> {
    _receipt: Receipt,
    cliques: &'a [Clique],
    looked: usize,
}

/// One counted piece of a batch.
pub(crate) struct Piece {
    /// The place of the first table's clique in the batch.
    pub first: usize,
    /// The exact counts, checked to be of the right form.
    pub tables: Vec<CountTable>,
}

impl<'a> PaidBatch<'a> {
    /// Binds a receipt to the cliques that the charged queries are about.
    pub fn new(receipt: Receipt, cliques: &'a [Clique]) -> Self {
        Self { _receipt: receipt, cliques, looked: 0 }
    }

    /// Looks at the next piece: as many cliques as have at most `most_cells` cells together, and at
    /// least one. Only what no earlier look has left is counted. `None` when everything has been
    /// looked at.
    pub fn look(&mut self, lookout: &mut Lookout<'_>, most_cells: u64) -> Result<Option<Piece>, CuratorError> {
        if self.looked == self.cliques.len() {
            return Ok(None);
        }
        if lookout.cancel.is_cancelled() {
            return Err(CuratorError::Cancelled);
        }
        let first = self.looked;
        let piece = &self.cliques[first..first + self.piece_length(lookout.view.domain(), most_cells)];
        self.looked += piece.len();
        Ok(Some(Piece { first, tables: lookout.tables(piece)? }))
    }

    fn piece_length(&self, domain: &Domain, most_cells: u64) -> usize {
        let mut cells = 0u64;
        let fitting = self.cliques[self.looked..].iter().take_while(|clique| {
            cells = cells.saturating_add(domain.cells(clique).unwrap_or(u64::MAX));
            cells <= most_cells
        });
        fitting.count().max(1)
    }
}

impl Lookout<'_> {
    /// The tables of a piece that is paid for.
    pub(crate) fn tables(&mut self, piece: &[Clique]) -> Result<Vec<CountTable>, CuratorError> {
        let missing = self.kept.missing(piece, self.view);
        let mut counted = if missing.is_empty() { Vec::new() } else { self.count(&missing)? };
        let places: HashMap<&Clique, usize> = missing.iter().enumerate().map(|(place, it)| (it, place)).collect();
        let mut uses = vec![0usize; missing.len()];
        // What is kept is copied before anything is let go for what is new.
        let mut known = Vec::with_capacity(piece.len());
        for clique in piece {
            known.push(match places.get(clique) {
                Some(&place) => {
                    uses[place] += 1;
                    None
                }
                None => Some(self.kept.get(clique, self.view).ok_or_else(lost)?),
            });
        }
        missing.iter().zip(&counted).for_each(|(clique, table)| self.kept.keep(clique, table, self.view));
        let answers = piece.iter().zip(known).map(|(clique, known)| match (known, places.get(clique)) {
            (Some(table), _) => Ok(table),
            (None, None) => Err(lost()),
            (None, Some(&place)) => {
                uses[place] -= 1;
                let table = &mut counted[place];
                Ok(if uses[place] > 0 { table.copied() } else { std::mem::replace(table, CountTable::Dense(vec![])) })
            }
        });
        answers.collect()
    }

    /// One pass over the rows.
    fn count(&mut self, cliques: &[Clique]) -> Result<Vec<CountTable>, CuratorError> {
        *self.passes += 1;
        let permit = Permit::new(cliques.len());
        let tables = self.counts.count(cliques, self.view.derived(), permit, self.cancel)?;
        check_form(&tables, cliques, self.view.domain())?;
        Ok(tables)
    }
}

fn lost() -> CuratorError {
    CuratorError::Engine { what: "a table that was kept is gone".into() }
}

/// An engine that answers another question than the asked one is refused before its counts are
/// used.
fn check_form(tables: &[CountTable], cliques: &[Clique], domain: &Domain) -> Result<(), CuratorError> {
    let fits = |(table, clique): (&CountTable, &Clique)| domain.cells(clique).is_some_and(|cells| table.fits(cells));
    if tables.len() == cliques.len() && tables.iter().zip(cliques).all(fits) {
        Ok(())
    } else {
        Err(CuratorError::Engine { what: "the counts do not have the form that was asked for".into() })
    }
}
