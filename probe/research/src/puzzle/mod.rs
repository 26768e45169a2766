//! Puzzles: positions in which one move alone keeps the result, at every move of the solution.
//!
//! A puzzle is proved by the tables: each move of the side that solves is the only one that wins under the count, or
//! the only one that draws. The other side answers a win by the move that lasts the longest, and a save by the move
//! after which the fewest replies draw. The solution ends with the mate or with the move that settles the count, or
//! before the first of the solver's moves that has an equal.
//!
//! Positions are drawn at random from a material, or come from games. No two puzzles are images of each other; of those
//! with the same theme and the same last moves only the best is kept. The same tables and the same seed give the same
//! puzzles.

mod draw;
mod format;
mod key;
mod solve;
mod theme;

use makruk_probe::{LineMove, ProbeError, Prober, ValueSource};
use makruk_rules::{Count, Fen};
use makruk_tables::material::Material;

pub use draw::{PuzzleSettings, puzzles, rank_puzzles};
pub use format::PuzzleFormat;
pub use key::PuzzleKey;
pub use theme::PuzzleTheme;

use solve::Solved;

/// A puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Puzzle {
    /// Equal for positions that are images of each other.
    pub key: PuzzleKey,
    /// The theme.
    pub theme: PuzzleTheme,
    /// The position with the side that solves to move, and the count that runs.
    pub fen: Fen,
    /// The solution; its first and last moves are of the side that solves.
    pub solution: Vec<LineMove>,
    /// The number of legal moves in the position.
    pub legal: usize,
    /// The natural first moves that fail: captures, checks, and flights of a man from an attack.
    pub tries: usize,
    /// How much of the solution an engine finds.
    pub difficulty: Option<Difficulty>,
}

/// How much of a solution an engine finds, for each number of nodes: the moves of the side that solves, up to the first
/// that is not found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difficulty {
    /// Nodes of each search, ascending, and the moves found.
    pub found: Vec<(u64, usize)>,
}

impl Puzzle {
    /// The puzzle that a position is, if it is one: its material has a table, and one move alone keeps the result.
    ///
    /// # Errors
    ///
    /// If a table is missing or damaged.
    pub fn of<S: ValueSource>(prober: &Prober<S>, fen: &Fen) -> Result<Option<Puzzle>, ProbeError> {
        let Some(key) = PuzzleKey::of(&fen.position) else { return Ok(None) };
        let root = with_count(prober, fen);
        let Some(Solved { theme, solution, legal, tries }) = solve::solve(prober, &root)? else { return Ok(None) };
        Ok(Some(Puzzle { key, theme, fen: root, solution, legal, tries, difficulty: None }))
    }

    /// The material.
    pub fn material(&self) -> Material {
        self.key.material()
    }

    /// The number of moves to find.
    pub fn moves_to_find(&self) -> usize {
        self.solution.len().div_ceil(2)
    }

    /// The worth of a puzzle among others of its theme: long solutions and natural moves that fail are good.
    pub fn score(&self) -> i32 {
        let root = &self.fen.position;
        let first = self.solution[0].ranked.mv;
        let (tries, moves) = (self.tries.min(5) as i32, self.moves_to_find() as i32);
        let is_natural = solve::is_natural(root, first);
        10 * moves + 3 * tries + if is_natural { 0 } else { 10 } - if root.is_check() { 8 } else { 0 }
    }
}

impl Difficulty {
    /// From 1, a solution that the fewest nodes find whole, to the number of searches and one, a solution that none
    /// finds whole.
    pub fn level(&self, moves: usize) -> usize {
        1 + self.found.iter().take_while(|(_, found)| *found < moves).count()
    }
}

/// The position with a count, as a program of others reads it. Board's honour that begins has one ply on the clock, the
/// opponent's last move, so that no program takes it for a count that is missing.
fn with_count<S: ValueSource>(prober: &Prober<S>, fen: &Fen) -> Fen {
    let root = prober.resolved(fen);
    match root.count {
        Some(count) if count.ply() == 0 => Fen { count: Count::new(count.limit(), 1).ok(), ..root },
        _ => root,
    }
}
