//! The best line.

use makruk_tables::rules::Fen;

use crate::moves::best_by_dtm;
use crate::{Category, ProbeError, Prober, RankedMove, ValueSource};

/// The most plies of a line: beyond any that the tables and the counts they start can give.
pub const MAX_LINE_PLIES: usize = 2000;

/// One move of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineMove {
    /// Its verdict, seen by the side that makes it: category, distances, count after it.
    pub ranked: RankedMove,
    /// Standard algebraic notation.
    pub san: String,
    /// The position after it, with its count.
    pub after: Fen,
}

/// Why a line ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LineEnd {
    /// Mate.
    Checkmate,
    /// The count has run out: a draw.
    CountExpired,
    /// Stalemate, or nobody wins any more, count or no count: there is no best move to show.
    Draw,
    /// The line is longer than was asked for.
    Truncated,
}

/// A line of best play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Its moves.
    pub moves: Vec<LineMove>,
    /// Why it ends.
    pub end: LineEnd,
}

/// How moves are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Play {
    /// Perfect play under the count: the move ranked first. The winner follows DTZ to its event, then DTM; the loser
    /// the longest DTZ, then DTM; where the count draws, both follow DTM among the moves that keep the result.
    UnderCount,
    /// By DTM alone, to mate.
    WithoutCount,
}

impl<S: ValueSource> Prober<S> {
    pub(crate) fn play_line(&self, root: &Fen, play: Play, max_plies: usize) -> Result<Line, ProbeError> {
        let mut now = self.resolved(root);
        let mut moves = Vec::new();
        loop {
            let position = &now.position;
            let end = if position.is_checkmate() {
                Some(LineEnd::Checkmate)
            } else if !position.has_legal_move() || self.distances(position)?.mover_wins().is_none() {
                Some(LineEnd::Draw)
            } else if play == Play::UnderCount && now.count.is_some_and(|count| count.is_expired()) {
                Some(LineEnd::CountExpired)
            } else if moves.len() >= max_plies {
                Some(LineEnd::Truncated)
            } else {
                None
            };
            if let Some(end) = end {
                return Ok(Line { moves, end });
            }
            let ranked = self.moves(&now)?;
            let best = match play {
                Play::UnderCount => ranked.first(),
                Play::WithoutCount => best_by_dtm(&ranked),
            };
            let Some(&best) = best else { return Ok(Line { moves, end: LineEnd::Draw }) };
            let next = now.play(self.rules(), best.mv);
            moves.push(LineMove { ranked: best, san: best.san(position), after: next.clone() });
            now = next;
        }
    }
}

impl Line {
    /// The category at the line's start, seen by the side that begins; `None` for a line without moves.
    pub fn category(&self) -> Option<Category> {
        self.moves.first().map(|first| first.ranked.category)
    }
}
