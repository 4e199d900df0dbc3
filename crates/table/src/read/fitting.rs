//! Where a file has the columns of its table. A table of several files has the columns of the
//! first one, and then what folders say (`files/hive.rs`); the others may have them in another
//! order.

use std::collections::{HashMap, HashSet};

use super::files::PartitionKey;
use super::typed::StoredColumn;
use super::typed::stored::{Meaning, Stored};
use crate::error::{TableError, file_error};

/// Where a column of the table is found.
#[derive(Clone)]
pub(super) enum CellPlace {
    /// In this column of the file.
    Column(usize),
    /// All rows of the file have this cell; `None` when it is missing.
    Same(Option<Vec<u8>>),
}

/// Where a file has the columns of its table.
#[derive(Clone)]
pub(super) struct Fitting {
    places: Vec<CellPlace>,
    /// How many columns the file has.
    width: usize,
    /// Whether the table is several files.
    of_several: bool,
}

impl Fitting {
    /// Of a file that is the whole table.
    pub(super) fn alone(width: usize) -> Self {
        Self { places: (0..width).map(CellPlace::Column).collect(), width, of_several: false }
    }

    /// Of the first file of several: its columns, and then the keys. Gives the table's columns too.
    ///
    /// `Err` when a key is a column of the file, or when a column comes twice.
    pub(super) fn first(
        file: &str,
        names: &[String],
        keys: &[PartitionKey],
    ) -> Result<(Self, Vec<String>), TableError> {
        let mut all = names.to_vec();
        let mut fitting = Self { of_several: true, ..Self::alone(names.len()) };
        let mut seen = HashSet::with_capacity(names.len());
        if let Some(twice) = names.iter().find(|name| !seen.insert(name.as_str())) {
            return Err(file_error(file, format!("has two columns {twice:?}"), "give each column a name of its own"));
        }
        for PartitionKey { column, cell } in keys {
            if all.contains(column) {
                let what = format!("has a column {column:?}, and the folders above it say {column}=... too");
                return Err(file_error(file, what, "leave one of them out"));
            }
            all.push(column.clone());
            fitting.places.push(CellPlace::Same(cell.clone()));
        }
        Ok((fitting, all))
    }

    /// Of a further file, by the names of the columns.
    ///
    /// `Err` when it lacks a column of the table, or has another.
    pub(super) fn further(
        (first, table): (&str, &[String]),
        (file, names): (&str, &[String]),
        keys: &[PartitionKey],
    ) -> Result<Self, TableError> {
        let (own, all) = Self::first(file, names, keys)?;
        let mut places: HashMap<&str, &CellPlace> = all.iter().map(String::as_str).zip(&own.places).collect();
        let found = table.iter().map(|name| {
            places.remove(name.as_str()).cloned().ok_or_else(|| differ(file, format!("has no column {name:?}"), first))
        });
        let found: Vec<CellPlace> = found.collect::<Result<_, _>>()?;
        match all.iter().find(|name| places.contains_key(name.as_str())) {
            Some(name) => Err(differ(file, format!("has a column {name:?}"), first)),
            None => Ok(Self { places: found, ..own }),
        }
    }

    /// Whether the table is several files.
    pub(super) fn is_of_several(&self) -> bool {
        self.of_several
    }

    /// The number of the table's columns.
    pub(super) fn columns(&self) -> usize {
        self.places.len()
    }

    /// The file's column that holds this column of the table.
    pub(super) fn column(&self, of_table: usize) -> Option<usize> {
        match self.places[of_table] {
            CellPlace::Column(column) => Some(column),
            CellPlace::Same(_) => None,
        }
    }

    /// The cell that all rows have in this column of the table, empty when it is missing.
    pub(super) fn same(&self, of_table: usize) -> Option<&[u8]> {
        match &self.places[of_table] {
            CellPlace::Column(_) => None,
            CellPlace::Same(cell) => Some(cell.as_deref().unwrap_or_default()),
        }
    }

    /// For each column of the file, what `slots` says of it as a column of the table.
    pub(super) fn slots<T: Copy>(&self, slots: &[T], none: T) -> Vec<T> {
        let mut own = vec![none; self.width];
        for (place, &slot) in self.places.iter().zip(slots) {
            if let CellPlace::Column(column) = place {
                own[*column] = slot;
            }
        }
        own
    }

    /// These columns of the table, with `stored` giving those that the file has.
    pub(super) fn typed<'f, C>(
        &'f self,
        of_table: impl Iterator<Item = usize>,
        mut stored: impl Iterator<Item = C>,
    ) -> Vec<FittedColumn<'f, C>> {
        let fitted = of_table.filter_map(|column| match &self.places[column] {
            CellPlace::Column(_) => stored.next().map(FittedColumn::Stored),
            CellPlace::Same(cell) => Some(FittedColumn::Same(cell.as_deref())),
        });
        fitted.collect()
    }
}

fn differ(file: &str, what: String, first: &str) -> TableError {
    file_error(file, format!("{what}, unlike {first}"), "all files of a table must have the same columns")
}

/// A column of a typed file, or the cell that all rows have.
pub(super) enum FittedColumn<'f, C> {
    Stored(C),
    Same(Option<&'f [u8]>),
}

impl<C: StoredColumn> StoredColumn for FittedColumn<'_, C> {
    fn meaning(&self) -> Meaning {
        match self {
            Self::Stored(column) => column.meaning(),
            Self::Same(_) => Meaning::Text,
        }
    }

    fn read(&mut self, rows: usize, mut each: impl FnMut(Stored<'_>)) -> Result<(), TableError> {
        match self {
            Self::Stored(column) => column.read(rows, each),
            Self::Same(cell) => {
                (0..rows).for_each(|_| each(cell.map_or(Stored::Missing, Stored::Bytes)));
                Ok(())
            }
        }
    }
}
