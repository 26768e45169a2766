//! The places and checksums of a family's groups of blocks.
//!
//! For each side to move, records: one for each group and one after the last. A record has two fields for each table of
//! the family that has blocks of that side. They are where the group begins within the side's blocks (5 bytes) and the
//! group's CRC-32C (4 bytes).

use std::ops::Range;

use makruk_format::{Outline, TableId};
use makruk_rules::{ByColor, Color};

use crate::catalogue::has_blocks;

/// Bytes of a record for each table.
pub(crate) const COLUMN: usize = 9;
/// Bytes of a group's place.
const PLACE: usize = 5;
/// Records that are fetched together, besides the one that ends the last group.
pub(crate) const PIECE: u64 = 32;

/// The records of one side to move.
#[derive(Clone, Debug, Default)]
struct SideRecords {
    /// Their place in the file.
    start: u64,
    /// Their number.
    count: u64,
    /// The tables that each is about.
    columns: Vec<TableId>,
}

/// The places of the records of a family.
#[derive(Clone, Debug)]
pub(crate) struct RecordLayout {
    sides: ByColor<SideRecords>,
}

/// A group of blocks: its range within its side's blocks, and its checksum.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct GroupRecord {
    pub(crate) range: Range<u64>,
    pub(crate) crc: u32,
}

impl RecordLayout {
    /// The records of the tables of a family, in order.
    pub(crate) fn new(tables: &[(TableId, &Outline)]) -> RecordLayout {
        let mut start = 0;
        let sides = ByColor::from_fn(|side| {
            let stored = tables.iter().filter(|(_, outline)| has_blocks(outline, side));
            let columns: Vec<TableId> = stored.clone().map(|&(id, _)| id).collect();
            let count = stored.map(|(_, outline)| outline.groups(side) + 1).max().unwrap_or(0);
            let records = SideRecords { start, count, columns };
            start += count * records.width();
            records
        });
        RecordLayout { sides }
    }

    /// The tables whose groups a side's records are about, and the number of records.
    #[cfg(feature = "publish")]
    pub(crate) fn side(&self, side: Color) -> (&[TableId], u64) {
        (&self.sides[side].columns, self.sides[side].count)
    }

    /// The piece of the file that has the record of a group and the next one; `None` if there is no such group.
    pub(crate) fn piece_of(&self, side: Color, group: u64) -> Option<Range<u64>> {
        let records = &self.sides[side];
        if group + 1 >= records.count {
            return None;
        }
        let first = group / PIECE * PIECE;
        let end = records.count.min(first + PIECE + 1);
        Some(records.start + first * records.width()..records.start + end * records.width())
    }

    /// The record of a group in the piece that has it.
    pub(crate) fn group(&self, piece: &[u8], id: TableId, side: Color, group: u64) -> Option<GroupRecord> {
        let records = &self.sides[side];
        let column = records.columns.iter().position(|&of| of == id)? * COLUMN;
        let at = (group % PIECE) as usize * records.width() as usize + column;
        let next = at + records.width() as usize;
        let range = place(piece, at)?..place(piece, next)?;
        let crc = piece.get(at + PLACE..at + COLUMN)?;
        Some(GroupRecord { range, crc: u32::from_le_bytes([crc[0], crc[1], crc[2], crc[3]]) })
    }

    /// Whether the places of a piece are in order.
    pub(crate) fn is_in_order(&self, piece_start: u64, piece: &[u8]) -> bool {
        let Some(records) = Color::ALL.map(|side| &self.sides[side]).into_iter().find(|records| {
            !records.columns.is_empty()
                && (records.start..records.start + records.count * records.width()).contains(&piece_start)
        }) else {
            return false;
        };
        let width = records.width() as usize;
        (0..records.columns.len()).all(|column| {
            let places: Vec<Option<u64>> =
                (column * COLUMN..piece.len()).step_by(width).map(|at| place(piece, at)).collect();
            // A table with fewer groups than another has zeros after its last.
            places.windows(2).all(|pair| pair[0].is_some() && (pair[0] < pair[1] || pair[1] == Some(0)))
        })
    }
}

impl SideRecords {
    fn width(&self) -> u64 {
        (self.columns.len() * COLUMN) as u64
    }
}

/// The place at an offset.
fn place(bytes: &[u8], at: usize) -> Option<u64> {
    let mut word = [0; 8];
    word[..PLACE].copy_from_slice(bytes.get(at..at + PLACE)?);
    Some(u64::from_le_bytes(word))
}

/// Appends one table's part of a record.
#[cfg(feature = "publish")]
pub(crate) fn write(place: u64, crc: u32, out: &mut Vec<u8>) {
    out.extend_from_slice(&place.to_le_bytes()[..PLACE]);
    out.extend_from_slice(&crc.to_le_bytes());
}
