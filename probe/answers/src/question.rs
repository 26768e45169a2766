//! The questions.

use makruk_probe::Policy;
use makruk_rules::{Color, Reading};
use serde::Deserialize;

use crate::Field;

/// The question of a position.
#[derive(Clone, Debug, Deserialize)]
pub struct Probe {
    /// The position.
    pub fen: Field<Reading>,
    /// Whether the moves are asked for.
    #[serde(default)]
    pub moves: bool,
}

/// The question of everything about a position.
#[derive(Clone, Debug, Deserialize)]
pub struct Explore {
    /// The position.
    pub fen: Field<Reading>,
    /// The side whose count runs, `white` or `black`; without, the side that does not win.
    pub counts: Option<Field<Color>>,
}

/// The question of the best line.
#[derive(Clone, Debug, Deserialize)]
pub struct Line {
    /// The position.
    pub fen: Field<Reading>,
    /// The policy of the side that does not win: `safest` unless it is given.
    pub defence: Option<Field<Policy>>,
    /// The most plies of the line; 0 or absent for no limit.
    #[serde(default)]
    pub max_plies: u32,
}

/// The question of a perfect player's move.
#[cfg(feature = "server")]
#[derive(Clone, Debug, Deserialize)]
pub struct Play {
    /// The position.
    pub fen: Field<Reading>,
    /// The policy of the player: `safest` unless it is given.
    pub policy: Option<Field<Policy>>,
}

/// Games to analyse.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "GamesRequest"))]
pub struct Analyse {
    /// The games: PGN, or moves in Latin or Thai notation or as squares. By default at most 1,000 positions in all.
    pub pgn: String,
    /// The FEN of the position from which moves without any tag are played, unless they get further from the initial
    /// array.
    pub from: Option<Reading>,
    /// Whether board's honour is counted only if a game's FEN has the count. Otherwise a game without one is judged as
    /// if it was counted as soon as no pawn was left.
    #[serde(default)]
    pub unclaimed: bool,
}

/// Positions to probe.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "BatchRequest"))]
pub struct Batch {
    /// The positions, by default at most 1,000.
    pub fens: Vec<Field<Reading>>,
    /// Whether to list the legal moves of each.
    #[serde(default)]
    pub moves: bool,
}

/// The field of a question about a position alone. All of these are read by the same code.
#[derive(Deserialize)]
struct Alone {
    fen: Field<Reading>,
}

/// Questions about a position alone.
macro_rules! alone {
    ($($(#[$about:meta])* $question:ident;)*) => {$(
        $(#[$about])*
        #[derive(Clone, Debug, Deserialize)]
        #[serde(from = "Alone")]
        pub struct $question {
            /// The position.
            pub fen: Field<Reading>,
        }

        $(#[$about])*
        impl From<Alone> for $question {
            fn from(Alone { fen }: Alone) -> $question {
                $question { fen }
            }
        }
    )*};
}

alone! {
    /// The question of the legal moves, best first, each with the position after it.
    #[cfg(feature = "server")]
    Moves;
    /// The question of a position with its moves and lines, for people.
    #[cfg(feature = "server")]
    Study;
    /// The question of the category alone: by the category tables if they decide it.
    Categorise;
    /// The question of a position and its moves, with the fields of lila-tablebase.
    Lichess;
    /// The question of the best line, with the fields of lila-tablebase.
    LichessLine;
}
