//! The values of an omitted side, slab by slab: each position has the value of its best move.
//!
//! A move leads all positions of a slab that differ in the other men alone into one slab, of the same material or of the material
//! that a capture leads to. Each axis contributes its own part to the offset in that slab. So a move is a list of steps for each
//! axis, and the sweep visits all combinations of steps. The caller chooses the type of the values.

use std::ops::Deref;

use arrayvec::ArrayVec;

use crate::index::{Axis, Layout, MAX_AXES, Pair, Stripes, Transform, rank};
use crate::material::{Orientation, Oriented};
use crate::rules::{Color, Piece, Role, Square, king_attacks, leaper_attacks};

/// The part of an axis' digit in the offset before a move, and in the offset after it.
type Step = (u32, u32);

/// The sweep of a material's side that has no rook.
#[derive(Debug)]
pub struct SlabMinimax {
    boards: Stripes,
    mover: Color,
    captures: Vec<SlabCapture>,
    /// The digits of each axis of the material.
    axes: Vec<Digits>,
}

/// The material that a move leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum After {
    /// The same material.
    Quiet,
    /// The material that a capture leaves: one of [`SlabMinimax::captures`], by number.
    Capture(usize),
}

/// The digits of an axis.
#[derive(Debug)]
struct Digits {
    piece: Piece,
    /// The number of offsets between neighbouring digits.
    stride: u32,
    /// The squares of each digit.
    squares: Vec<Squares>,
    /// By square, the digits with a man on it.
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
                stride: layout.stride(at) as u32,
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
pub struct SlabCapture {
    /// Its axis in the material.
    axis: usize,
    captured: Piece,
    /// The stripes of the material that is left.
    boards: Stripes,
    /// The orientation of the material against the material that is left.
    orientation: Orientation,
}

/// The places of squares and axes in the order of the material itself or of a child.
struct Target<'a> {
    layout: &'a Layout,
    orientation: Orientation,
    transform: Transform,
}

impl Target<'_> {
    fn square(&self, square: Square) -> Square {
        self.transform.square(self.orientation.square(square))
    }

    /// The part of like men on these squares in the offset; 0 without such men.
    fn part(&self, piece: Piece, squares: &[Square]) -> u32 {
        let piece = self.orientation.piece(piece);
        let mut squares: Squares = squares.iter().map(|&square| self.square(square)).collect();
        squares.sort_unstable();
        match self.layout.axes().iter().position(|axis| axis.piece == piece) {
            Some(axis) if !squares.is_empty() => rank::rank(&squares) * self.layout.stride(axis) as u32,
            _ => 0,
        }
    }
}

impl SlabMinimax {
    /// The sweep of a side; `None` if it has a rook, whose moves depend on the men between, or can take the last man.
    pub fn new(layout: &Layout, mover: Color) -> Option<SlabMinimax> {
        let material = layout.material();
        if material.side(mover).count(Role::Rook) > 0 {
            return None;
        }
        let taken = layout.axes().iter().enumerate().filter(|(_, axis)| axis.piece.color != mover);
        let captures = taken.map(|(axis, kind)| {
            let Oriented { material: child, orientation } = material.without(kind.piece)?;
            let boards = Stripes::of_last_axis(Layout::new(child))?;
            Some(SlabCapture { axis, captured: kind.piece, boards, orientation })
        });
        Some(SlabMinimax {
            captures: captures.collect::<Option<_>>()?,
            axes: Digits::of(layout),
            boards: Stripes::of_last_axis(layout.clone())?,
            mover,
        })
    }

    /// The material's stripes, which know the legal positions.
    pub fn boards(&self) -> &Stripes {
        &self.boards
    }

    /// The side that moves.
    pub fn mover(&self) -> Color {
        self.mover
    }

    /// The kinds of men that this side can take.
    pub fn captures(&self) -> &[SlabCapture] {
        &self.captures
    }

    /// Raises each cell of a slab to the value of its best move, if that is better. `after` returns the slabs that moves lead
    /// to, with the other side to move: the value of each cell to the mover, less than every other value if the cell holds no
    /// legal position. The results of cells that hold no legal position have no meaning.
    ///
    /// # Errors
    ///
    /// Those of `after`.
    pub fn slab<T: Copy + Ord, S: Deref<Target = [T]>, E>(
        &self,
        slab: usize,
        best: &mut [T],
        mut after: impl FnMut(After, usize) -> Result<S, E>,
    ) -> Result<(), E> {
        let kings = self.boards.layout().kings().pair(slab);
        let captures = self.captures.iter().enumerate().map(|(at, capture)| (After::Capture(at), Some(capture)));
        for (lead, capture) in std::iter::once((After::Quiet, None)).chain(captures) {
            for to in king_attacks(kings[self.mover]) {
                let mut moved = kings;
                moved[self.mover] = to;
                let Some((target, slab)) = self.target(capture, moved) else { continue };
                let mut lists = self.all(&target);
                if let Some(capture) = capture {
                    lists[capture.axis] = self.axes[capture.axis].moved(&target, to, None).collect();
                }
                gather(best, &after(lead, slab)?, &lists);
            }
            let Some((target, slab)) = self.target(capture, kings) else { continue };
            if self.movers().next().is_some() {
                let after = after(lead, slab)?;
                match capture {
                    None => self.quiet_moves(&target, &after, best),
                    Some(capture) => self.captures_by_men(capture, &target, &after, best),
                }
            }
        }
        Ok(())
    }

    /// Is a cell without a legal move mate? Else it is stalemate.
    pub fn is_mate(&self, slab: usize, offset: usize) -> bool {
        let board = self.boards.layout().board_at(slab, offset as u64);
        board.is_some_and(|board| board.is_attacked(self.mover))
    }

    /// The places of kings and their slab, in the material or in the material that a capture leaves; `None` if they touch.
    fn target<'a>(&'a self, capture: Option<&'a SlabCapture>, kings: Pair) -> Option<(Target<'a>, usize)> {
        let own = (&self.boards, Orientation::Canonical);
        let (boards, orientation) = capture.map_or(own, |capture| (&capture.boards, capture.orientation));
        let layout = boards.layout();
        let kings = if orientation.is_flipped() { kings.swap().map(Square::flip_rank) } else { kings };
        let (slab, transform) = layout.kings().fold(kings)?;
        Some((Target { layout, orientation, transform }, slab))
    }

    /// The steps of all axes, the men staying where they are.
    fn all(&self, target: &Target<'_>) -> Vec<Vec<Step>> {
        self.axes.iter().map(|axis| axis.all(target)).collect()
    }

    /// The mover's axes, by number.
    fn movers(&self) -> impl Iterator<Item = (usize, &Digits)> {
        self.axes.iter().enumerate().filter(|(_, axis)| axis.piece.color == self.mover)
    }

    fn quiet_moves<T: Copy + Ord>(&self, target: &Target<'_>, after: &[T], best: &mut [T]) {
        let mut lists = self.all(target);
        for (at, axis) in self.movers() {
            let mut moves = Vec::new();
            for from in Square::all() {
                for to in leaper_attacks(self.mover, axis.piece.role, from) {
                    moves.extend(axis.moved(target, from, Some(to)));
                }
            }
            let still = std::mem::replace(&mut lists[at], moves);
            gather(best, after, &lists);
            lists[at] = still;
        }
    }

    fn captures_by_men<T: Copy + Ord>(&self, capture: &SlabCapture, target: &Target<'_>, after: &[T], best: &mut [T]) {
        let mut lists = self.all(target);
        for to in Square::all() {
            lists[capture.axis] = self.axes[capture.axis].moved(target, to, None).collect();
            for (by, axis) in self.movers() {
                let still = std::mem::take(&mut lists[by]);
                // A man attacks the square just when the same man of the other colour attacks from there.
                for from in leaper_attacks(!self.mover, axis.piece.role, to) {
                    lists[by].clear();
                    lists[by].extend(axis.moved(target, from, Some(to)));
                    gather(best, after, &lists);
                }
                lists[by] = still;
            }
        }
    }
}

impl SlabCapture {
    /// The man that is taken.
    pub fn captured(&self) -> Piece {
        self.captured
    }

    /// The boards of the material that is left.
    pub fn boards(&self) -> &Stripes {
        &self.boards
    }

    /// The side to move after it, in that material's colours.
    pub fn turn(&self) -> Color {
        self.orientation.color(self.captured.color)
    }
}

/// Raises each cell to the value of the cell that the steps lead to, if that is better.
fn gather<T: Copy + Ord>(best: &mut [T], after: &[T], lists: &[Vec<Step>]) {
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

#[cfg(test)]
mod tests {
    use std::collections::HashMap;
    use std::convert::Infallible;

    use super::*;
    use crate::material::Material;
    use crate::rules::Position;

    /// A pseudorandom value of a position, which depends on the position alone.
    fn lot(layout: &Layout, position: &Position) -> Option<u64> {
        let (side, number) = layout.number(position)?;
        let seed = layout.material().to_string().bytes().fold(side as u64, |seed, byte| seed * 257 + u64::from(byte));
        Some((seed + number).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32)
    }

    fn slab_of(layout: &Layout, side: Color, slab: usize) -> Vec<Option<u64>> {
        let numbers = slab as u64 * layout.slab_len()..(slab as u64 + 1) * layout.slab_len();
        numbers.map(|number| lot(layout, &layout.position_at(side, number)?)).collect()
    }

    #[test]
    fn a_sweep_finds_the_best_of_each_positions_moves() {
        for (material, side) in
            [("KSvKM", Color::Black), ("KMMvKN", Color::Black), ("KMMvKN", Color::White), ("KNMvK", Color::Black)]
        {
            let layout = Layout::new(material.parse().unwrap());
            let sweep = SlabMinimax::new(&layout, side).unwrap();
            let mut known: HashMap<(Option<usize>, usize), Vec<Option<u64>>> = HashMap::new();
            for slab in [0, 100, layout.slabs() - 1] {
                let mut best = vec![None; layout.slab_len() as usize];
                let after = |after, slab| {
                    let (key, layout, turn) = match after {
                        After::Quiet => (None, &layout, !side),
                        After::Capture(at) => (Some(at), sweep.captures[at].boards.layout(), sweep.captures[at].turn()),
                    };
                    Ok::<_, Infallible>(known.entry((key, slab)).or_insert_with(|| slab_of(layout, turn, slab)).clone())
                };
                sweep.slab(slab, &mut best, after).unwrap();
                for (number, best) in (slab as u64 * layout.slab_len()..).zip(best) {
                    let Some(position) = layout.position_at(side, number) else { continue };
                    let worth = |mv| {
                        let after = position.play(mv);
                        let material = Material::of(after.board()).unwrap().material;
                        lot(&Layout::new(material), &after).unwrap()
                    };
                    assert_eq!(best, position.legal_moves().into_iter().map(worth).max(), "{material} {position:?}");
                }
            }
        }
    }

    #[test]
    fn rooks_and_last_men_are_not_swept() {
        let sweep = |material: &str, side| SlabMinimax::new(&Layout::new(material.parse().unwrap()), side);
        assert!(sweep("KRvKM", Color::White).is_none());
        assert!(sweep("KRvKM", Color::Black).is_some());
        assert!(sweep("KMvK", Color::Black).is_none());
        assert!(sweep("KMvK", Color::White).is_some());
    }
}
