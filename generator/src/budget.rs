//! The amounts of data that a build holds in memory at a time.

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
    /// go to working files, and the decisions under one metric are dropped before the next is solved. The file of
    /// decisions is then a checkpoint: a build that was killed continues from the last ply that was finished.
    pub men_in_memory: usize,
    /// The bytes of decisions under one metric that stay in memory for each word of 64 positions; the rest goes to a
    /// working file. Most materials' decisions take no more than the usual 24, those of the longest endings six times
    /// as much.
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
