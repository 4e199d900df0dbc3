//! What a column is found to be.

use lookalike_schema::discover::NumberText;
use lookalike_schema::{FoundColumn, Reading, Wish};

/// How numbers are written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Style {
    Plain,
    /// Whole ones have a decimal behind the mark, too: 517.0.
    Pointed,
    /// As a format says: $1,234.50.
    Dressed(String),
}

/// What a column is.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum FoundType {
    Whole(Style),
    /// With decimals, where they are few.
    Number(Option<u8>, Style),
    /// A pair of truth words.
    Truth(usize),
    /// A pattern or ISO 8601, and whether there is a time of day.
    Date(Option<String>, bool),
    /// Times of day in a format.
    Time(&'static str),
    Category,
}

impl FoundType {
    /// The type that a wish for something else states.
    pub(crate) fn stated(wish: &Wish) -> Option<Self> {
        match wish {
            Wish::Nothing | Wish::Type => None,
            Wish::Integers => Some(Self::Whole(Style::Plain)),
            Wish::Numbers => Some(Self::Number(None, Style::Plain)),
            Wish::Dates(pattern, timed) => Some(Self::Date(pattern.clone(), *timed)),
            Wish::Values => Some(Self::Category),
        }
    }

    /// How numbers are written, where it is not the plain way.
    pub(crate) fn format(&self, text: &NumberText) -> Option<String> {
        match self {
            Self::Whole(Style::Pointed) | Self::Number(_, Style::Pointed) => {
                Some(format!("#{}0", char::from(text.mark())))
            }
            Self::Whole(Style::Dressed(format)) | Self::Number(_, Style::Dressed(format)) => Some(format.clone()),
            _ => None,
        }
    }

    /// How cells are to be read, where their format was found: by one reader of numbers that have
    /// something around them, and plain ones.
    pub(crate) fn number_text(&self, mark: u8) -> Option<NumberText> {
        match self {
            Self::Whole(Style::Dressed(format)) | Self::Number(_, Style::Dressed(format)) => {
                Some(NumberText::dressed(mark, format))
            }
            _ => None,
        }
    }

    /// What needs no slot.
    pub(crate) fn without_slots(&self) -> Option<FoundColumn> {
        match self {
            Self::Truth(pair) => Some(FoundColumn::Boolean(Reading::truth_words(*pair).map(str::to_owned))),
            // Every clock has the same range.
            Self::Time(format) => Some(FoundColumn::Time((*format).to_owned())),
            _ => None,
        }
    }
}
