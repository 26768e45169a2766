//! The code in which planes are packed.
//!
//! A plane is coded by lines of 64 words. A line is predicted as empty, as the line before, or each word as the word
//! before it, whichever leaves the fewest bytes. What the prediction leaves is coded. Neighbouring words differ by the
//! place of one man, so little is left. What is left is written in the [code of lines](super::line_code), after masks
//! of the lines that hold anything.
//!
//! For each 64 lines: [`Heads`], then each line with something left. It takes a fifth of the time of zstd's lowest
//! level, and half as much room again.

use std::io;

use super::kernel::{Kernel, widest};
use super::line_code::{LINE, Line, WORD, bytes_set, get, put, read_line, words_left, write_line};

/// Masks of 64 lines.
#[derive(Default)]
struct Heads {
    /// Something is left of the line.
    left: u64,
    /// It is predicted as the line before.
    by_line: u64,
    /// Each of its words is predicted as the word before.
    by_word: u64,
}

const HEADS: usize = 3 * WORD;

/// The most bytes that some words are packed in.
const fn most_packed(words: usize) -> usize {
    let lines = words.div_ceil(LINE);
    // Words are read and written whole, even if fewer of their bytes are left.
    lines.div_ceil(64) * HEADS + lines * WORD + words + words * WORD + WORD
}

/// Packs words; returns the packed bytes, which `room` holds. They are empty if all words are zero.
pub(super) fn pack<'a>(words: &[u64], room: &'a mut Vec<u8>) -> &'a [u8] {
    if room.len() < most_packed(words.len()) {
        room.resize(most_packed(words.len()), 0);
    }
    let len = widest(Packing { words, out: room });
    &room[..len]
}

/// Unpacks into words that are zero.
///
/// # Errors
///
/// The bytes were not packed from as many words.
pub(super) fn unpack(packed: &[u8], words: &mut [u64]) -> io::Result<()> {
    let unpacked = widest(Unpacking { packed, words });
    unpacked.ok_or_else(|| io::Error::new(io::ErrorKind::InvalidData, "a packed plane is cut short"))
}

struct Packing<'a> {
    words: &'a [u64],
    out: &'a mut [u8],
}

impl Kernel for Packing<'_> {
    /// The packed length.
    type Output = usize;

    #[inline(always)]
    fn run(self) -> usize {
        let Packing { words, out } = self;
        let (mut end, mut is_empty, mut before) = (0, true, [0; LINE]);
        for lines in words.chunks(64 * LINE) {
            let start = end;
            let mut heads = Heads::default();
            end += HEADS;
            for (number, words) in lines.chunks(LINE).enumerate() {
                let line = line_of(words);
                let (by_line, by_word) = (differences(&line, &before), differences(&line, &shifted(&line)));
                let (alone, with_line, with_word) = (bytes_left(&line), bytes_left(&by_line), bytes_left(&by_word));
                let left = if alone <= with_line.min(with_word) {
                    &line
                } else if with_line <= with_word {
                    heads.by_line |= 1 << number;
                    &by_line
                } else {
                    heads.by_word |= 1 << number;
                    &by_word
                };
                is_empty &= alone == 0;
                let mask = words_left(left);
                if mask != 0 {
                    heads.left |= 1 << number;
                    end = write_line(left, mask, out, end);
                }
                before = line;
            }
            for (place, mask) in [heads.left, heads.by_line, heads.by_word].into_iter().enumerate() {
                put(out, start + place * WORD, mask);
            }
        }
        // The reader takes bytes by eights.
        put(out, end, 0);
        if is_empty { 0 } else { end + WORD }
    }
}

struct Unpacking<'a> {
    packed: &'a [u8],
    words: &'a mut [u64],
}

impl Kernel for Unpacking<'_> {
    /// `None` if bytes are missing.
    type Output = Option<()>;

    #[inline(always)]
    fn run(self) -> Option<()> {
        let Unpacking { packed, words } = self;
        let (mut at, mut line) = (0, [0; LINE]);
        for lines in words.chunks_mut(64 * LINE) {
            let mask = |place| get(packed, at + place * WORD);
            let heads = Heads { left: mask(0)?, by_line: mask(1)?, by_word: mask(2)? };
            at += HEADS;
            for (number, words) in lines.chunks_mut(LINE).enumerate() {
                let is_in = |mask: u64| mask >> number & 1 != 0;
                let before = line;
                line = [0; LINE];
                if is_in(heads.left) {
                    at = read_line(packed, at, &mut line)?;
                }
                if is_in(heads.by_line) {
                    line = differences(&line, &before);
                } else if is_in(heads.by_word) {
                    for word in 1..LINE {
                        line[word] ^= line[word - 1];
                    }
                }
                words.copy_from_slice(line.get(..words.len())?);
            }
        }
        Some(())
    }
}

/// A line of these words, padded with zeros.
#[inline(always)]
fn line_of(words: &[u64]) -> Line {
    if let Ok(&line) = words.try_into() {
        return line;
    }
    let mut line = [0; LINE];
    line[..words.len()].copy_from_slice(words);
    line
}

/// A line's words, each in the place of the next.
#[inline(always)]
fn shifted(line: &Line) -> Line {
    let mut shifted = [0; LINE];
    shifted[1..].copy_from_slice(&line[..LINE - 1]);
    shifted
}

/// The bits in which a line differs from the line that predicts it.
#[inline(always)]
fn differences(line: &Line, predicted: &Line) -> Line {
    let mut differences = *line;
    for word in 0..LINE {
        differences[word] ^= predicted[word];
    }
    differences
}

/// The number of bytes that are not zero.
#[inline(always)]
fn bytes_left(line: &Line) -> u64 {
    // By place in their words; at most 64 each.
    let mut by_place = 0;
    for &word in line {
        by_place += bytes_set(word) >> 7;
    }
    let pairs = u64::MAX / 0xFFFF * 0xFF;
    ((by_place & pairs) + (by_place >> 8 & pairs)).wrapping_mul(u64::MAX / 0xFFFF) >> 48
}

#[cfg(test)]
mod tests {
    use super::super::line_code::EACH_BYTE;
    use super::*;

    /// Words of every density, some of them like the line or the word before.
    fn words(rng: &mut fastrand::Rng, len: usize) -> Vec<u64> {
        let mut words: Vec<u64> = Vec::new();
        let mut kind = 0;
        for number in 0..len {
            if number % LINE == 0 {
                kind = rng.u8(..6);
            }
            let predicted = match kind {
                0 | 1 => words.len().checked_sub(LINE).map_or(0, |before| words[before]),
                2 | 3 => words.last().copied().unwrap_or(0),
                _ => 0,
            };
            let left = match (kind, rng.u8(..4)) {
                (0 | 2 | 4, 1..) | (_, 3) => 0,
                (_, 0) => rng.u64(..),
                (_, bytes) => (0..bytes).fold(0, |word, _| word | 1 << rng.u8(..64)),
            };
            words.push(predicted ^ left);
        }
        words
    }

    #[test]
    fn words_unpack() {
        let mut rng = fastrand::Rng::with_seed(4);
        let mut room = Vec::new();
        for len in (0..300).map(|_| rng.usize(1..9000)).collect::<Vec<_>>().into_iter().chain([1, 63, 64, 4096, 4097]) {
            let words = words(&mut rng, len);
            let packed = pack(&words, &mut room);
            assert!(packed.len() <= most_packed(len));
            let mut unpacked = vec![0; len];
            unpack(packed, &mut unpacked).unwrap();
            assert_eq!(unpacked, words);
        }
        assert!(pack(&[0; 5000], &mut room).is_empty());
    }

    #[test]
    fn lines_like_their_neighbours_take_next_to_nothing() {
        let mut room = Vec::new();
        let like_lines: Vec<u64> = (0..4096).map(|word| word % 64 * EACH_BYTE).collect();
        assert!(pack(&like_lines, &mut room).len() < 1000);
        assert!(pack(&[u64::MAX; 4096], &mut room).len() < 64 * (WORD + 1 + WORD));
    }

    #[test]
    fn cut_bytes_are_an_error() {
        let mut rng = fastrand::Rng::with_seed(5);
        let (mut room, words) = (Vec::new(), words(&mut rng, 300));
        let packed = pack(&words, &mut room);
        for len in 0..packed.len() {
            // The last eight bytes are there to be read by eights.
            let unpacked = unpack(&packed[..len], &mut [0; 300]);
            assert!(unpacked.is_err() || len + WORD >= packed.len(), "{len} bytes of {}", packed.len());
        }
    }
}
