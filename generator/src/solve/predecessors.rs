//! Predecessors: the positions of a row that have a move into a set.
//!
//! Every function here works on one row of `W` words and is vectorised by the compiler. Exits need no code of their
//! own. A bit in which a man of the moving side shares a square with an enemy man stands for the position after that
//! capture. A bit in which a pawn is on its promotion rank stands for the position after the promotion. The set that
//! moves lead into holds such bits too (see [`mod@crate::solve::exit_seeds`]). Only a pawn moves in one way and takes
//! in another: it steps into the bits in which it shares no square, and takes into the others.

use makruk_format::index::Transform;
use makruk_rules::{Bitboard, Color, Role, Square};

use super::along::{add_along_bits, add_along_rows, add_along_words, add_pawn_origins, or_row};
use super::bitset::{BitsetView, Row};
use super::geometry::{AxisKind, Geometry, RowMen};
use super::legality::shared;
use super::word_rows::{add_predecessors_by_lists, lists_have_moves};

/// Whether every wanted position is already found.
#[inline(always)]
fn is_covered<const W: usize>(wanted: Option<&Row<W>>, found: &Row<W>) -> bool {
    wanted.is_some_and(|wanted| wanted.iter().zip(found).fold(0, |missing, (&w, &f)| missing | (w & !f)) == 0)
}

/// Adds to `out` the positions of a row from which `mover` has a move into the set. Bits of `out` that are not legal
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

/// Reads a row of the slab that the king's move leads to through the symmetry that brings that slab home.
#[inline(always)]
pub(super) fn add_king_move<const W: usize>(transform: Transform, set: &Row<W>, out: &mut Row<W>) {
    if transform == Transform::IDENTITY {
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
