//! What is told of a game: a line for each position, a summary at the end.

use std::collections::BTreeMap;
use std::fmt::Write;

use makruk_probe::judge::{moves_in, plies};
use makruk_probe::{Category, Mistake, Played, ProbeError, Reason, Verdict};
use makruk_tables::material::Material;
use makruk_tables::rules::{Color, Fen, Game};
use serde::Serialize;

use super::phrase::{self, counted};

/// What a game came to.
#[derive(Clone, Debug, Default)]
pub(super) struct Report {
    covered: usize,
    sets: Vec<Material>,
    with_pawns: usize,
    too_many_men: usize,
    missing: BTreeMap<Material, usize>,
    damaged: BTreeMap<String, usize>,
    white: Tally,
    black: Tally,
}

/// What a side gave away.
#[derive(Clone, Copy, Debug, Default, Serialize)]
struct Tally {
    wins: u32,
    draws: u32,
    slow_moves: u32,
    moves_lost: u32,
}

/// A game's summary for programs.
#[derive(Debug, Serialize)]
pub(super) struct SummaryJson {
    game: usize,
    summary: Summary,
}

#[derive(Debug, Serialize)]
struct Summary {
    positions: usize,
    covered: usize,
    with_pawns: usize,
    too_many_men: usize,
    missing: Vec<MissingJson>,
    damaged: Vec<String>,
    gave_away: GaveAway,
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

impl Report {
    /// Counts a position that the tables cover.
    pub(super) fn cover(&mut self, verdict: &Verdict, played: Option<&Played>) {
        self.covered += 1;
        if self.sets.last() != Some(&verdict.material) {
            self.sets.push(verdict.material);
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

    /// Counts a position that they don't.
    pub(super) fn pass_over(&mut self, error: &ProbeError) {
        match (error, error.reason()) {
            (ProbeError::Table(error), Reason::MissingTable) => {
                if let Some(id) = error.id() {
                    *self.missing.entry(id.material).or_default() += 1;
                }
            }
            (_, Reason::CorruptTable) => *self.damaged.entry(error.to_string()).or_default() += 1,
            (_, Reason::HasPawns) => self.with_pawns += 1,
            _ => self.too_many_men += 1,
        }
    }

    /// Is this damage not told yet?
    pub(super) fn is_new(&self, error: &ProbeError) -> bool {
        !self.damaged.contains_key(&error.to_string())
    }

    /// Was a table damaged?
    pub(super) fn is_damaged(&self) -> bool {
        !self.damaged.is_empty()
    }

    /// The summary for programs.
    pub(super) fn json(&self, game: usize, positions: usize) -> SummaryJson {
        let missing = |(set, &positions): (&Material, &usize)| MissingJson {
            material: set.to_string(),
            positions,
            command: build_command(*set),
        };
        SummaryJson {
            game,
            summary: Summary {
                positions,
                covered: self.covered,
                with_pawns: self.with_pawns,
                too_many_men: self.too_many_men,
                missing: self.missing.iter().map(missing).collect(),
                damaged: self.damaged.keys().cloned().collect(),
                gave_away: GaveAway { white: self.white, black: self.black },
            },
        }
    }

    /// The summary for people.
    pub(super) fn text(&self, positions: usize) -> String {
        let mut text = String::new();
        // Writing to a string never fails.
        let _ = write!(text, "{} of {} covered by the tables", self.covered, counted(positions as u32, "position"));
        if !self.sets.is_empty() {
            let sets: Vec<String> = self.sets.iter().map(Material::to_string).collect();
            let _ = write!(text, " ({})", sets.join(", "));
        }
        text.push('\n');
        if self.with_pawns > 0 {
            let _ = writeln!(text, "  {} with unpromoted pawns: no tables for these", self.with_pawns);
        }
        if self.too_many_men > 0 {
            let _ = writeln!(text, "  {} with too many men", self.too_many_men);
        }
        for (set, count) in &self.missing {
            let _ =
                writeln!(text, "  {count} for which the table {set} is missing: `{}` makes it", build_command(*set));
        }
        for (error, count) in &self.damaged {
            let _ = writeln!(text, "  {count} without an answer: {error}");
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
            parts.push(format!("{} of time in {}", phrase::moves(self.moves_lost), phrase::moves(self.slow_moves)));
        }
        f.write_str(&if parts.is_empty() { "nothing".to_owned() } else { parts.join(", ") })
    }
}

fn build_command(set: Material) -> String {
    format!("makruk-gen build {set}")
}

/// The game's number, players and result.
pub(super) fn heading(number: usize, game: &Game) -> String {
    let tag = |name| game.tag(name).filter(|value| !value.is_empty()).unwrap_or("?");
    let clean = |text: &str| text.chars().filter(|c| !c.is_control()).collect::<String>();
    format!(
        "Game {number}: {} - {}, {}, {}, {}",
        clean(tag("White")),
        clean(tag("Black")),
        clean(tag("Date")),
        game.result,
        phrase::moves(game.moves.len().div_ceil(2) as u32)
    )
}

/// One position: the move, the verdict, what the count leaves, what the move gave away.
pub(super) fn position(fen: &Fen, verdict: &Verdict, played: Option<&Played>) -> String {
    let dots = if verdict.side == Color::White { "." } else { "..." };
    let mv = match played {
        Some(played) => format!("{}{dots} {}", fen.fullmove, played.san),
        None => "the end".to_owned(),
    };
    let note = match played.and_then(|played| played.mistake.map(|mistake| (mistake, &played.best))) {
        None => String::new(),
        Some((Mistake::Win, best)) => format!("  ?? gives away the win: {best} wins"),
        Some((Mistake::Draw, best)) => format!("  ?? gives away the draw: {best} draws"),
        Some((Mistake::Time { moves }, best)) => format!("  ? loses {}: {best} is best", phrase::moves(moves)),
    };
    format!("{mv:14} {}{note}\n", standing(fen, verdict))
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
        (Category::Win | Category::Loss, Some(event)) if !phrase::is_bare(&fen.position) => {
            format!("{winner} wins, decides in {}{left}", moves_in(event))
        }
        (Category::Win | Category::Loss, _) => format!("{winner} wins, {mate}{left}"),
        _ if verdict.is_drawn_by_count() => format!("draw, the count has run out ({winner}: {mate} without it)"),
        _ => format!("draw by the count ({winner}: {mate} without it){left}"),
    }
}
