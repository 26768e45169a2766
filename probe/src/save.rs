//! Saves: positions that only the count keeps from being lost.

use makruk_tables::format::{Metric, Value};
use makruk_tables::rules::{Bitboard, Fen, Move, Piece, Position, Role};

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
        let (mut now, mut dtm) = (self.resolved(fen), verdict.dtm);
        for _ in 0..MAX_LINE_PLIES {
            let Some(plies) = judge::plies(dtm).filter(|&plies| plies > 0) else { return Ok(None) };
            let mut legal = now.position.legal_moves();
            legal.sort_by_key(|mv| mv.uci_order());
            // The best moves by DTM are those that lead where a ply less is to go.
            let leads_on = |mv: &Move| -> Result<bool, ProbeError> {
                let after = self.value(&now.position.play(*mv), Metric::Dtm)?;
                Ok(judge::before_move(after) == dtm)
            };
            let mut least = None;
            for &mv in legal.iter().filter(|&&mv| bares(&now.position, mv)) {
                if matches!(dtm, Value::Win(_)) && leads_on(&mv)? {
                    let left =
                        self.rules().after(now.count, &now.position, mv).map(|count| count.attacker_moves_left(false));
                    let excess = judge::short_by(Value::Loss(plies - 1), left);
                    least = [least, excess].into_iter().flatten().min();
                }
            }
            if least.is_some() {
                return Ok(least);
            }
            let mut best = None;
            for mv in &legal {
                if leads_on(mv)? {
                    best = Some(*mv);
                    break;
                }
            }
            let Some(best) = best else { return Ok(None) };
            now = now.play(self.rules(), best);
            if has_bare_king(&now.position) {
                return Ok(None);
            }
            dtm = if matches!(dtm, Value::Win(_)) { Value::Loss(plies - 1) } else { Value::Win(plies - 1) };
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
        let drawn = self.moves(&root)?.into_iter().filter(|mv| mv.category.is_drawn());
        drawn.filter_map(|mv| self.sacrifice(&root, mv.mv, false).transpose()).collect()
    }

    /// Whether a drawing move gives up a man; the root's count is resolved. With `light`, what the light tables can tell
    /// is asked of them.
    pub fn sacrifice(&self, root: &Fen, mv: Move, light: bool) -> Result<Option<Sacrifice>, ProbeError> {
        let after = root.play(self.rules(), mv);
        let board = after.position.board();
        let (attacker, defender) = (after.position.turn(), !after.position.turn());
        let men = board.by_color(defender) - board.by_piece(Piece::new(defender, Role::King));
        let exposed: Bitboard = men.into_iter().filter(|&man| !board.attackers(man, attacker).is_empty()).collect();
        if exposed.is_empty() {
            return Ok(None);
        }
        let mut captures = Vec::new();
        for capture in after.position.legal_moves().into_iter().filter(|capture| exposed.contains(capture.to)) {
            // Once the count has run out, not even a mate is one.
            let light = light && !after.count.is_some_and(|count| count.is_expired());
            if light {
                let taken = self.light(&after.play(self.rules(), capture))?;
                if taken.is_some_and(|category| category != Category::BlessedLoss) {
                    continue;
                }
            }
            let reply = self.judge_move(&after, capture)?;
            if reply.category == Category::CursedWin {
                captures.push(reply);
            }
        }
        // Taking the man that moved is what the move is about; else the capture that comes closest.
        let offered = captures.iter().any(|reply| reply.mv.to == mv.to);
        captures.retain(|reply| !offered || reply.mv.to == mv.to);
        Ok(best_by_dtm(&captures).map(|best| Sacrifice {
            mv,
            capture: best.mv,
            offered,
            needed: judge::plies(best.dtm).map_or(0, |plies| judge::moves_in(plies - 1)),
            left: best.attacker_moves_left(),
        }))
    }

    /// What a move is worth under the root's count, which is resolved: with `light`, by the light tables as far as they
    /// tell it.
    pub fn move_category(&self, root: &Fen, mv: Move, light: bool) -> Result<Category, ProbeError> {
        // Once the count has run out, not even a mate is one.
        let light = light && !root.count.is_some_and(|count| count.is_expired());
        if light && let Some(category) = self.light(&root.play(self.rules(), mv))? {
            return Ok(category.flip());
        }
        Ok(self.judge_move(root, mv)?.category)
    }
}

/// Does a move bare an opponent who has a piece?
fn bares(position: &Position, mv: Move) -> bool {
    position.captured(mv).is_some() && position.board().by_color(!position.turn()).len() == 2
}
