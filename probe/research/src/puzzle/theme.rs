//! The themes of puzzles.

use crate::named::named;

named! {
    /// The task of the side that solves.
    pub enum PuzzleTheme("a theme") {
        /// Win within the count.
        Win = "win",
        /// Draw by the count.
        Save = "save",
        /// Draw by giving a man away.
        Give = "give",
        /// Win by promoting now.
        Promote = "promote",
        /// Win by another move than the promotion, which begins a count too early.
        Wait = "wait",
        /// Win by another move than a capture, which throws the win away.
        Refuse = "refuse",
    }
}

impl PuzzleTheme {
    /// Whether the side that solves wins; else it draws.
    pub const fn is_win(self) -> bool {
        !matches!(self, PuzzleTheme::Save | PuzzleTheme::Give)
    }

    /// The fewest moves to find: a single move is a puzzle only if its point is plain.
    pub(super) const fn least_moves(self) -> usize {
        match self {
            PuzzleTheme::Win | PuzzleTheme::Save => 2,
            PuzzleTheme::Give | PuzzleTheme::Promote | PuzzleTheme::Wait | PuzzleTheme::Refuse => 1,
        }
    }
}
