//! The decisions of one pass in one slab, as they are logged.
//!
//! For every block of 64 words with a decision: the block's number, the length of its line, and the line as it is
//! [coded](super::line_code). A block is a row or, where rows have one word, 64 rows. A position is decided once at
//! most, so a log is about as large as the positions that it decides, whatever the distances.

use std::cell::RefCell;

use makruk_rules::Bitboard;

use super::line_code::{LINE, Line, MOST_LINE, WORD, get_padded, open_gaps, words_left, write_line};

/// The decisions of one pass in one slab while the pass runs.
#[derive(Debug)]
pub(crate) struct SlabDecisions {
    bytes: Vec<u8>,
    /// Room for a block.
    room: [u8; HEAD_BYTES + MOST_LINE],
    /// The last block, where rows of one word are gathered.
    last: Option<(usize, Box<Line>)>,
}

/// The number of a block within its slab, as it is logged.
type BlockNumber = u32;

/// The length of a block's line, as it is logged.
type LineLen = u16;

/// The bytes before a line.
const HEAD_BYTES: usize = size_of::<BlockNumber>() + size_of::<LineLen>();

/// A block of logged decisions.
#[derive(Clone, Copy)]
pub(crate) struct LoggedBlock<'a> {
    /// Its number in the slab.
    pub block: usize,
    /// A bit for each word that holds any decision.
    mask: u64,
    /// For each of these words, a bit for each of its bytes that is not zero.
    masks: &'a [u8],
    /// These bytes, and after them others, since bytes are read by eights.
    left: &'a [u8],
    /// The number of these bytes.
    len: usize,
}

impl<'a> LoggedBlock<'a> {
    /// The first block of logged bytes, and the rest of them; `None` if they are not those of a block.
    #[inline(always)]
    pub(crate) fn split(bytes: &'a [u8]) -> Option<(LoggedBlock<'a>, &'a [u8])> {
        let (block, bytes) = bytes.split_first_chunk()?;
        let (len, bytes) = bytes.split_first_chunk()?;
        let rest = bytes.get(LineLen::from_le_bytes(*len).into()..)?;
        let (mask, line) = bytes.split_first_chunk()?;
        let mask = u64::from_le_bytes(*mask);
        let (masks, left) = line.split_at_checked(mask.count_ones() as usize)?;
        let len = left.len().checked_sub(rest.len())?;
        Some((LoggedBlock { block: BlockNumber::from_le_bytes(*block) as usize, mask, masks, left, len }, rest))
    }

    /// Whether its line has as many bytes as its masks say.
    pub(crate) fn is_whole(&self) -> bool {
        self.len == self.masks.iter().map(|mask| mask.count_ones() as usize).sum::<usize>()
    }

    /// The words that hold any decision: their numbers in the slab, their bits.
    #[inline(always)]
    pub(crate) fn words(&self) -> impl Iterator<Item = (usize, u64)> + use<'a> {
        let (first, left) = (self.block * LINE, self.left);
        let mut at = 0;
        Bitboard(self.mask).into_iter().zip(self.masks).map(move |(word, &mask)| {
            let bits = open_gaps(get_padded(left, at), mask);
            at += mask.count_ones() as usize;
            (first + word.index(), bits)
        })
    }

    /// The number of the slab's words up to the last one that holds a decision.
    pub(crate) fn end(&self) -> usize {
        self.block * LINE + (u64::BITS - self.mask.leading_zeros()) as usize
    }
}

impl Default for SlabDecisions {
    fn default() -> SlabDecisions {
        SlabDecisions { bytes: Vec::new(), room: [0; _], last: None }
    }
}

thread_local! {
    /// The decisions of the slab that a thread goes through: a vector that grows anew for each would take a twentieth
    /// of the time.
    static OF_THREAD: RefCell<SlabDecisions> = RefCell::default();
}

impl SlabDecisions {
    /// Runs `work` with no decisions yet.
    pub(super) fn with<T>(work: impl FnOnce(&mut SlabDecisions) -> T) -> T {
        OF_THREAD.with_borrow_mut(|decisions| {
            decisions.bytes.clear();
            decisions.last = None;
            work(decisions)
        })
    }

    /// The most bytes that the decisions of a slab of `slab_words` words take.
    pub(crate) const fn max_bytes(slab_words: usize) -> u64 {
        let block = HEAD_BYTES + size_of::<u64>();
        (slab_words.div_ceil(LINE) * block + slab_words * (1 + WORD)) as u64
    }

    /// Adds the words of a row, which are 64 or one. Rows come in the order of their numbers.
    #[inline(always)]
    pub(crate) fn push(&mut self, row: usize, words: &[u64]) {
        if let Ok(line) = words.try_into() {
            return self.write(row, line);
        }
        let (block, first) = (row * words.len() / LINE, row * words.len() % LINE);
        if self.last.as_ref().is_none_or(|&(last, _)| last != block) {
            self.end();
            self.last = Some((block, Box::new([0; LINE])));
        }
        if let Some((_, line)) = &mut self.last {
            line[first..first + words.len()].copy_from_slice(words);
        }
    }

    #[inline(always)]
    fn write(&mut self, block: usize, line: &Line) {
        let room = &mut self.room;
        let end = write_line(line, words_left(line), room, HEAD_BYTES);
        let (number, len) = (block as BlockNumber, (end - HEAD_BYTES) as LineLen);
        room[..size_of::<BlockNumber>()].copy_from_slice(&number.to_le_bytes());
        room[size_of::<BlockNumber>()..HEAD_BYTES].copy_from_slice(&len.to_le_bytes());
        self.bytes.extend_from_slice(&room[..end]);
    }

    fn end(&mut self) {
        if let Some((block, line)) = self.last.take() {
            self.write(block, &line);
        }
    }

    /// The logged bytes, which consist of blocks.
    pub(super) fn bytes(&mut self) -> &[u8] {
        self.end();
        &self.bytes
    }
}
