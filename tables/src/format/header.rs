//! What a table's first bytes say of it.

use std::cmp::Ordering;
use std::ops::Range;

use super::codec::{MAX_BLOCK_STRIPES, MAX_VALUES};
use super::error::Problem;
use super::layout::Sections;
use super::source::Source;
use super::spec::{Spec, Storage};
use super::values::{ENTRY_BYTES, ValueList, value_from_u32};
use crate::index::Symmetry;
use crate::rules::{ByColor, Color};
use crate::value::Metric;

/// The first bytes of every table. The high bit, the line ends and the Ctrl-Z show up transfers that took it for text.
pub const MAGIC: [u8; 8] = *b"\x89MKT\r\n\x1a\n";

/// The version this crate writes, and the only one it reads.
pub const FORMAT_VERSION: u32 = 3;

/// Bytes before the value lists.
pub(super) const FIXED_BYTES: usize = 188;
/// Bytes of a checksum.
pub(super) const CRC_BYTES: usize = 4;
const MIN_HEADER_BYTES: usize = FIXED_BYTES + 2 * ENTRY_BYTES + CRC_BYTES;
const MAX_HEADER_BYTES: usize = FIXED_BYTES + 2 * MAX_VALUES * ENTRY_BYTES + CRC_BYTES;

const VERSION_AT: usize = 8;
const HEADER_LEN_AT: usize = 12;
const FILE_LEN_AT: usize = 16;
const SLABS_AT: usize = 24;
const SLAB_LEN_AT: usize = 32;
const REFERENCE_AT: usize = 40;
const SLICE_AT: usize = 44;
const METRIC_AT: usize = 46;
const SYMMETRY_AT: usize = 47;
pub(super) const MATERIAL: Range<usize> = 48..80;
pub(super) const RULES: Range<usize> = 80..96;
pub(super) const GENERATOR: Range<usize> = 96..128;
pub(super) const AXES: Range<usize> = 128..144;
const CHECKSUMS_CRC_AT: usize = 144;
const VALUES_AT: [usize; 2] = [148, 152];
const SIDES_AT: [usize; 2] = [156, 172];

const fn symmetry_byte(symmetry: Symmetry) -> u8 {
    match symmetry {
        Symmetry::Mirror => 0,
        Symmetry::EightFold => 1,
    }
}

/// Where a side's blocks are and how they are cut.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct SideHeader {
    /// The axis whose last man runs.
    pub(super) axis: u8,
    /// Stripes per block.
    pub(super) block_stripes: u8,
    /// Bytes of the model.
    pub(super) model_len: u32,
    /// Bytes of all groups of blocks.
    pub(super) blocks_len: u64,
}

/// A header as read from a table, checked in every field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    spec: Spec,
    file_len: u64,
    sides: ByColor<SideHeader>,
    reference: Option<u32>,
    checksums_crc: u32,
    crc: u32,
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

    /// The checksum over the header, which stands for the whole file: it covers the checksums of all its other parts.
    pub fn checksum(&self) -> u32 {
        self.crc
    }

    /// The checksum of the header of the table that this one's blocks refer to: DTM of the same set.
    pub fn reference(&self) -> Option<u32> {
        self.reference
    }

    pub(super) fn side(&self, side: Color) -> &SideHeader {
        &self.sides[side]
    }

    pub(super) fn checksums_crc(&self) -> u32 {
        self.checksums_crc
    }

    /// A header of these parts; its checksum is that of [`Header::write`].
    pub(super) fn new(spec: Spec, sides: ByColor<SideHeader>, reference: Option<u32>, checksums_crc: u32) -> Header {
        let mut header = Header { spec, file_len: 0, sides, reference, checksums_crc, crc: 0 };
        header.file_len = Sections::of(&header).end;
        header
    }

    /// The header's bytes, checksum and all.
    pub(super) fn write(&self) -> Vec<u8> {
        let spec = &self.spec;
        let header_len = spec.header_len();
        let mut out = Vec::with_capacity(header_len);
        out.extend_from_slice(&MAGIC);
        out.extend_from_slice(&FORMAT_VERSION.to_le_bytes());
        out.extend_from_slice(&(header_len as u32).to_le_bytes());
        out.extend_from_slice(&self.file_len.to_le_bytes());
        out.extend_from_slice(&spec.slabs.to_le_bytes());
        out.extend_from_slice(&spec.slab_len.to_le_bytes());
        out.extend_from_slice(&self.reference.unwrap_or(0).to_le_bytes());
        out.extend_from_slice(&spec.slice.to_le_bytes());
        out.push(match spec.metric {
            Metric::Dtm => 0,
            Metric::Dtz => 1,
            Metric::Wdl => 2,
        });
        out.push(symmetry_byte(spec.symmetry));
        for (text, field) in
            [(&spec.material, MATERIAL), (&spec.rules, RULES), (&spec.generator, GENERATOR), (&spec.axes, AXES)]
        {
            out.extend_from_slice(text.as_bytes());
            out.resize(field.end, 0);
        }
        out.extend_from_slice(&self.checksums_crc.to_le_bytes());
        for side in Color::ALL {
            out.extend_from_slice(&(spec.values[side].len() as u32).to_le_bytes());
        }
        for side in Color::ALL {
            let SideHeader { axis, block_stripes, model_len, blocks_len } = self.sides[side];
            out.push(match spec.storage(side) {
                Storage::Absent => 0,
                Storage::Constant => 1,
                Storage::Blocks => 2,
            });
            out.extend_from_slice(&[axis, block_stripes, 0]);
            out.extend_from_slice(&model_len.to_le_bytes());
            out.extend_from_slice(&blocks_len.to_le_bytes());
        }
        for side in Color::ALL {
            spec.values[side].write(&mut out);
        }
        let crc = crc32c::crc32c(&out);
        out.extend_from_slice(&crc.to_le_bytes());
        out
    }

    /// Reads and checks the header at the start of a file. Whether the file is as long as it should be, the caller asks.
    pub(super) fn read<B: Source>(source: &B) -> Result<Header, Problem> {
        let have = source.total();
        let (mut buffer, mut whole) = (Vec::new(), Vec::new());
        let fixed = have.min(FIXED_BYTES as u64) as usize;
        let bytes = source.read(0, fixed, &mut buffer).map_err(Problem::reading)?;
        if !bytes.starts_with(&MAGIC[..bytes.len().min(MAGIC.len())]) {
            return Err(Problem::Foreign { found: bytes[..MAGIC.len().min(bytes.len())].to_vec() });
        }
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
            let expected = format!("{MIN_HEADER_BYTES} to {MAX_HEADER_BYTES}");
            return Err(field("header length", HEADER_LEN_AT, expected, header_len));
        }
        if have < header_len as u64 {
            return Err(Problem::Truncated { expected: header_len as u64, found: have });
        }
        let bytes = source.read(0, header_len, &mut whole).map_err(Problem::reading)?;
        let crc_at = header_len - CRC_BYTES;
        let (expected, found) = (u32_at(bytes, crc_at), crc32c::crc32c(&bytes[..crc_at]));
        if expected != found {
            return Err(Problem::HeaderChecksum { offset: crc_at as u64, expected, found });
        }
        let header = Header::read_fields(bytes)?;
        header.check_length(have)?;
        Ok(header)
    }

    /// Is the file as long as the header says?
    pub(super) fn check_length(&self, have: u64) -> Result<(), Problem> {
        match have.cmp(&self.file_len) {
            Ordering::Less => Err(Problem::Truncated { expected: self.file_len, found: have }),
            Ordering::Equal => Ok(()),
            Ordering::Greater => Err(Problem::Overlong { expected: self.file_len, found: have }),
        }
    }

    /// The file length that a header should have.
    pub(super) fn wrong_length(expected: u64, found: u64) -> Problem {
        field("file length", FILE_LEN_AT, expected, found)
    }

    /// Reads the fields of a header whose checksum holds. The checksum is no proof of sense: anyone can compute one.
    fn read_fields(bytes: &[u8]) -> Result<Header, Problem> {
        let counts = VALUES_AT.map(|at| u32_at(bytes, at) as usize);
        for (count, at) in counts.into_iter().zip(VALUES_AT) {
            if !(1..=MAX_VALUES).contains(&count) {
                return Err(field("number of values", at, format!("1 to {MAX_VALUES}"), count));
            }
        }
        let expected_len = FIXED_BYTES + (counts[0] + counts[1]) * ENTRY_BYTES + CRC_BYTES;
        if bytes.len() != expected_len {
            return Err(field("header length", HEADER_LEN_AT, expected_len, bytes.len()));
        }
        let metric = match bytes[METRIC_AT] {
            0 => Metric::Dtm,
            1 => Metric::Dtz,
            2 => Metric::Wdl,
            other => return Err(field("metric", METRIC_AT, "0 to 2", other)),
        };
        let symmetry = match bytes[SYMMETRY_AT] {
            0 => Symmetry::Mirror,
            1 => Symmetry::EightFold,
            other => return Err(field("symmetry", SYMMETRY_AT, "0 or 1", other)),
        };
        let white = read_values(bytes, FIXED_BYTES, counts[0])?;
        let black = read_values(bytes, FIXED_BYTES + counts[0] * ENTRY_BYTES, counts[1])?;
        let mut stored = ByColor { white: true, black: true };
        let mut sides = ByColor::<SideHeader>::default();
        for (side, at) in Color::ALL.into_iter().zip(SIDES_AT) {
            let constant = counts[side as usize] == 1;
            (stored[side], sides[side]) = read_side(bytes, at, constant)?;
        }
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
            stored,
            values: ByColor { white, black },
        };
        spec.check().map_err(Problem::Spec)?;
        let reference = Some(u32_at(bytes, REFERENCE_AT)).filter(|&crc| crc != 0);
        if reference.is_some() && metric != Metric::Dtz {
            return Err(field("reference", REFERENCE_AT, "0 but in dtz", u32_at(bytes, REFERENCE_AT)));
        }
        let header = Header {
            spec,
            file_len: u64_at(bytes, FILE_LEN_AT),
            sides,
            reference,
            checksums_crc: u32_at(bytes, CHECKSUMS_CRC_AT),
            crc: u32_at(bytes, bytes.len() - CRC_BYTES),
        };
        Ok(header)
    }
}

/// Reads whether a side is stored, and how.
fn read_side(bytes: &[u8], at: usize, constant: bool) -> Result<(bool, SideHeader), Problem> {
    let side = SideHeader {
        axis: bytes[at + 1],
        block_stripes: bytes[at + 2],
        model_len: u32_at(bytes, at + 4),
        blocks_len: u64_at(bytes, at + 8),
    };
    let stored = match (bytes[at], constant) {
        (0, false) => false,
        (2, false) => true,
        (1, true) => true,
        (other, _) => return Err(field("storage", at, if constant { "1" } else { "0 or 2" }, other)),
    };
    if bytes[at + 3] != 0 {
        return Err(field("reserved byte", at + 3, 0, bytes[at + 3]));
    }
    if bytes[at] != 2 {
        return match side == SideHeader::default() {
            true => Ok((stored, side)),
            false => Err(field("side without blocks", at + 1, "zeros", "other bytes")),
        };
    }
    if !(1..=MAX_BLOCK_STRIPES).contains(&usize::from(side.block_stripes)) {
        return Err(field("boards per block", at + 2, format!("1 to {MAX_BLOCK_STRIPES}"), side.block_stripes));
    }
    if side.blocks_len >= 1 << 40 {
        return Err(field("length of blocks", at + 8, "below 2^40", side.blocks_len));
    }
    Ok((stored, side))
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
