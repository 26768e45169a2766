//! The encoding of a file with games or positions.

use std::borrow::Cow;
use std::fmt;

use encoding_rs::{Encoding, UTF_8, WINDOWS_874};

/// The encoding that a text was read in. Written as its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TextEncoding {
    /// UTF-8, with a byte order mark or without.
    Utf8,
    /// UTF-16, whose byte order mark tells the order.
    Utf16,
    /// Windows-874, a superset of the Thai standard TIS-620.
    Windows874,
}

/// Decodes a file with games or positions: UTF-8, UTF-16 if it begins with a byte order mark, and otherwise
/// Windows-874. Bytes that stand for nothing become U+FFFD.
///
/// ```
/// use makruk_tables::rules::{TextEncoding, decode};
///
/// assert_eq!(decode(b"[White \"\xa2\xd2\xc7\"]"), ("[White \"ขาว\"]".into(), TextEncoding::Windows874));
/// assert_eq!(decode(b"\xff\xfee\x004\x00"), ("e4".into(), TextEncoding::Utf16));
/// assert_eq!(decode("ค-ช๒".as_bytes()), ("ค-ช๒".into(), TextEncoding::Utf8));
/// ```
pub fn decode(bytes: &[u8]) -> (Cow<'_, str>, TextEncoding) {
    match Encoding::for_bom(bytes) {
        Some((encoding, mark)) if encoding != UTF_8 => {
            (encoding.decode_without_bom_handling(&bytes[mark..]).0, TextEncoding::Utf16)
        }
        marked => {
            let bytes = &bytes[marked.map_or(0, |(_, mark)| mark)..];
            match std::str::from_utf8(bytes) {
                Ok(text) => (Cow::Borrowed(text), TextEncoding::Utf8),
                Err(_) => (WINDOWS_874.decode_without_bom_handling(bytes).0, TextEncoding::Windows874),
            }
        }
    }
}

impl fmt::Display for TextEncoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            TextEncoding::Utf8 => "UTF-8",
            TextEncoding::Utf16 => "UTF-16",
            TextEncoding::Windows874 => "Windows-874",
        })
    }
}
