//! A verdict in a sentence.

use makruk_tables::rules::Fen;

use makruk_probe::judge::{moves_in, plies};
use makruk_probe::{Category, Verdict, is_under_pieces_honour};

/// A verdict in a sentence: the material, the result, and the moves that the count leaves.
pub(super) fn verdict(fen: &Fen, verdict: &Verdict, use_count: bool) -> String {
    let material = verdict.material;
    let moves = |value| plies(value).map_or(0, moves_in);
    if !use_count {
        return match verdict.category {
            Category::Draw => format!("{material}: a draw"),
            Category::Win | Category::CursedWin => {
                format!("{material}: mate in {} without a count", moves(verdict.dtm))
            }
            Category::Loss | Category::BlessedLoss => {
                format!("{material}: mated in {} without a count", moves(verdict.dtm))
            }
        };
    }
    let left = match verdict.count.attacker_moves_left {
        Some(left) if fen.count.is_some() => format!("the count leaves {left}"),
        _ => "no count runs".to_owned(),
    };
    let bare = is_under_pieces_honour(&fen.position);
    let (mate, conversion) = (moves(verdict.dtm), moves(verdict.dtz));
    match (verdict.category, bare) {
        (Category::Win, true) => format!("{material}: won, mate in {mate}, {left}"),
        (Category::Win, false) => format!("{material}: won, decides in {conversion}, {left}"),
        (Category::Loss, true) => format!("{material}: lost, mated in {mate}, {left}"),
        (Category::Loss, false) => format!("{material}: lost, decided in {conversion}, {left}"),
        (Category::CursedWin, _) => format!("{material}: drawn by the count, mate in {mate} without it, {left}"),
        (Category::BlessedLoss, _) => format!("{material}: saved by the count, mated in {mate} without it, {left}"),
        (Category::Draw, _) => format!("{material}: a draw"),
    }
}
