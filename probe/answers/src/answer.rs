//! The answers.

#[cfg(feature = "research")]
use makruk_research::{ExampleSaves, MaterialList, SaveTotals, TableList, TableStatistics};
use serde::Serialize;

use crate::{
    CategoryAnswer, ExploredAnswer, GamesAnswer, LichessLineAnswer, LichessPosition, LineAnswer, ProbedAnswer, Refusal,
};
#[cfg(feature = "server")]
use crate::{LineMoveAnswer, PlayAnswer, StudyAnswer};

/// The answer to a question.
#[derive(Debug, Serialize)]
#[serde(untagged)]
#[allow(missing_docs)] // each is named for its question
pub enum Answer {
    Position(Box<ProbedAnswer>),
    Explored(Box<ExploredAnswer>),
    Line(Box<LineAnswer>),
    #[cfg(feature = "server")]
    Play(Box<PlayAnswer>),
    #[cfg(feature = "server")]
    Moves(Vec<LineMoveAnswer>),
    #[cfg(feature = "server")]
    Study(Box<StudyAnswer>),
    Games(GamesAnswer),
    Batch(Vec<BatchItem>),
    Category(CategoryAnswer),
    Lichess(Box<LichessPosition>),
    LichessLine(Box<LichessLineAnswer>),
    #[cfg(feature = "research")]
    Tables(TableList),
    #[cfg(feature = "research")]
    Materials(MaterialList),
    #[cfg(feature = "research")]
    Statistics(Box<TableStatistics>),
    #[cfg(feature = "research")]
    SaveStatistics(Box<SaveTotals>),
    #[cfg(feature = "research")]
    Examples(ExampleSaves),
}

/// One of many positions. A position that fails has an error of its own.
#[derive(Debug, Serialize)]
#[serde(untagged)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum BatchItem {
    /// The position with its verdict.
    Position(Box<ProbedAnswer>),
    /// The position has none.
    Refused(Box<Refusal>),
}
