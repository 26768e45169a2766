//! Predecessors by one man: along the bits of a word, the words of a row, or the rows of a slab.

use arrayvec::ArrayVec;
use makruk_rules::{Bitboard, Color, Piece, Role, leaper_attacks};

use super::bitset::{BitsetView, Row};
use super::geometry::{Geometry, RowMen};

const NOT_A: u64 = 0xfefe_fefe_fefe_fefe;
const NOT_H: u64 = 0x7f7f_7f7f_7f7f_7f7f;
const NOT_AB: u64 = 0xfcfc_fcfc_fcfc_fcfc;
const NOT_GH: u64 = 0x3f3f_3f3f_3f3f_3f3f;

/// The four diagonal steps as (files, ranks).
const DIAGONAL: [(i8, i8); 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];
const KNIGHT: [(i8, i8); 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

// ---- the bit axis -------------------------------------------------------------------------------------------------

#[inline(always)]
fn diagonal_neighbours(x: u64) -> u64 {
    let (west, east) = (x >> 1 & NOT_H, x << 1 & NOT_A);
    let sides = west | east;
    sides << 8 | sides >> 8
}

#[inline(always)]
fn knight_neighbours(x: u64) -> u64 {
    let near = (x >> 1 & NOT_H) | (x << 1 & NOT_A);
    let far = (x >> 2 & NOT_GH) | (x << 2 & NOT_AB);
    near << 16 | near >> 16 | far << 8 | far >> 8
}

/// The squares from which a rook reaches a square of `x`: rays outward from `x` through empty squares.
#[inline(always)]
fn rook_neighbours(x: u64, empty: u64) -> u64 {
    let mut found = 0;
    {
        let (mut g, mut p) = (x, empty);
        g |= p & g << 8;
        p &= p << 8;
        g |= p & g << 16;
        p &= p << 16;
        g |= p & g << 32;
        found |= g << 8;
    }
    {
        let (mut g, mut p) = (x, empty);
        g |= p & g >> 8;
        p &= p >> 8;
        g |= p & g >> 16;
        p &= p >> 16;
        g |= p & g >> 32;
        found |= g >> 8;
    }
    {
        let (mut g, mut p) = (x, empty & NOT_A);
        g |= p & g << 1;
        p &= p << 1;
        g |= p & g << 2;
        p &= p << 2;
        g |= p & g << 4;
        found |= g << 1 & NOT_A;
    }
    {
        let (mut g, mut p) = (x, empty & NOT_H);
        g |= p & g >> 1;
        p &= p >> 1;
        g |= p & g >> 2;
        p &= p >> 2;
        g |= p & g >> 4;
        found |= g >> 1 & NOT_H;
    }
    found
}

/// The last man moves inside each word, so its moves run backwards: a White khon that stepped up the board came from
/// the square below.
#[inline(always)]
pub(super) fn add_along_bits<const W: usize>(piece: Piece, men: &RowMen, set: &Row<W>, out: &mut Row<W>) {
    match (piece.role, piece.color) {
        (Role::Met, _) => {
            for w in 0..W {
                out[w] |= diagonal_neighbours(set[w]);
            }
        }
        (Role::Khon, Color::White) => {
            for w in 0..W {
                out[w] |= diagonal_neighbours(set[w]) | set[w] >> 8;
            }
        }
        (Role::Khon, Color::Black) => {
            for w in 0..W {
                out[w] |= diagonal_neighbours(set[w]) | set[w] << 8;
            }
        }
        (Role::Knight, _) => {
            for w in 0..W {
                out[w] |= knight_neighbours(set[w]);
            }
        }
        (Role::Rook, _) => {
            let empty = !men.fixed();
            for w in 0..W {
                // With an inner man, word w has it on square w.
                let empty = if W == 64 { empty & !(1 << (w & 63)) } else { empty };
                out[w] |= rook_neighbours(set[w], empty);
            }
        }
        (Role::King | Role::Pawn, _) => unreachable!("kings are slabs, and pawns have kernels of their own"),
    }
}

// ---- the inner axis -----------------------------------------------------------------------------------------------

/// All ones on the squares from which a step by `files` files stays on the board.
const fn file_masks(files: i8) -> [u64; 64] {
    let mut masks = [0; 64];
    let mut square = 0;
    while square < 64 {
        let file = (square & 7) as i8 + files;
        if file >= 0 && file < 8 {
            masks[square] = !0;
        }
        square += 1;
    }
    masks
}

static FILE_MASKS: [[u64; 64]; 5] = [file_masks(-2), file_masks(-1), file_masks(0), file_masks(1), file_masks(2)];

/// `out[w] |= set[w + step]` wherever the step stays on the board.
#[inline(always)]
fn step_words<const W: usize>(set: &Row<W>, (files, ranks): (i8, i8), out: &mut Row<W>) {
    let mask = &FILE_MASKS[(files + 2) as usize];
    let offset = isize::from(ranks) * 8 + isize::from(files);
    let (to, from) = if offset >= 0 { (0, offset as usize) } else { (offset.unsigned_abs(), 0) };
    let len = W.saturating_sub(offset.unsigned_abs());
    let (out, mask, set) = (&mut out[to..to + len], &mask[to..to + len], &set[from..from + len]);
    for ((out, &mask), &set) in out.iter_mut().zip(mask).zip(set) {
        *out |= set & mask;
    }
}

#[inline(always)]
pub(super) fn add_along_words<const W: usize>(piece: Piece, men: &RowMen, set: &Row<W>, out: &mut Row<W>) {
    match piece.role {
        Role::Knight => {
            for step in KNIGHT {
                step_words(set, step, out);
            }
        }
        Role::Met | Role::Khon => {
            for step in DIAGONAL {
                step_words(set, step, out);
            }
            if piece.role == Role::Khon {
                step_words(set, (0, piece.color.forward()), out);
            }
        }
        Role::Rook => add_along_words_by_rook(men, set, out),
        Role::King | Role::Pawn => unreachable!("kings are slabs, and pawns have kernels of their own"),
    }
}

#[inline(always)]
fn add_along_words_by_rook<const W: usize>(men: &RowMen, set: &Row<W>, out: &mut Row<W>) {
    assert!(W == 64, "an inner man has 64 words");
    let fixed = men.fixed();
    // The bits that survive when the rook passes over square w: none if a man of the row stands there, else all but w.
    let open: Row<W> = std::array::from_fn(|w| if fixed >> (w & 63) & 1 != 0 { 0 } else { !(1u64 << (w & 63)) });
    // Up and down: a rank of eight words at a time.
    let mut ray = [0u64; 8];
    for rank in (0..7).rev() {
        for file in 0..8 {
            let next = rank * 8 + 8 + file;
            ray[file] = set[next] | (ray[file] & open[next]);
            out[rank * 8 + file] |= ray[file];
        }
    }
    let mut ray = [0u64; 8];
    for rank in 1..8 {
        for file in 0..8 {
            let next = rank * 8 - 8 + file;
            ray[file] = set[next] | (ray[file] & open[next]);
            out[rank * 8 + file] |= ray[file];
        }
    }
    // Left and right: inside each rank.
    for rank in 0..8 {
        let mut ray = 0;
        for file in (0..7).rev() {
            let next = rank * 8 + file + 1;
            ray = set[next] | (ray & open[next]);
            out[rank * 8 + file] |= ray;
        }
        let mut ray = 0;
        for file in 1..8 {
            let next = rank * 8 + file - 1;
            ray = set[next] | (ray & open[next]);
            out[rank * 8 + file] |= ray;
        }
    }
}

// ---- the outer axes -----------------------------------------------------------------------------------------------

#[inline(always)]
pub(super) fn or_row<const W: usize>(out: &mut Row<W>, set: &Row<W>) {
    for w in 0..W {
        out[w] |= set[w];
    }
}

#[inline(always)]
pub(super) fn add_along_rows<const W: usize>(
    geometry: &Geometry,
    piece: Piece,
    axis: usize,
    (slab, row): (usize, usize),
    men: &RowMen,
    set: BitsetView<'_, '_>,
    out: &mut Row<W>,
) {
    let from = men.outer[axis];
    if piece.role != Role::Rook {
        for to in leaper_attacks(piece.color, piece.role, from) {
            if let Some(next) = geometry.row_with(row, men, axis, to).filter(|&next| set.is_active(slab, next)) {
                or_row(out, set.row(slab, next));
            }
        }
        return;
    }
    let kings = men.king_bits();
    let others = men.fixed() & !kings & !Bitboard::of(from).0;
    for (files, ranks) in [(0, 1), (0, -1), (1, 0), (-1, 0)] {
        // A ray walks outward; the men that vary within the row block it cell by cell: the bit man those bits that
        // `open` loses, the inner man the word that the ray has passed, which keeps what it had then.
        let mut open = !0u64;
        let mut passed = ArrayVec::<(usize, u64), 7>::new();
        let mut at = from.offset(files, ranks);
        while let Some(to) = at.filter(|to| kings >> to.number() & 1 == 0) {
            if let Some(next) = geometry.row_with(row, men, axis, to).filter(|&next| set.is_active(slab, next)) {
                let set: &Row<W> = set.row(slab, next);
                for w in 0..W {
                    out[w] |= set[w] & open;
                }
            }
            if others >> to.number() & 1 != 0 {
                break;
            }
            open &= !(1 << to.number());
            if W == 64 {
                passed.push((to.index(), out[to.index()]));
            }
            at = to.offset(files, ranks);
        }
        for (word, kept) in passed {
            out[word] = kept;
        }
    }
}

// ---- pawns --------------------------------------------------------------------------------------------------------

/// The squares from which a pawn steps to a square of `steps` or takes on a square of `captures`.
#[inline(always)]
fn pawn_origins(color: Color, steps: u64, captures: u64) -> u64 {
    let takers = (captures >> 1 & NOT_H) | (captures << 1 & NOT_A);
    match color {
        Color::White => (steps | takers) >> 8,
        Color::Black => (steps | takers) << 8,
    }
}

/// Adds the bits from which a pawn steps into the one set or takes into the other. The pawn's square is given by the
/// bit of a word or by the word of a row.
#[inline(always)]
pub(super) fn add_pawn_origins<const W: usize>(
    color: Color,
    along_bits: bool,
    steps: &Row<W>,
    captures: &Row<W>,
    out: &mut Row<W>,
) {
    if along_bits {
        for w in 0..W {
            out[w] |= pawn_origins(color, steps[w], captures[w]);
        }
    } else {
        step_words(steps, (0, color.forward()), out);
        for files in [-1, 1] {
            step_words(captures, (files, color.forward()), out);
        }
    }
}
