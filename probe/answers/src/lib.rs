//! Questions about Makruk endings and their answers, for every door: the service, the browser, the command line and
//! the bindings.
//!
//! A question, such as [`Probe`], has the type of its answer: [`Ask`]. A door begins it as an [`Asking`] and continues
//! it step by step. Until it has its answer or a [`Refusal`], the door may look whether anybody still waits, or fetch
//! the bytes that are wanted. What a door says about itself is a [`Door`]: what helps those who ask there, and how many
//! positions it takes. A [`Question`] is any of them, for doors that read JSON.
//!
//! The types of the answers are those of their JSON. Programs match these names; fields may be added, never changed. An
//! absent value is `null`; 0 is a value.

#![forbid(unsafe_code)]

mod any;
mod asking;
mod explored;
mod field;
mod game;
mod game_refusal;
mod game_summary;
mod json;
mod lichess;
mod line;
mod many;
mod parts;
mod position;
mod question;
mod reason;
mod refusal;
mod review;
mod single;
mod step;
#[cfg(feature = "server")]
mod study;
#[cfg(feature = "research")]
mod whole;

pub use any::{Answer, AnyWork, BatchItem, Question};
pub use asking::{Ask, Asking, Work, ask_in_rounds};
pub use explored::{BegunCount, ExploredAnswer, ExploredMove, JudgedInPosition, PositionPart, UnjudgedInPosition};
pub use field::{Field, FieldValue};
pub use game::{GameAnswer, GamePosition, GamesAnswer, PlayedMove};
pub use game_refusal::GameRefusal;
pub use game_summary::{GameSummary, MissingTable, NumberedSummary, Tally};
pub use json::json;
pub use lichess::{LichessLineAnswer, LichessPosition};
#[cfg(feature = "server")]
pub use line::PlayAnswer;
pub use line::{LineAnswer, LineMoveAnswer};
#[cfg(feature = "research")]
pub use makruk_research::Longest;
pub use many::{AnalyseGame, Positions};
pub use position::{
    CategoryAnswer, JudgedMoveAnswer, LegalMoveAnswer, MistakeAnswer, MoveAnswer, PositionAnswer, ProbedAnswer,
    SacrificeAnswer, UnknownMoveAnswer,
};
pub use question::{Analyse, Batch, Categorise, Explore, Lichess, LichessLine, Line, Probe};
#[cfg(feature = "server")]
pub use question::{Moves, Play, Study};
pub use reason::Reason;
pub use refusal::{Door, Problem, Refusal, Remedy};
pub use step::Step;
#[cfg(feature = "server")]
pub use study::{SacrificeStudy, StudyAnswer};
#[cfg(feature = "research")]
pub use whole::{Examples, Materials, SaveStatistics, Statistics, Tables};
