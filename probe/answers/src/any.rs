//! Any question, and its answer.

use makruk_probe::Attempt;
use makruk_rules::Reading;
use serde::{Deserialize, Serialize};

use crate::asking::{Ask, Work, questions};
use crate::question::{Analyse, Batch, Categorise, Explore, Lichess, LichessLine, Line, Probe};
#[cfg(feature = "server")]
use crate::question::{Moves, Play, Study};
#[cfg(feature = "research")]
use crate::whole::{Examples, Materials, SaveStatistics, Statistics, Tables};
use crate::{Door, Field, ProbedAnswer, Refusal, Step};

/// Questions, with their names in JSON.
macro_rules! any {
    ($($(#[$feature:meta])? $question:ident = $name:literal),*) => {
        /// A question, as JSON: `{"explore": {"fen": "..."}}`.
        #[derive(Clone, Debug, Deserialize)]
        #[allow(missing_docs)] // each is the question of its name
        pub enum Question {
            $($(#[$feature])? #[serde(rename = $name)] $question($question)),*
        }

        /// The answer to a question.
        #[derive(Debug, Serialize)]
        #[serde(untagged)]
        #[allow(missing_docs)] // each is named for its question
        pub enum Answer {
            $($(#[$feature])? $question(<$question as Ask>::Answer)),*
        }

        /// A question under way.
        #[derive(Debug)]
        #[allow(missing_docs)] // each is named for its question
        pub enum AnyWork {
            $($(#[$feature])? $question(<$question as Ask>::Work)),*
        }

        impl Work for AnyWork {
            type Answer = Answer;

            fn go_on(&mut self, prober: &impl Attempt, door: Door, goes_on: &dyn Fn() -> bool) -> Step<Answer> {
                match self {
                    $($(#[$feature])?
                    AnyWork::$question(work) => work.go_on(prober, door, goes_on).map(Answer::$question)),*
                }
            }

            fn rewind(&mut self) {
                match self {
                    $($(#[$feature])? AnyWork::$question(work) => work.rewind()),*
                }
            }
        }

        impl AnyWork {
            fn begin(question: Question, door: Door) -> Result<AnyWork, Box<Refusal>> {
                Ok(match question {
                    $($(#[$feature])? Question::$question(question) => AnyWork::$question(question.begin(door)?)),*
                })
            }
        }

        $($(#[$feature])?
        impl From<$question> for Question {
            fn from(question: $question) -> Question {
                Question::$question(question)
            }
        })*
    };
}

any! {
    Probe = "probe",
    Explore = "explore",
    Line = "line",
    #[cfg(feature = "server")]
    Play = "play",
    #[cfg(feature = "server")]
    Moves = "moves",
    #[cfg(feature = "server")]
    Study = "study",
    Analyse = "analyse",
    Batch = "batch",
    Categorise = "category",
    Lichess = "lichess",
    LichessLine = "lichess_line",
    #[cfg(feature = "research")]
    Tables = "tables",
    #[cfg(feature = "research")]
    Materials = "materials",
    #[cfg(feature = "research")]
    Statistics = "statistics",
    #[cfg(feature = "research")]
    SaveStatistics = "save_statistics",
    #[cfg(feature = "research")]
    Examples = "examples"
}

questions! {
    Question => Answer, AnyWork, AnyWork::begin;
}

impl Question {
    /// The position, if it is about one.
    pub fn position(&self) -> Option<&Field<Reading>> {
        match self {
            Question::Probe(Probe { fen, .. })
            | Question::Explore(Explore { fen, .. })
            | Question::Line(Line { fen, .. })
            | Question::Categorise(Categorise { fen })
            | Question::Lichess(Lichess { fen })
            | Question::LichessLine(LichessLine { fen }) => Some(fen),
            #[cfg(feature = "server")]
            Question::Play(Play { fen, .. }) | Question::Moves(Moves { fen }) | Question::Study(Study { fen }) => {
                Some(fen)
            }
            _ => None,
        }
    }
}

/// One of many positions. A position that fails has an error of its own.
#[derive(Debug, Serialize)]
#[serde(tag = "status", rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum BatchItem {
    /// The position with its verdict.
    Judged(Box<ProbedAnswer>),
    /// The position has none.
    Refused(Box<Refusal>),
}
