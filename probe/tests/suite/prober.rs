//! The prober against real tables.

use fastrand::Rng;
use makruk_probe::{Category, CountRule, KnownMoves, LineEnd, Policy, Prober, RankedMove, Reason, Tablebase};
use makruk_rules::{Count, Fen, Position};
use makruk_tables::material::Material;
use makruk_tables::value::Value;

use crate::common::{MATERIALS, WITH_PAWN, fen, folder, prober};
use crate::random;

fn materials() -> impl Iterator<Item = Material> {
    MATERIALS.into_iter().map(|name| name.parse().unwrap())
}

/// A position of one of the materials under a random count, often one that is about to run out.
fn some_fen(numbers: &mut Rng) -> Fen {
    let material = materials().nth(numbers.u64(..MATERIALS.len() as u64) as usize).unwrap();
    let position = random(numbers, material);
    let limit: u32 = [1, 2, 15, 16, 17, 32, 44, 64, 88, 127, 128][numbers.u64(..11) as usize];
    let ply = match numbers.u64(..4) {
        0 => numbers.u64(..u64::from(limit) + 3) as u32,
        1 => 0,
        _ => (limit + 2).saturating_sub(numbers.u64(..12) as u32),
    };
    let count = (numbers.u64(..5) > 0).then(|| Count::new(limit, ply).unwrap());
    Fen::new(position, count)
}

#[test]
fn the_example_of_the_rules() {
    let root = fen("8/8/8/8/8/4s1k1/4R3/K7 w - - 0 1");
    let prober = prober();
    let analysis = prober.analysis(&root).unwrap();
    let (verdict, moves) = (analysis.verdict(), analysis.moves().unwrap());
    assert_eq!((verdict.dtm, verdict.dtz, verdict.category), (Value::Win(31), Value::Win(45), Category::Win));
    assert_eq!((verdict.count.rule, verdict.count.given), (CountRule::None, None));
    assert_eq!(verdict.count.attacker_moves_left, Some(65));
    let best = moves[0];
    assert_eq!((best.category, best.dtz, best.bares_king), (Category::Win, Value::Win(45), false));
    let capture = moves.iter().find(|mv| mv.mv.to_string() == "e2e3").unwrap();
    assert_eq!((capture.category, capture.dtm, capture.dtz), (Category::CursedWin, Value::Win(31), Value::Draw));
    assert!(capture.bares_king && capture.capture);
    assert_eq!(capture.attacker_moves_left(), Some(13));
    let line = analysis.principal_variation().unwrap();
    assert_eq!(line.end, LineEnd::Checkmate);
    // 23 moves to the capture, by DTZ; then by DTM.
    let taken = line.moves.iter().position(|mv| mv.ranked.bares_king).unwrap();
    assert_eq!(taken + 1, 45);
    // If the best move by DTM comes too late, so does the win.
    assert_eq!(prober.probe(&fen("8/8/8/8/8/4s1k1/4R3/K7 w - 128 84 1")).unwrap().category, Category::Win);
    assert_eq!(prober.probe(&fen("8/8/8/8/8/4s1k1/4R3/K7 w - 128 85 1")).unwrap().category, Category::CursedWin);
}

#[test]
fn a_position_is_worth_what_its_best_move_is() {
    let prober = prober();
    let mut numbers = Rng::with_seed(1);
    let mut seen = [0; 5];
    for _ in 0..6_000 {
        let root = some_fen(&mut numbers);
        let verdict = prober.probe(&root).unwrap();
        let moves = prober.moves(&root).unwrap();
        seen[verdict.category as usize] += 1;
        let Some(best) = moves.first() else {
            assert!(verdict.checkmate != verdict.stalemate);
            let too_late = root.count.is_some_and(|count| count.ply() > count.limit() + 1);
            let expected = if verdict.checkmate && !too_late { Category::Loss } else { Category::Draw };
            assert_eq!(verdict.category, expected, "{root}");
            continue;
        };
        assert_eq!(verdict.category, best.category, "{root} {moves:?}");
        assert!(moves.iter().map(|mv| mv.category).is_sorted_by(|a, b| a >= b));
        // Both distances are those of the best move in their own metric, whatever the count.
        let sign = |value: Value| value.signed_plies().map_or(0.0, |plies| 1.0 / f64::from(plies));
        let most = |metric: fn(&RankedMove) -> Value| {
            moves.iter().map(metric).max_by(|a, b| sign(*a).total_cmp(&sign(*b))).unwrap()
        };
        assert_eq!(verdict.dtm, most(|mv| mv.dtm), "{root}");
        assert_eq!(verdict.dtz, most(|mv| mv.dtz), "{root}");
        // Beside a move that is unknown, the best one is known to be the best, and no worse one is.
        let failure = || prober.probe(&fen("8/8/8/4P3/8/k7/8/K6N w")).unwrap_err();
        let beside = |ranked: &[RankedMove]| {
            let known = KnownMoves { ranked: ranked.to_vec(), unknown: vec![(best.mv, failure())] };
            known.best(&verdict).copied()
        };
        assert_eq!(beside(&moves), Some(*best), "{root}");
        let worse = moves.iter().position(|mv| mv.category != best.category).unwrap_or(moves.len());
        assert_eq!(beside(&moves[worse..]), None, "{root}");
    }
    assert!(seen.iter().all(|&n| n > 30), "{seen:?}");
}

/// The game itself, searched to the end of its count: 1 a win of the side to move, 0 a draw, -1 a loss. A baring
/// capture is looked up where its own count is too long to be searched.
fn search(prober: &Prober, now: &Fen) -> i32 {
    let position = &now.position;
    if position.is_checkmate() {
        return -1;
    }
    let count = now.count.expect("a count runs");
    if count.is_expired() || position.is_stalemate() {
        return 0;
    }
    if count.limit() - count.ply() > 4 {
        return worth(prober.probe(now).unwrap().category);
    }
    let mut best = -1;
    for mv in position.legal_moves() {
        best = best.max(-search(prober, &now.play(prober.rules(), mv)));
        if best == 1 {
            break;
        }
    }
    best
}

fn worth(category: Category) -> i32 {
    match category {
        Category::Win => 1,
        Category::Loss => -1,
        _ => 0,
    }
}

#[test]
fn the_end_of_the_count_agrees_with_a_search_of_the_game() {
    let prober = prober();
    let mut numbers = Rng::with_seed(2);
    let mut decided = [0; 3];
    for _ in 0..500 {
        let material = materials().nth(numbers.u64(..MATERIALS.len() as u64) as usize).unwrap();
        // Few positions are near to a mate or a baring capture, so some are searched for.
        let near = |position: &Position| {
            let distances = prober.distances(position).unwrap();
            [distances.dtm, distances.dtz].iter().any(|value| value.signed_plies().is_some_and(|n| n.abs() <= 6))
        };
        let tries = if numbers.u64(..4) == 0 { 1 } else { 300 };
        let mut position = random(&mut numbers, material);
        for _ in 1..tries {
            if near(&position) {
                break;
            }
            position = random(&mut numbers, material);
        }
        let limit = 20 + numbers.u64(..2) as u32;
        let root = Fen::new(position, Some(Count::new(limit, limit + 1 - numbers.u64(..5) as u32).unwrap()));
        let found = search(&prober, &root);
        assert_eq!(worth(prober.probe(&root).unwrap().category), found, "{root}");
        decided[(found + 1) as usize] += 1;
        // Moves: the same game, one ply later. If the game was over, every move draws.
        if !root.count.unwrap().is_expired() {
            for mv in prober.moves(&root).unwrap() {
                let child = root.play(prober.rules(), mv.mv);
                assert_eq!(child.count, mv.count);
                assert_eq!(worth(mv.category), -search(&prober, &child), "{root} {}", mv.mv);
            }
        } else {
            assert!(prober.moves(&root).unwrap().iter().all(|mv| worth(mv.category) == 0), "{root}");
        }
    }
    assert!(decided.iter().all(|&n| n > 10), "{decided:?}");
}

#[test]
fn lines_keep_what_they_promise() {
    let prober = prober();
    let mut numbers = Rng::with_seed(3);
    let mut ends = [0; 3];
    for _ in 0..400 {
        let root = some_fen(&mut numbers);
        let verdict = prober.probe(&root).unwrap();
        let line = prober.principal_variation(&root).unwrap();
        let mut category = verdict.category;
        let mut now = prober.resolved(&root);
        for mv in &line.moves {
            assert_eq!(mv.ranked.category, category, "{root}");
            assert!(now.position.is_legal(mv.ranked.mv));
            now = now.play(prober.rules(), mv.ranked.mv);
            assert_eq!(now, mv.after);
            category = category.flip();
        }
        match verdict.category {
            Category::Win | Category::Loss => {
                ends[0] += 1;
                assert_eq!(line.end, LineEnd::Checkmate, "{root}");
                assert!(now.position.is_checkmate());
                let conversion =
                    line.moves.iter().position(|mv| mv.ranked.bares_king).map_or(line.moves.len(), |at| at + 1);
                assert_eq!(Some(conversion as i32), verdict.dtz.signed_plies().map(i32::abs), "{root}");
            }
            Category::CursedWin | Category::BlessedLoss => {
                ends[1] += 1;
                assert_eq!(line.end, LineEnd::CountExpired, "{root}");
                assert!(now.count.unwrap().is_expired());
            }
            Category::Draw => {
                ends[2] += 1;
                assert_eq!((line.end, line.moves.len()), (LineEnd::Draw, 0), "{root}");
            }
        }
        if verdict.winner().is_some() {
            let line = prober.line_without_count(&root).unwrap();
            assert_eq!(line.end, LineEnd::Checkmate);
            assert_eq!(Some(line.moves.len() as i32), verdict.dtm.signed_plies().map(i32::abs));
        }
    }
    assert!(ends.iter().all(|&n| n > 20), "{ends:?}");
}

#[test]
fn colour_twins_are_worth_the_same() {
    let prober = prober();
    let mut numbers = Rng::with_seed(4);
    for _ in 0..2000 {
        let root = some_fen(&mut numbers);
        let flipped = Fen { position: root.position.color_flipped(), ..root.clone() };
        let (one, other) = (prober.probe(&root).unwrap(), prober.probe(&flipped).unwrap());
        assert_eq!((one.category, one.dtm, one.dtz), (other.category, other.dtm, other.dtz), "{root}");
        assert_eq!((one.count, one.material, one.side), (other.count, other.material, !other.side));
        let key = |fen| {
            let mut all: Vec<_> = prober.moves(fen).unwrap().iter().map(|mv| (mv.category, mv.dtm, mv.dtz)).collect();
            all.sort();
            all
        };
        assert_eq!(key(&root), key(&flipped), "{root}");
    }
}

#[test]
fn a_dash_is_resolved_once_and_the_callers_limit_wins() {
    let prober = prober();
    // Rook against bare king: 16 moves, 3 men. The defender to move has yet to make the first that counts.
    let left = |text: &str| prober.probe(&fen(text)).unwrap().count.attacker_moves_left;
    assert_eq!(left("8/8/8/3k4/8/8/1R6/K7 b - - 0 1"), Some(13));
    assert_eq!(left("8/8/8/3k4/8/8/1R6/K7 w - - 0 1"), Some(14));
    // A limit that this material never starts, as after a capture by the bare king: it is used as given.
    assert_eq!(left("8/8/8/3k4/8/8/1R6/K7 w - 16 15 1"), Some(1));
    assert_eq!(left("8/8/8/3k4/8/8/1R6/K7 w - 9999 0 1"), Some(5000));
    assert_eq!(left("8/8/8/3k4/8/8/1R6/K7 w - 16 17 1"), Some(0));
    // A count that `-` begins is carried on: after the attacker's move the defender has the child's 13.
    let root = fen("8/8/8/3k4/8/8/1R6/K7 w - - 0 1");
    assert!(prober.moves(&root).unwrap().iter().all(|mv| mv.capture || mv.count == Count::new(32, 6).ok()));
    // The bare king takes: neither limit nor count change.
    let root = fen("8/8/8/8/8/3k4/3M4/K6R b - 32 20 1");
    let capture = prober.moves(&root).unwrap().into_iter().find(|mv| mv.capture).unwrap();
    assert_eq!((capture.bares_king, capture.count), (false, Count::new(32, 21).ok()));
    let verdict = prober.probe(&root.play(prober.rules(), capture.mv)).unwrap();
    assert_eq!((verdict.count.rule, verdict.count.attacker_moves_left), (CountRule::Pieces, Some(6)));
    assert_eq!(capture.dtz, capture.dtm);
}

#[test]
fn the_last_pawns_end_begins_a_count() {
    let prober = prober();
    let root = fen("8/8/8/3P4/8/4k3/8/KR6 w - 128 9 1");
    let verdict = prober.probe(&root).unwrap();
    assert_eq!((verdict.category, verdict.dtm, verdict.dtz), (Category::Win, Value::Win(23), Value::Win(3)));
    assert_eq!(
        (verdict.count.rule, verdict.count.running, verdict.count.attacker_moves_left),
        (CountRule::None, None, None)
    );
    let moves = prober.moves(&root).unwrap();
    let (early, waiting) = moves.split_last().unwrap();
    assert!(waiting.iter().all(|mv| mv.category == Category::Win && !mv.begins_count && mv.count.is_none()));
    assert!(early.mv.promotion && early.begins_count && !early.bares_king);
    assert_eq!((early.category, early.dtz, early.slack()), (Category::CursedWin, Value::Draw, None));
    assert_eq!((early.count, early.attacker_moves_left()), (Count::new(32, 8).ok(), Some(12)));
    // The promotion comes a move later.
    let line = prober.principal_variation(&root).unwrap();
    assert_eq!((line.moves.len(), line.end), (23, LineEnd::Checkmate));
    assert_eq!(line.moves.iter().position(|mv| mv.ranked.begins_count), Some(2));
    assert_eq!((line.moves[2].ranked.dtz, line.moves[2].ranked.slack()), (Value::Win(1), Some(2)));
    // The bare king takes the pawn: 15 moves are needed, and 14 left.
    let root = fen("8/8/8/8/8/1P6/R1k5/K7 b - - 0 1");
    assert_eq!(prober.short_by(&root).unwrap(), Some(1));
    // Every way out of the pawns is taken into account on both sides of the board.
    let mut numbers = Rng::with_seed(12);
    let mut seen = [0; Category::ALL.len()];
    for _ in 0..600 {
        let root = Fen::new(random(&mut numbers, WITH_PAWN.parse().unwrap()), None);
        let verdict = prober.probe(&root).unwrap();
        let moves = prober.moves(&root).unwrap();
        let Some(best) = moves.first() else { continue };
        assert_eq!(verdict.category, best.category, "{root}");
        seen[verdict.category as usize] += 1;
        for mv in &moves {
            let after = root.play(prober.rules(), mv.mv);
            let child = prober.probe(&after).unwrap();
            assert_eq!(mv.category, child.category.flip(), "{root} {}", mv.mv);
            assert_eq!((mv.begins_count, mv.count), (after.count.is_some(), after.count), "{root} {}", mv.mv);
        }
        let flipped = Fen::new(root.position.color_flipped(), None);
        assert_eq!(prober.probe(&flipped).unwrap().category, verdict.category, "{root}");
        // A count that a program gives with a pawn on the board does not run, even if it has expired.
        let counted = Fen { count: Count::new(16, 99).ok(), ..root.clone() };
        assert_eq!((prober.probe(&counted).unwrap(), prober.moves(&counted).unwrap()), (verdict, moves), "{root}");
        assert_eq!(prober.category(&counted).unwrap(), prober.category(&root).unwrap(), "{root}");
        assert_eq!(prober.play(&counted, Policy::Safest).unwrap(), prober.play(&root, Policy::Safest).unwrap());
    }
    assert!(seen[Category::Win as usize] > 100 && seen[Category::Loss as usize] > 100, "{seen:?}");
}

#[test]
fn ends_of_games() {
    let prober = Prober::new(Tablebase::new("/nonexistent"));
    // Mate, stalemate and two bare kings need no table.
    let mate = prober.probe(&fen("R5k1/8/6K1/8/8/8/8/8 b - 32 33 1")).unwrap();
    assert!(mate.checkmate && mate.category == Category::Loss && mate.dtz == Value::Loss(0));
    // One ply later the count had drawn the game before the mate.
    let late = prober.probe(&fen("R5k1/8/6K1/8/8/8/8/8 b - 32 34 1")).unwrap();
    assert!(late.checkmate && late.category == Category::Draw && late.dtm == Value::Loss(0));
    assert_eq!(
        prober.principal_variation(&fen("R5k1/8/6K1/8/8/8/8/8 b - 32 34 1")).unwrap().end,
        LineEnd::CountExpired
    );
    assert_eq!(prober.principal_variation(&fen("R5k1/8/6K1/8/8/8/8/8 b - 32 33 1")).unwrap().end, LineEnd::Checkmate);
    let stalemate = prober.probe(&fen("k7/1R6/1K6/8/8/8/8/8 b - - 0 1")).unwrap();
    assert!(stalemate.stalemate && stalemate.category == Category::Draw);
    let kings = fen("8/8/3k4/8/8/3K4/8/8 w - - 0 1");
    let verdict = prober.probe(&kings).unwrap();
    assert_eq!((verdict.category, verdict.material), (Category::Draw, Material::BARE_KINGS));
    assert_eq!((verdict.count.running, verdict.count.attacker_moves_left), (None, None));
    assert_eq!(prober.moves(&kings).unwrap().len(), 8);
    assert_eq!(prober.principal_variation(&kings).unwrap().end, LineEnd::Draw);
    // The bare king takes the last piece: a draw without a count.
    let prober = crate::common::prober();
    let capture = prober.moves(&fen("K7/8/8/8/8/2k5/1R6/8 b - 32 10 1")).unwrap();
    let capture = capture.iter().find(|mv| mv.capture).unwrap();
    assert_eq!((capture.category, capture.dtm, capture.dtz), (Category::Draw, Value::Draw, Value::Draw));
}

#[test]
fn what_cannot_be_answered_says_why() {
    let prober = prober();
    let reason = |text: &str| prober.probe(&fen(text)).unwrap_err().reason();
    assert_eq!(reason("8/8/8/4P3/8/k7/8/K6N w"), Reason::MissingTable);
    assert_eq!(reason("8/8/8/4P3/8/7k/MMMMMM2/K7 w"), Reason::TooManyMen);
    assert_eq!(reason("8/8/8/8/k7/8/MMMMMMR1/K7 w"), Reason::TooManyMen);
    let error = prober.probe(&fen("8/8/8/8/8/kr6/8/KRR5 w")).unwrap_err();
    assert_eq!(error.reason(), Reason::MissingTable);
    // The message names the table and the folder, and no program: remedies belong to the programs.
    assert!(error.to_string().ends_with("has no table KRRvKR.dtm"), "{error}");
    // No file system reads a folder as a file.
    let unreadable = tempfile::tempdir().unwrap();
    std::fs::create_dir(unreadable.path().join("KRvK.dtm")).unwrap();
    let error = Prober::new(Tablebase::new(unreadable.path())).probe(&fen("8/8/8/8/8/k7/8/KR6 w")).unwrap_err();
    assert_eq!(error.reason(), Reason::UnreadableTable, "{error}");
    let error = Prober::new(Tablebase::new("/nonexistent")).probe(&fen("8/8/8/8/8/k7/8/KR6 w")).unwrap_err();
    assert!(error.to_string().contains("does not exist") && error.to_string().contains("KRvK.dtm"), "{error}");
}

#[test]
fn of_two_tables_that_are_read_together_the_damaged_one_is_named() {
    for (damaged, sound) in [("KRvKR.dtm", "KRvKR.dtz"), ("KRvKR.dtz", "KRvKR.dtm")] {
        let copy = tempfile::tempdir().unwrap();
        for name in [damaged, sound] {
            std::fs::copy(folder().join(name), copy.path().join(name)).unwrap();
        }
        let path = copy.path().join(damaged);
        let mut bytes = std::fs::read(&path).unwrap();
        // Blocks are damaged; the parts that are read when the table is opened stay intact.
        let (start, end) = (bytes.len() / 3, bytes.len() / 2);
        bytes[start..end].iter_mut().for_each(|byte| *byte ^= 0x55);
        std::fs::write(&path, bytes).unwrap();
        for cache_bytes in [0, 1 << 20] {
            let prober = Prober::new(Tablebase::builder().folders([copy.path()]).cache_bytes(cache_bytes).build());
            let mut numbers = Rng::with_seed(9);
            let errors: Vec<String> = (0..200)
                .filter_map(|_| prober.distances(&random(&mut numbers, "KRvKR".parse().unwrap())).err())
                .map(|error| error.to_string())
                .collect();
            assert!(errors.len() > 10);
            for error in errors {
                assert!(error.contains(damaged) && !error.contains(sound), "{error}");
            }
        }
    }
}

#[test]
fn facts_of_the_endings() {
    let prober = prober();
    // Rook against rook is mostly drawn, and a save is one only for the side to move that counts.
    let mut numbers = Rng::with_seed(7);
    let mut saves = 0;
    for _ in 0..3000 {
        let material = materials().nth(numbers.u64(..MATERIALS.len() as u64) as usize).unwrap();
        let root = Fen::new(random(&mut numbers, material), None);
        let analysis = prober.analysis(&root).unwrap();
        if analysis.verdict().category == Category::BlessedLoss {
            saves += 1;
            assert!(analysis.short_by().unwrap().is_none_or(|short| short > 0));
            for sacrifice in analysis.sacrifices().unwrap() {
                assert!(sacrifice.left.is_some_and(|left| left < sacrifice.needed), "{root} {sacrifice:?}");
            }
        }
    }
    assert!(saves > 20);
}
