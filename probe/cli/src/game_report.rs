//! The report on a game: a line for each position, and a summary.

use std::fmt::Write;

use makruk_answers::{GamePosition, GameSummary, JudgedMoveAnswer, MissingTable, PlayedMove, PositionPart, Tally};
use makruk_console::table_remedy;
use makruk_probe::{ProbeError, Verdict};
use makruk_rules::{Color, Fen, REPETITIONS_TO_DRAW};
use makruk_tables::value::Value;

use super::sentences::{self, counted};

/// The summary for people.
pub(crate) fn text(summary: &GameSummary, positions: &[GamePosition]) -> String {
    let mut text = String::new();
    let (covered, all) = (summary.covered, counted(summary.positions as u32, "position"));
    // Writing to a string never fails.
    let _ = write!(text, "{covered} of {all} covered by the tables");
    let verdicts = positions.iter().filter_map(|at| at.position.verdict());
    let mut materials: Vec<String> = verdicts.map(|verdict| verdict.verdict.material.to_string()).collect();
    materials.dedup();
    if !materials.is_empty() {
        let _ = write!(text, " ({})", materials.join(", "));
    }
    text.push('\n');
    if summary.too_many_men > 0 {
        let _ = writeln!(text, "  {} with too many men", summary.too_many_men);
    }
    for MissingTable { material, positions, cause, .. } in &summary.missing {
        let remedy = match cause.as_deref() {
            Some(ProbeError::Table(error)) => table_remedy(error).unwrap_or_default(),
            _ => String::new(),
        };
        let _ = writeln!(text, "  {positions} for which the table {material} is missing: {remedy}");
    }
    for error in summary.damaged.iter().chain(&summary.unreadable) {
        let errors = positions.iter().filter_map(|at| at.unjudged.as_ref()?.unread_table());
        let count = errors.filter(|found| found == error).count();
        let _ = writeln!(text, "  {count} without an answer: {error}");
    }
    if let Some(third) = summary.third_repetition_ply.and_then(|ply| positions.get(ply)) {
        let number = move_number(&third.position);
        let _ = writeln!(text, "From {number} on the game was drawn: the same position for the third time");
    }
    if covered > 0 {
        for color in Color::ALL {
            let _ = writeln!(text, "{color} gave away {}", mistakes(&summary.gave_away[color]));
        }
    }
    text
}

/// The mistakes of a side.
fn mistakes(tally: &Tally) -> String {
    let mut parts = Vec::new();
    if tally.wins > 0 {
        parts.push(counted(tally.wins, "win"));
    }
    if tally.draws > 0 {
        parts.push(counted(tally.draws, "draw"));
    }
    if tally.slow_moves > 0 {
        let (lost, slow) = (sentences::moves(tally.moves_lost), sentences::moves(tally.slow_moves));
        parts.push(format!("{lost} of time in {slow}"));
    }
    if parts.is_empty() { "nothing".to_owned() } else { parts.join(", ") }
}

/// The value of a tag, if it is known.
fn tag<'a>(tags: &'a [(String, String)], name: &str) -> Option<&'a str> {
    let value = tags.iter().find(|(tag, _)| tag.eq_ignore_ascii_case(name)).map(|(_, value)| value.trim());
    value.filter(|value| !value.trim_matches(['?', '.']).is_empty())
}

fn players(tags: &[(String, String)]) -> Option<String> {
    match (tag(tags, "White"), tag(tags, "Black")) {
        (None, None) => None,
        (white, black) => Some(format!("{} - {}", white.unwrap_or("?"), black.unwrap_or("?"))),
    }
}

/// The positions before the moves that gave away a win or a draw, as games of this one move in PGN.
pub(crate) fn exercises(tags: &[(String, String)], positions: &[GamePosition]) -> String {
    let event = players(tags).or_else(|| tag(tags, "Event").map(str::to_owned)).unwrap_or_default();
    let event: String = event.chars().filter(|c| !c.is_control() && !matches!(c, '"' | '\\')).collect();
    let of_position = |at: &GamePosition| {
        let JudgedMoveAnswer { mv, mistake, .. } = at.judged_move()?;
        let (fen, number) = (at.position.fen(), move_number(&at.position));
        matches!(mistake.gave_away, Some("win" | "draw")).then(|| {
            format!(
                "[Event \"{event}\"]\n[Variant \"makruk\"]\n[SetUp \"1\"]\n[FEN \"{fen}\"]\n[Result \"*\"]\n\n{number} {}?? *\n\n",
                mv.san
            )
        })
    };
    positions.iter().filter_map(of_position).collect()
}

/// The heading of a game: its number, its players, date and result if they are known, and its moves.
pub(crate) fn heading(number: usize, tags: &[(String, String)], result: &str, moves: usize) -> String {
    let result = (result != "*").then(|| result.to_owned());
    let moves = sentences::moves(moves.div_ceil(2) as u32);
    let parts = [players(tags), tag(tags, "Date").map(str::to_owned), result, Some(moves)].into_iter().flatten();
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
        let Some(verdict) = at.position.verdict() else { return String::new() };
        let repetition = match at.occurrence {
            REPETITIONS_TO_DRAW => "; the same position for the third time: a draw",
            _ => "",
        };
        let (made, better) = before.map_or_else(|| ("start".to_owned(), String::new()), made);
        format!("{made:14} {}{repetition}{better}\n", standing(&verdict.verdict))
    };
    before.zip(positions).map(line).collect()
}

/// The move that was played in a position, with its number and a mark if it is a mistake, and the better move.
fn made(before: &GamePosition) -> (String, String) {
    let (mark, better) = match before.judged_move() {
        None => ("", String::new()),
        Some(JudgedMoveAnswer { mv, mistake, best }) => match (mistake.gave_away, mistake.lost_moves) {
            (Some("win"), _) => ("??", format!("  ({best} wins)")),
            (Some("draw"), _) => ("??", format!("  ({best} draws)")),
            (_, Some(moves)) if matches!(mv.dtm, Value::Win(_)) => {
                ("?", format!("  ({best} is {} faster)", sentences::moves(moves)))
            }
            (_, Some(moves)) => ("?", format!("  ({best} lasts {} longer)", sentences::moves(moves))),
            _ => ("", String::new()),
        },
    };
    let san = match &before.played {
        Some(PlayedMove::Judged(played)) => &played.mv.san,
        Some(PlayedMove::Unjudged { san, .. }) => san,
        None => "",
    };
    (format!("{} {san}{mark}", move_number(&before.position)), better)
}

/// The number of the next move: `5.`, `5...`.
fn move_number(position: &PositionPart) -> String {
    let Fen { position, fullmove, .. } = position.fen();
    format!("{fullmove}{}", if position.turn() == Color::White { "." } else { "..." })
}

/// The verdict in a few words.
fn standing(verdict: &Verdict) -> String {
    let result = sentences::result(verdict);
    let (Some(winner), Some(to_mate)) = (verdict.winner(), verdict.dtm.moves()) else { return result };
    if verdict.checkmate || verdict.is_drawn_by_count() {
        return result;
    }
    let left = match verdict.count.attacker_moves_left {
        Some(left) => format!("{left} left"),
        None => "no count runs".to_owned(),
    };
    match verdict.dtz.moves() {
        Some(needed) if verdict.category.is_drawn() => format!("{result}: {winner} needs {needed}, {left}"),
        Some(needed) => format!("{result}: needs {needed}, {left}"),
        None => format!("{result}: {left}; without a count {winner} mates in {to_mate}"),
    }
}
