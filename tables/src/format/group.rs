//! Groups of blocks: the blocks' lengths, packed, then the blocks end to end.

use std::ops::Range;

use super::error::Problem;
use crate::rules::Color;

/// Blocks of a group; a side's last group may have fewer.
pub(super) const GROUP_BLOCKS: usize = 32;
/// Bytes of a group's offset in the index.
pub(super) const OFFSET_BYTES: usize = 5;
/// The largest width of a block's length, in bits.
const MAX_WIDTH: u32 = u16::BITS;
/// The most bytes a group has.
const MAX_BYTES: u64 = 1 + GROUP_BLOCKS as u64 * (MAX_WIDTH as u64 / 8 + u16::MAX as u64);

/// Bytes before the blocks of a group whose lengths have `width` bits.
const fn head_len(width: u32) -> usize {
    1 + GROUP_BLOCKS / 8 * width as usize
}

/// Appends a group of at most [`GROUP_BLOCKS`] blocks.
pub(super) fn write(lens: &[u16], blocks: &[u8], out: &mut Vec<u8>) {
    let longest = lens.iter().copied().max().unwrap_or(0);
    let width = u16::BITS - longest.leading_zeros();
    let end = out.len() + head_len(width);
    out.push(width as u8);
    let (mut bits, mut filled) = (0u32, 0);
    for &len in lens {
        bits |= u32::from(len) << filled;
        filled += width;
        while filled >= 8 {
            out.push(bits as u8);
            bits >>= 8;
            filled -= 8;
        }
    }
    if filled > 0 {
        out.push(bits as u8);
    }
    out.resize(end, 0);
    out.extend_from_slice(blocks);
}

/// The range of a group within its side's blocks, from its two offsets in the index.
pub(super) fn range(offsets: &[u8], side: Color, group: u64, blocks_len: u64) -> Result<Range<u64>, Problem> {
    let number = |at: usize| {
        let mut word = [0; 8];
        word[..OFFSET_BYTES].copy_from_slice(&offsets[at..at + OFFSET_BYTES]);
        u64::from_le_bytes(word)
    };
    let (start, end) = (number(0), number(OFFSET_BYTES));
    if start < end && end <= blocks_len && end - start <= MAX_BYTES {
        return Ok(start..end);
    }
    Err(Problem::Group {
        side,
        group,
        expected: format!("1 to {MAX_BYTES} bytes within {blocks_len}"),
        found: format!("bytes {start} to {end}"),
    })
}

/// The bytes of one block of a group.
#[inline]
pub(super) fn block(bytes: &[u8], side: Color, group: u64, place: usize) -> Result<&[u8], Problem> {
    Ok(&bytes[find(bytes, side, group, place)?])
}

/// The range of a block within its group.
#[inline]
fn find(bytes: &[u8], side: Color, group: u64, place: usize) -> Result<Range<usize>, Problem> {
    let width = bytes.first().copied().map_or(MAX_WIDTH + 1, u32::from);
    let wrong = |expected: String, found: String| Problem::Group { side, group, expected, found };
    if width > MAX_WIDTH || bytes.len() < head_len(width) {
        let expected = format!("lengths of at most {MAX_WIDTH} bits, all of them");
        return Err(wrong(expected, format!("a width of {width} in {} bytes", bytes.len())));
    }
    let (head, blocks) = bytes.split_at(head_len(width));
    // Four bytes can be read at any place of the lengths.
    let mut packed = [0u8; head_len(MAX_WIDTH) + 3];
    packed[..head.len() - 1].copy_from_slice(&head[1..]);
    let mask = (1u32 << width) - 1;
    let length = |block: usize| {
        let bit = block * width as usize;
        let at = bit >> 3;
        let word = u32::from_le_bytes([packed[at], packed[at + 1], packed[at + 2], packed[at + 3]]);
        ((word >> (bit & 7)) & mask) as usize
    };
    let start: usize = (0..place).map(length).sum();
    let len = length(place);
    if start + len > blocks.len() {
        return Err(wrong(
            format!("a block within {} bytes", blocks.len()),
            format!("{len} bytes at {start}, block {place}"),
        ));
    }
    let first = head.len() + start;
    Ok(first..first + len)
}

/// The length of a group that its blocks' lengths give.
pub(super) fn total(bytes: &[u8], side: Color, group: u64, blocks: usize) -> Result<usize, Problem> {
    Ok(find(bytes, side, group, blocks.saturating_sub(1))?.end)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_group_reads_back(lens in prop::collection::vec(0u16..700, 1..=GROUP_BLOCKS), shift in 0u32..16) {
            let lens: Vec<u16> = lens.iter().map(|len| len >> shift).collect();
            let all: Vec<u8> = (0..lens.iter().map(|&len| usize::from(len)).sum()).map(|n| n as u8).collect();
            let mut bytes = Vec::new();
            write(&lens, &all, &mut bytes);
            let mut rest = all.as_slice();
            for (place, &len) in lens.iter().enumerate() {
                let (expected, after) = rest.split_at(usize::from(len));
                prop_assert_eq!(block(&bytes, Color::White, 0, place).unwrap(), expected);
                rest = after;
            }
            prop_assert_eq!(total(&bytes, Color::White, 0, lens.len()).unwrap(), bytes.len());
        }

        #[test]
        fn any_bytes_are_read_without_panic(bytes in prop::collection::vec(any::<u8>(), 0..200), place in 0..GROUP_BLOCKS) {
            let _ = block(&bytes, Color::Black, 7, place);
        }
    }
}
