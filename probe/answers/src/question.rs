//! The questions.

use makruk_probe::Policy;
use makruk_rules::{Color, Reading};
use serde::Deserialize;

use crate::Field;

/// The fields of questions about a position, but for a perfect player's move: all are read by the same code.
#[derive(Deserialize)]
struct OfPosition {
    fen: Field<Reading>,
    #[serde(default)]
    moves: bool,
    counts: Option<Field<Color>>,
    defence: Option<Field<Policy>>,
    #[serde(default)]
    max_plies: u32,
}

/// Questions about a position, with their other fields.
macro_rules! of_position {
    ($($(#[$about:meta])* $question:ident { $($(#[$about_field:meta])* $field:ident: $type:ty,)* })*) => {$(
        $(#[$about])*
        #[derive(Clone, Debug, Deserialize)]
        #[serde(from = "OfPosition")]
        pub struct $question {
            /// The position.
            pub fen: Field<Reading>,
            $($(#[$about_field])* pub $field: $type,)*
        }

        $(#[$about])*
        impl From<OfPosition> for $question {
            fn from(read: OfPosition) -> $question {
                $question { fen: read.fen, $($field: read.$field),* }
            }
        }
    )*};
}

of_position! {
    /// The question of a position.
    Probe {
        /// Whether the moves are asked for.
        moves: bool,
    }
    /// The question of everything about a position.
    Explore {
        /// The side whose count runs, `white` or `black`; without, the side that does not win.
        counts: Option<Field<Color>>,
    }
    /// The question of the best line.
    Line {
        /// The policy of the side that does not win: `safest` unless it is given.
        defence: Option<Field<Policy>>,
        /// The most plies of the line; 0 or absent for no limit.
        max_plies: u32,
    }
    /// The question of the legal moves, best first, each with the position after it.
    #[cfg(feature = "server")]
    Moves {}
    /// The question of a position with its moves and lines, for people.
    #[cfg(feature = "server")]
    Study {}
    /// The question of the category alone: by the category tables if they decide it.
    Categorise {}
    /// The question of a position and its moves, with the fields of lila-tablebase.
    Lichess {}
    /// The question of the best line, with the fields of lila-tablebase.
    LichessLine {}
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
