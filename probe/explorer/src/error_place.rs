//! The place of a mistake in a request.

use makruk_tables::rules::FenError;
use serde::Serialize;

/// The place of a mistake in a request, for programs that have their own sentence for it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ErrorPlace {
    /// The field that is wrong: of the FEN ([`FenError::FIELDS`]) if one is, else of the request.
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
    /// The place of a mistake in a FEN.
    pub fn of_fen(error: &FenError) -> ErrorPlace {
        ErrorPlace { field: error.field().or(Some("fen")), found: error.found(), column: None }
    }
}
