//! Groups of blocks: the bits of the blocks' lengths, then the blocks end to end.

use std::ops::Range;

use super::error::Problem;
use makruk_rules::Color;

/// Blocks of a group; a side's last group may have fewer. A word has a bit for each.
pub(super) const GROUP_BLOCKS: usize = u64::BITS as usize;
/// Bytes of a group's offset in the index.
pub(super) const OFFSET_BYTES: usize = 5;
/// The largest width of a block's length, in bits.
const MAX_WIDTH: u32 = u16::BITS;
/// The most bytes before the blocks of a group.
pub(super) const MAX_HEAD_BYTES: usize = head_len(MAX_WIDTH);
/// The most bytes a group has.
const MAX_BYTES: u64 = head_len(MAX_WIDTH) as u64 + GROUP_BLOCKS as u64 * u16::MAX as u64;

/// Bytes before the blocks of a group whose lengths have `width` bits: the width, and a word for each bit.
pub(super) const fn head_len(width: u32) -> usize {
    1 + size_of::<u64>() * width as usize
}

/// Appends a group of at most [`GROUP_BLOCKS`] blocks.
pub(super) fn write(lens: &[u16], blocks: &[u8], out: &mut Vec<u8>) {
    let longest = lens.iter().copied().max().unwrap_or(0);
    let width = u16::BITS - longest.leading_zeros();
    out.push(width as u8);
    for bit in 0..width {
        let of_blocks = lens.iter().rev().fold(0u64, |word, len| word << 1 | u64::from(len >> bit & 1));
        out.extend_from_slice(&of_blocks.to_le_bytes());
    }
    out.extend_from_slice(blocks);
}

/// An offset in the index.
#[inline]
fn offset(bytes: &[u8]) -> u64 {
    let mut word = [0; 8];
    word[..OFFSET_BYTES].copy_from_slice(&bytes[..OFFSET_BYTES]);
    u64::from_le_bytes(word)
}

/// The range of a group within its side's blocks, from its two offsets in the index; the offsets as they are if it is
/// none.
#[inline]
pub(super) fn range(offsets: &[u8], blocks_len: u64) -> Result<Range<u64>, Range<u64>> {
    let range = offset(offsets)..offset(&offsets[OFFSET_BYTES..]);
    let fits = range.start < range.end && range.end <= blocks_len && range.end - range.start <= MAX_BYTES;
    if fits { Ok(range) } else { Err(range) }
}

/// The error of a group's range.
#[cold]
pub(super) fn no_range(found: &Range<u64>, side: Color, group: u64, blocks_len: u64) -> Problem {
    Problem::Group {
        side,
        group,
        expected: format!("1 to {MAX_BYTES} bytes within {blocks_len}"),
        found: format!("bytes {} to {}", found.start, found.end),
    }
}

/// The bytes of one block of a group.
#[inline]
pub(super) fn block(bytes: &[u8], side: Color, group: u64, place: usize) -> Result<&[u8], Problem> {
    Ok(&bytes[find(bytes, bytes.len(), side, group, place)?])
}

/// The range of a block within its group of `len` bytes, of which `bytes` has the head at least; fewer are an error.
#[inline]
pub(super) fn find(bytes: &[u8], len: usize, side: Color, group: u64, place: usize) -> Result<Range<usize>, Problem> {
    let width = bytes.first().copied().map_or(MAX_WIDTH + 1, u32::from);
    let wrong = |expected: String, found: String| Problem::Group { side, group, expected, found };
    if width > MAX_WIDTH || bytes.len() < head_len(width) {
        let expected = format!("lengths of at most {MAX_WIDTH} bits, all of them");
        return Err(wrong(expected, format!("a width of {width} in {} bytes", bytes.len())));
    }
    let head = &bytes[..head_len(width)];
    let blocks_len = len - head.len();
    let before = (1u64 << place) - 1;
    let (mut start, mut len) = (0, 0);
    for (bit, word) in head[1..].as_chunks().0.iter().map(|&word| u64::from_le_bytes(word)).enumerate() {
        start += ((word & before).count_ones() as usize) << bit;
        len += ((word >> place & 1) as usize) << bit;
    }
    if start + len > blocks_len {
        return Err(wrong(
            format!("a block within {blocks_len} bytes"),
            format!("{len} bytes at {start}, block {place}"),
        ));
    }
    let first = head.len() + start;
    Ok(first..first + len)
}

/// The length of a group that its blocks' lengths give.
pub(super) fn total(bytes: &[u8], side: Color, group: u64, blocks: usize) -> Result<usize, Problem> {
    Ok(find(bytes, bytes.len(), side, group, blocks.saturating_sub(1))?.end)
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
