//! An analysis reads its position once, and its moves once.

use std::sync::Mutex;

use fastrand::Rng;
use makruk_probe::{Distances, Prober, TableError, Tablebase, ValueSource};
use makruk_rules::{Count, CountingRules, Fen, Move, Position};
use makruk_tables::value::{Metric, Value};

use crate::common::{MATERIALS, fen, folder};
use crate::random;

/// Tables that record which positions are read.
struct Reads {
    tables: Tablebase,
    positions: Mutex<Vec<Position>>,
}

impl Reads {
    fn prober() -> Prober<Reads> {
        Prober::new(Reads { tables: Tablebase::new(folder()), positions: Mutex::default() })
    }

    fn note(&self, position: &Position) {
        self.positions.lock().unwrap().push(position.clone());
    }

    /// The positions read since the last call.
    fn take(&self) -> Vec<Position> {
        std::mem::take(&mut self.positions.lock().unwrap())
    }
}

impl ValueSource for Reads {
    fn rules(&self) -> &CountingRules {
        self.tables.rules()
    }

    fn value(&self, position: &Position, metric: Metric) -> Result<Value, TableError> {
        self.note(position);
        self.tables.value(position, metric)
    }

    fn distances(&self, position: &Position) -> Result<Distances, TableError> {
        self.note(position);
        self.tables.distances(position)
    }
}

/// The positions after the legal moves of a position that some table has.
fn children(position: &Position) -> Vec<Position> {
    let after = position.legal_moves().into_iter().map(|mv| position.play(mv));
    after.filter(|after| after.board().men() > 2).collect()
}

fn positions(count: usize) -> Vec<Fen> {
    let mut numbers = Rng::with_seed(11);
    (0..count)
        .map(|at| {
            let material = MATERIALS[at % MATERIALS.len()].parse().unwrap();
            let running = (at % 3 == 0).then(|| Count::new(128, numbers.u64(..131) as u32).unwrap());
            Fen::new(random(&mut numbers, material), running)
        })
        .collect()
}

#[test]
fn the_root_and_its_moves_are_read_once() {
    let prober = Reads::prober();
    let mut decided = [0; 2];
    for root in positions(300) {
        let analysis = prober.analysis(&root).unwrap();
        assert_eq!(prober.source().take(), std::slice::from_ref(&root.position));
        analysis.moves().unwrap();
        assert_eq!(prober.source().take(), children(&root.position), "{root}");
        // The best line reads the moves of each position after the root, and no other value.
        let line = analysis.principal_variation().unwrap().clone();
        let on_the_way = line.moves.iter().rev().skip(1).rev();
        let expected: Vec<Position> = on_the_way.flat_map(|mv| children(&mv.after.position)).collect();
        assert_eq!(prober.source().take(), expected, "{root}");
        decided[usize::from(line.moves.is_empty())] += 1;
        // No later question reads the root again, and a repeated question reads no value.
        let first = (analysis.short_by().unwrap(), analysis.sacrifices().unwrap().to_vec());
        assert!(!prober.source().take().contains(&root.position), "{root}");
        for ranked in analysis.moves().unwrap() {
            assert_eq!(analysis.judge_move(ranked.mv).unwrap().unwrap().ranked, *ranked);
        }
        assert_eq!((analysis.short_by().unwrap(), analysis.sacrifices().unwrap().to_vec()), first);
        assert_eq!(analysis.principal_variation().unwrap(), &line);
        assert_eq!(prober.source().take(), [], "{root}");
    }
    assert!(decided.iter().all(|&n| n > 20), "{decided:?}");
}

#[test]
fn an_analysis_says_what_the_prober_says() {
    let prober = crate::common::prober();
    let mut short = [0; 2];
    for root in positions(600) {
        let analysis = prober.analysis(&root).unwrap();
        assert_eq!(analysis.verdict(), &prober.probe(&root).unwrap());
        let lazily = prober.analysis(&root).unwrap().short_by().unwrap();
        assert_eq!(analysis.moves().unwrap(), prober.moves(&root).unwrap());
        assert_eq!(analysis.short_by().unwrap(), lazily, "{root}");
        assert_eq!(lazily, prober.short_by(&root).unwrap());
        assert_eq!(analysis.principal_variation().unwrap(), &prober.principal_variation(&root).unwrap());
        short[usize::from(lazily.is_some())] += 1;
    }
    assert!(short.iter().all(|&n| n > 20), "{short:?}");
    let root = fen("8/8/8/8/8/4s1k1/4R3/K7 w - - 0 1");
    let analysis = prober.analysis(&root).unwrap();
    let judged = analysis.judge_move(Move::from_uci(&root.position, "e2e3").unwrap()).unwrap().unwrap();
    assert_eq!((judged.san.as_str(), judged.best.as_str()), ("Rxe3+", "Re1"));
}
