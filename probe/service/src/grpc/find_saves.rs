//! `FindSaves`, the search for count saves as a stream, and the message of `SaveStatistics`.

use std::sync::Arc;

use futures_util::Stream;
use makruk_proto::v1::find_saves_response::Part;
use makruk_proto::v1::{self, FindSavesRequest, FindSavesResponse};
use makruk_research::{
    Cursor, KeepingMove, PositionDetails, SacrificeRecord, SaveDetails, SaveSample, SaveTotals, SavingMove, SideSaves,
    SpoilingCapture, WinDetails, ZugzwangDetails,
};
use makruk_rules::Color;
use tonic::Status;

use crate::admission::request_context::RequestContext;
use crate::backend::Backend;
use crate::backend::save_search::{FoundSave, SaveQuery, SaveSearch};
use crate::grpc::convert::{self, fail};
use crate::grpc::streams::pieces;
use crate::status::Failure;

/// The parts of a search, found no faster than they are read.
pub(crate) fn parts(
    backend: Arc<Backend>,
    context: RequestContext,
    search: SaveSearch,
) -> impl Stream<Item = Result<FindSavesResponse, Status>> + Send {
    pieces(search, move |search| {
        let (backend, context) = (Arc::clone(&backend), backend.context(context.holder.clone()));
        async move {
            // Each part so far carries the cursor from which another server can continue.
            if backend.stopping.is_cancelled() {
                return Err(Failure::shutting_down().into());
            }
            let ((saves, search), permits) = backend.search_on(&context, search).await.map_err(fail("a search"))?;
            let state = &search.search;
            let (scanned, of) = state.scanned();
            let (cursor, is_over) = (text(state.cursor()), state.is_over());
            let last = if is_over {
                Some(Part::End(v1::SearchEnd { cursor, found: state.found(), scanned }))
            } else if saves.is_empty() {
                Some(Part::Progress(v1::SearchProgress { cursor, scanned, of }))
            } else {
                None
            };
            let saves = saves.into_iter().map(|found| Part::Save(save(found)));
            let parts = saves.chain(last).map(|part| FindSavesResponse { part: Some(part) }).collect();
            Ok((parts, Some(permits), (!is_over).then_some(search)))
        }
    })
}

/// The query of a request.
pub(crate) fn query(request: FindSavesRequest) -> SaveQuery {
    SaveQuery {
        kind: convert::name(request.kind, v1::PositionKind::as_str_name, "POSITION_KIND_"),
        material: request.materials.iter().map(|name| name.as_str().into()).collect(),
        filter: request.filter,
        cursor: request.cursor,
        until: request.until,
        limit: Some(request.limit).filter(|limit| *limit > 0),
        side: convert::name(request.side, v1::Side::as_str_name, "SIDE_"),
        images: request.images,
        brief: request.brief,
    }
}

/// The statistics of a material's saves.
pub(crate) fn statistics(counts: &SaveTotals) -> v1::SaveStatisticsResponse {
    let totals = |side: &SideSaves| v1::SaveTotals {
        won: side.win,
        won_within_count: side.win_within_count,
        drawn: side.draw,
        lost: side.loss,
        lost_within_count: side.loss_within_count,
        saves: side.saves,
    };
    let sample = |sample: &SaveSample| v1::SaveSample {
        saves: sample.saves,
        complete: sample.complete,
        unique: sample.unique,
        by_sacrifice: sample.by_sacrifice,
        by_last_sacrifice: sample.by_last_sacrifice,
        short_by: sample.short_by.iter().map(|(&moves, &saves)| v1::ShortByCount { moves, saves }).collect(),
        short_by_unknown: sample.short_by_unknown,
    };
    v1::SaveStatisticsResponse {
        material: counts.material.to_string(),
        white: Some(totals(&counts.white)),
        black: Some(totals(&counts.black)),
        sample: counts.sample.as_ref().map(sample),
    }
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
        kind: convert::sacrifice_kind(given.kind).into(),
    }
}
