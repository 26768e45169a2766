//! The decisions of one pass in one slab, as they are logged.
//!
//! For every block of 64 words with a decision: the block's number, a mask of its words that are not empty, and these
//! words. A block is a row or, where rows have one word, 64 rows. A position is decided once at most, so a log is about
//! as large as the positions that it decides, whatever the distances.

use makruk_rules::Bitboard;

/// The decisions of one pass in one slab while the pass runs.
#[derive(Debug, Default)]
pub(crate) struct SlabDecisions {
    bytes: Vec<u8>,
    /// The last block, and the place of its mask.
    last: Option<(usize, usize)>,
}

/// The words of a block.
pub(crate) const BLOCK_WORDS: usize = WordMask::BITS as usize;

/// The number of a block within its slab, as it is logged.
type BlockNumber = u32;

/// A mask of a block's words, as it is logged.
type WordMask = u64;

/// A block of logged decisions.
#[derive(Clone, Copy)]
pub(crate) struct LoggedBlock<'a> {
    /// Its number in the slab.
    pub block: usize,
    mask: WordMask,
    words: &'a [u8],
}

impl<'a> LoggedBlock<'a> {
    /// The first block of logged bytes, and the rest of them; `None` if they are not those of a block.
    #[inline(always)]
    pub(crate) fn split(bytes: &'a [u8]) -> Option<(LoggedBlock<'a>, &'a [u8])> {
        let (block, rest) = bytes.split_first_chunk()?;
        let (mask, rest) = rest.split_first_chunk()?;
        let mask = WordMask::from_le_bytes(*mask);
        let (words, rest) = rest.split_at_checked(size_of::<u64>() * mask.count_ones() as usize)?;
        Some((LoggedBlock { block: BlockNumber::from_le_bytes(*block) as usize, mask, words }, rest))
    }

    /// The words that hold any decision: their numbers in the slab, their bits.
    #[inline(always)]
    pub(crate) fn words(&self) -> impl Iterator<Item = (usize, u64)> + use<'a> {
        let words = self.words.as_chunks::<8>().0.iter().map(|&word| u64::from_le_bytes(word));
        let first = self.block * BLOCK_WORDS;
        Bitboard(self.mask).into_iter().map(move |word| first + word.index()).zip(words)
    }

    /// The number of the slab's words up to the last one that holds a decision.
    pub(crate) fn end(&self) -> usize {
        self.block * BLOCK_WORDS + (WordMask::BITS - self.mask.leading_zeros()) as usize
    }
}

impl SlabDecisions {
    /// The most bytes that the decisions of a slab of `slab_words` words take.
    pub(crate) const fn max_bytes(slab_words: usize) -> u64 {
        let block = size_of::<BlockNumber>() + size_of::<WordMask>();
        (slab_words.div_ceil(BLOCK_WORDS) * block + slab_words * size_of::<u64>()) as u64
    }

    /// Adds the words of a row, which are 64 or one. Rows come in the order of their numbers.
    #[inline(always)]
    pub(crate) fn push(&mut self, row: usize, words: &[u64]) {
        let first = row * words.len();
        let mut mask: WordMask = 0;
        for (w, &word) in words.iter().enumerate() {
            mask |= WordMask::from(word != 0) << ((first + w) % BLOCK_WORDS);
        }
        let block = first / BLOCK_WORDS;
        match self.last {
            Some((last, at)) if words.len() < BLOCK_WORDS && last == block => {
                let masks = self.bytes[at..at + size_of::<WordMask>()].iter_mut();
                masks.zip(mask.to_le_bytes()).for_each(|(byte, more)| *byte |= more);
            }
            _ => {
                self.bytes.extend_from_slice(&(block as BlockNumber).to_le_bytes());
                self.last = Some((block, self.bytes.len()));
                self.bytes.extend_from_slice(&mask.to_le_bytes());
            }
        }
        for &word in words.iter().filter(|&&word| word != 0) {
            self.bytes.extend_from_slice(&word.to_le_bytes());
        }
    }

    /// The logged bytes, which consist of blocks.
    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }
}
