//! The report on a game: a line for each position, and a summary.

use std::collections::BTreeMap;
use std::fmt::Write;

use makruk_probe::judge::{moves_in, plies};
use makruk_probe::{Category, JudgedMove, Mistake, ProbeError, Reason, Verdict, is_under_pieces_honour};
use makruk_tables::material::Material;
use makruk_tables::rules::{Color, Fen, Game, GameNote, REPETITIONS_TO_DRAW};
use serde::Serialize;

use super::remedy::build_command;
use super::sentences::{self, counted};

/// The summary of a game so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct GameReport {
    covered: usize,
    materials: Vec<Material>,
    too_many_men: usize,
    missing: BTreeMap<Material, usize>,
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
    /// What was dropped or assumed when the game was read, in sentences; left out if there is nothing to say.
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
                    *self.missing.entry(id.material).or_default() += 1;
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
        let missing = |(material, &positions): (&Material, &usize)| MissingJson {
            material: material.to_string(),
            positions,
            command: build_command(*material),
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
        for (material, count) in &self.missing {
            let command = build_command(*material);
            let _ = writeln!(text, "  {count} for which the table {material} is missing: `{command}` makes it");
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

/// The heading of a game: its number, players, date and result.
pub(crate) fn heading(number: usize, game: &Game) -> String {
    let tag = |name| game.tag(name).filter(|value| !value.is_empty()).unwrap_or("?");
    let clean = |text: &str| text.chars().filter(|c| !c.is_control()).collect::<String>();
    format!(
        "Game {number}: {} - {}, {}, {}, {}",
        clean(tag("White")),
        clean(tag("Black")),
        clean(tag("Date")),
        game.result,
        sentences::moves(game.moves.len().div_ceil(2) as u32)
    )
}

/// The line of a position: the move, the verdict, the moves that the count leaves, and the move's mistake.
pub(crate) fn position(fen: &Fen, occurrence: u32, verdict: &Verdict, played: Option<&JudgedMove>) -> String {
    let mv = match played {
        Some(played) => format!("{} {}", move_number(fen), played.san),
        None => "the end".to_owned(),
    };
    let note = match played.and_then(|played| played.mistake.map(|mistake| (mistake, &played.best))) {
        None => String::new(),
        Some((Mistake::Win, best)) => format!("  ?? gives away the win: {best} wins"),
        Some((Mistake::Draw, best)) => format!("  ?? gives away the draw: {best} draws"),
        Some((Mistake::Time { moves }, best)) => format!("  ? loses {}: {best} is best", sentences::moves(moves)),
    };
    let repetition = match occurrence {
        REPETITIONS_TO_DRAW => "; the same position for the third time: a draw",
        _ => "",
    };
    format!("{mv:14} {}{repetition}{note}\n", standing(fen, verdict))
}

/// The number of the next move: `5.`, `5...`.
fn move_number(fen: &Fen) -> String {
    let dots = if fen.position.turn() == Color::White { "." } else { "..." };
    format!("{}{dots}", fen.fullmove)
}

/// The verdict in a few words.
fn standing(fen: &Fen, verdict: &Verdict) -> String {
    if verdict.checkmate {
        return format!("{} is mated", verdict.side);
    }
    if verdict.stalemate {
        return format!("{} is stalemated", verdict.side);
    }
    let (Some(winner), Some(to_mate)) = (verdict.winner(), plies(verdict.dtm)) else { return "draw".to_owned() };
    let left = match verdict.count.attacker_moves_left {
        Some(left) if fen.count.is_some() => format!("; the count leaves {left}"),
        Some(left) => format!("; a count begun now leaves {left}"),
        None => String::new(),
    };
    let mate = format!("mate in {}", moves_in(to_mate));
    match (verdict.category, plies(verdict.dtz)) {
        (Category::Win | Category::Loss, Some(plies)) if !is_under_pieces_honour(&fen.position) => {
            format!("{winner} wins, decides in {}{left}", moves_in(plies))
        }
        (Category::Win | Category::Loss, _) => format!("{winner} wins, {mate}{left}"),
        _ if verdict.is_drawn_by_count() => format!("draw, the count has run out ({winner}: {mate} without it)"),
        _ => format!("draw by the count ({winner}: {mate} without it){left}"),
    }
}
