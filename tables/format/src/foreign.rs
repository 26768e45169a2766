//! Files that are not tables.

use std::fmt;

/// The content of a file that is not a table, by its first bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Foreign {
    /// Zeros: the place of a file whose bytes are still to be written.
    Zeros,
    /// A compressed file.
    Compressed,
    /// A pointer of Git LFS to a file elsewhere.
    LfsPointer,
    /// A web page or another document in HTML or XML.
    Page,
    /// Another text.
    Text,
    /// Anything else.
    Other,
}

/// The first bytes of files that gzip, xz, Zstandard, bzip2 and zip have compressed.
const COMPRESSED: [&[u8]; 5] = [b"\x1f\x8b", b"\xfd7zXZ", b"\x28\xb5\x2f\xfd", b"BZh", b"PK\x03\x04"];

impl Foreign {
    /// The content of a file with these first bytes.
    pub(super) fn of(start: &[u8]) -> Foreign {
        let text = start.trim_ascii_start();
        if start.iter().all(|&byte| byte == 0) {
            Foreign::Zeros
        } else if COMPRESSED.iter().any(|magic| start.starts_with(magic)) {
            Foreign::Compressed
        } else if start.starts_with(b"version https://git-lfs") {
            Foreign::LfsPointer
        } else if text.starts_with(b"<") || text.starts_with(b"\xef\xbb\xbf<") {
            Foreign::Page
        } else if start.iter().all(|&byte| byte.is_ascii_graphic() || byte.is_ascii_whitespace()) {
            Foreign::Text
        } else {
            Foreign::Other
        }
    }
}

impl fmt::Display for Foreign {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Foreign::Zeros => "zeros",
            Foreign::Compressed => "a compressed file",
            Foreign::LfsPointer => "a pointer of Git LFS",
            Foreign::Page => "a web page",
            Foreign::Text => "a text",
            Foreign::Other => "another file",
        })
    }
}
