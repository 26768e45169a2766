//! Saves: positions that only the count keeps from being lost.

use makruk_tables::format::Value;
use makruk_tables::rules::{Fen, Move};

use crate::judge::{self, Category};
use crate::moves::best_by_dtm;
use crate::verdict::has_bare_king;
use crate::{MAX_LINE_PLIES, ProbeError, Prober, ValueSource};

/// A position that the defender, to move, loses without the count and draws with it, the count beginning now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Save {
    /// How many moves the attacker lacks; `None` if it can't be told.
    pub short_by: Option<u32>,
    /// The drawing moves that give up a man, best first.
    pub sacrifices: Vec<Sacrifice>,
}

/// A drawing move after which taking the man moved, or one abandoned, wins without the count but not with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sacrifice {
    /// The move.
    pub mv: Move,
    /// The capture that comes closest, the first in DTM; of the man that moved, if it can be taken.
    pub capture: Move,
    /// Is it the man that moved which is taken? Else one is abandoned.
    pub offered: bool,
    /// The attacker's moves to mate after the capture, no count.
    pub needed: u32,
    /// The attacker's moves that the count leaves after the capture; `None` where no count runs then.
    pub left: Option<u32>,
}

impl<S: ValueSource> Prober<S> {
    /// Recognises a save. The count is taken to begin now, whatever the FEN says of it.
    ///
    /// # Errors
    ///
    /// As [`Prober::moves`].
    pub fn save(&self, fen: &Fen) -> Result<Option<Save>, ProbeError> {
        let fen = Fen { count: None, ..fen.clone() };
        if self.probe(&fen)?.category != Category::BlessedLoss {
            return Ok(None);
        }
        Ok(Some(Save { short_by: self.short_by(&fen)?, sacrifices: self.sacrifices(&fen)? }))
    }

    /// How many moves the winner lacks, in a position that the count draws (a cursed win or a blessed loss): with a bare
    /// king from DTM, with a DTZ from that; with neither, the smallest excess among the baring captures that the best
    /// line without the count meets first. `None` if the position is no such draw or none of these applies.
    ///
    /// # Errors
    ///
    /// As [`Prober::moves`].
    pub fn short_by(&self, fen: &Fen) -> Result<Option<u32>, ProbeError> {
        let verdict = self.probe(fen)?;
        if !matches!(verdict.category, Category::CursedWin | Category::BlessedLoss) {
            return Ok(None);
        }
        if verdict.dtz != Value::Draw {
            return Ok(judge::short_by(verdict.dtz, verdict.count.attacker_moves_left));
        }
        let mut now = self.resolved(fen);
        for _ in 0..MAX_LINE_PLIES {
            let moves = self.moves(&now)?;
            let Some(&best) = best_by_dtm(&moves) else { return Ok(None) };
            let excess = moves.iter().filter(|mv| mv.zeroing && mv.dtm == best.dtm).filter_map(|mv| {
                let Value::Win(plies) = mv.dtm else { return None };
                judge::short_by(Value::Loss(plies - 1), mv.attacker_moves_left())
            });
            if let Some(least) = excess.min() {
                return Ok(Some(least));
            }
            now = now.play(self.rules(), best.mv);
            if has_bare_king(&now.position) {
                return Ok(None);
            }
        }
        Ok(None)
    }

    /// The drawing moves, best first, after which taking the man moved, or another left to be taken, wins without the
    /// count but not under it. The count goes by the FEN, as in [`Prober::moves`].
    ///
    /// # Errors
    ///
    /// As [`Prober::moves`], also for the sets that two captures lead to.
    pub fn sacrifices(&self, fen: &Fen) -> Result<Vec<Sacrifice>, ProbeError> {
        let root = self.resolved(fen);
        let mut found = Vec::new();
        for mv in self.moves(&root)?.into_iter().filter(|mv| mv.category.is_drawn()) {
            let mut captures = self.moves(&root.play(self.rules(), mv.mv))?;
            captures.retain(|reply| reply.capture && reply.category == Category::CursedWin);
            // Taking the man that moved is what the move is about; else the capture that comes closest.
            let offered = captures.iter().any(|reply| reply.mv.to == mv.mv.to);
            captures.retain(|reply| !offered || reply.mv.to == mv.mv.to);
            if let Some(best) = best_by_dtm(&captures) {
                let needed = judge::plies(best.dtm).map_or(0, |plies| judge::moves_in(plies - 1));
                found.push(Sacrifice {
                    mv: mv.mv,
                    capture: best.mv,
                    offered,
                    needed,
                    left: best.attacker_moves_left(),
                });
            }
        }
        Ok(found)
    }
}
