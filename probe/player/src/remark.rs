//! What a table's answer means, in a sentence.

use makruk_tables::rules::Fen;

use makruk_probe::judge::{moves_in, plies};
use makruk_probe::{Category, Verdict};

/// A verdict in a sentence: the set, what it is worth, and what the count leaves.
pub(super) fn verdict(fen: &Fen, verdict: &Verdict, use_count: bool) -> String {
    let board = fen.position.board();
    let set = verdict.material;
    let moves = |value| plies(value).map_or(0, moves_in);
    if !use_count {
        return match verdict.category {
            Category::Draw => format!("{set}: a draw"),
            Category::Win | Category::CursedWin => format!("{set}: mate in {} without a count", moves(verdict.dtm)),
            Category::Loss | Category::BlessedLoss => format!("{set}: mated in {} without a count", moves(verdict.dtm)),
        };
    }
    let left = match verdict.count.attacker_moves_left {
        Some(left) if fen.count.is_some() => format!("the count leaves {left}"),
        _ => "no count runs".to_owned(),
    };
    let bare = board.is_bare(!verdict.side) || board.is_bare(verdict.side);
    let (mate, event) = (moves(verdict.dtm), moves(verdict.dtz));
    match (verdict.category, bare) {
        (Category::Win, true) => format!("{set}: won, mate in {mate}, {left}"),
        (Category::Win, false) => format!("{set}: won, decides in {event}, {left}"),
        (Category::Loss, true) => format!("{set}: lost, mated in {mate}, {left}"),
        (Category::Loss, false) => format!("{set}: lost, decided in {event}, {left}"),
        (Category::CursedWin, _) => format!("{set}: drawn by the count, mate in {mate} without it, {left}"),
        (Category::BlessedLoss, _) => format!("{set}: saved by the count, mated in {mate} without it, {left}"),
        (Category::Draw, _) => format!("{set}: a draw"),
    }
}
