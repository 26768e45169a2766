//! The columns and headings of moves, in players' words; the sentences are the player's.

use makruk_answers::PositionAnswer;
use makruk_player::sentences::conversion;
pub(crate) use makruk_player::sentences::{counted, moves, reason, result};
use makruk_probe::judge::moves_in;
use makruk_probe::{Category, RankedMove, is_under_pieces_honour};
use makruk_rules::Position;

/// The explanation of the columns in which moves are listed, a line for each; `has_left` if the second is among them.
pub(crate) fn columns(PositionAnswer { fen, verdict, .. }: &PositionAnswer, has_left: bool) -> Option<String> {
    let whose = format!("{}'s further moves", verdict.winner()?);
    let has_conversion = !is_under_pieces_honour(&fen.position);
    let conversion = if has_conversion { format!(", or to {} in time", conversion(verdict)) } else { String::new() };
    let mut lines = format!("needed     {whose} to mate{conversion}\n");
    if has_left {
        lines += &format!("left       {whose} under the count\n");
    }
    if has_conversion {
        lines += &format!("uncounted  {whose} to mate if nobody counts\n");
    }
    Some(lines)
}

/// The heading of the moves of a category: `n` of `all` moves.
pub(crate) fn group(category: Category, n: usize, all: usize) -> String {
    let (one, many) = match category {
        Category::Win => ("wins", "win"),
        Category::CursedWin | Category::BlessedLoss => ("draws by the count", "draw by the count"),
        Category::Draw => ("draws", "draw"),
        Category::Loss => ("loses", "lose"),
    };
    match n {
        1 if all == 1 => format!("The only move {one}"),
        1 => format!("1 of {all} moves {one}"),
        _ if n == all => format!("All {n} moves {many}"),
        _ => format!("{n} of {all} moves {many}"),
    }
}

/// The winner's moves after a move, in figures, and a remark.
pub(crate) struct MoveFigures {
    /// Needed to mate or to the conversion; `never` if the winner cannot force either in time.
    pub(crate) needed: String,
    /// Left by the count; empty if none runs.
    pub(crate) left: String,
    /// Needed to mate without a count.
    pub(crate) uncounted: String,
    /// A remark on the move; empty if there is none.
    pub(crate) remark: &'static str,
}

impl MoveFigures {
    /// The figures of a move; `before` is the position that it is made in. `None` if the move draws without a count.
    pub(crate) fn of(ranked: &RankedMove, before: &Position) -> Option<MoveFigures> {
        let after = ranked.after();
        let to_mate = moves_in(after.dtm.plies()?);
        let remark = match (ranked.begins_count, before.board().has_pawns()) {
            _ if to_mate == 0 && ranked.category.is_drawn() => "mate, but too late: a draw",
            _ if to_mate == 0 => "mate",
            (false, _) => "",
            (true, false) => "takes the last piece, a count begins",
            (true, true) if ranked.mv.promotion => "promotes the last pawn, a count begins",
            (true, true) => "takes the last pawn, a count begins",
        };
        Some(MoveFigures {
            needed: after.dtz.plies().map_or_else(|| "never".to_owned(), |plies| moves_in(plies).to_string()),
            left: ranked.attacker_moves_left().map(|left| left.to_string()).unwrap_or_default(),
            uncounted: to_mate.to_string(),
            remark,
        })
    }
}
