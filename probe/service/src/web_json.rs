//! What the web interface answers besides positions: their fields are named as elsewhere in JSON.

use makruk_tables::format::{Metric, MovesLeft};
use makruk_tables::rules::{Color, Fen};
use serde::Serialize;

use super::catalogue::Listed;
use super::engine::Statistics;
use super::longest::Search;
use super::totals::Totals;
use makruk_probe::json::{MoveJson, PositionJson};
use makruk_probe::{LineMove, RankedMove};

/// One of many positions.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(super) enum BatchItem {
    Position(PositionJson),
    Error(ErrorAnswer),
}

/// Why there is no answer.
#[derive(Debug, Serialize)]
pub(super) struct ErrorAnswer {
    /// The FEN that was asked about, if one was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) fen: Option<String>,
    pub(super) error: String,
    pub(super) reason: String,
}

/// A line.
#[derive(Debug, Serialize)]
pub(super) struct LineJson {
    #[serde(flatten)]
    start: PositionJson,
    line: Vec<LineMoveJson>,
    /// `checkmate`, `count_expired`, `draw` or `truncated`.
    pub(super) end: &'static str,
}

/// A move of a line, and the position after it.
#[derive(Debug, Serialize)]
struct LineMoveJson {
    #[serde(flatten)]
    mv: MoveJson,
    attacker_moves_left: Option<u32>,
    fen: String,
}

impl LineJson {
    pub(super) fn new(start: PositionJson) -> LineJson {
        LineJson { start, line: Vec::new(), end: "" }
    }

    pub(super) fn push(&mut self, mv: &LineMove) {
        let (ranked, san) = (&mv.ranked, mv.san.clone());
        self.line.push(LineMoveJson {
            mv: MoveJson::with_san(ranked, san),
            attacker_moves_left: ranked.attacker_moves_left(),
            fen: mv.after.to_string(),
        });
    }
}

/// A perfect player's move.
#[derive(Debug, Serialize)]
pub(super) struct PlayJson {
    #[serde(flatten)]
    position: PositionJson,
    /// `null` if the game is over.
    #[serde(rename = "move")]
    mv: Option<LineMoveJson>,
}

impl PlayJson {
    pub(super) fn new(position: PositionJson, made: Option<(RankedMove, Fen, Fen)>) -> PlayJson {
        let mv = made.map(|(mv, before, after)| LineMoveJson {
            mv: MoveJson::new(&before.position, &mv),
            attacker_moves_left: mv.attacker_moves_left(),
            fen: after.to_string(),
        });
        PlayJson { position, mv }
    }
}

/// The tables.
#[derive(Debug, Serialize)]
pub(super) struct TablesJson {
    pub(super) tables: Vec<TableJson>,
}

/// A table.
#[derive(Debug, Serialize)]
pub(super) struct TableJson {
    material: String,
    metric: &'static str,
    men: usize,
    bytes: u64,
}

impl TableJson {
    pub(super) fn new(listed: &Listed) -> TableJson {
        TableJson {
            material: listed.material.to_string(),
            metric: listed.metric.name(),
            men: listed.material.men(),
            bytes: listed.bytes,
        }
    }
}

/// A set's tables on the whole, in the words of `makruk-gen info --json`.
#[derive(Debug, Serialize)]
pub(super) struct StatisticsJson {
    material: String,
    men: usize,
    dtm: Option<SummaryJson>,
    dtz: Option<SummaryJson>,
}

#[derive(Debug, Serialize)]
struct SummaryJson {
    bytes: u64,
    white: SideJson,
    black: SideJson,
}

#[derive(Debug, Serialize)]
struct SideJson {
    win: u64,
    draw: u64,
    loss: u64,
    max_win_plies: Option<u16>,
    max_loss_plies: Option<u16>,
    win_within_count: Option<u64>,
    loss_within_count: Option<u64>,
    /// The winner's moves that the count, begun now, leaves if this side wins, and if it loses; of the metric that the count
    /// goes by: DTZ, or DTM with a bare king.
    win_count_moves: Option<u32>,
    loss_count_moves: Option<u32>,
    /// Pairs of signed plies and a number of positions.
    histogram: Vec<(i32, u64)>,
    #[serde(skip_serializing_if = "Option::is_none")]
    longest_win_fens: Option<Vec<String>>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    longest_pending: bool,
}

impl StatisticsJson {
    pub(super) fn new(statistics: &Statistics) -> StatisticsJson {
        let of = |wanted| {
            let found = statistics.metrics.iter().find(|(metric, ..)| *metric == wanted);
            // The count goes by the last of the set's metrics.
            let is_counted = statistics.metrics.last().is_some_and(|(metric, ..)| *metric == wanted);
            let moves_left = is_counted.then_some(statistics.moves_left);
            found.map(|(_, totals, search)| SummaryJson::new(totals, search.as_ref(), moves_left))
        };
        StatisticsJson {
            material: statistics.material.to_string(),
            men: statistics.material.men(),
            dtm: of(Metric::Dtm),
            dtz: of(Metric::Dtz),
        }
    }
}

impl SummaryJson {
    fn new(totals: &Totals, search: Option<&Search>, moves_left: Option<MovesLeft>) -> SummaryJson {
        let side = |color| {
            let side = &totals.sides[color];
            SideJson {
                win: side.won,
                draw: side.drawn,
                loss: side.lost,
                max_win_plies: side.longest_win,
                max_loss_plies: side.longest_loss,
                win_within_count: side.within_count.map(|(won, _)| won),
                loss_within_count: side.within_count.map(|(_, lost)| lost),
                win_count_moves: moves_left.and_then(|left| left.moves(true)),
                loss_count_moves: moves_left.and_then(|left| left.moves(false)),
                histogram: side.histogram.clone(),
                longest_win_fens: match search {
                    Some(Search::Found(found)) => Some(found[color].clone()),
                    _ => None,
                },
                longest_pending: matches!(search, Some(Search::Pending)),
            }
        };
        SummaryJson { bytes: totals.bytes, white: side(Color::White), black: side(Color::Black) }
    }
}
