//! Perfect players: no policy gives away a win or a draw.

use fastrand::Rng;
use makruk_probe::{Category, LineEnd, LineStep, MAX_LINE_PLIES, Policy, Prober, RankedMove};
use makruk_rules::{Count, Fen};

use crate::common::MATERIALS;
use crate::random;

/// Random positions, some with a count that runs.
fn positions(count: usize) -> Vec<Fen> {
    let mut numbers = Rng::with_seed(7);
    let mut fens = Vec::new();
    while fens.len() < count {
        let material = MATERIALS[numbers.u64(..MATERIALS.len() as u64) as usize].parse().unwrap();
        let position = random(&mut numbers, material);
        let running = match numbers.u64(..3) {
            0 => Some(Count::new(128, numbers.u64(..130) as u32).unwrap()),
            _ => None,
        };
        fens.push(Fen { position, count: running, fullmove: 1 });
    }
    fens
}

fn keeping(ranked: &[RankedMove]) -> impl Iterator<Item = &RankedMove> {
    ranked.iter().filter(|mv| mv.category == ranked[0].category)
}

#[test]
fn every_policy_keeps_what_the_position_is_worth() {
    let prober = crate::common::prober();
    for fen in positions(400) {
        let ranked = prober.moves(&fen).unwrap();
        let is_over = ranked.is_empty() || prober.resolved(&fen).count.is_some_and(Count::is_expired);
        for policy in Policy::ALL {
            let played = prober.play(&fen, policy).unwrap();
            assert_eq!(played.is_none(), is_over, "{fen}");
            let Some(played) = played else { continue };
            assert!(ranked.contains(&played), "{fen}");
            assert_eq!(played.category, ranked[0].category, "{fen} {policy:?}");
            let longest = keeping(&ranked).map(|mv| mv.dtm.plies()).max().unwrap();
            let shortest = keeping(&ranked).map(|mv| mv.dtm.plies()).min().unwrap();
            match (policy, played.category) {
                (Policy::Safest, _) => assert_eq!(played, ranked[0]),
                (Policy::Fastest, Category::Win | Category::CursedWin) => assert_eq!(played.dtm.plies(), shortest),
                (Policy::Fastest | Policy::Stubborn, Category::Loss | Category::BlessedLoss) => {
                    assert_eq!(played.dtm.plies(), longest);
                }
                (Policy::Tricky, Category::Loss | Category::BlessedLoss | Category::Draw) => {
                    let least = keeping(&ranked).map(|mv| share(&prober, &fen, mv)).fold(f64::INFINITY, f64::min);
                    assert_eq!(share(&prober, &fen, &played), least, "{fen}");
                }
                _ => assert_eq!(played, ranked[0], "{fen} {policy:?}"),
            }
        }
    }
}

/// The share of replies that keep the opponent's result.
fn share(prober: &Prober, root: &Fen, mv: &RankedMove) -> f64 {
    let replies = prober.moves(&prober.resolved(root).play(prober.rules(), mv.mv)).unwrap();
    if replies.is_empty() { 1.0 } else { keeping(&replies).count() as f64 / replies.len() as f64 }
}

#[test]
fn lines_end_as_the_root_says_whichever_the_defence() {
    let prober = crate::common::prober();
    let (mut mates, mut drawn) = (0, 0);
    for fen in positions(150) {
        let verdict = prober.probe(&fen).unwrap();
        let line = prober.principal_variation(&fen).unwrap();
        for defence in Policy::ALL {
            let mut steps = prober.line(&fen, defence, MAX_LINE_PLIES);
            let mut moves = Vec::new();
            let end = loop {
                match steps.next().unwrap().unwrap() {
                    LineStep::Move(mv) => moves.push(mv),
                    LineStep::End(end) => break end,
                }
            };
            assert!(steps.next().is_none(), "no step follows an end");
            match verdict.category {
                Category::Win | Category::Loss => {
                    assert_eq!(end, LineEnd::Checkmate, "{fen} {defence:?}");
                    mates += 1;
                }
                Category::Draw => assert!(moves.is_empty() && matches!(end, LineEnd::Draw | LineEnd::CountExpired)),
                Category::CursedWin | Category::BlessedLoss => {
                    assert_ne!(end, LineEnd::Truncated, "{fen}");
                    drawn += 1;
                }
            }
            if defence == Policy::Safest {
                assert_eq!((moves, end), (line.moves.clone(), line.end), "{fen}");
            }
        }
    }
    assert!(mates > 100 && drawn > 20, "{mates} {drawn}");
}

#[test]
fn a_line_is_no_longer_than_was_asked_for() {
    let prober = crate::common::prober();
    let fen: Fen = "8/8/8/8/8/4s1k1/4R3/K7 w - - 0 1".parse().unwrap();
    let mut line = prober.line(&fen, Policy::Tricky, 3);
    for _ in 0..3 {
        assert!(matches!(line.next().unwrap().unwrap(), LineStep::Move(_)));
    }
    assert_eq!(line.next().unwrap().unwrap(), LineStep::End(LineEnd::Truncated));
    assert!(line.next().is_none());
}
