//! The layout of one side of a file.

use super::spec::Storage;

/// A side's storage, axis, sizes of blocks and lengths of sections.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SideLayout {
    /// How its values are stored.
    pub storage: Storage,
    /// The axis of the fast piece; 0 without blocks, as the numbers that follow.
    pub axis: u8,
    /// Stripes per block.
    pub block_stripes: u8,
    /// Bytes of the model.
    pub model_len: u32,
    /// Bytes of all groups of blocks.
    pub blocks_len: u64,
}
