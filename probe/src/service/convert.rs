//! The prober's answers as messages.

use makruk_proto::v1;
use makruk_tables::rules::{Color, Fen, Position};

use crate::{Category, CountRule, Counting, RankedMove, Verdict};

/// A position's answer; without `moves` it lists none.
pub(super) fn response(fen: &Fen, verdict: &Verdict, moves: &[RankedMove]) -> v1::ProbeResponse {
    v1::ProbeResponse {
        fen: fen.to_string(),
        material: verdict.material.to_string(),
        side: side(verdict.side).into(),
        category: category(verdict.category).into(),
        dtm_plies: verdict.dtm.signed_plies(),
        dtz_plies: verdict.dtz.signed_plies(),
        count: Some(count(&verdict.count)),
        checkmate: verdict.checkmate,
        stalemate: verdict.stalemate,
        moves: moves.iter().map(|mv| ranked_move(&fen.position, mv)).collect(),
    }
}

fn count(counting: &Counting) -> v1::Count {
    v1::Count {
        rule: count_rule(counting.rule).into(),
        limit_plies: counting.given.map(|count| count.limit()),
        elapsed_plies: counting.given.map(|count| count.ply()),
        attacker_moves_left: counting.attacker_moves_left,
    }
}

fn ranked_move(root: &Position, mv: &RankedMove) -> v1::RankedMove {
    v1::RankedMove {
        uci: mv.mv.to_string(),
        san: mv.san(root),
        category: category(mv.category).into(),
        dtm_plies: mv.dtm.signed_plies(),
        dtz_plies: mv.dtz.signed_plies(),
        capture: mv.capture,
        zeroing: mv.zeroing,
    }
}

const fn side(color: Color) -> v1::Side {
    match color {
        Color::White => v1::Side::White,
        Color::Black => v1::Side::Black,
    }
}

const fn category(category: Category) -> v1::Category {
    match category {
        Category::Win => v1::Category::Win,
        Category::CursedWin => v1::Category::CursedWin,
        Category::Draw => v1::Category::Draw,
        Category::BlessedLoss => v1::Category::BlessedLoss,
        Category::Loss => v1::Category::Loss,
    }
}

const fn count_rule(rule: CountRule) -> v1::CountRule {
    match rule {
        CountRule::None => v1::CountRule::None,
        CountRule::Board => v1::CountRule::Board,
        CountRule::Pieces => v1::CountRule::Pieces,
    }
}
