//! Predecessors: the positions of a row that have a move into a set.
//!
//! Every function here works on one row of `W` words and is vectorised by the compiler. Exits need no code of their own: a bit
//! in which a man of the moving side shares a square with an enemy man stands for the position after that capture, one in
//! which a pawn is on its promotion rank for the position after the promotion, and the set that moves lead into holds such bits
//! too (see [`mod@crate::solve::exit_seeds`]). Only a pawn moves in one way and takes in another: it steps into the bits in
//! which it shares no square, and takes into the others.

use arrayvec::ArrayVec;
use makruk_tables::index::Transform;
use makruk_tables::rules::{Bitboard, Color, Piece, Role, Square, leaper_attacks};

use super::bitset::{BitsetView, Row};
use super::geometry::{AxisKind, Geometry, RowMen};
use super::legality::shared;
use super::word_rows::{add_predecessors_by_lists, lists_have_moves};

const NOT_A: u64 = 0xfefe_fefe_fefe_fefe;
const NOT_H: u64 = 0x7f7f_7f7f_7f7f_7f7f;
const NOT_AB: u64 = 0xfcfc_fcfc_fcfc_fcfc;
const NOT_GH: u64 = 0x3f3f_3f3f_3f3f_3f3f;

/// The four diagonal steps as (files, ranks).
const DIAGONAL: [(i8, i8); 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];
const KNIGHT: [(i8, i8); 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

/// Whether every wanted position is already found.
#[inline(always)]
fn is_covered<const W: usize>(wanted: Option<&Row<W>>, found: &Row<W>) -> bool {
    wanted.is_some_and(|wanted| wanted.iter().zip(found).fold(0, |missing, (&w, &f)| missing | (w & !f)) == 0)
}

/// Adds to `out` the positions of a row from which `mover` has a move into the set. Bits of `out` that are no legal
/// positions hold anything. With `wanted`, stops as soon as all of these are found.
#[inline(always)]
pub(crate) fn add_predecessors<const W: usize>(
    geometry: &Geometry,
    mover: Color,
    (slab, row): (usize, usize),
    men: &RowMen,
    set: BitsetView<'_, '_>,
    wanted: Option<&Row<W>>,
    out: &mut Row<W>,
) {
    if W == 1
        && let Some(moves) = geometry.row_moves()
        && lists_have_moves(geometry, mover)
    {
        let wanted = wanted.map(|wanted| wanted[0]);
        return add_predecessors_by_lists((geometry, moves), mover, (slab, row), men, set, wanted, &mut out[0]);
    }
    let own_row = set.is_active(slab, row);
    for (man, &piece) in geometry.men().iter().enumerate().rev() {
        if piece.color != mover {
            continue;
        }
        match geometry.axis_kind(man) {
            _ if piece.role == Role::Pawn => add_by_pawn(geometry, man, (slab, row), men, set, out),
            AxisKind::Bit if own_row => add_along_bits(piece, men, set.row(slab, row), out),
            AxisKind::Inner if own_row => add_along_words(piece, men, set.row(slab, row), out),
            AxisKind::Outer(axis) => add_along_rows(geometry, piece, axis, (slab, row), men, set, out),
            AxisKind::Bit | AxisKind::Inner => {}
        }
        if is_covered(wanted, out) {
            return;
        }
    }
    for king_move in geometry.king_moves(mover, slab) {
        let from = geometry.row_under(men, king_move.transform);
        if set.is_active(king_move.slab, from) {
            add_king_move(king_move.transform, set.row(king_move.slab, from), out);
            if is_covered(wanted, out) {
                return;
            }
        }
    }
}

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

/// The last man moves inside each word, so its moves run backwards: a White khon that stepped up the board came from the
/// square below.
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

/// All ones on the squares from which a step of so many files stays on the board.
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
        // A ray walks outward; the men that vary within the row block it cell by cell: the bit man those bits that `open`
        // loses, the inner man the word that the ray has passed, which keeps what it had then.
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

/// Adds the bits from which a pawn, whose axis is that of the bits or that of the words, steps into the one set or takes into the
/// other.
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

#[inline(always)]
fn add_by_pawn<const W: usize>(
    geometry: &Geometry,
    man: usize,
    (slab, row): (usize, usize),
    men: &RowMen,
    set: BitsetView<'_, '_>,
    out: &mut Row<W>,
) {
    let color = geometry.men()[man].color;
    let king = Bitboard::of(men.kings[!color]).0;
    // The bits in which the pawn has taken a man, the outer men standing so.
    let taken = |men: &RowMen| shared::<W>(geometry, men, man, king, |other| geometry.men()[other].color != color);
    if let AxisKind::Outer(axis) = geometry.axis_kind(man) {
        let from = men.outer[axis];
        for files in [-1, 0, 1] {
            let Some(to) = from.offset(files, color.forward()) else { continue };
            if let Some(next) = geometry.row_with(row, men, axis, to).filter(|&next| set.is_active(slab, next)) {
                let mut there = men.clone();
                there.outer[axis] = to;
                let (set, taken): (&Row<W>, Row<W>) = (set.row(slab, next), taken(&there));
                for w in 0..W {
                    out[w] |= set[w] & if files == 0 { !taken[w] } else { taken[w] };
                }
            }
        }
    } else if set.is_active(slab, row) {
        let (set, taken): (&Row<W>, Row<W>) = (set.row(slab, row), taken(men));
        let steps: Row<W> = std::array::from_fn(|w| set[w] & !taken[w]);
        let captures: Row<W> = std::array::from_fn(|w| set[w] & taken[w]);
        let along_bits = geometry.axis_kind(man) == AxisKind::Bit;
        add_pawn_origins(color, along_bits, &steps, &captures, out);
    }
}

// ---- the kings ----------------------------------------------------------------------------------------------------

/// Reads a row of the slab that the king's move leads to through the symmetry that brings that slab home.
#[inline(always)]
pub(super) fn add_king_move<const W: usize>(transform: Transform, set: &Row<W>, out: &mut Row<W>) {
    if transform.is_identity() {
        or_row(out, set);
        return;
    }
    let mut permuted = [0u64; W];
    for w in 0..W {
        permuted[w] = if W == 64 { set[transform.square(Square::new(w as u8 & 63)).index()] } else { set[w] };
    }
    let back = transform.inverse();
    for w in 0..W {
        out[w] |= back.bits(permuted[w]);
    }
}
