//! The lists that the page shows: `/v1/materials` and `/v1/tables/MATERIAL/saves`.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::State;
use axum::response::Response;
use makruk_answers::Refusal;
use makruk_research::ExampleSave;
use makruk_tables::format::{MaterialTotals, TableFolder};
use makruk_tables::material::Material;
use serde::{Deserialize, Serialize};

use crate::admission::jobs::Cost;
use crate::admission::request_context::CancellationCheck;
use crate::backend::answer_cache::{Document, cached};
use crate::backend::{Backend, parse_material};
use crate::http::response::{UrlPath, UrlQuery, failure_response, json_bytes, json_response, logged_failure};
use crate::status::Failure;
use crate::tables::snapshot::SnapshotProber;

/// The numbers of men whose materials are listed whether or not their tables are present.
const COMMON_MEN: std::ops::RangeInclusive<usize> = 3..=5;
/// The most men of a material that has tables.
const MOST_MEN: usize = 7;

#[derive(Debug, Deserialize)]
pub(crate) struct MaterialsQuery {
    men: Option<usize>,
}

/// Materials by number of men, then by name.
#[derive(Debug, Serialize)]
struct MaterialsJson {
    materials: Vec<MaterialJson>,
}

/// A material, with or without tables.
#[derive(Debug, Serialize)]
struct MaterialJson {
    material: String,
    men: usize,
    /// The command that builds its tables, if they are missing.
    command: Option<String>,
    /// The totals of its tables, if they are present.
    totals: Option<MaterialTotalsJson>,
}

/// The totals of a material's tables, both sides to move taken together.
#[derive(Debug, Serialize)]
struct MaterialTotalsJson {
    bytes: u64,
    white_wins: u64,
    black_wins: u64,
    draws: u64,
    /// Wins within the count, if it begins now.
    within_count: u64,
    /// The longest distance to mate without a count, in moves.
    mate_moves: u16,
    /// The longest distance to a conversion that is in time if the count begins now, in moves.
    conversion_moves: u16,
}

impl MaterialJson {
    fn new(material: Material, totals: Option<&MaterialTotals>) -> MaterialJson {
        let json = |totals: &MaterialTotals| MaterialTotalsJson {
            bytes: totals.bytes,
            white_wins: totals.white,
            black_wins: totals.black,
            draws: totals.drawn,
            within_count: totals.within_count,
            mate_moves: totals.longest_mate,
            conversion_moves: totals.longest_conversion,
        };
        MaterialJson {
            material: material.to_string(),
            men: material.men(),
            command: totals.is_none().then(|| Refusal::build_command(material)),
            totals: totals.map(json),
        }
    }
}

/// Some count saves of a material.
#[derive(Debug, Serialize)]
struct SavesJson {
    material: String,
    saves: Vec<SaveJson>,
}

/// A count save.
#[derive(Debug, Serialize)]
struct SaveJson {
    fen: String,
    /// The number of moves that draw.
    drawing_moves: usize,
    /// The number of legal moves.
    legal_moves: usize,
    /// Whether one of the drawing moves is a sacrifice.
    sacrifice: bool,
}

impl SavesJson {
    fn new(material: Material, found: &[ExampleSave]) -> SavesJson {
        let json = |found: &ExampleSave| SaveJson {
            fen: found.fen.to_string(),
            drawing_moves: found.drawing,
            legal_moves: found.legal,
            sacrifice: found.offers || found.abandons,
        };
        SavesJson { material: material.to_string(), saves: found.iter().map(json).collect() }
    }
}

pub(crate) async fn materials(
    State(backend): State<Arc<Backend>>,
    UrlQuery(MaterialsQuery { men }): UrlQuery<MaterialsQuery>,
) -> Response {
    let document = Document::Materials(men.filter(|men| *men <= MOST_MEN));
    if document == Document::Materials(None) && men.is_some() {
        return json_response(json_bytes(&MaterialsJson { materials: Vec::new() }));
    }
    let list = list_materials(&backend, men);
    respond_document(cached(&backend.answers.documents, backend.generation(), document, list).await)
}

async fn list_materials(backend: &Backend, men: Option<usize>) -> Result<Bytes, Failure> {
    let present: Vec<Material> = backend.tables(None).iter().map(|table| table.material).collect();
    let is_listed = |material: &Material| match men {
        Some(men) => material.men() == men,
        None => COMMON_MEN.contains(&material.men()) || present.contains(material),
    };
    let materials: Vec<Material> = (3..=MOST_MEN).flat_map(Material::all).filter(is_listed).collect();
    let (folder, rules) = (backend.monitor.path().to_owned(), backend.tables.rules().clone());
    let work = move |_: &SnapshotProber, check: &CancellationCheck| {
        let folder = TableFolder::open_existing(&folder).ok();
        let summary = |material| MaterialTotals::read(folder.as_ref()?, material, &rules).ok();
        let json = |&material: &Material| {
            (!check.is_cancelled()).then(|| MaterialJson::new(material, summary(material).as_ref()))
        };
        Some(json_bytes(&MaterialsJson { materials: materials.iter().map(json).collect::<Option<_>>()? }))
    };
    Ok(backend.run(&backend.shared_context(), Cost::scan(1), work).await?.0)
}

pub(crate) async fn saves(State(backend): State<Arc<Backend>>, UrlPath(name): UrlPath) -> Response {
    let material = match parse_material(&name) {
        Ok(material) => material,
        Err(failure) => return failure_response("", failure),
    };
    let work = move |prober: &SnapshotProber, check: &CancellationCheck| {
        let found = ExampleSave::find(prober, material, || !check.is_cancelled()).transpose()?;
        Some(found.map(|found| json_bytes(&SavesJson::new(material, &found))))
    };
    let search = async { Ok(backend.run(&backend.shared_context(), Cost::scan(1), work).await?.0?) };
    respond_document(cached(&backend.answers.documents, backend.generation(), Document::Saves(material), search).await)
}

fn respond_document(document: Result<Bytes, Failure>) -> Response {
    match document {
        Ok(document) => json_response(document),
        Err(failure) => logged_failure("a document", "", failure),
    }
}
