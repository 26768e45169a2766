//! A decoder of the records of `.bin` files, from their description alone.

use makruk_tables::rules::{Board, Color, Move, Piece, Role, Square};

/// A record that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Unpacked {
    pub(crate) board: Board,
    pub(crate) turn: Color,
    pub(crate) clock: u32,
    pub(crate) fullmove: u32,
    pub(crate) score: i16,
    pub(crate) best: Option<Move>,
    pub(crate) plies: u16,
    pub(crate) result: i8,
}

struct Bits<'a> {
    bytes: &'a [u8],
    next: usize,
}

impl Bits<'_> {
    fn read(&mut self, bits: usize) -> u32 {
        let bit = |at: usize| u32::from(self.bytes[at / 8] >> (at % 8) & 1);
        let number = (0..bits).map(|at| bit(self.next + at) << at).sum();
        self.next += bits;
        number
    }
}

/// Reads a record of 72 bytes.
pub(crate) fn unpacked(record: &[u8]) -> Unpacked {
    assert_eq!(record.len(), 72);
    let mut bits = Bits { bytes: &record[..64], next: 0 };
    let color = |bit: u32| if bit == 0 { Color::White } else { Color::Black };
    let turn = color(bits.read(1));
    let kings = Color::ALL.map(|color| (color, Square::new(bits.read(7) as u8)));
    let mut board = Board::empty();
    for (color, square) in kings {
        board.set(square, Piece::new(color, Role::King));
    }
    for rank in (0..8).rev() {
        for file in 0..8 {
            let square = Square::at(file, rank).unwrap();
            if kings.iter().any(|(_, king)| *king == square) || bits.read(1) == 0 {
                continue;
            }
            let role = match bits.read(4) {
                0 => Role::Pawn,
                1 => Role::Knight,
                2 => Role::Rook,
                3 => Role::Met,
                4 => Role::Khon,
                other => panic!("role {other}"),
            };
            board.set(square, Piece::new(color(bits.read(1)), role));
        }
    }
    assert_eq!((bits.read(30), bits.read(30)), (0, 0), "pockets");
    assert_eq!(bits.read(5), 0, "castling and en passant");
    let clock = bits.read(6);
    let fullmove = bits.read(16);
    let clock = clock | bits.read(1) << 6;
    assert!((bits.next..512).all(|_| bits.read(1) == 0), "the rest is empty");
    let half = |at: usize| u16::from_le_bytes(record[at..at + 2].try_into().unwrap());
    let squares = half(66);
    let best = (squares != 0).then(|| Move {
        from: Square::new((squares >> 6 & 63) as u8),
        to: Square::new((squares & 63) as u8),
        promotion: false,
    });
    assert!(squares < 1 << 12 && record[71] == 0);
    let (score, result) = (half(64) as i16, record[70] as i8);
    Unpacked { board, turn, clock, fullmove, score, best, plies: half(68), result }
}
