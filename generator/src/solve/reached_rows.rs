//! The rows that a pass can reach: a mask of those from which a side has a move to a row that holds any position.

use arrayvec::ArrayVec;
use makruk_rules::{Color, Role};

use super::along::{add_along_bits, add_along_words, add_pawn_origins, or_row};
use super::bitset::{BitsetView, Row};
use super::geometry::{AxisKind, Geometry, RowMen};
use super::predecessors::add_king_move;
use super::row_moves::RowMoves;

/// The mask of a slab's rows from which `mover` reaches rows of the set that hold any position.
#[inline(always)]
pub(crate) fn reached_rows(geometry: &Geometry, mover: Color, slab: usize, set: BitsetView<'_, '_>) -> Vec<u64> {
    match (geometry.row_moves(), geometry.outer()) {
        (Some(moves), _) => reached_one_by_one(geometry, moves, mover, slab, set),
        (None, 0 | 1) => reached_in::<1>(geometry, mover, slab, set).to_vec(),
        (None, _) => reached_in::<64>(geometry, mover, slab, set).to_vec(),
    }
}

/// Rows are to their mask what bits are to a row. With one outer man the row's number is the man's square, as with the
/// bit man. With two, the slower is to the mask what an inner man is to a row. So the same kernels find the mask.
#[inline(always)]
fn reached_in<const W: usize>(geometry: &Geometry, mover: Color, slab: usize, set: BitsetView<'_, '_>) -> Row<W> {
    let men = RowMen { kings: geometry.layout().kings().pair(slab), outer: ArrayVec::new() };
    let active: &Row<W> = set.active_rows(slab);
    let mut reached = [0; W];
    for (man, &piece) in geometry.men().iter().enumerate().filter(|(_, piece)| piece.color == mover) {
        match geometry.axis_kind(man) {
            AxisKind::Bit | AxisKind::Inner => or_row(&mut reached, active),
            // Whether a pawn steps or takes depends on the men within the rows.
            AxisKind::Outer(axis) if piece.role == Role::Pawn => {
                let along_bits = axis + 1 == geometry.outer();
                add_pawn_origins(piece.color, along_bits, active, active, &mut reached);
            }
            AxisKind::Outer(axis) if axis + 1 == geometry.outer() => add_along_bits(piece, &men, active, &mut reached),
            AxisKind::Outer(_) => add_along_words(piece, &men, active, &mut reached),
        }
    }
    for king_move in geometry.king_moves(mover, slab) {
        let active: &Row<W> = set.active_rows(king_move.slab);
        if geometry.outer() == 0 {
            or_row(&mut reached, active);
        } else {
            add_king_move(king_move.transform, active, &mut reached);
        }
    }
    reached
}

fn reached_one_by_one(
    geometry: &Geometry,
    moves: &RowMoves,
    mover: Color,
    slab: usize,
    set: BitsetView<'_, '_>,
) -> Vec<u64> {
    let mut reached = vec![0; geometry.mask_words()];
    let mut add = |row: u32| reached[row as usize / 64] |= 1 << (row % 64);
    let men = geometry.men();
    let within_rows = men[geometry.outer()..].iter().any(|piece| piece.color == mover);
    let origins = moves.origins(mover);
    for row in set.active_in(slab) {
        if within_rows {
            add(row as u32);
        }
        origins.of(row).iter().copied().for_each(&mut add);
    }
    for king_move in geometry.king_moves(mover, slab) {
        let back = moves.under(king_move.transform.inverse());
        set.active_in(king_move.slab).for_each(|row| add(back[row]));
    }
    reached
}
