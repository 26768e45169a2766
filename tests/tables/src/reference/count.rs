//! The count that an exit begins, worked out from the men on the board by hand.

use makruk_rules::{Color, CountingRules, Piece, Position};

/// The attacker's moves within `plies` plies, the last of which is his.
fn moves_in(plies: u16) -> u32 {
    u32::from(plies).div_ceil(2)
}

/// The limit of pieces' honour for this attacker, in moves.
fn limit(rules: &CountingRules, position: &Position, attacker: Color) -> u32 {
    rules.pieces_limit(|role| position.board().by_piece(Piece::new(attacker, role)).len())
}

/// The attacker's moves left after a capture that bares the defender's king, who is to move: by Makruk's rules all men
/// on the board are counted already.
pub(super) fn moves_left_after_baring(rules: &CountingRules, position: &Position, attacker: Color) -> u32 {
    limit(rules, position, attacker).saturating_sub(rules.counted_men(position.board().men()))
}

/// The attacker's moves left in the count that begins with the last pawn's end, in the position after it; `None` if no
/// count begins. The attacker has a man besides the king.
///
/// - If the defender's king is bare and to move, the limit less all men on the board.
/// - If it is bare and not to move, it has just taken the last pawn and not counted that move: one move more.
/// - If both sides are armed, the whole of board's honour, and the move that the attacker makes before the defender's
///   first counted one, if he is to move.
pub fn moves_left_after_last_pawn(rules: &CountingRules, position: &Position, attacker: Color) -> Option<u32> {
    let board = position.board();
    let uncounted = u32::from(position.turn() == attacker);
    if board.is_bare(!attacker) {
        Some((limit(rules, position, attacker) + uncounted).saturating_sub(rules.counted_men(board.men())))
    } else {
        Some(rules.board_limit(board.men())? + uncounted)
    }
}

/// Whether the moves that are left suffice for this distance of the attacker's. 0 is mate, which no count stops.
pub(super) fn suffice(moves_left: Option<u32>, plies: u16) -> bool {
    moves_left.is_none_or(|left| moves_in(plies) <= left)
}
