//! The questions that the module answers.

use makruk_tables::rules::Fen;
use serde::Deserialize;

/// A question, as JSON: `{"ask": "explore", "fen": "..."}`.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "ask", rename_all = "snake_case", deny_unknown_fields)]
pub enum Question {
    /// A position with its verdict; with `moves`, the moves too. The answer is that of `query --json`.
    Probe {
        /// The position.
        fen: String,
        /// Whether the moves are asked for.
        #[serde(default)]
        moves: bool,
    },
    /// Everything that a page shows about a position. The answer is that of the service's `/v1/explore`.
    Explore {
        /// The position.
        fen: String,
        /// The side whose count runs: `white` or `black`.
        #[serde(default)]
        counts: Option<String>,
    },
    /// The best line. The answer is that of the service's `/v1/line`.
    Line {
        /// The position.
        fen: String,
        /// The most plies of the line; 0 or absent for no limit.
        #[serde(default)]
        max_plies: usize,
        /// The policy of the side that does not win: `safest` unless it is given.
        #[serde(default)]
        defence: Option<String>,
    },
    /// Whole games. The answer is that of the service's `/v1/analyse`.
    Analyse {
        /// The games.
        pgn: String,
        /// The position from which moves without any tag are played, unless they get further from the array.
        #[serde(default)]
        from: Option<Fen>,
    },
    /// Many positions. The answer is that of the service's `/v1/batch`.
    Batch {
        /// The positions.
        fens: Vec<String>,
        /// Whether the moves are asked for.
        #[serde(default)]
        moves: bool,
    },
    /// The category alone, by the category tables, for a count that begins now.
    Category {
        /// The position; its count is ignored.
        fen: String,
    },
}
