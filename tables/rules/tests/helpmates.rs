//! The positions from which a side can mate if the other helps, by a search from all mates backwards, against
//! `Position::can_mate`. The search has moves of its own.

#![allow(clippy::unwrap_used)] // helpers outside of test functions

use std::collections::HashMap;

use makruk_rules::{Bitboard, Board, Color, Piece, Position, Role, Square, king_attacks, leaper_attacks, rook_attacks};

const DIAGONALS: [(i8, i8); 4] = [(1, 1), (1, -1), (-1, -1), (-1, 1)];
const STRAIGHT: [(i8, i8); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
const LEAPS: [(i8, i8); 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

/// A bit for each placement of the men: the positions from which White can mate, Black to move and White to move.
type Found = [Vec<u64>; 2];

fn step(from: u8, (files, ranks): (i8, i8)) -> Option<u8> {
    let (file, rank) = (from as i8 % 8 + files, from as i8 / 8 + ranks);
    ((0..8).contains(&file) && (0..8).contains(&rank)).then_some((rank * 8 + file) as u8)
}

/// The squares that a man attacks.
fn attacks(man: u8, from: u8, occupied: u64) -> u64 {
    let ahead = if man.is_ascii_uppercase() { 1 } else { -1 };
    let to = |steps: &[(i8, i8)]| steps.iter().filter_map(|&way| step(from, way)).fold(0, |all, to| all | 1 << to);
    match man.to_ascii_uppercase() {
        b'K' => to(&DIAGONALS) | to(&STRAIGHT),
        b'N' => to(&LEAPS),
        b'M' => to(&DIAGONALS),
        b'S' => to(&DIAGONALS) | to(&[(0, ahead)]),
        b'P' => to(&[(-1, ahead), (1, ahead)]),
        _ => STRAIGHT.iter().fold(0, |mut all, &way| {
            let mut at = from;
            while let Some(next) = step(at, way) {
                (all, at) = (all | 1 << next, next);
                if occupied >> next & 1 == 1 {
                    break;
                }
            }
            all
        }),
    }
}

/// The search of all materials that it meets, by the letters of their men.
#[derive(Default)]
struct Search {
    found: HashMap<Vec<u8>, Found>,
    /// The squares attacked from each square, for men other than rooks.
    leaps: HashMap<u8, Vec<u64>>,
}

fn index(squares: &[u8]) -> usize {
    squares.iter().rev().fold(0, |index, &square| index * 64 + usize::from(square))
}

fn has(bits: &[u64], index: usize) -> bool {
    bits[index / 64] >> (index % 64) & 1 == 1
}

/// The men in their order, each with its square.
fn sorted(mut men: Vec<(u8, u8)>) -> (Vec<u8>, Vec<u8>) {
    men.sort_by_key(|&(man, square)| (!man.eq_ignore_ascii_case(&b'K'), man, square));
    men.into_iter().unzip()
}

impl Search {
    fn attacks(&self, man: u8, from: u8, occupied: u64) -> u64 {
        match self.leaps.get(&man) {
            Some(leaps) => leaps[usize::from(from)],
            None => attacks(man, from, occupied),
        }
    }

    fn in_check(&self, men: &[u8], squares: &[u8], white: bool) -> bool {
        let occupied = squares.iter().fold(0, |all, square| all | 1 << square);
        let king = squares[usize::from(!white)];
        men.iter().zip(squares).any(|(&man, &square)| {
            man.is_ascii_uppercase() != white && self.attacks(man, square, occupied) >> king & 1 == 1
        })
    }

    /// Calls `visit` with the men after each legal move that is `wanted`, until it is true. `wanted` hears whether the
    /// move is a capture or a promotion.
    fn any_move(
        &self,
        men: &[u8],
        (squares, white): (&[u8], bool),
        wanted: impl Fn(bool) -> bool,
        mut visit: impl FnMut(Vec<(u8, u8)>) -> bool,
    ) -> bool {
        let occupied = squares.iter().fold(0u64, |all, square| all | 1 << square);
        let own = |&(man, _): &(&u8, &u8)| man.is_ascii_uppercase() == white;
        let blocked = men.iter().zip(squares).filter(own).fold(0u64, |all, (_, square)| all | 1 << square);
        for (at, (&man, &from)) in men.iter().zip(squares).enumerate().filter(|(_, pair)| own(pair)) {
            let is_pawn = man.eq_ignore_ascii_case(&b'P');
            let mut targets = self.attacks(man, from, occupied) & !blocked & !(1 << squares[usize::from(white)]);
            if is_pawn {
                let ahead = step(from, (0, if white { 1 } else { -1 })).map_or(0, |to| 1 << to);
                targets = targets & occupied | ahead & !occupied;
            }
            while targets != 0 {
                let to = targets.trailing_zeros() as u8;
                targets &= targets - 1;
                let promotes = is_pawn && to / 8 == if white { 5 } else { 2 };
                if !wanted(promotes || occupied >> to & 1 == 1) {
                    continue;
                }
                let mut after: Vec<(u8, u8)> = Vec::with_capacity(men.len());
                after.extend(men.iter().copied().zip(squares.iter().copied()));
                after[at] = (if promotes { man ^ b'P' ^ b'M' } else { man }, to);
                if let Some(taken) = (0..men.len()).find(|&other| other != at && squares[other] == to) {
                    after.remove(taken);
                }
                let (left, places): (Vec<u8>, Vec<u8>) = after.iter().copied().unzip();
                if !self.in_check(&left, &places, white) && visit(after) {
                    return true;
                }
            }
        }
        false
    }

    fn is_legal(&self, men: &[u8], squares: &[u8], white: bool) -> bool {
        let (king, other) = (squares[0], squares[1]);
        let apart = (king % 8).abs_diff(other % 8).max((king / 8).abs_diff(other / 8)) > 1;
        let on_ranks = men.iter().zip(squares).all(|(man, square)| match man {
            b'P' => (2..5).contains(&(square / 8)),
            b'p' => (3..6).contains(&(square / 8)),
            _ => true,
        });
        let distinct = (1..squares.len()).all(|at| !squares[..at].contains(&squares[at]));
        // Like men are written in one order.
        let in_order = (3..men.len()).all(|at| men[at] != men[at - 1] || squares[at] > squares[at - 1]);
        distinct && apart && on_ranks && in_order && !self.in_check(men, squares, !white)
    }

    /// The positions of a material from which White can mate; those of the materials after captures and promotions too.
    fn solve(&mut self, men: &[u8]) {
        if self.found.contains_key(men) {
            return;
        }
        for man in *b"KkNnSsMmPp" {
            self.leaps.entry(man).or_insert_with(|| (0..64).map(|from| attacks(man, from, 0)).collect());
        }
        for at in 2..men.len() {
            let mut left = men.to_vec();
            let man = left.remove(at);
            self.solve(&left);
            if man.eq_ignore_ascii_case(&b'P') {
                left.push(man ^ b'P' ^ b'M');
                self.solve(&sorted(left.into_iter().map(|man| (man, 0)).collect()).0);
            }
        }
        let size = 1 << (6 * men.len());
        let mut found: Found = [vec![0; size / 64], vec![0; size / 64]];
        let mut frontier: Vec<(u32, bool)> = Vec::new();
        let mut squares = vec![0; men.len()];
        for place in 0..size {
            for (at, square) in squares.iter_mut().enumerate() {
                *square = (place >> (6 * at) & 63) as u8;
            }
            for white in [false, true] {
                if !self.is_legal(men, &squares, white) {
                    continue;
                }
                let is_mate = || {
                    !white
                        && self.in_check(men, &squares, white)
                        && !self.any_move(men, (&squares, white), |_| true, |_| true)
                };
                let exits = || {
                    self.any_move(
                        men,
                        (&squares, white),
                        |exits| exits,
                        |after| {
                            let (left, squares) = sorted(after);
                            self.found.get(&left).is_some_and(|found| has(&found[usize::from(!white)], index(&squares)))
                        },
                    )
                };
                if is_mate() || exits() {
                    found[usize::from(white)][place / 64] |= 1 << (place % 64);
                    frontier.push((place as u32, white));
                }
            }
        }
        while let Some((place, white)) = frontier.pop() {
            for (at, square) in squares.iter_mut().enumerate() {
                *square = (place >> (6 * at) & 63) as u8;
            }
            let occupied = squares.iter().fold(0u64, |all, square| all | 1 << square);
            for (at, &man) in men.iter().enumerate().filter(|(_, man)| man.is_ascii_uppercase() != white) {
                let to = squares[at];
                // A man's squares of origin are those that the same man of the other colour attacks.
                let mut origins = match man {
                    b'P' => to.checked_sub(8).map_or(0, |from| 1 << from),
                    b'p' => step(to, (0, 1)).map_or(0, |from| 1 << from),
                    _ => self.attacks(man ^ 0x20, to, occupied),
                } & !occupied;
                while origins != 0 {
                    let from = origins.trailing_zeros() as u8;
                    origins &= origins - 1;
                    let mut before = squares.clone();
                    before[at] = from;
                    let men_before = men.iter().copied().zip(before).collect();
                    let (_, before) = sorted(men_before);
                    let place = index(&before);
                    if !has(&found[usize::from(!white)], place) && self.is_legal(men, &before, !white) {
                        found[usize::from(!white)][place / 64] |= 1 << (place % 64);
                        frontier.push((place as u32, !white));
                    }
                }
            }
        }
        self.found.insert(men.to_vec(), found);
    }

    /// Compares all positions of a material; returns how many there are, and those from which White can mate.
    fn compare(&mut self, others: &str) -> (u32, u32, u32) {
        let men = sorted(format!("Kk{others}").bytes().map(|man| (man, 0)).collect()).0;
        self.solve(&men);
        let found = &self.found[&men];
        let (mut all, mut helped, mut known) = (0, 0, 0);
        for place in 0..1 << (6 * men.len()) {
            let squares: Vec<u8> = (0..men.len()).map(|at| (place >> (6 * at) & 63) as u8).collect();
            for white in [false, true] {
                if !self.is_legal(&men, &squares, white) {
                    assert!(!has(&found[usize::from(white)], place));
                    continue;
                }
                let on_board = men.iter().zip(&squares);
                let board: Board = on_board
                    .map(|(&man, &square)| (Square::new(square), Piece::from_letter(man.into()).unwrap()))
                    .collect();
                let position = Position::new(board, if white { Color::White } else { Color::Black }).unwrap();
                let (expected, said) = (has(&found[usize::from(white)], place), position.can_mate(Color::White));
                assert_ne!(said, Some(!expected), "{position:?}");
                assert_eq!(position.color_flipped().can_mate(Color::Black), said, "{position:?} flipped");
                all += 1;
                helped += u32::from(expected);
                known += u32::from(said.is_some());
            }
        }
        (all, helped, known)
    }
}

/// The positions of each material: all, those from which White can mate, those of which `can_mate` knows it.
fn compare(materials: &[(&str, (u32, u32, u32))]) {
    let mut search = Search::default();
    for &(others, expected) in materials {
        assert_eq!(search.compare(others), expected, "{others}");
    }
}

#[test]
fn every_position_of_three_men() {
    compare(&[
        ("R", (399_112, 398_632, 399_112)),
        ("N", (429_440, 0, 429_440)),
        ("S", (433_800, 433_554, 433_800)),
        ("M", (436_944, 0, 436_944)),
        ("P", (165_696, 0, 165_696)),
    ]);
}

#[test]
#[ignore = "searches a hundred million positions: minutes in a release build"]
fn every_position_of_eight_materials_of_four_men() {
    compare(&[
        ("MM", (13_006_272, 6_587_688, 13_006_272)),
        ("Mm", (25_986_000, 13_188_032, 25_986_000)),
        ("Mr", (23_773_728, 0, 23_773_728)),
        ("Nn", (25_070_512, 25_070_504, 25_070_512)),
        ("Pr", (9_037_760, 0, 9_037_760)),
        ("Pp", (3_694_928, 1_476_296, 1_902_512)),
        ("Pm", (9_858_096, 4_904_194, 4_953_902)),
        ("Mp", (9_858_096, 4_904_194, 4_953_902)),
    ]);
}

/// Against rooks and mets on squares of their own colour, any number of mets cannot mate. The squares beside the king
/// on its file and rank have the other colour, and no met attacks them. The other king or the mated side's rooks must
/// take them away. A rook there takes the met that gives check. No move gives check with two mets.
#[test]
fn mets_of_one_colour_mate_neither_a_bare_king_nor_rooks() {
    let around = |square| (king_attacks(square), leaper_attacks(Color::White, Role::Met, square));
    let mut tried = 0;
    for king in Square::all() {
        let (beside, diagonal) = (around(king).0 - around(king).1, around(king).1);
        for other in Square::all().filter(|&other| king.distance(other) > 1) {
            let open = beside - king_attacks(other);
            for checker in diagonal {
                tried += 1;
                let occupied = Bitboard::of(king).with(other).with(checker);
                let takes = |rook| rook_attacks(rook, occupied | open).contains(checker);
                assert!(!open.is_empty() && open.into_iter().any(takes), "{king} {other} {checker}");
            }
        }
    }
    assert_eq!(tried, 10_944);
}
