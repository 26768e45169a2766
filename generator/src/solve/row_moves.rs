//! The moves of the outer men from row to row, for rows that are not axes of a mask.

use makruk_format::index::Transform;
use makruk_rules::{Bitboard, ByColor, Color, Piece, Role, Square, leaper_attacks, rook_attacks};

use super::rows::Rows;

/// The moves of the outer men from row to row.
#[derive(Debug)]
pub(crate) struct RowMoves {
    /// By the side that moves: for each row, those from which its outer men have a move to it, men in their way or not.
    origins: ByColor<RowLists>,
    /// By the side that moves: for each row, those that its outer leapers move to. `None` if these are the origins,
    /// because all outer men are leapers that can go back.
    leaps: ByColor<Option<RowLists>>,
    /// By the side that moves: whether nothing can be in the way of its outer men.
    only_leaps: ByColor<bool>,
    /// By the transform's index: each row's row under it.
    under: Vec<Vec<u32>>,
}

/// Some rows for each row.
#[derive(Debug)]
pub(crate) struct RowLists {
    /// By row: the place in `rows` of its first. One more says how many there are.
    starts: Vec<u32>,
    rows: Vec<u32>,
}

impl RowMoves {
    /// The moves of these outer men.
    pub(crate) fn new(outer: &[Piece], rows: &Rows) -> RowMoves {
        let under = |transform: Transform| {
            let row = |row| rows.number(&rows.squares(row).iter().map(|&square| transform.square(square)).collect());
            (0..rows.len()).map(|of| row(of).expect("a transform keeps men apart") as u32).collect()
        };
        let all = |color, holds: fn(Role) -> bool| {
            outer.iter().filter(|piece| piece.color == color).all(|piece| holds(piece.role))
        };
        let leaps = |mover| {
            let go_back = all(mover, |role| matches!(role, Role::Met | Role::Knight));
            (!go_back).then(|| RowLists::new(outer, rows, mover, leaps_of))
        };
        RowMoves {
            origins: ByColor::from_fn(|mover| RowLists::new(outer, rows, mover, origins_of)),
            leaps: ByColor::from_fn(leaps),
            only_leaps: ByColor::from_fn(|mover| all(mover, is_leaper)),
            under: Transform::all().map(under).collect(),
        }
    }

    /// The most bytes of the moves of these outer men.
    pub(crate) fn bytes(outer: &[Piece], rows: &Rows) -> u64 {
        let number = size_of::<u32>() as u64;
        let rows = rows.len() as u64;
        let listed = outer.iter().map(|piece| most_moves(piece.role)).sum::<u64>();
        // Origins and leaps with where they begin, by the side that moves; transforms; the squares of the rows.
        number * (2 * listed * rows + 2 * 2 * (rows + 1) + 8 * rows) + Rows::squares_bytes(rows)
    }

    /// For each row, those from which the outer men of `mover` have a move to it, men in their way or not.
    #[inline(always)]
    pub(crate) fn origins(&self, mover: Color) -> &RowLists {
        &self.origins[mover]
    }

    /// For each row, those that the outer leapers of `mover` move to.
    #[inline(always)]
    pub(crate) fn leaps(&self, mover: Color) -> &RowLists {
        self.leaps[mover].as_ref().unwrap_or(&self.origins[mover])
    }

    /// Whether nothing can be in the way of the outer men of `mover`.
    #[inline(always)]
    pub(crate) fn only_leaps(&self, mover: Color) -> bool {
        self.only_leaps[mover]
    }

    /// Each row's row under a transform.
    #[inline(always)]
    pub(crate) fn under(&self, transform: Transform) -> &[u32] {
        &self.under[transform.index()]
    }
}

impl RowLists {
    /// For each row, the rows reached by moving one of `mover`'s outer men to a square in `others(man, from)`.
    fn new(outer: &[Piece], rows: &Rows, mover: Color, others: fn(Piece, Square) -> Bitboard) -> RowLists {
        let men = || outer.iter().enumerate().filter(|(_, piece)| piece.color == mover);
        let most = men().map(|(_, piece)| most_moves(piece.role)).sum::<u64>() as usize;
        let mut lists =
            RowLists { starts: Vec::with_capacity(rows.len() + 1), rows: Vec::with_capacity(most * rows.len()) };
        lists.starts.push(0);
        for row in 0..rows.len() {
            let squares = rows.squares(row);
            for (axis, &piece) in men() {
                for square in others(piece, squares[axis]) {
                    let mut there = squares.clone();
                    there[axis] = square;
                    lists.rows.extend(rows.number(&there).map(|row| row as u32));
                }
            }
            lists.starts.push(lists.rows.len() as u32);
        }
        lists.rows.shrink_to_fit();
        lists
    }

    /// The rows of a row.
    #[inline(always)]
    pub(crate) fn of(&self, row: usize) -> &[u32] {
        &self.rows[self.starts[row] as usize..self.starts[row + 1] as usize]
    }
}

/// Whether nothing can be in the way of such a man, and he takes as he moves.
fn is_leaper(role: Role) -> bool {
    matches!(role, Role::Knight | Role::Khon | Role::Met)
}

/// The most moves of a man.
const fn most_moves(role: Role) -> u64 {
    match role {
        Role::Rook => 14,
        Role::Knight | Role::King => 8,
        Role::Khon => 5,
        Role::Met => 4,
        Role::Pawn => 3,
    }
}

/// The squares from which a piece reaches a square, nothing being in its way.
fn origins_of(piece: Piece, to: Square) -> Bitboard {
    match piece.role {
        Role::Rook => rook_attacks(to, Bitboard::EMPTY),
        Role::Pawn => {
            let steps = [-1, 0, 1].into_iter().filter_map(|files| to.offset(files, -piece.color.forward()));
            steps.fold(Bitboard::EMPTY, Bitboard::with)
        }
        role => leaper_attacks(!piece.color, role, to),
    }
}

/// The squares that a leaper reaches; none for others.
fn leaps_of(piece: Piece, from: Square) -> Bitboard {
    if is_leaper(piece.role) { leaper_attacks(piece.color, piece.role, from) } else { Bitboard::EMPTY }
}
