//! Saves as games in PGN, whose moves are the solution.

use makruk_probe::judge::{moves_in, plies};
use makruk_probe::{Line, LineEnd, LineMove};
use makruk_tables::rules::{Color, Fen};

use crate::record::SaveRecord;
use crate::solution::Solution;
use crate::text::push_wrapped;

/// The longest line of moves, in columns.
const WIDTH: usize = 80;

/// A save as a game in PGN, with every line ended and a blank line after it. The main line is the solution; variations
/// show the alternative of capturing or declining a sacrifice, and why other moves lose. The FEN tag has the count that
/// begins with the first move.
pub fn pgn(record: &SaveRecord, root: &Fen, solution: Option<&Solution>) -> String {
    let cursor = record.cursor();
    let mut text = String::new();
    let mut tag = |name: &str, value: &str| text.push_str(&format!("[{name} \"{value}\"]\n"));
    tag("Event", &format!("Makruk save {cursor}"));
    for name in ["Site", "White", "Black"] {
        tag(name, "?");
    }
    tag("Date", "????.??.??");
    tag("Round", "-");
    tag("Result", "1/2-1/2");
    tag("Variant", "makruk");
    tag("SetUp", "1");
    tag("FEN", &root.to_string());
    tag("Material", &record.material);
    tag("Cursor", &cursor);
    if let Some(details) = &record.details {
        if let Some(short) = details.short_by {
            tag("ShortBy", &short.to_string());
        }
        tag("SavingMoves", &format!("{} of {}", details.saving_moves.len(), details.legal_moves));
    }
    text.push('\n');
    let mut words = solution.map_or_else(Vec::new, |solution| moves(root, solution));
    words.push("1/2-1/2".to_owned());
    push_wrapped(&mut text, "", WIDTH, words.iter().map(String::as_str));
    text.push('\n');
    text
}

/// The main line with its variations.
fn moves(root: &Fen, solution: &Solution) -> Vec<String> {
    let mut words = Vec::new();
    let Some((first, rest)) = solution.main.moves.split_first() else { return words };
    push_move(&mut words, root, first, true);
    for tried in &solution.tries {
        push_variation(&mut words, root, tried, "loses");
    }
    if solution.losing > solution.tries.len() {
        push_comment(&mut words, &format!("{} more moves lose", solution.losing - solution.tries.len()));
    }
    if let Some((reply, rest)) = rest.split_first() {
        push_move(&mut words, &first.after, reply, true);
        if let (Some(other), Some(sacrifice)) = (&solution.alternative, &solution.sacrifice) {
            let takes = reply.ranked.mv.to == sacrifice.capture.to;
            push_variation(&mut words, &first.after, other, if takes { "refused" } else { "taken" });
        }
        push_line(&mut words, &reply.after, rest, true);
    }
    push_end(&mut words, &solution.main);
    words
}

fn push_variation(words: &mut Vec<String>, before: &Fen, line: &Line, comment: &str) {
    let Some((first, rest)) = line.moves.split_first() else { return };
    let at = words.len();
    push_move(words, before, first, true);
    push_comment(words, comment);
    push_line(words, &first.after, rest, true);
    push_end(words, line);
    words[at].insert(0, '(');
    if let Some(last) = words.last_mut() {
        last.push(')');
    }
}

/// The moves of a line. A first move of Black's gets a number only if `numbered`.
fn push_line(words: &mut Vec<String>, before: &Fen, moves: &[LineMove], numbered: bool) {
    let (mut before, mut numbered) = (before, numbered);
    for mv in moves {
        numbered = push_move(words, before, mv, numbered);
        before = &mv.after;
    }
}

/// A move, and a comment if a count begins by it. Returns whether the next move of Black's needs a number.
fn push_move(words: &mut Vec<String>, before: &Fen, mv: &LineMove, numbered: bool) -> bool {
    match before.position.turn() {
        Color::White => words.push(format!("{}.", before.fullmove)),
        Color::Black if numbered => words.push(format!("{}...", before.fullmove)),
        Color::Black => {}
    }
    words.push(mv.san.clone());
    let begins = mv.ranked.begins_count.then(|| mv.ranked.attacker_moves_left()).flatten();
    if let Some(left) = begins {
        let needed = needed(mv).map(|needed| format!(", {needed} needed")).unwrap_or_default();
        push_comment(words, &format!("a count begins: {left} left{needed}"));
    }
    begins.is_some()
}

/// The winner's moves to the conversion after this move, against a bare king to mate; `None` if there is no conversion.
fn needed(mv: &LineMove) -> Option<u32> {
    plies(mv.ranked.onward).map(|plies| moves_in(plies.saturating_sub(1)))
}

fn push_end(words: &mut Vec<String>, line: &Line) {
    push_comment(
        words,
        match line.end {
            LineEnd::Checkmate => return,
            LineEnd::CountExpired => "the count has run out: a draw",
            LineEnd::Draw => "a draw",
            LineEnd::Truncated => "and so on",
        },
    );
}

fn push_comment(words: &mut Vec<String>, comment: &str) {
    let from = words.len();
    words.extend(comment.split(' ').map(str::to_owned));
    words[from].insert(0, '{');
    if let Some(last) = words.last_mut() {
        last.push('}');
    }
}
