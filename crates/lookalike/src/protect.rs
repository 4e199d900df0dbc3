//! Who is protected: the relation, and the rows that a person may have.

use lookalike_privacy::{Neighbours, Relation};

use crate::error::{Error, SettingError};

/// Rows of one person beyond which nothing is left but noise, and few enough that no sensitivity
/// overflows.
const MOST_CONTRIBUTION: u32 = 100_000;

/// The relation of that name; without one, add-remove.
pub(crate) fn relation(name: Option<&str>) -> Result<Relation, Error> {
    let Some(name) = name else { return Ok(Relation::AddRemove) };
    let unknown =
        || SettingError::UnknownWord { setting: "relation", word: name.into(), known: "add-remove or replace-one" };
    Relation::from_name(name).ok_or_else(|| unknown().into())
}

/// The relation with the rows that a person may have. A unit and a contribution go together.
pub(crate) fn neighbours(
    relation: Relation,
    unit: Option<&str>,
    contribution: Option<u32>,
) -> Result<Neighbours, Error> {
    let rows = match (unit, contribution) {
        (None, None) => 1,
        (Some(_), None) => return Err(SettingError::NoContribution.into()),
        (None, Some(_)) => return Err(SettingError::NoUnit.into()),
        (Some(_), Some(_)) if relation == Relation::ReplaceOne => {
            return Err(SettingError::UnitUnderReplaceOne.into());
        }
        (Some(_), Some(rows)) if rows > MOST_CONTRIBUTION => {
            return Err(SettingError::ContributionTooLarge { rows, most: MOST_CONTRIBUTION }.into());
        }
        (Some(_), Some(rows)) => rows,
    };
    Ok(Neighbours::new(relation, rows)?)
}
