//! The themes of puzzles.

use std::fmt;
use std::str::FromStr;

/// The task of the side that solves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PuzzleTheme {
    /// Win within the count.
    Win,
    /// Draw by the count.
    Save,
    /// Draw by giving a man away.
    Give,
    /// Win by promoting now.
    Promote,
    /// Win by another move than the promotion, which begins a count too early.
    Wait,
    /// Win by another move than a capture, which throws the win away.
    Refuse,
}

/// A text that is not a theme.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseThemeError(String);

impl PuzzleTheme {
    /// Every theme.
    pub const ALL: [PuzzleTheme; 6] = [
        PuzzleTheme::Win,
        PuzzleTheme::Save,
        PuzzleTheme::Give,
        PuzzleTheme::Promote,
        PuzzleTheme::Wait,
        PuzzleTheme::Refuse,
    ];

    /// `win`, `save`, `give`, `promote`, `wait` or `refuse`.
    pub const fn name(self) -> &'static str {
        match self {
            PuzzleTheme::Win => "win",
            PuzzleTheme::Save => "save",
            PuzzleTheme::Give => "give",
            PuzzleTheme::Promote => "promote",
            PuzzleTheme::Wait => "wait",
            PuzzleTheme::Refuse => "refuse",
        }
    }

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

impl fmt::Display for PuzzleTheme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for PuzzleTheme {
    type Err = ParseThemeError;

    fn from_str(text: &str) -> Result<PuzzleTheme, ParseThemeError> {
        let theme = PuzzleTheme::ALL.into_iter().find(|theme| theme.name() == text);
        theme.ok_or_else(|| ParseThemeError(text.chars().take(40).collect()))
    }
}

impl fmt::Display for ParseThemeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = PuzzleTheme::ALL.map(PuzzleTheme::name).join(", ");
        write!(f, "{:?} is not a theme: expected one of {names}", self.0)
    }
}

impl std::error::Error for ParseThemeError {}
