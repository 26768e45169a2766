//! Conversion of answers to messages.

use makruk_answers::{
    BatchItem, Field, FieldValue, LineMoveAnswer, MoveAnswer, PlayAnswer, PositionAnswer, ProbedAnswer,
    UnknownMoveAnswer,
};
use makruk_probe::{Category, CountRule, Counting, LineEnd, LineMove, SacrificeKind};
use makruk_proto::v1;
use makruk_research::{ListedTable, SideSummary, TableStatistics, TableSummary};
use makruk_rules::{Color, Count};
use makruk_tables::value::Metric;
use tonic::Status;

use crate::status::{Failure, code, error_reason, metadata};

/// The status of a failure, which is logged.
pub(crate) fn fail(request: &str) -> impl Fn(Failure) -> Status + '_ {
    move |failure| {
        failure.log(request);
        failure.into()
    }
}

/// The answer to a position; its moves are empty unless they were requested.
pub(crate) fn probed(ProbedAnswer { position: answer, moves, unknown_moves }: ProbedAnswer) -> v1::ProbeResponse {
    let moves = moves.unwrap_or_default().into_iter().map(ranked_move).collect();
    let unknown_moves = unknown_moves.into_iter().map(unknown_move).collect();
    v1::ProbeResponse { moves, unknown_moves, ..position(answer) }
}

/// A position without its moves.
pub(crate) fn position(answer: PositionAnswer) -> v1::ProbeResponse {
    let PositionAnswer { fen, verdict, can_mate, notes } = answer;
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
        moves: Vec::new(),
        notes,
        unknown_moves: Vec::new(),
        white_can_mate: can_mate.white,
        black_can_mate: can_mate.black,
    }
}

/// The answer to one of many positions.
pub(crate) fn result(item: BatchItem) -> v1::ProbeResult {
    let result = match item {
        BatchItem::Judged(answer) => v1::probe_result::Result::Position(probed(*answer)),
        BatchItem::Refused(refusal) => v1::probe_result::Result::Error(v1::ProbeError {
            code: code(&refusal).into(),
            reason: error_reason(refusal.reason).into(),
            metadata: metadata(&refusal).0,
            message: refusal.error,
        }),
    };
    v1::ProbeResult { result: Some(result) }
}

/// The move of a perfect player.
pub(crate) fn play(PlayAnswer { position: root, mv }: PlayAnswer) -> v1::PlayResponse {
    let position = Some(position(root));
    match mv {
        None => v1::PlayResponse { position, ..v1::PlayResponse::default() },
        Some(mv) => {
            let v1::LineMove { r#move, fen, count, unclaimed_fen, .. } = line_move(1, mv);
            v1::PlayResponse { position, r#move, count, fen: Some(fen), unclaimed_fen }
        }
    }
}

fn count(counting: &Counting) -> v1::Count {
    v1::Count {
        rule: count_rule(counting.rule).into(),
        limit_plies: counting.given.map(Count::limit),
        elapsed_plies: counting.given.map(Count::ply),
        attacker_moves_left: counting.attacker_moves_left,
    }
}

fn ranked_move(answer: MoveAnswer) -> v1::RankedMove {
    v1::RankedMove {
        uci: answer.mv.to_string(),
        san: answer.san,
        category: category(answer.category).into(),
        dtm_plies: answer.dtm.signed_plies(),
        dtz_plies: answer.dtz.signed_plies(),
        capture: answer.capture,
        bares_king: answer.bares_king,
        promotion: answer.promotion,
        begins_count: answer.begins_count,
    }
}

fn unknown_move(UnknownMoveAnswer { mv, table, error, reason, command }: UnknownMoveAnswer) -> v1::UnknownMove {
    let reason = error_reason(reason).into();
    v1::UnknownMove { uci: mv.mv.to_string(), san: mv.san, capture: mv.capture, table, error, reason, command }
}

/// A move of a line.
pub(crate) fn line_move(ply: u32, answer: LineMoveAnswer) -> v1::LineMove {
    let count = Some(count(&answer.count()));
    let LineMoveAnswer { made: LineMove { ranked, san, after }, unclaimed } = answer;
    let unclaimed_fen = unclaimed.map(|fen| fen.to_string());
    v1::LineMove {
        ply,
        r#move: Some(ranked_move(MoveAnswer::with_san(&ranked, san))),
        fen: after.to_string(),
        count,
        unclaimed_fen,
    }
}

/// The name of an enum's value in a request, as queries of HTTP have it; `None` if it is unspecified. A number that is
/// no value stands for itself, and is refused as names are.
pub(crate) fn name<E, T>(number: i32, name: fn(&E) -> &'static str, prefix: &str) -> Option<Field<T>>
where
    E: TryFrom<i32>,
    T: FieldValue,
{
    let Ok(value) = E::try_from(number) else { return Some(number.to_string().as_str().into()) };
    let name = name(&value).trim_start_matches(prefix).to_ascii_lowercase();
    (name != "unspecified").then(|| name.as_str().into())
}

/// A table of the list.
pub(crate) fn table(table: &ListedTable) -> v1::Table {
    v1::Table {
        material: table.material.to_string(),
        metric: metric(table.metric).into(),
        men: table.men as u32,
        bytes: table.bytes,
    }
}

/// The statistics of a material's tables.
pub(crate) fn statistics(statistics: &TableStatistics) -> v1::TableStatisticsResponse {
    v1::TableStatisticsResponse {
        material: statistics.material.to_string(),
        men: statistics.men as u32,
        dtm: statistics.dtm.as_ref().map(summary),
        dtz: statistics.dtz.as_ref().map(summary),
    }
}

fn summary(summary: &TableSummary) -> v1::TableSummary {
    let side = |side: &SideSummary| v1::SideSummary {
        won: side.win,
        drawn: side.draw,
        lost: side.loss,
        max_win_plies: side.max_win_plies.map(u32::from),
        max_loss_plies: side.max_loss_plies.map(u32::from),
        won_within_count: side.win_within_count,
        lost_within_count: side.loss_within_count,
        histogram: side.histogram.iter().map(|&(plies, positions)| v1::DistanceCount { plies, positions }).collect(),
        longest_win_fens: side.longest_win_fens.clone().unwrap_or_default(),
        max_win_within_count_plies: side.max_win_within_count_plies.map(u32::from),
        ..v1::SideSummary::default()
    };
    v1::TableSummary { bytes: summary.bytes, white: Some(side(&summary.white)), black: Some(side(&summary.black)) }
}

const fn metric(metric: Metric) -> v1::Metric {
    match metric {
        Metric::Dtm => v1::Metric::Dtm,
        Metric::Dtz => v1::Metric::Dtz,
        // The tables that are listed are those of distances.
        Metric::Category => v1::Metric::Unspecified,
    }
}

/// Functions from values to those of the protocol that have the same names.
macro_rules! same {
    ($($function:ident: $from:ty => $to:ty { $($value:ident),* })*) => {$(
        pub(crate) const fn $function(value: $from) -> $to {
            match value { $(<$from>::$value => <$to>::$value),* }
        }
    )*};
}

same! {
    side: Color => v1::Side { White, Black }
    category: Category => v1::Category { Win, CursedWin, Draw, BlessedLoss, Loss }
    count_rule: CountRule => v1::CountRule { None, Board, Pieces }
    line_end: LineEnd => v1::LineEnd { Checkmate, CountExpired, Draw, Truncated }
    sacrifice_kind: SacrificeKind => v1::SacrificeKind { Offer, Exchange, LostAnyway }
}
