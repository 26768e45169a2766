//! The summary of a game.

use std::collections::BTreeSet;
use std::sync::Arc;

use makruk_probe::{ProbeError, Reason as Failure};
use makruk_rules::{ByColor, REPETITIONS_TO_DRAW};
use makruk_tables::material::Material;
use serde::Serialize;

use crate::{GamePosition, MistakeAnswer, Reason, Refusal};

/// The summary of a game, with the game's number.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NumberedSummary {
    /// The number of the game, from 1.
    pub game: usize,
    /// The summary.
    pub summary: GameSummary,
}

/// The summary of a game.
#[derive(Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GameSummary {
    /// The number of positions.
    pub positions: usize,
    /// The positions with a verdict.
    pub covered: usize,
    /// The positions with too many men for the tables.
    pub too_many_men: usize,
    /// The missing tables, in the order of their materials.
    pub missing: Vec<MissingTable>,
    /// The errors of damaged tables, with their files.
    pub damaged: BTreeSet<String>,
    /// The errors of tables that could not be read now, with their files.
    pub unreadable: BTreeSet<String>,
    /// The mistakes of each side.
    pub gave_away: ByColor<Tally>,
    /// The plies before the first position that occurred for the third time, which draws the game; `null` if none did.
    pub third_repetition_ply: Option<usize>,
    /// Notes in sentences: parts of the text that were dropped or assumed, a count that is supposed, a result that is
    /// not the board's. Left out if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// A table that the positions of a game lack.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MissingTable {
    /// The material.
    pub material: Material,
    /// The positions that lack it.
    pub positions: u32,
    /// The command that builds it.
    pub command: String,
    /// The failure of the prober, for those who are told how to build it.
    #[serde(skip)]
    pub cause: Option<Arc<ProbeError>>,
}

/// The mistakes of a side.
#[derive(Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Tally {
    /// The moves that gave away a win.
    pub wins: u32,
    /// The moves that gave away a draw.
    pub draws: u32,
    /// The moves that gave away time.
    pub slow_moves: u32,
    /// The moves lost by those.
    pub moves_lost: u32,
}

impl GameSummary {
    /// The summary of a game's positions, with the notes on its text.
    pub fn new(positions: &[GamePosition], notes: &[String]) -> GameSummary {
        let third = positions.iter().find(|at| at.occurrence == REPETITIONS_TO_DRAW);
        let mut summary = GameSummary {
            positions: positions.len(),
            third_repetition_ply: third.map(|at| at.ply),
            notes: notes.to_vec(),
            ..GameSummary::default()
        };
        for at in positions {
            summary.covered += usize::from(at.position.verdict().is_some());
            if let Some(played) = at.judged_move() {
                let MistakeAnswer { gave_away, lost_moves } = played.mistake;
                let gave = |what| u32::from(gave_away == Some(what));
                let tally = &mut summary.gave_away[at.position.fen().position.turn()];
                tally.wins += gave("win");
                tally.draws += gave("draw");
                tally.slow_moves += gave("time");
                tally.moves_lost += lost_moves.unwrap_or_default();
            }
            if let Some(refusal) = &at.unjudged {
                summary.skip(refusal);
            }
        }
        summary.missing.sort_by_key(|table| table.material);
        summary
    }

    /// Adds a position that the tables do not cover.
    fn skip(&mut self, refusal: &Refusal) {
        match (refusal.reason, refusal.table(), refusal.unread_table()) {
            (Reason::Probe(Failure::MissingTable), Some(id), _) => {
                let (material, cause) = (id.material, refusal.cause.clone());
                let command = Refusal::build_command(material);
                match self.missing.iter_mut().find(|table| table.material == material) {
                    Some(table) => table.positions += 1,
                    None => self.missing.push(MissingTable { material, positions: 1, command, cause }),
                }
            }
            (Reason::Probe(Failure::CorruptTable), _, Some(error)) => drop(self.damaged.insert(error)),
            (.., Some(error)) => drop(self.unreadable.insert(error)),
            _ => self.too_many_men += 1,
        }
    }
}
