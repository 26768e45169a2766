//! The reason why a position has no verdict.

use serde::Serialize;

use crate::ErrorPlace;

/// The reason why there is no verdict.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct UnjudgedJson {
    /// The error, in a sentence.
    pub error: String,
    /// The error in one word: `missing_table`, `too_many_men` and so on.
    pub reason: String,
    /// The command that builds the missing or damaged table.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// The place of the mistake, if the question has one.
    #[serde(flatten)]
    pub place: ErrorPlace,
}
