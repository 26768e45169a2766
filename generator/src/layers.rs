//! What each pass decided, layer by layer.
//!
//! A layer is what one pass decided in one slab: for every row that it touched the row's number, a mask of the words
//! that are not empty, and these words. Every position is in one layer at most, so all layers together are about as large
//! as the positions they decide, whatever the distances.

use makruk_tables::format::FormatError;
use makruk_tables::rules::{ByColor, Color};

use crate::spool::{Chunk, Spool};

/// The layers of a set under one metric: by attacker, by the side to move, by slab.
#[derive(Debug)]
pub(crate) struct Layers {
    spool: Spool,
    slabs: ByColor<ByColor<Vec<Vec<Layer>>>>,
}

/// One slab's part of what a pass decided.
#[derive(Debug)]
struct Layer {
    moves: u16,
    chunk: Chunk,
}

/// The rows of a layer while they are found.
#[derive(Debug, Default)]
pub(crate) struct Rows {
    bytes: Vec<u8>,
}

impl Rows {
    /// Adds a row.
    #[inline(always)]
    pub(crate) fn push(&mut self, row: usize, words: &[u64]) {
        let mut mask = 0u64;
        for (w, &word) in words.iter().enumerate() {
            mask |= u64::from(word != 0) << w;
        }
        self.bytes.extend_from_slice(&(row as u16).to_le_bytes());
        self.bytes.extend_from_slice(&mask.to_le_bytes());
        for &word in words.iter().filter(|&&word| word != 0) {
            self.bytes.extend_from_slice(&word.to_le_bytes());
        }
    }
}

impl Layers {
    /// No layers, with room to put them.
    pub(crate) fn new(spool: Spool, slabs: usize) -> Layers {
        let empty = || (0..slabs).map(|_| Vec::new()).collect();
        Layers { spool, slabs: ByColor::from_fn(|_| ByColor::from_fn(|_| empty())) }
    }

    /// Puts away what a pass decided in a slab; any thread may. Nothing, if it decided nothing.
    pub(crate) fn put(&self, rows: Rows) -> Result<Option<Chunk>, FormatError> {
        if rows.bytes.is_empty() { Ok(None) } else { self.spool.put(rows.bytes).map(Some) }
    }

    /// Adds what was put away for an attacker, with `side` to move.
    pub(crate) fn add(&mut self, (attacker, side): (Color, Color), slab: usize, moves: u16, chunk: Option<Chunk>) {
        if let Some(chunk) = chunk {
            self.slabs[attacker][side][slab].push(Layer { moves, chunk });
        }
    }

    /// Calls `visit` with each word of a slab that an attacker decided with `side` to move: the moves, the word's number in
    /// the slab, its bits.
    #[inline(always)]
    pub(crate) fn each_word(
        &self,
        (attacker, side): (Color, Color),
        slab: usize,
        row_words: usize,
        mut visit: impl FnMut(u16, usize, u64),
    ) -> Result<(), FormatError> {
        let mut buffer = Vec::new();
        for layer in &self.slabs[attacker][side][slab] {
            let mut bytes = self.spool.read(&layer.chunk, &mut buffer)?;
            while let Some((row, rest)) = bytes.split_first_chunk::<2>() {
                let (mask, rest) = rest.split_first_chunk::<8>().expect("a mask follows a row's number");
                bytes = rest;
                let start = usize::from(u16::from_le_bytes(*row)) * row_words;
                let mut mask = u64::from_le_bytes(*mask);
                while mask != 0 {
                    let (word, rest) = bytes.split_first_chunk::<8>().expect("a word for each bit of the mask");
                    bytes = rest;
                    visit(layer.moves, start + mask.trailing_zeros() as usize, u64::from_le_bytes(*word));
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
    fn layers_read_back_from_memory_and_from_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let key = (Color::White, Color::Black);
        let in_folder = |memory| Spool::in_folder(folder.path(), memory).unwrap();
        // In memory, in a file, and the first chunk here, the others there.
        for spool in [Spool::in_memory(), in_folder(0), in_folder(500)] {
            let mut layers = Layers::new(spool, 3);
            let mut expected = Vec::new();
            for moves in [0u16, 1, 300] {
                let mut rows = Rows::default();
                for row in [0usize, 7, 4095] {
                    let words: Vec<u64> =
                        (0..64).map(|w| if w % 5 == row % 5 { (w as u64 + 1) << (moves % 7) } else { 0 }).collect();
                    rows.push(row, &words);
                    let filled = words.iter().enumerate().filter(|&(_, &word)| word != 0);
                    expected.extend(filled.map(|(w, &word)| (moves, row * 64 + w, word)));
                }
                let chunk = layers.put(rows).unwrap();
                layers.add(key, 2, moves, chunk);
            }
            let mut found = Vec::new();
            layers.each_word(key, 2, 64, |moves, word, bits| found.push((moves, word, bits))).unwrap();
            assert_eq!(found, expected);
            layers.each_word(key, 1, 64, |_, _, _| panic!("an empty slab")).unwrap();
            layers.each_word((Color::White, Color::White), 2, 64, |_, _, _| panic!("the other side to move")).unwrap();
        }
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "a working file has no name");
    }
}
