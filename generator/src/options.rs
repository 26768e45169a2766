//! The options of a build.

use makruk_tables::material::Material;
use makruk_tables::rules::{ByColor, Color, CountingRules, Role};
use makruk_tables::value::Metric;

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
    /// Whether each material gets a WDL table.
    pub wdl: bool,
    /// Whether each material gets a search table, too. Engines read it under a count that runs. It answers nearly all that a WDL table
    /// answers.
    pub search: bool,
    /// Whether to keep the distances of materials that no other material of the same build needs. WDL and search tables alone
    /// take a tenth of the room. Tables that were there before always stay.
    pub keeps_distances: bool,
    /// The counting rules of DTZ, WDL and search tables.
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
            wdl: true,
            search: false,
            keeps_distances: true,
            rules: CountingRules::MAKRUK,
            budget: Budget::default(),
        }
    }
}

impl Options {
    /// Whether the distances of a material stay in a build of these materials: another may need them, or all do.
    pub fn keeps_distances_of(&self, material: Material, materials: &[Material]) -> bool {
        self.keeps_distances || materials.iter().any(|other| other.children().contains(&material))
    }

    /// The metrics of which a material gets tables.
    pub fn metrics(&self, material: Material) -> impl Iterator<Item = Metric> {
        let search = (self.search && material.has_table(Metric::Search)).then_some(Metric::Search);
        material.table_metrics().iter().copied().filter(|&metric| self.wdl || metric != Metric::Wdl).chain(search)
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
    /// The sides in a material's search table. It omits more, because a bare king has few moves; it never omits White alone,
    /// because a search asks it most.
    pub fn of_search(self, material: Material) -> ByColor<bool> {
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
