//! The options of a build.

use makruk_tables::material::Material;
use makruk_tables::rules::{ByColor, Color, CountingRules, Role};

use crate::budget::Budget;

/// The options of a build.
#[derive(Clone, Debug)]
pub struct Options {
    /// The number of threads; one for each core if `None`.
    pub threads: Option<usize>,
    /// The memory that a material may take, in bytes. A build is refused if a material needs more. `None` is no limit.
    pub memory: Option<u64>,
    /// The sides to move whose values are in the files. Published tables have the usual ones.
    pub stored: StoredSides,
    /// The counting rules of DTZ and WDL.
    pub rules: CountingRules,
    /// The amounts of data that a build holds in memory at a time. The tables do not depend on it.
    pub budget: Budget,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            threads: None,
            memory: None,
            stored: StoredSides::Usual,
            rules: CountingRules::MAKRUK,
            budget: Budget::default(),
        }
    }
}

/// The sides to move whose values are in the files of a material.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum StoredSides {
    /// White, and Black up to four men or with a rook. Otherwise Black is omitted: his values follow from his moves, a dozen
    /// at most on average.
    #[default]
    Usual,
    /// Both sides.
    Both,
    /// White alone.
    White,
}

impl StoredSides {
    /// The sides in a material.
    pub fn of(self, material: Material) -> ByColor<bool> {
        let black = match self {
            StoredSides::Usual => material.men() < 5 || material.side(Color::Black).count(Role::Rook) > 0,
            StoredSides::Both => true,
            StoredSides::White => false,
        };
        ByColor { white: true, black }
    }
}

/// The number of threads of a build that asks for none: one for each core.
pub fn default_threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
