//! The formats of records.

use std::sync::OnceLock;

use makruk_probe::{Category, Verdict};
use makruk_research::training::{CountChoice, ScoreScale, TrainingFormat, TrainingPosition, TrainingSettings};
use makruk_tables::rules::{Color, Fen};
use makruk_tables::value::Value;
use proptest::prelude::*;

use super::unpacked::unpacked;
use super::{positions, prober, source};
use crate::common::Numbers;

fn settings(best_moves: bool) -> TrainingSettings {
    let counts = vec![CountChoice::None, CountChoice::Near];
    TrainingSettings { seed: 3, counts, best_moves, threads: Some(2), ..TrainingSettings::default() }
}

fn rendered(format: TrainingFormat, position: &TrainingPosition) -> Vec<u8> {
    let mut bytes = Vec::new();
    format.write(position, ScoreScale::default(), &mut bytes);
    bytes
}

fn text(format: TrainingFormat, position: &TrainingPosition) -> String {
    String::from_utf8(rendered(format, position)).unwrap()
}

#[test]
fn packed_records_hold_the_position_and_no_count() {
    let prober = prober();
    for best_moves in [true, false] {
        for position in positions(&prober, source(&crate::common::MATERIALS), settings(best_moves), 0..2000).unwrap() {
            let read = unpacked(&rendered(TrainingFormat::Bin, &position));
            let Fen { position: expected, fullmove, .. } = &position.fen;
            assert_eq!((&read.board, read.turn), (expected.board(), expected.turn()));
            assert_eq!((read.clock, read.fullmove), (0, *fullmove));
            assert_eq!(read.best, position.best.map(|best| best.mv));
            assert_eq!(read.best.is_some(), best_moves);
            assert_eq!(read.score, ScoreScale::default().score(&position.verdict));
            assert_eq!(read.result, ScoreScale::result(&position.verdict));
            assert_eq!(u32::from(read.plies), position.plies_before());
        }
    }
}

proptest! {
    #[test]
    fn every_board_comes_back(seed in any::<u64>(), fullmove in 1_u32..65536) {
        // Up to seven men, in either colours.
        let names = ["KRNSMMvK", "KRRvKNN", "KSSMvKMM", "KNvKS", "KMMMMMvK"];
        let mut numbers = Numbers(seed);
        let material = names[numbers.below(5) as usize].parse().unwrap();
        let fen = Fen { position: numbers.position(material), count: None, fullmove };
        let verdict = verdict(&fen, Category::Draw, Value::Draw);
        let read = unpacked(&rendered(TrainingFormat::Bin, &TrainingPosition { fen: fen.clone(), verdict, best: None }));
        prop_assert_eq!((&read.board, read.turn, read.fullmove), (fen.position.board(), fen.position.turn(), fullmove));
        let plies = 2 * (fullmove - 1) + u32::from(fen.position.turn() == Color::Black);
        prop_assert_eq!(u32::from(read.plies), plies.min(65535));
    }
}

fn verdict(fen: &Fen, category: Category, dtz: Value) -> Verdict {
    static BARE_KINGS: OnceLock<Verdict> = OnceLock::new();
    let bare = || prober().probe(&"k7/8/8/8/8/8/8/7K w".parse().unwrap()).unwrap();
    let mut verdict = BARE_KINGS.get_or_init(bare).clone();
    (verdict.category, verdict.dtz, verdict.side) = (category, dtz, fen.position.turn());
    verdict
}

#[test]
fn a_packed_position_has_these_bytes() {
    // White Ka1, Rb2; Black Kd5, to move: 1, 0 in seven bits, 35 in seven bits, then the squares from a8 on.
    let fen: Fen = "8/8/8/3k4/8/8/1R6/K7 b - - 0 1".parse().unwrap();
    let verdict = prober().probe(&fen).unwrap();
    let best = prober().moves(&fen).unwrap()[0];
    let record = rendered(TrainingFormat::Bin, &TrainingPosition { fen, verdict, best: Some(best) });
    let mut expected = [0_u8; 72];
    // 35 begins at bit 8. The rook is the 49th square of the rest: bits 15 + 48 on, 10100 (five) and 0 for White.
    expected[0] = 1;
    expected[1] = 35;
    expected[7] = 0x80;
    expected[8] = 0b10;
    // 62 squares without kings, of which one takes six bits: 15 + 67 + 60 + 5 + 6 = 153.
    expected[19] = 0b10;
    // A blessed loss: the score is 0. The plies before it are 1.
    expected[66..68].copy_from_slice(&(35_u16 << 6 | u16::from(best.mv.to.number())).to_le_bytes());
    expected[68] = 1;
    assert_eq!(record, expected);
}

#[test]
fn texts_say_what_the_records_hold() {
    let prober = prober();
    let found = positions(&prober, source(&["KRvKS", "KRMvK"]), settings(true), 0..500).unwrap();
    let header = TrainingFormat::Tsv.header();
    let columns: Vec<&str> = header.trim_end().split('\t').collect();
    for position in &found {
        let (fen, verdict) = (position.fen.to_string(), &position.verdict);
        let best = position.best.unwrap().mv.to_string();
        let score = ScoreScale::default().score(verdict);
        let result = ScoreScale::result(verdict);
        let plain = text(TrainingFormat::Plain, position);
        let plies = position.plies_before();
        assert_eq!(plain, format!("fen {fen}\nmove {best}\nscore {score}\nply {plies}\nresult {result}\ne\n"));
        let json: serde_json::Value = serde_json::from_str(&text(TrainingFormat::Json, position)).unwrap();
        let number = |number: Option<i64>| number.map_or(String::new(), |number| number.to_string());
        let count = &json["count"];
        let expected = [
            fen.clone(),
            verdict.material.to_string(),
            verdict.category.name().to_owned(),
            number(json["dtm"].as_i64()),
            number(json["dtz"].as_i64()),
            number(count["limit"].as_i64()),
            number(count["ply"].as_i64()),
            number(count["attacker_moves_left"].as_i64()),
            best,
            score.to_string(),
            result.to_string(),
        ];
        let tsv = text(TrainingFormat::Tsv, position);
        assert_eq!(tsv.trim_end_matches('\n').split('\t').collect::<Vec<_>>(), expected);
        assert_eq!(expected.len(), columns.len());
        assert_eq!((&json["fen"], &json["score"], &json["result"]), (&fen.into(), &score.into(), &result.into()));
        assert_eq!(json["dtm"].as_i64(), verdict.dtm.signed_plies().map(i64::from));
    }
    let without = TrainingPosition { best: None, ..found[0].clone() };
    assert!(text(TrainingFormat::Plain, &without).contains("\nmove (none)\n"));
    assert!(text(TrainingFormat::Json, &without).contains("\"move\":null"));
    assert_eq!(text(TrainingFormat::Tsv, &without).split('\t').nth(8), Some(""));
    assert!(
        [TrainingFormat::Json, TrainingFormat::Plain, TrainingFormat::Bin]
            .map(TrainingFormat::header)
            .concat()
            .is_empty()
    );
}

#[test]
fn scores_fall_with_the_moves_to_the_conversion() {
    let fen: Fen = "8/8/8/3k4/8/8/1R6/K7 w - - 0 1".parse().unwrap();
    let score = |scale: ScoreScale, category, dtz| scale.score(&verdict(&fen, category, dtz));
    let scale = ScoreScale { win: 1000, step: 10, cursed: 50 };
    for (category, dtz, expected) in [
        (Category::Win, Value::Win(1), 990),
        (Category::Win, Value::Win(3), 980),
        (Category::Win, Value::Win(301), 500),
        (Category::CursedWin, Value::Win(3), 50),
        (Category::CursedWin, Value::Draw, 50),
        (Category::Draw, Value::Draw, 0),
        (Category::BlessedLoss, Value::Loss(4), -50),
        (Category::Loss, Value::Loss(4), -980),
        (Category::Loss, Value::Loss(0), -1000),
    ] {
        assert_eq!(score(scale, category, dtz), expected, "{category:?} {dtz:?}");
    }
    let most = ScoreScale { win: 32000, step: 32000, cursed: 32000 };
    assert_eq!(score(most, Category::Loss, Value::Loss(u16::MAX)), -16000);
    let results = Category::ALL.map(|category| ScoreScale::result(&verdict(&fen, category, Value::Draw)));
    assert_eq!(results, [-1, 0, 0, 0, 1]);
}
