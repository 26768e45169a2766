//! Every kernel, bit by bit, against [`Position`], which knows nothing of rows and words.

use std::collections::BTreeSet;

use arrayvec::ArrayVec;
use fastrand::Rng;
use makruk_format::index::{Layout, MAX_AXES, Pair, Transform};
use makruk_rules::{Board, Color, Move, Piece, Position, Role, Square};
use makruk_tables::material::Material;

use crate::solve::bitset::{PositionSet, Row};
use crate::solve::geometry::{AxisKind, Geometry};
use crate::solve::legality::{ExitMen, RowLegality, free};
use crate::solve::plane_memory::{PlaneArena, PlaneMemory};
use crate::solve::predecessors::add_predecessors;
use crate::solve::reached_rows::reached_rows;
use crate::solve::word_rows::{SentWords, can_send};

/// Materials of few men besides the large ones.
const MATERIALS: [&str; 40] = [
    "KRvK", "KNvK", "KSvK", "KMvK", "KRRvK", "KNNvK", "KSSvK", "KMMvK", "KRvKR", "KNvKN", "KSvKS", "KMvKM", "KRvKN",
    "KNvKS", "KRvKS", "KSvKM", "KRNvKR", "KNSvKN", "KSMvKS", "KMMMvK", "KRSvKR", "KNNvKM", "KRRvKR", "KRRvKRR",
    "KNNvKNN", "KSSvKSS", "KMMvKMM", "KRSMvKR", "KNSMvKN", "KSMvKN", "KNMvKR", "KMMvKS", "KSMMvKS", "KPvK", "KPPvK",
    "KPvKP", "KRPvKP", "KNvKPP", "KRNvKMM", "KRNvKSS",
];

/// More materials with pawns. With the others, every man stands on every kind of axis that it can have up to six men; a
/// test says so.
const WITH_PAWNS: [&str; 11] = [
    "KPPPvK", "KMPPvKP", "KPPvKPP", "KRvKP", "KNPvKS", "KSMPvKR", "KNMvKPP", "KRRvKMP", "KPPPvKP", "KPPPPvK", "KSPPvKP",
];

/// Materials for rows of one word, like men told apart and not.
const IN_ROWS_OF_ONE_WORD: [&str; 17] = [
    "KRvKR", "KNvKS", "KMMvK", "KRNvKR", "KSMvKS", "KRRvKR", "KNSvKN", "KRPvKP", "KPPvKP", "KPPvK", "KMPvKR", "KRMMvK",
    "KMMMvKM", "KRvKMMM", "KNNvKM", "KSSvKM", "KMMMMvK",
];

/// Men on squares: a bit of the solver's sets. Men share a square where the bit stands for a capture, and a pawn is on
/// its promotion rank where it stands for a promotion.
#[derive(Clone, Debug)]
pub(super) struct CellSetup {
    kings: Pair,
    men: ArrayVec<Square, MAX_AXES>,
}

impl CellSetup {
    /// The setup of a bit.
    pub(super) fn at(geometry: &Geometry, slab: usize, row: usize, word: usize, bit: usize) -> CellSetup {
        let mut men = geometry.row_men(slab, row).outer;
        if geometry.row_words() == 64 {
            men.push(Square::new(word as u8));
        }
        men.push(Square::new(bit as u8));
        CellSetup { kings: geometry.layout().kings().pair(slab), men }
    }

    /// The board after an exit of these men; `None` if the setup cannot stand for one.
    pub(super) fn board(&self, geometry: &Geometry, exit: ExitMen) -> Option<Board> {
        let mut board = Board::empty();
        for color in Color::ALL {
            board.set(self.kings[color], Piece::new(color, Role::King));
        }
        for (man, &piece) in geometry.men().iter().enumerate() {
            let square = self.men[man];
            let mut piece = piece;
            let may_stand = if exit.promoted == Some(man) {
                piece.role = Role::Met;
                square.rank() == piece.color.promotion_rank()
            } else {
                piece.role != Role::Pawn || piece.color.pawn_squares().contains(square)
            };
            if !may_stand {
                return None;
            }
            if exit.taken != Some(man) {
                if board.piece_at(square).is_some() {
                    return None;
                }
                board.set(square, piece);
            }
        }
        Some(board)
    }

    /// The position after an exit of `mover` by these men; `None` if the setup does not stand for one.
    pub(super) fn after_exit(&self, geometry: &Geometry, mover: Color, exit: ExitMen) -> Option<Position> {
        let board = self.board(geometry, exit)?;
        if let Some(taken) = exit.taken {
            let taker = board.piece_at(self.men[taken])?;
            let by_pawn = exit.promoted.is_none_or(|pawn| self.men[pawn] == self.men[taken]);
            if taker.color != mover || !by_pawn {
                return None;
            }
        }
        Position::new(board, !mover).ok()
    }

    fn position(&self, geometry: &Geometry, turn: Color) -> Option<Position> {
        Position::new(self.board(geometry, ExitMen::NONE)?, turn).ok()
    }

    /// The setup after a move; a man that is taken stays where it is.
    fn after(&self, geometry: &Geometry, mover: Color, mv: Move) -> CellSetup {
        let mut after = self.clone();
        if self.kings[mover] == mv.from {
            after.kings[mover] = mv.to;
        } else {
            let man = (0..self.men.len()).find(|&man| self.men[man] == mv.from && geometry.men()[man].color == mover);
            after.men[man.expect("a man moves")] = mv.to;
        }
        after
    }

    fn transformed(&self, transform: Transform) -> CellSetup {
        CellSetup {
            kings: self.kings.map(|king| transform.square(king)),
            men: self.men.iter().map(|&square| transform.square(square)).collect(),
        }
    }

    /// All bits that the setup has: like men in any order, and both copies where both kings are on the diagonal.
    fn bits(&self, geometry: &Geometry) -> BTreeSet<(usize, usize, usize, usize)> {
        let kings = geometry.layout().kings();
        let (slab, transform) = kings.fold(self.kings).expect("the kings are apart");
        let home = self.transformed(transform);
        let mut copies = vec![home.clone()];
        if kings.is_diagonal(slab) {
            copies.push(home.transformed(Transform::DIAGONAL));
        }
        let (mut bits, mut named) = (BTreeSet::new(), BTreeSet::new());
        while let Some(setup) = copies.pop() {
            let (outer, within) = setup.men.split_at(geometry.outer());
            let row = geometry.row_of(&outer.iter().copied().collect());
            let word = if geometry.row_words() == 64 { within[0].index() } else { 0 };
            bits.insert((slab, row, word, within[within.len() - 1].index()));
            // Named in each order, however many of them are one bit.
            if !named.insert(setup.men.clone()) {
                continue;
            }
            for a in 0..setup.men.len() {
                for b in (a + 1..setup.men.len()).filter(|&b| geometry.men()[a] == geometry.men()[b]) {
                    let mut exchanged = setup.clone();
                    exchanged.men.swap(a, b);
                    copies.push(exchanged);
                }
            }
        }
        bits
    }
}

/// Whether a position belongs to the random set of a seed: a quarter of all do.
fn is_chosen(position: &Position, seed: u64) -> bool {
    let Ok(oriented) = Material::of(position.board()) else { return false };
    // Two bare kings have no table, and any choice will do.
    let number = match oriented.material {
        Material::BARE_KINGS => 0,
        material => {
            let (side, number) = Layout::new(material).number(position).expect("a position of the material");
            2 * number + u64::from(side == Color::Black)
        }
    };
    let name = oriented.material.to_string();
    let mut hash = name.bytes().fold(seed, |hash, byte| hash.wrapping_mul(257) ^ u64::from(byte)) ^ number;
    hash = hash.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    hash ^= hash >> 29;
    hash.wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 62 == 0
}

fn get<const W: usize>(row: &Row<W>, word: usize, bit: usize) -> bool {
    row[word] >> bit & 1 != 0
}

/// All words and bits of a row.
pub(super) fn places<const W: usize>() -> impl Iterator<Item = (usize, usize)> {
    (0..W).flat_map(|word| (0..64).map(move |bit| (word, bit)))
}

/// Some rows, mostly without men on one another.
pub(super) fn some_rows(geometry: &Geometry, rng: &mut Rng, count: usize) -> Vec<(usize, usize)> {
    let mut rows = Vec::new();
    while rows.len() < count.min(geometry.rows() * geometry.slabs()) {
        let (slab, row) = (rng.usize(..geometry.slabs()), rng.usize(..geometry.rows()));
        let men = geometry.row_men(slab, row);
        let are_apart = men.fixed().count_ones() as usize == 2 + men.outer.len();
        if (are_apart && !geometry.is_void(&men)) || rng.u8(..8) == 0 {
            rows.push((slab, row));
        }
    }
    rows
}

fn check_legality<const W: usize>(geometry: &Geometry, rows: &[(usize, usize)]) {
    let name = geometry.layout().material();
    for &(slab, row) in rows {
        let men = geometry.row_men(slab, row);
        let legality = RowLegality::<W>::new(geometry, &men);
        let apart: Row<W> = free(geometry, &men, ExitMen::NONE);
        for color in Color::ALL {
            let legal = legality.legal(color);
            for (word, bit) in places::<W>() {
                let setup = CellSetup::at(geometry, slab, row, word, bit);
                let board = setup.board(geometry, ExitMen::NONE);
                assert_eq!(get(&apart, word, bit), board.is_some(), "{name} {setup:?}");
                let position = setup.position(geometry, color);
                assert_eq!(get(&legal, word, bit), position.is_some(), "{name} {color} {setup:?}");
            }
            for exit in ExitMen::all(geometry, color) {
                let exits = legality.exits(color, exit);
                for (word, bit) in places::<W>() {
                    let setup = CellSetup::at(geometry, slab, row, word, bit);
                    let is_legal = setup.after_exit(geometry, color, exit).is_some();
                    assert_eq!(get(&exits, word, bit), is_legal, "{name} {color} {:?} {setup:?}", exit);
                    assert!(!is_legal || !geometry.is_void(&men), "{name} {setup:?}");
                }
            }
        }
    }
}

/// Puts the chosen positions that moves from these rows lead to into a set. Compares the predecessors of that set in
/// these rows with the positions from which a legal move leads to a chosen one.
fn check_predecessors<const W: usize>(geometry: &Geometry, rows: &[(usize, usize)], rng: &mut Rng) {
    let name = geometry.layout().material();
    let seed = rng.u64(..);
    for mover in Color::ALL {
        let planes = geometry.slabs() * geometry.planes();
        let mut arena = PlaneArena::new(planes, geometry.plane_words()).expect("memory");
        let memory = &PlaneMemory::new(&mut arena, 0, None);
        let mut set = PositionSet::empty(geometry, memory);
        let mut expected: Vec<(Row<W>, Row<W>)> = Vec::new();
        for &(slab, row) in rows {
            let (mut legal, mut leads) = ([0; W], [0; W]);
            for (word, bit) in places::<W>() {
                let setup = CellSetup::at(geometry, slab, row, word, bit);
                let Some(position) = setup.position(geometry, mover) else { continue };
                legal[word] |= 1 << bit;
                for mv in position.legal_moves() {
                    if is_chosen(&position.play(mv), seed) {
                        leads[word] |= 1 << bit;
                        insert::<W>((&mut set, memory), geometry, &setup.after(geometry, mover, mv));
                    }
                }
            }
            expected.push((legal, leads));
        }
        for (&(slab, row), (legal, leads)) in rows.iter().zip(&expected) {
            let men = geometry.row_men(slab, row);
            let mut found = [0; W];
            add_predecessors(geometry, mover, (slab, row), &men, set.view(memory), None, &mut found);
            let random: Row<W> = std::array::from_fn(|w| legal[w] & rng.u64(..) & rng.u64(..));
            let mut wanted = [0; W];
            add_predecessors(geometry, mover, (slab, row), &men, set.view(memory), Some(&random), &mut wanted);
            for (word, bit) in places::<W>().filter(|&(word, bit)| get(legal, word, bit)) {
                let expected = get(leads, word, bit);
                let setup = || CellSetup::at(geometry, slab, row, word, bit);
                assert_eq!(get(&found, word, bit), expected, "{name} {mover} {:?}", setup());
                if get(&random, word, bit) {
                    assert_eq!(get(&wanted, word, bit), expected, "{name} {mover} wanted {:?}", setup());
                }
            }
            if let Some(moves) = geometry.row_moves()
                && W == 1
                && can_send(geometry, moves, mover)
            {
                let mut sent = 0;
                SentWords::each_origin((geometry, moves), mover, slab, set.view(memory), |origin, word| {
                    if origin == row {
                        sent = word;
                    }
                });
                assert_eq!(sent & legal[0], leads[0], "{name} {mover}: words sent to row {row} of slab {slab}");
            }
            let reached = reached_rows(geometry, mover, slab, set.view(memory));
            let is_reached = reached[row / 64] >> (row % 64) & 1 != 0;
            let is_empty = leads.iter().all(|&word| word == 0);
            assert!(is_reached || is_empty, "{name} {mover}: row {row} of slab {slab} is passed over");
        }
    }
}

fn insert<'m, const W: usize>(
    (set, memory): (&mut PositionSet<'m>, &PlaneMemory<'m>),
    geometry: &Geometry,
    setup: &CellSetup,
) {
    for (slab, row, word, bit) in setup.bits(geometry) {
        let number = (row * W + word) * 64 + bit;
        set.add::<W>(slab, &[number as u32], memory);
    }
}

/// Compares `rows` rows of 64 words, or half as many words in rows of one.
fn check(geometry: &Geometry, rng: &mut Rng, rows: usize) {
    let rows = some_rows(geometry, rng, if geometry.row_words() == 64 { rows } else { 32 * rows });
    if geometry.row_words() == 64 {
        check_legality::<64>(geometry, &rows[..rows.len().div_ceil(2)]);
        check_predecessors::<64>(geometry, &rows, rng);
    } else {
        check_legality::<1>(geometry, &rows);
        check_predecessors::<1>(geometry, &rows, rng);
    }
}

#[test]
fn kernels_agree_with_the_rules() {
    compare(&MATERIALS, Geometry::new, 1);
}

#[test]
#[ignore = "large materials: half a minute, and gigabytes"]
fn kernels_agree_with_the_rules_in_more_materials_with_pawns() {
    compare(&WITH_PAWNS, Geometry::new, 6);
}

/// Compares rows of each material with the rules.
fn compare(names: &[&str], geometry: fn(Material) -> Geometry, rows: usize) {
    let mut rng = Rng::with_seed(15);
    for name in names {
        check(&geometry(name.parse().unwrap()), &mut rng, rows);
    }
}

#[test]
fn kernels_agree_with_the_rules_in_rows_of_one_word() {
    compare(&IN_ROWS_OF_ONE_WORD, |material| Geometry::with_inner(material, false), 1);
}

#[test]
fn the_materials_have_every_man_on_every_axis() {
    fn kinds(material: Material) -> Vec<(char, u8)> {
        let geometry = Geometry::new(material);
        let kind = |man| match geometry.axis_kind(man) {
            AxisKind::Bit => 0,
            AxisKind::Inner => 1,
            AxisKind::Outer(_) if geometry.men().len() == 4 => 2 + man as u8,
            AxisKind::Outer(_) => 2,
        };
        geometry.men().iter().enumerate().map(|(man, &piece)| (piece.letter(), kind(man))).collect()
    }
    let tested: BTreeSet<(char, u8)> =
        MATERIALS.iter().chain(&WITH_PAWNS).flat_map(|name| kinds(name.parse().unwrap())).collect();
    let possible: BTreeSet<(char, u8)> = (3..=6).flat_map(Material::all).flat_map(kinds).collect();
    let missing: Vec<_> = possible.difference(&tested).collect();
    assert!(missing.is_empty(), "{missing:?}");
}
