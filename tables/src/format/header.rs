//! The header: the first bytes of a table.

use std::cmp::Ordering;
use std::ops::Range;

use super::codec::{MAX_BLOCK_STRIPES, MAX_VALUES};
use super::error::Problem;
use super::sections::{CRC_BYTES, FIXED_HEADER_BYTES, Sections, SideHeader, header_len};
use super::source::Source;
use super::spec::{MAX_GENERATOR_BYTES, MAX_RULES_BYTES, Spec, Storage};
use super::values::{ENTRY_BYTES, ValueList, value_from_u32};
use crate::index::{Layout, Stripes, Symmetry};
use crate::material::Material;
use crate::rules::{ByColor, Color};
use crate::value::Metric;

/// The first bytes of every table. The high bit, the line ends and the Ctrl-Z reveal a transfer in text mode.
pub const MAGIC: [u8; 8] = *b"\x89MKT\r\n\x1a\n";

/// The version of tables of distances and of WDL.
pub const FORMAT_VERSION: u32 = 3;
/// The version of search tables.
pub const SEARCH_FORMAT_VERSION: u32 = 4;

const fn version(metric: Metric) -> u32 {
    match metric {
        Metric::Dtm | Metric::Dtz | Metric::Wdl => FORMAT_VERSION,
        Metric::Search => SEARCH_FORMAT_VERSION,
    }
}

const MIN_HEADER_BYTES: usize = FIXED_HEADER_BYTES + 2 * ENTRY_BYTES + CRC_BYTES;
const MAX_HEADER_BYTES: usize = FIXED_HEADER_BYTES + 2 * MAX_VALUES * ENTRY_BYTES + CRC_BYTES;

const VERSION_AT: usize = 8;
const HEADER_LEN_AT: usize = 12;
const FILE_LEN_AT: usize = 16;
const SLABS_AT: usize = 24;
const SLAB_LEN_AT: usize = 32;
const REFERENCE_AT: usize = 40;
const SLICE_AT: usize = 44;
const METRIC_AT: usize = 46;
const SYMMETRY_AT: usize = 47;
const MATERIAL: Range<usize> = 48..80;
const RULES: Range<usize> = 80..80 + MAX_RULES_BYTES;
const GENERATOR: Range<usize> = 96..96 + MAX_GENERATOR_BYTES;
const AXES: Range<usize> = 128..144;
const CHECKSUMS_CRC_AT: usize = 144;
const VALUES_AT: ByColor<usize> = ByColor { white: 148, black: 152 };
const SIDES_AT: ByColor<usize> = ByColor { white: 156, black: 172 };

/// The whole material, the only slice there is.
const WHOLE_SLICE: u16 = 0;

const fn metric_byte(metric: Metric) -> u8 {
    match metric {
        Metric::Dtm => 0,
        Metric::Dtz => 1,
        Metric::Wdl => 2,
        Metric::Search => 3,
    }
}

const fn symmetry_byte(symmetry: Symmetry) -> u8 {
    match symmetry {
        Symmetry::Mirror => 0,
        Symmetry::EightFold => 1,
    }
}

const fn storage_byte(storage: Storage) -> u8 {
    match storage {
        Storage::Absent => 0,
        Storage::Constant => 1,
        Storage::Blocks => 2,
    }
}

/// A header as read from a table, every field checked.
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
    /// The description of the table.
    pub fn spec(&self) -> &Spec {
        &self.spec
    }

    /// Bytes of the whole file.
    pub fn file_len(&self) -> u64 {
        self.file_len
    }

    /// The checksum over the header. It identifies the whole file, since the header has the checksum of all other parts'
    /// checksums.
    pub fn checksum(&self) -> u32 {
        self.crc
    }

    /// The checksum of the header of the table that this one's blocks refer to: DTM of the same material.
    pub fn reference(&self) -> Option<u32> {
        self.reference
    }

    pub(super) fn side(&self, side: Color) -> &SideHeader {
        &self.sides[side]
    }

    /// The stripes of a side; `None` if its values are not in blocks.
    pub(super) fn stripes(&self, side: Color) -> Option<Stripes> {
        if self.spec.storage(side) == Storage::Blocks { self.sides[side].stripes(&self.spec) } else { None }
    }

    /// The number of blocks of a side; 0 if its values are not in blocks.
    pub(super) fn blocks(&self, side: Color) -> u64 {
        self.sides[side].blocks(&self.spec, side)
    }

    /// A side's axis, stripes per block and lengths.
    pub(super) fn side_header(&self, side: Color) -> SideHeader {
        self.sides[side]
    }

    /// The sections of the file.
    pub(super) fn sections(&self) -> Sections {
        Sections::of(&self.spec, &self.sides)
    }

    pub(super) fn checksums_crc(&self) -> u32 {
        self.checksums_crc
    }

    /// A header of these parts. [`Header::write`] computes its checksum.
    pub(super) fn new(spec: Spec, sides: ByColor<SideHeader>, reference: Option<u32>, checksums_crc: u32) -> Header {
        let file_len = Sections::of(&spec, &sides).end;
        Header { spec, file_len, sides, reference, checksums_crc, crc: 0 }
    }

    /// The header's bytes, with its checksum.
    pub(super) fn write(&self) -> Vec<u8> {
        let spec = &self.spec;
        let layout = spec.layout();
        let header_len = header_len(&spec.values);
        let mut out = Vec::with_capacity(header_len);
        out.extend_from_slice(&MAGIC);
        out.extend_from_slice(&version(spec.metric).to_le_bytes());
        out.extend_from_slice(&(header_len as u32).to_le_bytes());
        out.extend_from_slice(&self.file_len.to_le_bytes());
        out.extend_from_slice(&(layout.slabs() as u64).to_le_bytes());
        out.extend_from_slice(&layout.slab_len().to_le_bytes());
        out.extend_from_slice(&self.reference.unwrap_or(0).to_le_bytes());
        out.extend_from_slice(&WHOLE_SLICE.to_le_bytes());
        out.push(metric_byte(spec.metric));
        out.push(symmetry_byte(layout.symmetry()));
        let texts = [
            (spec.material.to_string(), MATERIAL),
            (spec.rules.clone(), RULES),
            (spec.generator.clone(), GENERATOR),
            (layout.axis_letters(), AXES),
        ];
        for (text, field) in texts {
            out.extend_from_slice(text.as_bytes());
            out.resize(field.end, 0);
        }
        out.extend_from_slice(&self.checksums_crc.to_le_bytes());
        for side in Color::ALL {
            out.extend_from_slice(&(spec.values[side].len() as u32).to_le_bytes());
        }
        for side in Color::ALL {
            let SideHeader { axis, block_stripes, model_len, blocks_len } = self.sides[side];
            out.extend_from_slice(&[storage_byte(spec.storage(side)), axis, block_stripes, 0]);
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

    /// Reads and checks the header at the start of a file, and compares the file's length with it.
    pub(super) fn read<B: Source>(source: &B) -> Result<Header, Problem> {
        let have = source.total();
        let (mut buffer, mut whole) = (Vec::new(), Vec::new());
        let fixed = have.min(FIXED_HEADER_BYTES as u64) as usize;
        let bytes = source.read(0, fixed, &mut buffer).map_err(Problem::reading)?;
        let header_len = read_start(bytes, have)?;
        let bytes = source.read(0, header_len, &mut whole).map_err(Problem::reading)?;
        let crc_at = header_len - CRC_BYTES;
        let (expected, found) = (u32_at(bytes, crc_at), crc32c::crc32c(&bytes[..crc_at]));
        if expected != found {
            return Err(Problem::HeaderChecksum { offset: crc_at as u64, expected, found });
        }
        let header = Fields { bytes }.header()?;
        header.check_length(have)?;
        Ok(header)
    }

    /// Compares the file's length with the header's.
    pub(super) fn check_length(&self, have: u64) -> Result<(), Problem> {
        match have.cmp(&self.file_len) {
            Ordering::Less => Err(Problem::Truncated { expected: self.file_len, found: have }),
            Ordering::Equal => Ok(()),
            Ordering::Greater => Err(Problem::Overlong { expected: self.file_len, found: have }),
        }
    }

    /// The problem of a file length that is not the sum of the sections.
    pub(super) fn wrong_length(expected: u64, found: u64) -> Problem {
        wrong("file length", FILE_LEN_AT, expected, found)
    }
}

/// Checks magic, version and header length, of a file of `have` bytes. Returns the header's length.
fn read_start(bytes: &[u8], have: u64) -> Result<usize, Problem> {
    let magic = &bytes[..bytes.len().min(MAGIC.len())];
    if !MAGIC.starts_with(magic) {
        return Err(Problem::Foreign { found: magic.to_vec() });
    }
    if bytes.len() < FILE_LEN_AT {
        return Err(Problem::Truncated { expected: MIN_HEADER_BYTES as u64, found: have });
    }
    let found = u32_at(bytes, VERSION_AT);
    if found < FORMAT_VERSION {
        return Err(Problem::Older { expected: FORMAT_VERSION, found });
    }
    if found > SEARCH_FORMAT_VERSION {
        return Err(Problem::Newer { expected: SEARCH_FORMAT_VERSION, found });
    }
    let header_len = u32_at(bytes, HEADER_LEN_AT) as usize;
    if !(MIN_HEADER_BYTES..=MAX_HEADER_BYTES).contains(&header_len) {
        let expected = format!("{MIN_HEADER_BYTES} to {MAX_HEADER_BYTES}");
        return Err(wrong("header length", HEADER_LEN_AT, expected, header_len));
    }
    if have < header_len as u64 {
        return Err(Problem::Truncated { expected: header_len as u64, found: have });
    }
    Ok(header_len)
}

/// The fields of a header whose checksum holds. The checksum does not prove that they make sense: anyone can compute one.
#[derive(Clone, Copy)]
struct Fields<'a> {
    bytes: &'a [u8],
}

impl Fields<'_> {
    fn header(self) -> Result<Header, Problem> {
        let counts = self.value_counts()?;
        let metric = self.metric()?;
        let material = self.material()?;
        self.check_shape(&Layout::new(material))?;
        let values = ByColor {
            white: self.values(FIXED_HEADER_BYTES, counts.white)?,
            black: self.values(FIXED_HEADER_BYTES + counts.white * ENTRY_BYTES, counts.black)?,
        };
        let mut stored = ByColor { white: true, black: true };
        let mut sides = ByColor::<SideHeader>::default();
        for side in Color::ALL {
            (stored[side], sides[side]) = self.side(SIDES_AT[side], counts[side] == 1)?;
        }
        let rules = self.text("rules", RULES)?;
        let spec = Spec { material, metric, rules, generator: self.text("generator", GENERATOR)?, stored, values };
        spec.check().map_err(Problem::Spec)?;
        for side in Color::ALL {
            if spec.storage(side) == Storage::Blocks && sides[side].stripes(&spec).is_none() {
                let found = sides[side].axis.to_string();
                let expected = "one of the material's".to_owned();
                return Err(Problem::Shape { field: "axis of the fast piece", expected, found });
            }
        }
        Ok(Header {
            reference: self.reference(metric)?,
            spec,
            file_len: u64_at(self.bytes, FILE_LEN_AT),
            sides,
            checksums_crc: u32_at(self.bytes, CHECKSUMS_CRC_AT),
            crc: u32_at(self.bytes, self.bytes.len() - CRC_BYTES),
        })
    }

    /// The metric, which must be one of the version's.
    fn metric(self) -> Result<Metric, Problem> {
        match u32_at(self.bytes, VERSION_AT) {
            FORMAT_VERSION => {
                let metrics = [Metric::Dtm, Metric::Dtz, Metric::Wdl];
                self.choice("metric", METRIC_AT, &metrics, metric_byte, "0 to 2")
            }
            _ => self.choice("metric", METRIC_AT, &[Metric::Search], metric_byte, "3"),
        }
    }

    /// The numbers of values of both sides, which the header's length follows from.
    fn value_counts(self) -> Result<ByColor<usize>, Problem> {
        let counts = VALUES_AT.map(|at| u32_at(self.bytes, at) as usize);
        for side in Color::ALL {
            if !(1..=MAX_VALUES).contains(&counts[side]) {
                return Err(wrong("number of values", VALUES_AT[side], format!("1 to {MAX_VALUES}"), counts[side]));
            }
        }
        let expected = FIXED_HEADER_BYTES + (counts.white + counts.black) * ENTRY_BYTES + CRC_BYTES;
        match self.bytes.len() {
            found if found == expected => Ok(counts),
            found => Err(wrong("header length", HEADER_LEN_AT, expected, found)),
        }
    }

    /// The value of a byte that encodes one of a few.
    fn choice<T: Copy>(
        self,
        name: &'static str,
        at: usize,
        all: &[T],
        encode: impl Fn(T) -> u8,
        expected: &str,
    ) -> Result<T, Problem> {
        let found = self.bytes[at];
        all.iter().copied().find(|&one| encode(one) == found).ok_or_else(|| wrong(name, at, expected, found))
    }

    fn material(self) -> Result<Material, Problem> {
        let name = self.text("material", MATERIAL)?;
        match name.parse::<Material>() {
            Ok(material) if material.to_string() == name => Ok(material),
            _ => Err(wrong("material", MATERIAL.start, "a canonical name such as KRRvKR", format_args!("{name:?}"))),
        }
    }

    /// Are the positions in the order of the material's layout?
    fn check_shape(self, layout: &Layout) -> Result<(), Problem> {
        let slice = u16::from_le_bytes([self.bytes[SLICE_AT], self.bytes[SLICE_AT + 1]]);
        if slice != WHOLE_SLICE {
            return Err(wrong("slice", SLICE_AT, WHOLE_SLICE, slice));
        }
        let symmetries = [Symmetry::Mirror, Symmetry::EightFold];
        let symmetry = self.choice("symmetry", SYMMETRY_AT, &symmetries, symmetry_byte, "0 or 1")?;
        let fields = [
            ("number of slabs", layout.slabs().to_string(), u64_at(self.bytes, SLABS_AT).to_string()),
            ("slab length", layout.slab_len().to_string(), u64_at(self.bytes, SLAB_LEN_AT).to_string()),
            ("axis order", layout.axis_letters(), self.text("axes", AXES)?),
            ("symmetry", format!("{:?}", layout.symmetry()), format!("{symmetry:?}")),
        ];
        match fields.into_iter().find(|(_, expected, found)| expected != found) {
            None => Ok(()),
            Some((field, expected, found)) => Err(Problem::Shape { field, expected, found }),
        }
    }

    fn reference(self, metric: Metric) -> Result<Option<u32>, Problem> {
        match u32_at(self.bytes, REFERENCE_AT) {
            0 => Ok(None),
            crc if metric == Metric::Dtz => Ok(Some(crc)),
            crc => Err(wrong("reference", REFERENCE_AT, "0 but in dtz", crc)),
        }
    }

    /// Whether a side is stored, and its part of the header. `constant` is whether it lists one value.
    fn side(self, at: usize, constant: bool) -> Result<(bool, SideHeader), Problem> {
        let bytes = self.bytes;
        let side = SideHeader {
            axis: bytes[at + 1],
            block_stripes: bytes[at + 2],
            model_len: u32_at(bytes, at + 4),
            blocks_len: u64_at(bytes, at + 8),
        };
        let possible: &[Storage] = if constant { &[Storage::Constant] } else { &[Storage::Absent, Storage::Blocks] };
        let storage = self.choice("storage", at, possible, storage_byte, if constant { "1" } else { "0 or 2" })?;
        if bytes[at + 3] != 0 {
            return Err(wrong("reserved byte", at + 3, 0, bytes[at + 3]));
        }
        let stored = storage != Storage::Absent;
        if storage != Storage::Blocks {
            return match side == SideHeader::default() {
                true => Ok((stored, side)),
                false => Err(wrong("side without blocks", at + 1, "zeros", "other bytes")),
            };
        }
        if !(1..=MAX_BLOCK_STRIPES).contains(&usize::from(side.block_stripes)) {
            return Err(wrong("stripes per block", at + 2, format!("1 to {MAX_BLOCK_STRIPES}"), side.block_stripes));
        }
        if side.blocks_len >= 1 << 40 {
            return Err(wrong("length of blocks", at + 8, "below 2^40", side.blocks_len));
        }
        Ok((stored, side))
    }

    /// A value list of `count` entries.
    fn values(self, start: usize, count: usize) -> Result<ValueList, Problem> {
        let mut entries = Vec::with_capacity(count);
        for at in (start..).step_by(ENTRY_BYTES).take(count) {
            let raw = u32_at(self.bytes, at);
            let value = value_from_u32(raw)
                .ok_or_else(|| wrong("value", at, "a draw, win or loss", format_args!("{raw:#010x}")))?;
            entries.push((value, u64_at(self.bytes, at + 4)));
        }
        ValueList::new(entries).map_err(Problem::Spec)
    }

    /// A text, which zeros fill up.
    fn text(self, name: &'static str, range: Range<usize>) -> Result<String, Problem> {
        let raw = &self.bytes[range.clone()];
        let len = raw.iter().position(|&byte| byte == 0).unwrap_or(raw.len());
        let (text, padding) = raw.split_at(len);
        if !text.is_ascii() || padding.iter().any(|&byte| byte != 0) {
            return Err(wrong(name, range.start, "ASCII, then zeros", raw.escape_ascii()));
        }
        Ok(text.iter().map(|&byte| char::from(byte)).collect())
    }
}

/// The problem of a field.
fn wrong(name: &'static str, offset: usize, expected: impl ToString, found: impl ToString) -> Problem {
    Problem::HeaderField {
        field: name,
        offset: offset as u64,
        expected: expected.to_string(),
        found: found.to_string(),
    }
}

/// The little-endian number at `at`. The caller has checked the length.
fn u32_at(bytes: &[u8], at: usize) -> u32 {
    let mut raw = [0; 4];
    raw.copy_from_slice(&bytes[at..at + 4]);
    u32::from_le_bytes(raw)
}

/// The little-endian number at `at`. The caller has checked the length.
fn u64_at(bytes: &[u8], at: usize) -> u64 {
    let mut raw = [0; 8];
    raw.copy_from_slice(&bytes[at..at + 8]);
    u64::from_le_bytes(raw)
}
