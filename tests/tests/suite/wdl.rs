//! The categories of WDL tables are those of the distances, and WDL tables know when they do not decide.

use fastrand::Rng;
use makruk_probe::{Category, Prober, Tablebase};
use makruk_tables::index::Layout;
use makruk_tables::material::Material;
use makruk_tables::rules::{Color, Count, CountingRules, Fen};

/// Of five men: with Black to move omitted, and with Black stored although his distances are omitted.
const LARGE: [&str; 4] = ["KRRvKR", "KNNMvK", "KNMvKR", "KNMvKS"];

#[test]
fn wdl_categories_are_those_of_the_distances() {
    compare(Material::with_descendants(test_tables::materials(&test_tables::FEW)), 500);
}

#[test]
#[ignore = "builds tables of five men: half a minute"]
fn wdl_categories_of_five_men_are_those_of_the_distances() {
    let large = LARGE.map(|material| material.parse::<Material>().expect("a material"));
    compare((3..=4).flat_map(Material::all).chain(large).collect(), 3_000);
}

/// Compares `positions` positions of each material and side to move.
fn compare(materials: Vec<Material>, positions: usize) {
    let folder = test_tables::usual(materials.iter().copied());
    let prober = Prober::new(Tablebase::new(folder.path()));
    let rules = CountingRules::MAKRUK;
    let mut rng = Rng::with_seed(20);
    let (mut undecided, mut seen) = (0, [0; 5]);
    for &material in &materials {
        let layout = Layout::new(material);
        for side in Color::ALL {
            let mut left = positions;
            while left > 0 {
                let number = rng.u64(..layout.positions()[side]);
                let Some(position) = layout.position_at(side, number) else { continue };
                left -= 1;
                // No count, one that has run for some time, one that leaves little, one that has run out, one with a longer limit.
                let begun = rules.start(position.board(), side).map_or((128, 0), |count| (count.limit(), count.ply()));
                let later = |plies: u32| Some(Count::new(begun.0, plies).expect("a count"));
                let count = match left % 5 {
                    // With a pawn on the board no count runs.
                    0 | 1 => None,
                    _ if position.board().has_pawns() => None,
                    2 => later(rng.u32(begun.1..=begun.0.max(begun.1))),
                    3 => later(begun.0 + rng.u32(0..3)),
                    _ => Some(Count::new(begun.0 + rng.u32(..60), rng.u32(..80)).expect("a count")),
                };
                let fen = Fen { position, count, fullmove: 1 };
                let expected = prober.probe(&fen).expect("a verdict").category;
                let wdl = prober.wdl_category(&fen).expect("a WDL table");
                assert!(wdl.is_none_or(|wdl| wdl == expected), "{fen}: {wdl:?} is not {expected:?}");
                assert!(wdl.is_some() || count.is_some(), "{fen}: a count that has not begun is decided");
                assert_eq!(prober.category(&fen).expect("a category"), expected, "{fen}");
                undecided += usize::from(wdl.is_none());
                seen[expected as usize] += 1;
            }
        }
    }
    assert!(undecided > 0, "some depend on the distance");
    assert!(Category::ALL.iter().all(|&category| seen[category as usize] > 100), "{seen:?}");
}
