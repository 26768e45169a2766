//! The squares that a piece attacks.

use super::{Bitboard, Color, Role, Square};

const KNIGHT_STEPS: [(i8, i8); 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];
const DIAGONAL_STEPS: [(i8, i8); 4] = [(1, 1), (1, -1), (-1, -1), (-1, 1)];
const STRAIGHT_STEPS: [(i8, i8); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];

const fn steps_from(square: Square, steps: &[(i8, i8)]) -> u64 {
    let mut squares = 0;
    let mut i = 0;
    while i < steps.len() {
        if let Some(to) = square.offset(steps[i].0, steps[i].1) {
            squares |= 1 << to.number();
        }
        i += 1;
    }
    squares
}

const fn table(groups: &[&[(i8, i8)]]) -> [u64; 64] {
    let mut table = [0; 64];
    let mut number = 0;
    while number < 64 {
        let mut group = 0;
        while group < groups.len() {
            table[number] |= steps_from(Square::new(number as u8), groups[group]);
            group += 1;
        }
        number += 1;
    }
    table
}

static KING: [u64; 64] = table(&[&STRAIGHT_STEPS, &DIAGONAL_STEPS]);
static KNIGHT: [u64; 64] = table(&[&KNIGHT_STEPS]);
static MET: [u64; 64] = table(&[&DIAGONAL_STEPS]);
static KHON: [[u64; 64]; 2] = [table(&[&DIAGONAL_STEPS, &[(0, 1)]]), table(&[&DIAGONAL_STEPS, &[(0, -1)]])];
static PAWN: [[u64; 64]; 2] = [table(&[&[(-1, 1), (1, 1)]]), table(&[&[(-1, -1), (1, -1)]])];

/// The squares that a king on `square` attacks.
pub fn king_attacks(square: Square) -> Bitboard {
    Bitboard(KING[square.index()])
}

/// The empty board's rays from a square, in the order of [`STRAIGHT_STEPS`]: up, right, down, left.
static RAYS: [[u64; 4]; 64] = {
    let mut rays = [[0; 4]; 64];
    let mut number = 0;
    while number < 64 {
        let mut direction = 0;
        while direction < 4 {
            let (files, ranks) = STRAIGHT_STEPS[direction];
            let mut at = Square::new(number as u8).offset(files, ranks);
            while let Some(square) = at {
                rays[number][direction] |= 1 << square.number();
                at = square.offset(files, ranks);
            }
            direction += 1;
        }
        number += 1;
    }
    rays
};

/// The squares that a rook on `square` attacks, the first occupied square of each ray included.
#[inline]
pub fn rook_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    let rays = &RAYS[square.index()];
    let mut attacked = 0;
    for (direction, &ray) in rays.iter().enumerate() {
        let blockers = Bitboard(ray & occupied.0);
        // Up and right run towards higher numbers: the nearest blocker is the lowest there, the highest elsewhere.
        let nearest = if direction < 2 { blockers.first() } else { blockers.last() };
        attacked |= ray & !nearest.map_or(0, |blocker| RAYS[blocker.index()][direction]);
    }
    Bitboard(attacked)
}

/// The squares that a piece of this colour and role attacks on an empty board; for a pawn, those on which it captures.
/// Only a rook's attacks depend on other men.
#[inline]
pub fn leaper_attacks(color: Color, role: Role, square: Square) -> Bitboard {
    let at = square.index();
    match role {
        Role::King => Bitboard(KING[at]),
        Role::Knight => Bitboard(KNIGHT[at]),
        Role::Met => Bitboard(MET[at]),
        Role::Khon => Bitboard(KHON[color as usize][at]),
        Role::Pawn => Bitboard(PAWN[color as usize][at]),
        Role::Rook => rook_attacks(square, Bitboard::EMPTY),
    }
}

/// The squares that a piece of this colour and role attacks on a board with these squares occupied.
#[inline]
pub fn attacks(color: Color, role: Role, square: Square, occupied: Bitboard) -> Bitboard {
    match role {
        Role::Rook => rook_attacks(square, occupied),
        _ => leaper_attacks(color, role, square),
    }
}

/// The squares strictly between two squares of one rank or file; none if they share neither.
pub fn between(a: Square, b: Square) -> Bitboard {
    if a == b || (a.file() != b.file() && a.rank() != b.rank()) {
        return Bitboard::EMPTY;
    }
    rook_attacks(a, Bitboard::of(b)) & rook_attacks(b, Bitboard::of(a))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn khon_steps_forward_by_colour() {
        let e4: Square = "e4".parse().unwrap();
        let names = |set: Bitboard| set.into_iter().map(|s| s.to_string()).collect::<Vec<_>>();
        assert_eq!(names(leaper_attacks(Color::White, Role::Khon, e4)), ["d3", "f3", "d5", "e5", "f5"]);
        assert_eq!(names(leaper_attacks(Color::Black, Role::Khon, e4)), ["d3", "e3", "f3", "d5", "f5"]);
        assert_eq!(names(leaper_attacks(Color::White, Role::Met, e4)), ["d3", "f3", "d5", "f5"]);
    }

    #[test]
    fn rook_rays_stop_at_the_first_man() {
        let mut occupied = 0x9e37_79b9_7f4a_7c15u64;
        for _ in 0..2000 {
            occupied = occupied.rotate_left(7).wrapping_mul(0x2545_f491_4f6c_dd1d) ^ (occupied >> 9);
            for square in Square::all() {
                let mut slow = Bitboard::EMPTY;
                for (files, ranks) in STRAIGHT_STEPS {
                    let mut at = square.offset(files, ranks);
                    while let Some(to) = at {
                        slow = slow.with(to);
                        at = if Bitboard(occupied).contains(to) { None } else { to.offset(files, ranks) };
                    }
                }
                assert_eq!(rook_attacks(square, Bitboard(occupied)), slow, "{square}");
            }
        }
    }

    #[test]
    fn the_squares_between_block_a_rook() {
        for a in Square::all() {
            for b in Square::all() {
                let open = rook_attacks(a, Bitboard::EMPTY).contains(b);
                for c in between(a, b) {
                    assert!(open && !rook_attacks(a, Bitboard::of(c)).contains(b));
                }
                if open {
                    assert_eq!(between(a, b).len() as u8 + 1, a.distance(b));
                }
            }
        }
    }
}
