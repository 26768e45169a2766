//! Tables that exits lead to. Their slabs are read whole or in parts.

use makruk_format::TableFolder;
use makruk_rules::CountingRules;
use makruk_tables::tablebase::{DEFAULT_DERIVED_BYTES, ReadCost, SideSource, TableId, Tablebase};

use crate::cached_sides::CachedSides;
use crate::options::SMALL;

/// The folder's tables as children of those to be solved, DTZ under these rules.
pub fn stored_tables(folder: &TableFolder, rules: &CountingRules) -> Tablebase {
    stored_tables_within(folder, rules, DEFAULT_DERIVED_BYTES)
}

/// As [`stored_tables`], with at most `derived_bytes` bytes of slabs that omitted sides are derived from.
pub(crate) fn stored_tables_within(folder: &TableFolder, rules: &CountingRules, derived_bytes: u64) -> Tablebase {
    let tables = Tablebase::builder().folders([folder.path()]).access(folder.access());
    // Whole slabs are read, without the cache of stripes.
    tables.cache_bytes(0).derived_bytes(derived_bytes).rules(rules.clone()).build()
}

/// Whether the slabs of a child's side are worth caching for the next reader. Those that take long to read are, unless
/// they are large.
fn is_worth_caching(id: TableId, cost: ReadCost) -> bool {
    match cost {
        ReadCost::Derive => true,
        ReadCost::Decode => id.material.men() <= SMALL,
        ReadCost::Copy => false,
    }
}

/// The children of one material while it is solved. Places of the kings that a child's symmetries take to each other
/// ask for the same slab. So do DTM and DTZ if a king is bare. At most `bytes` of such slabs are cached.
pub(crate) fn cached(children: &dyn SideSource, bytes: u64) -> CachedSides<'_> {
    CachedSides::new(children, bytes, is_worth_caching)
}
