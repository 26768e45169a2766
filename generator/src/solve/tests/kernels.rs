//! Every kernel, bit by bit, against [`Position`], which knows nothing of rows and words.

use std::collections::BTreeSet;

use arrayvec::ArrayVec;
use fastrand::Rng;
use makruk_tables::index::{Layout, MAX_AXES, Pair, Transform};
use makruk_tables::material::Material;
use makruk_tables::rules::{Board, Color, Move, Piece, Position, Role, Square};

use crate::solve::bitset::{PositionSet, Row};
use crate::solve::geometry::{AxisKind, Geometry};
use crate::solve::legality::{RowLegality, disjoint};
use crate::solve::predecessors::{add_predecessors, reached_rows};

/// Materials in which every man stands on every kind of axis that it can have up to six men; a test says so.
const MATERIALS: [&str; 33] = [
    "KRvK", "KNvK", "KSvK", "KMvK", "KRRvK", "KNNvK", "KSSvK", "KMMvK", "KRvKR", "KNvKN", "KSvKS", "KMvKM", "KRvKN",
    "KNvKS", "KRvKS", "KSvKM", "KRNvKR", "KNSvKN", "KSMvKS", "KMMMvK", "KRSvKR", "KNNvKM", "KRRvKR", "KRRvKRR",
    "KNNvKNN", "KSSvKSS", "KMMvKMM", "KRSMvKR", "KNSMvKN", "KSMvKN", "KNMvKR", "KMMvKS", "KSMMvKS",
];

/// Men on squares: a bit of the solver's sets. Men share a square where the bit stands for a capture.
#[derive(Clone, Debug)]
pub(super) struct Setup {
    kings: Pair,
    men: ArrayVec<Square, MAX_AXES>,
}

impl Setup {
    /// The setup of a bit.
    pub(super) fn at(geometry: &Geometry, slab: usize, row: usize, word: usize, bit: usize) -> Setup {
        let mut place = row;
        if geometry.row_words() == 64 {
            place = place << 6 | word;
        }
        place = place << 6 | bit;
        let men = geometry.men().len();
        let square = |man: usize| Square::new((place >> (6 * (men - 1 - man)) & 63) as u8);
        Setup { kings: geometry.layout().kings().pair(slab), men: (0..men).map(square).collect() }
    }

    /// The board, one man being ignored; `None` if two others share a square.
    pub(super) fn board(&self, geometry: &Geometry, ignored: Option<usize>) -> Option<Board> {
        let mut board = Board::empty();
        for color in Color::ALL {
            board.set(self.kings[color], Piece::new(color, Role::King));
        }
        for (man, &piece) in geometry.men().iter().enumerate().filter(|&(man, _)| Some(man) != ignored) {
            if board.piece_at(self.men[man]).is_some() {
                return None;
            }
            board.set(self.men[man], piece);
        }
        Some(board)
    }

    /// The square of a man.
    pub(super) fn square(&self, man: usize) -> Square {
        self.men[man]
    }

    fn position(&self, geometry: &Geometry, turn: Color) -> Option<Position> {
        Position::new(self.board(geometry, None)?, turn).ok()
    }

    /// The setup after a move; a man that is taken stays where it is.
    fn after(&self, geometry: &Geometry, mover: Color, mv: Move) -> Setup {
        let mut after = self.clone();
        if self.kings[mover] == mv.from {
            after.kings[mover] = mv.to;
        } else {
            let man = (0..self.men.len()).find(|&man| self.men[man] == mv.from && geometry.men()[man].color == mover);
            after.men[man.expect("a man moves")] = mv.to;
        }
        after
    }

    fn transformed(&self, transform: Transform) -> Setup {
        Setup {
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
        let mut bits = BTreeSet::new();
        while let Some(setup) = copies.pop() {
            let place = setup.men.iter().fold(0, |place, square| place << 6 | square.index());
            let (word, row) = match geometry.row_words() {
                64 => (place >> 6 & 63, place >> 12),
                _ => (0, place >> 6),
            };
            if !bits.insert((slab, row, word, place & 63)) {
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
        if men.fixed().count_ones() == men.count() || rng.u8(..8) == 0 {
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
        let apart = disjoint::<W>(&men);
        for color in Color::ALL {
            let legal = legality.legal(color);
            for (word, bit) in places::<W>() {
                let setup = Setup::at(geometry, slab, row, word, bit);
                let board = setup.board(geometry, None);
                assert_eq!(get(&apart, word, bit), board.is_some(), "{name} {setup:?}");
                let position = setup.position(geometry, color);
                assert_eq!(get(&legal, word, bit), position.is_some(), "{name} {color} {setup:?}");
            }
            let taken = (0..geometry.men().len()).filter(|&man| geometry.men()[man].color != color);
            for man in taken {
                let captures = legality.captures(color, man);
                for (word, bit) in places::<W>() {
                    let setup = Setup::at(geometry, slab, row, word, bit);
                    let board = setup.board(geometry, Some(man));
                    let taker = board.as_ref().and_then(|board| board.piece_at(setup.men[man]));
                    let is_taken = taker.is_some_and(|taker| taker.color == color);
                    let is_legal = is_taken && Position::new(board.expect("a taker stands on it"), !color).is_ok();
                    assert_eq!(get(&captures, word, bit), is_legal, "{name} {color} takes {man} {setup:?}");
                }
            }
        }
    }
}

/// Puts the chosen positions that moves from these rows lead to into a set, and compares the predecessors of that set in
/// these rows with the positions from which a legal move leads to a chosen one.
fn check_predecessors<const W: usize>(geometry: &Geometry, rows: &[(usize, usize)], rng: &mut Rng) {
    let name = geometry.layout().material();
    let seed = rng.u64(..);
    for mover in Color::ALL {
        let mut set = PositionSet::empty(geometry).expect("memory");
        let mut expected: Vec<(Row<W>, Row<W>)> = Vec::new();
        for &(slab, row) in rows {
            let (mut legal, mut leads) = ([0; W], [0; W]);
            for (word, bit) in places::<W>() {
                let setup = Setup::at(geometry, slab, row, word, bit);
                let Some(position) = setup.position(geometry, mover) else { continue };
                legal[word] |= 1 << bit;
                for mv in position.legal_moves() {
                    if is_chosen(&position.play(mv), seed) {
                        leads[word] |= 1 << bit;
                        insert::<W>(&mut set, geometry, &setup.after(geometry, mover, mv));
                    }
                }
            }
            expected.push((legal, leads));
        }
        for (&(slab, row), (legal, leads)) in rows.iter().zip(&expected) {
            let men = geometry.row_men(slab, row);
            let mut found = [0; W];
            add_predecessors(geometry, mover, (slab, row), &men, set.view(), None, &mut found);
            let random: Row<W> = std::array::from_fn(|w| legal[w] & rng.u64(..) & rng.u64(..));
            let mut wanted = [0; W];
            add_predecessors(geometry, mover, (slab, row), &men, set.view(), Some(&random), &mut wanted);
            for (word, bit) in places::<W>().filter(|&(word, bit)| get(legal, word, bit)) {
                let expected = get(leads, word, bit);
                let setup = || Setup::at(geometry, slab, row, word, bit);
                assert_eq!(get(&found, word, bit), expected, "{name} {mover} {:?}", setup());
                if get(&random, word, bit) {
                    assert_eq!(get(&wanted, word, bit), expected, "{name} {mover} wanted {:?}", setup());
                }
            }
            let reached = reached_rows(geometry, mover, slab, set.view());
            let is_reached = reached[row / 64] >> (row % 64) & 1 != 0;
            let is_empty = leads.iter().all(|&word| word == 0);
            assert!(is_reached || is_empty, "{name} {mover}: row {row} of slab {slab} is passed over");
        }
    }
}

fn insert<const W: usize>(set: &mut PositionSet, geometry: &Geometry, setup: &Setup) {
    for (slab, row, word, bit) in setup.bits(geometry) {
        let number = (row * W + word) * 64 + bit;
        set.add::<W>(slab, &[number as u32]);
    }
}

fn check(geometry: &Geometry, rng: &mut Rng) {
    let rows = some_rows(geometry, rng, if geometry.row_words() == 64 { 10 } else { 400 });
    if geometry.row_words() == 64 {
        check_legality::<64>(geometry, &rows[..5]);
        check_predecessors::<64>(geometry, &rows, rng);
    } else {
        check_legality::<1>(geometry, &rows);
        check_predecessors::<1>(geometry, &rows, rng);
    }
}

#[test]
fn kernels_agree_with_the_rules() {
    let mut rng = Rng::with_seed(15);
    for name in MATERIALS {
        check(&Geometry::new(name.parse().unwrap()), &mut rng);
    }
}

#[test]
fn kernels_agree_with_the_rules_in_rows_of_one_word() {
    let mut rng = Rng::with_seed(16);
    for name in ["KRvKR", "KNvKS", "KMMvK", "KRNvKR", "KSMvKS", "KRRvKR", "KNSvKN"] {
        check(&Geometry::with_rows_of_one_word(name.parse().unwrap()), &mut rng);
    }
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
    let tested: BTreeSet<(char, u8)> = MATERIALS.iter().flat_map(|name| kinds(name.parse().unwrap())).collect();
    let possible: BTreeSet<(char, u8)> = (3..=6).flat_map(Material::all).flat_map(kinds).collect();
    let missing: Vec<_> = possible.difference(&tested).collect();
    assert!(missing.is_empty(), "{missing:?}");
}
