//! Which squares a piece attacks.

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

/// The squares in each direction of [`STRAIGHT_STEPS`], up to the edge.
static RAYS: [[u64; 64]; 4] = {
    let mut rays = [[0; 64]; 4];
    let mut direction = 0;
    while direction < 4 {
        let (files, ranks) = STRAIGHT_STEPS[direction];
        let mut number = 0;
        while number < 64 {
            let mut at = Square::new(number as u8).offset(files, ranks);
            while let Some(to) = at {
                rays[direction][number] |= 1 << to.number();
                at = to.offset(files, ranks);
            }
            number += 1;
        }
        direction += 1;
    }
    rays
};

/// The squares a king on `square` attacks.
pub fn king_attacks(square: Square) -> Bitboard {
    Bitboard(KING[square.index()])
}

/// The squares a knight on `square` attacks.
pub fn knight_attacks(square: Square) -> Bitboard {
    Bitboard(KNIGHT[square.index()])
}

/// The squares a rook on `square` attacks, the first occupied square of each ray included.
pub fn rook_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    let [up, right, down, left] = &RAYS;
    let at = square.index();
    // Beyond the nearest blocker of a ray lies that blocker's own ray.
    let rising = |rays: &[u64; 64]| match rays[at] & occupied.0 {
        0 => rays[at],
        blockers => rays[at] & !rays[blockers.trailing_zeros() as usize],
    };
    let falling = |rays: &[u64; 64]| match rays[at] & occupied.0 {
        0 => rays[at],
        blockers => rays[at] & !rays[63 - blockers.leading_zeros() as usize],
    };
    Bitboard(rising(up) | rising(right) | falling(down) | falling(left))
}

/// The squares that a man of this colour and role attacks; for a pawn those it captures on. No blocker matters to any
/// role but the rook, for which this is the empty board's cross.
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

/// The squares that a man of this colour and role attacks on a board with these squares occupied.
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
        let names = |set: Bitboard| set.map(|s| s.to_string()).collect::<Vec<_>>();
        assert_eq!(names(leaper_attacks(Color::White, Role::Khon, e4)), ["d3", "f3", "d5", "e5", "f5"]);
        assert_eq!(names(leaper_attacks(Color::Black, Role::Khon, e4)), ["d3", "e3", "f3", "d5", "f5"]);
        assert_eq!(names(leaper_attacks(Color::White, Role::Met, e4)), ["d3", "f3", "d5", "f5"]);
    }

    #[test]
    fn rooks_stop_at_the_first_blocker() {
        // A walk along each ray, over many boards.
        let mut occupied = 0x9e37_79b9_7f4a_7c15u64;
        for _ in 0..200 {
            occupied = occupied.wrapping_mul(0x5851_f42d_4c95_7f2d).rotate_left(23) ^ 0x1405;
            let blockers = Bitboard(occupied & occupied.rotate_left(31));
            for from in Square::all() {
                let mut walked = Bitboard::EMPTY;
                for (files, ranks) in STRAIGHT_STEPS {
                    let mut at = from.offset(files, ranks);
                    while let Some(to) = at {
                        walked |= Bitboard::of(to);
                        at = if blockers.contains(to) { None } else { to.offset(files, ranks) };
                    }
                }
                assert_eq!(rook_attacks(from, blockers), walked, "{from} {blockers:?}");
            }
        }
    }

    #[test]
    fn between_is_what_blocks() {
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
