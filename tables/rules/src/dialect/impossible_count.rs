//! A count that no game reaches.

use std::fmt;

use super::super::{Count, CountingRules, Position};

/// A count that no game reaches with the men on the board, by any of the rule sets, and the one that was likely meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ImpossibleCount {
    /// LIMIT and PLY, as read.
    pub count: Count,
    /// The count of these men when it begins.
    pub start: Count,
    /// The likely slip.
    pub slip: Slip,
    /// The count without the slip, which a game can reach.
    pub meant: Count,
}

/// A slip by which a possible count is written as an impossible one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Slip {
    /// LIMIT and PLY are exchanged.
    Exchanged,
    /// Both are in moves.
    InMoves,
    /// PLY alone is in moves.
    PlyInMoves,
    /// LIMIT alone is wrong.
    Limit,
    /// PLY does not have the men that are counted before the first move.
    NotBegun,
}

impl ImpossibleCount {
    /// The fault of a count in a pawnless position; `None` if a game can reach it. `has_ply` is whether the text has
    /// the PLY.
    pub(super) fn find(count: Count, has_ply: bool, position: &Position) -> Option<ImpossibleCount> {
        let (board, turn) = (position.board(), position.turn());
        let is_possible = |count| CountingRules::ALL.iter().any(|rules| rules.can_reach(count, board, turn));
        let start = CountingRules::MAKRUK.start(board, turn)?;
        if is_possible(count) {
            return None;
        }
        let (limit, ply) = (count.limit(), count.ply());
        let slips = [
            (Slip::Exchanged, ply, limit),
            (Slip::InMoves, 2 * limit, 2 * ply),
            (Slip::PlyInMoves, limit, 2 * ply),
            (Slip::Limit, start.limit(), ply),
            (Slip::NotBegun, limit, start.ply()),
        ];
        let can_reach = |meant| CountingRules::MAKRUK.can_reach(meant, board, turn);
        let explains = |slip, meant: Count| match slip {
            Slip::NotBegun => is_possible(meant),
            Slip::Limit => can_reach(meant) && (count.is_expired() || !meant.is_expired()),
            Slip::Exchanged | Slip::InMoves | Slip::PlyInMoves => has_ply && can_reach(meant) && !meant.is_expired(),
        };
        let likely = slips.into_iter().find_map(|(slip, limit, ply)| {
            let meant = Count::new(limit, ply).ok()?;
            explains(slip, meant).then_some((slip, meant))
        });
        let (slip, meant) = likely.unwrap_or((Slip::NotBegun, start));
        Some(ImpossibleCount { count, start, slip, meant })
    }
}

/// The fault, and the text that would be right.
impl fmt::Display for ImpossibleCount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ImpossibleCount { count, start, slip, meant } = self;
        let (limit, ply) = (count.limit(), count.ply());
        write!(f, "LIMIT was read as {limit} plies and PLY as {ply}, but ")?;
        match (limit == start.limit(), ply < start.ply()) {
            (true, _) => write!(f, "the count of these men begins at PLY {}", start.ply())?,
            (false, false) => write!(f, "the limit of these men is {} plies", start.limit())?,
            (false, true) => write!(
                f,
                "the limit of these men is {} plies and their count begins at PLY {}",
                start.limit(),
                start.ply()
            )?,
        }
        let slip = match slip {
            Slip::Exchanged => "the two are exchanged",
            Slip::InMoves => "both are in moves",
            Slip::PlyInMoves => "PLY is in moves",
            Slip::Limit => "PLY is right",
            Slip::NotBegun => "the count begins now",
        };
        write!(f, "; if {slip}, write \"- {meant}\"")
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Note, Reading};

    /// The count that is read, and the notes, each from its last "; " or comma on.
    fn read(text: &str) -> (String, Vec<String>) {
        let Reading { fen, notes } = text.parse().unwrap();
        (fen.count.map_or_else(String::new, |count| count.to_string()), notes.iter().map(Note::to_string).collect())
    }

    #[test]
    fn a_count_that_no_game_reaches_is_noted_with_the_right_text() {
        let (rook, rooks, armed) = ("8/8/8/8/2k5/8/8/K5R1", "8/8/4k3/8/8/8/K7/R6R", "8/8/8/8/8/4s1k1/4R3/K7");
        let cases = [
            // PLY is too small.
            (rook, "b - 32 0 1", "32 0", "if the count begins now, write \"- 32 6\""),
            (rook, "b - 32 2 1", "32 2", "if the count begins now, write \"- 32 6\""),
            (rook, "b - 32 3 1", "32 3", "if PLY is in moves, write \"- 32 6\""),
            (rook, "w - 32 2 1", "32 2", "if the count begins now, write \"- 32 5\""),
            (rooks, "b - 16 0", "16 0", "if the count begins now, write \"- 16 8\""),
            (rook, "b - 30 0", "30 0", "if the count begins now, write \"- 30 6\""),
            // LIMIT is wrong, or both are.
            (rook, "w - 128 7", "128 7", "if PLY is right, write \"- 32 7\""),
            (rook, "b - 128 40", "128 40", "if the count begins now, write \"- 32 6\""),
            (rook, "b - 2 40", "2 40", "if PLY is right, write \"- 32 40\""),
            (rook, "b - 50 1", "50 1", "if the count begins now, write \"- 32 6\""),
            (armed, "w - 50 3", "50 3", "if PLY is right, write \"- 128 3\""),
            (armed, "w - 32", "32 0", "if PLY is right, write \"- 128 0\""),
            // No man that was taken explains a limit of two rooks so early.
            (rook, "b - 16 4", "16 4", "if both are in moves, write \"- 32 8\""),
            // Exchanged, and in moves.
            (rook, "b - 6 32", "6 32", "if the two are exchanged, write \"- 32 6\""),
            (armed, "w - 10 128", "10 128", "if the two are exchanged, write \"- 128 10\""),
            (armed, "w - 64 10", "64 10", "if both are in moves, write \"- 128 20\""),
            (rook, "b - 16 3", "16 3", "if both are in moves, write \"- 32 6\""),
        ];
        for (board, fields, count, right) in cases {
            let (found, notes) = read(&format!("{board} {fields}"));
            assert_eq!(found, count, "{fields}");
            let [note] = &notes[..] else { panic!("{fields}: {notes:?}") };
            assert!(note.ends_with(right), "{fields}: {note}");
            // The text that is proposed is right.
            let proposed = right.split('"').nth(1).unwrap();
            let side = fields.split(' ').next().unwrap();
            assert_eq!(read(&format!("{board} {side} {proposed}")), (proposed[2..].to_owned(), vec![]));
        }
        let (_, notes) = read(&format!("{rook} b - 50 1"));
        assert_eq!(
            notes[0],
            "LIMIT was read as 50 plies and PLY as 1, but the limit of these men is 32 plies and their count begins at PLY 6; if \
             the count begins now, write \"- 32 6\""
        );
    }

    #[test]
    fn a_count_that_a_game_reaches_is_not_noted() {
        for text in [
            "8/8/8/8/2k5/8/8/K5R1 b - 32 6 1",
            "8/8/8/8/2k5/8/8/K5R1 w - 32 5 1",
            "8/8/8/8/2k5/8/8/K5R1 b - 32 40 1",
            // The bare king has taken the other rook, or two knights and both khons.
            "8/8/8/8/2k5/8/8/K5R1 b - 16 12 1",
            "8/8/8/8/2k5/8/8/K5M1 b - 44 24 1",
            // Board's honour had run out before the rook bared the king.
            "8/8/8/8/2k5/8/8/K5R1 b - 128 130 1",
            // By other rules the bare king is not counted, a limit is lower, or a khon comes before two knights.
            "8/8/8/8/2k5/8/8/K5R1 b - 32 4 1",
            "8/8/8/8/2k5/8/8/K5R1 b - 30 6 1",
            "8/8/8/8/2k5/8/8/K3SNN1 b - 88 10 1",
            "8/8/8/8/8/4s1k1/4R3/K7 w - 126 0 1",
            "8/8/8/8/8/4s1k1/4R3/K7 w - 128 200 1",
            // Two bare kings: a draw, whatever is written.
            "8/8/8/8/2k5/8/8/K7 b - 16 3 1",
        ] {
            assert_eq!(read(text).1, Vec::<String>::new(), "{text}");
        }
        for text in ["8/8/8/8/2k5/8/8/K5R1 b - 16 6 1", "8/8/8/8/2k5/8/8/K5R1 b - 128 128 1"] {
            assert_eq!(read(text).1.len(), 1, "{text}");
        }
    }

    #[test]
    fn a_ply_that_is_missing_is_that_of_the_count_that_begins() {
        let assumed =
            |ply| format!("PLY is missing and was read as {ply}, that of a count that begins now against a bare king");
        for (text, count, ply) in [
            ("8/8/8/8/2k5/8/8/K5R1 b - 32", "32 6", Some(6)),
            ("8/8/8/8/2k5/8/8/K5R1 w - 32", "32 5", Some(5)),
            ("8/8/4k3/8/8/8/K7/R6R b - 16", "16 8", Some(8)),
            ("8/8/8/8/8/4s1k1/4R3/K7 w - 128", "128 0", None),
        ] {
            assert_eq!(read(text), (count.to_owned(), ply.map(assumed).into_iter().collect()), "{text}");
        }
        let (count, notes) = read("8/8/8/8/2k5/8/8/K5R1 b - 16");
        assert_eq!((count.as_str(), notes.len()), ("16 6", 2));
        assert!(
            notes[1].ends_with("the limit of these men is 32 plies; if PLY is right, write \"- 32 6\""),
            "{notes:?}"
        );
    }
}
