//! Positions that only the count keeps from being lost.

use makruk_tables::rules::{Fen, Move, Position};
use makruk_tables::value::{Metric, Value};

use crate::judge::{self, Category};
use crate::ranked_move::best_by_dtm;
use crate::verdict::has_bare_king;
use crate::{MAX_LINE_PLIES, ProbeError, Prober, RankedMove, Sacrifice, ValueSource, Verdict};

/// A position that the defender, to move, loses without the count and draws with it, the count beginning now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CountSave {
    /// The number of moves that the attacker lacks; `None` if it is unknown.
    pub short_by: Option<u32>,
    /// The drawing moves that give a man, best first.
    pub sacrifices: Vec<Sacrifice>,
}

impl<S: ValueSource> Prober<S> {
    /// Recognises a count save. The count is taken to begin now, whatever the FEN says of it.
    ///
    /// # Errors
    ///
    /// As [`Prober::moves`].
    pub fn count_save(&self, fen: &Fen) -> Result<Option<CountSave>, ProbeError> {
        self.analysis(&Fen { count: None, ..fen.clone() })?.count_save()
    }

    /// The number of moves that the winner lacks, in a position that the count draws (a cursed win or a blessed loss): with a bare
    /// king from DTM, with a DTZ from that; with neither, the smallest excess among the baring captures that the best
    /// line without the count meets first. `None` if the position is no such draw or none of these applies.
    ///
    /// # Errors
    ///
    /// As [`Prober::moves`].
    pub fn short_by(&self, fen: &Fen) -> Result<Option<u32>, ProbeError> {
        self.short_by_from(&self.resolved(fen), &self.probe(fen)?, None)
    }

    /// As [`Prober::short_by`], of a position whose verdict, and perhaps whose ranked moves, are known. The root's count is
    /// resolved.
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
            let excess = least_excess(moves, verdict.dtm);
            let best = best_by_dtm(moves);
            match best.filter(|_| excess.is_none()) {
                Some(best) => line.play(best.mv),
                None => return Ok(excess),
            }
        }
        line.least_excess()
    }
}

/// The best line by DTM alone, of which no more is read than the search for its first baring captures needs.
struct DtmLine<'a, S> {
    prober: &'a Prober<S>,
    now: Fen,
    dtm: Value,
}

impl<S: ValueSource> DtmLine<'_, S> {
    /// The smallest excess among the baring captures that the line meets first.
    fn least_excess(mut self) -> Result<Option<u32>, ProbeError> {
        for _ in 0..MAX_LINE_PLIES {
            if has_bare_king(&self.now.position) {
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

    /// The smallest excess among the baring captures of this position that are best by DTM.
    fn excess_here(&self) -> Result<Option<u32>, ProbeError> {
        let Value::Win(plies) = self.dtm else { return Ok(None) };
        let (rules, position) = (self.prober.rules(), &self.now.position);
        let mut least = None;
        for mv in position.legal_moves().into_iter().filter(|&mv| bares_king(position, mv)) {
            if self.is_best(mv)? {
                let count = rules.after(self.now.count, position, mv);
                let left = count.map(|count| count.attacker_moves_left(false));
                least = smaller(least, judge::short_by(Value::Loss(plies - 1), left));
            }
        }
        Ok(least)
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

    /// Is a move best by DTM: does it lead to where a ply less is left?
    fn is_best(&self, mv: Move) -> Result<bool, ProbeError> {
        let after = self.prober.value(&self.now.position.play(mv), Metric::Dtm)?;
        Ok(judge::before_move(after) == self.dtm)
    }

    /// Makes a best move.
    fn play(&mut self, mv: Move) {
        self.now = self.now.play(self.prober.rules(), mv);
        self.dtm = match self.dtm {
            Value::Draw => Value::Draw,
            Value::Win(plies) => Value::Loss(plies.saturating_sub(1)),
            Value::Loss(plies) => Value::Win(plies.saturating_sub(1)),
        };
    }
}

/// The smallest excess among the baring captures that are best by DTM, in a position with this DTM.
fn least_excess(moves: &[RankedMove], dtm: Value) -> Option<u32> {
    let Value::Win(plies) = dtm else { return None };
    let best = moves.iter().filter(|mv| mv.bares_king && mv.dtm == dtm);
    best.fold(None, |least, mv| smaller(least, judge::short_by(Value::Loss(plies - 1), mv.attacker_moves_left())))
}

/// The smaller of two numbers that may be absent.
fn smaller(one: Option<u32>, other: Option<u32>) -> Option<u32> {
    [one, other].into_iter().flatten().min()
}

/// Does a move bare an opponent who has a piece?
pub(crate) fn bares_king(position: &Position, mv: Move) -> bool {
    position.captured(mv).is_some() && position.board().by_color(!position.turn()).len() == 2
}
