//! Searches for saves as JSON over HTTP: a page at a time.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::extract::rejection::QueryRejection;
use axum::extract::{Extension, Path, Query, State};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use makruk_tables::rules::Color;
use serde::{Deserialize, Serialize};

use super::answer::{failure_response, respond};
use super::engine::Engine;
use super::jobs::{Asker, Held};
use super::search::{Asked, FoundSave, SaveCounts, SideSaves};
use super::status::Failure;
use makruk_research::SaveRecord;

/// Saves of a page unless another limit is set.
const PAGE: u64 = 20;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct SavesQuery {
    /// Sets, with commas between.
    material: String,
    #[serde(default, rename = "where")]
    filter: String,
    #[serde(default)]
    cursor: String,
    #[serde(default)]
    until: String,
    limit: Option<u64>,
    side: Option<String>,
    #[serde(default)]
    images: bool,
    #[serde(default)]
    brief: bool,
}

#[derive(Debug, Deserialize)]
struct StatisticsQuery {
    #[serde(default)]
    sample: u32,
}

/// A page of saves.
#[derive(Debug, Serialize)]
struct SavesJson {
    saves: Vec<SaveRecord>,
    /// Where to go on; `null` at the end.
    cursor: Option<String>,
    /// Cells gone through for this page.
    scanned: u64,
}

/// How many saves a set has.
#[derive(Debug, Serialize)]
struct StatisticsJson {
    material: String,
    white: SideJson,
    black: SideJson,
    #[serde(skip_serializing_if = "Option::is_none")]
    sample: Option<SampleJson>,
}

#[derive(Debug, Serialize)]
struct SideJson {
    win: u64,
    win_within_count: u64,
    draw: u64,
    loss: u64,
    loss_within_count: u64,
    saves: u64,
}

#[derive(Debug, Serialize)]
struct SampleJson {
    saves: u64,
    complete: bool,
    unique: u64,
    by_sacrifice: u64,
    by_last_sacrifice: u64,
    /// How many saves, by the moves that the attacker is short.
    short_by: BTreeMap<u32, u64>,
    short_by_unknown: u64,
}

/// The addresses of this file.
pub(super) fn routes() -> Router<Arc<Engine>> {
    Router::new().route("/v1/saves", get(saves)).route("/v1/saves/{material}", get(statistics))
}

async fn saves(
    State(engine): State<Arc<Engine>>,
    Extension(asker): Extension<Asker>,
    query: Result<Query<SavesQuery>, QueryRejection>,
) -> Response {
    let outcome = match query {
        Ok(Query(query)) => page(&engine, &asker, query).await,
        Err(rejection) => Err(Failure::Query(rejection.body_text())),
    };
    match outcome {
        Ok((page, Some(held))) => respond("", Ok((page, held))),
        Ok((page, None)) => Json(page).into_response(),
        Err(failure) => {
            failure.log("saves");
            failure_response("", failure)
        }
    }
}

/// As many saves as are wanted, or as half the time finds.
async fn page(engine: &Engine, asker: &Asker, query: SavesQuery) -> Result<(SavesJson, Option<Held>), Failure> {
    let (limit, most) = (query.limit.unwrap_or(PAGE), engine.limits.batch as u64);
    if limit == 0 || limit > most {
        return Err(Failure::Query(format!("limit is {limit}: expected 1 to {most}")));
    }
    let side = query.side.map(|name| match Color::ALL.into_iter().find(|side| side.name() == name) {
        Some(side) => Ok(side),
        None => Err(Failure::Side(format!("{:?}", name.chars().take(40).collect::<String>()))),
    });
    let asked = Asked {
        materials: query.material.split(',').map(str::to_owned).collect(),
        filter: query.filter,
        cursor: query.cursor,
        until: query.until,
        limit,
        side: side.transpose()?,
        images: query.images,
        brief: query.brief,
    };
    let mut search = engine.search(&asked)?;
    let (mut saves, mut held) = (Vec::new(), None);
    loop {
        // The places of a page's saves are those of its last piece: more would wait for each other.
        drop(held.take());
        let ((piece, on), places) = engine.search_on(asker, search).await?;
        (search, held) = (on, Some(places));
        saves.extend(piece.saves.into_iter().map(|FoundSave { record, .. }| record));
        let is_late = tokio::time::Instant::now() + asker.time / 2 > asker.deadline;
        if piece.is_over || is_late {
            let cursor = search.cursor().map(|cursor| cursor.to_string());
            return Ok((SavesJson { saves, cursor, scanned: search.scanned().0 }, held));
        }
    }
}

async fn statistics(
    State(engine): State<Arc<Engine>>,
    Extension(asker): Extension<Asker>,
    Path(material): Path<String>,
    query: Result<Query<StatisticsQuery>, QueryRejection>,
) -> Response {
    let sample = match query {
        Ok(Query(StatisticsQuery { sample })) => sample,
        Err(rejection) => return failure_response("", Failure::Query(rejection.body_text())),
    };
    match engine.save_statistics(&asker, &material, sample).await {
        Ok(counts) => Json(StatisticsJson::new(&counts)).into_response(),
        Err(failure) => {
            failure.log(&material);
            failure_response("", failure)
        }
    }
}

impl StatisticsJson {
    fn new(counts: &SaveCounts) -> StatisticsJson {
        StatisticsJson {
            material: counts.material.to_string(),
            white: SideJson::new(counts.sides.white),
            black: SideJson::new(counts.sides.black),
            sample: counts.sample.as_ref().map(|sample| SampleJson {
                saves: sample.saves,
                complete: sample.complete,
                unique: sample.unique,
                by_sacrifice: sample.by_sacrifice,
                by_last_sacrifice: sample.by_last_sacrifice,
                short_by: sample.short_by.iter().filter_map(|(moves, &saves)| Some(((*moves)?, saves))).collect(),
                short_by_unknown: sample.short_by.get(&None).copied().unwrap_or_default(),
            }),
        }
    }
}

impl SideJson {
    fn new(side: SideSaves) -> SideJson {
        SideJson {
            win: side.won,
            win_within_count: side.won_within_count,
            draw: side.drawn,
            loss: side.lost,
            loss_within_count: side.lost_within_count,
            saves: side.saves(),
        }
    }
}
