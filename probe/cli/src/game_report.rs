//! The report on a game: a line for each position, and a summary.

use std::collections::BTreeMap;
use std::fmt::Write;

use makruk_answers::{
    GamePosition, JudgedMoveAnswer, MistakeAnswer, PlayedMove, PositionAnswer, PositionPart, Reason, Refusal,
};
use makruk_probe::{ProbeError, Reason as Failure};
use makruk_tables::material::Material;
use makruk_tables::programs::table_remedy;
use makruk_tables::rules::{Color, REPETITIONS_TO_DRAW};
use serde::{Serialize, Serializer};

use super::sentences::{self, counted, moves_of};

/// The summary of a game.
#[derive(Debug, Default, Serialize)]
pub(crate) struct GameReport<'a> {
    positions: usize,
    covered: usize,
    too_many_men: usize,
    #[serde(serialize_with = "values")]
    missing: BTreeMap<Material, MissingTable>,
    /// The errors of damaged tables, with the number of positions.
    #[serde(serialize_with = "keys")]
    damaged: BTreeMap<String, u32>,
    gave_away: GaveAway,
    /// The plies before the first position that occurred for the third time, which draws the game; `null` if none did.
    third_repetition_ply: Option<usize>,
    /// Notes: parts of the text that were dropped or assumed, in sentences; left out if there are none.
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    notes: &'a [String],
    /// The materials of the positions, in order.
    #[serde(skip)]
    materials: Vec<Material>,
    /// The number of the move that follows the third repetition.
    #[serde(skip)]
    third_repetition: String,
}

/// A table that the positions of a game lack.
#[derive(Debug, Serialize)]
struct MissingTable {
    material: Material,
    positions: u32,
    command: String,
    /// The remedy, in a sentence.
    #[serde(skip)]
    remedy: String,
}

#[derive(Debug, Default, Serialize)]
struct GaveAway {
    white: Tally,
    black: Tally,
}

/// The mistakes of a side.
#[derive(Debug, Default, Serialize)]
struct Tally {
    wins: u32,
    draws: u32,
    slow_moves: u32,
    moves_lost: u32,
}

fn keys<S: Serializer>(map: &BTreeMap<String, u32>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(map.keys())
}

fn values<S: Serializer>(map: &BTreeMap<Material, MissingTable>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(map.values())
}

impl<'a> GameReport<'a> {
    /// The summary of a game's positions. `damage` gets the refusal of each damaged table once.
    pub(crate) fn new(
        positions: &[GamePosition],
        notes: &'a [String],
        mut damage: impl FnMut(&Refusal),
    ) -> GameReport<'a> {
        let mut report = GameReport { positions: positions.len(), notes, ..GameReport::default() };
        for at in positions {
            if at.occurrence == REPETITIONS_TO_DRAW && report.third_repetition_ply.is_none() {
                report.third_repetition_ply = Some(at.ply);
                report.third_repetition = move_number(&at.position);
            }
            if let PositionPart::Judged(verdict) = &at.position {
                report.cover(verdict, judged(at));
            }
            if let Some(refusal) = &at.unjudged
                && report.skip(refusal)
            {
                damage(refusal);
            }
        }
        report
    }

    /// Adds a position that the tables cover.
    fn cover(&mut self, verdict: &PositionAnswer, played: Option<&JudgedMoveAnswer>) {
        self.covered += 1;
        if self.materials.last() != Some(&verdict.material) {
            self.materials.push(verdict.material);
        }
        let tally = match verdict.side {
            Color::White => &mut self.gave_away.white,
            Color::Black => &mut self.gave_away.black,
        };
        match played.map(|played| played.mistake) {
            Some(MistakeAnswer { gave_away: Some("win"), .. }) => tally.wins += 1,
            Some(MistakeAnswer { gave_away: Some("draw"), .. }) => tally.draws += 1,
            Some(MistakeAnswer { lost_moves: Some(moves), .. }) => {
                tally.slow_moves += 1;
                tally.moves_lost += moves;
            }
            _ => {}
        }
    }

    /// Adds a position that the tables do not cover; true if a table is damaged that was not before.
    fn skip(&mut self, refusal: &Refusal) -> bool {
        match (refusal.reason, refusal.cause.as_deref()) {
            (Reason::Probe(Failure::MissingTable), Some(ProbeError::Table(error))) => {
                if let Some(id) = error.id() {
                    let missing = self.missing.entry(id.material).or_insert_with(|| MissingTable {
                        material: id.material,
                        positions: 0,
                        command: Refusal::build_command(id.material),
                        remedy: table_remedy(error).unwrap_or_default(),
                    });
                    missing.positions += 1;
                }
            }
            (Reason::Probe(Failure::CorruptTable | Failure::UnreadableTable), Some(error)) => {
                let positions = self.damaged.entry(error.to_string()).or_default();
                *positions += 1;
                return *positions == 1;
            }
            _ => self.too_many_men += 1,
        }
        false
    }

    /// The summary for people.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        // Writing to a string never fails.
        let _ =
            write!(text, "{} of {} covered by the tables", self.covered, counted(self.positions as u32, "position"));
        if !self.materials.is_empty() {
            let materials: Vec<String> = self.materials.iter().map(Material::to_string).collect();
            let _ = write!(text, " ({})", materials.join(", "));
        }
        text.push('\n');
        if self.too_many_men > 0 {
            let _ = writeln!(text, "  {} with too many men", self.too_many_men);
        }
        for MissingTable { material, positions, remedy, .. } in self.missing.values() {
            let _ = writeln!(text, "  {positions} for which the table {material} is missing: {remedy}");
        }
        for (error, count) in &self.damaged {
            let _ = writeln!(text, "  {count} without an answer: {error}");
        }
        if self.third_repetition_ply.is_some() {
            let number = &self.third_repetition;
            let _ = writeln!(text, "From {number} on the game was drawn: the same position for the third time");
        }
        if self.covered > 0 {
            for (color, tally) in [(Color::White, &self.gave_away.white), (Color::Black, &self.gave_away.black)] {
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
pub(crate) fn heading(number: usize, tags: &[(String, String)], result: &str, moves: usize) -> String {
    let tag = |name| {
        let value = tags.iter().find(|(tag, _)| tag.eq_ignore_ascii_case(name)).map(|(_, value)| value.trim());
        value.filter(|value| !value.trim_matches(['?', '.']).is_empty())
    };
    let players = match (tag("White"), tag("Black")) {
        (None, None) => None,
        (white, black) => Some(format!("{} - {}", white.unwrap_or("?"), black.unwrap_or("?"))),
    };
    let result = (result != "*").then(|| result.to_owned());
    let moves = sentences::moves(moves.div_ceil(2) as u32);
    let parts = [players, tag("Date").map(str::to_owned), result, Some(moves)].into_iter().flatten();
    let heading = format!("Game {number}: {}", parts.collect::<Vec<_>>().join(", "));
    heading.chars().filter(|c| !c.is_control()).collect()
}

/// The explanation of the lines, at the head of all games.
pub(crate) const LEGEND: &str = "After each move: the result, the moves that the winner then needs (to mate, or to \
    settle the count\nby taking the last piece or ending the last pawn in time), and those that the count leaves.\n";

/// The lines of the positions that the tables cover: the move that led to each, if any, and the verdict.
pub(crate) fn lines(positions: &[GamePosition]) -> String {
    let before = std::iter::once(None).chain(positions.iter().map(Some));
    let line = |(before, at): (Option<&GamePosition>, &GamePosition)| {
        let PositionPart::Judged(verdict) = &at.position else { return String::new() };
        let repetition = match at.occurrence {
            REPETITIONS_TO_DRAW => "; the same position for the third time: a draw",
            _ => "",
        };
        let (made, better) = before.map_or_else(|| ("start".to_owned(), String::new()), made);
        format!("{made:14} {}{repetition}{better}\n", standing(verdict))
    };
    before.zip(positions).map(line).collect()
}

/// The move that was played in a position, with its number and a mark if it is a mistake, and the better move.
fn made(before: &GamePosition) -> (String, String) {
    let (mark, better) = match judged(before) {
        None => ("", String::new()),
        Some(JudgedMoveAnswer { mv, mistake, best }) => match (mistake.gave_away, mistake.lost_moves) {
            (Some("win"), _) => ("??", format!("  ({best} wins)")),
            (Some("draw"), _) => ("??", format!("  ({best} draws)")),
            (_, Some(moves)) if mv.dtm > Some(0) => ("?", format!("  ({best} is {} faster)", sentences::moves(moves))),
            (_, Some(moves)) => ("?", format!("  ({best} lasts {} longer)", sentences::moves(moves))),
            _ => ("", String::new()),
        },
    };
    let san = match &before.played {
        Some(PlayedMove::Judged(played)) => &played.mv.san,
        Some(PlayedMove::Legal { san, .. }) => san,
        None => "",
    };
    (format!("{} {san}{mark}", move_number(&before.position)), better)
}

/// The move that was played in a position, if it has a verdict.
fn judged(at: &GamePosition) -> Option<&JudgedMoveAnswer> {
    match &at.played {
        Some(PlayedMove::Judged(played)) => Some(played),
        _ => None,
    }
}

/// The number of the next move: `5.`, `5...`.
fn move_number(position: &PositionPart) -> String {
    let number = position.fen().rsplit(' ').next().unwrap_or_default();
    number.to_owned() + if position.side() == Color::White { "." } else { "..." }
}

/// The verdict in a few words.
fn standing(verdict: &PositionAnswer) -> String {
    let result = sentences::result(verdict);
    let (Some(winner), Some(to_mate)) = (verdict.winner(), moves_of(verdict.dtm)) else { return result };
    if verdict.checkmate || verdict.is_drawn_by_count() {
        return result;
    }
    let left = match verdict.count.attacker_moves_left {
        Some(left) => format!("{left} left"),
        None => "no count runs".to_owned(),
    };
    match moves_of(verdict.dtz) {
        Some(needed) if verdict.category.is_drawn() => format!("{result}: {winner} needs {needed}, {left}"),
        Some(needed) => format!("{result}: needs {needed}, {left}"),
        None => format!("{result}: {left}; without a count {winner} mates in {to_mate}"),
    }
}
