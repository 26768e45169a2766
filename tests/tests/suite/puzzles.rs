//! The puzzles in `tables/stats/puzzles`: the files have the same puzzles, no two of which are images of each other,
//! and those of some materials are proved again.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use makruk_probe::{Category, Prober, Tablebase};
use makruk_research::{Puzzle, PuzzleFormat, PuzzleKey, PuzzleTheme};
use makruk_rules::{CountingRules, Fen, Move};
use makruk_tables::material::Material;
use serde::Deserialize;

/// The puzzles of each file.
const PUZZLES: usize = 2000;

fn lines(format: PuzzleFormat) -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tables/stats/puzzles").join(format.file_name());
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    text.lines().map(str::to_owned).collect()
}

/// A puzzle of the trainer's file: theme, level and position.
fn of_trainer(line: &str) -> (PuzzleTheme, usize, Fen) {
    let mut words = line.splitn(3, ' ');
    let mut word = || words.next().unwrap_or_else(|| panic!("{line}"));
    let (theme, level, fen) = (word().parse(), word().parse(), word().parse());
    (theme.expect(line), level.expect(line), fen.expect(line))
}

#[derive(Deserialize)]
struct Pychess {
    v: String,
    f: String,
    m: String,
    e: String,
    t: String,
}

/// Plays moves, each of which must be legal.
fn play(fen: &Fen, moves: &[&str]) -> Fen {
    moves.iter().fold(fen.clone(), |fen, uci| {
        let mv = Move::from_uci(&fen.position, uci).unwrap_or_else(|error| panic!("{fen}: {uci}: {error}"));
        fen.play(&CountingRules::MAKRUK, mv)
    })
}

#[test]
fn the_files_have_the_same_puzzles_each_once() {
    let [pychess, trainer] = [PuzzleFormat::Pychess, PuzzleFormat::Trainer].map(lines);
    assert_eq!((pychess.len(), trainer.len()), (PUZZLES, PUZZLES));
    let mut ids = BTreeSet::new();
    let mut themes = BTreeMap::<PuzzleTheme, usize>::new();
    for (pychess, trainer) in pychess.iter().zip(&trainer) {
        let (theme, level, fen) = of_trainer(trainer);
        let Pychess { v, f, m, e, t } = serde_json::from_str(pychess).expect(pychess);
        assert_eq!((v.as_str(), f), ("makruk", fen.to_string()));
        assert!((1..=3).contains(&level), "{trainer}");
        let moves: Vec<&str> = m.split(',').collect();
        assert_eq!(moves.len() % 2, 1, "the solver moves first and last: {pychess}");
        let last = play(&fen, &moves);
        let is_right = match t.as_str() {
            "mate" => theme.is_win() && e.starts_with('#') && last.position.is_checkmate(),
            "winning" => theme.is_win() && e.starts_with('#') && !last.position.is_checkmate(),
            "defensive" => !theme.is_win() && e == "0",
            _ => false,
        };
        assert!(is_right, "{theme}: {pychess}");
        *themes.entry(theme).or_default() += 1;
        let id = PuzzleKey::of(&fen.position).expect("a material that has tables").short();
        assert!(ids.insert(id), "an image of {pychess} is there already");
    }
    assert_eq!(themes.len(), PuzzleTheme::ALL.len(), "{themes:?}");
}

/// Every move of the solver's keeps the result, and no other legal move does.
fn assert_each_is_the_only_one(prober: &Prober, fen: &Fen, theme: PuzzleTheme, pychess: &str) {
    let Pychess { m, .. } = serde_json::from_str(pychess).expect(pychess);
    let moves: Vec<&str> = m.split(',').collect();
    for ply in (0..moves.len()).step_by(2) {
        let ranked = prober.moves(&play(fen, &moves[..ply])).expect("tables");
        let keeps = |category: Category| if theme.is_win() { category == Category::Win } else { category.is_drawn() };
        let keeping: Vec<String> = ranked.iter().filter(|mv| keeps(mv.category)).map(|mv| mv.mv.to_string()).collect();
        assert!(keeping == [moves[ply]] && ranked.len() > 1, "{pychess}: {keeping:?}");
    }
}

#[test]
fn puzzles_of_few_materials_are_proved_again() {
    let materials = test_tables::materials(&test_tables::FEW);
    let prober = Prober::new(Tablebase::new(test_tables::usual(materials.iter().copied()).path()));
    let mut proved = 0;
    for (pychess, trainer) in lines(PuzzleFormat::Pychess).iter().zip(lines(PuzzleFormat::Trainer)) {
        let (theme, _, fen) = of_trainer(&trainer);
        if !Material::of(fen.position.board()).is_ok_and(|found| materials.contains(&found.material)) {
            continue;
        }
        let puzzle = Puzzle::of(&prober, &fen).expect("tables").unwrap_or_else(|| panic!("{fen} is not a puzzle"));
        assert_eq!(puzzle.theme, theme, "{fen}");
        let line = |format: PuzzleFormat| format.line(&puzzle).expect("a line");
        assert_eq!(line(PuzzleFormat::Pychess), *pychess);
        assert_each_is_the_only_one(&prober, &fen, theme, pychess);
        // The levels are an engine's.
        assert_eq!(line(PuzzleFormat::Trainer), format!("{theme} 0 {fen}"));
        proved += 1;
    }
    assert!(proved > 100, "{proved}");
}
