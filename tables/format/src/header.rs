//! The header: the first bytes of a table.

use std::cmp::Ordering;
use std::ops::Range;

use super::codec::{MAX_BLOCK_STRIPES, MAX_VALUES};
use super::error::Problem;
use super::foreign::Foreign;
use super::listed::Listed;
use super::outline::Outline;
use super::sections::{CRC_BYTES, FIXED_HEADER_BYTES, chunk_bits, header_len};
use super::side_layout::SideLayout;
use super::source::Source;
use super::spec::{MAX_GENERATOR_BYTES, MAX_RULES_BYTES, Spec, Storage};
use super::table_id::TableId;
use super::values::{ENTRY_BYTES, ValueList};
use crate::index::{Layout, Symmetry};
use crate::material::Material;
use crate::value::{Metric, Value};
use makruk_rules::{ByColor, Color};

/// The first bytes of every table. The high bit, the line ends and the Ctrl-Z reveal a transfer in text mode.
pub(crate) const MAGIC: [u8; 8] = *b"\x89MKT\r\n\x1a\n";

/// The version of the format, the only one that is read.
pub const FORMAT_VERSION: u32 = 6;

const MIN_HEADER_BYTES: usize = FIXED_HEADER_BYTES + 2 * ENTRY_BYTES + CRC_BYTES;
const MAX_HEADER_BYTES: usize = FIXED_HEADER_BYTES + 2 * MAX_VALUES * ENTRY_BYTES + CRC_BYTES;

const VERSION_AT: usize = 8;
const HEADER_LEN_AT: usize = 12;
const FILE_LEN_AT: usize = 16;
const SLABS_AT: usize = 24;
const SLAB_LEN_AT: usize = 32;
const REFERENCE_AT: usize = 40;
const CHUNK_BITS_AT: usize = 44;
const UNUSED_AT: usize = 45;
const METRIC_AT: usize = 46;
const SYMMETRY_AT: usize = 47;
const MATERIAL: Range<usize> = 48..80;
const RULES: Range<usize> = 80..80 + MAX_RULES_BYTES;
const GENERATOR: Range<usize> = 96..96 + MAX_GENERATOR_BYTES;
const AXES: Range<usize> = 128..144;
const CHECKSUMS_CRC_AT: usize = 144;
const VALUES_AT: ByColor<usize> = ByColor { white: 148, black: 152 };
const SIDES_AT: ByColor<usize> = ByColor { white: 156, black: 172 };

const fn metric_byte(metric: Metric) -> u8 {
    match metric {
        Metric::Dtm => 0,
        Metric::Dtz => 1,
        Metric::Category => 2,
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
pub struct Header<V = Value> {
    spec: Spec<V>,
    outline: Outline,
    reference: Option<u32>,
    checksums_crc: u32,
}

impl<V: Listed> Header<V> {
    /// The description of the table.
    pub(crate) fn spec(&self) -> &Spec<V> {
        &self.spec
    }

    /// The places of the file's parts.
    pub(crate) fn outline(&self) -> &Outline {
        &self.outline
    }

    /// Bytes of the whole file.
    pub fn file_len(&self) -> u64 {
        self.outline.file_len()
    }

    /// The checksum over the header. It identifies the whole file, since the header has the checksum of all other
    /// parts' checksums.
    pub fn checksum(&self) -> u32 {
        self.outline.checksum()
    }

    /// The checksum of the header of the table that this one's blocks refer to: DTM of the same material.
    pub fn reference(&self) -> Option<u32> {
        self.reference
    }

    pub(super) fn checksums_crc(&self) -> u32 {
        self.checksums_crc
    }

    /// A header of these parts. [`Header::write`] computes its checksum.
    pub(super) fn new(
        spec: Spec<V>,
        sides: ByColor<SideLayout>,
        reference: Option<u32>,
        checksums_crc: u32,
    ) -> Option<Header<V>> {
        let header_len = header_len(&spec.values) as u32;
        let outline = Outline::new(spec.id(), header_len, 0, sides)?;
        Some(Header { spec, outline, reference, checksums_crc })
    }

    /// The header's bytes, with its checksum at their end, and that checksum.
    pub(super) fn write(&self) -> (Vec<u8>, u32) {
        let spec = &self.spec;
        let layout = spec.layout();
        let header_len = self.outline.header_len();
        let mut out = Vec::with_capacity(header_len as usize);
        out.extend_from_slice(&MAGIC);
        out.extend_from_slice(&FORMAT_VERSION.to_le_bytes());
        out.extend_from_slice(&(header_len as u32).to_le_bytes());
        out.extend_from_slice(&self.file_len().to_le_bytes());
        out.extend_from_slice(&(layout.slabs() as u64).to_le_bytes());
        out.extend_from_slice(&layout.slab_len().to_le_bytes());
        out.extend_from_slice(&self.reference.unwrap_or(0).to_le_bytes());
        out.extend_from_slice(&[
            chunk_bits(spec.metric) as u8,
            0,
            metric_byte(spec.metric),
            symmetry_byte(layout.symmetry()),
        ]);
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
            let &SideLayout { storage, axis, block_stripes, model_len, blocks_len } = self.outline.side(side);
            out.extend_from_slice(&[storage_byte(storage), axis, block_stripes, 0]);
            out.extend_from_slice(&model_len.to_le_bytes());
            out.extend_from_slice(&blocks_len.to_le_bytes());
        }
        for side in Color::ALL {
            spec.values[side].write(&mut out);
        }
        let crc = crc32c::crc32c(&out);
        out.extend_from_slice(&crc.to_le_bytes());
        (out, crc)
    }

    /// Reads and checks the header at the start of a file, and compares the file's length with it.
    pub(super) fn read<B: Source>(source: &B) -> Result<Header<V>, Problem> {
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
        let (expected, found) = (header.file_len(), u64_at(bytes, FILE_LEN_AT));
        if found != expected {
            return Err(wrong("file length", FILE_LEN_AT, expected, found));
        }
        match have.cmp(&expected) {
            Ordering::Less => Err(Problem::Truncated { expected, found: have }),
            Ordering::Equal => Ok(header),
            Ordering::Greater => Err(Problem::Overlong { expected, found: have }),
        }
    }
}

/// Checks magic, version and header length, of a file of `have` bytes. Returns the header's length.
fn read_start(bytes: &[u8], have: u64) -> Result<usize, Problem> {
    let magic = &bytes[..bytes.len().min(MAGIC.len())];
    if !MAGIC.starts_with(magic) {
        return Err(Problem::Foreign { content: Foreign::of(bytes), start: magic.to_vec() });
    }
    if bytes.len() < FILE_LEN_AT {
        return Err(Problem::Truncated { expected: MIN_HEADER_BYTES as u64, found: have });
    }
    let found = u32_at(bytes, VERSION_AT);
    if found < FORMAT_VERSION {
        return Err(Problem::Older { expected: FORMAT_VERSION, found });
    }
    if found > FORMAT_VERSION {
        return Err(Problem::Newer { expected: FORMAT_VERSION, found });
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

/// The fields of a header whose checksum holds. The checksum does not prove that they make sense: anyone can compute
/// one.
#[derive(Clone, Copy)]
struct Fields<'a> {
    bytes: &'a [u8],
}

impl Fields<'_> {
    fn header<V: Listed>(self) -> Result<Header<V>, Problem> {
        let counts = self.value_counts()?;
        let metric = self.choice("metric", METRIC_AT, &Metric::ALL, metric_byte, "0 to 2")?;
        let material = self.material()?;
        if !V::METRICS.contains(&metric) {
            return Err(Problem::OtherValues { found: TableId { material, metric } });
        }
        self.check_shape(&Layout::new(material))?;
        self.check_chunk(metric)?;
        let values = ByColor {
            white: self.values(metric, FIXED_HEADER_BYTES, counts.white)?,
            black: self.values(metric, FIXED_HEADER_BYTES + counts.white * ENTRY_BYTES, counts.black)?,
        };
        let mut sides = ByColor::<SideLayout>::default();
        for side in Color::ALL {
            sides[side] = self.side(SIDES_AT[side], counts[side] == 1)?;
        }
        let stored = sides.map(|side| side.storage != Storage::Absent);
        let rules = self.text("rules", RULES)?;
        let spec = Spec { material, metric, rules, generator: self.text("generator", GENERATOR)?, stored, values };
        spec.check().map_err(Problem::Spec)?;
        let crc = u32_at(self.bytes, self.bytes.len() - CRC_BYTES);
        // All else that an outline asks for was checked.
        let Some(outline) = Outline::new(spec.id(), self.bytes.len() as u32, crc, sides) else {
            let found = sides.map(|side| side.axis.to_string());
            let (expected, found) =
                ("those of the material".to_owned(), format!("{} and {}", found.white, found.black));
            return Err(Problem::Shape { field: "axes of the fast pieces", expected, found });
        };
        let (reference, checksums_crc) = (self.reference(metric)?, u32_at(self.bytes, CHECKSUMS_CRC_AT));
        Ok(Header { spec, outline, reference, checksums_crc })
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

    /// The material.
    fn material(self) -> Result<Material, Problem> {
        let name = self.text("material", MATERIAL)?;
        match name.parse::<Material>() {
            Ok(material) if material.to_string() == name => Ok(material),
            _ => Err(wrong("material", MATERIAL.start, "a canonical name such as KRRvKR", format_args!("{name:?}"))),
        }
    }

    /// Checks that a checksum covers as many bytes as in every table of the metric.
    fn check_chunk(self, metric: Metric) -> Result<(), Problem> {
        let fields = [("chunk", CHUNK_BITS_AT, chunk_bits(metric)), ("unused byte", UNUSED_AT, 0)];
        match fields.into_iter().find(|&(_, at, expected)| u32::from(self.bytes[at]) != expected) {
            None => Ok(()),
            Some((name, at, expected)) => Err(wrong(name, at, expected, self.bytes[at])),
        }
    }

    /// Whether the positions are in the order of the material's layout.
    fn check_shape(self, layout: &Layout) -> Result<(), Problem> {
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
            crc => Err(wrong("reference", REFERENCE_AT, "0, except in dtz", crc)),
        }
    }

    /// The layout of a side. `constant` is whether it lists one value.
    fn side(self, at: usize, constant: bool) -> Result<SideLayout, Problem> {
        let bytes = self.bytes;
        let possible: &[Storage] = if constant { &[Storage::Constant] } else { &[Storage::Absent, Storage::Blocks] };
        let storage = self.choice("storage", at, possible, storage_byte, if constant { "1" } else { "0 or 2" })?;
        let side = SideLayout {
            storage,
            axis: bytes[at + 1],
            block_stripes: bytes[at + 2],
            model_len: u32_at(bytes, at + 4),
            blocks_len: u64_at(bytes, at + 8),
        };
        if bytes[at + 3] != 0 {
            return Err(wrong("reserved byte", at + 3, 0, bytes[at + 3]));
        }
        if storage != Storage::Blocks {
            return match side == (SideLayout { storage, ..SideLayout::default() }) {
                true => Ok(side),
                false => Err(wrong("side without blocks", at + 1, "zeros", "other bytes")),
            };
        }
        if !(1..=MAX_BLOCK_STRIPES).contains(&usize::from(side.block_stripes)) {
            return Err(wrong("stripes per block", at + 2, format!("1 to {MAX_BLOCK_STRIPES}"), side.block_stripes));
        }
        if side.blocks_len >= 1 << 40 {
            return Err(wrong("length of blocks", at + 8, "below 2^40", side.blocks_len));
        }
        Ok(side)
    }

    /// A value list of `count` entries.
    fn values<V: Listed>(self, metric: Metric, start: usize, count: usize) -> Result<ValueList<V>, Problem> {
        let entry = |at| {
            let at = start + at * ENTRY_BYTES;
            (u32_at(self.bytes, at), u64_at(self.bytes, at + 4))
        };
        ValueList::of_numbers(metric, (0..count).map(entry)).map_err(Problem::Spec)
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
