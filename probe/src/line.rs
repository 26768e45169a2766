//! The best line.

use makruk_tables::rules::Fen;

use crate::moves::best_by_dtm;
use crate::policy::is_losers;
use crate::{Category, Policy, ProbeError, Prober, RankedMove, ValueSource};

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
pub enum Play {
    /// Perfect play under the count: the move ranked first. The winner follows DTZ to its event, then DTM; the loser
    /// the longest DTZ, then DTM; where the count draws, both follow DTM among the moves that keep the result.
    UnderCount,
    /// By DTM alone, to mate.
    WithoutCount,
}

impl<S: ValueSource> Prober<S> {
    pub fn play_line(&self, root: &Fen, play: Play, max_plies: usize) -> Result<Line, ProbeError> {
        let mut now = self.resolved(root);
        let mut moves = Vec::new();
        loop {
            if let Some(end) = self.line_end(&now, play)? {
                return Ok(Line { moves, end });
            }
            if moves.len() >= max_plies {
                return Ok(Line { moves, end: LineEnd::Truncated });
            }
            let ranked = self.moves(&now)?;
            let best = match play {
                Play::UnderCount => ranked.first(),
                Play::WithoutCount => best_by_dtm(&ranked),
            };
            let Some(&best) = best else { return Ok(Line { moves, end: LineEnd::Draw }) };
            let (made, next) = self.make(&now, best);
            moves.push(made);
            now = next;
        }
    }

    /// Whether a line ends here, its count resolved.
    fn line_end(&self, now: &Fen, play: Play) -> Result<Option<LineEnd>, ProbeError> {
        let position = &now.position;
        Ok(if position.is_checkmate() {
            Some(LineEnd::Checkmate)
        } else if !position.has_legal_move() || self.distances(position)?.mover_wins().is_none() {
            Some(LineEnd::Draw)
        } else if play == Play::UnderCount && now.count.is_some_and(|count| count.is_expired()) {
            Some(LineEnd::CountExpired)
        } else {
            None
        })
    }

    /// A move of a line, and what it leads to; the count is resolved.
    pub fn make(&self, now: &Fen, ranked: RankedMove) -> (LineMove, Fen) {
        let after = now.play(self.rules(), ranked.mv);
        (LineMove { ranked, san: ranked.san(&now.position), after: after.clone() }, after)
    }
}

/// A line under the count that is found move by move. The side that wins without the count plays [`Policy::Safest`], the
/// other by its own policy.
#[derive(Clone, Debug)]
pub struct Walk {
    now: Fen,
    defence: Policy,
    left: usize,
}

/// What comes next in a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// A move.
    Move(LineMove),
    /// Nothing more.
    End(LineEnd),
}

impl Walk {
    /// A line of up to `max_plies` from a position.
    pub fn new<S: ValueSource>(prober: &Prober<S>, root: &Fen, defence: Policy, max_plies: usize) -> Walk {
        Walk { now: prober.resolved(root), defence, left: max_plies }
    }

    /// The next move, or why there is none. After an end it says the same again.
    ///
    /// # Errors
    ///
    /// As [`Prober::play`].
    pub fn step<S: ValueSource>(&mut self, prober: &Prober<S>) -> Result<Step, ProbeError> {
        if let Some(end) = prober.line_end(&self.now, Play::UnderCount)? {
            return Ok(Step::End(end));
        }
        if self.left == 0 {
            return Ok(Step::End(LineEnd::Truncated));
        }
        let ranked = prober.moves(&self.now)?;
        let policy = if ranked.first().is_some_and(is_losers) { self.defence } else { Policy::Safest };
        let Some(chosen) = prober.choose(&self.now, &ranked, policy)? else { return Ok(Step::End(LineEnd::Draw)) };
        let (made, next) = prober.make(&self.now, chosen);
        self.now = next;
        self.left -= 1;
        Ok(Step::Move(made))
    }
}

impl LineEnd {
    /// `checkmate`, `count_expired`, `draw` or `truncated`.
    pub const fn name(self) -> &'static str {
        match self {
            LineEnd::Checkmate => "checkmate",
            LineEnd::CountExpired => "count_expired",
            LineEnd::Draw => "draw",
            LineEnd::Truncated => "truncated",
        }
    }
}

impl Line {
    /// The category at the line's start, seen by the side that begins; `None` for a line without moves.
    pub fn category(&self) -> Option<Category> {
        self.moves.first().map(|first| first.ranked.category)
    }
}
