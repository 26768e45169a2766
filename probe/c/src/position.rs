//! Positions.

use std::ffi::{CStr, c_char};

use makruk_tables::rules::{Bitboard, Board, Color, Count, CountingRules, Fen, Move, Piece, Position, Reading, Role};
use prober::ProbeError;

use crate::guard::{guarded, write_text};
use crate::result::{
    MAKRUK_BAD_ARGUMENT, MAKRUK_BAD_COUNT, MAKRUK_ILLEGAL_POSITION, MAKRUK_NO_MOVE, MAKRUK_OK, failure,
};

/// White, for MakrukPosition.side. White moves up the board.
pub const MAKRUK_WHITE: u8 = 0;
/// Black.
pub const MAKRUK_BLACK: u8 = 1;

/// A position. Bit 0 of a bitboard is a1, bit 1 b1, bit 8 a2, bit 63 h8.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct MakrukPosition {
    /// White's men.
    pub white: u64,
    /// Black's men.
    pub black: u64,
    /// Kings (khun) of both sides.
    pub kings: u64,
    /// Rooks (rua) of both sides.
    pub rooks: u64,
    /// Knights (ma) of both sides.
    pub knights: u64,
    /// Khons of both sides.
    pub khons: u64,
    /// Mets of both sides, promoted pawns among them.
    pub mets: u64,
    /// Unpromoted pawns (bia) of both sides.
    pub pawns: u64,
    /// The count's limit in plies, as in the FEN: 128 for board's honour, 32 for a rook against a bare king. 0: no count runs.
    pub limit: u32,
    /// The plies on the clock, as in the FEN; ignored if limit is 0.
    pub ply: u32,
    /// The number of the move to be made; probes ignore it.
    pub fullmove: u32,
    /// The side to move: MAKRUK_WHITE or MAKRUK_BLACK.
    pub side: u8,
}

impl MakrukPosition {
    fn by_role(&self) -> [(Role, u64); 6] {
        [
            (Role::King, self.kings),
            (Role::Rook, self.rooks),
            (Role::Knight, self.knights),
            (Role::Khon, self.khons),
            (Role::Met, self.mets),
            (Role::Pawn, self.pawns),
        ]
    }

    /// The position, if it is legal.
    pub(crate) fn read(&self) -> Result<Fen, i32> {
        let roles = self.by_role();
        let all = roles.iter().fold(0, |all, (_, men)| all | men);
        let apart = roles.iter().map(|(_, men)| men.count_ones()).sum::<u32>() == all.count_ones();
        if self.white & self.black != 0 || self.white | self.black != all || !apart {
            return Err(MAKRUK_ILLEGAL_POSITION);
        }
        let side = match self.side {
            MAKRUK_WHITE => Color::White,
            MAKRUK_BLACK => Color::Black,
            _ => return Err(MAKRUK_BAD_ARGUMENT),
        };
        let board = self.board();
        let count = self.count()?.filter(|_| !board.has_pawns());
        let position = Position::new(board, side).map_err(|_| MAKRUK_ILLEGAL_POSITION)?;
        Ok(Fen { position, count, fullmove: self.fullmove.max(1) })
    }

    /// The position, which the caller knows to be legal.
    pub(crate) fn trusted(&self) -> Result<Fen, i32> {
        let side = match self.side {
            MAKRUK_WHITE => Color::White,
            MAKRUK_BLACK => Color::Black,
            _ => return Err(MAKRUK_BAD_ARGUMENT),
        };
        let position = Position::trusted(self.board(), side).ok_or(MAKRUK_ILLEGAL_POSITION)?;
        let count = self.count()?.filter(|_| self.pawns == 0);
        Ok(Fen { position, count, fullmove: 1 })
    }

    fn board(&self) -> Board {
        let mut board = Board::empty();
        for (color, own) in [(Color::White, self.white), (Color::Black, self.black)] {
            for (role, men) in self.by_role() {
                for square in Bitboard(own & men) {
                    board.set(square, Piece::new(color, role));
                }
            }
        }
        board
    }

    fn count(&self) -> Result<Option<Count>, i32> {
        match self.limit {
            0 => Ok(None),
            limit => Count::new(limit, self.ply).map(Some).map_err(|_| MAKRUK_BAD_COUNT),
        }
    }

    /// A board's men; White to move, no count.
    pub(crate) fn on(board: &Board) -> MakrukPosition {
        let men = |role| board.by_role(role).0;
        MakrukPosition {
            white: board.by_color(Color::White).0,
            black: board.by_color(Color::Black).0,
            kings: men(Role::King),
            rooks: men(Role::Rook),
            knights: men(Role::Knight),
            khons: men(Role::Khon),
            mets: men(Role::Met),
            pawns: men(Role::Pawn),
            ..MakrukPosition::default()
        }
    }

    pub(crate) fn of(fen: &Fen) -> MakrukPosition {
        MakrukPosition {
            limit: fen.count.map_or(0, Count::limit),
            ply: fen.count.map_or(0, Count::ply),
            fullmove: fen.fullmove,
            side: if fen.position.turn() == Color::White { MAKRUK_WHITE } else { MAKRUK_BLACK },
            ..MakrukPosition::on(fen.position.board())
        }
    }
}

/// A string of the caller.
///
/// # Safety
///
/// `text` is null or a string.
pub(crate) unsafe fn string<'a>(text: *const c_char) -> Result<&'a CStr, i32> {
    if text.is_null() {
        return Err(MAKRUK_BAD_ARGUMENT);
    }
    // SAFETY: it is not null, and the caller has promised a string.
    Ok(unsafe { CStr::from_ptr(text) })
}

/// Reads a FEN: board, side to move, -, LIMIT, PLY, move number, the count in plies, or "-" if none runs, such as
/// "8/1K6/2MN4/k1M5/8/8/8/8 b - 128 10 78". It also reads what other programs write:
///
///   - khons as S, B or E, mets as M, Q, F, M~ or +M; the side as w, W, b, B, white or black; Thai digits;
///   - fewer fields, board and side at least. The third of four fields, if it is a number, is XBoard's half-move clock: no count
///     runs, and the fourth is the move number. The third of three, if it is a number, is the move number;
///   - castling rights in the third field, such as KQkq, which are ignored;
///   - any white space, or underscores, %20 or + in its stead; quotes and "fen" before the FEN; a byte order mark; links;
///   - operations of an EPD or a comment after the fields, which are not read.
///
/// With a pawn on the board LIMIT and PLY are checked and dropped. A position of chess is refused.
///
/// Returns MAKRUK_OK, MAKRUK_BAD_FEN, MAKRUK_ILLEGAL_POSITION, MAKRUK_BAD_COUNT or MAKRUK_BAD_ARGUMENT. *position is written
/// only on success.
///
/// # Safety
///
/// `fen` is NULL or a string, `position` NULL or a place for a position.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn makruk_position_from_fen(fen: *const c_char, position: *mut MakrukPosition) -> i32 {
    guarded(|| {
        // SAFETY: null or a string, as the caller has promised.
        let text = unsafe { string(fen)? }.to_string_lossy();
        let fen = Reading::parse(&text).map_err(|error| failure(&ProbeError::Fen(error)))?.fen;
        if position.is_null() {
            return Err(MAKRUK_BAD_ARGUMENT);
        }
        // SAFETY: it is not null, and the caller has promised that a position can be written there.
        unsafe { position.write(MakrukPosition::of(&fen)) };
        Ok(MAKRUK_OK)
    })
}

/// Explains how makruk_position_from_fen() reads a text: why it refuses the text, or else what it dropped or assumed, such as
/// "Q was read as a met (M)"; an empty text if there was nothing of the kind. The text is cut off if the buffer is too small
/// (512 bytes are enough but for positions that break many rules).
///
/// Returns the length of the sentence without the null at its end, or MAKRUK_BAD_ARGUMENT.
///
/// # Safety
///
/// `fen` is NULL or a string, `buffer` NULL or room for `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn makruk_explain_fen(fen: *const c_char, buffer: *mut c_char, size: usize) -> i32 {
    guarded(|| {
        // SAFETY: null or a string, as the caller has promised.
        let text = unsafe { string(fen)? }.to_string_lossy();
        let sentence = match Reading::parse(&text) {
            Ok(reading) => reading.sentences().join("; "),
            Err(error) => error.to_string(),
        };
        // SAFETY: null or room, as the caller has promised.
        Ok(unsafe { write_text(&sentence, buffer, size) })
    })
}

/// Writes a position's FEN into a buffer, cut off if it is too small (128 bytes are enough).
///
/// Returns the length of the FEN without the null at its end, or a negative result.
///
/// # Safety
///
/// `position` is NULL or a position, `buffer` NULL or room for `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn makruk_position_to_fen(
    position: *const MakrukPosition,
    buffer: *mut c_char,
    size: usize,
) -> i32 {
    guarded(|| {
        // SAFETY: null or a position, as the caller has promised.
        let fen = unsafe { position.as_ref() }.ok_or(MAKRUK_BAD_ARGUMENT)?.read()?;
        // SAFETY: null or room, as the caller has promised.
        Ok(unsafe { write_text(&fen.to_string(), buffer, size) })
    })
}

/// Makes a move in UCI notation, such as "e2e3" or "e5e6m", and carries the count: it runs on, or begins again if the move
/// bares a king or ends the last pawn. A position without a count and without pawns begins one with the defender's next move.
///
/// Returns MAKRUK_OK, or MAKRUK_NO_MOVE if the move is not legal, in which case the position does not change. A text that is
/// not a move is MAKRUK_NO_MOVE as well.
///
/// # Safety
///
/// `position` is NULL or a position that may be changed, `move` NULL or a string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn makruk_position_play(position: *mut MakrukPosition, r#move: *const c_char) -> i32 {
    guarded(|| {
        // SAFETY: null or a position that nobody else uses meanwhile, as the caller has promised.
        let position = unsafe { position.as_mut() }.ok_or(MAKRUK_BAD_ARGUMENT)?;
        // SAFETY: null or a string, as the caller has promised.
        let text = unsafe { string(r#move)? }.to_str().map_err(|_| MAKRUK_BAD_ARGUMENT)?;
        let fen = position.read()?;
        let mv = Move::from_uci(&fen.position, text).map_err(|_| MAKRUK_NO_MOVE)?;
        *position = MakrukPosition::of(&resolved(fen).play(&CountingRules::MAKRUK, mv));
        Ok(MAKRUK_OK)
    })
}

/// Makes the move from one square to another, 0 (a1) to 63 (h8), and carries the count as makruk_position_play() does. A pawn that
/// reaches its sixth rank becomes a met.
///
/// Returns MAKRUK_OK, or MAKRUK_NO_MOVE if the move is not legal, in which case the position does not change.
///
/// # Safety
///
/// `position` is NULL or a position that may be changed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn makruk_position_move(position: *mut MakrukPosition, from: u8, to: u8) -> i32 {
    guarded(|| {
        // SAFETY: null or a position that nobody else uses meanwhile, as the caller has promised.
        let position = unsafe { position.as_mut() }.ok_or(MAKRUK_BAD_ARGUMENT)?;
        let fen = position.read()?;
        let legal = fen.position.legal_moves();
        let is_asked = |mv: &&Move| (mv.from.index(), mv.to.index()) == (from.into(), to.into());
        let mv = *legal.iter().find(is_asked).ok_or(MAKRUK_NO_MOVE)?;
        *position = MakrukPosition::of(&resolved(fen).play(&CountingRules::MAKRUK, mv));
        Ok(MAKRUK_OK)
    })
}

/// The count of a position without one begins with the defender's next move.
pub(crate) fn resolved(fen: Fen) -> Fen {
    let count = fen.count.or_else(|| CountingRules::MAKRUK.start(fen.position.board(), fen.position.turn()));
    Fen { count, ..fen }
}

/// Whether the side to move is in check. 1 or 0; or a failure of the position.
///
/// # Safety
///
/// `position` is NULL or a position.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn makruk_is_check(position: *const MakrukPosition) -> i32 {
    guarded(|| {
        // SAFETY: null or a position, as the caller has promised.
        let fen = unsafe { position.as_ref() }.ok_or(MAKRUK_BAD_ARGUMENT)?.read()?;
        Ok(fen.position.is_check().into())
    })
}
