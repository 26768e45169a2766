//! The options of a build.

use makruk_tables::material::Material;
use makruk_tables::rules::{ByColor, Color, CountingRules, Role};

use crate::budget::Budget;

/// The options of a build.
#[derive(Clone, Debug)]
pub struct Options {
    /// The number of threads; one for each core if `None`.
    pub threads: Option<usize>,
    /// The memory that a material may take, in bytes; `None` means no limit. Sets of positions that do not fit are packed, and go to working
    /// files if they still do not fit. A build is refused if a material cannot be built in this memory.
    pub memory: Option<u64>,
    /// The sides to move whose values are in the files. Published tables have the usual ones.
    pub stored: StoredSides,
    /// The counting rules of DTZ and category tables.
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
    /// Both sides up to four men. Above that a side without a rook is omitted: its values follow from its moves, a dozen on
    /// average. Black is omitted before White; White is omitted only with an unpromoted pawn on the board.
    #[default]
    Usual,
    /// Both sides.
    Both,
    /// One side.
    One(Color),
}

impl StoredSides {
    /// The sides in a material's category table. It omits more, because a bare king has few moves; it never omits White
    /// alone, because an engine's search asks it most.
    pub fn of_categories(self, material: Material) -> ByColor<bool> {
        let stored = self.of(material);
        match self {
            StoredSides::Usual => ByColor { white: true, black: stored.black && material.is_armed() },
            StoredSides::Both | StoredSides::One(_) => stored,
        }
    }

    /// The sides in a material.
    pub fn of(self, material: Material) -> ByColor<bool> {
        let has_rook = |side| material.side(side).count(Role::Rook) > 0;
        match self {
            StoredSides::Usual if material.men() < 5 => ByColor { white: true, black: true },
            StoredSides::Usual => {
                let black = has_rook(Color::Black);
                ByColor { white: !black || has_rook(Color::White) || !material.has_pawns(), black }
            }
            StoredSides::Both => ByColor { white: true, black: true },
            StoredSides::One(side) => ByColor::from_fn(|color| color == side),
        }
    }
}

/// The number of threads of a build that asks for none: one for each core.
pub fn default_threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
