//! A suite for the count: positions and moves with the count and the verdict that the rules give them.
//!
//! The cases are in `tests/count-kit/makruk_count_kit/cases.json`; `cases.schema.json` beside them describes the
//! fields. A
//! [`Subject`] is a program that is asked; [`report`] compares its answers with the expected ones.

mod pyffish;
mod uci;
mod xboard;

use std::fmt;

use serde::{Deserialize, Serialize};

pub use pyffish::Pyffish;
pub use uci::UciEngine;
pub use xboard::XboardEngine;

/// The cases, as they are in the repository.
const CASES: &str = include_str!("../../count-kit/makruk_count_kit/cases.json");

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

/// A question that a program cannot be asked, or its answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer<T> {
    /// The program has no way to answer, or the case has no such question.
    NotAsked,
    /// The answer.
    Is(T),
}

/// A program's answer to a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answers {
    /// LIMIT and PLY after the moves; inside, `None` means no count.
    pub count: Answer<Option<(u32, u32)>>,
    /// The mate that a search finds, in moves, negative if the side to move is mated; inside, `None` means no mate.
    pub mate: Answer<Option<i32>>,
    /// Whether the game is drawn by the third repetition.
    pub repetition: Answer<bool>,
}

/// A program that is asked.
pub trait Subject {
    /// The name for the report.
    fn name(&self) -> String;

    /// The program's answers to a case.
    ///
    /// # Errors
    ///
    /// If the program fails or does not answer in time.
    fn answer(&mut self, case: &Case) -> Result<Answers, SubjectError>;
}

/// A program that failed.
#[derive(Debug)]
pub struct SubjectError(pub String);

/// A case with the answers of a program.
#[derive(Clone, Debug, Serialize)]
pub struct Line {
    /// The name of the case.
    pub case: String,
    /// The clause that the expected answers rest on.
    pub clause: String,
    /// The disputed point, if any.
    pub disputed: Option<String>,
    /// The number of questions that the program answered.
    pub asked: usize,
    /// The answers that differ: the question, the answer of the rules, the answer of the program.
    pub differences: Vec<String>,
}

/// The answers of a program to all cases.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// The program.
    pub subject: String,
    /// The cases, in order.
    pub lines: Vec<Line>,
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

/// Asks a program every case.
///
/// # Errors
///
/// If the program fails; the error names the case.
pub fn report(subject: &mut dyn Subject, cases: &[Case]) -> Result<Report, SubjectError> {
    let mut lines = Vec::new();
    for case in cases {
        let answers =
            subject.answer(case).map_err(|SubjectError(why)| SubjectError(format!("{}: {why}", case.name)))?;
        lines.push(Line::new(case, &answers));
    }
    Ok(Report { subject: subject.name(), lines })
}

impl Case {
    /// The expected LIMIT and PLY.
    pub fn count(&self) -> Option<(u32, u32)> {
        self.limit.zip(self.ply)
    }

    /// The plies that a search needs to see the end of the count, or the mate before it.
    fn depth(&self) -> u32 {
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

impl Line {
    fn new(case: &Case, answers: &Answers) -> Line {
        let mut line = Line {
            case: case.name.clone(),
            clause: case.clause.clone(),
            disputed: case.disputed.clone(),
            asked: 0,
            differences: Vec::new(),
        };
        line.compare("count", Some(case.count()), answers.count, |count| {
            count.map_or_else(|| "none".to_owned(), |(limit, ply)| format!("{limit} {ply}"))
        });
        line.compare("mate", case.expected_mate(), answers.mate, |mate| {
            mate.map_or_else(|| "none".to_owned(), |moves| format!("in {moves}"))
        });
        let repetition = (case.verdict == Some(CaseVerdict::Repetition)).then_some(true);
        line.compare("repetition", repetition, answers.repetition, |is| is.to_string());
        line
    }

    fn compare<T: PartialEq>(&mut self, what: &str, rules: Option<T>, answer: Answer<T>, text: fn(T) -> String) {
        let (Some(rules), Answer::Is(answer)) = (rules, answer) else { return };
        self.asked += 1;
        if answer != rules {
            self.differences.push(format!("{what}: {} expected, {} found", text(rules), text(answer)));
        }
    }
}

impl Report {
    /// The cases in which the program differs.
    pub fn differing(&self) -> impl Iterator<Item = &Line> {
        self.lines.iter().filter(|line| !line.differences.is_empty())
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let asked: usize = self.lines.iter().map(|line| line.asked).sum();
        let differences: usize = self.lines.iter().map(|line| line.differences.len()).sum();
        writeln!(f, "{}: {} cases, {asked} answers, {differences} differ", self.subject, self.lines.len())?;
        for line in self.differing() {
            let disputed = line.disputed.as_ref().map_or_else(String::new, |point| format!(" (disputed: {point})"));
            writeln!(f, "  {}, {}{disputed}: {}", line.case, line.clause, line.differences.join("; "))?;
        }
        Ok(())
    }
}

impl fmt::Display for SubjectError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for SubjectError {}
