//! The request of a search for positions.

use makruk_tables::rules::Color;

use makruk_research::PositionKind;

/// The memory that open searches may take together for slabs of sides that tables omit, in MiB. A search that may take
/// more has to be the only one; a material of six men takes about two thirds of it.
pub(crate) const SEARCH_MIB: usize = 1 << 10;

/// The default limit of a search.
pub(crate) const DEFAULT_SAVES: u64 = 100;

/// The request of a search.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct SaveQuery {
    pub(crate) kind: PositionKind,
    pub(crate) materials: Vec<String>,
    pub(crate) filter: String,
    pub(crate) cursor: String,
    pub(crate) until: String,
    /// 0 stands for [`DEFAULT_SAVES`].
    pub(crate) limit: u64,
    pub(crate) side: Option<Color>,
    pub(crate) images: bool,
    pub(crate) brief: bool,
}
