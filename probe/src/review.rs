//! What the moves of a game were worth.

use makruk_tables::rules::{Fen, Move};

use crate::{Mistake, ProbeError, Prober, RankedMove, ValueSource, Verdict};

/// A move that was played, judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    /// Its verdict.
    pub ranked: RankedMove,
    /// Standard algebraic notation.
    pub san: String,
    /// The best move's.
    pub best: String,
    /// What it gave away.
    pub mistake: Option<Mistake>,
}

impl Played {
    /// Judges a move by the ranked moves of its position; `None` if it is none of them.
    pub fn judge(fen: &Fen, moves: &[RankedMove], mv: Move) -> Option<Played> {
        let (&ranked, best) = moves.iter().find(|ranked| ranked.mv == mv).zip(moves.first())?;
        Some(Played {
            ranked,
            san: ranked.san(&fen.position),
            best: best.san(&fen.position),
            mistake: Mistake::judge(best, &ranked),
        })
    }
}

impl<S: ValueSource> Prober<S> {
    /// What a position of a game is worth, and the move played in it; `None` after the last.
    ///
    /// # Errors
    ///
    /// As [`Prober::moves`].
    pub fn review(&self, fen: &Fen, played: Option<Move>) -> Result<(Verdict, Option<Played>), ProbeError> {
        let verdict = self.probe(fen)?;
        let Some(mv) = played else { return Ok((verdict, None)) };
        Ok((verdict, Played::judge(fen, &self.moves(fen)?, mv)))
    }
}
