//! Searches for wins and zugzwangs, against the prober's verdicts on every position.

use makruk_format::index::Layout;
use makruk_probe::{Category, Prober, Tablebase, Verdict};
use makruk_research::{
    Filter, Order, PositionDetails, PositionKind, PositionRecord, SaveAnalysis, SaveSearch, SaveSelector, WinDetails,
    ZugzwangDetails,
};
use makruk_rules::{Color, Fen, Position};

use super::{WITH_PAWN, material, prober};

/// One of a number of cells with a legal position of a material, in the order of the tables.
fn positions(name: &str, stride: u64) -> Vec<(Color, u64, Position)> {
    let layout = Layout::new(material(name));
    let mut all = Vec::new();
    for side in [Color::White, Color::Black] {
        for number in (0..layout.positions()[side]).step_by(stride as usize) {
            if let Some(position) = layout.first_at(side, number) {
                all.push((side, number, position));
            }
        }
    }
    all
}

fn probed(prober: &Prober, position: &Position) -> Verdict {
    prober.probe(&Fen::new(position.clone(), None)).unwrap()
}

/// The result under the count to the side to move.
fn result(verdict: &Verdict) -> i32 {
    match verdict.category {
        Category::Win => 1,
        Category::Loss => -1,
        _ => 0,
    }
}

/// The records of a search through a material.
fn searched(prober: &Prober, kind: PositionKind, name: &str, filter: &str, limit: u64) -> Vec<PositionRecord> {
    searched_in_part(prober, kind, name, filter, (limit, 1))
}

/// The same in the first of a number of parts.
fn searched_in_part(
    prober: &Prober,
    kind: PositionKind,
    name: &str,
    filter: &str,
    (limit, parts): (u64, u64),
) -> Vec<PositionRecord> {
    let order = Order::new([material(name)], None);
    let selector = SaveSelector::new(Filter::parse(kind, filter).unwrap(), false).of_kind(kind);
    let mut search = SaveSearch::new(order.clone(), 0..order.len() / parts, selector, limit);
    let mut records = Vec::new();
    while !search.is_over() {
        records.extend(search.step(prober, PositionRecord::full).unwrap());
    }
    records
}

/// The cells of all positions of a kind.
fn brief(prober: &Prober, kind: PositionKind, name: &str) -> Vec<(&'static str, u64)> {
    let order = Order::new([material(name)], None);
    let selector = SaveSelector::new(Filter::default(), false).of_kind(kind);
    let mut search = SaveSearch::new(order.clone(), 0..order.len(), selector, u64::MAX);
    let mut cells = Vec::new();
    while !search.is_over() {
        let brief = |found: &SaveAnalysis<'_, Tablebase>| {
            let PositionRecord { side, number, .. } = PositionRecord::brief(found);
            Ok((side, number))
        };
        cells.extend(search.step(prober, brief).unwrap());
    }
    cells
}

#[test]
fn wins_and_zugzwangs_are_those_of_the_verdicts() {
    // Every cell of a small material, one of many of a larger one that has zugzwangs.
    let prober = prober();
    for (name, stride) in [("KRvK", 1), ("KRvKN", 41)] {
        let sampled = |(_, number): &(&str, u64)| number % stride == 0;
        let wins = brief(&prober, PositionKind::Wins, name);
        let zugzwangs = brief(&prober, PositionKind::Zugzwangs, name);
        assert!(wins.len() > 10_000 && zugzwangs.is_empty() == (name == "KRvK"), "{name}: {}", zugzwangs.len());
        let (mut expected_wins, mut expected_zugzwangs) = (Vec::new(), Vec::new());
        for (side, number, position) in positions(name, stride) {
            let verdict = probed(&prober, &position);
            if verdict.category == Category::Win {
                expected_wins.push((side.name(), number));
            }
            let Ok(opposite) = Position::new(position.board().clone(), !side) else { continue };
            if result(&verdict) < -result(&probed(&prober, &opposite)) {
                expected_zugzwangs.push((side.name(), number));
            }
        }
        let wins: Vec<_> = wins.into_iter().filter(sampled).collect();
        assert!(wins == expected_wins, "{name}: {} wins, {} expected", wins.len(), expected_wins.len());
        let zugzwangs: Vec<_> = zugzwangs.into_iter().filter(sampled).collect();
        assert_eq!(zugzwangs, expected_zugzwangs, "{name}");
    }
}

#[test]
fn tight_wins_and_captures_that_throw_them_away() {
    let prober = prober();
    let tight = searched(&prober, PositionKind::Wins, "KRvK", "spare=0 and side=white", 50);
    assert_eq!(tight.len(), 50);
    for record in &tight {
        let verdict = prober.probe(&record.fen.parse().unwrap()).unwrap();
        let Some(PositionDetails::Win(WinDetails { needed, left, spare, dtm, .. })) = &record.details else {
            panic!("{record:?}")
        };
        assert_eq!((*left, *spare, *dtm), (verdict.count.attacker_moves_left, Some(0), verdict.dtm.signed_plies()));
        assert_eq!(Some(*needed), *left);
        assert_eq!(dtm.unwrap() as u32, 2 * needed - 1);
    }
    let poisoned = searched(&prober, PositionKind::Wins, "KRvKN", "poisoned=last and unique", 40);
    assert_eq!(poisoned.len(), 40);
    let mut cursed = 0;
    for record in &poisoned {
        let fen: Fen = record.fen.parse().unwrap();
        let moves = prober.moves(&fen).unwrap();
        let Some(PositionDetails::Win(details)) = &record.details else { panic!("{record:?}") };
        let winning: Vec<&str> = details.winning_moves.iter().map(|mv| mv.san.as_str()).collect();
        let expected: Vec<_> = moves.iter().filter(|mv| mv.category == Category::Win).collect();
        assert_eq!((winning.len(), expected.len()), (1, 1), "{}", record.fen);
        assert_eq!(winning[0], expected[0].san(&fen.position));
        let spoiling = details.spoiling_captures.iter().find(|capture| capture.last).unwrap();
        let capture = moves.iter().find(|mv| mv.mv.to_string() == spoiling.uci).unwrap();
        assert!(capture.bares_king && capture.category != Category::Win, "{}", record.fen);
        // A capture that wins without the count is listed with the moves that it needs and those that are left.
        if capture.category == Category::CursedWin {
            assert_eq!(spoiling.left, capture.attacker_moves_left());
            assert!(spoiling.needed > spoiling.left, "{}: {spoiling:?}", record.fen);
            cursed += 1;
        } else {
            assert_eq!((spoiling.needed, spoiling.left), (None, None));
        }
    }
    assert!(cursed > 5, "{cursed}");
}

#[test]
fn zugzwangs_tell_their_kind() {
    let prober = prober();
    let mut by_count = 0;
    for record in searched(&prober, PositionKind::Zugzwangs, "KRvKN", "", u64::MAX) {
        let Some(PositionDetails::Zugzwang(details)) = &record.details else { panic!("{record:?}") };
        let ZugzwangDetails { category, opposite, full, saving_moves, legal_moves, .. } = details;
        let fen: Fen = record.fen.parse().unwrap();
        let moves = prober.moves(&fen).unwrap();
        assert_eq!(*legal_moves as usize, moves.len());
        assert_eq!(saving_moves.len(), moves.iter().filter(|mv| mv.category.is_drawn()).count());
        assert_eq!(*full, (*category, *opposite) == (Category::Loss, Category::Loss));
        assert_eq!(*category, probed(&prober, &fen.position).category);
        by_count += usize::from(details.by_count);
    }
    let filtered = searched(&prober, PositionKind::Zugzwangs, "KRvKN", "by_count", u64::MAX);
    assert!(by_count > 0);
    assert_eq!(filtered.len(), by_count);
}

#[test]
fn promotions_that_throw_wins_away() {
    let prober = prober();
    let poisoned = searched(&prober, PositionKind::Wins, WITH_PAWN, "poisoned=promotion", 40);
    assert_eq!(poisoned.len(), 40);
    for record in &poisoned {
        let moves = prober.moves(&record.fen.parse().unwrap()).unwrap();
        let early: Vec<_> = moves.iter().filter(|mv| mv.mv.promotion && mv.category != Category::Win).collect();
        assert!(!early.is_empty() && early.iter().all(|mv| mv.begins_count), "{}", record.fen);
        let Some(PositionDetails::Win(details)) = &record.details else { panic!("{record:?}") };
        // No count runs, so that there is none to be tight.
        assert_eq!((details.left, details.spare), (None, None), "{}", record.fen);
        assert_eq!(details.needed, moves[0].dtz.signed_plies().unwrap() as u32 / 2 + 1, "{}", record.fen);
    }
    assert!(searched_in_part(&prober, PositionKind::Wins, WITH_PAWN, "spare>=0", (1, 20)).is_empty());
    assert!(!searched_in_part(&prober, PositionKind::Wins, WITH_PAWN, "", (1, 20)).is_empty());
    let saves = searched(&prober, PositionKind::Saves, WITH_PAWN, "move=capture and P=e3..e5 and short=1..2", 40);
    assert_eq!(saves.len(), 40, "the bare king takes the pawn, and the count that begins saves it");
}
