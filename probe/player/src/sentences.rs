//! Verdicts in sentences for players: counts and distances in moves.
//!
//! "Mate in N" is used only under pieces' honour or without the count. Otherwise a side needs N moves: to mate, or to
//! the conversion, which takes the last piece, or ends the last pawn, with enough of the count left.

use makruk_answers::PositionAnswer;
use makruk_probe::{Category, Verdict, is_under_pieces_honour};
use makruk_rules::{ByColor, Color};

/// `1 move`, `2 moves`.
pub fn moves(n: u32) -> String {
    counted(n, "move")
}

/// `1 game`, `2 games`: a number of things whose plural ends in s.
pub fn counted(n: u32, noun: &str) -> String {
    format!("{n} {noun}{}", if n == 1 { "" } else { "s" })
}

/// The result in a few words.
pub fn result(verdict: &Verdict) -> String {
    let side = verdict.side;
    match (verdict.winner(), verdict.category) {
        _ if verdict.stalemate => format!("a draw, {side} is stalemated"),
        (_, Category::Loss) if verdict.checkmate => format!("{side} is mated, {} has won", !side),
        _ if verdict.checkmate => format!("a draw, the count had run out before {side} was mated"),
        (Some(winner), Category::Win | Category::Loss) => format!("{winner} wins"),
        (Some(_), _) if verdict.is_drawn_by_count() => "a draw, the count has run out".to_owned(),
        (Some(_), _) => "a draw by the count".to_owned(),
        (None, _) => "a draw".to_owned(),
    }
}

/// The reason for the result: the count, the moves that the winner needs, and the mate without a count. `lacking` is
/// the number of moves that the winner is short, if known. Empty if the game is over.
pub fn reason(answer: &PositionAnswer, lacking: Option<u32>) -> String {
    let verdict = &answer.verdict;
    if verdict.checkmate || verdict.stalemate {
        return String::new();
    }
    let (Some(winner), Some(to_mate)) = (verdict.winner(), verdict.dtm.moves()) else {
        return match answer.can_mate {
            ByColor { white: Some(false), black: Some(false) } => "Neither side can mate, even if the other helps.",
            _ => "Neither side can force mate, with a count or without.",
        }
        .to_owned();
    };
    let without = format!("Without a count {winner} mates in {to_mate}.");
    if verdict.is_drawn_by_count() {
        return without;
    }
    let count = count(verdict, winner);
    let conversion = conversion(verdict);
    let too_many = lacking.map(|short| format!(", {short} too many")).unwrap_or_default();
    match verdict.dtz.moves() {
        Some(_) if is_under_pieces_honour(&answer.fen.position) => {
            format!("{count} needs {} to mate{too_many}.", moves(to_mate.into()))
        }
        Some(needed) => {
            format!("{count} needs {} to mate or to {conversion} in time{too_many}. {without}", moves(needed.into()))
        }
        None => {
            let short = lacking.map(|short| format!(" (on the best line {} short)", moves(short))).unwrap_or_default();
            format!("{count} can neither mate nor {conversion} in time{short}. {without}")
        }
    }
}

/// The end of a count, besides mate, that the winner plays for.
pub fn conversion(verdict: &Verdict) -> String {
    match verdict.winner() {
        Some(winner) if !verdict.material.has_pawns() => format!("take {}'s last piece", !winner),
        _ => "promote or take the last pawn".to_owned(),
    }
}

/// The count and the moves that it leaves the winner; what the winner needs or cannot do ends the sentence.
fn count(verdict: &Verdict, winner: Color) -> String {
    let loser = !winner;
    match (verdict.count.attacker_moves_left, verdict.count.given) {
        (None, _) => format!("No count runs while a pawn is on the board. {winner}"),
        (Some(left), None) => format!("If {loser} begins to count now, {winner} has {} and", moves(left)),
        (Some(left), Some(count)) => {
            // An odd ply before the attacker's move is the defender's.
            let counted = if verdict.side == winner { count.ply().div_ceil(2) } else { count.ply() / 2 };
            format!(
                "{loser} has counted {counted} of {} moves; {winner} has {left} left and",
                count.limit().div_ceil(2)
            )
        }
    }
}

/// The verdict in a line: the material, the result and the reason; with the count off, the mate alone.
pub(super) fn remark(answer: &PositionAnswer, use_count: bool) -> String {
    let verdict = &answer.verdict;
    let text = match (use_count, verdict.winner(), verdict.dtm.moves()) {
        (false, Some(winner), Some(to_mate)) => format!("without a count {winner} mates in {to_mate}."),
        _ => format!("{}. {}", result(verdict), reason(answer, None)),
    };
    format!("{}: {}", verdict.material, text.trim_end())
}
