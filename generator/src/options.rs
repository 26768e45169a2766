//! How a build is done.

use makruk_tables::material::Material;
use makruk_tables::rules::{ByColor, Color, CountingRules, Role};

/// How a build is done.
#[derive(Clone, Debug)]
pub struct Options {
    /// Threads; all cores if not given.
    pub threads: Option<usize>,
    /// Memory that a set may take, in bytes; a set that needs more is refused before it is begun.
    pub memory: Option<u64>,
    /// Which sides to move have their values in the files. Published tables have the usual ones.
    pub stored: StoredSides,
    /// The counting rules that DTZ is under.
    pub rules: CountingRules,
}

impl Default for Options {
    fn default() -> Options {
        Options { threads: None, memory: None, stored: StoredSides::Usual, rules: CountingRules::MAKRUK }
    }
}

/// Which sides to move have their values in the files of a set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum StoredSides {
    /// White's; Black's too in sets of up to four men, and where Black has a rook. Elsewhere Black has a dozen moves at most on
    /// an average, and these say what his positions are worth.
    #[default]
    Usual,
    /// Both.
    Both,
    /// White's alone.
    White,
}

impl StoredSides {
    /// Which these are in a set.
    pub fn of(self, set: Material) -> ByColor<bool> {
        let black = match self {
            StoredSides::Usual => set.men() < 5 || set.side(Color::Black).count(Role::Rook) > 0,
            StoredSides::Both => true,
            StoredSides::White => false,
        };
        ByColor { white: true, black }
    }
}

/// The threads that a build has if none are asked for.
pub fn default_threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
