//! The cases of the kit for the count: positions and moves with the count and the verdict that the rules give them.
//!
//! They are in `tests/count-kit/makruk_count_kit/cases.json`; `cases.schema.json` beside them describes the fields.

use serde::Deserialize;

/// The cases, as they are in the repository.
const CASES: &str = include_str!("../count-kit/makruk_count_kit/cases.json");

/// The file of the cases.
#[derive(Deserialize)]
struct CasesFile {
    cases: Vec<Case>,
}

/// A position, and its count and verdict by the rules after some moves.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// The name of the case, one of a kind.
    pub name: String,
    /// The part of the rules: `limits`, `captures`, `board`, `pawns`, `end` or `repetition`.
    pub group: String,
    /// The position, in Fairy-Stockfish's letters.
    pub fen: String,
    /// The moves played from there, in UCI notation.
    pub moves: Vec<String>,
    /// The count's LIMIT after them, in plies; `None` if no count runs.
    pub limit: Option<u32>,
    /// The count's PLY after them.
    pub ply: Option<u32>,
    /// The last number that the counting side has called, in moves; `None` as with `left`.
    pub counted: Option<u32>,
    /// The moves that the attacker has left; `None` without a count, or if the count does not say who attacks.
    pub left: Option<u32>,
    /// Whether the game is drawn after the moves. `None` if the case does not ask.
    pub drawn: Option<bool>,
    /// The result with best play, from the side to move; `None` if the case is about the count alone.
    pub verdict: Option<CaseVerdict>,
    /// The moves to mate, if there is one and the case is about it.
    pub mate: Option<u32>,
    /// The clause of the competition rules.
    pub clause: String,
    /// The rule in words.
    pub why: String,
    /// The disputed point that the case is about, if it is about one.
    pub disputed: Option<String>,
}

/// A result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CaseVerdict {
    /// The side to move wins.
    Win,
    /// The side to move loses.
    Loss,
    /// Nobody wins.
    Draw,
    /// The game is drawn since the position has occurred for the third time.
    Repetition,
}

/// The cases.
///
/// # Panics
///
/// If the file of the cases is damaged.
pub fn cases() -> Vec<Case> {
    let file: CasesFile = serde_json::from_str(CASES).unwrap_or_else(|error| panic!("cases.json: {error}"));
    file.cases
}

impl Case {
    /// The expected LIMIT and PLY.
    pub fn count(&self) -> Option<(u32, u32)> {
        self.limit.zip(self.ply)
    }

    /// The plies that a search needs to see the end of the count, or the mate before it.
    pub fn depth(&self) -> u32 {
        2 * self.left.unwrap_or(0).min(4) + 4
    }

    /// The mate that a search has to find, negative if the side to move is mated; inside, `None` means no mate. `None`
    /// if the case is not about a mate.
    pub fn expected_mate(&self) -> Option<Option<i32>> {
        let moves = || self.mate.and_then(|moves| i32::try_from(moves).ok());
        match self.verdict? {
            CaseVerdict::Win => moves().map(Some),
            CaseVerdict::Loss => moves().map(|moves| Some(-moves)),
            CaseVerdict::Draw => Some(None),
            CaseVerdict::Repetition => None,
        }
    }
}
