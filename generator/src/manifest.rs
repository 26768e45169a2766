//! A list of tables with their lengths and checksums, which a folder can be compared with.

use std::fmt;
#[cfg(feature = "hashes")]
use std::{
    fs::File,
    io::{self, Read},
    path::Path,
};

use makruk_format::TableId;
#[cfg(feature = "hashes")]
use makruk_format::{AnyValue, FormatError, TableFolder};
use makruk_tables::{MANIFEST, MANIFEST_SIX};
#[cfg(feature = "hashes")]
use sha2::{Digest, Sha256};
use thiserror::Error;

/// The first line of a manifest.
const TITLE: &str = "material\tmetric\tbytes\tchecksum\tsha256";

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
    /// The SHA-256 of the file.
    pub sha256: [u8; 32],
}

/// The first line of a text that a manifest cannot have, and the reason.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}: expected {expected}")]
pub struct ManifestError {
    line: usize,
    expected: &'static str,
}

impl Manifest {
    /// The manifest of tables in a folder. Every byte of them is read.
    ///
    /// # Errors
    ///
    /// A table is missing or damaged.
    #[cfg(feature = "hashes")]
    pub fn of(folder: &TableFolder, tables: impl IntoIterator<Item = TableId>) -> Result<Manifest, FormatError> {
        let line = |id| {
            let table = folder.open::<AnyValue>(id)?;
            let (bytes, checksum) = (table.header().file_len(), table.header().checksum());
            Ok(ManifestLine { id, bytes, checksum, sha256: sha256(&folder.path_of(id))? })
        };
        Ok(Manifest { tables: tables.into_iter().map(line).collect::<Result<_, FormatError>>()? })
    }

    /// The program's own: all tables of up to five men, and of six men those that are known.
    ///
    /// # Panics
    ///
    /// Never: a test reads both lists.
    pub fn own() -> Manifest {
        let parse = |text| Manifest::parse(text).expect("the program's own list is a manifest").tables;
        Manifest { tables: [MANIFEST, MANIFEST_SIX].into_iter().flat_map(parse).collect() }
    }

    /// Reads a manifest.
    ///
    /// # Errors
    ///
    /// A line is not one of a manifest.
    pub fn parse(text: &str) -> Result<Manifest, ManifestError> {
        let mut lines = text.lines().zip(1..);
        if lines.next().is_none_or(|(line, _)| line != TITLE) {
            return Err(ManifestError { line: 1, expected: "material, metric, bytes, checksum, sha256" });
        }
        let tables = lines.map(|(text, line)| {
            let wrong = |expected| ManifestError { line, expected };
            let fields: Vec<&str> = text.split('\t').collect();
            let [material, metric, bytes, checksum, sha256] = fields[..] else { return Err(wrong("five fields")) };
            Ok(ManifestLine {
                id: TableId {
                    material: material.parse().map_err(|_| wrong("a material's name"))?,
                    metric: metric.parse().map_err(|_| wrong("dtm, dtz or category"))?,
                },
                bytes: bytes.parse().map_err(|_| wrong("a number of bytes"))?,
                checksum: u32::from_str_radix(checksum, 16).map_err(|_| wrong("a checksum"))?,
                sha256: of_hex(sha256).ok_or(wrong("a SHA-256 in 64 hexadecimal digits"))?,
            })
        });
        Ok(Manifest { tables: tables.collect::<Result<_, _>>()? })
    }

    /// The differences between a folder and the manifest, a sentence for each table.
    #[cfg(feature = "hashes")]
    pub fn differences(&self, folder: &TableFolder) -> Vec<String> {
        let difference = |line: &ManifestLine| match folder.open::<AnyValue>(line.id) {
            Err(error) => Some(error.to_string()),
            Ok(table) => {
                let (bytes, checksum) = (table.header().file_len(), table.header().checksum());
                if bytes != line.bytes || checksum != line.checksum {
                    return Some(format!(
                        "{}: expected {} bytes with checksum {:08x}, found {bytes} with {checksum:08x}",
                        line.id, line.bytes, line.checksum
                    ));
                }
                match sha256(&folder.path_of(line.id)) {
                    Err(error) => Some(error.to_string()),
                    Ok(found) => (found != line.sha256)
                        .then(|| format!("{}: expected SHA-256 {}, found {}", line.id, hex(&line.sha256), hex(&found))),
                }
            }
        };
        self.tables.iter().filter_map(difference).collect()
    }
}

impl fmt::Display for Manifest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{TITLE}")?;
        self.tables.iter().try_for_each(|ManifestLine { id: TableId { material, metric }, bytes, checksum, sha256 }| {
            writeln!(f, "{material}\t{metric}\t{bytes}\t{checksum:08x}\t{}", hex(sha256))
        })
    }
}

/// The SHA-256 of a file.
#[cfg(feature = "hashes")]
fn sha256(path: &Path) -> Result<[u8; 32], FormatError> {
    let read = File::open(path).and_then(hashed).map_err(|error| FormatError::io("read the file", path, error))?;
    Ok(read.1.finalize().into())
}

/// The number of the bytes of a reader, and their hash.
#[cfg(feature = "hashes")]
pub(crate) fn hashed(mut reader: impl Read) -> io::Result<(u64, Sha256)> {
    let (mut bytes, mut hash, mut buffer) = (0, Sha256::new(), vec![0; 1 << 16]);
    loop {
        let read = reader.read(&mut buffer)?;
        if read == 0 {
            return Ok((bytes, hash));
        }
        hash.update(&buffer[..read]);
        bytes += read as u64;
    }
}

fn hex(bytes: &[u8; 32]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn of_hex(text: &str) -> Option<[u8; 32]> {
    let digits: Vec<u8> = text.chars().map(|digit| Some(digit.to_digit(16)? as u8)).collect::<Option<_>>()?;
    let bytes: Vec<u8> = digits.chunks_exact(2).map(|pair| pair[0] << 4 | pair[1]).collect();
    bytes.try_into().ok().filter(|_| digits.len() == 64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn manifests_read_back_and_bad_lines_are_named() {
        let sha256 = std::array::from_fn(|n| n as u8);
        let line = |id: &str, bytes, checksum| ManifestLine { id: id.parse().unwrap(), bytes, checksum, sha256 };
        let manifest = Manifest { tables: vec![line("KRvK.dtm", 14_870, 7), line("KRvKN.dtz", 1 << 40, u32::MAX)] };
        let text = manifest.to_string();
        assert!(text.contains("\nKRvK\tdtm\t14870\t00000007\t0001020304"), "{text}");
        assert_eq!(Manifest::parse(&text), Ok(manifest));
        for (bad, line) in [
            ("", 1),
            ("material\n", 1),
            (&text.replace("dtz", "dtx"), 3),
            (&text.replace("14870", "x"), 2),
            (&text.replace("\t0001", "\t001"), 2),
            (&text.replace("\t0001", "\t00x1"), 2),
        ] {
            assert_eq!(Manifest::parse(bad).unwrap_err().line, line, "{bad}");
        }
    }
}
