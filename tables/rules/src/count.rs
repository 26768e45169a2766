//! The count that gives the attacker a fixed number of moves.
//!
//! [`CountingRules`] has the limits of a rule set and starts counts; [`Count`] is a running count, in the FEN's plies.
//! [`Count::attacker_moves_left`] converts plies to moves of the attacker.

use std::fmt;

use thiserror::Error;

use super::{Board, ByRole, Color, MOST_MEN, Move, Piece, Position, Role};

/// The largest number that either count field of a FEN may hold, in plies.
pub const MAX_COUNT_FIELD: u32 = 9999;

/// A running count: the FEN's LIMIT and PLY, both in plies. Written as the FEN has it, `128 10`.
///
/// The position is drawn as soon as `ply` exceeds `limit`, unless it is a mate that [still counts](Count::mate_counts).
///
/// ```
/// use makruk_rules::{Count, ToMove};
///
/// // K+2R v K, the defender's rook having just been taken: limit 8 moves, 4 men.
/// let count = Count::new(16, 8)?;
/// assert_eq!(count.attacker_moves_left(ToMove::Defender), 4);
/// assert!(!count.is_expired());
/// # Ok::<(), makruk_rules::CountError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Count {
    limit: u32,
    ply: u32,
}

/// A LIMIT or PLY that no count can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum CountError {
    /// LIMIT is 0 or above [`MAX_COUNT_FIELD`].
    #[error("the count's LIMIT is {0}, expected a whole number of plies from 1 to {MAX_COUNT_FIELD}")]
    Limit(u32),
    /// PLY is above [`MAX_COUNT_FIELD`].
    #[error("the count's PLY is {0}, expected a whole number of plies from 0 to {MAX_COUNT_FIELD}")]
    Ply(u32),
}

impl Count {
    /// A count of `limit` plies with `ply` plies on the clock.
    ///
    /// # Errors
    ///
    /// If `limit` is not from 1 to [`MAX_COUNT_FIELD`], or `ply` not from 0 to it.
    pub const fn new(limit: u32, ply: u32) -> Result<Count, CountError> {
        if limit == 0 || limit > MAX_COUNT_FIELD {
            Err(CountError::Limit(limit))
        } else if ply > MAX_COUNT_FIELD {
            Err(CountError::Ply(ply))
        } else {
            Ok(Count { limit, ply })
        }
    }

    /// The limit in plies.
    pub const fn limit(self) -> u32 {
        self.limit
    }

    /// The plies on the clock.
    pub const fn ply(self) -> u32 {
        self.ply
    }

    /// Whether the count has run out. Then the position is drawn, unless it is a mate that [still
    /// counts](Count::mate_counts).
    pub const fn is_expired(self) -> bool {
        self.ply > self.limit
    }

    /// Whether a mate on the board wins. It does while `ply` is at most `limit + 1`: the one final move gave it. Above
    /// that the game was drawn before the mate.
    ///
    /// ```
    /// use makruk_rules::Count;
    ///
    /// let mate_counts = |ply| Count::new(16, ply).map(Count::mate_counts);
    /// assert_eq!([mate_counts(16)?, mate_counts(17)?, mate_counts(18)?], [true, true, false]);
    /// # Ok::<(), makruk_rules::CountError>(())
    /// ```
    pub const fn mate_counts(self) -> bool {
        self.ply <= self.limit + 1
    }

    /// Whether this count has drawn the game in a position. `is_checkmate` is whether the side to move is mated there.
    pub const fn draws(self, is_checkmate: bool) -> bool {
        if is_checkmate { !self.mate_counts() } else { self.is_expired() }
    }

    /// The count after one more ply. An expired count runs on, up to the largest PLY that a FEN can hold.
    #[must_use]
    pub const fn step(self) -> Count {
        if self.ply == MAX_COUNT_FIELD { self } else { Count { limit: self.limit, ply: self.ply + 1 } }
    }

    /// The number of moves that the attacker has left, the "one final move" included; 0 once the count has expired.
    pub const fn attacker_moves_left(self, to_move: ToMove) -> u32 {
        match to_move {
            _ if self.is_expired() => 0,
            ToMove::Attacker => (self.limit - self.ply) / 2 + 1,
            ToMove::Defender => (self.limit - self.ply).div_ceil(2),
        }
    }
}

/// The side to move, as a count sees the sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ToMove {
    /// The side that has to mate in time.
    Attacker,
    /// The side that counts.
    Defender,
}

impl ToMove {
    /// The attacker if this is so, or else the defender.
    pub const fn attacker_if(attacks: bool) -> ToMove {
        if attacks { ToMove::Attacker } else { ToMove::Defender }
    }
}

/// The limits of the counts of one rule set, in the defender's moves.
///
/// Callers pass on a value of this type and define no limits: another rule set is another value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct CountingRules {
    name: &'static str,
    /// The limit of board's honour: both sides still have a piece.
    board_honour: u32,
    /// Board's honour runs only when no more men than this are on the board.
    board_honour_men: u32,
    /// The limits of pieces' honour, the first row that fits: role, the least number the attacker has of it, limit.
    pieces_honour: &'static [(Role, u32, u32)],
    /// The limit of pieces' honour where no row fits.
    pieces_honour_otherwise: u32,
    /// The men on the board that are not counted when pieces' honour begins.
    uncounted_men: u32,
}

impl CountingRules {
    /// The rules of Makruk, as in `RULES.md`.
    pub const MAKRUK: CountingRules = CountingRules {
        name: "makruk",
        board_honour: 64,
        board_honour_men: 32,
        pieces_honour: &[
            (Role::Rook, 2, 8),
            (Role::Rook, 1, 16),
            (Role::Khon, 2, 22),
            (Role::Knight, 2, 32),
            (Role::Khon, 1, 44),
        ],
        pieces_honour_otherwise: 64,
        uncounted_men: 0,
    };

    /// Makruk, but pieces' honour begins at the attacker's men alone, as one source has it: the bare king is not
    /// counted.
    pub const ATTACKERS_MEN: CountingRules =
        CountingRules { name: "attackers-men", uncounted_men: 1, ..CountingRules::MAKRUK };

    /// Makruk, but a khon's limit comes before that of both knights: the limit of the higher piece, not the lowest one.
    /// Rooks and both khons are higher and lower at once, so only khon and knights together change.
    pub const KHON_BEFORE_KNIGHTS: CountingRules = CountingRules {
        name: "khon-first",
        pieces_honour: &[
            (Role::Rook, 2, 8),
            (Role::Rook, 1, 16),
            (Role::Khon, 2, 22),
            (Role::Khon, 1, 44),
            (Role::Knight, 2, 32),
        ],
        ..CountingRules::MAKRUK
    };

    /// Makruk without the attacker's last move when the count is full, which is the same as every limit one lower.
    pub const NO_LAST_MOVE: CountingRules = CountingRules {
        name: "no-last-move",
        board_honour: 63,
        pieces_honour: &[
            (Role::Rook, 2, 7),
            (Role::Rook, 1, 15),
            (Role::Khon, 2, 21),
            (Role::Knight, 2, 31),
            (Role::Khon, 1, 43),
        ],
        pieces_honour_otherwise: 63,
        ..CountingRules::MAKRUK
    };

    /// The limits of Ouk Chaktrang against a bare king, and no count before. They do not describe Ouk with both sides
    /// armed, where a king that is bared may continue the count of the board.
    pub const OUK: CountingRules = CountingRules { name: "ouk", board_honour_men: 3, ..CountingRules::NO_LAST_MOVE };

    /// Every rule set that has a name.
    pub const ALL: [&'static CountingRules; 5] = [
        &CountingRules::MAKRUK,
        &CountingRules::ATTACKERS_MEN,
        &CountingRules::KHON_BEFORE_KNIGHTS,
        &CountingRules::NO_LAST_MOVE,
        &CountingRules::OUK,
    ];

    /// The rule set's name, as in the header of a table file.
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// The limit of board's honour, in the defender's moves; `None` if no count runs with `men` men on the board.
    pub fn board_limit(&self, men: u32) -> Option<u32> {
        (men <= self.board_honour_men).then_some(self.board_honour)
    }

    /// The limit of pieces' honour, in the defender's moves. `attacker_men` is the attacker's number of men of a role.
    pub fn pieces_limit(&self, attacker_men: impl Fn(Role) -> u32) -> u32 {
        self.pieces_honour
            .iter()
            .find(|&&(role, at_least, _)| attacker_men(role) >= at_least)
            .map_or(self.pieces_honour_otherwise, |&(_, _, limit)| limit)
    }

    /// The men that are counted already when pieces' honour begins, of `men` men on the board.
    pub const fn counted_men(&self, men: u32) -> u32 {
        men - self.uncounted_men
    }

    /// The count that begins in a pawnless position: the defender's next move is the first one counted.
    ///
    /// With a bare king the other side is the attacker; with both sides armed, either side may be. `None` with pawns on
    /// the board, with two bare kings, or if the rules have no board's honour for this number of men.
    pub fn start(&self, board: &Board, turn: Color) -> Option<Count> {
        if board.has_pawns() {
            return None;
        }
        match (board.is_bare(Color::White), board.is_bare(Color::Black)) {
            (true, true) => None,
            (false, false) => Some(Count { limit: 2 * self.board_limit(board.men())?, ply: 0 }),
            (white_bare, _) => {
                let attacker = if white_bare { Color::Black } else { Color::White };
                let own = |role| board.by_piece(Piece::new(attacker, role)).len();
                Some(self.start_of_pieces(board.men(), own, ToMove::attacker_if(turn == attacker)))
            }
        }
    }

    /// The count of pieces' honour that begins with these men on the board.
    fn start_of_pieces(&self, men: u32, attacker_men: impl Fn(Role) -> u32, to_move: ToMove) -> Count {
        let ply = 2 * self.counted_men(men) - u32::from(to_move == ToMove::Attacker);
        Count { limit: 2 * self.pieces_limit(attacker_men), ply }
    }

    /// Whether a game under these rules can reach a pawnless position with this count.
    ///
    /// With both sides armed it has the limit of board's honour. Against a bare king it began with the men on the board
    /// or more. Rooks, knights and khons that the king has taken since may have set another limit, and each takes more
    /// plies. A count of board's honour that had run out goes on after a baring capture.
    pub fn can_reach(&self, count: Count, board: &Board, turn: Color) -> bool {
        let Some(start) = self.start(board, turn) else { return false };
        let Some(defender) = Color::ALL.into_iter().find(|&color| board.is_bare(color)) else {
            return count.limit == start.limit;
        };
        let (men, to_move) = (board.men(), ToMove::attacker_if(turn != defender));
        let own = |role| board.by_piece(Piece::new(!defender, role)).len();
        let more = |role| 0..=u32::from(MOST_MEN[role]).saturating_sub(own(role));
        for rooks in more(Role::Rook) {
            for knights in more(Role::Knight) {
                for khons in more(Role::Khon) {
                    let (had, taken) = (ByRole::new([rooks, knights, khons, 0, 0]), rooks + knights + khons);
                    let start = self.start_of_pieces(men + taken, |role| own(role) + had[role], to_move);
                    if count.limit == start.limit && count.ply >= start.ply + 2 * taken {
                        return true;
                    }
                }
            }
        }
        count.is_expired() && self.board_limit(men + 1).is_some_and(|limit| count.limit == 2 * limit)
    }

    /// The count after a legal move. A move that bares a king or removes the last pawn restarts it; any other move adds
    /// one ply. Without a count, the move begins one (see [`CountingRules::start`]) as soon as no pawn is left: a bare
    /// king to move counts the move that it makes. An expired count stays expired, whatever is captured: the game was
    /// drawn.
    pub fn after(&self, count: Option<Count>, before: &Position, mv: Move) -> Option<Count> {
        let after = before.play(mv);
        let board = after.board();
        if board.has_pawns() {
            return None;
        }
        if let Some(expired) = count.filter(|count| count.is_expired()) {
            return Some(expired.step());
        }
        if begins_count(before.board(), board, before.turn()) {
            return self.start(board, after.turn());
        }
        match count {
            Some(count) => Some(count.step()),
            None if before.board().is_bare(before.turn()) => self.start(before.board(), before.turn()).map(Count::step),
            None => self.start(board, after.turn()),
        }
    }
}

/// Whether a move by `mover` from one board to another begins a count, whatever ran before. It does so if it ends the
/// last pawn, or if without pawns it bares an opponent who had a man. A capture by a bare king begins none, even if it
/// leaves two bare kings.
pub fn begins_count(before: &Board, after: &Board, mover: Color) -> bool {
    let is_bare = |board: &Board| board.is_bare(!mover);
    let bares = is_bare(after) && !is_bare(before) && !before.is_bare(mover);
    !after.has_pawns() && (before.has_pawns() || bares)
}

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.limit, self.ply)
    }
}

impl Default for CountingRules {
    fn default() -> CountingRules {
        CountingRules::MAKRUK
    }
}

#[cfg(test)]
mod tests {
    use super::super::Fen;
    use super::*;

    fn limit_of(men: &str) -> u32 {
        CountingRules::MAKRUK.pieces_limit(|role| men.matches(role.letter()).count() as u32)
    }

    #[test]
    fn limits_follow_the_first_line_that_fits() {
        let expected = [
            ("RR", 8),
            ("RRN", 8),
            ("RSS", 16),
            ("SS", 22),
            ("NNSS", 22),
            ("NNS", 32),
            ("S", 44),
            ("NM", 64),
            ("M", 64),
        ];
        for (men, limit) in expected {
            assert_eq!(limit_of(men), limit, "{men}");
        }
    }

    #[test]
    fn other_rules_change_what_they_say() {
        let left = |rules: &CountingRules, men: &str| {
            let limit = rules.pieces_limit(|role| men.matches(role.letter()).count() as u32);
            limit - rules.counted_men(men.len() as u32 + 2)
        };
        let all = |men: &str| CountingRules::ALL.map(|rules| left(rules, men));
        // Makruk, the attacker's men alone, khon before knights, no last move, Ouk.
        assert_eq!(all("RR"), [4, 5, 4, 3, 3]);
        assert_eq!(all("SNN"), [27, 28, 39, 26, 26]);
        assert_eq!(all("NM"), [60, 61, 60, 59, 59]);
        assert_eq!(
            CountingRules::ALL.map(|rules| rules.board_limit(4)),
            [Some(64), Some(64), Some(64), Some(63), None]
        );
        let mut names = CountingRules::ALL.map(CountingRules::name).to_vec();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), CountingRules::ALL.len());
        assert!(names.iter().all(|name| name.len() <= 16), "the header of a table file has room for no more");
    }

    #[test]
    fn worked_figures_of_the_sources() {
        let left = |men: &str, all| limit_of(men) - all;
        assert_eq!(left("RRN", 5), 3);
        assert_eq!(left("RSSMM", 7), 9);
        assert_eq!(left("RR", 4), 4);
        assert_eq!(left("SNNM", 6), 26); // two knights come before one khon
        assert_eq!(left("SNM", 5), 39);
    }

    #[test]
    fn moves_left_at_the_boundary() {
        let left =
            |limit, ply, to_move| Count::new(limit, ply).unwrap().attacker_moves_left(ToMove::attacker_if(to_move));
        assert_eq!(left(128, 0, false), 64);
        assert_eq!(left(128, 0, true), 65);
        assert_eq!(left(16, 8, false), 4);
        assert_eq!(left(16, 16, true), 1);
        assert_eq!(left(16, 16, false), 0);
        assert_eq!(left(16, 17, true), 0);
        assert_eq!(left(15, 15, true), 1);
        assert!(Count::new(16, 17).unwrap().is_expired());
        assert!(Count::new(0, 0).is_err() && Count::new(10_000, 0).is_err() && Count::new(1, 10_000).is_err());
    }

    #[test]
    fn a_mate_counts_if_the_final_move_gave_it() {
        for (limit, ply, mate_counts) in
            [(16, 0, true), (16, 16, true), (16, 17, true), (16, 18, false), (15, 16, true)].into_iter().chain([
                (15, 17, false),
                (1, 2, true),
                (1, 3, false),
                (128, 9999, false),
                (9999, 9999, true),
            ])
        {
            let count = Count::new(limit, ply).unwrap();
            assert_eq!(count.mate_counts(), mate_counts, "{count:?}");
            assert_eq!(count.draws(true), !mate_counts, "{count:?}");
            assert_eq!(count.draws(false), ply > limit, "{count:?}");
        }
        // K+2R v K, one move left: the mate that it gives counts, a mate one ply of waiting later would not.
        let last = Count::new(16, 16).unwrap();
        assert_eq!((last.attacker_moves_left(ToMove::Attacker), last.step().is_expired()), (1, true));
        assert!(last.step().mate_counts() && !last.step().step().mate_counts());
    }

    #[test]
    fn stepping_from_either_side_loses_one_move_per_two_plies() {
        let mut count = Count::new(128, 1).unwrap();
        let mut attacks = true;
        while !count.is_expired() {
            let next = count.step();
            let left = |count: Count, attacks| count.attacker_moves_left(ToMove::attacker_if(attacks));
            let spent = left(count, attacks) - left(next, !attacks);
            // The attacker's move spends one; the defender's none, but for the move on which the count runs out.
            assert!(spent == u32::from(attacks), "{count:?} {attacks}");
            count = next;
            attacks = !attacks;
        }
    }

    #[test]
    fn moves_step_and_restart_the_count() {
        let after = |fen: &str, mv: &str| {
            let fen = Fen::parse(fen).unwrap();
            let mv = Move::from_uci(&fen.position, mv).unwrap();
            CountingRules::MAKRUK.after(fen.count, &fen.position, mv).map(|count| (count.limit, count.ply))
        };
        // A step, and counts that a move begins.
        assert_eq!(after("8/8/8/8/8/4s1k1/4R3/K7 w - 128 5", "e2e1"), Some((128, 6)));
        assert_eq!(after("8/8/8/8/8/4s1k1/4R3/K7 w - -", "e2e1"), Some((128, 0)));
        assert_eq!(after("8/8/8/8/8/6k1/4R3/K7 w - -", "e2e1"), Some((32, 6)));
        assert_eq!(after("8/8/8/8/8/6k1/4R3/K7 b - -", "g3g4"), Some((32, 7)));
        // Baring, by either side.
        assert_eq!(after("8/8/8/8/8/4s1k1/4R3/K7 w - 128 5", "e2e3"), Some((32, 6)));
        assert_eq!(after("8/8/8/8/8/4s3/4R1k1/K7 b - 128 5", "e3e2"), Some((88, 6)));
        // A capture by the bare king changes nothing, nor does one that leaves pieces.
        assert_eq!(after("8/8/8/8/6N1/6k1/4R3/K7 b - 32 8", "g3g4"), Some((32, 9)));
        assert_eq!(after("8/8/8/8/8/6k1/6R1/K7 b - 32 8", "g3g2"), Some((32, 9)));
        // The last pawn goes: promoted against a bare king, taken by it, or with both sides armed.
        assert_eq!(after("8/8/8/3P4/8/4k3/8/K7 w - -", "d5d6"), Some((128, 6)));
        assert_eq!(after("8/8/8/8/8/3P4/4k3/K6R b - -", "e2d3"), Some((32, 5)));
        assert_eq!(after("8/8/8/8/1r2p1k1/8/8/K3R3 w - -", "e1e4"), Some((128, 0)));
        assert_eq!(after("8/8/8/3P4/7P/4k3/8/K7 w - -", "d5d6"), None);
        // An expired count stays expired.
        assert_eq!(after("8/8/8/8/8/4s1k1/4R3/K7 w - 128 129", "e2e3"), Some((128, 130)));
    }
}
