//! The prober's questions to its source, and the answers that need none.

use std::sync::Mutex;

use makruk_probe::{Category, Prober, TableError, ValueSource};
use makruk_rules::{CountingRules, Position};
use makruk_tables::material::Material;
use makruk_tables::value::{Metric, Value};

use crate::common::fen;

/// Values by material: DTM and DTZ, from either side to move.
#[derive(Default)]
struct Fake {
    values: Vec<(&'static str, Value, Value)>,
    asked: Mutex<Vec<(String, Metric)>>,
}

impl ValueSource for Fake {
    fn rules(&self) -> &CountingRules {
        &CountingRules::MAKRUK
    }

    fn value(&self, position: &Position, metric: Metric) -> Result<Value, TableError> {
        let material = Material::of(position.board())?.material;
        let name = material.to_string();
        self.asked.lock().unwrap().push((name.clone(), metric));
        if !position.has_legal_move() {
            return Ok(if position.is_check() { Value::Loss(0) } else { Value::Draw });
        }
        let found = self.values.iter().find(|(table, _, _)| *table == name);
        Ok(found.map_or(Value::Draw, |&(_, dtm, dtz)| if metric == Metric::Dtm { dtm } else { dtz }))
    }
}

fn asked(values: &[(&'static str, Value, Value)], text: &str) -> (Prober<Fake>, Vec<String>) {
    let prober = Prober::new(Fake { values: values.to_vec(), asked: Mutex::default() });
    prober.probe(&fen(text)).unwrap();
    let asked =
        prober.source().asked.lock().unwrap().iter().map(|(material, metric)| format!("{material}.{metric}")).collect();
    (prober, asked)
}

#[test]
fn only_what_a_table_knows_is_asked_for() {
    let decided = [("KRvKS", Value::Win(31), Value::Win(45)), ("KRvK", Value::Loss(10), Value::Draw)];
    for (text, expected) in [
        ("8/8/8/8/8/4s1k1/4R3/K7 w", &["KRvKS.dtm", "KRvKS.dtz"][..]), // both armed
        ("8/8/8/8/8/4S1K1/4r3/k7 w", &["KRvKS.dtm", "KRvKS.dtz"]),     // the colour-flipped form, by its canonical name
        ("8/8/8/8/8/4n1k1/4R3/K7 w", &["KRvKN.dtm"]),                  // drawn: DTZ is not asked for
        ("8/8/8/3k4/8/8/1R6/K7 b", &["KRvK.dtm"]),                     // a bare king's DTZ is its DTM
        ("R5k1/8/6K1/8/8/8/8/8 b", &["KRvK.dtm"]),                     // mate
        ("k7/1R6/1K6/8/8/8/8/8 b", &["KRvK.dtm"]),                     // stalemate
        ("8/8/3k4/8/8/3K4/8/8 w", &[]),                                // two kings
    ] {
        assert_eq!(asked(&decided, text).1, expected, "{text}");
    }
}

#[test]
fn a_capture_that_bares_and_mates_is_a_mate() {
    let (prober, _) = asked(&[("KRvKR", Value::Win(1), Value::Win(1))], "r6k/8/6K1/8/8/8/8/R7 w");
    for (count, category) in [("- -", Category::Win), ("128 128", Category::Win), ("128 129", Category::CursedWin)] {
        let root = fen(&format!("r6k/8/6K1/8/8/8/8/R7 w - {count} 1"));
        assert_eq!(prober.probe(&root).unwrap().category, category);
        let best = prober.moves(&root).unwrap()[0];
        assert_eq!((best.mv.to_string().as_str(), best.category), ("a1a8", category), "{count}");
        assert_eq!((best.dtm, best.dtz, best.bares_king), (Value::Win(1), Value::Win(1), true));
    }
}

#[test]
fn a_baring_capture_on_the_last_move_of_boards_honour_starts_its_own_count() {
    // 13 moves after the capture; the bare child needs 13, then 14.
    for (needed, category, dtz) in [(26, Category::Win, Value::Win(1)), (28, Category::CursedWin, Value::Draw)] {
        let values = [("KRvKS", Value::Win(needed + 1), dtz), ("KRvK", Value::Loss(needed), Value::Loss(needed))];
        let (prober, _) = asked(&values, "8/8/8/8/8/4s1k1/4R3/K7 w");
        for count in ["-", "128 128"] {
            let count = if count == "-" { "- 0" } else { count };
            let root = fen(&format!("8/8/8/8/8/4s1k1/4R3/K7 w - {count} 1"));
            assert_eq!(prober.probe(&root).unwrap().category, category, "{root}");
            let moves = prober.moves(&root).unwrap();
            let capture = moves.iter().find(|mv| mv.bares_king).unwrap();
            assert_eq!((capture.category, capture.dtz), (category, dtz), "{root}");
            assert_eq!(capture.count.map(|count| (count.limit(), count.ply())), Some((32, 6)));
        }
        // One ply later the game is drawn, and no capture restarts the count.
        let root = fen("8/8/8/8/8/4s1k1/4R3/K7 w - 128 129 1");
        assert_eq!(prober.probe(&root).unwrap().category, Category::CursedWin);
        let moves = prober.moves(&root).unwrap();
        let capture = moves.iter().find(|mv| mv.bares_king).unwrap();
        assert_eq!((capture.category, capture.dtz), (Category::CursedWin, dtz));
        assert!(capture.count.unwrap().is_expired());
    }
}
