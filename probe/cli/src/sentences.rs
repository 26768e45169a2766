//! Verdicts in sentences for players.
//!
//! "Mate in N" is used only under pieces' honour or without the count. Another position "decides in N": by mate, or by
//! the conversion, which takes the last piece, or ends the last pawn, with enough of the count left.

use makruk_probe::judge::{moves_in, plies};
use makruk_probe::{Category, CountRule, RankedMove, Verdict, is_under_pieces_honour};
use makruk_tables::rules::Position;
use makruk_tables::value::Value;

/// `1 move`, `2 moves`.
pub(crate) fn moves(n: u32) -> String {
    counted(n, "move")
}

/// `1 ply`, `2 plies`.
fn in_plies(n: u32) -> String {
    if n == 1 { "1 ply".to_owned() } else { format!("{n} plies") }
}

/// `1 game`, `2 games`: a number of things whose plural ends in s.
pub(crate) fn counted(n: u32, noun: &str) -> String {
    format!("{n} {noun}{}", if n == 1 { "" } else { "s" })
}

/// The winner's moves to the end that a value counts to.
fn moves_of(value: Value) -> Option<u32> {
    plies(value).map(moves_in)
}

/// The verdict in a sentence or two; `lacking` is the number of moves that the winner is short, if known.
pub(crate) fn verdict(verdict: &Verdict, position: &Position, lacking: Option<u32>) -> String {
    let side = verdict.side;
    if verdict.checkmate {
        return format!("{side} is mated: {} has won.", !side);
    }
    if verdict.stalemate {
        return format!("{side} is stalemated: a draw.");
    }
    let (Some(winner), Some(to_mate)) = (verdict.winner(), moves_of(verdict.dtm)) else {
        return "A draw: neither side can force mate.".to_owned();
    };
    let loser = !winner;
    let bare = is_under_pieces_honour(position);
    let has_pawns = position.board().has_pawns();
    let decide = match has_pawns {
        true => "by mate, or by a move that ends the last pawn and wins in time".to_owned(),
        false => format!("by mate, or by taking {loser}'s last piece in time"),
    };
    let left = verdict.count.attacker_moves_left;
    let leaves = match left {
        Some(left) => format!("the count leaves {}", moves(left)),
        None => "no count runs".to_owned(),
    };
    let without = format!("Without the count: mate in {}.", moves(to_mate));
    let short = lacking.map(|short| format!(", {short} too few")).unwrap_or_default();
    match (verdict.category, moves_of(verdict.dtz)) {
        (Category::Win | Category::Loss, _) if bare => {
            format!("{winner} wins: mate in {}, and {leaves}.", moves(to_mate))
        }
        (Category::Win | Category::Loss, Some(to_conversion)) => {
            format!("{winner} wins: it decides in {} ({decide}), and {leaves}. {without}", moves(to_conversion))
        }
        _ if verdict.is_drawn_by_count() => format!("A draw: the count has run out. {without}"),
        _ if bare => {
            format!("A draw by the count: {winner} needs {} to mate, and {leaves}{short}.", moves(to_mate))
        }
        (_, Some(to_conversion)) => format!(
            "A draw by the count: {winner} needs {} to decide ({decide}), and {leaves}{short}. {without}",
            moves(to_conversion)
        ),
        (_, None) => {
            let neither = match has_pawns {
                true => {
                    "mate while a pawn is on the board nor a move that ends the last pawn and wins in time".to_owned()
                }
                false => {
                    format!("mate with {loser} still armed nor to take {loser}'s last piece with enough moves left")
                }
            };
            let short = lacking.map(|short| format!(" (on the best line {} too few)", moves(short)));
            let short = short.unwrap_or_default();
            format!("A draw by the count: {winner} can force neither {neither}{short}. {without}")
        }
    }
}

/// The count in a sentence.
pub(crate) fn count(verdict: &Verdict) -> String {
    if verdict.material.has_pawns() {
        return "No count runs while a pawn is on the board.".to_owned();
    }
    let counting = &verdict.count;
    let whose = match (verdict.winner(), counting.attacker_moves_left) {
        (Some(winner), Some(left)) => Some((winner, moves(left))),
        _ => None,
    };
    let name = match counting.rule {
        CountRule::None => {
            return match whose {
                Some((winner, left)) => format!(
                    "No count is running. Judged as if it began with {}'s next move: {winner} then has {left}.",
                    !winner
                ),
                None => "No count is running.".to_owned(),
            };
        }
        CountRule::Board => "Board's honour",
        CountRule::Pieces => "Pieces' honour",
    };
    let (limit, ply) = counting.given.map_or((0, 0), |count| (count.limit(), count.ply()));
    let left = whose.map(|(winner, left)| format!("; {winner} has {left} left")).unwrap_or_default();
    format!("{name} is running: {} of {limit} are counted{left}.", in_plies(ply))
}

/// The heading of the moves of a category.
pub(crate) const fn group(category: Category) -> &'static str {
    match category {
        Category::Win => "Win",
        Category::CursedWin => "Win without the count, drawn by it",
        Category::Draw => "Draw",
        Category::BlessedLoss => "Lose without the count, drawn by it",
        Category::Loss => "Lose",
    }
}

/// The value of a move in a few words; `before` is the position that it is made in.
pub(crate) fn move_value(mv: &RankedMove, before: &Position) -> String {
    let after = &before.play(mv.mv);
    let Some(to_mate) = plies(mv.dtm) else {
        return if after.is_stalemate() { "stalemate".to_owned() } else { String::new() };
    };
    if to_mate == 1 {
        return "mate".to_owned();
    }
    let mate = if mv.distances().mover_wins() == Some(true) { "mate" } else { "mated" };
    // The winner's moves that are needed after this move, to compare with those that the count leaves.
    let still = moves_in(to_mate - 1);
    let left = mv.attacker_moves_left().map(|left| format!(", {left} left")).unwrap_or_default();
    if mv.begins_count && before.board().has_pawns() {
        return last_pawn_end(mv, after, still);
    }
    if mv.begins_count {
        return format!("takes the last piece: {} to mate{left}", moves(still));
    }
    if is_under_pieces_honour(after) {
        return match mv.category {
            Category::Win | Category::Loss => format!("{mate} in {}", moves_in(to_mate)),
            _ => format!("{} to mate{left}", moves(still)),
        };
    }
    let without = format!("{mate} in {} without the count", moves_in(to_mate));
    match plies(mv.dtz) {
        Some(to_conversion) => format!("decides in {}; {without}", moves_in(to_conversion)),
        None => without,
    }
}

/// The value of a move that ends the last pawn: the count that begins, and the moves that the winner then needs;
/// `to_mate` are those to mate.
fn last_pawn_end(mv: &RankedMove, after: &Position, to_mate: u32) -> String {
    let end = if mv.mv.promotion { "promotes the last pawn" } else { "takes the last pawn" };
    let left = mv.attacker_moves_left().unwrap_or_default();
    let needed = match plies(mv.onward).map(|plies| moves_in(plies.saturating_sub(1))) {
        _ if is_under_pieces_honour(after) => format!("{} to mate", moves(to_mate)),
        Some(to_conversion) => format!("{} to decide", moves(to_conversion)),
        None => return format!("{end}: a draw by the count that begins; {} to mate without it", moves(to_mate)),
    };
    match mv.category.is_drawn() {
        true => format!("{end}: {needed}, but the count that begins leaves {left}"),
        false => format!("{end}: {needed}, {left} left"),
    }
}
