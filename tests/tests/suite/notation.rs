//! Positions and moves written and read back, over random legal positions.

// A test's helpers may fail as its body may.
#![allow(clippy::unwrap_used)]

use fastrand::Rng;
use makruk_rules::{
    Count, CountingRules, Fen, Games, ImpossibleCount, Move, Note, PgnError, Position, Reading, SanError,
};
use proptest::prelude::*;
use test_tables::{RandomPositions, random_position};

/// A random position for a seed; every other one with pawns.
fn position(seed: u64) -> Position {
    let mut rng = Rng::with_seed(seed);
    let most_men = rng.u32(2..=32);
    random_position(&mut rng, RandomPositions { most_men, pawns: seed.is_multiple_of(2) })
}

/// A move in SAN with the Thai letters and digits that the explorer's page shows.
fn thai(san: &str) -> String {
    let letter = |letter: char| match letter {
        'K' => "ข".to_owned(),
        'R' => "ร".to_owned(),
        'N' => "ม".to_owned(),
        'S' => "ค".to_owned(),
        'M' => "ม็".to_owned(),
        'a'..='h' => "กขคงจฉชญ".chars().nth(letter as usize - 'a' as usize).unwrap().to_string(),
        '1'..='8' => char::from_u32('๐' as u32 + letter as u32 - '0' as u32).unwrap().to_string(),
        letter => letter.to_string(),
    };
    san.chars().map(letter).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(10_000))]

    #[test]
    fn fens_read_back(seed: u64, limit in 1u32..=9999, ply in 0u32..=9999, running: bool, fullmove in 1u32..) {
        let position = position(seed);
        let count = Count::new(limit, ply).ok().filter(|_| running && !position.board().has_pawns());
        let fen = Fen { position, count, fullmove };
        let reading = Reading::parse(&fen.to_string()).unwrap();
        prop_assert_eq!(&reading.fen, &fen);
        // The count that is proposed in place of an impossible one is read without a note.
        for note in reading.notes {
            let Note::ImpossibleCount(ImpossibleCount { meant, .. }) = note else { panic!("{fen}: {note}") };
            let right = Fen { count: Some(meant), ..fen.clone() };
            prop_assert_eq!(right.to_string().parse(), Ok(right), "{}: {}", fen, note);
        }
        // The other lettering is read as the same.
        let text = fen.to_string();
        let (board, rest) = text.split_once(' ').unwrap();
        let western = board.replace('S', "B").replace('s', "b").replace('M', "Q").replace('m', "q");
        let read = |text: String| Reading::parse(&text).map(|reading| reading.fen);
        prop_assert_eq!(read(format!("{western} {rest}")), Ok(fen.clone()));
        let marked = board.replace('M', "M~").replace('m', "f~");
        prop_assert_eq!(read(format!("{marked} {rest}")), Ok(fen));
    }

    #[test]
    fn positions_of_games_have_possible_counts(seed: u64, rules in 0..CountingRules::ALL.len()) {
        let (rules, mut rng) = (CountingRules::ALL[rules], Rng::with_seed(seed));
        let men = RandomPositions { most_men: rng.u32(3..=8), pawns: true };
        let mut fen = Fen::new(random_position(&mut rng, men), None);
        for _ in 0..200 {
            prop_assert_eq!(fen.to_string().parse(), Ok(fen.clone()), "{}", rules.name());
            let moves = fen.position.legal_moves();
            let takes = |mv: &&Move| fen.position.captured(**mv).is_some() || mv.promotion;
            let taking = moves.iter().find(takes).filter(|_| rng.bool());
            let Some(&mv) = taking.or_else(|| rng.choice(&moves[..])) else { break };
            fen = fen.play(rules, mv);
            fen.count = fen.count.or_else(|| rules.start(fen.position.board(), fen.position.turn()));
        }
    }

    #[test]
    fn every_legal_move_reads_back(seed: u64) {
        let position = position(seed);
        let moves = position.legal_moves();
        prop_assert_eq!(position.has_legal_move(), !moves.is_empty());
        let mut written = std::collections::BTreeSet::new();
        for &mv in &moves {
            let san = mv.to_san(&position);
            prop_assert_eq!(Move::from_san(&position, &san), Ok(mv), "{} in {:?}", san, position);
            let western = san.replace('S', "B").replace('M', "Q").replace(['x', '+', '#'], "");
            prop_assert_eq!(Move::from_san(&position, &western), Ok(mv), "{} in {:?}", western, position);
            prop_assert_eq!(Move::from_uci(&position, &mv.to_string()), Ok(mv));
            prop_assert_eq!(Move::from_san(&position, &format!("{}-{}", mv.from, mv.to)), Ok(mv));
            let thai = thai(&san);
            match Move::from_san(&position, &thai) {
                // A letter may be the king's or a khon's, or a pawn's file.
                Err(SanError::Ambiguous { candidates, .. }) => prop_assert!(candidates.contains(&san), "{}", thai),
                read => prop_assert_eq!(read, Ok(mv), "{} in {:?}", thai, position),
            }
            prop_assert!(written.insert(san));
            prop_assert!(position.is_legal(mv));
            let after = position.play(mv);
            prop_assert!(Position::new(after.board().clone(), after.turn()).is_ok());
        }
    }
}

#[test]
fn moves_that_pyffish_writes_are_read() {
    let table = include_str!("../../data/dialects/pyffish-moves.tsv");
    let rows: Vec<Vec<&str>> = table.lines().skip(1).map(|line| line.split('\t').collect()).collect();
    assert!(rows.len() > 100);
    for row in rows {
        let fen = Reading::parse(row[0]).unwrap().fen;
        for text in &row[2..] {
            // A move's first word may be the man's letter alone.
            let game = format!("{fen}\n{text}");
            let read = Games::parse(&game).next().unwrap();
            let mv = read.as_ref().ok().and_then(|game| game.moves.first()).map(|played| played.mv.to_string());
            let is_ambiguous = |error: &PgnError| {
                let error = error.to_string();
                error.contains("is ambiguous") && error.contains(row[4])
            };
            let is_read = mv.as_deref() == Some(row[1]) || read.as_ref().is_err_and(is_ambiguous);
            assert!(is_read, "{row:?}: {text}: {read:?}");
        }
    }
}
