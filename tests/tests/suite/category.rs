//! Category tables give the categories and bounds of the distances, and know when they do not decide.

use fastrand::Rng;
use makruk_format::Storage;
use makruk_format::index::Layout;
use makruk_probe::{Category, CountBounds, Prober, TableId, Tablebase, Verdict};
use makruk_rules::{ByColor, Color, Count, CountingRules, Fen, Position, Reading};
use makruk_tables::material::Material;
use makruk_tables::value::{Bounds, Metric, Score};

/// The positions that were judged, by the outcome of the category table.
#[derive(Default)]
struct Judged {
    prober: Option<Prober>,
    decided: usize,
    undecided: usize,
    seen: [usize; 5],
}

/// Asserts that a category follows from the distances, and that its bounds contain the count and are no wider than
/// the distances allow.
fn assert_within(verdict: &Verdict, category: Category, bounds: CountBounds, fen: &Fen) {
    let exact = CountBounds::of(verdict.distances(), verdict.category);
    assert_eq!(category, verdict.category, "{fen}");
    let Some(count) = verdict.count.running else {
        assert!(fen.position.board().has_pawns() && bounds == CountBounds::default(), "{fen}: {bounds:?}");
        return;
    };
    assert!(bounds.contain(count), "{fen}: {bounds:?}");
    let fewest = exact.fewest.is_none_or(|exact| bounds.fewest.is_some_and(|found| found >= exact));
    let most = exact.most.is_none_or(|exact| bounds.most.is_some_and(|found| found <= exact));
    assert!(fewest && most, "{fen}: {bounds:?} is not within {exact:?}");
}

impl Judged {
    /// Compares the answers of the category table and of all tables with the category by the distances.
    fn judge(&mut self, fen: &Fen, is_stored: bool) {
        let prober = self.prober.as_ref().expect("tables");
        let verdict = prober.probe(fen).expect("a verdict");
        let (category, bounds) = prober.bounded_category(fen).expect("tables");
        assert_within(&verdict, category, bounds, fen);
        let now = Fen { count: None, ..fen.clone() };
        let expected = prober.probe(&now).expect("a verdict").category;
        assert_eq!(prober.source().category(&fen.position).expect("a category"), expected, "{now}");
        match prober.decided_category(fen).expect("a category table") {
            None => {
                assert!(fen.count.is_some() || !is_stored, "{fen}: classes end where a count begins");
                self.undecided += 1;
            }
            Some((category, bounds)) => {
                assert_within(&verdict, category, bounds, fen);
                if category != Category::Draw {
                    self.decided += 1;
                }
            }
        }
        self.seen[verdict.category as usize] += 1;
    }
}

/// A count for a position: none, one that has run for some time, one that leaves little, one that has run out, one with
/// another limit. None with a pawn on the board.
fn some_count(position: &Position, rng: &mut Rng) -> Option<Count> {
    if position.board().has_pawns() {
        return None;
    }
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
fn category_tables_agree_with_the_distances_under_any_count() {
    let materials = test_tables::materials(&["KRvK", "KRvKM", "KRPvK", "KRNvK"]);
    let folder = test_tables::usual(materials.iter().copied());
    let mut judged = Judged { prober: Some(Prober::new(Tablebase::new(folder.path()))), ..Judged::default() };
    let mut rng = Rng::with_seed(4);
    for &material in &materials {
        let layout = Layout::new(material);
        let tables = judged.prober.as_ref().expect("tables").source();
        let id = TableId { material, metric: Metric::Category };
        let stored = ByColor::from_fn(|side| tables.open(id).expect("a table").side(side).storage != Storage::Absent);
        for side in Color::ALL {
            let numbers = layout.positions()[side];
            let mut left = 1_000;
            while left > 0 {
                let Some(position) = layout.position_at(side, rng.u64(..numbers)) else { continue };
                left -= 1;
                let count = some_count(&position, &mut rng);
                judged.judge(&Fen { position, count, fullmove: 1 }, stored[side]);
            }
        }
    }
    let Judged { decided, undecided, seen, .. } = judged;
    assert!(undecided > 0, "some depend on the exact distance");
    assert!(decided > 9 * undecided, "{undecided} of {} are not decided", decided + undecided);
    assert!(Category::ALL.iter().all(|&category| seen[category as usize] > 100), "{seen:?}");
}

#[test]
fn category_tables_alone_give_the_category_that_they_decide() {
    let materials = test_tables::materials(&["KRvKM", "KRPvK"]);
    let all = test_tables::usual(materials.iter().copied());
    let own = test_tables::own(&all, materials.iter().copied());
    for entry in std::fs::read_dir(own.path()).expect("the folder") {
        let path = entry.expect("an entry").path();
        if path.extension().is_none_or(|metric| metric != "category") {
            std::fs::remove_file(path).expect("a table to remove");
        }
    }
    let (whole, alone) = (Prober::new(Tablebase::new(all.path())), Prober::new(Tablebase::new(own.path())));
    let mut rng = Rng::with_seed(5);
    let (mut decided, mut undecided) = (0, 0);
    for layout in materials.into_iter().map(Layout::new) {
        for side in Color::ALL {
            for _ in 0..2_000 {
                let Some(position) = layout.position_at(side, rng.u64(..layout.positions()[side])) else { continue };
                let count = some_count(&position, &mut rng);
                let fen = Fen { position, count, fullmove: 1 };
                if let Some((category, _)) = whole.decided_category(&fen).expect("a category table") {
                    assert_eq!(alone.category(&fen).expect("a category"), category, "{fen}");
                    decided += 1;
                } else {
                    assert!(alone.category(&fen).is_err(), "{fen}");
                    undecided += 1;
                }
            }
        }
    }
    assert!(undecided > 20 && decided > 9 * undecided, "{decided} decided, {undecided} undecided");
}

#[test]
#[ignore = "builds tables of five men: ten seconds"]
fn distances_decide_where_a_capture_leaves_a_wide_range() {
    let material: Material = "KNNMvK".parse().expect("a material");
    let prober = Prober::new(Tablebase::new(test_tables::usual([material]).path()));
    // Black's captures lead to classes of KNMvK. A count that begins now leaves 54 plies.
    for (fen, category) in [
        ("8/7M/8/8/3N4/8/7k/2K4N b - - 0 1", Category::Loss),
        ("8/7M/8/8/3N4/8/7k/2K4N b - 64 10 1", Category::Loss),
        ("6M1/8/5N2/8/8/2K3k1/7N/8 b - - 0 1", Category::BlessedLoss),
    ] {
        let fen: Fen = fen.parse().expect("a FEN");
        let range = Bounds { worst: Score::Loss(54), best: Score::Loss(56) };
        assert_eq!(prober.source().bounds(&fen.position).expect("bounds"), range, "{fen}");
        assert_eq!(prober.decided_category(&fen).expect("bounds"), None);
        assert_eq!(prober.category(&fen).expect("a category"), category, "{fen}");
        assert_eq!(prober.source().category(&fen.position).expect("a category"), category, "{fen}");
        assert_eq!(prober.probe(&fen).expect("a verdict").category, category, "{fen}");
    }
    // Under a count that leaves more, the range decides: the mate in 56 plies is in time if 55 are left. No game
    // reaches this count, which its reading notes.
    let later = |fen: &str| {
        let fen = Reading::parse(fen).expect("a FEN").fen;
        assert_eq!(fen.count.expect("a count").limit(), 65);
        let decided = prober.decided_category(&fen).expect("bounds").map(|(category, _)| category);
        (decided, prober.category(&fen).expect("a category"))
    };
    assert_eq!(later("6M1/8/5N2/8/8/2K3k1/7N/8 b - 65 10 1"), (Some(Category::Loss), Category::Loss));
}
