//! The lists and statistics of tables and materials.

use std::collections::HashSet;
use std::sync::Arc;

use axum::Json;
use axum::body::Bytes;
use axum::extract::{Extension, State};
use axum::response::{IntoResponse, Response};
use http::header::CACHE_CONTROL;
use makruk_answers::Refusal;
use makruk_research::ExampleSave;
use makruk_tables::format::MaterialTotals;
use makruk_tables::material::Material;
use makruk_tables::rules::Fen;
use serde::{Deserialize, Serialize};

use crate::admission::jobs::Cost;
use crate::admission::request_context::{CancellationCheck, RequestContext};
use crate::backend::answer_cache::{Document, cached};
use crate::backend::{Backend, parse_material};
use crate::http::response::{HttpFailure, UrlPath, UrlQuery, json_bytes, json_response};
use crate::status::Failure;
use crate::tables::monitor::ListedTable;
use crate::tables::snapshot::SnapshotProber;

/// The numbers of men whose materials are listed whether or not their tables are present.
const COMMON_MEN: std::ops::RangeInclusive<usize> = 3..=5;
/// The most men of a material that has tables.
const MOST_MEN: usize = 7;

/// A list may be of one number of men.
#[derive(Debug, Deserialize)]
pub(crate) struct OfMen {
    men: Option<usize>,
}

/// Materials by number of men, then by name.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "MaterialList"))]
pub(crate) struct MaterialsJson {
    /// The materials.
    materials: Vec<MaterialJson>,
}

/// A material, with or without tables.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "MaterialEntry"))]
struct MaterialJson {
    /// The canonical name of the material.
    material: Material,
    /// The number of men, both kings included.
    men: usize,
    /// The command that builds its tables; `null` if they are present.
    command: Option<String>,
    /// The totals of its tables, both sides to move together; `null` if they are missing.
    totals: Option<MaterialTotals>,
}

/// Some count saves in which few moves draw.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "ExampleSaves"))]
pub(crate) struct SavesJson {
    /// The canonical name of the material.
    material: Material,
    /// The saves.
    saves: Vec<SaveJson>,
}

/// A count save.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "ExampleSave"))]
struct SaveJson {
    /// The position.
    fen: Fen,
    /// The number of moves that draw.
    drawing_moves: usize,
    /// The number of legal moves.
    legal_moves: usize,
    /// Whether one of the drawing moves is a sacrifice.
    sacrifice: bool,
}

/// The tables that can be opened, by number of men, then by name.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "TableList"))]
pub(crate) struct TablesJson {
    /// The tables.
    tables: Vec<ListedTable>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct StatisticsQuery {
    #[serde(default)]
    longest: bool,
}

pub(crate) async fn tables(State(backend): State<Arc<Backend>>, UrlQuery(OfMen { men }): UrlQuery<OfMen>) -> Response {
    Json(TablesJson { tables: backend.tables(men) }).into_response()
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
    Ok(json_response(list_materials(&backend, men).await?))
}

pub(crate) async fn saves(
    State(backend): State<Arc<Backend>>,
    UrlPath(name): UrlPath,
) -> Result<Response, HttpFailure> {
    Ok(json_response(example_saves(&backend, &name).await?))
}

/// The materials of a number of men, or those that are common or present, as JSON.
pub(crate) async fn list_materials(backend: &Backend, men: Option<usize>) -> Result<Bytes, Failure> {
    if men.is_some_and(|men| men > MOST_MEN) {
        return Ok(json_bytes(&MaterialsJson { materials: Vec::new() }));
    }
    let present: HashSet<Material> = backend.tables(None).iter().map(|table| table.material).collect();
    let is_listed = |material: &Material| match men {
        Some(men) => material.men() == men,
        None => COMMON_MEN.contains(&material.men()) || present.contains(material),
    };
    let materials: Vec<Material> = (3..=MOST_MEN).flat_map(Material::all).filter(is_listed).collect();
    let work = move |prober: &SnapshotProber, check: &CancellationCheck| {
        let read = |material| present.get(&material).and_then(|&material| prober.source().totals(material).ok());
        let json = |&material: &Material| {
            let totals = (!check.is_cancelled()).then(|| read(material))?;
            let command = totals.is_none().then(|| Refusal::build_command(material));
            Some(MaterialJson { material, men: material.men(), command, totals })
        };
        Some(json_bytes(&MaterialsJson { materials: materials.iter().map(json).collect::<Option<_>>()? }))
    };
    let list = async { Ok(backend.run(&backend.shared_context(), Cost::scan(1), work).await?.0) };
    cached(&backend.answers.documents, backend.generation(), Document::Materials(men), list).await
}

/// A sample of a material's saves, as JSON.
pub(crate) async fn example_saves(backend: &Backend, name: &str) -> Result<Bytes, Failure> {
    let material = parse_material(name)?;
    let work = move |prober: &SnapshotProber, check: &CancellationCheck| {
        let found = ExampleSave::find(prober, material, || !check.is_cancelled()).transpose()?;
        let save = |found: ExampleSave| SaveJson {
            fen: found.fen,
            drawing_moves: found.drawing,
            legal_moves: found.legal,
            sacrifice: found.offers || found.abandons,
        };
        let saves = |found: Vec<ExampleSave>| SavesJson { material, saves: found.into_iter().map(save).collect() };
        Some(found.map(|found| json_bytes(&saves(found))))
    };
    let search = async { Ok(backend.run(&backend.shared_context(), Cost::scan(1), work).await?.0?) };
    cached(&backend.answers.documents, backend.generation(), Document::Saves(material), search).await
}
