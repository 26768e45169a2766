//! Moves as people and programs write them.

mod error;
mod note;
mod parts;
mod signs;
mod write;

use super::{Bitboard, Move, Piece, Position, Role, Square};
use parts::{Parts, parse};

pub use error::SanError;
pub use note::MoveNote;
pub(super) use parts::MARKS;
pub use parts::MAX_SAN_CHARS;
pub(super) use signs::{is_invisible, is_thai_man, plain};

/// A move that was read, and a note for everything that was assumed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveReading {
    /// The move.
    pub mv: Move,
    /// What was assumed.
    pub notes: Vec<MoveNote>,
}

impl MoveReading {
    /// Reads a move: standard algebraic notation (SAN), long or short, in Latin or Thai letters, or two squares.
    ///
    /// - Latin letters are capitals, of any lettering: S, B or E is a khon, M, Q or F a met; P may precede a pawn's
    ///   move. A small `b` is the file, never a khon. Figurines (`♖e1`) are letters too.
    /// - Thai letters are those of the competition rules of BE 2569: ข ร ม ค ม็ บ, and ง for a promoted pawn. Files are
    ///   ก ข ค ง จ ฉ ช ญ. Digits are Thai or not. A dot may follow the man, and a capture may name the man taken: `ร.ก๔
    ///   × บ.ง๔`.
    /// - A letter such as ข, both a man's and a file's, is what makes the move legal; if both do, the move is
    ///   ambiguous.
    /// - The square left may be given in more detail than needed. If both squares are given, no letter is needed:
    ///   `e1d2`, `e1-d2`.
    /// - If both squares are given, a letter may be that of the English letters of BE 2569 (`Mb1-d2` for a knight),
    ///   which is noted.
    /// - A promotion may name its met (`c6=M`, `c6=Q`, `c6M`) or not (`c6`).
    /// - `x`, `:` or `-` before the square reached is optional. If the square is empty in spite of an `x`, that is
    ///   noted.
    /// - `+ # ! ?` and a draw offer's `=` may follow; whether check is given is not compared.
    ///
    /// ```text
    /// 8 . . . . . . . .
    /// 7 . . . . . . . .
    /// 6 . . . . . . . .     8/8/8/4P3/8/k3N3/8/K1R1N3 w
    /// 5 . . . . P . . .
    /// 4 . . . . . . . .     Both knights reach c2 and g2, the pawn promotes on e6.
    /// 3 k . . . N . . .
    /// 2 . . . . . . . .
    /// 1 K . R . N . . .
    ///   a b c d e f g h
    /// ```
    ///
    /// ```
    /// use makruk_rules::{Fen, Move, MoveReading};
    ///
    /// let position = Fen::parse("8/8/8/4P3/8/k3N3/8/K1R1N3 w")?.position;
    /// let mv = Move::from_san(&position, "N1c2+!")?;
    /// assert_eq!((mv.to_string().as_str(), mv.to_san(&position).as_str()), ("e1c2", "N1c2+"));
    /// assert_eq!(MoveReading::parse(&position, "ม.จ๑ - ค๒")?.mv, mv);
    /// let error = Move::from_san(&position, "Ng2").unwrap_err();
    /// assert_eq!(error.to_string(), "\"Ng2\" is ambiguous: it may be N1g2, N3g2");
    /// assert_eq!(Move::from_san(&position, "e6")?.to_san(&position), "e6=M");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the text is not a move, or if not exactly one legal move matches it; the error then lists the candidates.
    pub fn parse(position: &Position, text: &str) -> Result<MoveReading, SanError> {
        MoveReading::parse_in_game(position, Bitboard::EMPTY, text)
    }

    /// Reads a move of a game, as [`MoveReading::parse`] does. The mets on these squares were pawns and are called P,
    /// as PlayOK writes it. P is one of them where no pawn can go. Q is the other met where both can go.
    ///
    /// ```
    /// use makruk_rules::{Bitboard, Fen, MoveNote, MoveReading};
    ///
    /// let position = Fen::parse("8/8/8/3M4/8/3M2k1/8/K7 w")?.position;
    /// let promoted = Bitboard::of("d5".parse()?);
    /// let reading = MoveReading::parse_in_game(&position, promoted, "Pc4")?;
    /// assert_eq!(reading.mv.to_string(), "d5c4");
    /// assert!(matches!(reading.notes[..], [MoveNote::PromotedPawn { .. }]));
    /// assert_eq!(MoveReading::parse_in_game(&position, promoted, "Qc4")?.mv.to_string(), "d3c4");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`MoveReading::parse`].
    pub fn parse_in_game(position: &Position, promoted: Bitboard, text: &str) -> Result<MoveReading, SanError> {
        let readings = parse(text).map_err(|expected| SanError::Syntax { found: text.to_owned(), expected })?;
        let first = &readings[0];
        let (mv, note) = match first.square_left() {
            Some(from) if first.is_named_by(role_on(position, from)) => {
                (by_squares(position, first, from, text)?, None)
            }
            Some(_) if first.role.is_none() => {
                let expected = "expected the letter of the man on the square left, or none";
                return Err(SanError::Syntax { found: text.to_owned(), expected });
            }
            _ => by_role(position, &readings, promoted, text)?,
        };
        let found = || text.to_owned();
        let is_p_met = matches!(note, Some(MoveNote::PromotedPawn { .. }));
        let mut notes: Vec<MoveNote> = note.into_iter().collect();
        if first.stays_p {
            notes.push(MoveNote::PromotedToP { found: found() });
        }
        if let (Some(letter), Some(role)) = (first.letter, role_on(position, mv.from))
            && Role::from_letter(letter) != Some(role)
            && !is_p_met
        {
            notes.push(MoveNote::Letter { found: found(), letter, role });
        }
        if first.captures && position.captured(mv).is_none() {
            notes.push(MoveNote::NoCapture { found: found(), to: mv.to });
        }
        Ok(MoveReading { mv, notes })
    }
}

fn role_on(position: &Position, square: Square) -> Option<Role> {
    position.board().piece_at(square).map(|piece| piece.role)
}

/// The move between the two squares that a text names.
fn by_squares(position: &Position, parts: &Parts, from: Square, text: &str) -> Result<Move, SanError> {
    let mv = Move::between(position, from, parts.to)?;
    match role_on(position, from) {
        _ if parts.promotes && !mv.promotion => Err(SanError::NoPromotion { found: text.to_owned() }),
        Some(role) if !parts.takes_what_it_names(position, mv) => Err(illegal(position, parts, role, text)),
        _ => Ok(mv),
    }
}

/// The only legal move that one of the readings of a text fits, and a note if that depends on the promoted mets.
fn by_role(
    position: &Position,
    readings: &[Parts],
    promoted: Bitboard,
    text: &str,
) -> Result<(Move, Option<MoveNote>), SanError> {
    let (first, found) = (&readings[0], text.to_owned());
    let legal = |fits: &dyn Fn(Move) -> bool| {
        let mut moves = position.legal_moves();
        moves.retain(|mv| fits(*mv));
        moves
    };
    let fitting = legal(&|mv| readings.iter().any(|parts| parts.fits(position, mv)));
    match fitting[..] {
        [mv] if first.promotes && !mv.promotion => return Err(SanError::NoPromotion { found }),
        [mv] => return Ok((mv, None)),
        _ => {}
    }
    let met = Parts { role: Some(Role::Met), ..*first };
    let of_mets = |are_promoted| legal(&|mv| promoted.contains(mv.from) == are_promoted && met.fits(position, mv));
    let (mets, note) = match (first.letter, fitting.is_empty()) {
        (Some('P'), true) => (of_mets(true), MoveNote::PromotedPawn { found: found.clone() }),
        (Some('Q'), false) => (of_mets(false), MoveNote::FirstMet { found: found.clone() }),
        (_, true) => return Err(illegal(position, first, first.role.unwrap_or(Role::Pawn), text)),
        (_, false) => return Err(SanError::Ambiguous { found, candidates: written(position, &fitting) }),
    };
    match mets[..] {
        [mv] => Ok((mv, Some(note))),
        [] => Err(illegal(position, first, first.role.unwrap_or(Role::Pawn), text)),
        _ => Err(SanError::Ambiguous { found, candidates: written(position, &mets) }),
    }
}

fn illegal(position: &Position, parts: &Parts, role: Role, text: &str) -> SanError {
    let mut legal = position.legal_moves();
    legal.retain(|mv| role_on(position, mv.from) == Some(role));
    let mover = Piece::new(position.turn(), role);
    let has_man = !position.board().by_piece(mover).is_empty();
    let (found, letter, candidates) = (text.to_owned(), parts.letter, written(position, &legal));
    SanError::Illegal { found, mover, has_man, letter, candidates }
}

fn written(position: &Position, moves: &[Move]) -> Vec<String> {
    moves.iter().map(|mv| mv.to_san(position)).collect()
}

impl Move {
    /// The move of [`MoveReading::parse`], without its notes.
    pub fn from_san(position: &Position, text: &str) -> Result<Move, SanError> {
        MoveReading::parse(position, text).map(|reading| reading.mv)
    }
}

#[cfg(test)]
mod tests;
