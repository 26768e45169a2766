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
    /// The capture that comes closest: the first in DTM.
    pub capture: Move,
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
        let mut now = Fen { count: verdict.count.running, ..fen.clone() };
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
            now = self.after(&now, best.mv);
            if has_bare_king(&now.position) {
                return Ok(None);
            }
        }
        Ok(None)
    }

    /// The drawing moves of a blessed loss that give up a man for good.
    fn sacrifices(&self, fen: &Fen) -> Result<Vec<Sacrifice>, ProbeError> {
        let defender = fen.position.turn();
        let root = Fen { count: crate::verdict::root_count(self.rules(), fen), ..fen.clone() };
        let mut found = Vec::new();
        for mv in self.moves(&root)?.into_iter().filter(|mv| mv.category.is_drawn()) {
            let after = self.after(&root, mv.mv);
            let replies = self.moves(&after)?;
            // The man moved, or any other that now can be taken and could not be at no cost before: an attacked man of the
            // defender's is abandoned by every move that neither saves nor covers it.
            let captures: Vec<_> =
                replies.into_iter().filter(|reply| reply.capture && reply.category == Category::CursedWin).collect();
            debug_assert!(
                captures
                    .iter()
                    .all(|reply| { after.position.captured(reply.mv).is_some_and(|man| man.color == defender) })
            );
            if let Some(best) = best_by_dtm(&captures) {
                let needed = judge::plies(best.dtm).map_or(0, |plies| judge::moves_in(plies - 1));
                found.push(Sacrifice { mv: mv.mv, capture: best.mv, needed, left: best.attacker_moves_left() });
            }
        }
        Ok(found)
    }
}
