//! Positions as text: the FEN with the count in it, as Fairy-Stockfish and pychess write it.

use std::fmt;

use super::{Color, Count, CountingRules, Move, Position};

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
/// use makruk_rules::{Color, Fen, ToMove};
///
/// let fen: Fen = "8/1K6/2MN4/k1M5/8/8/8/8 b - 128 10 78".parse()?;
/// assert_eq!(fen.position.turn(), Color::Black);
/// let count = fen.count.expect("a count runs");
/// assert_eq!((count.limit(), count.ply(), count.attacker_moves_left(ToMove::Defender)), (128, 10, 59));
///
/// // Shorter forms are read, one form is written.
/// let fen: Fen = "8/8/8/8/8/4s1k1/4R3/K7 w".parse()?;
/// assert_eq!(fen.to_string(), "8/8/8/8/8/4s1k1/4R3/K7 w - - 0 1");
/// # Ok::<(), makruk_rules::FenError>(())
/// ```
///
/// Text from people or other programs is read as a [`Reading`](super::Reading): it may be in other letters, or have a
/// count that no game reaches. Of such text a `Fen` is not made without its notes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline, with = "String"))]
pub struct Fen {
    /// Board and side to move.
    pub position: Position,
    /// The count that the FEN gives. [`Fen::running_count`] is the one that runs: none with an unpromoted pawn on the
    /// board.
    pub count: Option<Count>,
    /// The number of the move to be made, 1 at the game's start.
    pub fullmove: u32,
}

impl Fen {
    /// The array a game starts from.
    pub const START: &'static str = "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1";

    /// The FEN of a position at move 1.
    pub const fn new(position: Position, count: Option<Count>) -> Fen {
        Fen { position, count, fullmove: 1 }
    }

    /// The count that runs: the one given, unless an unpromoted pawn stops it.
    pub fn running_count(&self) -> Option<Count> {
        self.count.filter(|_| !self.position.board().has_pawns())
    }

    /// The FEN after a legal move: the count runs on or restarts as the rules have it, and Black's move ends a full
    /// move.
    ///
    /// ```
    /// use makruk_rules::{CountingRules, Fen, Move};
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

    /// The FEN `after` a legal move, as [`Fen::play`] gives it, as long as nobody has claimed board's honour; `None`
    /// unless that count begins with the move. The count of a bare king begins unasked.
    ///
    /// ```
    /// use makruk_rules::{CountingRules, Fen, Move};
    ///
    /// let fen: Fen = "8/8/8/8/8/4s1k1/4R3/K7 w - - 0 1".parse()?;
    /// let after = |san| Move::from_san(&fen.position, san).map(|mv| fen.play(&CountingRules::MAKRUK, mv));
    /// let unclaimed = fen.unclaimed(&after("Re1")?).map(|fen| fen.to_string());
    /// assert_eq!(unclaimed.as_deref(), Some("8/8/8/8/8/4s1k1/8/K3R3 b - - 0 1"));
    /// assert_eq!(fen.unclaimed(&after("Rxe3+")?), None);
    ///
    /// // The last pawn's end leaves both sides a piece.
    /// let fen: Fen = "8/8/8/3P4/8/4s1k1/8/K7 w - - 0 1".parse()?;
    /// let after = fen.play(&CountingRules::MAKRUK, Move::from_san(&fen.position, "d6")?);
    /// assert_eq!(after.to_string(), "8/8/3M4/8/8/4s1k1/8/K7 b - 128 0 1");
    /// assert_eq!(fen.unclaimed(&after).map(|fen| fen.count), Some(None));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn unclaimed(&self, after: &Fen) -> Option<Fen> {
        let is_board = !Color::ALL.into_iter().any(|color| after.position.board().is_bare(color));
        let begins = self.count.is_none() && after.count.is_some();
        (begins && is_board).then(|| Fen { count: None, ..after.clone() })
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
