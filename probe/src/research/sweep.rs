//! What a side is worth whose positions no table has, slab by slab: the best of its moves.
//!
//! A move takes all positions of a slab that differ in the other men alone to those of one other slab, of the set or of
//! the set that a capture leads to. Where a man goes in that slab's order, each axis says by itself; so a move is a list
//! of steps for each axis, and all combinations of them are gone through.

use arrayvec::ArrayVec;
use makruk_tables::index::{Axis, Layout, MAX_AXES, Pair, Transform, rank};
use makruk_tables::rules::{Color, Piece, Role, Square, king_attacks, leaper_attacks};

use super::cells::Cells;
use super::{Cell, SlabSource};
use crate::{ProbeError, Prober};

/// What a digit, of an axis, adds to the offset before a move and after it.
type Step = (u32, u32);

/// The sweep of a set's side, of which no rook is.
#[derive(Debug)]
pub(super) struct Sweep {
    mover: Color,
    captures: Vec<Capture>,
    /// For each axis of the set.
    axes: Vec<Digits>,
}

/// The digits of an axis.
#[derive(Debug)]
struct Digits {
    piece: Piece,
    /// How many offsets one step is.
    stride: u32,
    /// What each stands for.
    squares: Vec<Squares>,
    /// Those that have a man on a square, by square.
    holding: Vec<Vec<u32>>,
}

/// The squares of like men, ascending.
type Squares = ArrayVec<Square, MAX_AXES>;

impl Digits {
    fn of(layout: &Layout) -> Vec<Digits> {
        let of_axis = |(at, axis): (usize, &Axis)| {
            let squares: Vec<Squares> =
                (0..rank::sets(axis.count)).map(|digit| rank::unrank(digit, axis.count)).collect();
            let holds = |square: Square| {
                let digits = squares.iter().enumerate().filter(|(_, men)| men.contains(&square));
                digits.map(|(digit, _)| digit as u32).collect()
            };
            Digits {
                piece: axis.piece,
                stride: stride(layout, at),
                holding: Square::all().map(holds).collect(),
                squares,
            }
        };
        layout.axes().iter().enumerate().map(of_axis).collect()
    }

    /// The steps of all digits, the men staying where they are.
    fn all(&self, target: &Target<'_>) -> Vec<Step> {
        let step = |(digit, men): (usize, &Squares)| (digit as u32 * self.stride, target.part(self.piece, men));
        self.squares.iter().enumerate().map(step).collect()
    }

    /// The steps of the digits with a man on a square, which goes to another, or off the board.
    fn moved(&self, target: &Target<'_>, from: Square, to: Option<Square>) -> impl Iterator<Item = Step> {
        self.holding[from.index()].iter().filter_map(move |&digit| {
            let mut men = self.squares[digit as usize].clone();
            match to {
                Some(to) if men.contains(&to) => return None,
                Some(to) => men.iter_mut().filter(|man| **man == from).for_each(|man| *man = to),
                None => men.retain(|man| *man != from),
            }
            Some((digit * self.stride, target.part(self.piece, &men)))
        })
    }
}

/// A kind of man that can be taken.
#[derive(Debug)]
struct Capture {
    /// The axis of the set that it is on.
    axis: usize,
    /// The set that is left.
    child: Cells,
    /// Whether the colours are exchanged there.
    reversed: bool,
}

/// Where squares and axes go: into the order of the set itself or of a child.
struct Target<'a> {
    layout: &'a Layout,
    reversed: bool,
    transform: Transform,
}

impl Target<'_> {
    fn square(&self, square: Square) -> Square {
        self.transform.square(if self.reversed { square.flip_rank() } else { square })
    }

    /// What men of a kind on these squares add to the offset; nothing if there is none.
    fn part(&self, piece: Piece, squares: &[Square]) -> u32 {
        let piece = if self.reversed { piece.twin() } else { piece };
        let mut squares: Squares = squares.iter().map(|&square| self.square(square)).collect();
        squares.sort_unstable();
        match self.layout.axes().iter().position(|axis| axis.piece == piece) {
            Some(axis) if !squares.is_empty() => rank::rank(&squares) * stride(self.layout, axis),
            _ => 0,
        }
    }
}

/// How many offsets one step of an axis is.
fn stride(layout: &Layout, axis: usize) -> u32 {
    layout.axes()[axis + 1..].iter().map(|axis| rank::sets(axis.count)).product()
}

impl Sweep {
    /// Whether a side can be swept: its men step, and what they step over does not matter.
    pub(super) fn is_possible(layout: &Layout, mover: Color) -> bool {
        layout.material().is_armed() && layout.material().side(mover).count(Role::Rook) == 0
    }

    /// The sweep of a side.
    pub(super) fn new<S: SlabSource>(prober: &Prober<S>, layout: &Layout, mover: Color) -> Result<Sweep, ProbeError> {
        let taken = layout.axes().iter().enumerate().filter(|(_, axis)| axis.piece.color != mover);
        let captures = taken.filter_map(|(axis, kind)| {
            let (child, reversed) = layout.material().without(kind.piece)?;
            Some(Cells::open(prober, child).map(|child| Capture { axis, child, reversed }))
        });
        Ok(Sweep { mover, captures: captures.collect::<Result<_, _>>()?, axes: Digits::of(layout) })
    }

    /// The best of each cell's moves, [`Cell::Nothing`] where there is none. Those of what is no legal position mean
    /// nothing.
    pub(super) fn slab<S: SlabSource>(
        &self,
        prober: &Prober<S>,
        cells: &Cells,
        slab: usize,
        best: &mut [Cell],
    ) -> Result<(), ProbeError> {
        let layout = cells.layout();
        let kings = layout.kings().pair(slab);
        self.quiet_moves(prober, cells, kings, best)?;
        for capture in &self.captures {
            self.captures_by_king(prober, capture, kings, best)?;
            self.captures_by_men(prober, capture, kings, best)?;
        }
        Ok(())
    }

    fn quiet_moves<S: SlabSource>(
        &self,
        prober: &Prober<S>,
        cells: &Cells,
        kings: Pair,
        best: &mut [Cell],
    ) -> Result<(), ProbeError> {
        let layout = cells.layout();
        let all = |target: &Target<'_>| -> Vec<Vec<Step>> { self.axes.iter().map(|axis| axis.all(target)).collect() };
        for to in king_attacks(kings[self.mover]) {
            let mut moved = kings;
            moved[self.mover] = to;
            let Some((slab, transform)) = layout.kings().fold(moved) else { continue };
            let target = Target { layout, reversed: false, transform };
            let after = cells.after(prober, !self.mover, slab)?;
            gather(best, &after, &all(&target));
        }
        let Some((slab, transform)) = layout.kings().fold(kings) else { return Ok(()) };
        let target = Target { layout, reversed: false, transform };
        let after = cells.after(prober, !self.mover, slab)?;
        let mut lists = all(&target);
        for (at, axis) in self.axes.iter().enumerate().filter(|(_, axis)| axis.piece.color == self.mover) {
            let mut moves = Vec::new();
            for from in Square::all() {
                for to in leaper_attacks(self.mover, axis.piece.role, from) {
                    moves.extend(axis.moved(&target, from, Some(to)));
                }
            }
            let still = std::mem::replace(&mut lists[at], moves);
            gather(best, &after, &lists);
            lists[at] = still;
        }
        Ok(())
    }

    fn captures_by_king<S: SlabSource>(
        &self,
        prober: &Prober<S>,
        capture: &Capture,
        kings: Pair,
        best: &mut [Cell],
    ) -> Result<(), ProbeError> {
        for to in king_attacks(kings[self.mover]) {
            let mut moved = kings;
            moved[self.mover] = to;
            let Some((target, slab)) = capture.target(moved) else { continue };
            let after = capture.after(prober, self.mover, slab)?;
            let mut lists: Vec<Vec<Step>> = self.axes.iter().map(|axis| axis.all(&target)).collect();
            lists[capture.axis] = self.axes[capture.axis].moved(&target, to, None).collect();
            gather(best, &after, &lists);
        }
        Ok(())
    }

    fn captures_by_men<S: SlabSource>(
        &self,
        prober: &Prober<S>,
        capture: &Capture,
        kings: Pair,
        best: &mut [Cell],
    ) -> Result<(), ProbeError> {
        let Some((target, slab)) = capture.target(kings) else { return Ok(()) };
        let after = capture.after(prober, self.mover, slab)?;
        let mut lists: Vec<Vec<Step>> = self.axes.iter().map(|axis| axis.all(&target)).collect();
        for to in Square::all() {
            lists[capture.axis] = self.axes[capture.axis].moved(&target, to, None).collect();
            for (by, axis) in self.axes.iter().enumerate().filter(|(_, axis)| axis.piece.color == self.mover) {
                let still = std::mem::take(&mut lists[by]);
                // A man attacks the square just when the same man of the other colour attacks from there.
                for from in leaper_attacks(!self.mover, axis.piece.role, to) {
                    lists[by].clear();
                    lists[by].extend(axis.moved(&target, from, Some(to)));
                    gather(best, &after, &lists);
                }
                lists[by] = still;
            }
        }
        Ok(())
    }
}

impl Capture {
    /// Where these kings are in the child, and in which slab; `None` if they touch.
    fn target(&self, kings: Pair) -> Option<(Target<'_>, usize)> {
        let layout = self.child.layout();
        let kings = if self.reversed { kings.swap().map(Square::flip_rank) } else { kings };
        let (slab, transform) = layout.kings().fold(kings)?;
        Some((Target { layout, reversed: self.reversed, transform }, slab))
    }

    /// What the child's positions are worth to the side that takes.
    fn after<S: SlabSource>(
        &self,
        prober: &Prober<S>,
        mover: Color,
        slab: usize,
    ) -> Result<super::kept::Shared, ProbeError> {
        self.child.after(prober, if self.reversed { mover } else { !mover }, slab)
    }
}

/// Makes each cell as good as where the steps lead from it, if that is better.
fn gather(best: &mut [Cell], after: &[Cell], lists: &[Vec<Step>]) {
    let Some((last, outer)) = lists.split_last() else { return };
    each(outer, 0, 0, &mut |here, there| {
        let (Some(best), Some(after)) = (best.get_mut(here as usize..), after.get(there as usize..)) else { return };
        for &(here, there) in last {
            if let (Some(best), Some(&after)) = (best.get_mut(here as usize), after.get(there as usize)) {
                *best = after.max(*best);
            }
        }
    });
}

/// Calls `visit` with the sums of each combination of steps.
fn each(lists: &[Vec<Step>], here: u32, there: u32, visit: &mut impl FnMut(u32, u32)) {
    match lists.split_first() {
        None => visit(here, there),
        Some((first, rest)) => {
            for &(h, t) in first {
                each(rest, here + h, there + t, visit);
            }
        }
    }
}
