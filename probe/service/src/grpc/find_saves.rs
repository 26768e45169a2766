//! `FindSaves` and `SaveStatistics`: the search for count saves as a stream.

use std::collections::VecDeque;
use std::sync::Arc;

use futures_util::{Stream, stream};
use makruk_answers::Refusal;
use makruk_probe::SacrificeKind;
use makruk_proto::v1::find_saves_response::Part;
use makruk_proto::v1::{self, FindSavesRequest, FindSavesResponse};
use makruk_research::{
    Cursor, KeepingMove, PositionDetails, PositionKind, SacrificeRecord, SaveDetails, SaveSample, SavingMove,
    SpoilingCapture, WinDetails, ZugzwangDetails,
};
use makruk_tables::rules::Color;
use tonic::Status;

use crate::admission::pool::Grant;
use crate::admission::request_context::RequestContext;
use crate::backend::Backend;
use crate::backend::save_counts::{SaveCounts, SideSaves};
use crate::backend::save_query::SaveQuery;
use crate::backend::save_search::{FoundSave, SaveSearch};
use crate::grpc::convert;
use crate::status::Failure;

/// The parts of a search, found no faster than they are read.
pub(crate) struct SaveStream {
    backend: Arc<Backend>,
    context: RequestContext,
    search: Option<SaveSearch>,
    parts: VecDeque<FindSavesResponse>,
    /// The permits of `parts`.
    permits: Option<Grant>,
}

impl SaveStream {
    pub(crate) fn new(backend: Arc<Backend>, context: RequestContext, search: SaveSearch) -> SaveStream {
        SaveStream { backend, context, search: Some(search), parts: VecDeque::new(), permits: None }
    }

    /// The parts, in order.
    pub(crate) fn parts(self) -> impl Stream<Item = Result<FindSavesResponse, Status>> + Send {
        stream::unfold(self, |mut stream| async {
            let part = stream.next().await?;
            Some((part, stream))
        })
    }

    async fn next(&mut self) -> Option<Result<FindSavesResponse, Status>> {
        loop {
            if let Some(part) = self.parts.pop_front() {
                return Some(Ok(part));
            }
            self.permits = None;
            let search = self.search.take()?;
            // Each part so far carries the cursor from which another server can continue.
            if self.backend.stopping.is_cancelled() {
                return Some(Err(Failure::ShuttingDown.into()));
            }
            let context = self.context.renewed(self.backend.limits.deadline);
            match self.backend.search_on(&context, search).await {
                Ok(((piece, search), permits)) => {
                    let is_empty = piece.saves.is_empty();
                    self.permits = Some(permits);
                    self.parts.extend(piece.saves.into_iter().map(|found| part(Part::Save(save(found)))));
                    let (scanned, of) = search.scanned();
                    let cursor = text(search.cursor());
                    if piece.is_over {
                        let end = v1::SearchEnd { cursor, found: search.found(), scanned };
                        self.parts.push_back(part(Part::End(end)));
                    } else {
                        if is_empty {
                            self.parts.push_back(part(Part::Progress(v1::SearchProgress { cursor, scanned, of })));
                        }
                        self.search = Some(search);
                    }
                }
                Err(failure) => {
                    failure.log("a search");
                    return Some(Err(failure.into()));
                }
            }
        }
    }
}

/// The query of a request.
pub(crate) fn query(request: FindSavesRequest) -> Result<SaveQuery, Failure> {
    let side = match v1::Side::try_from(request.side) {
        Ok(v1::Side::Unspecified) => None,
        Ok(v1::Side::White) => Some(Color::White),
        Ok(v1::Side::Black) => Some(Color::Black),
        Err(_) => return Err(Refusal::of_side(&request.side.to_string()).into()),
    };
    let kind = match v1::PositionKind::try_from(request.kind) {
        Ok(v1::PositionKind::Unspecified | v1::PositionKind::Saves) => PositionKind::Saves,
        Ok(v1::PositionKind::Wins) => PositionKind::Wins,
        Ok(v1::PositionKind::Zugzwangs) => PositionKind::Zugzwangs,
        Err(_) => return Err(Failure::query(format!("kind is {}: expected a PositionKind", request.kind))),
    };
    Ok(SaveQuery {
        kind,
        materials: request.materials,
        filter: request.filter,
        cursor: request.cursor,
        until: request.until,
        limit: request.limit,
        side,
        images: request.images,
        brief: request.brief,
    })
}

/// The statistics of a material's saves.
pub(crate) fn statistics(counts: &SaveCounts) -> v1::SaveStatisticsResponse {
    v1::SaveStatisticsResponse {
        material: counts.material.to_string(),
        white: Some(totals(counts.sides.white)),
        black: Some(totals(counts.sides.black)),
        sample: counts.sample.as_ref().map(sample),
    }
}

fn totals(side: SideSaves) -> v1::SaveTotals {
    v1::SaveTotals {
        won: side.won,
        won_within_count: side.won_within_count,
        drawn: side.drawn,
        lost: side.lost,
        lost_within_count: side.lost_within_count,
        saves: side.saves(),
    }
}

fn sample(sample: &SaveSample) -> v1::SaveSample {
    let short_by =
        sample.short_by.iter().filter_map(|(moves, &saves)| Some(v1::ShortByCount { moves: (*moves)?, saves }));
    v1::SaveSample {
        saves: sample.saves,
        complete: sample.complete,
        unique: sample.unique,
        by_sacrifice: sample.by_sacrifice,
        by_last_sacrifice: sample.by_last_sacrifice,
        short_by: short_by.collect(),
        short_by_unknown: sample.short_by.get(&None).copied().unwrap_or_default(),
    }
}

const fn part(part: Part) -> FindSavesResponse {
    FindSavesResponse { part: Some(part) }
}

fn text(cursor: Option<Cursor>) -> String {
    cursor.map(|cursor| cursor.to_string()).unwrap_or_default()
}

fn save(found: FoundSave) -> v1::FoundSave {
    let FoundSave { record, next } = found;
    let side = if record.side == Color::White.name() { Color::White } else { Color::Black };
    let found = v1::FoundSave {
        material: record.material,
        side: convert::side(side).into(),
        number: record.number,
        fen: record.fen,
        next_cursor: text(next),
        ..v1::FoundSave::default()
    };
    match record.details {
        None => found,
        Some(PositionDetails::Save(save)) => v1::FoundSave { details: Some(details(save)), ..found },
        Some(PositionDetails::Win(details)) => v1::FoundSave { win: Some(win(details)), ..found },
        Some(PositionDetails::Zugzwang(details)) => v1::FoundSave { zugzwang: Some(zugzwang(details)), ..found },
    }
}

fn win(details: WinDetails) -> v1::WinDetails {
    v1::WinDetails {
        dtm_plies: details.dtm,
        dtz_plies: details.dtz,
        needed: details.needed,
        left: details.left,
        spare: details.spare,
        check: details.check,
        legal_moves: details.legal_moves,
        winning_moves: details.winning_moves.into_iter().map(keeping_move).collect(),
        spoiling_captures: details.spoiling_captures.into_iter().map(spoiling_capture).collect(),
    }
}

fn zugzwang(details: ZugzwangDetails) -> v1::ZugzwangDetails {
    v1::ZugzwangDetails {
        dtm_plies: details.dtm,
        dtz_plies: details.dtz,
        category: convert::category(details.category).into(),
        opposite: convert::category(details.opposite).into(),
        by_count: details.by_count,
        full: details.full,
        check: details.check,
        legal_moves: details.legal_moves,
        saving_moves: details.saving_moves.into_iter().map(keeping_move).collect(),
    }
}

fn keeping_move(mv: KeepingMove) -> v1::KeepingMove {
    v1::KeepingMove { uci: mv.uci, san: mv.san, dtm_plies: mv.dtm, dtz_plies: mv.dtz, capture: mv.capture }
}

fn spoiling_capture(mv: SpoilingCapture) -> v1::SpoilingCapture {
    v1::SpoilingCapture { uci: mv.uci, san: mv.san, last: mv.last, needed: mv.needed, left: mv.left }
}

fn details(details: SaveDetails) -> v1::SaveDetails {
    v1::SaveDetails {
        dtm_plies: details.dtm,
        dtz_plies: details.dtz,
        short_by: details.short_by,
        check: details.check,
        legal_moves: details.legal_moves,
        saving_moves: details.saving_moves.into_iter().map(saving_move).collect(),
    }
}

fn saving_move(mv: SavingMove) -> v1::SavingMove {
    v1::SavingMove {
        uci: mv.uci,
        san: mv.san,
        dtm_plies: mv.dtm,
        capture: mv.capture,
        check: mv.check,
        sacrifice: mv.sacrifice.map(sacrifice),
    }
}

fn sacrifice(given: SacrificeRecord) -> v1::SaveSacrifice {
    v1::SaveSacrifice {
        capture: given.capture,
        given: given.given.to_string(),
        last: given.last,
        offered: given.offered,
        needed: given.needed,
        left: given.left,
        kind: sacrifice_kind(given.kind).into(),
    }
}

const fn sacrifice_kind(kind: SacrificeKind) -> v1::SacrificeKind {
    match kind {
        SacrificeKind::Offer => v1::SacrificeKind::Offer,
        SacrificeKind::Exchange => v1::SacrificeKind::Exchange,
        SacrificeKind::LostAnyway => v1::SacrificeKind::LostAnyway,
    }
}
