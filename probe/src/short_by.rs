//! The moves that the winner lacks where the count draws.

use makruk_rules::{Fen, Move, begins_count};
use makruk_tables::value::{Metric, Value};

use crate::error::ProbeError;
use crate::judge::{self, Category};
use crate::line::MAX_LINE_PLIES;
use crate::prober::Prober;
use crate::ranked_move::{RankedMove, best_by_dtm};
use crate::source::ValueSource;
use crate::verdict::{Verdict, is_under_pieces_honour};

impl<S: ValueSource> Prober<S> {
    /// The number of moves that the winner lacks, in a position that the count draws (a cursed win or a blessed loss).
    /// Under pieces' honour it follows from DTM, and elsewhere from DTZ, if there is one. Otherwise it is the excess of
    /// the first move on the best line without the count that begins one. Of equally good moves, the one that is best
    /// for the side that makes it decides.
    /// `None` if the position is not such a draw or none of these applies.
    pub fn short_by(&self, fen: &Fen) -> Result<Option<u32>, ProbeError> {
        self.short_by_from(&self.resolved(fen), &self.probe(fen)?, None)
    }

    /// As [`Prober::short_by`], of a position whose verdict, and perhaps whose ranked moves, are known. The root's
    /// count is resolved.
    pub(crate) fn short_by_from(
        &self,
        root: &Fen,
        verdict: &Verdict,
        moves: Option<&[RankedMove]>,
    ) -> Result<Option<u32>, ProbeError> {
        if !matches!(verdict.category, Category::CursedWin | Category::BlessedLoss) {
            return Ok(None);
        }
        if verdict.dtz != Value::Draw {
            return Ok(judge::short_by(verdict.dtz, verdict.count.attacker_moves_left));
        }
        let mut line = DtmLine { prober: self, now: root.clone(), dtm: verdict.dtm };
        if let Some(moves) = moves {
            let excess = best_excess(moves, verdict.dtm);
            let best = best_by_dtm(moves);
            match best.filter(|_| excess.is_none()) {
                Some(best) => line.play(best.mv),
                None => return Ok(excess),
            }
        }
        line.excess()
    }
}

/// The best line by DTM alone, of which no more is read than the search for its first moves that begin a count needs.
struct DtmLine<'a, S> {
    prober: &'a Prober<S>,
    now: Fen,
    dtm: Value,
}

impl<S: ValueSource> DtmLine<'_, S> {
    /// The excess of the first move on the line that begins a count.
    fn excess(mut self) -> Result<Option<u32>, ProbeError> {
        for _ in 0..MAX_LINE_PLIES {
            if is_under_pieces_honour(&self.now.position) {
                return Ok(None);
            }
            let excess = self.excess_here()?;
            let best = if excess.is_some() { None } else { self.best_move()? };
            match best {
                Some(best) => self.play(best),
                None => return Ok(excess),
            }
        }
        Ok(None)
    }

    /// The excess of the moves of this position that begin a count and are best by DTM.
    fn excess_here(&self) -> Result<Option<u32>, ProbeError> {
        let position = &self.now.position;
        // Without pawns only the winner begins a count: the loser's capture that bares the winner draws.
        if !matches!(self.dtm, Value::Win(_)) && !position.board().has_pawns() {
            return Ok(None);
        }
        let mut found = None;
        for mv in position.legal_moves() {
            let after = position.play(mv);
            if begins_count(position.board(), after.board(), position.turn()) && self.is_best(mv)? {
                found = better_excess(self.dtm, found, excess(&self.prober.rank_move(&self.now, mv)?));
            }
        }
        Ok(found)
    }

    /// The best move by DTM, the first in UCI notation; `None` if the line is at its end.
    fn best_move(&self) -> Result<Option<Move>, ProbeError> {
        let mut legal = self.now.position.legal_moves();
        legal.sort_by_key(|mv| mv.uci_order());
        for mv in legal {
            if self.is_best(mv)? {
                return Ok(Some(mv));
            }
        }
        Ok(None)
    }

    /// Whether a move is best by DTM: it leads to where a ply less is left.
    fn is_best(&self, mv: Move) -> Result<bool, ProbeError> {
        let after = self.prober.value(&self.now.position.play(mv), Metric::Dtm)?;
        Ok(after.one_ply_earlier() == self.dtm)
    }

    /// Makes a best move.
    fn play(&mut self, mv: Move) {
        self.now = self.now.play(self.prober.rules(), mv);
        self.dtm = judge::after_move(self.dtm);
    }
}

/// The excess of the moves that begin a count and are best by DTM, in a position with this DTM.
fn best_excess(moves: &[RankedMove], dtm: Value) -> Option<u32> {
    let best = moves.iter().filter(|mv| mv.begins_count && mv.dtm == dtm);
    best.fold(None, |found, mv| better_excess(dtm, found, excess(mv)))
}

/// The number of moves that the winner lacks after a move that begins a count; `None` if nothing is lacking, or if
/// there is no conversion to count to.
fn excess(mv: &RankedMove) -> Option<u32> {
    judge::short_by(mv.after().dtz, mv.attacker_moves_left())
}

/// The better of two excesses, which may be absent, for the side to move of a position with this DTM. The winner wants
/// to lack as few moves as possible, and the loser wants the winner to lack as many as possible.
fn better_excess(dtm: Value, one: Option<u32>, other: Option<u32>) -> Option<u32> {
    let both = [one, other].into_iter().flatten();
    if matches!(dtm, Value::Win(_)) { both.min() } else { both.max() }
}
