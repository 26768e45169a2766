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
struct Entry {
    moves: u16,
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

    /// Calls `visit` with each block of a slab that an attacker decided something in with `side` to move, and with the
    /// moves.
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

    /// Calls `visit` with each word of a slab that an attacker decided with `side` to move: the moves, the word's
    /// number in the slab, its bits.
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
            log.each_word((attacker, side), 2, |moves, word, bits| found.push((moves, word, bits))).unwrap();
            assert_eq!(found, expected);
            log.each_word((attacker, side), 1, |_, _, _| panic!("an empty slab")).unwrap();
            log.each_word((Color::White, Color::White), 2, |_, _, _| panic!("the other side to move")).unwrap();
        }
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "a working file has no name");
    }
}
