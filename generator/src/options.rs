//! The options of a build, and the amounts of data that it holds in memory at a time.

use makruk_format::TableId;
use makruk_rules::{ByColor, Color, CountingRules, Role};
use makruk_tables::material::Material;
use makruk_tables::value::Metric;

/// The most men, kings included, of a material that can be solved.
pub const MOST_MEN: usize = 7;

/// The most men of a material whose decisions stay in memory, as far as the usual [`Budget`] allows; with more men all
/// of them go to files.
pub const MOST_MEN_IN_MEMORY: usize = 5;

/// The most positions that models are learned from; they wait in memory meanwhile. The bytes of a table depend on it.
pub(crate) const SAMPLE_POSITIONS: u64 = 6 << 20;

/// The fewest slabs that models are learned from. The bytes of a table depend on it.
pub(crate) const SAMPLE_SLABS: u64 = 3;

/// The bytes of children's slabs that are kept.
pub(crate) const KEPT_BYTES: u64 = 2 << 30;

/// The most men with which a stored side is kept decoded: it takes some megabytes. Larger materials leave the room to
/// omitted sides, which take far longer to derive.
pub(crate) const SMALL: usize = 4;

/// The amounts of data that a build holds in memory at a time. Tables are the same bytes under every budget.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Budget {
    /// The most men with which decisions and exit seeds stay in memory, as far as they fit. With more men all of them
    /// go to working files. Decisions stay until all tables of the material are written. Their files are then
    /// checkpoints: a build that was killed continues from the last ply that was finished.
    pub men_in_memory: usize,
    /// The bytes of decisions under one metric that stay in memory for each word of 64 positions; the rest goes to a
    /// working file.
    pub decision_bytes_per_word: u64,
    /// The bytes of a set of positions that a pass goes through before it asks whether to continue.
    pub group_bytes: usize,
    /// The encoded positions whose blocks may wait in memory for those before them: a slab's at least.
    pub waiting_positions: u64,
    /// The factor from which a shorter set of positions is worth rows of one word. These distinguish fewer like men,
    /// but their kernels take several times as long for a word. With the usual 4, materials of seven men with four like
    /// men have them.
    pub one_word_saving: usize,
}

impl Default for Budget {
    fn default() -> Budget {
        Budget {
            men_in_memory: MOST_MEN_IN_MEMORY,
            decision_bytes_per_word: 24,
            group_bytes: 64 << 20,
            waiting_positions: 16 << 20,
            one_word_saving: 4,
        }
    }
}

/// The options of a build.
#[derive(Clone, Debug)]
pub struct Options {
    /// The number of threads; one for each core if `None`.
    pub threads: Option<usize>,
    /// The memory that a material may take, in bytes; `None` means no limit. Sets of positions that do not fit are
    /// packed, and go to working files if they still do not fit. A build is refused if a material cannot be built in
    /// this memory.
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
    /// Both sides up to four men. Above that one side is omitted if it has few moves, from which its values follow. If
    /// both sides have, it is White's if that would take a sixteenth more bytes than Black's.
    #[default]
    Usual,
    /// Both sides.
    Both,
    /// One side.
    One(Color),
}

impl StoredSides {
    /// The sides that a table may omit. Of two, a table of distances omits the larger one; a category table omits all:
    /// Black's if his king is bare or he has few moves, White's never, because an engine's search asks it most.
    pub(crate) fn omittable(self, TableId { material, metric }: TableId) -> ByColor<bool> {
        let is_category = metric == Metric::Category;
        let most = match material.men() {
            ..=MOST_MEN_WITH_BOTH_SIDES => 0,
            5 if is_category => MOST_MOVES_OF_FIVE_MEN,
            _ => MOST_MOVES,
        };
        ByColor::from_fn(|side| match self {
            StoredSides::Usual if is_category => {
                side == Color::Black && (!material.is_armed() || moves(material, side) <= most)
            }
            StoredSides::Usual => moves(material, side) <= most,
            StoredSides::Both => false,
            StoredSides::One(one) => side != one,
        })
    }

    /// The number of sides in a table.
    pub(crate) fn number(self, id: TableId) -> usize {
        let omittable = self.omittable(id).iter().filter(|&&side| side).count();
        2 - if id.metric == Metric::Category { omittable } else { omittable.min(1) }
    }
}

/// The most men of a material that has both sides in its files: the solver reads them often, and they are small.
const MOST_MEN_WITH_BOTH_SIDES: usize = 4;

/// The most moves of a side that is omitted: a rook's and a king's, so that a probe of the side takes a few times as
/// long.
const MOST_MOVES: u32 = 18;

/// The same for category tables of five men, which keep a rook's side: an engine's search asks them most.
const MOST_MOVES_OF_FIVE_MEN: u32 = 16;

/// The moves of a side's men, about, on a board with few men.
fn moves(material: Material, side: Color) -> u32 {
    let of_role = |role| match role {
        Role::Rook => 11,
        Role::King => 6,
        Role::Knight => 5,
        Role::Khon => 4,
        Role::Met => 3,
        Role::Pawn => 1,
    };
    of_role(Role::King) + material.side(side).roles().map(of_role).sum::<u32>()
}

/// The number of threads of a build that asks for none: one for each core.
pub fn default_threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_side_with_few_moves_may_be_omitted() {
        let sides = |material: &str| {
            let material = material.parse().unwrap();
            let [distances, categories] = [Metric::Dtm, Metric::Category]
                .map(|metric| StoredSides::Usual.omittable(TableId { material, metric }));
            [distances.white, distances.black, categories.white, categories.black]
        };
        assert_eq!(sides("KRvKS"), [false, false, false, false]);
        assert_eq!(sides("KSMvK"), [false, false, false, true]);
        assert_eq!(sides("KSSvKM"), [true, true, false, true]);
        assert_eq!(sides("KRNvKR"), [false, true, false, false]);
        assert_eq!(sides("KNNMvKR"), [false, true, false, true]);
        assert_eq!(sides("KRRvKRM"), [false, false, false, false]);
    }
}
