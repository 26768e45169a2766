//! The places of a file's parts, without the header that they follow from.

use std::ops::Range;

use super::group::{GROUP_BLOCKS, OFFSET_BYTES};
use super::sections::{Sections, chunk_bytes};
use super::side_layout::SideLayout;
use super::spec::Storage;
use super::table_id::TableId;
use crate::index::{Layout, Stripes};
use crate::material::Material;
use makruk_rules::{ByColor, Color, Square};

/// All of a header that finds the bytes of a value: enough for a reader far from the file to ask for them at once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outline {
    material: Material,
    checksum: u32,
    sides: ByColor<SideLayout>,
    sections: Sections,
    blocks: ByColor<u64>,
}

/// Bytes of an offset in the index.
const OFFSET: u64 = OFFSET_BYTES as u64;

impl Outline {
    /// The outline of a table whose header has this length and this checksum. `None` if there can be no such table.
    pub fn new(id: TableId, header_len: u32, checksum: u32, sides: ByColor<SideLayout>) -> Option<Outline> {
        if sides.iter().all(|side| side.storage == Storage::Absent) {
            return None;
        }
        let TableId { material, metric } = id;
        let layout = Layout::new(material);
        let mut blocks = ByColor { white: 0, black: 0 };
        for side in Color::ALL {
            let SideLayout { storage, axis, block_stripes, blocks_len, .. } = sides[side];
            if storage == Storage::Blocks {
                let stripes = Stripes::new(layout.clone(), usize::from(axis))?;
                if block_stripes == 0 || blocks_len >= 1 << 40 {
                    return None;
                }
                blocks[side] = layout.slabs() as u64 * (stripes.len() as u64).div_ceil(u64::from(block_stripes));
            }
        }
        let groups = blocks.map(|blocks| blocks.div_ceil(GROUP_BLOCKS as u64));
        let sections = Sections::new(u64::from(header_len), &sides, groups, chunk_bytes(metric));
        Some(Outline { material, checksum, sides, sections, blocks })
    }

    pub(super) fn sections(&self) -> &Sections {
        &self.sections
    }

    /// The header's checksum, by which the whole file is known.
    pub fn checksum(&self) -> u32 {
        self.checksum
    }

    /// A side's part.
    pub fn side(&self, side: Color) -> &SideLayout {
        &self.sides[side]
    }

    /// Bytes of the file.
    pub fn file_len(&self) -> u64 {
        self.sections.end
    }

    /// Bytes of the header.
    pub fn header_len(&self) -> u64 {
        self.sections.body()
    }

    /// The end of the models of both sides, which follow the header.
    pub fn head_len(&self) -> u64 {
        self.sections.models.black.end
    }

    /// The stripes of a side; `None` if its values are not in blocks.
    pub(super) fn stripes(&self, side: Color) -> Option<Stripes> {
        let SideLayout { storage, axis, .. } = self.sides[side];
        if storage == Storage::Blocks { Stripes::new(Layout::new(self.material), usize::from(axis)) } else { None }
    }

    /// The number of a side's blocks.
    pub(super) fn block_count(&self, side: Color) -> u64 {
        self.blocks[side]
    }

    /// A side's blocks.
    pub fn blocks(&self, side: Color) -> Range<u64> {
        self.sections.blocks[side].clone()
    }

    /// The number of groups of a side's blocks.
    pub fn groups(&self, side: Color) -> u64 {
        self.blocks[side].div_ceil(GROUP_BLOCKS as u64)
    }

    /// If these bytes are an index entry, the side and the group that it describes.
    pub fn index_entry(&self, bytes: &Range<u64>) -> Option<(Color, u64)> {
        let side = Color::ALL.into_iter().find(|&side| {
            let index = &self.sections.indexes[side];
            index.start <= bytes.start && bytes.end <= index.end
        })?;
        let at = bytes.start - self.sections.indexes[side].start;
        (at.is_multiple_of(OFFSET) && bytes.end - bytes.start == 2 * OFFSET).then_some((side, at / OFFSET))
    }

    /// A group's range within its side's blocks, as the index has it.
    pub fn write_index_entry(range: &Range<u64>, out: &mut Vec<u8>) {
        for offset in [range.start, range.end] {
            out.extend_from_slice(&offset.to_le_bytes()[..OFFSET_BYTES]);
        }
    }

    /// The group that has the value of a position whose men are on these squares of a slab; `None` if the side has no
    /// blocks.
    pub fn group_of(&self, side: Color, slab: usize, squares: &[Square]) -> Option<u64> {
        let stripes = self.stripes(side)?;
        let (stripe, ..) = stripes.stripe_of(squares)?;
        let per_block = usize::from(self.sides[side].block_stripes);
        let block = slab * stripes.len().div_ceil(per_block) + stripe / per_block;
        Some(block as u64 / GROUP_BLOCKS as u64)
    }
}
