//! A position's answer for people.

use std::fmt::Write;

use makruk_probe::{Category, Line, LineEnd, LineMove, ProbeError, Prober, RankedMove, Sacrifice};
use makruk_tables::rules::{Color, Fen};

use super::board::diagram;
use super::phrase;

/// Columns of the text.
const WIDTH: usize = 100;

/// Board, verdict, moves and lines; ends without a line end.
pub(super) fn answer(prober: &Prober, fen: &Fen) -> Result<String, ProbeError> {
    let position = &fen.position;
    let verdict = prober.probe(fen)?;
    let moves = prober.moves(fen)?;
    let lacking = prober.short_by(fen)?;
    let mut text = format!("{fen}\n\n{}\n", diagram(position.board()));
    // Writing to a string never fails.
    let _ = writeln!(text, "{}, {} to move: {}", verdict.material, verdict.side, verdict.category);
    push_wrapped(&mut text, "", &phrase::verdict(&verdict, position, lacking));
    push_wrapped(&mut text, "", &phrase::count(&verdict));
    push_moves(&mut text, fen, &moves);
    let sacrifices = if verdict.category == Category::BlessedLoss { prober.sacrifices(fen)? } else { Vec::new() };
    // A man offered tells more than one left behind.
    if let Some(shown) = sacrifices.iter().find(|sacrifice| sacrifice.offered).or(sacrifices.first()) {
        push_sacrifice(&mut text, prober, fen, shown, sacrifices.len())?;
    }
    let line = prober.line(fen)?;
    if !line.moves.is_empty() {
        let _ =
            writeln!(text, "\nBest line{}", if verdict.category.is_drawn() { ", to the end of the count" } else { "" });
        push_wrapped(&mut text, "  ", &line_text(fen, &line));
    }
    text.truncate(text.trim_end().len());
    Ok(text)
}

/// The moves, grouped by where they lead.
fn push_moves(text: &mut String, fen: &Fen, moves: &[RankedMove]) {
    let sans: Vec<String> = moves.iter().map(|mv| mv.san(&fen.position)).collect();
    let width = sans.iter().map(String::len).max().unwrap_or(0);
    let mut group = None;
    for (mv, san) in moves.iter().zip(&sans) {
        if group.replace(mv.category) != Some(mv.category) {
            let _ = writeln!(text, "\n{}", phrase::group(mv.category));
        }
        let worth = phrase::worth(mv, &fen.position.play(mv.mv));
        let _ = writeln!(text, "{}", format!("  {san:width$}  {worth}").trim_end());
    }
}

/// Why giving up a man saves the draw: the way to mate after it is taken, and where the count ends it.
fn push_sacrifice(
    text: &mut String,
    prober: &Prober,
    fen: &Fen,
    shown: &Sacrifice,
    how_many: usize,
) -> Result<(), ProbeError> {
    let root = prober.resolved(fen);
    let offered = root.play(prober.rules(), shown.mv);
    let taken = offered.play(prober.rules(), shown.capture);
    let (defender, attacker) = (fen.position.turn(), !fen.position.turn());
    let man = offered.position.captured(shown.capture).map_or("man", |man| man.role.name());
    let (mv, capture) = (shown.mv.to_san(&fen.position), shown.capture.to_san(&offered.position));
    let gives = if shown.offered { "gives up" } else { "leaves behind" };
    let others = match how_many {
        0 | 1 => String::new(),
        n => format!(" ({} more like it)", n - 1),
    };
    let _ = writeln!(text, "\nThe saving sacrifice{others}");
    let left = shown.left.map_or_else(|| "no count".to_owned(), phrase::moves);
    push_wrapped(
        text,
        "  ",
        &format!(
            "{mv} {gives} {defender}'s {man}. After {capture} {attacker} needs {} to mate, and the count leaves {left}:",
            phrase::moves(shown.needed)
        ),
    );
    let made = [(&root, shown.mv), (&offered, shown.capture)];
    let mut line = prober.line_without_count(&taken)?;
    let mut opening = Vec::new();
    for (before, mv) in made {
        let Some(&ranked) = prober.moves(before)?.iter().find(|ranked| ranked.mv == mv) else { continue };
        let san = mv.to_san(&before.position);
        opening.push(LineMove { ranked, san, after: before.play(prober.rules(), mv) });
    }
    line.moves.splice(0..0, opening);
    push_wrapped(text, "  ", &line_text(&root, &line));
    Ok(())
}

/// A line in numbered moves; in brackets where a count begins and where it runs out.
fn line_text(root: &Fen, line: &Line) -> String {
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
        } else if !mate && mv.ranked.zeroing {
            let left = mv.ranked.attacker_moves_left().map(phrase::moves);
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

/// Adds a paragraph, broken at spaces.
pub(super) fn push_wrapped(text: &mut String, indent: &str, paragraph: &str) {
    let mut column = 0;
    for word in paragraph.split(' ') {
        if column > 0 && column + 1 + word.len() > WIDTH {
            text.push('\n');
            column = 0;
        }
        if column == 0 {
            text.push_str(indent);
            column = indent.len();
        } else {
            text.push(' ');
            column += 1;
        }
        text.push_str(word);
        column += word.len();
    }
    text.push('\n');
}
