//! A board drawn in letters.

use makruk_rules::{Board, Square};

/// The board with coordinates, White at the bottom.
///
/// ```text
///  8  . . . . k . . .
/// ```
pub(crate) fn diagram(board: &Board) -> String {
    let mut drawn = String::new();
    for rank in (0..8u8).rev() {
        drawn.push_str(&format!(" {} ", rank + 1));
        for file in 0..8u8 {
            let letter = board.piece_at(Square::new(rank * 8 + file)).map_or('.', |piece| piece.letter());
            drawn.push(' ');
            drawn.push(letter);
        }
        drawn.push('\n');
    }
    drawn.push_str("    a b c d e f g h   K king, R rook, N knight, S khon, M met, P pawn; capitals are White's\n");
    drawn
}
