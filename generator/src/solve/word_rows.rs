//! Predecessors in rows of one word, with lists of the rows that each row leads to.
//!
//! Such rows are many, and a kernel that works out the number of each row that a man reaches takes longer for it than
//! for the words. So the moves of outer leapers and kings come from lists ([`RowMoves`]). A frontier, which holds few
//! rows, sends its words to the rows that they are reached from; a refutation is looked up among the words that a row
//! leads to.

use std::cell::RefCell;

use makruk_rules::{Color, Piece, Role};

use super::along::{add_along_bits, add_along_rows};
use super::bitset::BitsetView;
use super::geometry::{AxisKind, Geometry, RowMen};
use super::row_moves::RowMoves;

/// Adds to `out` the positions of a row from which `mover` has a move into the set. With `wanted`, stops as soon as all
/// of these are found.
#[inline(never)]
pub(super) fn add_predecessors_by_lists(
    (geometry, moves): (&Geometry, &RowMoves),
    mover: Color,
    (slab, row): (usize, usize),
    men: &RowMen,
    set: BitsetView<'_, '_>,
    wanted: Option<u64>,
    out: &mut u64,
) {
    let is_covered = |found: u64| wanted.is_some_and(|wanted| wanted & !found == 0);
    if let Some(piece) = bit_piece(geometry, mover) {
        let mut found = [0];
        add_along_bits(piece, men, set.row(slab, row), &mut found);
        *out |= found[0];
    }
    let words = set.slab(slab);
    for &to in moves.leaps(mover).of(row) {
        *out |= words.row::<1>(to as usize)[0];
    }
    if is_covered(*out) {
        return;
    }
    for (man, &piece) in geometry.men().iter().enumerate() {
        if let AxisKind::Outer(axis) = geometry.axis_kind(man)
            && piece.color == mover
            && piece.role == Role::Rook
        {
            let mut found = [0];
            add_along_rows(geometry, piece, axis, (slab, row), men, set, &mut found);
            *out |= found[0];
        }
    }
    for king_move in geometry.king_moves(mover, slab) {
        let from = moves.under(king_move.transform)[row];
        let word = set.row::<1>(king_move.slab, from as usize)[0];
        if word != 0 {
            *out |= king_move.transform.inverse().bits(word);
            if is_covered(*out) {
                return;
            }
        }
    }
}

/// The last man, if he is one of the mover's.
fn bit_piece(geometry: &Geometry, mover: Color) -> Option<Piece> {
    geometry.men().last().copied().filter(|piece| piece.color == mover)
}

/// Whether lists have all moves of a side: a pawn is not among its men.
pub(super) fn lists_have_moves(geometry: &Geometry, mover: Color) -> bool {
    !geometry.men().iter().any(|piece| piece.color == mover && piece.role == Role::Pawn)
}

/// Whether a frontier's words can be sent: nothing can be in the way of an outer man.
pub(super) fn can_send(geometry: &Geometry, moves: &RowMoves, mover: Color) -> bool {
    moves.only_leaps(mover) && lists_have_moves(geometry, mover)
}

/// The words of a slab that a frontier is reached from. All are zero until words are sent.
#[derive(Debug, Default)]
pub(crate) struct SentWords {
    words: Vec<u64>,
    /// For each 64 rows, whether a word was sent to one of them.
    is_touched: Vec<bool>,
}

/// The rows that one mark is about.
const MARKED_ROWS: usize = 64;

thread_local! {
    static SENT: RefCell<SentWords> = RefCell::default();
}

impl SentWords {
    /// The bytes for a slab of this number of rows of one word.
    pub(crate) const fn bytes(rows: usize) -> u64 {
        (rows * size_of::<u64>() + rows.div_ceil(MARKED_ROWS)) as u64
    }

    /// Calls `visit` with each row of a slab from which `mover` has a move into the set, in their order, and with its
    /// word.
    pub(super) fn each_origin(
        (geometry, moves): (&Geometry, &RowMoves),
        mover: Color,
        slab: usize,
        set: BitsetView<'_, '_>,
        mut visit: impl FnMut(usize, u64),
    ) {
        SENT.with_borrow_mut(|sent| {
            sent.resize(geometry.rows());
            sent.send(geometry, moves, mover, slab, set);
            let SentWords { words, is_touched } = sent;
            for (mark, is_touched) in is_touched.iter_mut().enumerate().filter(|(_, is_touched)| **is_touched) {
                *is_touched = false;
                let first = mark * MARKED_ROWS;
                for (row, word) in (first..).zip(words.iter_mut().skip(first).take(MARKED_ROWS)) {
                    match std::mem::take(word) {
                        0 => {}
                        word => visit(row, word),
                    }
                }
            }
        });
    }

    /// Makes room for a slab of this number of rows.
    fn resize(&mut self, rows: usize) {
        self.words.resize(rows, 0);
        self.is_touched.resize(rows.div_ceil(MARKED_ROWS), false);
    }

    #[inline(always)]
    fn add(&mut self, row: u32, word: u64) {
        self.words[row as usize] |= word;
        self.is_touched[row as usize / MARKED_ROWS] = true;
    }

    fn send(&mut self, geometry: &Geometry, moves: &RowMoves, mover: Color, slab: usize, set: BitsetView<'_, '_>) {
        let origins = moves.origins(mover);
        let bit_piece = bit_piece(geometry, mover);
        let kings = geometry.layout().kings().pair(slab);
        let words = set.slab(slab);
        for row in set.active_in(slab) {
            let word = words.row::<1>(row)[0];
            if let Some(piece) = bit_piece {
                // Only a rook asks where the others are.
                let men = match piece.role {
                    Role::Rook => geometry.row_men(slab, row),
                    _ => RowMen { kings, outer: Default::default() },
                };
                let mut found = [0];
                add_along_bits(piece, &men, &[word], &mut found);
                self.add(row as u32, found[0]);
            }
            for &origin in origins.of(row) {
                self.add(origin, word);
            }
        }
        for king_move in geometry.king_moves(mover, slab) {
            let transform = king_move.transform.inverse();
            let back = moves.under(transform);
            let words = set.slab(king_move.slab);
            for row in set.active_in(king_move.slab) {
                let word = words.row::<1>(row)[0];
                self.add(back[row], transform.bits(word));
            }
        }
    }
}
