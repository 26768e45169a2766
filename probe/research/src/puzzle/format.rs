//! Puzzles in the formats of the output.

use makruk_probe::LineMove;
use makruk_tables::rules::{Count, CountingRules, Fen, Move};
use makruk_tables::value::Value;
use serde::Serialize;

use super::{Puzzle, PuzzleTheme};
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
        /// The columns of Lichess' file of puzzles: the first move is the opponent's, and leads to the position.
        Lichess = "lichess",
        /// One line for the trainer of the page: theme, difficulty, FEN.
        Trainer = "trainer",
    }
}

/// The rating of a puzzle whose difficulty is not known, or that is of the second level.
const RATING: usize = 1500;
/// The difference of the ratings of two levels.
const STEP: usize = 300;
/// The deviation of every rating: nobody has played these puzzles.
const DEVIATION: usize = 350;

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
            PuzzleFormat::Lichess => "puzzles-lichess.csv",
            PuzzleFormat::Trainer => "puzzles-trainer.txt",
        }
    }

    /// The first line of a file, if the format has one.
    pub const fn header(self) -> Option<&'static str> {
        match self {
            PuzzleFormat::Lichess => {
                Some("PuzzleId,FEN,Moves,Rating,RatingDeviation,Popularity,NbPlays,Themes,GameUrl,OpeningTags")
            }
            PuzzleFormat::Json | PuzzleFormat::Pychess | PuzzleFormat::Trainer => None,
        }
    }

    /// A puzzle as one line. `None` in Lichess' format if no quiet move leads to the position.
    pub fn line(self, puzzle: &Puzzle, rules: &CountingRules) -> Option<String> {
        let json = |value: Result<String, serde_json::Error>| value.ok();
        match self {
            PuzzleFormat::Json => json(serde_json::to_string(&PuzzleJson::new(puzzle))),
            PuzzleFormat::Pychess => json(serde_json::to_string(&PychessJson::new(puzzle))),
            PuzzleFormat::Lichess => lichess(puzzle, rules),
            PuzzleFormat::Trainer => Some(format!("{} {} {}", puzzle.theme, puzzle.level().unwrap_or(0), puzzle.fen)),
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

/// A line of Lichess' file of puzzles. No field needs quotes.
fn lichess(puzzle: &Puzzle, rules: &CountingRules) -> Option<String> {
    let (before, mv) = before(&puzzle.fen, rules)?;
    let moves = std::iter::once(mv.to_string()).chain(puzzle.moves()).collect::<Vec<_>>().join(" ");
    let rating = puzzle.level().map_or(RATING, |level| RATING + STEP * level - 2 * STEP);
    let length = match puzzle.moves_to_find() {
        1 => "oneMove",
        2 => "short",
        3 => "long",
        _ => "veryLong",
    };
    let goal = if puzzle.theme.is_win() { "win" } else { "draw" };
    let theme = match puzzle.theme {
        PuzzleTheme::Win | PuzzleTheme::Save => String::new(),
        theme => format!(" {theme}"),
    };
    let (id, material) = (puzzle.key.short(), puzzle.material());
    Some(format!("{id},{before},{moves},{rating},{DEVIATION},0,0,endgame {goal}{theme} {length} {material},,"))
}

/// A position from which one quiet move of the opponent leads to a position with its count, and that move.
fn before(fen: &Fen, rules: &CountingRules) -> Option<(Fen, Move)> {
    let count = match fen.count {
        Some(count) => Some(Count::new(count.limit(), count.ply().checked_sub(1)?).ok()?),
        None => None,
    };
    let leads = |position| {
        let before = Fen { position, count, fullmove: 1 };
        let mv = before.position.legal_moves().into_iter().find(|&mv| {
            let after = before.play(rules, mv);
            (after.position, after.count) == (fen.position.clone(), fen.count)
        })?;
        Some((before, mv))
    };
    fen.position.quiet_predecessors().find_map(leads)
}
