//! The place of a mistake in a request.

use makruk_tables::rules::{CountField, FenError};
use serde::Serialize;

/// The place of a mistake in a request, for programs that have their own sentence for it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ErrorPlace {
    /// The field that is wrong: of the FEN (`board`, `side`, `limit`, `ply`, `fullmove`) if one is, else of the request.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub field: Option<&'static str>,
    /// The text that was found there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub found: Option<String>,
    /// The column of a mistake in a filter, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<usize>,
}

impl ErrorPlace {
    /// The fields of a FEN that errors name.
    pub const FEN_FIELDS: [&'static str; 5] = ["board", "side", "limit", "ply", "fullmove"];

    /// The place of a mistake in a FEN.
    pub fn of_fen(error: &FenError) -> ErrorPlace {
        ErrorPlace { field: Self::fen_field(error).or(Some("fen")), found: Self::found_in_fen(error), column: None }
    }

    /// The field of the FEN that is wrong, if one is.
    pub fn fen_field(error: &FenError) -> Option<&'static str> {
        match error {
            FenError::RankCount { .. }
            | FenError::RankLength { .. }
            | FenError::UnknownLetter { .. }
            | FenError::PromotedMark { .. }
            | FenError::IllegalPosition(_) => Some("board"),
            FenError::MissingSide | FenError::UnknownSide(_) => Some("side"),
            FenError::Count { field: CountField::Limit, .. } => Some("limit"),
            FenError::Count { field: CountField::Ply, .. } => Some("ply"),
            FenError::Fullmove(_) => Some("fullmove"),
            // An empty or long text and surplus fields concern no field; nor do kinds that are added later.
            _ => None,
        }
    }

    /// The wrong text of a FEN; for too few or too many ranks, their number.
    pub fn found_in_fen(error: &FenError) -> Option<String> {
        match error {
            FenError::RankCount { found } => Some(found.to_string()),
            FenError::RankLength { text, .. } => Some(text.clone()),
            FenError::UnknownLetter { letter, .. } => Some(letter.to_string()),
            FenError::UnknownSide(text) | FenError::Fullmove(text) | FenError::ExtraField(text) => Some(text.clone()),
            FenError::Count { found, .. } => Some(found.clone()),
            // Some mistakes concern no text, and kinds may be added.
            _ => None,
        }
    }
}
