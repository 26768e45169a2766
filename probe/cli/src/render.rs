//! The analysis of a position as text for people.

use std::fmt::Write;

use makruk_probe::{Line, LineEnd, RankedMove};
use makruk_tables::rules::{Color, Fen};

use super::analysis::{PositionAnalysis, SacrificeLine};
use super::diagram::diagram;
use super::sentences;

/// Columns of the text.
const WIDTH: usize = 100;

/// Board, verdict, moves and lines; without a line end at the end.
pub(crate) fn analysis(analysis: &PositionAnalysis) -> String {
    let PositionAnalysis { fen, verdict, .. } = analysis;
    let mut text = format!("{fen}\n\n{}\n", diagram(fen.position.board()));
    // Writing to a string never fails.
    let _ = writeln!(text, "{}, {} to move: {}", verdict.material, verdict.side, verdict.category);
    push_paragraph(&mut text, "", &sentences::verdict(verdict, &fen.position, analysis.short_by));
    push_paragraph(&mut text, "", &sentences::count(verdict));
    push_moves(&mut text, fen, &analysis.moves);
    if let Some(sacrifice) = &analysis.sacrifice {
        push_sacrifice(&mut text, &analysis.root, sacrifice);
    }
    if !analysis.line.moves.is_empty() {
        let to_end = if verdict.category.is_drawn() { ", to the end of the count" } else { "" };
        let _ = writeln!(text, "\nBest line{to_end}");
        push_paragraph(&mut text, "  ", &numbered_line(fen, &analysis.line));
    }
    text.truncate(text.trim_end().len());
    text
}

/// The moves, grouped by category.
fn push_moves(text: &mut String, fen: &Fen, moves: &[RankedMove]) {
    let sans: Vec<String> = moves.iter().map(|mv| mv.san(&fen.position)).collect();
    let width = sans.iter().map(String::len).max().unwrap_or(0);
    let mut group = None;
    for (mv, san) in moves.iter().zip(&sans) {
        if group.replace(mv.category) != Some(mv.category) {
            let _ = writeln!(text, "\n{}", sentences::group(mv.category));
        }
        let value = sentences::move_value(mv, &fen.position);
        let _ = writeln!(text, "{}", format!("  {san:width$}  {value}").trim_end());
    }
}

/// The reason why a sacrifice saves the draw: the mate after its acceptance, and the point at which the count ends it.
fn push_sacrifice(text: &mut String, root: &Fen, SacrificeLine { sacrifice, others, line }: &SacrificeLine) {
    let [offer, acceptance, ..] = &line.moves[..] else { return };
    let defender = root.position.turn();
    let man = offer.after.position.captured(sacrifice.capture).map_or("man", |man| man.role.name());
    let verb = if sacrifice.offered { "gives up" } else { "leaves behind" };
    let others = match others {
        0 => String::new(),
        n => format!(" ({n} more like it)"),
    };
    let left = sacrifice.left.map_or_else(|| "no count".to_owned(), sentences::moves);
    let _ = writeln!(text, "\nThe saving sacrifice{others}");
    let reason = format!(
        "{} {verb} {defender}'s {man}. After {} {} needs {} to mate, and the count leaves {left}:",
        offer.san,
        acceptance.san,
        !defender,
        sentences::moves(sacrifice.needed)
    );
    push_paragraph(text, "  ", &reason);
    push_paragraph(text, "  ", &numbered_line(root, line));
}

/// A line in numbered moves, with remarks in brackets where a count begins and where it ends.
fn numbered_line(root: &Fen, line: &Line) -> String {
    let mut text = String::new();
    let (mut turn, mut number) = (root.position.turn(), root.fullmove);
    let mut expired = root.count.is_some_and(|count| count.is_expired());
    for (at, mv) in line.moves.iter().enumerate() {
        match (turn, at) {
            (Color::White, _) => text.push_str(&format!("{number}. ")),
            (Color::Black, 0) => text.push_str(&format!("{number}... ")),
            (Color::Black, _) => {}
        }
        text.push_str(&mv.san);
        text.push(' ');
        let mate = mv.after.position.is_checkmate();
        if !mate && !expired && mv.after.count.is_some_and(|count| count.is_expired()) {
            expired = true;
            text.push_str("[the count has run out: a draw] ");
        } else if !mate && mv.ranked.begins_count {
            let left = mv.ranked.attacker_moves_left().map(sentences::moves);
            text.push_str(&left.map(|left| format!("[a count begins: {left} left] ")).unwrap_or_default());
        }
        number += u32::from(turn == Color::Black);
        turn = !turn;
    }
    match line.end {
        LineEnd::Checkmate | LineEnd::CountExpired => {}
        LineEnd::Draw => text.push_str("[a draw]"),
        LineEnd::Truncated => text.push_str("..."),
    }
    text.trim_end().to_owned()
}

/// Appends a paragraph, wrapped and indented; its last line is ended.
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
        line.push_str(word);
    }
    text.push_str(&line);
    text.push('\n');
}
