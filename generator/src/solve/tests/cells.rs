//! The cells of positions: each position has one in the order of files, and no two share one.

use arrayvec::ArrayVec;
use makruk_format::index::MAX_AXES;
use makruk_rules::{Piece, Square};

use crate::solve::file_order::FileOrder;
use crate::solve::geometry::Geometry;

/// The squares of the men of a cell, in the order of the geometry's men.
fn squares_of(geometry: &Geometry, cell: u32) -> ArrayVec<Square, MAX_AXES> {
    let (mut cell, mut within) = (cell as usize, ArrayVec::<Square, 2>::new());
    for _ in geometry.outer()..geometry.men().len() {
        within.push(Square::new((cell % 64) as u8));
        cell /= 64;
    }
    geometry.row_men(0, cell).outer.into_iter().chain(within.into_iter().rev()).collect()
}

/// Compares cells with the squares of their positions, with a sampling stride.
fn check(geometry: &Geometry, stride: usize) {
    let layout = geometry.layout();
    let name = layout.material();
    let all: Vec<u32> = (0..64 * geometry.slab_words() as u32).collect();
    let mut cells = Vec::new();
    FileOrder::new(geometry).copy(&all, &mut cells);
    assert_eq!(cells.len() as u64, layout.slab_len(), "{name}");
    for (offset, &cell) in cells.iter().enumerate().step_by(stride) {
        let squares = squares_of(geometry, cell);
        let mut men: Vec<(Piece, Square)> = geometry.men().iter().copied().zip(squares).collect();
        let mut expected: Vec<(Piece, Square)> = layout.men().zip(layout.squares_at(offset as u64)).collect();
        let key = |&(piece, square): &(Piece, Square)| (piece.letter(), square.number());
        men.sort_by_key(key);
        expected.sort_by_key(key);
        assert_eq!(men, expected, "{name}: cell {cell} at offset {offset}");
    }
    cells.sort_unstable();
    assert!(cells.windows(2).all(|two| two[0] < two[1]), "{name}: two positions share a cell");
    assert!(cells.last().is_some_and(|&last| (last as usize) < 64 * geometry.slab_words()), "{name}");
}

#[test]
fn every_position_has_a_cell_of_its_own() {
    for name in ["KRvK", "KMMvK", "KMMMvK", "KRRvKR", "KMMvKM", "KMPPvK", "KSMvKS"] {
        check(&Geometry::new(name.parse().unwrap()), 7);
        check(&Geometry::with_inner(name.parse().unwrap(), false), 7);
    }
}

#[test]
fn like_men_of_seven_are_in_rows_of_one_word() {
    // By material: the words of a row, those of a slab, and the cells of a position.
    for (name, row, slab, cells) in [
        ("KMMMMMvK", 1, 635_376, 5),
        ("KMMMMvKM", 1, 635_376, 1),
        ("KRMMMMvK", 1, 635_376, 1),
        ("KMMMvKMM", 64, 64 * 41_664, 2),
        ("KRNSMvKM", 64, 1 << 24, 1),
        ("KMMMMvK", 64, 64 * 2016, 12),
        ("KMMMvKM", 64, 64 * 2016, 3),
    ] {
        let geometry = Geometry::new(name.parse().unwrap());
        let found = (geometry.row_words(), geometry.slab_words(), geometry.cells_of_a_position());
        assert_eq!(found, (row, slab, cells), "{name}");
    }
}
