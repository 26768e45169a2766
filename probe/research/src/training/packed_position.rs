//! A position in 512 bits, as the `.bin` files of Fairy-Stockfish's training tools have it.

use makruk_tables::rules::{Color, Fen, Move, Role, Square};

/// The bytes of a packed position.
pub(super) const POSITION_BYTES: usize = 64;
/// The bytes of a record of a `.bin` file.
pub(super) const RECORD_BYTES: usize = POSITION_BYTES + 8;

/// The bits of the pockets, which Makruk has none in: five for each of six roles of two colours.
const POCKET_BITS: u32 = 60;
/// The bits of the castling rights and of the en-passant square's presence.
const RIGHTS_BITS: u32 = 5;
/// The bits of the clock of fifty moves below its highest.
const CLOCK_BITS: u32 = 6;

/// Writes bits, the lowest of a byte first.
struct BitWriter {
    bytes: [u8; POSITION_BYTES],
    next: u32,
}

impl BitWriter {
    /// Writes the lowest `bits` bits of a number, the lowest first.
    fn write(&mut self, number: u64, bits: u32) {
        let mut rest = number & ((1 << bits) - 1);
        while rest != 0 {
            let at = self.next + rest.trailing_zeros();
            self.bytes[(at / 8) as usize] |= 1 << (at % 8);
            rest &= rest - 1;
        }
        self.next += bits;
    }
}

/// The number of a role among those of the variant `makruk`, whose last is the king.
const fn role_number(role: Role) -> u64 {
    match role {
        Role::Pawn => 0,
        Role::Knight => 1,
        Role::Rook => 2,
        Role::Met => 3,
        Role::Khon => 4,
        Role::King => 5,
    }
}

/// A position: side to move, kings, men from a8 to h1, and the number of the move. The count has no place in it.
pub(super) fn packed_position(fen: &Fen) -> [u8; POSITION_BYTES] {
    let (position, board) = (&fen.position, fen.position.board());
    let mut writer = BitWriter { bytes: [0; POSITION_BYTES], next: 0 };
    writer.write(u64::from(position.turn() == Color::Black), 1);
    for color in Color::ALL {
        writer.write(u64::from(position.king(color).number()), 7);
    }
    // An empty square is one bit that is not set; the squares of the kings are left out.
    let kings = Color::ALL.map(|color| position.king(color));
    let occupied = board.occupied();
    for rank in (0..8).rev() {
        for file in 0..8 {
            let square = Square::new(8 * rank + file);
            if kings.contains(&square) {
                continue;
            }
            match board.piece_at(square).filter(|_| occupied.contains(square)) {
                None => writer.write(0, 1),
                Some(man) => {
                    writer.write(2 * role_number(man.role) + 1, 5);
                    writer.write(u64::from(man.color == Color::Black), 1);
                }
            }
        }
    }
    writer.next += POCKET_BITS + RIGHTS_BITS + CLOCK_BITS;
    writer.write(u64::from(fen.fullmove), 16);
    writer.bytes
}

/// A record: the position, its score, its best move, the plies before it, and the result. Numbers are little-endian.
pub(super) fn packed_record(fen: &Fen, score: i16, best: Option<Move>, plies: u16, result: i8) -> [u8; RECORD_BYTES] {
    let mut record = [0; RECORD_BYTES];
    let (position, rest) = record.split_at_mut(POSITION_BYTES);
    position.copy_from_slice(&packed_position(fen));
    // No move is 0, as the tools have it.
    let best = best.map_or(0, |mv| u16::from(mv.from.number()) << 6 | u16::from(mv.to.number()));
    rest[..2].copy_from_slice(&score.to_le_bytes());
    rest[2..4].copy_from_slice(&best.to_le_bytes());
    rest[4..6].copy_from_slice(&plies.to_le_bytes());
    rest[6..7].copy_from_slice(&result.to_le_bytes());
    record
}
