//! A paid batch: from one receipt to the looks it pays for.

use lookalike_privacy::Receipt;
use lookalike_schema::{Clique, Domain, View};

use crate::{Cancel, CountTable, Counts, CuratorError, Permit};

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

    /// Counts the next piece: as many cliques as have at most `most_cells` cells together, and at
    /// least one. `None` when everything has been looked at.
    pub fn look(
        &mut self,
        counts: &dyn Counts,
        view: &View,
        most_cells: u64,
        cancel: &Cancel,
    ) -> Result<Option<Piece>, CuratorError> {
        if self.looked == self.cliques.len() {
            return Ok(None);
        }
        if cancel.is_cancelled() {
            return Err(CuratorError::Cancelled);
        }
        let first = self.looked;
        let piece = &self.cliques[first..first + self.piece_length(view.domain(), most_cells)];
        self.looked += piece.len();
        let tables = counts.count(piece, view.derived(), Permit::new(piece.len()), cancel)?;
        check_form(&tables, piece, view.domain())?;
        Ok(Some(Piece { first, tables }))
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
