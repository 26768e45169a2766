//! Moves in standard algebraic notation.

use thiserror::Error;

use super::text::quoted;
use super::{Move, Position, Role, Square};

/// The longest move that is read, in bytes. The longest useful one, as `Se4xd5=M+!?`, has about a dozen.
pub const MAX_SAN_BYTES: usize = 20;

/// The reason why a SAN text is not a move of a position.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SanError {
    /// The text is not SAN.
    #[error("{} is not a move: {expected}", quoted(.found))]
    Syntax {
        /// The text.
        found: String,
        /// The notation that was expected in its place.
        expected: &'static str,
    },
    /// The text names a promotion, but no pawn reaches its sixth rank.
    #[error("{} has the letter of a promotion, but no pawn reaches its sixth rank by that move", quoted(.found))]
    NoPromotion {
        /// The text.
        found: String,
    },
    /// No legal move matches.
    #[error("{} is illegal: the legal {} moves are {}", quoted(.found), .role.name(), list(.candidates))]
    Illegal {
        /// The text.
        found: String,
        /// The role that should move.
        role: Role,
        /// The legal moves of that role, in SAN.
        candidates: Vec<String>,
    },
    /// More than one legal move matches.
    #[error("{} is ambiguous: it may be {}", quoted(.found), list(.candidates))]
    Ambiguous {
        /// The text.
        found: String,
        /// The legal moves that match, in SAN.
        candidates: Vec<String>,
    },
}

fn list(candidates: &[String]) -> String {
    if candidates.is_empty() { "none".to_owned() } else { candidates.join(", ") }
}

/// The parts of a SAN text, before it meets a position.
struct Parts {
    role: Role,
    file: Option<u8>,
    rank: Option<u8>,
    captures: bool,
    to: Square,
    promotes: bool,
}

impl Move {
    /// Reads a move in standard algebraic notation.
    ///
    /// - Letters in capitals, of any lettering: S, B or E is a khon, M, Q or F a met; P may stand before a pawn's move.
    ///   A small `b` is the file, never a khon.
    /// - A promotion may name its met (`c6=M`, `c6=Q`, `c6M`) or not (`c6`).
    /// - `x` or `-` before the square is optional, and the square left may be given in more detail than needed.
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
    /// use makruk_tables::rules::{Fen, Move};
    ///
    /// let position = Fen::parse("8/8/8/4P3/8/k3N3/8/K1R1N3 w")?.position;
    /// let mv = Move::from_san(&position, "N1c2+!")?;
    /// assert_eq!((mv.to_string().as_str(), mv.to_san(&position).as_str()), ("e1c2", "N1c2+"));
    /// let error = Move::from_san(&position, "Ng2").unwrap_err();
    /// assert_eq!(error.to_string(), "\"Ng2\" is ambiguous: it may be N1g2, N3g2");
    /// assert_eq!(Move::from_san(&position, "e6")?.to_san(&position), "e6=M");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the text is not SAN, or if not exactly one legal move matches it; the error then lists the candidates.
    pub fn from_san(position: &Position, text: &str) -> Result<Move, SanError> {
        let parts = parse(text)?;
        let role_of = |mv: &Move| position.board().piece_at(mv.from).map(|piece| piece.role);
        let legal: Vec<Move> =
            position.legal_moves().into_iter().filter(|mv| role_of(mv) == Some(parts.role)).collect();
        let fits = |mv: &&Move| {
            mv.to == parts.to
                && parts.file.is_none_or(|file| file == mv.from.file())
                && parts.rank.is_none_or(|rank| rank == mv.from.rank())
                // A pawn's capture says so, by its x or by the file it comes from.
                && (parts.role != Role::Pawn || parts.captures || parts.file.is_some() || mv.from.file() == mv.to.file())
        };
        let fitting: Vec<Move> = legal.iter().filter(fits).copied().collect();
        let written = |moves: &[Move]| moves.iter().map(|&mv| mv.to_san(position)).collect();
        match fitting[..] {
            [mv] if parts.promotes && !mv.promotion => Err(SanError::NoPromotion { found: text.to_owned() }),
            [mv] => Ok(mv),
            [] => Err(SanError::Illegal { found: text.to_owned(), role: parts.role, candidates: written(&legal) }),
            _ => Err(SanError::Ambiguous { found: text.to_owned(), candidates: written(&fitting) }),
        }
    }

    /// Writes a legal move in standard algebraic notation: letters K R N S M, pawns by their squares, no more of the
    /// square left than is needed to tell the move from the others, `=M` for a promotion, `+` for check and `#` for mate.
    ///
    /// # Panics
    ///
    /// If no piece stands on the square left.
    pub fn to_san(self, position: &Position) -> String {
        let role = position.board().piece_at(self.from).expect("a move starts from a man").role;
        let captures = position.captured(self).is_some();
        let mut san = String::new();
        let file = (b'a' + self.from.file()) as char;
        let rank = (b'1' + self.from.rank()) as char;
        if role == Role::Pawn {
            if captures {
                san.push(file);
            }
        } else {
            san.push(role.letter());
            let rivals: Vec<Square> = position
                .legal_moves()
                .into_iter()
                .filter(|other| other.to == self.to && other.from != self.from)
                .map(|other| other.from)
                .filter(|&from| position.board().piece_at(from).is_some_and(|piece| piece.role == role))
                .collect();
            let same_file = rivals.iter().any(|from| from.file() == self.from.file());
            let same_rank = rivals.iter().any(|from| from.rank() == self.from.rank());
            if !rivals.is_empty() && (!same_file || same_rank) {
                san.push(file);
            }
            if same_file {
                san.push(rank);
            }
        }
        if captures {
            san.push('x');
        }
        san.push_str(&self.to.to_string());
        if self.promotion {
            san.push('=');
            san.push(Role::Met.letter());
        }
        let after = position.play(self);
        if after.is_checkmate() {
            san.push('#');
        } else if after.is_check() {
            san.push('+');
        }
        san
    }
}

fn parse(text: &str) -> Result<Parts, SanError> {
    let fail = |expected| SanError::Syntax { found: text.to_owned(), expected };
    if text.len() > MAX_SAN_BYTES || !text.is_ascii() {
        return Err(fail("expected a few letters and digits, such as Nf3, exd5 or e6=M"));
    }
    let mut body = text.trim_end_matches(['+', '#', '!', '?', '=']).as_bytes();

    let mut role = Role::Pawn;
    if let [letter @ b'A'..=b'Z', rest @ ..] = body {
        role = Role::from_letter(*letter as char)
            .ok_or_else(|| fail("expected K, R, N, S (or B, E), M (or Q, F) or a pawn's file first"))?;
        body = rest;
    }
    let mut promotes = false;
    if let [rest @ .., letter] = body
        && letter.is_ascii_alphabetic()
    {
        if Role::from_letter(*letter as char) != Some(Role::Met) {
            return Err(fail("expected a square from a1 to h8 at its end, or =M after a promotion"));
        }
        if role != Role::Pawn {
            return Err(fail("only a pawn is promoted"));
        }
        promotes = true;
        body = rest.strip_suffix(b"=").unwrap_or(rest);
    }
    let (from, to) = body.split_at(body.len().saturating_sub(2));
    let to = std::str::from_utf8(to).ok().and_then(|to| to.parse().ok());
    let to = to.ok_or_else(|| fail("expected a square from a1 to h8 at its end, as in Nf3"))?;
    let (captures, from) = match from {
        [from @ .., b'x' | b':'] => (true, from),
        [from @ .., b'-'] => (false, from),
        from => (false, from),
    };
    let (file, rank) = match *from {
        [] => (None, None),
        [file @ b'a'..=b'h'] => (Some(file - b'a'), None),
        [rank @ b'1'..=b'8'] => (None, Some(rank - b'1')),
        [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => (Some(file - b'a'), Some(rank - b'1')),
        _ => return Err(fail("expected a piece's letter in capitals, a file, a rank or x before the last square")),
    };
    Ok(Parts { role, file, rank, captures, to, promotes })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::Fen;
    use super::*;

    fn position(fen: &str) -> Position {
        Fen::parse(fen).unwrap().position
    }

    fn read(fen: &str, text: &str) -> Result<String, SanError> {
        Move::from_san(&position(fen), text).map(|mv| mv.to_string())
    }

    #[test]
    fn letterings_and_marks() {
        let fen = "8/8/8/4P3/1s3m2/1S3Mk1/8/K7 w";
        for text in ["Sc4", "Bc4", "Ec4", "Sc4!?", "Sb3c4=", "Sbc4", "S3c4+", "Sb3-c4", "Sxc4"] {
            assert_eq!(read(fen, text).as_deref(), Ok("b3c4"), "{text}");
        }
        for text in ["Mg2", "Qg2", "Fg2#"] {
            assert_eq!(read(fen, text).as_deref(), Ok("f3g2"), "{text}");
        }
        for text in ["Sxb4", "Sb4", "Bb3xb4", "Bb3:b4"] {
            assert_eq!(read(fen, text).as_deref(), Ok("b3b4"), "{text}");
        }
        for text in ["e6", "e6=", "e6=M", "e6=Q", "e6M", "e6F+", "Pe6", "e5e6=M!"] {
            assert_eq!(read(fen, text).as_deref(), Ok("e5e6m"), "{text}");
        }
    }

    #[test]
    fn a_small_b_is_a_file() {
        let fen = "8/8/8/2m5/1P6/8/1S4k1/K7 w";
        assert_eq!(read(fen, "bxc5").as_deref(), Ok("b4c5"));
        assert_eq!(read(fen, "bc5").as_deref(), Ok("b4c5"));
        assert_eq!(read(fen, "b5").as_deref(), Ok("b4b5"));
        assert_eq!(read(fen, "Bc3").as_deref(), Ok("b2c3"));
        assert!(matches!(read(fen, "bc3"), Err(SanError::Illegal { role: Role::Pawn, .. })));
    }

    #[test]
    fn the_square_left_is_written_only_as_far_as_needed() {
        let written = |fen, mv: &str| Move::from_uci(&position(fen), mv).unwrap().to_san(&position(fen));
        assert_eq!(written("8/8/8/8/8/6k1/8/R2K3R w", "a1b1"), "Rb1");
        assert_eq!(written("8/8/8/6k1/8/8/K7/R6R w", "a1d1"), "Rad1");
        assert_eq!(written("R7/8/6k1/8/8/8/2K5/R7 w", "a1a4"), "R1a4");
        // Four mets around one square: neither file nor rank alone is enough.
        assert_eq!(written("8/8/6k1/2M1M3/8/2M1M3/8/K7 w", "c3d4"), "Mc3d4");
        // A pinned rival does not count.
        assert_eq!(written("k3r3/8/8/4N3/8/1N6/8/4K3 w", "b3d4"), "Nd4");
        assert_eq!(written("8/8/1K6/8/8/8/2R5/k7 w", "c2c1"), "Rc1+");
        assert_eq!(written("8/8/8/8/8/1K6/2R5/k7 w", "c2c1"), "Rc1#");
        assert_eq!(written("8/8/3m4/4P3/8/k7/8/K1R5 w", "e5d6"), "exd6=M");
    }

    #[test]
    fn each_error_names_its_reason() {
        let fen = "8/8/8/4P3/8/k3N3/8/K1R1N3 w";
        for text in ["", "O-O", "--", "N", "Nz9", "nf3", "e6=R", "Ne3=M", "xx", "Ni3", "Nf3f", "N\u{e01}3", "+", "=M"] {
            assert!(matches!(read(fen, text), Err(SanError::Syntax { .. })), "{text}: {:?}", read(fen, text));
        }
        assert!(matches!(read(fen, &"N".repeat(99)), Err(SanError::Syntax { .. })));
        let message = |text| read(fen, text).unwrap_err().to_string();
        assert_eq!(message("e4"), "\"e4\" is illegal: the legal pawn moves are e6=M");
        assert_eq!(message("Ma3"), "\"Ma3\" is illegal: the legal met moves are none");
        assert_eq!(message("Nc2"), "\"Nc2\" is ambiguous: it may be N1c2+, N3c2+");
        let pawn = read("8/8/8/8/4P3/k7/8/K7 w", "e5=M").unwrap_err();
        assert!(matches!(pawn, SanError::NoPromotion { .. }), "{pawn}");
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in "\\PC{0,12}", near in "[KRNSBMQPa-h]?[a-h]?x?[a-h][1-8](=?[MQ])?[+#!?=]*") {
            let position = Fen::start().position;
            for text in [text, near] {
                if let Ok(mv) = Move::from_san(&position, &text) {
                    prop_assert!(position.is_legal(mv));
                }
            }
        }
    }
}
