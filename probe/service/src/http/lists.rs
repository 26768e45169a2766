//! The lists and statistics of tables and materials.

use std::collections::HashSet;
use std::sync::Arc;

use axum::Json;
use axum::extract::{Extension, State};
use axum::response::{IntoResponse, Response};
use http::header::CACHE_CONTROL;
use makruk_answers::Refusal;
use makruk_research::{ExampleSave, ExampleSaves, MaterialList, TableList};
use makruk_tables::material::Material;
use serde::Deserialize;

use crate::admission::jobs::Cost;
use crate::admission::request_context::{CancellationCheck, RequestContext};
use crate::backend::answer_cache::cached;
use crate::backend::{Backend, parse_material};
use crate::http::response::{HttpFailure, UrlPath, UrlQuery, json_bytes, json_response};
use crate::tables::snapshot::SnapshotProber;

/// A list may be of one number of men.
#[derive(Debug, Deserialize)]
pub(crate) struct OfMen {
    men: Option<usize>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct StatisticsQuery {
    #[serde(default)]
    longest: bool,
}

pub(crate) async fn tables(State(backend): State<Arc<Backend>>, UrlQuery(OfMen { men }): UrlQuery<OfMen>) -> Response {
    Json(TableList { tables: backend.tables(men) }).into_response()
}

pub(crate) async fn statistics(
    State(backend): State<Arc<Backend>>,
    Extension(context): Extension<RequestContext>,
    UrlPath(material): UrlPath,
    UrlQuery(StatisticsQuery { longest }): UrlQuery<StatisticsQuery>,
) -> Result<Response, HttpFailure> {
    let statistics = backend.statistics(&context, &material, longest).await?;
    // The next answer will have more.
    let no_store = statistics.is_pending().then_some([(CACHE_CONTROL, "no-store")]);
    Ok((no_store, Json(statistics)).into_response())
}

pub(crate) async fn materials(
    State(backend): State<Arc<Backend>>,
    UrlQuery(OfMen { men }): UrlQuery<OfMen>,
) -> Result<Response, HttpFailure> {
    // Beyond, there are none.
    let men = men.map(|men| men.min(MaterialList::MOST_MEN + 1));
    let present: HashSet<Material> = backend.tables(None).iter().map(|table| table.material).collect();
    let work = move |prober: &SnapshotProber, check: &CancellationCheck| {
        let goes_on = || !check.is_cancelled();
        MaterialList::read(prober, men, &present, Refusal::build_command, goes_on).map(|list| json_bytes(&list))
    };
    let list = async { Ok(backend.run(&backend.shared_context(), Cost::scan(1), work).await?.0) };
    Ok(json_response(cached(&backend.answers.materials, backend.checksum(), men, list).await?))
}

/// A sample of a material's saves.
pub(crate) async fn saves(
    State(backend): State<Arc<Backend>>,
    UrlPath(name): UrlPath,
) -> Result<Response, HttpFailure> {
    let material = parse_material(&name)?;
    let work = move |prober: &SnapshotProber, check: &CancellationCheck| {
        let found = ExampleSave::find(prober, material, || !check.is_cancelled()).transpose()?;
        Some(found.map(|saves| json_bytes(&ExampleSaves { material, saves })))
    };
    let search = async { Ok(backend.run(&backend.shared_context(), Cost::scan(1), work).await?.0?) };
    Ok(json_response(cached(&backend.answers.examples, backend.checksum(), material, search).await?))
}
