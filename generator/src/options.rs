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
    /// The memory that a material may take, in bytes. A build is refused if a material needs more. `None` is no limit.
    pub memory: Option<u64>,
    /// The sides to move whose values are in the files. Published tables have the usual ones.
    pub stored: StoredSides,
    /// Does each material get a search table, too? Engines read it under a count that runs.
    pub search: bool,
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
            search: false,
            rules: CountingRules::MAKRUK,
            budget: Budget::default(),
        }
    }
}

impl Options {
    /// The metrics of which a material gets tables.
    pub fn metrics(&self, material: Material) -> impl Iterator<Item = Metric> {
        let search = (self.search && material.has_table(Metric::Search)).then_some(Metric::Search);
        material.table_metrics().iter().copied().chain(search)
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
    /// The sides in a material's search table: fewer, because a bare king has few moves.
    pub fn of_search(self, material: Material) -> ByColor<bool> {
        let stored = self.of(material);
        let black = stored.black && (self == StoredSides::Both || material.is_armed());
        ByColor { white: true, black }
    }

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
