//! Searches for saves over gRPC: the parts of their streams, no faster than they are read.

use std::collections::VecDeque;
use std::sync::Arc;

use futures_util::{Stream, stream};
use makruk_proto::v1::find_saves_response::Part;
use makruk_proto::v1::{self, FindSavesRequest, FindSavesResponse};
use makruk_tables::rules::Color;
use tonic::Status;

use super::convert;
use super::engine::Engine;
use super::jobs::{Asker, Held};
use super::search::{Asked, FoundSave, SaveCounts, Search, SideSaves};
use super::status::Failure;
use makruk_research::{Cursor, GivenUp, Sample, SaveDetails, SavingMove};

/// The parts of a search.
pub(super) struct Finds {
    engine: Arc<Engine>,
    asker: Asker,
    search: Option<Search>,
    parts: VecDeque<FindSavesResponse>,
    /// The places of `parts`.
    held: Option<Held>,
}

impl Finds {
    pub(super) fn new(engine: Arc<Engine>, asker: Asker, search: Search) -> Finds {
        Finds { engine, asker, search: Some(search), parts: VecDeque::new(), held: None }
    }

    /// The parts, in order.
    pub(super) fn parts(self) -> impl Stream<Item = Result<FindSavesResponse, Status>> + Send {
        stream::unfold(self, |mut finds| async {
            let part = finds.next().await?;
            Some((part, finds))
        })
    }

    async fn next(&mut self) -> Option<Result<FindSavesResponse, Status>> {
        loop {
            if let Some(part) = self.parts.pop_front() {
                return Some(Ok(part));
            }
            self.held = None;
            let search = self.search.take()?;
            // Each part has told where to go on elsewhere.
            if self.engine.stopping.is_cancelled() {
                return Some(Err(Failure::ShuttingDown.into()));
            }
            let asker = self.asker.again(self.engine.limits.deadline);
            match self.engine.search_on(&asker, search).await {
                Ok(((piece, search), held)) => {
                    let is_empty = piece.saves.is_empty();
                    self.held = Some(held);
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

/// What a request asks for.
pub(super) fn asked(request: FindSavesRequest) -> Result<Asked, Failure> {
    let side = match v1::Side::try_from(request.side) {
        Ok(v1::Side::Unspecified) => None,
        Ok(v1::Side::White) => Some(Color::White),
        Ok(v1::Side::Black) => Some(Color::Black),
        Err(_) => return Err(Failure::Side(request.side.to_string())),
    };
    Ok(Asked {
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

/// A set's saves on the whole.
pub(super) fn statistics(counts: &SaveCounts) -> v1::SaveStatisticsResponse {
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

fn sample(sample: &Sample) -> v1::SaveSample {
    let told = sample.short_by.iter().filter_map(|(moves, &saves)| Some(v1::ShortByCount { moves: (*moves)?, saves }));
    v1::SaveSample {
        saves: sample.saves,
        complete: sample.complete,
        unique: sample.unique,
        by_sacrifice: sample.by_sacrifice,
        by_last_sacrifice: sample.by_last_sacrifice,
        short_by: told.collect(),
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
    v1::FoundSave {
        material: record.material,
        side: convert::side(side).into(),
        number: record.number,
        fen: record.fen,
        details: record.details.map(details),
        next_cursor: text(next),
    }
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

fn sacrifice(given: GivenUp) -> v1::SaveSacrifice {
    v1::SaveSacrifice {
        capture: given.capture,
        given: given.given.to_string(),
        last: given.last,
        offered: given.offered,
        needed: given.needed,
        left: given.left,
    }
}
