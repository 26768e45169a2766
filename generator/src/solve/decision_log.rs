//! The log of decisions: everything that each pass decided.
//!
//! An entry holds the decisions of one pass in one slab: for every block of 64 words with a decision the block's number, a mask of
//! its words that are not empty, and these words. A block is a row or, where rows have one word, 64 rows. A position is decided once at most, so the log is about as large as the
//! positions it decides, whatever the distances.

use makruk_tables::format::FormatError;
use makruk_tables::rules::{Bitboard, ByColor, Color};

use super::checkpoint::Checkpoint;
use super::spill_store::{Blob, SpillStore};

/// The store of a log.
#[derive(Debug)]
pub(crate) enum LogStore {
    /// One that disappears with the process.
    Working(SpillStore),
    /// One from which a build that was killed continues.
    Checkpoint(Checkpoint),
}

/// A ply of an attack: the positions with `side` to move that are decided in the same number of moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PlyId {
    pub attacker: Color,
    pub side: Color,
    pub moves: u16,
}

impl PlyId {
    /// An attack's ply by its number, from 0: for each number of moves the attacker's, then the defender's.
    pub(crate) fn nth(attacker: Color, number: usize) -> PlyId {
        let side = if number.is_multiple_of(2) { attacker } else { !attacker };
        PlyId { attacker, side, moves: (number / 2) as u16 }
    }
}

/// The decisions of a material under one metric.
#[derive(Debug)]
pub(crate) struct DecisionLog {
    store: LogStore,
    /// By attacker, by the side to move, by slab.
    slabs: ByColor<ByColor<Vec<Vec<Entry>>>>,
}

/// The decisions of one pass in one slab.
#[derive(Debug)]
struct Entry {
    moves: u16,
    blob: Blob,
}

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
}

impl DecisionLog {
    /// The bytes that an entry takes besides its blob's content.
    pub(crate) const ENTRY_BYTES: u64 = size_of::<Entry>() as u64;

    /// An empty log.
    pub(crate) fn new(store: LogStore, slabs: usize) -> DecisionLog {
        let empty = || (0..slabs).map(|_| Vec::new()).collect();
        DecisionLog { store, slabs: ByColor::from_fn(|_| ByColor::from_fn(|_| empty())) }
    }

    /// Notes the number of legal positions before the first ply, by the side to move.
    ///
    /// # Errors
    ///
    /// The checkpoint cannot be written.
    pub(crate) fn begin(&self, legal: ByColor<u64>) -> Result<(), FormatError> {
        match &self.store {
            LogStore::Working(_) => Ok(()),
            LogStore::Checkpoint(checkpoint) => checkpoint.begin(legal),
        }
    }

    /// Stores the decisions of a ply in a slab, if there are any; any thread may do so.
    ///
    /// # Errors
    ///
    /// The working file cannot be written.
    pub(crate) fn store(&self, ply: PlyId, slab: usize, decisions: SlabDecisions) -> Result<Option<Blob>, FormatError> {
        let SlabDecisions { bytes, .. } = decisions;
        let stored = match &self.store {
            _ if bytes.is_empty() => return Ok(None),
            LogStore::Working(store) => store.append(bytes),
            LogStore::Checkpoint(checkpoint) => checkpoint.append(ply, slab, &bytes),
        };
        stored.map(Some)
    }

    /// Appends an entry of stored decisions.
    pub(crate) fn append(&mut self, PlyId { attacker, side, moves }: PlyId, slab: usize, blob: Blob) {
        self.slabs[attacker][side][slab].push(Entry { moves, blob });
    }

    /// Notes that a ply is finished, and the number of positions of the full board that it decided, counted by cells.
    ///
    /// # Errors
    ///
    /// The checkpoint cannot be written, or the disk did not keep it.
    pub(crate) fn end_ply(&mut self, ply: PlyId, positions: u64) -> Result<(), FormatError> {
        match &mut self.store {
            LogStore::Working(_) => Ok(()),
            LogStore::Checkpoint(checkpoint) => checkpoint.end_ply(ply, positions),
        }
    }

    /// Notes that an attack is finished.
    ///
    /// # Errors
    ///
    /// The checkpoint cannot be written.
    pub(crate) fn end_attack(&self, attacker: Color) -> Result<(), FormatError> {
        match &self.store {
            LogStore::Working(_) => Ok(()),
            LogStore::Checkpoint(checkpoint) => checkpoint.end_attack(attacker),
        }
    }

    /// Gives up the decisions, and removes their checkpoint.
    pub(crate) fn discard(self) {
        if let LogStore::Checkpoint(checkpoint) = self.store {
            checkpoint.remove();
        }
    }

    /// Calls `visit` with each block of a slab that an attacker decided something in with `side` to move, and with the moves.
    ///
    /// # Errors
    ///
    /// The working file cannot be read.
    #[inline(always)]
    pub(crate) fn each_block(
        &self,
        (attacker, side): (Color, Color),
        slab: usize,
        mut visit: impl FnMut(u16, LoggedBlock<'_>),
    ) -> Result<(), FormatError> {
        let mut buffer = Vec::new();
        for Entry { moves, blob } in &self.slabs[attacker][side][slab] {
            let mut bytes = match &self.store {
                LogStore::Working(store) => store.read(blob, &mut buffer)?,
                LogStore::Checkpoint(checkpoint) => checkpoint.read(blob, &mut buffer)?,
            };
            while !bytes.is_empty() {
                let (block, rest) = LoggedBlock::split(bytes).expect("a log consists of blocks");
                visit(*moves, block);
                bytes = rest;
            }
        }
        Ok(())
    }

    /// Calls `visit` with each word of a slab that an attacker decided with `side` to move: the moves, the word's number in
    /// the slab, its bits.
    ///
    /// # Errors
    ///
    /// The working file cannot be read.
    #[inline(always)]
    pub(crate) fn each_word(
        &self,
        key: (Color, Color),
        slab: usize,
        mut visit: impl FnMut(u16, usize, u64),
    ) -> Result<(), FormatError> {
        self.each_block(key, slab, |moves, block| block.words().for_each(|(word, bits)| visit(moves, word, bits)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decisions_read_back_from_memory_and_from_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let (attacker, side) = (Color::White, Color::Black);
        let in_folder = |memory| SpillStore::in_folder(folder.path(), memory).unwrap();
        // In memory, in a file, and the first blob here, the others there.
        for store in [SpillStore::in_memory(), in_folder(0), in_folder(500)] {
            let mut log = DecisionLog::new(LogStore::Working(store), 3);
            let mut expected = Vec::new();
            for moves in [0u16, 1, 300] {
                let mut decisions = SlabDecisions::default();
                for row in [0usize, 7, 4095] {
                    let words: Vec<u64> =
                        (0..64).map(|w| if w % 5 == row % 5 { (w as u64 + 1) << (moves % 7) } else { 0 }).collect();
                    decisions.push(row, &words);
                    let filled = words.iter().enumerate().filter(|&(_, &word)| word != 0);
                    expected.extend(filled.map(|(w, &word)| (moves, row * 64 + w, word)));
                }
                let ply = PlyId { attacker, side, moves };
                let blob = log.store(ply, 2, decisions).unwrap().unwrap();
                log.append(ply, 2, blob);
            }
            let mut found = Vec::new();
            log.each_word((attacker, side), 2, |moves, word, bits| found.push((moves, word, bits))).unwrap();
            assert_eq!(found, expected);
            log.each_word((attacker, side), 1, |_, _, _| panic!("an empty slab")).unwrap();
            log.each_word((Color::White, Color::White), 2, |_, _, _| panic!("the other side to move")).unwrap();
        }
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "a working file has no name");
    }
}
