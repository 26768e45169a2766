//! The records of a checkpoint.
//!
//! A record has a head of 24 bytes, then its payload. All numbers are little-endian:
//!
//! | offset | bytes | |
//! |---|---|---|
//! | 0 | 4 | CRC-32C of all that follows |
//! | 4 | 4 | the payload's length |
//! | 8 | 1 | the kind |
//! | 9 | 1 | the attacker: 0 is White, 1 is Black |
//! | 10 | 1 | the side to move, likewise |
//! | 11 | 1 | 0 |
//! | 12 | 2 | moves |
//! | 14 | 2 | 0 |
//! | 16 | 4 | the slab |
//! | 20 | 4 | the payload's length before it was compressed |

use makruk_rules::{ByColor, Color};

use crate::solve::ply_id::PlyId;

/// The bytes of a record's head.
pub(super) const HEAD_BYTES: usize = 24;

/// The offset of what a record's checksum covers.
const CHECKED_FROM: usize = 4;

/// The kind of a record, as a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// The numbers of legal positions, White to move first, in 16 bytes.
    Beginning = 1,
    /// The decisions of a ply in a slab, compressed.
    Decisions = 2,
    /// The end of a ply, 16 bytes: the number of cells decided, and the number of records with these decisions.
    Ply = 3,
    /// The end of an attack, without payload.
    Attack = 4,
}

/// The head of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Head {
    pub kind: Kind,
    pub ply: PlyId,
    pub slab: u32,
    /// The payload's length, and that before it was compressed.
    pub stored: u32,
    pub len: u32,
    checksum: u32,
}

fn color(number: u8) -> Option<Color> {
    Color::ALL.into_iter().find(|&color| color as u8 == number)
}

impl Head {
    /// Reads a head; the error is what was expected and found.
    pub(super) fn read(bytes: &[u8; HEAD_BYTES]) -> Result<Head, String> {
        let short = |at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
        let long = |at: usize| u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
        let kinds = [Kind::Beginning, Kind::Decisions, Kind::Ply, Kind::Attack];
        let kind = kinds.into_iter().find(|&kind| kind as u8 == bytes[8]);
        let kind = kind.ok_or_else(|| format!("expected a kind from 1 to 4, found {}", bytes[8]))?;
        let (Some(attacker), Some(side)) = (color(bytes[9]), color(bytes[10])) else {
            return Err(format!("expected sides 0 or 1, found {} and {}", bytes[9], bytes[10]));
        };
        let ply = PlyId { attacker, side, moves: short(12) };
        Ok(Head { kind, ply, slab: long(16), stored: long(4), len: long(20), checksum: long(0) })
    }

    /// Checks the checksum of a whole record; the error says what was expected and found.
    pub(super) fn check(&self, record: &[u8]) -> Result<(), String> {
        let (expected, found) = (self.checksum, crc32c::crc32c(&record[CHECKED_FROM..]));
        if expected == found { Ok(()) } else { Err(format!("expected checksum {expected:08x}, found {found:08x}")) }
    }
}

/// A whole record; `None` if the payload is too long for one.
pub(super) fn record(kind: Kind, ply: PlyId, slab: usize, payload: &[u8], len: usize) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(HEAD_BYTES + payload.len());
    bytes.extend_from_slice(&[0; CHECKED_FROM]);
    bytes.extend_from_slice(&u32::try_from(payload.len()).ok()?.to_le_bytes());
    bytes.extend_from_slice(&[kind as u8, ply.attacker as u8, ply.side as u8, 0]);
    bytes.extend_from_slice(&ply.moves.to_le_bytes());
    bytes.extend_from_slice(&[0; 2]);
    bytes.extend_from_slice(&u32::try_from(slab).ok()?.to_le_bytes());
    bytes.extend_from_slice(&u32::try_from(len).ok()?.to_le_bytes());
    bytes.extend_from_slice(payload);
    let checksum = crc32c::crc32c(&bytes[CHECKED_FROM..]);
    bytes[..CHECKED_FROM].copy_from_slice(&checksum.to_le_bytes());
    Some(bytes)
}

/// The payload of two numbers.
pub(super) fn two_numbers(first: u64, second: u64) -> [u8; 16] {
    let mut bytes = [0; 16];
    bytes[..8].copy_from_slice(&first.to_le_bytes());
    bytes[8..].copy_from_slice(&second.to_le_bytes());
    bytes
}

/// Reads the payload of two numbers; the error is what was expected and found.
pub(super) fn read_two_numbers(payload: &[u8]) -> Result<ByColor<u64>, String> {
    match payload.as_chunks::<8>() {
        ([first, second], []) => Ok(ByColor { white: u64::from_le_bytes(*first), black: u64::from_le_bytes(*second) }),
        _ => Err(format!("expected two numbers in 16 bytes, found {} bytes", payload.len())),
    }
}
