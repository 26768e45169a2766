//! Position -> number -> position is the identity up to symmetry, for every material.

use makruk_format::index::{Layout, Symmetry};
use makruk_format::material::Material;
use makruk_rules::{Board, Color, Move, Piece, Position, Role, Square};
use proptest::prelude::*;

fn materials() -> Vec<Material> {
    (3..=7).flat_map(Material::all).collect()
}

/// A legal position of the material with its men on these squares (taken in turn from a shuffled board), in either
/// colouring.
fn position(material: Material, squares: &[u8], turn: Color, flipped: bool) -> Option<Position> {
    let kings = Color::ALL.map(|color| Piece::new(color, Role::King));
    let men = kings.into_iter().chain(material.pieces());
    let mut board: Board = squares.iter().map(|&n| Square::new(n)).zip(men).collect();
    if flipped {
        board = board.color_flipped();
    }
    Position::new(board, turn).ok()
}

/// All images of a position under the material's symmetries, as boards.
fn images(position: &Position, symmetry: Symmetry) -> Vec<Board> {
    let board = position.board();
    symmetry.transforms().map(|t| board.pieces().map(|(square, piece)| (t.square(square), piece)).collect()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn a_position_comes_back_up_to_symmetry(
        squares in Just((0..64u8).collect::<Vec<_>>()).prop_shuffle(),
        white in any::<bool>(),
        flipped in any::<bool>(),
    ) {
        let turn = if white { Color::White } else { Color::Black };
        for material in materials() {
            let layout = Layout::new(material);
            let Some(position) = position(material, &squares, turn, flipped) else { continue };
            let (side, number) = layout.number(&position).expect("the material's own position");
            let back = layout.position_at(side, number).expect("a numbered position is legal");
            // A colour-symmetric material has one orientation.
            let is_flipped = flipped && !material.is_color_symmetric();
            let original = if is_flipped { position.color_flipped() } else { position.clone() };
            prop_assert_eq!(back.turn(), original.turn());
            prop_assert!(images(&original, layout.symmetry()).contains(back.board()), "{}: {:?} {:?}", material, position, back);
            prop_assert_eq!(layout.number(&back), Some((side, number)));
            for image in images(&original, layout.symmetry()) {
                let image = Position::new(image, original.turn()).expect("a symmetric image is legal");
                prop_assert_eq!(layout.number(&image), Some((side, number)), "{}", material);
            }
        }
    }
}

#[test]
fn every_number_of_three_men_and_many_of_four_come_back() {
    let mut diagonal = 0;
    for material in (3..=4).flat_map(Material::all) {
        let layout = Layout::new(material);
        let step = if material.men() == 3 { 1 } else { 97 };
        for side in Color::ALL {
            for number in (0..layout.positions()[side]).step_by(step) {
                let Some(position) = layout.position_at(side, number) else { continue };
                let (back_side, back) = layout.number(&position).expect("the material's own position");
                let slab = (number / layout.slab_len()) as usize;
                if layout.kings().is_diagonal(slab) {
                    diagonal += 1;
                    assert!(back <= number, "the smaller of both copies");
                } else {
                    assert_eq!(back, number);
                }
                assert_eq!(back_side, side);
                assert_eq!(back / layout.slab_len(), slab as u64);
            }
        }
    }
    assert!(diagonal > 1000);
}

#[test]
fn totals_weigh_to_the_full_board() {
    // Distinct legal placements of K+R v K with either side to move, counted plainly.
    let material: Material = "KRvK".parse().expect("a material");
    let layout = Layout::new(material);
    for side in Color::ALL {
        let mut plain = 0u64;
        for white in Square::all() {
            for black in Square::all() {
                for rook in Square::all() {
                    if white != black && rook != white && rook != black {
                        let squares = [white.number(), black.number(), rook.number()];
                        plain += u64::from(position(material, &squares, side, false).is_some());
                    }
                }
            }
        }
        let folded: u64 = (0..layout.positions()[side])
            .filter(|&number| layout.position_at(side, number).is_some())
            .map(|number| layout.kings().weight((number / layout.slab_len()) as usize))
            .sum();
        assert_eq!(folded, plain);
    }
}

#[test]
fn predecessors_are_the_positions_whose_quiet_moves_lead_here() {
    let mut checked = [0, 0];
    for name in ["KRvKN", "KSvKS", "KSMvKS"] {
        let layout = Layout::new(name.parse().expect("a material"));
        for side in Color::ALL {
            for number in
                (0..layout.positions()[side]).step_by(if layout.material().men() == 4 { 6_007 } else { 400_009 })
            {
                let Some(position) = layout.position_at(side, number) else { continue };
                for mv in position.legal_moves().into_iter().filter(|&mv| position.captured(mv).is_none()) {
                    let after = position.play(mv);
                    assert!(after.quiet_predecessors().any(|before| before == position), "{position:?} {mv}");
                    checked[0] += 1;
                }
                for before in position.quiet_predecessors() {
                    let leads_here = |&mv: &Move| before.captured(mv).is_none() && before.play(mv) == position;
                    assert!(before.legal_moves().iter().any(leads_here), "{before:?} to {position:?}");
                    checked[1] += 1;
                }
            }
        }
    }
    assert!(checked.into_iter().all(|checked| checked > 10_000), "{checked:?}");
}
