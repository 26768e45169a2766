//! The log of decisions: everything that each pass decided. An entry holds the decisions of one pass in one slab.

use makruk_format::FormatError;
use makruk_rules::{ByColor, Color};

use super::checkpoint::Checkpoint;
use super::ply_id::PlyId;
use super::slab_decisions::{LoggedBlock, SlabDecisions};
use super::work_store::{Blob, WorkStore};

/// The store of a log.
#[derive(Debug)]
pub(crate) enum LogStore {
    /// One that disappears with the process.
    Working(WorkStore),
    /// One from which a build that was killed continues.
    Checkpoint(Checkpoint),
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
pub(crate) struct Entry {
    pub(super) moves: u16,
    blob: Blob,
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
    pub(crate) fn store(
        &self,
        ply: PlyId,
        slab: usize,
        decisions: &mut SlabDecisions,
    ) -> Result<Option<Blob>, FormatError> {
        let bytes = decisions.bytes();
        let stored = match &self.store {
            _ if bytes.is_empty() => return Ok(None),
            LogStore::Working(store) => store.keep(bytes),
            LogStore::Checkpoint(checkpoint) => checkpoint.append(ply, slab, bytes),
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

    /// The entries of an attack in a slab with `side` to move, in the order of the plies.
    pub(crate) fn entries(&self, (attacker, side): (Color, Color), slab: usize) -> &[Entry] {
        &self.slabs[attacker][side][slab]
    }

    /// The blocks of an entry, in place or through `buffer`.
    ///
    /// # Errors
    ///
    /// The working file cannot be read.
    pub(crate) fn blocks<'a>(&'a self, entry: &'a Entry, buffer: &'a mut Vec<u8>) -> Result<Blocks<'a>, FormatError> {
        let bytes = match &self.store {
            LogStore::Working(store) => store.read(&entry.blob, buffer),
            LogStore::Checkpoint(checkpoint) => checkpoint.read(&entry.blob, buffer),
        };
        bytes.map(Blocks)
    }
}

/// The blocks of an entry. A kernel's own loop over them is compiled for its vectors; a closure would not be.
pub(crate) struct Blocks<'a>(&'a [u8]);

impl<'a> Iterator for Blocks<'a> {
    type Item = LoggedBlock<'a>;

    #[inline(always)]
    fn next(&mut self) -> Option<LoggedBlock<'a>> {
        if self.0.is_empty() {
            return None;
        }
        let (block, rest) = LoggedBlock::split(self.0).expect("a log consists of blocks");
        self.0 = rest;
        Some(block)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decisions_read_back_from_memory_and_from_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let (attacker, side) = (Color::White, Color::Black);
        let in_folder = |memory| WorkStore::in_folder(folder.path(), memory, 1, false).unwrap();
        // In memory, in a file, and the first blob here, the others there.
        for store in [WorkStore::in_memory(), in_folder(0), in_folder(500)] {
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
                let blob = log.store(ply, 2, &mut decisions).unwrap().unwrap();
                log.append(ply, 2, blob);
            }
            let mut found = Vec::new();
            for entry in log.entries((attacker, side), 2) {
                for block in log.blocks(entry, &mut Vec::new()).unwrap() {
                    found.extend(block.words().map(|(word, bits)| (entry.moves, word, bits)));
                }
            }
            assert_eq!(found, expected);
            assert!(log.entries((attacker, side), 1).is_empty(), "an empty slab");
            assert!(log.entries((Color::White, Color::White), 2).is_empty(), "the other side to move");
        }
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "a working file has no name");
    }
}
