//! The moves and merits of studies, against the prober.

use makruk_probe::{Category, Prober, RankedMove};
use makruk_research::{Merit, Study, StudyKind, StudySettings, board_svg, studies};
use makruk_tables::rules::Fen;

use super::{material, prober, prober_with_khons};

fn found(prober: &Prober, name: &str, candidates: u64, threads: usize) -> Vec<Study> {
    let settings = StudySettings { candidates, keep: 40, threads: Some(threads) };
    studies(prober, material(name), &settings, &mut makruk_research::Silent).unwrap().unwrap()
}

#[test]
fn every_move_of_a_solution_is_the_only_one() {
    compare(&prober(), &["KRvKN"], 700);
}

#[test]
#[ignore = "more of the same: twenty seconds"]
fn every_move_of_the_solutions_of_more_materials_is_the_only_one() {
    assert!(compare(&prober_with_khons(), &["KRvKN", "KRvKS", "KRvKR"], 1_500).iter().all(|&found| found > 3));
}

/// Returns the numbers of studies of either kind.
fn compare(prober: &Prober, names: &[&str], candidates: u64) -> [usize; 2] {
    let mut kinds = [0, 0];
    for &name in names {
        for study in found(prober, name, candidates, 2) {
            kinds[study.kind as usize] += 1;
            let expected = if study.kind == StudyKind::Save { Category::BlessedLoss } else { Category::Win };
            assert_eq!(prober.probe(&study.fen).unwrap().category, expected, "{}", study.fen);
            let mut now = prober.resolved(&study.fen);
            let keeps = |mv: &RankedMove| match study.kind {
                StudyKind::Save => mv.category.is_drawn(),
                StudyKind::Refusal => mv.category == Category::Win,
            };
            let first = prober.moves(&now).unwrap();
            if study.kind == StudyKind::Refusal {
                assert!(first.iter().any(|mv| mv.bares_king), "{}", study.fen);
                assert!(first.iter().filter(|mv| mv.bares_king).all(|mv| mv.category.is_drawn()), "{}", study.fen);
            }
            assert!(first.len() >= makruk_research::LEAST_LEGAL && !study.solution.is_empty());
            for (ply, made) in study.solution.iter().enumerate() {
                let moves = prober.moves(&now).unwrap();
                assert!(moves.contains(&made.ranked), "{}: {}", study.fen, made.san);
                if ply % 2 == 0 {
                    let keeping: Vec<_> = moves.iter().filter(|mv| keeps(mv)).collect();
                    assert_eq!(keeping, [&made.ranked], "{}: {}", study.fen, made.san);
                } else {
                    assert_eq!(made.ranked.category, moves[0].category, "{}: the answer gives nothing away", study.fen);
                }
                now = now.play(prober.rules(), made.ranked.mv);
                assert_eq!(now, made.after);
            }
            let offers = study.merits.iter().find(|(merit, _)| *merit == Merit::Offer).map_or(0, |(_, times)| *times);
            if study.kind == StudyKind::Save && offers > 0 {
                let first = prober.sacrifices(&study.fen).unwrap();
                let later = study.solution.len() > 2;
                assert!(later || first.iter().any(|given| given.offered), "{}", study.fen);
            }
        }
    }
    assert!(kinds.iter().sum::<usize>() > 3, "{kinds:?}");
    kinds
}

#[test]
fn the_best_come_first_each_once_and_the_same_on_any_number_of_threads() {
    let prober = prober();
    let one = found(&prober, "KRvKN", 500, 1);
    assert_eq!(one, found(&prober, "KRvKN", 500, 2));
    assert!(one.windows(2).all(|two| two[0].score() >= two[1].score()));
    assert!(one[0].score() > one[one.len() - 1].score());
    let ends: std::collections::HashSet<_> = one
        .iter()
        .map(|study| {
            let own: Vec<&str> = study.solution.iter().step_by(2).map(|mv| mv.san.as_str()).collect();
            let mut last = own[own.len().saturating_sub(2)..].to_vec();
            last.sort_unstable();
            (study.kind, last)
        })
        .collect();
    assert_eq!(ends.len(), one.len());
    // With the same side to move as in the beginning, only the last position occurs twice.
    for study in &one {
        let answered: Vec<_> = study.solution.iter().skip(1).step_by(2).map(|mv| &mv.after.position).collect();
        let before = &answered[..answered.len().saturating_sub(1)];
        assert!((0..before.len()).all(|at| !before[..at].contains(&before[at])), "{}", study.fen);
    }
}

#[test]
fn boards_are_drawn() {
    let fen: Fen = "8/8/8/8/3k1r2/8/8/R3K3 w - - 0 1".parse().unwrap();
    let svg = board_svg(fen.position.board(), "a < b & c");
    let parsed = roxmltree::Document::parse(&svg).unwrap();
    let count = |tag: &str| parsed.descendants().filter(|node| node.has_tag_name(tag)).count();
    assert_eq!(count("circle"), 4);
    assert_eq!(count("rect"), 65);
    assert!(parsed.descendants().any(|node| node.text() == Some("a < b & c")));
}
