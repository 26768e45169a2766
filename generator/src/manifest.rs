//! A list of tables with their lengths and checksums, which a folder can be compared with.

use std::fmt;

use makruk_format::{AnyValue, FormatError, TableFolder, TableId};
use thiserror::Error;

/// The first line of a manifest.
const TITLE: &str = "material\tmetric\tbytes\tchecksum";

/// The tables of some materials, in the materials' order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Manifest {
    /// Its lines.
    pub tables: Vec<ManifestLine>,
}

/// One table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ManifestLine {
    /// Its identity.
    pub id: TableId,
    /// Its length.
    pub bytes: u64,
    /// The checksum of its header, which covers the checksums of everything else.
    pub checksum: u32,
}

/// The first line of a text that a manifest cannot have, and the reason.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}: expected {expected}")]
pub struct ManifestError {
    line: usize,
    expected: &'static str,
}

impl Manifest {
    /// The manifest of tables in a folder. Only headers are read.
    ///
    /// # Errors
    ///
    /// A table is missing or damaged.
    pub fn of(folder: &TableFolder, tables: impl IntoIterator<Item = TableId>) -> Result<Manifest, FormatError> {
        let line = |id| {
            let table = folder.open::<AnyValue>(id)?;
            Ok(ManifestLine { id, bytes: table.header().file_len(), checksum: table.header().checksum() })
        };
        Ok(Manifest { tables: tables.into_iter().map(line).collect::<Result<_, FormatError>>()? })
    }

    /// Reads a manifest.
    ///
    /// # Errors
    ///
    /// A line is not one of a manifest.
    pub fn parse(text: &str) -> Result<Manifest, ManifestError> {
        let mut lines = text.lines().zip(1..);
        if lines.next().is_none_or(|(line, _)| line != TITLE) {
            return Err(ManifestError { line: 1, expected: "material, metric, bytes, checksum" });
        }
        let tables = lines.map(|(text, line)| {
            let wrong = |expected| ManifestError { line, expected };
            let fields: Vec<&str> = text.split('\t').collect();
            let [material, metric, bytes, checksum] = fields[..] else { return Err(wrong("four fields")) };
            Ok(ManifestLine {
                id: TableId {
                    material: material.parse().map_err(|_| wrong("a material's name"))?,
                    metric: metric.parse().map_err(|_| wrong("dtm, dtz or category"))?,
                },
                bytes: bytes.parse().map_err(|_| wrong("a number of bytes"))?,
                checksum: u32::from_str_radix(checksum, 16).map_err(|_| wrong("a checksum"))?,
            })
        });
        Ok(Manifest { tables: tables.collect::<Result<_, _>>()? })
    }

    /// The differences between a folder and the manifest, a sentence for each table.
    pub fn differences(&self, folder: &TableFolder) -> Vec<String> {
        let difference = |line: &ManifestLine| match folder.open::<AnyValue>(line.id) {
            Err(error) => Some(error.to_string()),
            Ok(table) => {
                let (bytes, checksum) = (table.header().file_len(), table.header().checksum());
                (bytes != line.bytes || checksum != line.checksum).then(|| {
                    format!(
                        "{}: expected {} bytes with checksum {:08x}, found {bytes} with {checksum:08x}",
                        line.id, line.bytes, line.checksum
                    )
                })
            }
        };
        self.tables.iter().filter_map(difference).collect()
    }
}

impl fmt::Display for Manifest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{TITLE}")?;
        self.tables.iter().try_for_each(|ManifestLine { id: TableId { material, metric }, bytes, checksum }| {
            writeln!(f, "{material}\t{metric}\t{bytes}\t{checksum:08x}")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn manifests_read_back_and_bad_lines_are_named() {
        let line = |id: &str, bytes, checksum| ManifestLine { id: id.parse().unwrap(), bytes, checksum };
        let manifest = Manifest { tables: vec![line("KRvK.dtm", 14_870, 7), line("KRvKN.dtz", 1 << 40, u32::MAX)] };
        let text = manifest.to_string();
        assert_eq!(text.lines().nth(1), Some("KRvK\tdtm\t14870\t00000007"));
        assert_eq!(Manifest::parse(&text), Ok(manifest));
        for (bad, line) in
            [("", 1), ("material\n", 1), (&text.replace("dtz", "dtx"), 3), (&text.replace("14870", "x"), 2)]
        {
            assert_eq!(Manifest::parse(bad).unwrap_err().line, line, "{bad}");
        }
    }
}
