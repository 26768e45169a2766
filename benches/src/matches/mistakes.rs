//! The moves of a match that gave a win or a draw away, by the tables.

use std::fmt;

use anyhow::{Context, Result};
use makruk_probe::judge::Category;
use makruk_probe::{Inventory, Prober};
use makruk_tables::rules::{CountingRules, Fen, Move};

use super::record::Results;

/// The moves of an engine in positions that the tables cover.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mistakes {
    /// Moves made in covered positions.
    pub moves: u64,
    /// Moves that turned a win into a draw or a loss.
    pub wins_lost: u64,
    /// The moves among them after which the position is still won without the count.
    pub wins_lost_to_count: u64,
    /// Moves that turned a draw into a loss.
    pub draws_lost: u64,
    /// Games with a mistake.
    pub games: u64,
    /// Games in which the engine had a cursed win.
    pub cursed: u64,
    /// The games among them that it won anyway.
    pub cursed_won: u64,
}

impl fmt::Display for Mistakes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} moves in the tables, {} wins given away ({} by the count alone), {} draws lost, in {} games; \
             {} games with a win that the count draws, {} won all the same",
            self.moves,
            self.wins_lost,
            self.wins_lost_to_count,
            self.draws_lost,
            self.games,
            self.cursed,
            self.cursed_won
        )
    }
}

/// The mistakes of both engines.
///
/// # Errors
///
/// If a game cannot be replayed, or a table cannot be read.
pub fn mistakes(results: &Results, prober: &Prober, tables: &Inventory) -> Result<[Mistakes; 2]> {
    let men = tables.largest() as u32;
    let mut all = [Mistakes::default(); 2];
    for game in results.games() {
        let mut fen = Fen::parse(&game.fen)?;
        let (mut seen, mut cursed) = ([false; 2], [false; 2]);
        for (ply, text) in game.moves.split_ascii_whitespace().enumerate() {
            let mv = Move::from_uci(&fen.position, text).with_context(|| format!("pair {}", game.pair))?;
            let after = fen.play(&CountingRules::MAKRUK, mv);
            let board = fen.position.board();
            if board.men() <= men && !board.has_pawns() {
                let engine = (ply + game.game) % 2;
                let tally = &mut all[engine];
                let (before, now) = (prober.category(&fen)?, prober.category(&after)?.flip());
                tally.moves += 1;
                let lost_win = before == Category::Win && now != Category::Win;
                tally.wins_lost += u64::from(lost_win);
                tally.wins_lost_to_count += u64::from(lost_win && now == Category::CursedWin);
                let lost_draw = before.is_drawn() && now == Category::Loss;
                tally.draws_lost += u64::from(lost_draw);
                seen[engine] |= lost_win || lost_draw;
                cursed[engine] |= before == Category::CursedWin;
            }
            fen = after;
        }
        for engine in 0..2 {
            let won = game.half_points == if engine == 0 { 2 } else { 0 };
            all[engine].games += u64::from(seen[engine]);
            all[engine].cursed += u64::from(cursed[engine]);
            all[engine].cursed_won += u64::from(cursed[engine] && won);
        }
    }
    Ok(all)
}
