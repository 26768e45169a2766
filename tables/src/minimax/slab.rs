//! The values of an omitted side, slab by slab: each position has the value of its best move.
//!
//! For a fixed mover, every position of a slab moves into the same target slab: of this material, or of the child if
//! the move is an exit. Each axis contributes its own part to the offset in that slab. So a move is a list of steps for
//! each axis, and all combinations of steps are visited. The caller chooses the type of the values.

use std::ops::Deref;
use std::sync::Arc;

use crate::index::{Axis, ExitMap, Layout, Pair, SlabMap, SlabPart, Stripes};
use crate::material::{Exit, Material, Orientation};
use makruk_rules::{Bitboard, Color, Piece, Role, Square, attacks, between, king_attacks, leaper_attacks};

/// The part of an axis' digit in the offset before a move, and in the offset after it.
type Step = (u32, u32);

/// One ply of minimax over whole slabs, for a side of a material.
#[derive(Clone, Debug)]
pub struct SlabMinimax {
    stripes: Stripes,
    mover: Color,
    exits: Arc<[SlabExit]>,
    /// The digits of each axis of the material.
    axes: Vec<Digits>,
    /// The part of each slab that is raised, if not all of it.
    part: Option<SlabPart>,
}

/// The material that a move leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum After {
    /// The same material.
    Quiet,
    /// The material that an exit leads to: one of [`SlabMinimax::exits`], by number.
    Exit(usize),
}

/// The digits of an axis that are raised.
#[derive(Clone, Debug)]
struct Digits {
    piece: Piece,
    /// The number of offsets between neighbouring digits.
    stride: u32,
    /// The digits, ascending.
    digits: Vec<u32>,
    /// The men's squares of each digit of the axis.
    squares: Vec<Bitboard>,
    /// By square, the digits with a man on it.
    holding: Vec<Vec<u32>>,
}

impl Digits {
    fn of(layout: &Layout) -> Vec<Digits> {
        let of_axis = |(at, axis): (usize, &Axis)| {
            let squares: Vec<Bitboard> = axis.region.all_sets(axis.count).collect();
            let holds = |square: Square| {
                let digits = squares.iter().enumerate().filter(|(_, men)| men.contains(square));
                digits.map(|(digit, _)| digit as u32).collect()
            };
            Digits {
                piece: axis.piece,
                stride: layout.stride(at) as u32,
                holding: Square::all().map(holds).collect(),
                digits: (0..axis.sets()).collect(),
                squares,
            }
        };
        layout.axes().iter().enumerate().map(of_axis).collect()
    }

    /// The digits that are in a part as well.
    fn in_part(&self, part: SlabPart) -> Digits {
        let is_in = |digit: &&u32| part.holds(self.squares[**digit as usize]);
        let chosen = |digits: &Vec<u32>| digits.iter().filter(is_in).copied().collect();
        Digits { digits: chosen(&self.digits), holding: self.holding.iter().map(chosen).collect(), ..self.clone() }
    }

    /// The steps of the digits without a man on some squares, the men staying where they are.
    fn still(&self, map: &SlabMap<'_>, way: Bitboard) -> Vec<Step> {
        let axis = map.axis(self.piece);
        let step = |&digit: &u32| {
            let men = self.squares[digit as usize];
            (!men.intersects(way)).then(|| (digit * self.stride, axis.offset(men)))
        };
        self.digits.iter().filter_map(step).collect()
    }

    /// The steps of the digits with a man on a square, which goes to another, or off the board, and none on some
    /// others.
    fn moved(&self, map: &SlabMap<'_>, from: Square, to: Option<Square>, way: Bitboard) -> impl Iterator<Item = Step> {
        let axis = map.axis(self.piece);
        self.holding[from.index()].iter().filter_map(move |&digit| {
            let men = self.squares[digit as usize];
            let after = match to {
                _ if men.intersects(way) => return None,
                Some(to) if men.contains(to) => return None,
                Some(to) => men.without(from).with(to),
                None => men.without(from),
            };
            Some((digit * self.stride, axis.offset(after)))
        })
    }

    /// The steps of the digits that a man more joins on a square where none stands.
    fn joined(&self, map: &SlabMap<'_>, to: Square) -> Vec<Step> {
        let axis = map.axis(self.piece);
        let free = self.digits.iter().filter(|&&digit| !self.squares[digit as usize].contains(to));
        free.map(|&digit| (digit * self.stride, axis.offset(self.squares[digit as usize].with(to)))).collect()
    }
}

/// A kind of move out of the material.
#[derive(Debug)]
pub struct SlabExit {
    exit: Exit,
    /// The axis of the man that is taken.
    captured: Option<usize>,
    /// The axis of the pawn that is promoted.
    promoted: Option<usize>,
    /// The stripes of the material that is reached.
    stripes: Stripes,
}

impl SlabMinimax {
    /// Whether a side's values can be found slab by slab: not if it can take the last man.
    pub fn takes(material: Material, mover: Color) -> bool {
        !material.exits(mover).any(|exit| exit.child.material == Material::BARE_KINGS)
    }

    /// The minimax of a side; `None` if it does not [take](SlabMinimax::takes) that side.
    pub fn new(layout: &Layout, mover: Color) -> Option<SlabMinimax> {
        let material = layout.material();
        if !SlabMinimax::takes(material, mover) {
            return None;
        }
        let axis_of = |piece: Piece| layout.axes().iter().position(|axis| axis.piece == piece);
        let exits = material.exits(mover).map(|exit| {
            let stripes = Stripes::of_last_axis(Layout::new(exit.child.material))?;
            let (captured, promoted) = (exit.captured.and_then(axis_of), exit.promoted().and_then(axis_of));
            Some(SlabExit { exit, captured, promoted, stripes })
        });
        Some(SlabMinimax {
            exits: exits.collect::<Option<Vec<_>>>()?.into(),
            axes: Digits::of(layout),
            stripes: Stripes::of_last_axis(layout.clone())?,
            mover,
            part: None,
        })
    }

    /// The minimax of a part of each slab, by men that do not move; `None` if they do.
    pub fn in_part(&self, part: SlabPart) -> Option<SlabMinimax> {
        let axis = self.axes.get(part.axis).filter(|axis| axis.piece.color != self.mover)?;
        let mut restricted = self.clone();
        restricted.axes[part.axis] = axis.in_part(part);
        restricted.part = Some(part);
        Some(restricted)
    }

    /// The material's stripes, which know the legal positions.
    pub fn stripes(&self) -> &Stripes {
        &self.stripes
    }

    /// The side that moves.
    pub fn mover(&self) -> Color {
        self.mover
    }

    /// The kinds of moves by which this side leaves the material.
    pub fn exits(&self) -> &[SlabExit] {
        &self.exits
    }

    /// Raises each cell of a slab, or of the part of it, to the value of its best move, if that is better. `after`
    /// returns the slab, or the requested part of it, that a move leads to. Its values are the mover's. A cell without
    /// a legal position must be below every value. The results of such cells have no meaning.
    ///
    /// # Errors
    ///
    /// Those of `after`.
    pub fn slab<T: Copy + Ord, S: Deref<Target = [T]>, E>(
        &self,
        slab: usize,
        best: &mut [T],
        mut after: impl FnMut(After, usize, Option<SlabPart>) -> Result<S, E>,
    ) -> Result<(), E> {
        let kings = self.stripes.layout().kings().pair(slab);
        let exits = self.exits.iter().enumerate().map(|(at, exit)| (After::Exit(at), Some(exit)));
        for (lead, exit) in std::iter::once((After::Quiet, None)).chain(exits) {
            // A king takes, but is not promoted.
            let by_king = exit.is_none_or(|exit| exit.promoted.is_none());
            for to in king_attacks(kings[self.mover]).into_iter().filter(|_| by_king) {
                let mut moved = kings;
                moved[self.mover] = to;
                let Some(map) = self.map(exit, moved) else { continue };
                let mut lists = self.all(&map);
                if let Some(captured) = exit.and_then(|exit| exit.captured) {
                    lists[captured] = self.axes[captured].moved(&map, to, None, Bitboard::EMPTY).collect();
                }
                gather(best, &after(lead, map.slab, self.part_after(exit, &map))?, &lists);
            }
            let Some(map) = self.map(exit, kings) else { continue };
            if self.movers().next().is_some() {
                let after = after(lead, map.slab, self.part_after(exit, &map))?;
                match exit {
                    None => self.quiet_moves(kings, &map, &after, best),
                    Some(exit) => match exit.promoted {
                        Some(pawns) => self.promotions(exit, pawns, &map, &after, best),
                        None => self.captures_by_men(exit, kings, &map, &after, best),
                    },
                }
            }
        }
        Ok(())
    }

    /// The part of the slabs that moves lead to, from the part of the slab that is raised; `None` for all of them.
    fn part_after(&self, exit: Option<&SlabExit>, map: &SlabMap<'_>) -> Option<SlabPart> {
        exit.and_then(|exit| map.promotion_part(&exit.exit)).or_else(|| {
            // The man that is taken may be the only one of its axis on the part's squares.
            let captured = exit.and_then(|exit| exit.captured);
            let part = self.part.filter(|part| captured != Some(part.axis))?;
            map.part(self.axes[part.axis].piece, part.squares)
        })
    }

    /// Whether a cell without a legal move is mate. Else it is stalemate.
    pub fn is_mate(&self, slab: usize, offset: usize) -> bool {
        let board = self.stripes.layout().board_at(slab, offset as u64);
        board.is_some_and(|board| board.is_attacked(self.mover))
    }

    /// The map into the slab of the material, or of the one that an exit leads to, with these kings; `None` if they
    /// touch.
    fn map<'a>(&'a self, exit: Option<&'a SlabExit>, kings: Pair) -> Option<SlabMap<'a>> {
        let (stripes, orientation) = match exit {
            Some(exit) => (&exit.stripes, exit.exit.child.orientation),
            None => (&self.stripes, Orientation::Canonical),
        };
        ExitMap { layout: stripes.layout(), orientation }.slab(kings)
    }

    /// The steps of all axes, the men staying where they are.
    fn all(&self, map: &SlabMap<'_>) -> Vec<Vec<Step>> {
        self.all_beside(map, Bitboard::EMPTY)
    }

    /// The same, where none of them stands on some squares.
    fn all_beside(&self, map: &SlabMap<'_>, way: Bitboard) -> Vec<Vec<Step>> {
        self.axes.iter().map(|axis| axis.still(map, way)).collect()
    }

    /// The mover's axes, by number.
    fn movers(&self) -> impl Iterator<Item = (usize, &Digits)> {
        self.axes.iter().enumerate().filter(|(_, axis)| axis.piece.color == self.mover)
    }

    fn quiet_moves<T: Copy + Ord>(&self, kings: Pair, map: &SlabMap<'_>, after: &[T], best: &mut [T]) {
        let mut lists = self.all(map);
        for (at, axis) in self.movers() {
            let mut moves = Vec::new();
            for from in Square::all() {
                for to in quiet_steps(axis.piece, from, kings) {
                    let way = way(axis.piece, from, to);
                    let moved = axis.moved(map, from, Some(to), way);
                    if way.is_empty() {
                        moves.extend(moved);
                        continue;
                    }
                    let mut lists = self.all_beside(map, way);
                    lists[at] = moved.collect();
                    gather(best, after, &lists);
                }
            }
            let still = std::mem::replace(&mut lists[at], moves);
            gather(best, after, &lists);
            lists[at] = still;
        }
    }

    fn captures_by_men<T: Copy + Ord>(
        &self,
        exit: &SlabExit,
        kings: Pair,
        map: &SlabMap<'_>,
        after: &[T],
        best: &mut [T],
    ) {
        let Some(captured) = exit.captured else { return };
        let mut lists = self.all(map);
        for to in Square::all() {
            lists[captured] = self.axes[captured].moved(map, to, None, Bitboard::EMPTY).collect();
            for (by, axis) in self.movers() {
                // A pawn that takes on its promotion rank makes another exit.
                if axis.piece.role == Role::Pawn && !self.mover.pawn_squares().contains(to) {
                    continue;
                }
                let still = std::mem::take(&mut lists[by]);
                // A man attacks the square just when the same man of the other colour attacks from there.
                for from in attacks(!self.mover, axis.piece.role, to, Bitboard::of(kings.white).with(kings.black)) {
                    let way = way(axis.piece, from, to);
                    let moved = axis.moved(map, from, Some(to), way);
                    if way.is_empty() {
                        lists[by].clear();
                        lists[by].extend(moved);
                        gather(best, after, &lists);
                        continue;
                    }
                    let mut lists = self.all_beside(map, way);
                    lists[captured] = self.axes[captured].moved(map, to, None, way).collect();
                    lists[by] = moved.collect();
                    gather(best, after, &lists);
                }
                lists[by] = still;
            }
        }
    }

    /// The promotions of pawns, whose axis is given, by a step or by taking.
    fn promotions<T: Copy + Ord>(&self, exit: &SlabExit, pawns: usize, map: &SlabMap<'_>, after: &[T], best: &mut [T]) {
        let mover = self.mover;
        let met = Piece::new(mover, Role::Met);
        let mets = self.axes.iter().position(|axis| axis.piece == met);
        let mut lists = self.all(map);
        for to in mover.promotion_squares() {
            if let Some(captured) = exit.captured {
                lists[captured] = self.axes[captured].moved(map, to, None, Bitboard::EMPTY).collect();
            }
            // The new met is a part of the mets' digit, or the only one of its axis.
            let alone = match mets {
                Some(mets) => {
                    lists[mets] = self.axes[mets].joined(map, to);
                    0
                }
                None => map.axis(met).offset(Bitboard::of(to)),
            };
            let origins = match exit.captured {
                Some(_) => leaper_attacks(!mover, Role::Pawn, to),
                None => to.offset(0, (!mover).forward()).map_or(Bitboard::EMPTY, Bitboard::of),
            };
            for from in origins {
                let leaving = self.axes[pawns].moved(map, from, None, Bitboard::EMPTY);
                lists[pawns] = leaving.map(|(before, after)| (before, after + alone)).collect();
                gather(best, after, &lists);
            }
        }
    }
}

/// The squares to which a man goes without taking and without leaving the material, on a board that is empty but for it
/// and the kings.
fn quiet_steps(piece: Piece, from: Square, kings: Pair) -> Bitboard {
    match piece.role {
        Role::Pawn => {
            let ahead = from.offset(0, piece.color.forward()).map_or(Bitboard::EMPTY, Bitboard::of);
            ahead & piece.color.pawn_squares()
        }
        role => attacks(piece.color, role, from, Bitboard::of(kings.white).with(kings.black)),
    }
}

/// The squares that a man passes.
fn way(piece: Piece, from: Square, to: Square) -> Bitboard {
    if piece.role == Role::Rook { between(from, to) } else { Bitboard::EMPTY }
}

impl SlabExit {
    /// The exit.
    pub fn exit(&self) -> &Exit {
        &self.exit
    }

    /// The stripes of the material that is reached.
    pub fn stripes(&self) -> &Stripes {
        &self.stripes
    }
}

/// Raises each cell to the value of the cell that the steps lead to, if that is better.
fn gather<T: Copy + Ord>(best: &mut [T], after: &[T], lists: &[Vec<Step>]) {
    let Some((last, outer)) = lists.split_last() else { return };
    let Some(&(first_here, first_there)) = last.first() else { return };
    // Mostly the last axis' men stay, and the board does not turn: whole runs of cells are compared then.
    let is_run = (0..).zip(last).all(|(at, &(here, there))| (here, there) == (first_here + at, first_there + at));
    each(outer, 0, 0, &mut |here, there| {
        if is_run {
            let run =
                |first: u32, part: u32| first as usize + part as usize..first as usize + part as usize + last.len();
            let (here, there) = (run(first_here, here), run(first_there, there));
            if let (Some(best), Some(after)) = (best.get_mut(here), after.get(there)) {
                best.iter_mut().zip(after).for_each(|(best, &after)| *best = after.max(*best));
            }
            return;
        }
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
    use makruk_rules::Position;

    /// Pseudorandom values of the positions of a material, each of which depends on the position alone.
    struct Lots {
        layout: Layout,
        seed: u64,
    }

    impl Lots {
        fn of(material: Material) -> Lots {
            let seed = material.to_string().bytes().fold(0, |seed, byte| seed * 257 + u64::from(byte));
            Lots { layout: Layout::new(material), seed }
        }

        fn lot(&self, position: &Position) -> Option<u64> {
            let (side, number) = self.layout.number(position)?;
            Some((self.seed + 257 * side as u64 + number).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32)
        }

        fn slab(&self, side: Color, slab: usize) -> Vec<Option<u64>> {
            let numbers = slab as u64 * self.layout.slab_len()..(slab as u64 + 1) * self.layout.slab_len();
            numbers.map(|number| self.lot(&self.layout.position_at(side, number)?)).collect()
        }
    }

    #[test]
    fn minimax_finds_the_best_of_each_positions_moves() {
        compare(&[
            ("KSvKM", Color::Black),
            ("KNMvK", Color::Black),
            ("KPPvK", Color::White),
            ("KPvKP", Color::Black),
            ("KMvKP", Color::White),
            ("KRvKM", Color::White),
            ("KRRvK", Color::White),
            ("KRvKR", Color::Black),
        ]);
    }

    #[test]
    #[ignore = "five men: three seconds"]
    fn minimax_of_five_men_finds_the_best_of_each_positions_moves() {
        compare(&[
            ("KMMvKN", Color::Black),
            ("KMMvKN", Color::White),
            ("KMPvKP", Color::White),
            ("KNvKMP", Color::Black),
            ("KMMvKR", Color::Black),
            ("KRRvKP", Color::White),
        ]);
    }

    fn compare(sides: &[(&str, Color)]) {
        let mut lots: HashMap<Material, Lots> = HashMap::new();
        for &(name, side) in sides {
            let material: Material = name.parse().unwrap();
            let layout = Layout::new(material);
            let minimax = SlabMinimax::new(&layout, side).unwrap();
            for of in std::iter::once(material).chain(material.children()) {
                lots.entry(of).or_insert_with(|| Lots::of(of));
            }
            let mut known: HashMap<(Option<usize>, usize), Vec<Option<u64>>> = HashMap::new();
            for slab in [0, 100, layout.slabs() - 1] {
                let mut best = vec![None; layout.slab_len() as usize];
                let after = |after, slab, _| {
                    let (key, of, turn) = match after {
                        After::Quiet => (None, material, !side),
                        After::Exit(at) => {
                            let exit = &minimax.exits[at];
                            (Some(at), exit.stripes.layout().material(), exit.exit.turn())
                        }
                    };
                    Ok::<_, Infallible>(known.entry((key, slab)).or_insert_with(|| lots[&of].slab(turn, slab)).clone())
                };
                minimax.slab(slab, &mut best, after).unwrap();
                for (number, best) in (slab as u64 * layout.slab_len()..).zip(best) {
                    let Some(position) = layout.position_at(side, number) else { continue };
                    let worth = |mv| {
                        let after = position.play(mv);
                        lots[&Material::of(after.board()).unwrap().material].lot(&after).unwrap()
                    };
                    assert_eq!(best, position.legal_moves().into_iter().map(worth).max(), "{name} {position:?}");
                }
            }
        }
    }

    #[test]
    fn a_sweep_of_a_part_reads_parts_and_finds_the_same() {
        compare_parts(&["KSvKM", "KNvKP"]);
    }

    #[test]
    #[ignore = "five men: two seconds"]
    fn a_sweep_of_a_part_of_five_men_reads_parts_and_finds_the_same() {
        compare_parts(&["KMMvKN", "KNvKMP"]);
    }

    fn compare_parts(materials: &[&str]) {
        for material in materials {
            let layout = Layout::new(material.parse().unwrap());
            let axis_of = |color| layout.axes().iter().position(|axis| axis.piece.color == color).unwrap();
            let axis = axis_of(Color::White);
            let whole = SlabMinimax::new(&layout, Color::Black).unwrap();
            // A rank on which pawns may stand.
            let part = SlabPart { axis, squares: Bitboard(0xff << 24) };
            let parted = whole.in_part(part).unwrap();
            for slab in [0, 100, layout.slabs() - 1] {
                let (mut expected, mut found) = [(); 2].map(|()| vec![None; layout.slab_len() as usize]).into();
                let after = |after, slab, part: Option<SlabPart>| {
                    let (layout, turn) = match after {
                        After::Quiet => (&layout, Color::White),
                        After::Exit(at) => (whole.exits[at].stripes.layout(), whole.exits[at].exit.turn()),
                    };
                    let mut cells = Lots::of(layout.material()).slab(turn, slab);
                    if let Some(part) = part {
                        let none = vec![None; cells.len()];
                        let whole = std::mem::replace(&mut cells, none);
                        part.offsets(layout).into_iter().flatten().for_each(|offset| cells[offset] = whole[offset]);
                    }
                    Ok::<_, Infallible>(cells)
                };
                whole.slab(slab, &mut expected, after).unwrap();
                parted.slab(slab, &mut found, after).unwrap();
                let offsets: Vec<usize> = part.offsets(&layout).into_iter().flatten().collect();
                let of = |cells: &[Option<u64>]| offsets.iter().map(|&offset| cells[offset]).collect::<Vec<_>>();
                assert_eq!(of(&found), of(&expected), "{material} {slab}");
                assert!(of(&found).iter().any(Option::is_some), "{material} {slab}");
            }
            assert!(whole.in_part(SlabPart { axis: axis_of(Color::Black), ..part }).is_none());
        }
    }

    #[test]
    fn last_men_go_by_positions() {
        let minimax = |material: &str, side| SlabMinimax::new(&Layout::new(material.parse().unwrap()), side);
        assert!(minimax("KRvKM", Color::Black).is_some());
        assert!(minimax("KMvK", Color::Black).is_none());
        assert!(minimax("KPvK", Color::Black).is_none());
        assert!(minimax("KPvK", Color::White).is_some());
        assert!(minimax("KMvK", Color::White).is_some());
    }
}
