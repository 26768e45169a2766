//! Moves without a verdict in a position that has one.

use makruk_probe::ProbeError;
use makruk_tables::rules::{Move, Position};
use serde::Serialize;

use crate::{LegalMoveAnswer, Reason, Refusal, Remedy};

/// A legal move whose value is unknown, since a table is missing or cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "UnknownMove"))]
pub struct UnknownMoveAnswer {
    /// The move.
    #[serde(flatten)]
    pub mv: LegalMoveAnswer,
    /// The table, such as `KRvK.dtm`.
    pub table: String,
    /// The reason in a sentence, for people.
    pub error: String,
    /// The reason, for programs.
    pub reason: Reason,
    /// The command that builds the table, where one does; left out otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
}

impl UnknownMoveAnswer {
    /// A move made in `root`, and the failure of its table.
    pub(crate) fn new(root: &Position, (mv, error): (Move, ProbeError), remedy: Remedy) -> UnknownMoveAnswer {
        let Refusal { table, error, reason, command, .. } = Refusal::of(error, remedy);
        let table = table.map(|id| id.to_string()).unwrap_or_default();
        UnknownMoveAnswer { mv: LegalMoveAnswer::new(root, mv), table, error, reason, command }
    }
}
