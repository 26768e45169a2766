//! The report on a game: a line for each position, and a summary.

use std::collections::BTreeMap;
use std::fmt::Write;

use makruk_answers::Refusal;
use makruk_locate::table_remedy;
use makruk_probe::judge::{moves_in, plies};
use makruk_probe::{JudgedMove, Mistake, ProbeError, Reason, Verdict};
use makruk_tables::material::Material;
use makruk_tables::rules::{Color, Fen, Game, GameNote, Move, REPETITIONS_TO_DRAW};
use serde::Serialize;

use super::sentences::{self, counted};

/// The summary of a game so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct GameReport {
    covered: usize,
    materials: Vec<Material>,
    too_many_men: usize,
    /// The positions without an answer, and the remedy.
    missing: BTreeMap<Material, (usize, String)>,
    damaged: BTreeMap<String, usize>,
    white: Tally,
    black: Tally,
    /// The first position that occurred for the third time: its ply, and the move that follows.
    third_repetition: Option<(usize, String)>,
}

/// The mistakes of a side.
#[derive(Clone, Copy, Debug, Default, Serialize)]
struct Tally {
    wins: u32,
    draws: u32,
    slow_moves: u32,
    moves_lost: u32,
}

/// A game's summary for programs.
#[derive(Debug, Serialize)]
pub(crate) struct SummaryJson {
    game: usize,
    summary: Summary,
}

#[derive(Debug, Serialize)]
struct Summary {
    positions: usize,
    covered: usize,
    too_many_men: usize,
    missing: Vec<MissingJson>,
    damaged: Vec<String>,
    gave_away: GaveAway,
    /// The plies before the first position that occurred for the third time, which draws the game; `null` if none did.
    third_repetition_ply: Option<usize>,
    /// Notes: parts of the text that were dropped or assumed, in sentences; left out if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
}

#[derive(Debug, Serialize)]
struct MissingJson {
    material: String,
    positions: usize,
    command: String,
}

#[derive(Debug, Serialize)]
struct GaveAway {
    white: Tally,
    black: Tally,
}

impl GameReport {
    /// Adds a position that the tables cover.
    pub(crate) fn cover(&mut self, verdict: &Verdict, played: Option<&JudgedMove>) {
        self.covered += 1;
        if self.materials.last() != Some(&verdict.material) {
            self.materials.push(verdict.material);
        }
        let tally = match verdict.side {
            Color::White => &mut self.white,
            Color::Black => &mut self.black,
        };
        match played.and_then(|played| played.mistake) {
            None => {}
            Some(Mistake::Win) => tally.wins += 1,
            Some(Mistake::Draw) => tally.draws += 1,
            Some(Mistake::Time { moves }) => {
                tally.slow_moves += 1;
                tally.moves_lost += moves;
            }
        }
    }

    /// Adds a position that the tables do not cover.
    pub(crate) fn skip(&mut self, error: &ProbeError) {
        match (error, error.reason()) {
            (ProbeError::Table(error), Reason::MissingTable) => {
                if let Some(id) = error.id() {
                    let remedy = || (0, table_remedy(error).unwrap_or_default());
                    self.missing.entry(id.material).or_insert_with(remedy).0 += 1;
                }
            }
            (_, Reason::CorruptTable | Reason::UnreadableTable) => {
                *self.damaged.entry(error.to_string()).or_default() += 1
            }
            _ => self.too_many_men += 1,
        }
    }

    /// Adds a position that occurs for the third time.
    pub(crate) fn repeat(&mut self, ply: usize, fen: &Fen) {
        self.third_repetition.get_or_insert_with(|| (ply, move_number(fen)));
    }

    /// Whether this is the first error of a damaged table with this text.
    pub(crate) fn is_new_damage(&self, error: &ProbeError) -> bool {
        !self.damaged.contains_key(&error.to_string())
    }

    /// Whether a table was damaged.
    pub(crate) fn has_damage(&self) -> bool {
        !self.damaged.is_empty()
    }

    /// The summary for programs.
    pub(crate) fn json(&self, number: usize, game: &Game, positions: usize) -> SummaryJson {
        let missing = |(material, (positions, _)): (&Material, &(usize, String))| MissingJson {
            material: material.to_string(),
            positions: *positions,
            command: Refusal::build_command(*material),
        };
        SummaryJson {
            game: number,
            summary: Summary {
                positions,
                covered: self.covered,
                too_many_men: self.too_many_men,
                missing: self.missing.iter().map(missing).collect(),
                damaged: self.damaged.keys().cloned().collect(),
                gave_away: GaveAway { white: self.white, black: self.black },
                third_repetition_ply: self.third_repetition.as_ref().map(|(ply, _)| *ply),
                notes: game.notes.iter().map(GameNote::to_string).collect(),
            },
        }
    }

    /// The summary for people.
    pub(crate) fn text(&self, positions: usize) -> String {
        let mut text = String::new();
        // Writing to a string never fails.
        let _ = write!(text, "{} of {} covered by the tables", self.covered, counted(positions as u32, "position"));
        if !self.materials.is_empty() {
            let materials: Vec<String> = self.materials.iter().map(Material::to_string).collect();
            let _ = write!(text, " ({})", materials.join(", "));
        }
        text.push('\n');
        if self.too_many_men > 0 {
            let _ = writeln!(text, "  {} with too many men", self.too_many_men);
        }
        for (material, (count, remedy)) in &self.missing {
            let _ = writeln!(text, "  {count} for which the table {material} is missing: {remedy}");
        }
        for (error, count) in &self.damaged {
            let _ = writeln!(text, "  {count} without an answer: {error}");
        }
        if let Some((_, number)) = &self.third_repetition {
            let _ = writeln!(text, "From {number} on the game was drawn: the same position for the third time");
        }
        if self.covered > 0 {
            for (color, tally) in [(Color::White, self.white), (Color::Black, self.black)] {
                let _ = writeln!(text, "{color} gave away {tally}");
            }
        }
        text
    }
}

impl std::fmt::Display for Tally {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut parts = Vec::new();
        if self.wins > 0 {
            parts.push(counted(self.wins, "win"));
        }
        if self.draws > 0 {
            parts.push(counted(self.draws, "draw"));
        }
        if self.slow_moves > 0 {
            parts.push(format!(
                "{} of time in {}",
                sentences::moves(self.moves_lost),
                sentences::moves(self.slow_moves)
            ));
        }
        f.write_str(&if parts.is_empty() { "nothing".to_owned() } else { parts.join(", ") })
    }
}

/// The heading of a game: its number, its players, date and result if they are known, and its moves.
pub(crate) fn heading(number: usize, game: &Game) -> String {
    let tag = |name| game.tag(name).map(str::trim).filter(|value| !value.trim_matches(['?', '.']).is_empty());
    let players = match (tag("White"), tag("Black")) {
        (None, None) => None,
        (white, black) => Some(format!("{} - {}", white.unwrap_or("?"), black.unwrap_or("?"))),
    };
    let result = (game.result.to_string() != "*").then(|| game.result.to_string());
    let moves = sentences::moves(game.moves.len().div_ceil(2) as u32);
    let parts = [players, tag("Date").map(str::to_owned), result, Some(moves)].into_iter().flatten();
    let heading = format!("Game {number}: {}", parts.collect::<Vec<_>>().join(", "));
    heading.chars().filter(|c| !c.is_control()).collect()
}

/// The explanation of the lines, at the head of all games.
pub(crate) const LEGEND: &str = "After each move: the result, the moves that the winner then needs (to mate, or to \
    settle the count\nby taking the last piece or ending the last pawn in time), and those that the count leaves.\n";

/// A move of a game, until the position after it is judged.
#[derive(Clone, Debug)]
pub(crate) struct Played {
    /// The number and the move.
    text: String,
    mark: &'static str,
    /// The better move; empty if there is none.
    better: String,
}

impl Played {
    /// A move made in a position; what is known of its mistake, if the tables cover the position.
    pub(crate) fn new(before: &Fen, mv: Move, judged: Option<&JudgedMove>) -> Played {
        let mistake = judged.and_then(|judged| judged.mistake.map(|mistake| (mistake, &judged.best)));
        let is_winner = judged.and_then(|judged| judged.ranked.distances().mover_wins()) == Some(true);
        let (mark, better) = match mistake {
            None => ("", String::new()),
            Some((Mistake::Win, best)) => ("??", format!("  ({best} wins)")),
            Some((Mistake::Draw, best)) => ("??", format!("  ({best} draws)")),
            Some((Mistake::Time { moves }, best)) if is_winner => {
                ("?", format!("  ({best} is {} faster)", sentences::moves(moves)))
            }
            Some((Mistake::Time { moves }, best)) => {
                ("?", format!("  ({best} lasts {} longer)", sentences::moves(moves)))
            }
        };
        Played { text: format!("{} {}", move_number(before), mv.to_san(&before.position)), mark, better }
    }
}

/// The line of a position: the move that led to it, if any, and the verdict.
pub(crate) fn position(played: Option<&Played>, occurrence: u32, verdict: &Verdict) -> String {
    let (text, mark, better) = match played {
        Some(Played { text, mark, better }) => (text.as_str(), *mark, better.as_str()),
        None => ("start", "", ""),
    };
    let repetition = match occurrence {
        REPETITIONS_TO_DRAW => "; the same position for the third time: a draw",
        _ => "",
    };
    format!("{:14} {}{repetition}{better}\n", format!("{text}{mark}"), standing(verdict))
}

/// The number of the next move: `5.`, `5...`.
fn move_number(fen: &Fen) -> String {
    let dots = if fen.position.turn() == Color::White { "." } else { "..." };
    format!("{}{dots}", fen.fullmove)
}

/// The verdict in a few words.
fn standing(verdict: &Verdict) -> String {
    let result = sentences::result(verdict);
    let (Some(winner), Some(to_mate)) = (verdict.winner(), plies(verdict.dtm).map(moves_in)) else { return result };
    if verdict.checkmate || verdict.is_drawn_by_count() {
        return result;
    }
    let left = match verdict.count.attacker_moves_left {
        Some(left) => format!("{left} left"),
        None => "no count runs".to_owned(),
    };
    match plies(verdict.dtz).map(moves_in) {
        Some(needed) if verdict.category.is_drawn() => format!("{result}: {winner} needs {needed}, {left}"),
        Some(needed) => format!("{result}: needs {needed}, {left}"),
        None => format!("{result}: {left}; without a count {winner} mates in {to_mate}"),
    }
}
