//! A position as text for people, made of the answer to the question about it.

use std::fmt::Write;

use makruk_answers::{LineMoveAnswer, PositionAnswer, SacrificeStudy, StudyAnswer, UnknownMoveAnswer};
use makruk_probe::{Category, LineEnd, LineMove, is_under_pieces_honour};
use makruk_rules::{Color, Count, Fen};

use super::diagram::diagram;
use super::sentences::{self, MoveFigures, counted};

/// Columns of the text.
const WIDTH: usize = 100;

/// Notes, verdict, board, moves and lines; without a line end at the end.
pub(crate) fn study(study: &StudyAnswer) -> String {
    let StudyAnswer { position: answer, moves, unknown_moves, short_by, sacrifice, line, end, line_failure } = study;
    let PositionAnswer { fen, verdict, notes, .. } = answer;
    let mut text: String = notes.iter().map(|note| format!("Note: {note}.\n")).collect();
    let term = match verdict.category {
        Category::Draw => String::new(),
        category => format!(" ({category})"),
    };
    // Writing to a string never fails.
    let _ = writeln!(text, "{}, {} to move: {}{term}", verdict.material, verdict.side, sentences::result(verdict));
    let reason = sentences::reason(answer, *short_by);
    if !reason.is_empty() {
        push_paragraph(&mut text, "", &reason);
    }
    let _ = write!(text, "\n{fen}\n\n{}", diagram(fen.position.board()));
    push_moves(&mut text, answer, moves, moves.len() + unknown_moves.len());
    push_unknown_moves(&mut text, unknown_moves, moves.len() + unknown_moves.len());
    if let Some(sacrifice) = sacrifice {
        push_sacrifice(&mut text, fen, sacrifice);
    }
    let shown = sacrifice.iter().any(|sacrifice| begins_with(&sacrifice.line, line));
    if !line.is_empty() && !shown {
        let _ = writeln!(text, "\nBest line");
        push_paragraph(&mut text, "  ", &numbered_line(fen, line, *end));
    }
    // Unknown moves of the position itself are listed with their tables.
    if let Some(failure) = line_failure.as_ref().filter(|_| unknown_moves.is_empty()) {
        let _ = writeln!(text, "  A move after this line is unknown: {failure}");
    }
    text.truncate(text.trim_end().len());
    text
}

/// Whether a line has all moves of another one, perhaps followed by more.
fn begins_with(line: &[LineMoveAnswer], other: &[LineMoveAnswer]) -> bool {
    line.len() >= other.len() && line.iter().zip(other).all(|(a, b)| a.made.san == b.made.san)
}

/// The moves that have verdicts, of `all` legal ones, grouped by category, with their figures in columns.
fn push_moves(text: &mut String, answer: &PositionAnswer, moves: &[LineMoveAnswer], all: usize) {
    let position = &answer.fen.position;
    let rows: Vec<(&str, Option<MoveFigures>)> = moves
        .iter()
        .map(|LineMoveAnswer { made, .. }| (made.san.as_str(), MoveFigures::of(&made.ranked, position)))
        .collect();
    let width = rows.iter().map(|(san, _)| san.len()).max().unwrap_or(0);
    let figures = || rows.iter().filter_map(|(_, figures)| figures.as_ref());
    let has_left = figures().any(|figures| !figures.left.is_empty());
    let row = |san: &str, needed: &str, left: &str, uncounted: &str, remark: &str| {
        let left = if has_left { format!("{left:>6}") } else { String::new() };
        let uncounted = if is_under_pieces_honour(position) { String::new() } else { format!("{uncounted:>11}") };
        format!("  {san:width$}{needed:>8}{left}{uncounted}  {remark}").trim_end().to_owned() + "\n"
    };
    if let Some(columns) = sentences::columns(answer, has_left).filter(|_| figures().next().is_some()) {
        text.push('\n');
        text.push_str(&columns);
        text.push_str(&row("", "needed", "left", "uncounted", ""));
    } else if !rows.is_empty() {
        text.push('\n');
    }
    let mut at = 0;
    for group in moves.chunk_by(|a, b| a.made.ranked.category == b.made.ranked.category) {
        let heading = sentences::group(group[0].made.ranked.category, group.len(), all);
        let rows = &rows[at..at + group.len()];
        at += group.len();
        if rows.iter().all(|(_, figures)| figures.is_none()) {
            let sans: Vec<&str> = rows.iter().map(|(san, _)| *san).collect();
            push_paragraph(text, "", &format!("{heading}: {}", sans.join(", ")));
            continue;
        }
        let _ = writeln!(text, "{heading}");
        for (san, figures) in rows {
            text.push_str(&match figures {
                Some(MoveFigures { needed, left, uncounted, remark }) => row(san, needed, left, uncounted, remark),
                None => row(san, "", "", "", ""),
            });
        }
    }
}

/// The moves without a verdict, of `all` legal ones, each failure with its moves.
fn push_unknown_moves(text: &mut String, moves: &[UnknownMoveAnswer], all: usize) {
    let mut failures: Vec<&str> = moves.iter().map(|mv| mv.error.as_str()).collect();
    failures.sort_unstable();
    failures.dedup();
    for failure in failures {
        let sans: Vec<&str> = moves.iter().filter(|mv| mv.error == failure).map(|mv| mv.mv.san.as_str()).collect();
        let are = if sans.len() == 1 { "is" } else { "are" };
        let heading = format!("{} of {} {are} unknown: {}", sans.len(), counted(all as u32, "move"), sans.join(", "));
        push_paragraph(text, "", &heading);
        // The command in it can be copied.
        let _ = writeln!(text, "  {failure}");
    }
}

/// The reason why a sacrifice saves the draw: the count after its acceptance, and the mate that comes too late.
fn push_sacrifice(text: &mut String, root: &Fen, study: &SacrificeStudy) {
    let SacrificeStudy { sacrifice, others, line, end } = study;
    let [offer, acceptance, ..] = &line[..] else { return };
    let [LineMove { san, after: offered, .. }, LineMove { ranked: accepted, san: acceptance, after: taken }] =
        [&offer.made, &acceptance.made];
    let attacker = !root.position.turn();
    let man = offered.position.captured(accepted.mv).map_or("man", |man| man.role.name());
    let verb = if sacrifice.offered { "gives up" } else { "leaves" };
    let others = match others {
        0 => String::new(),
        n => format!(" ({n} more like it)"),
    };
    let _ = writeln!(text, "\nWhy {san} draws{others}");
    let needed = sentences::moves(sacrifice.needed);
    let men = taken.position.board().occupied().len();
    let limit = taken.count.map_or(0, |count| count.limit() / 2);
    let reason = match sacrifice.left {
        Some(left) if accepted.begins_count && left + men == limit => format!(
            "After {acceptance} the limit is {limit} moves, less the {men} men on the board: {limit}\u{a0}-\u{a0}{men}\u{a0}=\u{a0}{left}. \
             {attacker} needs {needed} to mate."
        ),
        Some(left) if is_under_pieces_honour(&taken.position) => {
            format!("After {acceptance} {attacker} needs {needed} to mate, and the count leaves {left}.")
        }
        _ => format!(
            "After {acceptance} {attacker} mates in {} without a count, but cannot win in time.",
            sacrifice.needed
        ),
    };
    push_paragraph(text, "  ", &format!("It {verb} the {man}. {reason}"));
    push_paragraph(text, "  ", &numbered_line(root, line, *end));
}

/// A line in numbered moves, with remarks in brackets where a count begins. After the end of the count the moves are
/// marked as too late.
fn numbered_line(root: &Fen, line: &[LineMoveAnswer], end: LineEnd) -> String {
    let mut text = String::new();
    let (mut turn, mut number) = (root.position.turn(), root.fullmove);
    let mut expired = root.count.is_some_and(Count::is_expired);
    let mut bracket = "";
    for (at, mv) in line.iter().enumerate() {
        let (LineMove { ranked, san, .. }, count) = (&mv.made, mv.count());
        match turn {
            Color::White => text.push_str(&format!("{number}. ")),
            Color::Black if at == 0 || text.ends_with(": ") => text.push_str(&format!("{number}... ")),
            Color::Black => {}
        }
        text.push_str(san);
        text.push(' ');
        let mate = san.ends_with('#');
        if !mate && !expired && count.given.is_some_and(Count::is_expired) {
            expired = true;
            bracket = ")";
            text.push_str("(the count is full: a draw");
            if at + 1 < line.len() {
                text.push_str("; too late: ");
            }
        } else if !mate && ranked.begins_count {
            let left = count.attacker_moves_left.map(sentences::moves);
            text.push_str(&left.map(|left| format!("(a count begins: {left} left) ")).unwrap_or_default());
        }
        number += u32::from(turn == Color::Black);
        turn = !turn;
    }
    match end {
        LineEnd::Checkmate | LineEnd::CountExpired => {}
        LineEnd::Draw => text.push_str("(a draw)"),
        LineEnd::Truncated => text.push_str("..."),
    }
    text.truncate(text.trim_end().len());
    text + bracket
}

/// Appends a paragraph, wrapped and indented; its last line is ended. A no-break space becomes a space.
fn push_paragraph(text: &mut String, indent: &str, paragraph: &str) {
    let mut line = indent.to_owned();
    for word in paragraph.split(' ') {
        if line.len() > indent.len() && line.len() + 1 + word.len() > WIDTH {
            text.push_str(&line);
            text.push('\n');
            line.truncate(indent.len());
        }
        if line.len() > indent.len() {
            line.push(' ');
        }
        line.push_str(&word.replace('\u{a0}', " "));
    }
    text.push_str(&line);
    text.push('\n');
}
