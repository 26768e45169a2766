//! One ply of minimax for whole slabs.
//!
//! For a fixed mover, every position of a slab moves into the same target slab: of this material, or of the child if
//! the move is an exit. Each axis contributes its own part to the offset in that slab. So a move is a list of steps for
//! each axis, and all combinations of steps are visited. The caller chooses the type of the values.

use std::ops::Deref;
use std::sync::Arc;

use makruk_format::index::{Axis, ExitMap, Layout, Pair, SlabMap, SlabPart};
use makruk_format::material::{Exit, Material, Orientation};
use makruk_rules::{Bitboard, Color, Piece, Role, Square, attacks, between, king_attacks};

/// The part of an axis' digit in the offset before a move, and in the offset after it.
type Step = (u32, u32);

/// One ply of minimax over whole slabs, for a side of a material.
#[derive(Clone, Debug)]
pub(crate) struct SlabMinimax {
    layout: Layout,
    mover: Color,
    leads: Arc<[Lead]>,
    /// The axes of the material, and one without men for the first met, if the mover has pawns alone.
    axes: Vec<Digits>,
    /// The part of each slab that is raised, if not all of it.
    part: Option<SlabPart>,
}

/// A material that moves lead to.
#[derive(Debug)]
pub(crate) struct Lead {
    /// The kind of moves that lead out of the material.
    pub(crate) exit: Option<Exit>,
    /// The layout of the material that is reached.
    pub(crate) layout: Layout,
}

impl Lead {
    fn captured(&self) -> Option<Piece> {
        self.exit.and_then(|exit| exit.captured)
    }

    fn promotes(&self) -> bool {
        self.exit.is_some_and(|exit| exit.is_promotion)
    }

    /// The places of men in the slab of the kings after the move; `None` if the kings touch.
    fn map(&self, kings: Pair) -> Option<SlabMap<'_>> {
        let orientation = self.exit.map_or(Orientation::Canonical, |exit| exit.child.orientation);
        ExitMap { layout: &self.layout, orientation }.slab(kings)
    }
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

/// How a move changes the men of an axis.
#[derive(Clone, Copy, Debug, Default)]
struct Change {
    leaves: Option<Square>,
    reaches: Option<Square>,
}

impl Digits {
    fn of(layout: &Layout) -> Vec<Digits> {
        let of_axis = |(at, axis): (usize, &Axis)| {
            let squares = axis.region.all_sets(axis.count).collect();
            Digits::new(axis.piece, layout.stride(at) as u32, squares)
        };
        layout.axes().iter().enumerate().map(of_axis).collect()
    }

    fn new(piece: Piece, stride: u32, squares: Vec<Bitboard>) -> Digits {
        let digits = 0..squares.len() as u32;
        let holds = |square| digits.clone().filter(|&digit| squares[digit as usize].contains(square)).collect();
        Digits { piece, stride, holding: Square::all().map(holds).collect(), digits: digits.collect(), squares }
    }

    /// The digits that are in a part as well.
    fn in_part(&self, part: SlabPart) -> Digits {
        let is_in = |digit: &&u32| part.holds(self.squares[**digit as usize]);
        let chosen = |digits: &Vec<u32>| digits.iter().filter(is_in).copied().collect();
        Digits { digits: chosen(&self.digits), holding: self.holding.iter().map(chosen).collect(), ..self.clone() }
    }

    /// The steps of the digits whose men can change so, none of them standing on the squares of the way.
    fn steps(&self, map: &SlabMap<'_>, change: Change, way: Bitboard) -> impl Iterator<Item = Step> {
        let axis = map.axis(self.piece);
        let [leaves, reaches] =
            [change.leaves, change.reaches].map(|square| square.map_or(Bitboard::EMPTY, Bitboard::of));
        let digits = change.leaves.map_or(&self.digits, |square| &self.holding[square.index()]);
        digits.iter().filter_map(move |&digit| {
            let men = self.squares[digit as usize];
            let is_free = !men.intersects(way | reaches);
            is_free.then(|| (digit * self.stride, axis.offset((men - leaves) | reaches)))
        })
    }
}

impl SlabMinimax {
    /// The minimax of a side; `None` for two bare kings.
    pub(crate) fn new(layout: &Layout, mover: Color) -> Option<SlabMinimax> {
        let material = layout.material();
        let exits = material.exits(mover).map(Some);
        let leads = std::iter::once(None).chain(exits).map(|exit: Option<Exit>| {
            let layout = exit.map_or_else(|| layout.clone(), |exit| Layout::new(exit.child.material));
            Lead { exit, layout }
        });
        let mut axes = Digits::of(layout);
        let has = |role| material.side(mover).count(role) > 0;
        if has(Role::Pawn) && !has(Role::Met) {
            axes.push(Digits::new(Piece::new(mover, Role::Met), 0, vec![Bitboard::EMPTY]));
        }
        (material != Material::BARE_KINGS).then(|| SlabMinimax {
            layout: layout.clone(),
            mover,
            leads: leads.collect(),
            axes,
            part: None,
        })
    }

    /// The minimax of a part of each slab, by men that do not move; `None` if they do.
    pub(crate) fn in_part(&self, part: SlabPart) -> Option<SlabMinimax> {
        let axis = self.axes.get(part.axis).filter(|axis| axis.piece.color != self.mover)?;
        let mut restricted = self.clone();
        restricted.axes[part.axis] = axis.in_part(part);
        restricted.part = Some(part);
        Some(restricted)
    }

    /// The materials that moves lead to: first this one, then those of its exits.
    pub(crate) fn leads(&self) -> &[Lead] {
        &self.leads
    }

    /// Raises each cell of a slab, or of the part of it, to the value of its best move, if that is better. `after`
    /// returns the slab, or the requested part of it, of one of the [`leads`](SlabMinimax::leads). Its values are the
    /// mover's. A cell without a legal position must be below every value. The results of such cells have no meaning.
    ///
    /// # Errors
    ///
    /// If `after` fails.
    pub(crate) fn slab<T: Copy + Ord, S: Deref<Target = [T]>, E>(
        &self,
        slab: usize,
        best: &mut [T],
        mut after: impl FnMut(usize, usize, Option<SlabPart>) -> Result<S, E>,
    ) -> Result<(), E> {
        let kings = self.layout.kings().pair(slab);
        for (number, lead) in self.leads.iter().enumerate() {
            // A king takes, but is not promoted.
            let by_king = if lead.promotes() { Bitboard::EMPTY } else { king_attacks(kings[self.mover]) };
            for to in by_king {
                let mut moved = kings;
                moved[self.mover] = to;
                let Some(map) = lead.map(moved) else { continue };
                let lists = self.lists(&map, &self.changes(lead, to), Bitboard::EMPTY);
                gather(best, &after(number, map.slab, self.part_after(lead, &map))?, &lists);
            }
            let Some(map) = lead.map(kings) else { continue };
            if self.axes.iter().any(|axis| self.moves(lead, axis)) {
                let after = after(number, map.slab, self.part_after(lead, &map))?;
                self.moves_of_men(lead, kings, &map, &after, best);
            }
        }
        Ok(())
    }

    /// The part of the slabs that moves lead to, from the part of the slab that is raised; `None` for all of them.
    fn part_after(&self, lead: &Lead, map: &SlabMap<'_>) -> Option<SlabPart> {
        lead.exit.and_then(|exit| map.promotion_part(&exit)).or_else(|| {
            // The man that is taken may be the only one of its axis on the part's squares.
            let part = self.part.filter(|part| lead.captured() != Some(self.axes[part.axis].piece))?;
            map.part(self.axes[part.axis].piece, part.squares)
        })
    }

    /// Whether a cell without a legal move is mate. Else it is stalemate.
    pub(crate) fn is_mate(&self, slab: usize, offset: usize) -> bool {
        let board = self.layout.board_at(slab, offset as u64);
        board.is_some_and(|board| board.is_attacked(self.mover))
    }

    /// The changes of the men that do not move: the one that is taken, and the new met.
    fn changes(&self, lead: &Lead, to: Square) -> Vec<(usize, Change)> {
        let met = lead.promotes().then_some(Piece::new(self.mover, Role::Met));
        let taken = (lead.captured(), Change { leaves: Some(to), reaches: None });
        let changes = [taken, (met, Change { leaves: None, reaches: Some(to) })];
        let of_axis = |(piece, change)| Some((self.axes.iter().position(|axis| Some(axis.piece) == piece)?, change));
        changes.into_iter().filter_map(of_axis).collect()
    }

    /// The steps of each axis, some of which change. No man stands on the squares of the way.
    fn lists(&self, map: &SlabMap<'_>, changes: &[(usize, Change)], way: Bitboard) -> Vec<Vec<Step>> {
        let list = |(at, axis): (usize, &Digits)| {
            let change =
                changes.iter().find(|&&(changed, _)| changed == at).map_or(Change::default(), |&(_, change)| change);
            axis.steps(map, change, way).collect()
        };
        self.axes.iter().enumerate().map(list).collect()
    }

    /// Whether men of an axis make moves of this kind.
    fn moves(&self, lead: &Lead, axis: &Digits) -> bool {
        axis.piece.color == self.mover && (!lead.promotes() || axis.piece.role == Role::Pawn)
    }

    /// Raises cells by the moves of men other than the king.
    fn moves_of_men<T: Copy + Ord>(&self, lead: &Lead, kings: Pair, map: &SlabMap<'_>, after: &[T], best: &mut [T]) {
        let still = self.lists(map, &[], Bitboard::EMPTY);
        for (by, axis) in self.axes.iter().enumerate().filter(|(_, axis)| self.moves(lead, axis)) {
            let mut lists = still.clone();
            // Moves to different squares are gathered together, unless they change other axes too.
            let destinations = self.destinations(lead, axis.piece);
            let groups = if lead.exit.is_none() {
                vec![destinations]
            } else {
                destinations.into_iter().map(Bitboard::of).collect()
            };
            for group in groups {
                lists[by].clear();
                for to in group {
                    let mut changes = self.changes(lead, to);
                    for &(at, change) in &changes {
                        lists[at] = self.axes[at].steps(map, change, Bitboard::EMPTY).collect();
                    }
                    for from in self.origins(lead, axis.piece, to, kings) {
                        let change = Change { leaves: Some(from), reaches: (!lead.promotes()).then_some(to) };
                        let way = if axis.piece.role == Role::Rook { between(from, to) } else { Bitboard::EMPTY };
                        if way.is_empty() {
                            lists[by].extend(axis.steps(map, change, way));
                        } else {
                            changes.push((by, change));
                            gather(best, after, &self.lists(map, &changes, way));
                            changes.pop();
                        }
                    }
                }
                gather(best, after, &lists);
            }
        }
    }

    /// The squares to which men go by moves of this kind.
    fn destinations(&self, lead: &Lead, piece: Piece) -> Bitboard {
        match piece.role {
            Role::Pawn if lead.promotes() => self.mover.promotion_squares(),
            Role::Pawn => self.mover.pawn_squares(),
            _ => Bitboard::FULL,
        }
    }

    /// The squares from which a man goes to another, on a board that is empty but for it, the kings and what it takes.
    fn origins(&self, lead: &Lead, piece: Piece, to: Square, kings: Pair) -> Bitboard {
        match piece.role {
            Role::Pawn if lead.captured().is_none() => {
                to.offset(0, (!self.mover).forward()).map_or(Bitboard::EMPTY, Bitboard::of)
            }
            // A man attacks the square just when the same man of the other colour attacks from there.
            role => attacks(!self.mover, role, to, Bitboard::of(kings.white).with(kings.black)),
        }
    }
}

/// Raises each cell to the value of the cell that the steps lead to, if that is better.
fn gather<T: Copy + Ord>(best: &mut [T], after: &[T], lists: &[Vec<Step>]) {
    // An axis with one step only shifts the others.
    let (fixed, free): (Vec<&[Step]>, Vec<&[Step]>) = lists.iter().map(Vec::as_slice).partition(|list| list.len() == 1);
    let (here, there) = fixed.iter().fold((0, 0), |(here, there), list| (here + list[0].0, there + list[0].1));
    let (last, outer) = free.split_last().map_or((&[(0, 0)][..], &[][..]), |(last, outer)| (*last, outer));
    let Some(&(first_here, first_there)) = last.first() else { return };
    // Mostly the last axis' men stay, and the board does not turn: whole runs of cells are compared then.
    let is_run = (0..).zip(last).all(|(at, &(here, there))| (here, there) == (first_here + at, first_there + at));
    each(outer, here, there, &mut |here, there| {
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
fn each(lists: &[&[Step]], here: u32, there: u32, visit: &mut impl FnMut(u32, u32)) {
    match lists.split_first() {
        None => visit(here, there),
        Some((first, rest)) => {
            for &(h, t) in *first {
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
            ("KMvK", Color::Black),
            ("KPvK", Color::Black),
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
            for of in [material, Material::BARE_KINGS].into_iter().chain(material.children()) {
                lots.entry(of).or_insert_with(|| Lots::of(of));
            }
            let mut known: HashMap<(usize, usize), Vec<Option<u64>>> = HashMap::new();
            for slab in [0, 100, layout.slabs() - 1] {
                let mut best = vec![None; layout.slab_len() as usize];
                let after = |number: usize, slab, _| {
                    let Lead { exit, layout } = &minimax.leads[number];
                    let turn = exit.map_or(!side, |exit| exit.turn());
                    let lots = &lots[&layout.material()];
                    Ok::<_, Infallible>(known.entry((number, slab)).or_insert_with(|| lots.slab(turn, slab)).clone())
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
                let after = |number: usize, slab, part: Option<SlabPart>| {
                    let Lead { exit, layout } = &whole.leads[number];
                    let turn = exit.map_or(Color::White, |exit| exit.turn());
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
}
