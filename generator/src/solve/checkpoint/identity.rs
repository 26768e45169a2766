//! The identity of a checkpoint: all that its decisions depend on.

use makruk_rules::CountingRules;
use makruk_tables::tablebase::TableId;

use crate::GENERATOR;
use crate::solve::geometry::Geometry;

/// The first bytes of every checkpoint: as those of tables, but for one letter.
const MAGIC: [u8; 8] = *b"\x89MKU\r\n\x1a\n";

/// The version of checkpoints. It grows with every change of the records, of what they hold, and of the order of
/// positions in the solver.
const VERSION: u32 = 2;

/// The bytes before the text: magic, version, the text's length.
const TEXT_AT: usize = 16;

const CHECKSUM_BYTES: usize = 4;

/// The most bytes of a header.
pub(super) const MOST_HEADER_BYTES: usize = 1 << 12;

/// The identity of a checkpoint, as lines of text. Tables of children are the same bytes for everyone, so they are not
/// part of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Identity(String);

impl Identity {
    /// The identity of a solve.
    pub(crate) fn new(table: TableId, rules: &CountingRules, geometry: &Geometry) -> Identity {
        let men: String = geometry.men().iter().map(|man| man.letter()).collect();
        let (slabs, rows, words) = (geometry.slabs(), geometry.rows(), geometry.row_words());
        let rules = rules.name();
        Identity(format!(
            "table {table}\ngenerator {GENERATOR}\nrules {rules}\nmen {men}\nslabs {slabs}\nrows {rows}\nwords {words}\n"
        ))
    }

    /// The header of a checkpoint.
    pub(super) fn header(&self) -> Vec<u8> {
        let Identity(text) = self;
        let mut bytes = MAGIC.to_vec();
        bytes.extend_from_slice(&VERSION.to_le_bytes());
        bytes.extend_from_slice(&(text.len() as u32).to_le_bytes());
        bytes.extend_from_slice(text.as_bytes());
        bytes.extend_from_slice(&crc32c::crc32c(&bytes).to_le_bytes());
        bytes
    }

    /// Compares the first bytes of a checkpoint; returns the header's length, or what was expected and found.
    pub(super) fn compare(&self, bytes: &[u8]) -> Result<usize, String> {
        let number = |at: usize| {
            let bytes = bytes.get(at..at + 4)?;
            Some(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
        };
        let cut = || format!("truncated: expected a header, found {} bytes", bytes.len());
        match number(MAGIC.len()).ok_or_else(cut)? {
            VERSION => {}
            found => return Err(format!("checkpoint version: expected {VERSION}, found {found}")),
        }
        let len = number(MAGIC.len() + 4).ok_or_else(cut)? as usize;
        let end = TEXT_AT.saturating_add(len);
        let stored = number(end).ok_or_else(cut)?;
        let found = crc32c::crc32c(&bytes[..end]);
        if stored != found {
            return Err(format!("header checksum: expected {stored:08x}, found {found:08x}"));
        }
        let text = String::from_utf8_lossy(&bytes[TEXT_AT..end]);
        let Identity(expected) = self;
        let mut lines = expected.lines().zip(text.lines());
        match lines.find(|(expected, found)| expected != found) {
            Some((expected, found)) => Err(format!("expected {expected}, found {found}")),
            None if *expected != text => Err("expected other lines in the header".to_owned()),
            None => Ok(end + CHECKSUM_BYTES),
        }
    }
}

/// Whether a file that begins with these bytes is a checkpoint, of whatever build, or the beginning of one; otherwise
/// what was expected and found.
pub(super) fn is_checkpoint(bytes: &[u8]) -> Result<(), String> {
    let found = &bytes[..bytes.len().min(MAGIC.len())];
    if MAGIC.starts_with(found) {
        return Ok(());
    }
    Err(format!("expected a checkpoint, found \"{}\" at its beginning", found.escape_ascii()))
}

#[cfg(test)]
mod tests {
    use makruk_tables::value::Metric;

    use super::*;

    fn identity(material: &str, metric: Metric, rules: &CountingRules) -> Identity {
        let material = material.parse().unwrap();
        Identity::new(TableId { material, metric }, rules, &Geometry::new(material))
    }

    #[test]
    fn another_checkpoint_is_named() {
        let mine = identity("KNvKM", Metric::Dtz, &CountingRules::MAKRUK);
        let header = mine.header();
        assert!(header.len() < MOST_HEADER_BYTES);
        assert_eq!(mine.compare(&[&header[..], b"records"].concat()), Ok(header.len()));
        let problem = |other: &Identity| mine.compare(&other.header()).unwrap_err();
        let other = identity("KNvKS", Metric::Dtz, &CountingRules::MAKRUK);
        assert_eq!(problem(&other), "expected table KNvKM.dtz, found table KNvKS.dtz");
        let other = identity("KNvKM", Metric::Dtm, &CountingRules::MAKRUK);
        assert_eq!(problem(&other), "expected table KNvKM.dtz, found table KNvKM.dtm");
        let other = identity("KNvKM", Metric::Dtz, &CountingRules::OUK);
        assert_eq!(problem(&other), "expected rules makruk, found rules ouk");
        let other = Identity(mine.0.replace(GENERATOR, "makruk-gen 0.0.9"));
        assert_eq!(problem(&other), format!("expected generator {GENERATOR}, found generator makruk-gen 0.0.9"));

        let mut newer = header.clone();
        newer[8] = 3;
        assert_eq!(mine.compare(&newer).unwrap_err(), "checkpoint version: expected 2, found 3");
        assert_eq!(
            is_checkpoint(b"PK\x03\x04"),
            Err("expected a checkpoint, found \"PK\\x03\\x04\" at its beginning".into())
        );
        assert!(is_checkpoint(b"").is_ok() && is_checkpoint(&MAGIC[..3]).is_ok() && is_checkpoint(&header).is_ok());
        for len in 0..header.len() {
            assert!(mine.compare(&header[..len]).is_err(), "{len} bytes");
            let mut flipped = header.clone();
            flipped[len] ^= 4;
            assert!(mine.compare(&flipped).is_err(), "byte {len}");
        }
    }
}
