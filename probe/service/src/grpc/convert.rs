//! Conversion of the backend's answers to messages.

use makruk_probe::{Category, CountRule, Counting, LineEnd, LineMove, Policy, RankedMove, Verdict};
use makruk_proto::v1;
use makruk_tables::rules::{Color, Count, Position, Reading};
use makruk_tables::value::Metric;

use crate::backend::{ProbedPosition, TableStatistics};
use crate::status::Failure;
use crate::tables::longest_win_search::LongestWins;
use crate::tables::monitor::ListedTable;
use crate::tables::totals::{SideTotals, TableTotals};

/// The answer to a position; its moves are empty unless they were requested.
pub(crate) fn response(reading: &Reading, verdict: &Verdict, moves: Option<&[RankedMove]>) -> v1::ProbeResponse {
    let (fen, moves) = (&reading.fen, moves.unwrap_or_default());
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
        notes: reading.sentences(),
    }
}

/// The answer to one of many positions.
pub(crate) fn result(_: &str, outcome: Result<ProbedPosition<'_>, Failure>) -> v1::ProbeResult {
    let result = match outcome {
        Ok(ProbedPosition { reading, verdict, moves }) => {
            v1::probe_result::Result::Position(response(reading, verdict, moves))
        }
        Err(failure) => v1::probe_result::Result::Error(failure.into_message()),
    };
    v1::ProbeResult { result: Some(result) }
}

fn count(counting: &Counting) -> v1::Count {
    v1::Count {
        rule: count_rule(counting.rule).into(),
        limit_plies: counting.given.map(Count::limit),
        elapsed_plies: counting.given.map(Count::ply),
        attacker_moves_left: counting.attacker_moves_left,
    }
}

/// The count after a move.
pub(crate) fn count_after(mv: &RankedMove, after: &Position) -> v1::Count {
    let rule = match mv.count {
        None => CountRule::None,
        Some(_) if Color::ALL.into_iter().any(|color| after.board().is_bare(color)) => CountRule::Pieces,
        Some(_) => CountRule::Board,
    };
    v1::Count {
        rule: count_rule(rule).into(),
        limit_plies: mv.count.map(Count::limit),
        elapsed_plies: mv.count.map(Count::ply),
        attacker_moves_left: mv.attacker_moves_left(),
    }
}

/// A move made in `root`.
pub(crate) fn ranked_move(root: &Position, mv: &RankedMove) -> v1::RankedMove {
    ranked(mv, mv.san(root))
}

fn ranked(mv: &RankedMove, san: String) -> v1::RankedMove {
    v1::RankedMove {
        uci: mv.mv.to_string(),
        san,
        category: category(mv.category).into(),
        dtm_plies: mv.dtm.signed_plies(),
        dtz_plies: mv.dtz.signed_plies(),
        capture: mv.capture,
        bares_king: mv.bares_king,
        promotion: mv.mv.promotion,
        begins_count: mv.begins_count,
    }
}

/// A move of a line.
pub(crate) fn line_move(ply: u32, mv: &LineMove) -> v1::LineMove {
    v1::LineMove {
        ply,
        r#move: Some(ranked(&mv.ranked, mv.san.clone())),
        fen: mv.after.to_string(),
        count: Some(count_after(&mv.ranked, &mv.after.position)),
    }
}

/// The end of a line.
pub(crate) const fn line_end(end: LineEnd) -> v1::LineEnd {
    match end {
        LineEnd::Checkmate => v1::LineEnd::Checkmate,
        LineEnd::CountExpired => v1::LineEnd::CountExpired,
        LineEnd::Draw => v1::LineEnd::Draw,
        LineEnd::Truncated => v1::LineEnd::Truncated,
    }
}

/// The policy of an enum value.
pub(crate) fn policy(number: i32) -> Result<Policy, Failure> {
    match v1::Policy::try_from(number) {
        Ok(v1::Policy::Unspecified) => Ok(Policy::default()),
        Ok(v1::Policy::Fastest) => Ok(Policy::Fastest),
        Ok(v1::Policy::Safest) => Ok(Policy::Safest),
        Ok(v1::Policy::Stubborn) => Ok(Policy::Stubborn),
        Ok(v1::Policy::Tricky) => Ok(Policy::Tricky),
        Err(_) => Err(Failure::Policy(number.to_string())),
    }
}

/// A table of the list.
pub(crate) fn table(table: &ListedTable) -> v1::Table {
    v1::Table {
        material: table.material.to_string(),
        metric: metric(table.metric).into(),
        men: table.material.men() as u32,
        bytes: table.bytes,
    }
}

/// The statistics of a material's tables.
pub(crate) fn statistics(statistics: &TableStatistics) -> v1::TableStatisticsResponse {
    let of = |metric| {
        let found = statistics.metrics.iter().find(|(of, ..)| *of == metric);
        found.map(|(_, totals, search)| summary(totals, search.as_ref()))
    };
    v1::TableStatisticsResponse {
        material: statistics.material.to_string(),
        men: statistics.material.men() as u32,
        dtm: of(Metric::Dtm),
        dtz: of(Metric::Dtz),
    }
}

fn summary(totals: &TableTotals, search: Option<&LongestWins>) -> v1::TableSummary {
    let side = |color| Some(side_summary(&totals.sides[color], search, color));
    v1::TableSummary { bytes: totals.bytes, white: side(Color::White), black: side(Color::Black) }
}

fn side_summary(totals: &SideTotals, search: Option<&LongestWins>, color: Color) -> v1::SideSummary {
    v1::SideSummary {
        won: totals.won,
        drawn: totals.drawn,
        lost: totals.lost,
        max_win_plies: totals.longest_win.map(u32::from),
        max_loss_plies: totals.longest_loss.map(u32::from),
        won_within_count: totals.within_count.map(|(won, _)| won),
        lost_within_count: totals.within_count.map(|(_, lost)| lost),
        histogram: totals.histogram.iter().map(|&(plies, positions)| v1::DistanceCount { plies, positions }).collect(),
        longest_win_fens: match search {
            Some(LongestWins::Found(found)) => found[color].clone(),
            Some(LongestWins::Pending { .. } | LongestWins::Failed(_)) | None => Vec::new(),
        },
        longest_pending: search.is_some_and(LongestWins::is_pending),
    }
}

const fn metric(metric: Metric) -> v1::Metric {
    match metric {
        Metric::Dtm => v1::Metric::Dtm,
        Metric::Dtz => v1::Metric::Dtz,
        // The tables that are listed are those of distances.
        Metric::Category => v1::Metric::Unspecified,
    }
}

/// A side.
pub(crate) const fn side(color: Color) -> v1::Side {
    match color {
        Color::White => v1::Side::White,
        Color::Black => v1::Side::Black,
    }
}

pub(crate) const fn category(category: Category) -> v1::Category {
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
