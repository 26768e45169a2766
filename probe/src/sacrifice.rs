//! Men given to save the draw.

use makruk_rules::{Bitboard, Fen, Move, Piece, Position, Role, Square};

use crate::error::ProbeError;
use crate::judge::{self, Category};
use crate::prober::Prober;
use crate::ranked_move::{RankedMove, best_by_dtm};
use crate::source::ValueSource;

/// A drawing move after which taking the man moved, or one abandoned, wins without the count but not with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Sacrifice {
    /// The move.
    pub mv: Move,
    /// The capture that comes closest, the first in DTM; of the man that moved, if it can be taken.
    pub capture: Move,
    /// Whether the man taken is the one that moved. Else it is one that the move abandons.
    pub offered: bool,
    /// The kind of sacrifice.
    pub kind: SacrificeKind,
    /// The attacker's moves to mate after the capture, no count.
    pub needed: u32,
    /// The attacker's moves that the count leaves after the capture; `None` where no count runs then.
    pub left: Option<u32>,
}

/// The three kinds of sacrifice. Only in an offer does another move keep the man.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum SacrificeKind {
    /// The saving move captures nothing, and some other legal move would have kept the man.
    Offer,
    /// The saving move itself captures.
    Exchange,
    /// The saving move captures nothing, and after every legal move the man can be taken.
    LostAnyway,
}

makruk_rules::names!(SacrificeKind: Offer = "offer", Exchange = "exchange", LostAnyway = "lost_anyway");

impl SacrificeKind {
    /// The kind of a sacrifice in `position`, by the saving move and the capture that answers it.
    pub fn of(position: &Position, saving: Move, capture: Move) -> SacrificeKind {
        if position.captured(saving).is_some() {
            return SacrificeKind::Exchange;
        }
        // The man's square before the saving move.
        let man = if capture.to == saving.to { saving.from } else { capture.to };
        let keeps = |mv: Move| {
            let square = if mv.from == man { mv.to } else { man };
            !can_be_taken(&position.play(mv), square)
        };
        match position.legal_moves().into_iter().any(keeps) {
            true => SacrificeKind::Offer,
            false => SacrificeKind::LostAnyway,
        }
    }
}

/// Whether the side to move has a legal capture on this square.
fn can_be_taken(position: &Position, square: Square) -> bool {
    let is_attacked = !position.board().attackers(square, position.turn()).is_empty();
    is_attacked && position.legal_moves().into_iter().any(|mv| mv.to == square)
}

impl<S: ValueSource> Prober<S> {
    /// The sacrifice that a drawing move is, if it is one; the root's count is resolved.
    ///
    /// # Errors
    ///
    /// As [`Prober::moves`], also for the materials that two captures or promotions lead to.
    pub fn sacrifice(&self, root: &Fen, mv: Move) -> Result<Option<Sacrifice>, ProbeError> {
        let after = root.play(self.rules(), mv);
        let mut captures = Vec::new();
        for capture in captures_of_men(&after.position) {
            if let Some(reply) = self.cursed_reply(&after, capture)? {
                captures.push(reply);
            }
        }
        // If the man that moved can be taken, that capture is shown; else the capture that comes closest.
        let offered = captures.iter().any(|reply| reply.mv.to == mv.to);
        captures.retain(|reply| !offered || reply.mv.to == mv.to);
        Ok(best_by_dtm(&captures).map(|best| Sacrifice {
            mv,
            capture: best.mv,
            offered,
            kind: SacrificeKind::of(&root.position, mv, best.mv),
            needed: best.dtm.plies().map_or(0, |plies| judge::moves_in(plies - 1)),
            left: best.attacker_moves_left(),
        }))
    }

    /// A reply with its verdict, if it wins without the count and is drawn by it.
    fn cursed_reply(&self, after: &Fen, reply: Move) -> Result<Option<RankedMove>, ProbeError> {
        if self.move_category(after, reply)? != Category::CursedWin {
            return Ok(None);
        }
        Ok(Some(self.rank_move(after, reply)?))
    }
}

/// The legal captures of men other than the king, of the side not to move.
fn captures_of_men(position: &Position) -> impl Iterator<Item = Move> {
    let board = position.board();
    let (attacker, defender) = (position.turn(), !position.turn());
    let men = board.by_color(defender) - board.by_piece(Piece::new(defender, Role::King));
    let exposed: Bitboard = men.into_iter().filter(|&man| !board.attackers(man, attacker).is_empty()).collect();
    let legal = (!exposed.is_empty()).then(|| position.legal_moves());
    legal.into_iter().flatten().filter(move |capture| exposed.contains(capture.to))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(fen: &str, saving: &str, capture: &str) -> SacrificeKind {
        let fen: Fen = fen.parse().unwrap();
        let saving = Move::from_uci(&fen.position, saving).unwrap();
        let capture = Move::from_uci(&fen.position.play(saving), capture).unwrap();
        SacrificeKind::of(&fen.position, saving, capture)
    }

    #[test]
    fn an_offer_gives_a_man_that_another_move_would_keep() {
        // The rook checks next to the king, and could have gone anywhere else.
        assert_eq!(kind("2R5/8/4k3/7K/4r3/8/R7/8 b - - 0 1", "e4h4", "h5h4"), SacrificeKind::Offer);
        // The king leaves the knight alone, which could have moved away.
        assert_eq!(kind("7n/8/8/8/8/7R/3K4/k7 b - - 0 1", "a1a2", "h3h8"), SacrificeKind::Offer);
    }

    #[test]
    fn an_exchange_captures_itself() {
        assert_eq!(kind("8/8/4K3/3R4/3r4/8/R7/7k b - - 0 1", "d4d5", "e6d5"), SacrificeKind::Exchange);
    }

    #[test]
    fn a_man_is_lost_anyway_if_no_move_keeps_it() {
        // A check that the knight can't parry, and the rook attacks it as well.
        for saving in ["a1a2", "a1b2"] {
            assert_eq!(kind("7n/8/8/8/8/8/3K4/k6R b - - 0 1", saving, "h1h8"), SacrificeKind::LostAnyway, "{saving}");
        }
    }
}
