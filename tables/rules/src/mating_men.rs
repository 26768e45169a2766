//! The men with which a side can mate.

use super::{Bitboard, Board, Color, Position, Role, Square};

/// The dark squares, a1 one of them. A met never leaves the colour of its squares.
const DARK: Bitboard = Bitboard(0xaa55_aa55_aa55_aa55);

/// The plies in which forced captures are followed. Two suffice for all positions of four men that were searched.
const FORCED_PLIES: u32 = 4;

impl Position {
    /// Whether a side can still mate if the other side helps, whatever the count: the question that is asked when the
    /// other side's flag has fallen. `None` if that is not known.
    ///
    /// `Some(false)` is proven: no series of legal moves leads to a mate by this side. It is the answer
    ///
    /// - for a bare king; for a lone knight or pawn against a bare king;
    /// - for mets that are all on squares of one colour, if the other side has only rooks and mets on that colour;
    /// - for a lone pawn or met against a rook; against a lone pawn or met, if both are or become mets on one colour;
    /// - after stalemate and the other side's mate;
    /// - if every series of four plies leads to such a position.
    ///
    /// With any other men and no pawn the answer is `Some(true)`. A search of all positions of three men, and of
    /// eight materials of four men, found no exception. A pawn may be blocked for ever: with other men and a pawn, the
    /// answer is `None`.
    ///
    /// ```
    /// use makruk_rules::{Color, Fen};
    ///
    /// let can_mate = |fen: &str| Fen::parse(fen).map(|fen| Color::ALL.map(|color| fen.position.can_mate(color)));
    /// assert_eq!(can_mate("8/8/4k3/8/8/2MM4/8/K7 w")?, [Some(true), Some(false)], "on squares of both colours");
    /// assert_eq!(can_mate("8/8/4k3/8/3M4/2M5/8/K7 w")?, [Some(false), Some(false)], "a dead position");
    /// assert_eq!(can_mate("8/8/4k3/8/3M4/2M4n/8/K7 w")?, [Some(true), Some(true)], "a knight may block its king");
    /// # Ok::<(), makruk_rules::FenError>(())
    /// ```
    pub fn can_mate(&self, color: Color) -> Option<bool> {
        if self.is_mated_by(color) {
            return Some(true);
        }
        let by_men = self.board().has_mating_men(color);
        if by_men == Some(false) || self.keeps_mating_men(color, FORCED_PLIES) { by_men } else { Some(false) }
    }

    fn is_mated_by(&self, color: Color) -> bool {
        self.turn() != color && self.is_checkmate()
    }

    /// Whether a series of this number of legal moves, or a mate within them, leaves a side men that can mate.
    fn keeps_mating_men(&self, color: Color, plies: u32) -> bool {
        plies == 0
            || self.any_legal_move(|mv| {
                let after = self.play(mv);
                let may_mate = after.board().has_mating_men(color) != Some(false);
                may_mate && after.keeps_mating_men(color, plies - 1) || after.is_mated_by(color)
            })
    }

    /// Whether the position is known to be dead: neither side can mate, even if the other helps.
    pub fn is_dead(&self) -> bool {
        Color::ALL.into_iter().all(|color| self.can_mate(color) == Some(false))
    }
}

impl Board {
    /// Whether a mate by this side exists with these men or those that are left after captures and promotions; `None`
    /// if that depends on pawns.
    fn has_mating_men(&self, color: Color) -> Option<bool> {
        let men = |color| self.by_color(color) - self.by_role(Role::King);
        let (own, other) = (men(color), men(!color));
        let any_of = |men: Bitboard, roles: &[Role]| roles.iter().any(|&role| men.intersects(self.by_role(role)));
        if own.is_empty() || own.len() == 1 && other.is_empty() && !any_of(own, &[Role::Rook, Role::Khon]) {
            return Some(false);
        }
        let are_mets =
            !any_of(own, &[Role::Rook, Role::Khon, Role::Knight]) && !any_of(other, &[Role::Khon, Role::Knight]);
        // A lone pawn takes nothing before it is a met, so that its file decides on the colour.
        if are_mets && (!self.has_pawns() || own.len() == 1 && other.len() <= 1) {
            let become_mets = self.pieces().filter_map(|(square, piece)| match piece.role {
                Role::Met => Some(square),
                Role::Pawn => Square::at(square.file() as i8, piece.color.promotion_rank() as i8),
                _ => None,
            });
            let mets = become_mets.fold(Bitboard::EMPTY, Bitboard::with);
            if (mets & DARK).is_empty() || (mets - DARK).is_empty() {
                return Some(false);
            }
        }
        (!self.has_pawns()).then_some(true)
    }
}
