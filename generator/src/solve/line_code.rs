//! The code of a line of 64 words most of whose bytes are zero.
//!
//! It begins with a mask of the words that are not zero. For each of these follows a mask of its bytes that are not
//! zero, and after all masks these bytes.

/// The words of a line.
pub(super) const LINE: usize = 64;

/// The bytes of a word or of a mask of a line.
pub(super) const WORD: usize = size_of::<u64>();

/// The bits of a byte whose lowest is set.
pub(super) const EACH_BYTE: u64 = u64::MAX / 0xFF;

/// A line, or what is left of it.
pub(super) type Line = [u64; LINE];

/// The most bytes that a line is written in, with those after its end that are written, too.
pub(super) const MOST_LINE: usize = WORD + LINE + LINE * WORD + WORD;

/// A mask with the highest bit of each byte that is not zero.
#[inline(always)]
pub(super) const fn bytes_set(word: u64) -> u64 {
    let low = EACH_BYTE * 0x7F;
    (((word & low) + low) | word) & !low
}

/// A mask of the words that are not zero.
#[inline(always)]
pub(super) fn words_left(line: &Line) -> u64 {
    let mut mask = 0;
    for (number, &word) in line.iter().enumerate() {
        mask |= u64::from(word != 0) << number;
    }
    mask
}

/// Writes what is left of a line, whose words that are not zero are in a mask; returns the end.
#[inline(always)]
pub(super) fn write_line(line: &Line, words: u64, out: &mut [u8], start: usize) -> usize {
    put(out, start, words);
    let (mut masks, mut end) = (start + WORD, start + WORD + words.count_ones() as usize);
    let mut rest = words;
    while rest != 0 {
        let word = line[rest.trailing_zeros() as usize];
        rest &= rest - 1;
        // The highest bits of the bytes, one beside the other.
        let mask = ((bytes_set(word) >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56) as u8;
        out[masks] = mask;
        masks += 1;
        put(out, end, close_gaps(word, mask));
        end += mask.count_ones() as usize;
    }
    end
}

/// Reads what [`write_line`] wrote into a line that is zero; returns the end.
#[inline(always)]
pub(super) fn read_line(packed: &[u8], start: usize, line: &mut Line) -> Option<usize> {
    let mut rest = get(packed, start)?;
    let (mut masks, mut end) = (start + WORD, start + WORD + rest.count_ones() as usize);
    while rest != 0 {
        let mask = *packed.get(masks)?;
        masks += 1;
        line[rest.trailing_zeros() as usize] = open_gaps(get(packed, end)?, mask);
        rest &= rest - 1;
        end += mask.count_ones() as usize;
    }
    Some(end)
}

/// By a mask of the bytes that are set: those that move by one, two and four places, one step after the other, so that
/// no gaps are left.
static MOVES: [[u64; 3]; 256] = {
    let mut moves = [[0; 3]; 256];
    let mut mask = 0;
    while mask < 256 {
        let (mut byte, mut gaps) = (0, 0);
        while byte < WORD {
            if mask >> byte & 1 == 0 {
                gaps += 1;
            } else {
                let mut step = 0;
                while step < 3 {
                    if gaps >> step & 1 != 0 {
                        let place = byte - gaps % (1 << step);
                        moves[mask][step] |= 0xFF << (8 * place);
                    }
                    step += 1;
                }
            }
            byte += 1;
        }
        mask += 1;
    }
    moves
};

/// The bytes that are set, without the zeros between them.
#[inline(always)]
fn close_gaps(mut word: u64, mask: u8) -> u64 {
    for (step, &moving) in MOVES[usize::from(mask)].iter().enumerate() {
        let moving = word & moving;
        word ^= moving ^ moving >> (8 << step);
    }
    word
}

/// The word from which [`close_gaps`] made these bytes. Those beyond the mask's are of other words.
#[inline(always)]
pub(super) fn open_gaps(bytes: u64, mask: u8) -> u64 {
    let moves = &MOVES[usize::from(mask)];
    let mut word = bytes & u64::MAX.checked_shr(64 - 8 * mask.count_ones()).unwrap_or(0);
    for (step, &moved) in moves.iter().enumerate().rev() {
        let moving = word & moved >> (8 << step);
        word ^= moving ^ moving << (8 << step);
    }
    word
}

#[inline(always)]
pub(super) fn put(out: &mut [u8], at: usize, word: u64) {
    out[at..at + WORD].copy_from_slice(&word.to_le_bytes());
}

#[inline(always)]
pub(super) fn get(packed: &[u8], at: usize) -> Option<u64> {
    packed.get(at..)?.first_chunk().map(|&bytes| u64::from_le_bytes(bytes))
}

/// The bytes from a place on, zeros after the last.
#[inline(always)]
pub(super) fn get_padded(packed: &[u8], at: usize) -> u64 {
    get(packed, at).unwrap_or_else(|| {
        let rest = packed.get(at..).unwrap_or_default();
        rest.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_of_every_mask_close_and_open() {
        let word = u64::from_le_bytes([1, 2, 3, 4, 5, 6, 7, 8]);
        for mask in 0..=255u8 {
            let bytes = |place: usize| mask >> place & 1 != 0;
            let kept: Vec<u8> = (0..WORD).filter(|&place| bytes(place)).map(|place| place as u8 + 1).collect();
            let gappy = u64::from_le_bytes(std::array::from_fn(|place| if bytes(place) { place as u8 + 1 } else { 0 }));
            let closed = close_gaps(gappy, mask);
            assert_eq!(closed.to_le_bytes()[..kept.len()], kept);
            let others = word & !u64::MAX.checked_shr(64 - 8 * mask.count_ones()).unwrap_or(0);
            assert_eq!(open_gaps(closed | others, mask), gappy, "{mask:08b}");
        }
    }
}
