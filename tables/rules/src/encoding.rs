//! The encoding of a file with games or positions.

use std::borrow::Cow;
use std::fmt;

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
/// use makruk_rules::{TextEncoding, decode};
///
/// assert_eq!(decode(b"[White \"\xa2\xd2\xc7\"]"), ("[White \"ขาว\"]".into(), TextEncoding::Windows874));
/// assert_eq!(decode(b"\xff\xfee\x004\x00"), ("e4".into(), TextEncoding::Utf16));
/// assert_eq!(decode("ค-ช๒".as_bytes()), ("ค-ช๒".into(), TextEncoding::Utf8));
/// ```
pub fn decode(bytes: &[u8]) -> (Cow<'_, str>, TextEncoding) {
    match bytes {
        [0xFF, 0xFE, text @ ..] => return (utf_16(text, u16::from_le_bytes).into(), TextEncoding::Utf16),
        [0xFE, 0xFF, text @ ..] => return (utf_16(text, u16::from_be_bytes).into(), TextEncoding::Utf16),
        _ => (),
    }
    let bytes = bytes.strip_prefix("\u{FEFF}".as_bytes()).unwrap_or(bytes);
    match std::str::from_utf8(bytes) {
        Ok(text) => (text.into(), TextEncoding::Utf8),
        Err(_) => (bytes.iter().map(|&byte| windows_874(byte)).collect(), TextEncoding::Windows874),
    }
}

/// A text in UTF-16 of one order. A byte that is left over stands for nothing, as half a pair of units does.
fn utf_16(text: &[u8], unit: fn([u8; 2]) -> u16) -> String {
    let (units, rest) = text.as_chunks();
    let units = units.iter().copied().map(unit).chain(rest.iter().map(|_| 0xD800));
    char::decode_utf16(units).map(|letter| letter.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
}

/// A letter of Windows-874.
fn windows_874(byte: u8) -> char {
    match byte {
        0x80 => '€',
        0x85 => '…',
        0x91..=0x97 => ['‘', '’', '“', '”', '•', '–', '—'][usize::from(byte - 0x91)],
        0xDB..=0xDE | 0xFC.. => char::REPLACEMENT_CHARACTER,
        // Thai is in the same order in Unicode.
        0xA1.. => char::from_u32('ก' as u32 - 0xA1 + u32::from(byte)).unwrap_or(char::REPLACEMENT_CHARACTER),
        _ => byte.into(),
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
