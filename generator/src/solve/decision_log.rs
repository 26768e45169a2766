//! The log of decisions: everything that each pass decided.
//!
//! An entry holds the decisions of one pass in one slab: for every row with a decision the row's number, a mask of its
//! words that are not empty, and these words. A position is decided once at most, so the log is about as large as the
//! positions it decides, whatever the distances.

use makruk_tables::format::FormatError;
use makruk_tables::rules::{ByColor, Color};

use super::spill_store::{Blob, SpillStore};

/// The decisions of a material under one metric.
#[derive(Debug)]
pub(crate) struct DecisionLog {
    store: SpillStore,
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
}

/// The number of a row within its slab, as it is logged.
type RowNumber = u32;

/// A mask of a row's words, as it is logged.
type WordMask = u64;

impl SlabDecisions {
    /// The most bytes that the decisions of a row of so many words take.
    pub(crate) const fn max_row_bytes(row_words: usize) -> u64 {
        (size_of::<RowNumber>() + size_of::<WordMask>() + row_words * size_of::<u64>()) as u64
    }

    /// Adds a row.
    #[inline(always)]
    pub(crate) fn push(&mut self, row: usize, words: &[u64]) {
        let mut mask: WordMask = 0;
        for (w, &word) in words.iter().enumerate() {
            mask |= WordMask::from(word != 0) << w;
        }
        self.bytes.extend_from_slice(&(row as RowNumber).to_le_bytes());
        self.bytes.extend_from_slice(&mask.to_le_bytes());
        for &word in words.iter().filter(|&&word| word != 0) {
            self.bytes.extend_from_slice(&word.to_le_bytes());
        }
    }
}

impl DecisionLog {
    /// The bytes that an entry takes besides its blob's content.
    pub(crate) const ENTRY_BYTES: u64 = size_of::<Entry>() as u64;

    /// An empty log.
    pub(crate) fn new(store: SpillStore, slabs: usize) -> DecisionLog {
        let empty = || (0..slabs).map(|_| Vec::new()).collect();
        DecisionLog { store, slabs: ByColor::from_fn(|_| ByColor::from_fn(|_| empty())) }
    }

    /// Stores the decisions of a pass in a slab, if there are any; any thread may do so.
    ///
    /// # Errors
    ///
    /// The working file cannot be written.
    pub(crate) fn store(&self, decisions: SlabDecisions) -> Result<Option<Blob>, FormatError> {
        if decisions.bytes.is_empty() { Ok(None) } else { self.store.append(decisions.bytes).map(Some) }
    }

    /// Appends an entry of stored decisions, for an attacker and with `side` to move.
    pub(crate) fn append(&mut self, (attacker, side): (Color, Color), slab: usize, moves: u16, blob: Option<Blob>) {
        if let Some(blob) = blob {
            self.slabs[attacker][side][slab].push(Entry { moves, blob });
        }
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
        (attacker, side): (Color, Color),
        slab: usize,
        row_words: usize,
        mut visit: impl FnMut(u16, usize, u64),
    ) -> Result<(), FormatError> {
        const ROW: usize = size_of::<RowNumber>();
        const MASK: usize = size_of::<WordMask>();
        let mut buffer = Vec::new();
        for entry in &self.slabs[attacker][side][slab] {
            let mut bytes = self.store.read(&entry.blob, &mut buffer)?;
            while let Some((row, rest)) = bytes.split_first_chunk::<ROW>() {
                let (mask, rest) = rest.split_first_chunk::<MASK>().expect("a mask follows a row's number");
                bytes = rest;
                let start = RowNumber::from_le_bytes(*row) as usize * row_words;
                let mut mask = WordMask::from_le_bytes(*mask);
                while mask != 0 {
                    let (word, rest) = bytes.split_first_chunk::<8>().expect("a word for each bit of the mask");
                    bytes = rest;
                    visit(entry.moves, start + mask.trailing_zeros() as usize, u64::from_le_bytes(*word));
                    mask &= mask - 1;
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decisions_read_back_from_memory_and_from_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let key = (Color::White, Color::Black);
        let in_folder = |memory| SpillStore::in_folder(folder.path(), memory).unwrap();
        // In memory, in a file, and the first blob here, the others there.
        for store in [SpillStore::in_memory(), in_folder(0), in_folder(500)] {
            let mut log = DecisionLog::new(store, 3);
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
                let blob = log.store(decisions).unwrap();
                log.append(key, 2, moves, blob);
            }
            let mut found = Vec::new();
            log.each_word(key, 2, 64, |moves, word, bits| found.push((moves, word, bits))).unwrap();
            assert_eq!(found, expected);
            log.each_word(key, 1, 64, |_, _, _| panic!("an empty slab")).unwrap();
            log.each_word((Color::White, Color::White), 2, 64, |_, _, _| panic!("the other side to move")).unwrap();
        }
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "a working file has no name");
    }
}
