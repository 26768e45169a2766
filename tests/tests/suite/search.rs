//! Search tables give the categories and bounds of the distances, and know when they do not decide.

use fastrand::Rng;
use makruk_probe::{Category, CountBounds, Prober, Tablebase};
use makruk_tables::index::Layout;
use makruk_tables::material::Material;
use makruk_tables::rules::{Color, Count, CountingRules, Fen, Position};
use makruk_tests::built;

/// Positions of each material of four men and more and side to move.
const POSITIONS: usize = 3_000;
/// Of five men: with Black to move stored, and omitted with both sides armed and with a bare king.
const LARGE: [&str; 3] = ["KRRvKR", "KNNMvK", "KNMvKS"];

/// The positions that were judged, by the outcome of the search table.
#[derive(Default)]
struct Judged {
    prober: Option<Prober>,
    decided: usize,
    undecided: usize,
    seen: [usize; 5],
}

impl Judged {
    /// Compares the search table's answer with that of the distances.
    fn judge(&mut self, fen: &Fen) {
        let prober = self.prober.as_ref().expect("tables");
        let verdict = prober.probe(fen).expect("a verdict");
        let exact = CountBounds::of(verdict.distances(), verdict.category);
        match prober.bounded_search_category(fen).expect("a search table") {
            None => {
                assert!(fen.count.is_some(), "{fen}: a count that has not begun is decided");
                self.undecided += 1;
            }
            Some((category, bounds)) => {
                assert_eq!(category, verdict.category, "{fen}");
                let count = verdict.count.running.expect("a count");
                assert!(bounds.contain(count), "{fen}: {bounds:?}");
                let fewest = exact.fewest.is_none_or(|exact| bounds.fewest.is_some_and(|found| found >= exact));
                let most = exact.most.is_none_or(|exact| bounds.most.is_some_and(|found| found <= exact));
                assert!(fewest && most, "{fen}: {bounds:?} is not within {exact:?}");
                if category != Category::Draw {
                    self.decided += 1;
                }
            }
        }
        self.seen[verdict.category as usize] += 1;
    }
}

/// A count for a position: none, one that has run for some time, one that leaves little, one that has run out, one with
/// another limit.
fn some_count(position: &Position, rng: &mut Rng) -> Option<Count> {
    let begun = CountingRules::MAKRUK.start(position.board(), position.turn());
    let (limit, ply) = begun.map_or((128, 0), |count| (count.limit(), count.ply()));
    let later = |plies| Some(Count::new(limit, plies).expect("a count"));
    match rng.u8(..6) {
        0 => None,
        1 | 2 => later(rng.u32(ply..=limit.max(ply))),
        3 => later(limit.saturating_sub(rng.u32(..8))),
        4 => later(limit + rng.u32(0..4)),
        _ => Some(Count::new(rng.u32(1..200), rng.u32(..200)).expect("a count")),
    }
}

#[test]
fn search_tables_agree_with_the_distances_under_any_count() {
    let large = LARGE.map(|material| material.parse::<Material>().expect("a material"));
    let materials: Vec<Material> = (3..=4).flat_map(Material::all).chain(large).collect();
    let folder = built::search_tables(materials.iter().copied());
    let mut judged = Judged { prober: Some(Prober::new(Tablebase::new(folder.path()))), ..Judged::default() };
    let mut rng = Rng::with_seed(4);
    for &material in &materials {
        let layout = Layout::new(material);
        for side in Color::ALL {
            let numbers = layout.positions()[side];
            // All positions of three men, samples of the others.
            let all = material.men() == 3;
            let mut left = if all { numbers as usize } else { POSITIONS };
            let mut next = 0;
            while left > 0 {
                let number = if all { next } else { rng.u64(..numbers) };
                next += 1;
                let found = layout.position_at(side, number);
                left -= usize::from(all || found.is_some());
                let Some(position) = found else { continue };
                let count = some_count(&position, &mut rng);
                judged.judge(&Fen { position, count, fullmove: 1 });
            }
        }
    }
    let Judged { decided, undecided, seen, .. } = judged;
    assert!(undecided > 0, "some depend on the exact distance");
    assert!(decided > 9 * undecided, "{undecided} of {} are not decided", decided + undecided);
    assert!(Category::ALL.iter().all(|&category| seen[category as usize] > 100), "{seen:?}");
}
