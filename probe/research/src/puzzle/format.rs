//! Puzzles in the formats of the output.

use makruk_probe::LineMove;
use makruk_tables::value::Value;
use serde::Serialize;

use super::Puzzle;
use crate::named::named;

named! {
    /// The format of puzzles.
    #[derive(Default)]
    pub enum PuzzleFormat("a format of puzzles") {
        /// One JSON object a line, with everything that is known.
        #[default]
        Json = "json",
        /// One JSON object a line for the puzzles of pychess: `v`, `f`, `m`, `e` and `t`.
        Pychess = "pychess",
        /// One line for the trainer of the page: theme, difficulty, FEN.
        Trainer = "trainer",
    }
}

#[derive(Serialize)]
struct PuzzleJson {
    id: String,
    theme: &'static str,
    goal: &'static str,
    material: String,
    cell: String,
    fen: String,
    moves: Vec<String>,
    san: Vec<String>,
    moves_to_find: usize,
    legal_moves: usize,
    natural_tries: usize,
    score: i32,
    /// Pairs of nodes and the moves that an engine finds with them; `null` if no engine was asked.
    found: Option<Vec<(u64, usize)>>,
    /// From 1, easy; `null` if no engine was asked.
    level: Option<usize>,
}

#[derive(Serialize)]
struct PychessJson {
    v: &'static str,
    f: String,
    m: String,
    e: String,
    t: &'static str,
}

impl PuzzleFormat {
    /// The name of a file of puzzles in the format.
    pub const fn file_name(self) -> &'static str {
        match self {
            PuzzleFormat::Json => "puzzles.json",
            PuzzleFormat::Pychess => "puzzles-pychess.json",
            PuzzleFormat::Trainer => "puzzles-trainer.txt",
        }
    }

    /// A puzzle as one line.
    ///
    /// # Errors
    ///
    /// None in practice: strings and numbers always become JSON.
    pub fn line(self, puzzle: &Puzzle) -> serde_json::Result<String> {
        match self {
            PuzzleFormat::Json => serde_json::to_string(&PuzzleJson::new(puzzle)),
            PuzzleFormat::Pychess => serde_json::to_string(&PychessJson::new(puzzle)),
            PuzzleFormat::Trainer => Ok(format!("{} {} {}", puzzle.theme, puzzle.level().unwrap_or(0), puzzle.fen)),
        }
    }
}

impl Puzzle {
    /// The difficulty from 1, easy; `None` if no engine was asked.
    pub fn level(&self) -> Option<usize> {
        Some(self.difficulty.as_ref()?.level(self.moves_to_find()))
    }

    fn moves(&self) -> Vec<String> {
        self.solution.iter().map(|mv| mv.ranked.mv.to_string()).collect()
    }

    /// The last move of the solution.
    fn last(&self) -> Option<&LineMove> {
        self.solution.last()
    }
}

impl PuzzleJson {
    fn new(puzzle: &Puzzle) -> PuzzleJson {
        PuzzleJson {
            id: puzzle.key.short(),
            theme: puzzle.theme.name(),
            goal: if puzzle.theme.is_win() { "win" } else { "draw" },
            material: puzzle.material().to_string(),
            cell: puzzle.key.to_string(),
            fen: puzzle.fen.to_string(),
            moves: puzzle.moves(),
            san: puzzle.solution.iter().map(|mv| mv.san.clone()).collect(),
            moves_to_find: puzzle.moves_to_find(),
            legal_moves: puzzle.legal,
            natural_tries: puzzle.tries,
            score: puzzle.score(),
            found: puzzle.difficulty.as_ref().map(|difficulty| difficulty.found.clone()),
            level: puzzle.level(),
        }
    }
}

impl PychessJson {
    fn new(puzzle: &Puzzle) -> PychessJson {
        let is_mate = puzzle.last().is_some_and(|mv| mv.ranked.dtm == Value::Win(1));
        let mate = puzzle.solution.first().and_then(|mv| mv.ranked.dtm.moves()).unwrap_or_default();
        let (e, t) = match (puzzle.theme.is_win(), is_mate) {
            (true, true) => (format!("#{mate}"), "mate"),
            (true, false) => (format!("#{mate}"), "winning"),
            (false, _) => ("0".to_owned(), "defensive"),
        };
        PychessJson { v: "makruk", f: puzzle.fen.to_string(), m: puzzle.moves().join(","), e, t }
    }
}
