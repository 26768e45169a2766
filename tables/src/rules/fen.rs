//! Positions as text: the FEN with the count in it, as Fairy-Stockfish and pychess write it.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::text::quoted;
use super::{
    Board, Color, Count, CountingRules, IllegalPosition, MAX_COUNT_FIELD, Move, Piece, Position, Role, Square,
};

/// The longest FEN that is read, in bytes, white space around it not counted. The longest useful one has about 130.
pub const MAX_FEN_BYTES: usize = 200;

/// The contents of a FEN: a position with its count and move number.
///
/// Six fields, `board side - LIMIT PLY fullmove`; LIMIT and PLY are the [`Count`]'s, in plies.
///
/// ```text
/// 8 . . . . . . . .
/// 7 . K . . . . . .     8/1K6/2MN4/k1M5/8/8/8/8 b - 128 10 78
/// 6 . . M N . . . .
/// 5 k . M . . . . .     Black to move and to count: limit 64 moves,
/// 4 . . . . . . . .     10 plies (5 men, both kings included) on the clock
/// 3 . . . . . . . .
/// 2 . . . . . . . .
/// 1 . . . . . . . .
///   a b c d e f g h
/// ```
///
/// ```
/// use makruk_tables::rules::{Color, Fen, ToMove};
///
/// let fen: Fen = "8/1K6/2MN4/k1M5/8/8/8/8 b - 128 10 78".parse()?;
/// assert_eq!(fen.position.turn(), Color::Black);
/// let count = fen.count.expect("a count runs");
/// assert_eq!((count.limit(), count.ply(), count.attacker_moves_left(ToMove::Defender)), (128, 10, 59));
///
/// // Other letterings and shorter forms are read, one form is written.
/// let fen: Fen = "8/8/8/8/8/4b1k1/4R3/K7 w".parse()?;
/// assert_eq!(fen.to_string(), "8/8/8/8/8/4s1k1/4R3/K7 w - - 0 1");
/// # Ok::<(), makruk_tables::rules::FenError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Fen {
    /// Board and side to move.
    pub position: Position,
    /// The count that the FEN gives. [`Fen::running_count`] is the one that runs: none with an unpromoted pawn on the board.
    pub count: Option<Count>,
    /// The number of the move to be made, 1 at the game's start.
    pub fullmove: u32,
}

/// One of the FEN's two count fields. Written `LIMIT` and `PLY`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CountField {
    /// The fourth field: the limit, in plies.
    Limit,
    /// The fifth field: the plies on the clock.
    Ply,
}

/// The kind of a [`FenError`], for programs that match it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FenErrorKind {
    /// The text is not a FEN.
    BadFen,
    /// The FEN's position is illegal.
    IllegalPosition,
    /// The FEN's LIMIT or PLY is not a number that a count can have.
    BadCount,
}

impl FenErrorKind {
    /// The kind's name: `bad_fen`, `illegal_position` or `bad_count`.
    pub const fn name(self) -> &'static str {
        match self {
            FenErrorKind::BadFen => "bad_fen",
            FenErrorKind::IllegalPosition => "illegal_position",
            FenErrorKind::BadCount => "bad_count",
        }
    }
}

impl fmt::Display for CountField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            CountField::Limit => "LIMIT",
            CountField::Ply => "PLY",
        })
    }
}

impl fmt::Display for FenErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The reason why a text is not the FEN of a legal position. Each message names the field, the text found and the text expected.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum FenError {
    /// The text is white space.
    #[error("the FEN is empty: expected a board and the side to move, such as \"8/8/8/8/8/4s1k1/4R3/K7 w\"")]
    Empty,
    /// The text has more bytes than [`MAX_FEN_BYTES`].
    #[error("the FEN has {bytes} bytes: expected at most {MAX_FEN_BYTES}")]
    TooLong {
        /// The number of bytes.
        bytes: usize,
    },
    /// The board has not eight ranks.
    #[error("the FEN's board has {found} rank{}: expected 8, separated by /", if *.found == 1 { "" } else { "s" })]
    RankCount {
        /// The number of ranks.
        found: usize,
    },
    /// A rank has not eight squares.
    #[error("rank {rank} of the FEN's board, {}, has {squares} squares: expected 8", quoted(.text))]
    RankLength {
        /// The rank, 1 to 8.
        rank: u8,
        /// The rank's text.
        text: String,
        /// The number of squares that the text describes.
        squares: u32,
    },
    /// A character is neither a man nor a number of empty squares.
    #[error(
        "rank {rank} of the FEN's board has {}: expected K R N S M P (or B E for S, Q F for M) in either case, or 1 to 8",
        quoted(&.letter.to_string())
    )]
    UnknownLetter {
        /// The rank, 1 to 8.
        rank: u8,
        /// The character.
        letter: char,
    },
    /// The mark of a promoted man does not follow a met.
    #[error("rank {rank} of the FEN's board has a \"~\" that follows no met: expected it in \"M~\" or \"m~\" only")]
    PromotedMark {
        /// The rank, 1 to 8.
        rank: u8,
    },
    /// The second field is missing.
    #[error("the FEN's side to move is missing: expected w or b after the board")]
    MissingSide,
    /// The second field is neither `w` nor `b`.
    #[error("the FEN's side to move is {}: expected w or b", quoted(.0))]
    UnknownSide(
        /// The field's text.
        String,
    ),
    /// LIMIT or PLY is not a number that a count can have.
    #[error(
        "the FEN's count field {} is {}: expected {}",
        .field,
        quoted(.found),
        match .field {
            CountField::Limit => "- or a whole number of plies from 1 to 9999",
            CountField::Ply => "a whole number of plies from 0 to 9999",
        }
    )]
    Count {
        /// The field.
        field: CountField,
        /// The field's text.
        found: String,
    },
    /// The sixth field is not a number.
    #[error("the FEN's move number is {}: expected a whole number", quoted(.0))]
    Fullmove(
        /// The field's text.
        String,
    ),
    /// A text follows the sixth field.
    #[error("the FEN has a seventh field, {}: expected board, side, -, LIMIT, PLY and move number", quoted(.0))]
    ExtraField(
        /// The field's text.
        String,
    ),
    /// The position breaks the rules.
    #[error(transparent)]
    IllegalPosition(#[from] IllegalPosition),
}

impl FenError {
    /// The error's kind.
    pub const fn kind(&self) -> FenErrorKind {
        match self {
            FenError::IllegalPosition(_) => FenErrorKind::IllegalPosition,
            FenError::Count { .. } => FenErrorKind::BadCount,
            FenError::Empty
            | FenError::TooLong { .. }
            | FenError::RankCount { .. }
            | FenError::RankLength { .. }
            | FenError::UnknownLetter { .. }
            | FenError::PromotedMark { .. }
            | FenError::MissingSide
            | FenError::UnknownSide(_)
            | FenError::Fullmove(_)
            | FenError::ExtraField(_) => FenErrorKind::BadFen,
        }
    }
}

impl Fen {
    /// The array a game starts from.
    pub const START: &'static str = "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1";

    /// The FEN of a position at move 1.
    pub const fn new(position: Position, count: Option<Count>) -> Fen {
        Fen { position, count, fullmove: 1 }
    }

    /// The FEN of the starting array.
    pub fn start() -> Fen {
        Fen::parse(Fen::START).expect("the starting array is a legal position")
    }

    /// Reads a FEN.
    ///
    /// - Khons may be S, B or E, mets M, Q, F or `M~`.
    /// - Fields may be missing from the end, down to board and side to move. The third (castling) is ignored.
    /// - If LIMIT is `-`, 0 or missing, no count runs and PLY is ignored (it must still be a number), so the Western
    ///   `- - 0 1` is read too. PLY may exceed LIMIT; that count has expired.
    /// - With an unpromoted pawn on the board no count can run: LIMIT and PLY are checked and then ignored.
    /// - Move number 0 is read as 1.
    ///
    /// # Errors
    ///
    /// If a field cannot be read, the first such field; if all fields can, every rule that the position breaks.
    pub fn parse(text: &str) -> Result<Fen, FenError> {
        let text = text.trim_ascii();
        if text.is_empty() {
            return Err(FenError::Empty);
        }
        if text.len() > MAX_FEN_BYTES {
            return Err(FenError::TooLong { bytes: text.len() });
        }
        let mut fields = text.split_ascii_whitespace();
        let board = parse_board(fields.next().unwrap_or_default())?;
        let turn = match fields.next() {
            None => return Err(FenError::MissingSide),
            Some("w") => Color::White,
            Some("b") => Color::Black,
            Some(other) => return Err(FenError::UnknownSide(other.to_owned())),
        };
        let _castling = fields.next();
        let count = parse_count(fields.next(), fields.next())?;
        let fullmove = match fields.next() {
            None => 1,
            Some(number) => {
                let read = if is_digits(number) { number.parse::<u32>().ok() } else { None };
                read.ok_or_else(|| FenError::Fullmove(number.to_owned()))?.max(1)
            }
        };
        if let Some(extra) = fields.next() {
            return Err(FenError::ExtraField(extra.to_owned()));
        }
        let count = count.filter(|_| !board.has_pawns());
        Ok(Fen { position: Position::new(board, turn)?, count, fullmove })
    }

    /// The count that runs: the one given, unless an unpromoted pawn stops it.
    pub fn running_count(&self) -> Option<Count> {
        self.count.filter(|_| !self.position.board().has_pawns())
    }

    /// The FEN after a legal move: the count runs on or restarts as the rules have it, and Black's move ends a full move.
    ///
    /// ```
    /// use makruk_tables::rules::{CountingRules, Fen, Move};
    ///
    /// let fen: Fen = "8/8/8/8/8/4s1k1/4R3/K7 w - 128 5 1".parse()?;
    /// let capture = Move::from_san(&fen.position, "Rxe3+")?;
    /// // The capture bares Black's king: limit 16 moves, 3 men already counted.
    /// assert_eq!(fen.play(&CountingRules::MAKRUK, capture).to_string(), "8/8/8/8/8/4R1k1/8/K7 b - 32 6 1");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    ///
    /// If no man stands on the square left.
    #[must_use]
    pub fn play(&self, rules: &CountingRules, mv: Move) -> Fen {
        let ends = u32::from(self.position.turn() == Color::Black);
        Fen {
            position: self.position.play(mv),
            count: rules.after(self.running_count(), &self.position, mv),
            fullmove: self.fullmove.saturating_add(ends),
        }
    }
}

/// The normalised form: Fairy-Stockfish's letters and six fields.
impl fmt::Display for Fen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} - ", self.position.board(), self.position.turn().letter())?;
        match self.count {
            Some(count) => write!(f, "{count}")?,
            None => f.write_str("- 0")?,
        }
        write!(f, " {}", self.fullmove)
    }
}

impl FromStr for Fen {
    type Err = FenError;

    fn from_str(text: &str) -> Result<Fen, FenError> {
        Fen::parse(text)
    }
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn parse_board(text: &str) -> Result<Board, FenError> {
    let found = text.split('/').count();
    if found != 8 {
        // An unknown letter explains more: such a text is more likely no FEN at all than one with a rank missing.
        if let Some(letter) = text.chars().find(|&c| Piece::from_letter(c).is_none() && !"/~12345678".contains(c)) {
            let rank = 8u8.saturating_sub(text.split(letter).next().unwrap_or_default().matches('/').count() as u8);
            return Err(FenError::UnknownLetter { rank: rank.max(1), letter });
        }
        return Err(FenError::RankCount { found });
    }
    let mut board = Board::empty();
    for (row, rank) in (0..8i8).rev().zip(text.split('/')) {
        let name = row as u8 + 1;
        let mut file = 0u32;
        let mut before = None;
        for letter in rank.chars() {
            let piece = Piece::from_letter(letter);
            match (letter, piece) {
                ('1'..='8', _) => file += letter as u32 - '0' as u32,
                ('~', _) if before == Some(Role::Met) => {}
                ('~', _) => return Err(FenError::PromotedMark { rank: name }),
                (_, Some(piece)) => {
                    // A rank that is too long is reported below, with all its squares counted.
                    if let Some(square) = i8::try_from(file).ok().and_then(|file| Square::at(file, row)) {
                        board.set(square, piece);
                    }
                    file += 1;
                }
                (_, None) => return Err(FenError::UnknownLetter { rank: name, letter }),
            }
            before = piece.map(|piece| piece.role);
        }
        if file != 8 {
            return Err(FenError::RankLength { rank: name, text: rank.to_owned(), squares: file });
        }
    }
    Ok(board)
}

fn parse_count(limit: Option<&str>, ply: Option<&str>) -> Result<Option<Count>, FenError> {
    let bad = |field, found: &str| FenError::Count { field, found: found.to_owned() };
    // A number beyond u32 is beyond 9999 too.
    let number = |text: &str| is_digits(text).then(|| text.parse::<u32>().unwrap_or(u32::MAX));
    let limit = match limit {
        None | Some("-") => 0,
        Some(text) => number(text).filter(|&n| n <= MAX_COUNT_FIELD).ok_or_else(|| bad(CountField::Limit, text))?,
    };
    let ply_text = match ply {
        None => "0",
        Some("-") if limit == 0 => "0",
        Some(text) => text,
    };
    let ply = number(ply_text).ok_or_else(|| bad(CountField::Ply, ply_text))?;
    if limit == 0 {
        return Ok(None);
    }
    Count::new(limit, ply).map(Some).map_err(|_| bad(CountField::Ply, ply_text))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const BOARD: &str = "8/8/8/8/8/4s1k1/4R3/K7";

    #[test]
    fn count_fields() {
        let count = |fields: &str| {
            let fen = Fen::parse(&format!("{BOARD} w{fields}")).unwrap();
            (fen.count.map(|count| (count.limit(), count.ply())), fen.fullmove)
        };
        assert_eq!(count(""), (None, 1));
        assert_eq!(count(" -"), (None, 1));
        assert_eq!(count(" KQkq - 0 1"), (None, 1));
        assert_eq!(count(" - 0 17 3"), (None, 3));
        assert_eq!(count(" - - 50000 0"), (None, 1));
        assert_eq!(count(" - 128"), (Some((128, 0)), 1));
        assert_eq!(count(" - 15 9999 78"), (Some((15, 9999)), 78));
        assert_eq!(count("  - \t 9999   0 4294967295 "), (Some((9999, 0)), u32::MAX));
        let pawns = Fen::parse("8/8/8/8/8/3Ps1k1/4R3/K7 w - 128 4 5").unwrap();
        assert_eq!(pawns.to_string(), "8/8/8/8/8/3Ps1k1/4R3/K7 w - - 0 5");
    }

    #[test]
    fn letterings_and_the_start() {
        let chess = Fen::parse("rnbqkbnr/8/pppppppp/8/8/PPPPPPPP/8/RNBKQBNR w KQkq - 0 1").unwrap();
        assert_eq!(chess, Fen::start());
        assert_eq!(chess.to_string(), Fen::START);
        let one = Fen::parse("8/8/8/2m~e4/3F1k2/8/1M~S5/K7 b").unwrap();
        assert_eq!(one.position.board().to_string(), "8/8/8/2ms4/3M1k2/8/1MS5/K7");
    }

    #[test]
    fn each_error_names_the_field() {
        let cases: &[(&str, FenErrorKind, &str)] = &[
            ("", FenErrorKind::BadFen, "is empty"),
            (" \n\t ", FenErrorKind::BadFen, "is empty"),
            (&"8".repeat(201), FenErrorKind::BadFen, "has 201 bytes: expected at most 200"),
            ("8/8/8/8 w", FenErrorKind::BadFen, "4 ranks: expected 8"),
            ("8/8/8/8/8/8/8/8/8 w", FenErrorKind::BadFen, "9 ranks"),
            ("hello", FenErrorKind::BadFen, "rank 8 of the FEN's board has \"h\""),
            ("7/8/8/8/8/4s1k1/4R3/K7 w", FenErrorKind::BadFen, "rank 8 of the FEN's board, \"7\", has 7 squares"),
            ("8/8/8/8/8/4s1k1/4R3/K71 w", FenErrorKind::BadFen, "rank 1 of the FEN's board, \"K71\", has 9 squares"),
            ("8/8/8/8/8/4s1k1/4R3/KRRRRRRRRR w", FenErrorKind::BadFen, "has 10 squares"),
            ("8/8//8/8/4s1k1/4R3/K7 w", FenErrorKind::BadFen, "rank 6 of the FEN's board, \"\", has 0 squares"),
            ("8/8/8/8/8/4z1k1/4R3/K7 w", FenErrorKind::BadFen, "rank 3 of the FEN's board has \"z\""),
            ("8/8/8/8/8/4\u{e01}1k1/4R3/K7 w", FenErrorKind::BadFen, "\\u{e01}"),
            ("9/8/8/8/8/4s1k1/4R3/K7 w", FenErrorKind::BadFen, "has \"9\""),
            ("8/8/8/8/8/4s~1k1/4R3/K7 w", FenErrorKind::BadFen, "\"~\" that follows no met"),
            (BOARD, FenErrorKind::BadFen, "side to move is missing"),
            ("8/8/8/8/8/4s1k1/4R3/K7 x", FenErrorKind::BadFen, "side to move is \"x\": expected w or b"),
            ("8/8/8/8/8/4s1k1/4R3/K7 w - -5 0 1", FenErrorKind::BadCount, "LIMIT is \"-5\""),
            ("8/8/8/8/8/4s1k1/4R3/K7 w - 10000 0 1", FenErrorKind::BadCount, "LIMIT is \"10000\""),
            ("8/8/8/8/8/4s1k1/4R3/K7 w - 99999999999999999999", FenErrorKind::BadCount, "LIMIT"),
            ("8/8/8/8/8/4s1k1/4R3/K7 w - 128.5", FenErrorKind::BadCount, "LIMIT"),
            ("8/8/8/8/8/4s1k1/4R3/K7 w - +128", FenErrorKind::BadCount, "LIMIT"),
            ("8/8/8/8/8/4s1k1/4R3/K7 w - 128 x 1", FenErrorKind::BadCount, "PLY is \"x\""),
            ("8/8/8/8/8/4s1k1/4R3/K7 w - 128 -1 1", FenErrorKind::BadCount, "PLY is \"-1\""),
            ("8/8/8/8/8/4s1k1/4R3/K7 w - - -1 1", FenErrorKind::BadCount, "PLY is \"-1\""),
            ("8/8/8/8/8/4s1k1/4R3/K7 w - 128 10000 1", FenErrorKind::BadCount, "PLY is \"10000\""),
            ("8/8/8/8/8/4s1k1/4R3/K7 w - - 0 x", FenErrorKind::BadFen, "move number is \"x\""),
            ("8/8/8/8/8/4s1k1/4R3/K7 w - - 0 1 1", FenErrorKind::BadFen, "seventh field, \"1\""),
            ("8/8/8/8/8/4s3/4R3/K7 w", FenErrorKind::IllegalPosition, "Black has no king"),
            ("8/8/8/8/8/4s1k1/4R3/K6K w", FenErrorKind::IllegalPosition, "White has 2 kings"),
            ("8/8/8/8/8/8/Kk6/8 w", FenErrorKind::IllegalPosition, "the kings touch"),
            ("8/8/8/8/8/6k1/6R1/K7 w", FenErrorKind::IllegalPosition, "Black is in check and it is not Black's move"),
            ("8/8/8/8/8/6k1/8/KRRR4 w", FenErrorKind::IllegalPosition, "White has 3 rooks"),
            ("mmmmmmmm/mm6/8/8/8/6k1/8/K7 w", FenErrorKind::IllegalPosition, "Black has 10 mets and pawns"),
            ("8/8/P7/8/8/6k1/p7/K7 w", FenErrorKind::IllegalPosition, "the pawn on a6"),
            ("8/8/8/8/8/6k1/3P4/K7 w", FenErrorKind::IllegalPosition, "the pawn on d2 is behind the rank"),
            ("8/8/8/P7/PPPPPPPP/6k1/8/K7 w", FenErrorKind::IllegalPosition, "White has 9 pawns, at most 8"),
        ];
        for (text, kind, part) in cases {
            let error = Fen::parse(text).unwrap_err();
            assert_eq!(error.kind(), *kind, "{text:?}: {error}");
            assert!(error.to_string().contains(part), "{text:?}: {error}");
        }
        let all = Fen::parse("8/8/8/8/8/8/KkRRR3/8 w").unwrap_err().to_string();
        assert!(all.contains("3 rooks") && all.contains("touch"), "{all}");
        assert_eq!(FenErrorKind::IllegalPosition.name(), "illegal_position");
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in "\\PC*", fields in "[1-8KRNSMPkbqe/~]{0,80} [wb] [-K] [-0-9]{1,6} [-0-9]{1,5} [0-9]") {
            for text in [text, fields] {
                match Fen::parse(&text) {
                    Ok(fen) => prop_assert_eq!(Fen::parse(&fen.to_string()), Ok(fen)),
                    Err(error) => prop_assert!(error.to_string().bytes().all(|byte| (b' '..=b'~').contains(&byte))),
                }
            }
        }
    }
}
