//! What a table's first bytes say of it.

use std::ops::Range;

use thiserror::Error;

use super::block::MAX_BLOCK_LEN;
use super::error::Problem;
use super::index::INDEX_ENTRY_BYTES;
use super::value::{Metric, Value};
use super::values::{CodeWidth, ENTRY_BYTES, MAX_VALUES, ValueList, value_from_u32};
use crate::index::Symmetry;
use crate::rules::{ByColor, Color};

/// The first bytes of every table. The high bit, the line ends and the Ctrl-Z show up transfers that took it for text.
pub const MAGIC: [u8; 8] = *b"\x89MKT\r\n\x1a\n";

/// The version this crate writes, and the only one it reads.
pub const FORMAT_VERSION: u32 = 1;

/// The most positions a side may have: beyond any table, and small enough that no sum over blocks overflows.
pub const MAX_POSITIONS: u64 = 1 << 48;

/// Bytes before the value lists.
pub(super) const FIXED_BYTES: usize = 156;
/// Bytes of a checksum.
pub(super) const CRC_BYTES: usize = 4;
const MIN_HEADER_BYTES: usize = FIXED_BYTES + 2 * ENTRY_BYTES + CRC_BYTES;
const MAX_HEADER_BYTES: usize = FIXED_BYTES + 2 * MAX_VALUES * ENTRY_BYTES + CRC_BYTES;

const VERSION_AT: usize = 8;
const HEADER_LEN_AT: usize = 12;
const FILE_LEN_AT: usize = 16;
const SLABS_AT: usize = 24;
const SLAB_LEN_AT: usize = 32;
const BLOCK_LEN_AT: usize = 40;
const SLICE_AT: usize = 44;
const METRIC_AT: usize = 46;
const SYMMETRY_AT: usize = 47;
const MATERIAL: Range<usize> = 48..80;
const RULES: Range<usize> = 80..96;
const GENERATOR: Range<usize> = 96..128;
const AXES: Range<usize> = 128..144;
const INDEX_CRC_AT: usize = 144;
const VALUES_AT: [usize; 2] = [148, 152];

const fn symmetry_byte(symmetry: Symmetry) -> u8 {
    match symmetry {
        Symmetry::Mirror => 0,
        Symmetry::EightFold => 1,
    }
}

/// All that is known of a table before its blocks are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spec {
    /// The set's canonical name, such as `KRRvKR`; up to 32 bytes.
    pub material: String,
    /// What the values measure.
    pub metric: Metric,
    /// Which part of the set this is; 0, all of it, is the only one so far.
    pub slice: u16,
    /// The fold of the positions.
    pub symmetry: Symmetry,
    /// The counting rules under which the values hold, such as `makruk`; up to 16 bytes.
    pub rules: String,
    /// The program that made the table, with its version; up to 32 bytes. It must not vary between machines.
    pub generator: String,
    /// Piece letters in the order of the index's axes, the slowest first, upper case for White; up to 16 bytes.
    pub axes: String,
    /// Slabs (king pairs) per side to move.
    pub slabs: u64,
    /// Positions per slab.
    pub slab_len: u64,
    /// Positions per block, 1 to [`MAX_BLOCK_LEN`]; see [`DEFAULT_BLOCK_LEN`](super::DEFAULT_BLOCK_LEN).
    pub block_len: u32,
    /// The values of each side to move.
    pub values: ByColor<ValueList>,
}

/// A table that can't be: what is wrong with a [`Spec`] or with the blocks that follow it.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SpecError {
    /// A name is empty, too long or has characters it must not have.
    #[error("{field} is {found:?}: expected {expected}")]
    Text {
        /// The field's name.
        field: &'static str,
        /// What it holds.
        found: String,
        /// What it may hold.
        expected: &'static str,
    },
    /// A number is out of bounds.
    #[error("{field} is {found}: expected {expected}")]
    Number {
        /// The field's name.
        field: &'static str,
        /// What it holds.
        found: u64,
        /// What it may hold.
        expected: &'static str,
    },
    /// A side lists no value, or too many.
    #[error("a side lists {found} values: expected 1 to 65536")]
    ValueCount {
        /// The number of values.
        found: usize,
    },
    /// A value is not above the one before it.
    #[error("value {at}, {value:?}, is not above the one before it")]
    ValueOrder {
        /// The place in the list.
        at: usize,
        /// The value there.
        value: Value,
    },
    /// A win in an even number of plies or a loss in an odd one.
    #[error("value {at} is {value:?}: wins take an odd number of plies, losses an even one")]
    Parity {
        /// The place in the list.
        at: usize,
        /// The value there.
        value: Value,
    },
    /// The histogram's sum passes 2^64.
    #[error("the numbers of positions add up to more than 2^64")]
    Histogram,
    /// A block came out of order, of the wrong length or width, or not at all.
    #[error("{side} block {block}: expected {expected}, found {found}")]
    Block {
        /// The side to move.
        side: Color,
        /// The block's number within its side.
        block: u64,
        /// What should have come.
        expected: String,
        /// What came.
        found: String,
    },
}

/// Whether `name` has the form of a set's name: `K`, pieces, `v`, `K`, pieces, at most 32 bytes. Not whether it is
/// canonical.
pub fn is_material_name(name: &str) -> bool {
    let side = |text: &str| text.strip_prefix('K').is_some_and(|men| men.bytes().all(|man| b"RNSM".contains(&man)));
    name.len() <= MATERIAL.end - MATERIAL.start
        && name.split_once('v').is_some_and(|(white, black)| side(white) && side(black))
}

impl Spec {
    /// Checks every field.
    ///
    /// # Errors
    ///
    /// The first field that no table can have.
    pub fn check(&self) -> Result<(), SpecError> {
        let text = |field, found: &str, expected, fine: bool| {
            if fine { Ok(()) } else { Err(SpecError::Text { field, found: found.to_owned(), expected }) }
        };
        let number = |field, found, expected, fine: bool| {
            if fine { Ok(()) } else { Err(SpecError::Number { field, found, expected }) }
        };
        let printable = |name: &str, limit: &Range<usize>| {
            !name.is_empty() && name.len() <= limit.len() && name.bytes().all(|byte| (b' '..=b'~').contains(&byte))
        };
        text("material", &self.material, "a set's name such as KRRvKR", is_material_name(&self.material))?;
        text("rules", &self.rules, "1 to 16 printable characters", printable(&self.rules, &RULES))?;
        text("generator", &self.generator, "1 to 32 printable characters", printable(&self.generator, &GENERATOR))?;
        let pieces = self.axes.len() <= AXES.len() && self.axes.bytes().all(|man| b"KRNSMkrnsm".contains(&man));
        text("axes", &self.axes, "up to 16 piece letters", pieces)?;
        number("slice", self.slice.into(), "0", self.slice == 0)?;
        let block_len = u64::from(self.block_len);
        number("block_len", block_len, "1 to 1048576", (1..=u64::from(MAX_BLOCK_LEN)).contains(&block_len))?;
        number("slabs", self.slabs, "1 or more", self.slabs > 0)?;
        number("slab_len", self.slab_len, "1 or more", self.slab_len > 0)?;
        let fits = self.slabs.checked_mul(self.slab_len).is_some_and(|positions| positions <= MAX_POSITIONS);
        number("slab_len", self.slab_len, "at most 2^48 positions a side", fits)
    }

    /// Positions per side to move.
    pub const fn positions(&self) -> u64 {
        self.slabs.saturating_mul(self.slab_len)
    }

    /// Blocks that the file stores for a side: none if it is constant.
    pub fn stored_blocks(&self, side: Color) -> u64 {
        match self.values[side].width() {
            CodeWidth::Constant => 0,
            _ => self.positions().div_ceil(u64::from(self.block_len)),
        }
    }

    /// Positions in a block: all are full but the last. 0 beyond the last.
    pub fn positions_in_block(&self, block: u64) -> u32 {
        let before = block.saturating_mul(u64::from(self.block_len));
        self.positions().saturating_sub(before).min(u64::from(self.block_len)) as u32
    }

    /// The file's name: `KRRvKR.dtm`.
    pub fn file_name(&self) -> String {
        format!("{}.{}", self.material, self.metric)
    }

    /// Bytes of the header.
    pub(super) fn header_len(&self) -> usize {
        FIXED_BYTES + (self.values.white.len() + self.values.black.len()) * ENTRY_BYTES + CRC_BYTES
    }

    /// Bytes of the index.
    pub(super) fn index_len(&self) -> u64 {
        (self.stored_blocks(Color::White) + self.stored_blocks(Color::Black)) * INDEX_ENTRY_BYTES
    }
}

/// A header as read from a table, checked in every field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    spec: Spec,
    file_len: u64,
    index_crc: u32,
}

impl Header {
    /// What the table is.
    pub fn spec(&self) -> &Spec {
        &self.spec
    }

    /// Bytes of the whole file.
    pub fn file_len(&self) -> u64 {
        self.file_len
    }

    /// Where the index begins: the header's length.
    pub(super) fn index_at(&self) -> usize {
        self.spec.header_len()
    }

    /// Where the blocks begin.
    pub(super) fn blocks_at(&self) -> u64 {
        self.spec.header_len() as u64 + self.spec.index_len()
    }

    pub(super) fn index_crc(&self) -> u32 {
        self.index_crc
    }

    /// The header's bytes, checksum and all.
    pub(super) fn write(spec: &Spec, file_len: u64, index_crc: u32) -> Vec<u8> {
        let header_len = spec.header_len();
        let mut out = Vec::with_capacity(header_len);
        out.extend_from_slice(&MAGIC);
        out.extend_from_slice(&FORMAT_VERSION.to_le_bytes());
        out.extend_from_slice(&(header_len as u32).to_le_bytes());
        out.extend_from_slice(&file_len.to_le_bytes());
        out.extend_from_slice(&spec.slabs.to_le_bytes());
        out.extend_from_slice(&spec.slab_len.to_le_bytes());
        out.extend_from_slice(&spec.block_len.to_le_bytes());
        out.extend_from_slice(&spec.slice.to_le_bytes());
        out.push(match spec.metric {
            Metric::Dtm => 0,
            Metric::Dtz => 1,
        });
        out.push(symmetry_byte(spec.symmetry));
        for (text, field) in
            [(&spec.material, MATERIAL), (&spec.rules, RULES), (&spec.generator, GENERATOR), (&spec.axes, AXES)]
        {
            out.extend_from_slice(text.as_bytes());
            out.resize(field.end, 0);
        }
        out.extend_from_slice(&index_crc.to_le_bytes());
        for side in Color::ALL {
            out.extend_from_slice(&(spec.values[side].len() as u32).to_le_bytes());
        }
        for side in Color::ALL {
            spec.values[side].write(&mut out);
        }
        let crc = crc32c::crc32c(&out);
        out.extend_from_slice(&crc.to_le_bytes());
        out
    }

    /// Reads and checks the header at the start of a file that is `bytes` long.
    pub(super) fn read(bytes: &[u8]) -> Result<Header, Problem> {
        if !bytes.starts_with(&MAGIC[..bytes.len().min(MAGIC.len())]) {
            return Err(Problem::Foreign { found: bytes[..MAGIC.len().min(bytes.len())].to_vec() });
        }
        let have = bytes.len() as u64;
        if bytes.len() < FILE_LEN_AT {
            return Err(Problem::Truncated { expected: MIN_HEADER_BYTES as u64, found: have });
        }
        let version = u32_at(bytes, VERSION_AT);
        if version < FORMAT_VERSION {
            return Err(Problem::Older { found: version });
        }
        if version > FORMAT_VERSION {
            return Err(Problem::Newer { found: version });
        }
        let header_len = u32_at(bytes, HEADER_LEN_AT) as usize;
        if !(MIN_HEADER_BYTES..=MAX_HEADER_BYTES).contains(&header_len) {
            return Err(field("header length", HEADER_LEN_AT, "184 to 1573024", header_len));
        }
        if bytes.len() < header_len {
            return Err(Problem::Truncated { expected: header_len as u64, found: have });
        }
        let crc_at = header_len - CRC_BYTES;
        let (expected, found) = (u32_at(bytes, crc_at), crc32c::crc32c(&bytes[..crc_at]));
        if expected != found {
            return Err(Problem::HeaderChecksum { offset: crc_at as u64, expected, found });
        }
        let header = Header::read_fields(&bytes[..header_len])?;
        if have < header.file_len {
            return Err(Problem::Truncated { expected: header.file_len, found: have });
        }
        if have > header.file_len {
            return Err(Problem::Overlong { expected: header.file_len, found: have });
        }
        Ok(header)
    }

    /// Reads the fields of a header whose checksum holds. The checksum is no proof of sense: anyone can compute one.
    fn read_fields(bytes: &[u8]) -> Result<Header, Problem> {
        let counts = VALUES_AT.map(|at| u32_at(bytes, at) as usize);
        for (count, at) in counts.into_iter().zip(VALUES_AT) {
            if !(1..=MAX_VALUES).contains(&count) {
                return Err(field("number of values", at, "1 to 65536", count));
            }
        }
        let expected_len = FIXED_BYTES + (counts[0] + counts[1]) * ENTRY_BYTES + CRC_BYTES;
        if bytes.len() != expected_len {
            return Err(field("header length", HEADER_LEN_AT, expected_len, bytes.len()));
        }
        let metric = match bytes[METRIC_AT] {
            0 => Metric::Dtm,
            1 => Metric::Dtz,
            other => return Err(field("metric", METRIC_AT, "0 or 1", other)),
        };
        let symmetry = match bytes[SYMMETRY_AT] {
            0 => Symmetry::Mirror,
            1 => Symmetry::EightFold,
            other => return Err(field("symmetry", SYMMETRY_AT, "0 or 1", other)),
        };
        let white = read_values(bytes, FIXED_BYTES, counts[0])?;
        let black = read_values(bytes, FIXED_BYTES + counts[0] * ENTRY_BYTES, counts[1])?;
        let spec = Spec {
            material: read_text(bytes, "material", MATERIAL)?,
            metric,
            slice: u16::from_le_bytes([bytes[SLICE_AT], bytes[SLICE_AT + 1]]),
            symmetry,
            rules: read_text(bytes, "rules", RULES)?,
            generator: read_text(bytes, "generator", GENERATOR)?,
            axes: read_text(bytes, "axes", AXES)?,
            slabs: u64_at(bytes, SLABS_AT),
            slab_len: u64_at(bytes, SLAB_LEN_AT),
            block_len: u32_at(bytes, BLOCK_LEN_AT),
            values: ByColor { white, black },
        };
        spec.check().map_err(Problem::Spec)?;
        let header = Header { spec, file_len: u64_at(bytes, FILE_LEN_AT), index_crc: u32_at(bytes, INDEX_CRC_AT) };
        if header.file_len < header.blocks_at() {
            return Err(field("file length", FILE_LEN_AT, format!("{} or more", header.blocks_at()), header.file_len));
        }
        Ok(header)
    }
}

fn read_values(bytes: &[u8], start: usize, count: usize) -> Result<ValueList, Problem> {
    let mut entries = Vec::with_capacity(count);
    for at in (start..).step_by(ENTRY_BYTES).take(count) {
        let raw = u32_at(bytes, at);
        let value = value_from_u32(raw)
            .ok_or_else(|| field("value", at, "a draw, win or loss", format_args!("{raw:#010x}")))?;
        entries.push((value, u64_at(bytes, at + 4)));
    }
    ValueList::new(entries).map_err(Problem::Spec)
}

/// Reads text padded with zeros.
fn read_text(bytes: &[u8], name: &'static str, range: Range<usize>) -> Result<String, Problem> {
    let raw = &bytes[range.clone()];
    let len = raw.iter().position(|&byte| byte == 0).unwrap_or(raw.len());
    let (text, padding) = raw.split_at(len);
    if !text.is_ascii() || padding.iter().any(|&byte| byte != 0) {
        return Err(field(name, range.start, "ASCII, then zeros", raw.escape_ascii()));
    }
    Ok(text.iter().map(|&byte| char::from(byte)).collect())
}

fn field(name: &'static str, offset: usize, expected: impl ToString, found: impl ToString) -> Problem {
    Problem::HeaderField {
        field: name,
        offset: offset as u64,
        expected: expected.to_string(),
        found: found.to_string(),
    }
}

/// The little-endian number at `at`. The caller has checked the length.
pub(super) fn u32_at(bytes: &[u8], at: usize) -> u32 {
    let mut raw = [0; 4];
    raw.copy_from_slice(&bytes[at..at + 4]);
    u32::from_le_bytes(raw)
}

/// The little-endian number at `at`. The caller has checked the length.
pub(super) fn u64_at(bytes: &[u8], at: usize) -> u64 {
    let mut raw = [0; 8];
    raw.copy_from_slice(&bytes[at..at + 8]);
    u64::from_le_bytes(raw)
}
