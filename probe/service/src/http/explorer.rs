//! The addresses that only the page calls: `/v1/explore`, `/v1/analyse`, `/v1/materials` and
//! `/v1/tables/MATERIAL/saves`.

use std::sync::Arc;

use axum::Json;
use axum::body::Bytes;
use axum::extract::{Extension, State};
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use makruk_explorer::{
    GameJson, GamePositionJson, GameReview, GamesJson, IllegalJson, UnjudgedJson, check_counts,
    explore as explore_position,
};
use makruk_probe::{ProbeError, TableError};
use makruk_research::ExampleSave;
use makruk_tables::format::{MaterialTotals, TableFolder};
use makruk_tables::material::Material;
use makruk_tables::rules::{Color, Fen, FenError, Game, Games as PgnGames, Reading};
use serde::Deserialize;

use crate::admission::jobs::Cost;
use crate::admission::request_context::{CancellationCheck, RequestContext};
use crate::backend::answer_cache::{Document, cached};
use crate::backend::{Backend, parse_material};
use crate::http::lists_model::{MaterialJson, MaterialsJson, SavesJson};
use crate::http::response::{
    JsonBody, UrlPath, UrlQuery, failure_response, json_bytes, json_response, logged_failure, respond_json,
};
use crate::status::Failure;
use crate::status::view::build_command;
use crate::tables::snapshot::SnapshotProber;

/// The numbers of men whose materials are listed whether or not their tables are present.
const COMMON_MEN: std::ops::RangeInclusive<usize> = 3..=5;
/// Bytes of a game for each of its positions, at least about: the length of the text is known before it is read.
const BYTES_OF_POSITION: usize = 8;
/// The most men of a material that has tables.
const MOST_MEN: usize = 7;

#[derive(Debug, Deserialize)]
pub(crate) struct ExploreQuery {
    fen: String,
    /// The side that counts: `white` or `black`; without, the count is that of the side that does not win.
    counts: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct MaterialsQuery {
    men: Option<usize>,
}

/// The body of a request to analyse games.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Games {
    pgn: String,
    /// The position from which moves without any tag are played, unless they get further from the array.
    from: Option<Fen>,
}

pub(crate) async fn explore(
    State(backend): State<Arc<Backend>>,
    Extension(context): Extension<RequestContext>,
    UrlQuery(ExploreQuery { fen: text, counts }): UrlQuery<ExploreQuery>,
) -> Response {
    let counts = match counts.as_deref().map(side_of_name).transpose() {
        Ok(counts) => counts,
        Err(failure) => return failure_response(&text, failure),
    };
    let reading = match Reading::parse(&text) {
        Ok(reading) => reading,
        Err(FenError::IllegalPosition(illegal)) => {
            return (StatusCode::BAD_REQUEST, Json(IllegalJson::new(&text, &illegal))).into_response();
        }
        Err(error) => return failure_response(&text, Failure::Probe(error.into())),
    };
    if let Err(problem) = check_counts(&reading.fen, counts) {
        return failure_response(&text, Failure::Query(problem.to_string()));
    }
    let prober = backend.tables.prober();
    let work = move |_: &CancellationCheck| Some(json_bytes(&explore_position(&prober, &reading, counts, unjudged)));
    respond_json(&text, backend.jobs.run(&context, Cost::probes(1, 1), work).await)
}

/// A side by its name.
fn side_of_name(name: &str) -> Result<Color, Failure> {
    let side = Color::ALL.into_iter().find(|side| side.name() == name);
    side.ok_or_else(|| Failure::Side(format!("{:?}", name.chars().take(40).collect::<String>())))
}

/// The reason why a position has no verdict.
fn unjudged(error: ProbeError) -> UnjudgedJson {
    let command = match &error {
        ProbeError::Table(TableError::Missing { id, .. } | TableError::Corrupt { id, .. }) => {
            Some(build_command(id.material))
        }
        ProbeError::Table(_) | ProbeError::Fen(_) => None,
    };
    let failure = Failure::Probe(error);
    let place = failure.view().place();
    let (_, reason, error, _) = failure.into_http();
    UnjudgedJson { error, reason, command, place }
}

pub(crate) async fn analyse(
    State(backend): State<Arc<Backend>>,
    Extension(context): Extension<RequestContext>,
    JsonBody(Games { pgn, from }): JsonBody<Games>,
) -> Response {
    let most = backend.limits.batch;
    let cost = Cost::batch((pgn.len() / BYTES_OF_POSITION).clamp(1, most));
    let work = move |prober: &SnapshotProber, check: &CancellationCheck| {
        analysed(prober, PgnGames::parse_from(&pgn, from.clone()), most, check)
    };
    let outcome = backend.run(&context, cost, work).await;
    respond_json("", outcome.and_then(|(games, permits)| Ok((games?, permits))))
}

/// The analysis of games with at most `most` positions; `None` if the request is cancelled.
fn analysed(
    prober: &SnapshotProber,
    read: PgnGames<'_>,
    most: usize,
    check: &CancellationCheck,
) -> Option<Result<Bytes, Failure>> {
    let (mut games, mut positions) = (Vec::new(), 0);
    for game in read {
        if check.is_cancelled() {
            return None;
        }
        // A game that cannot be read has an answer too, at least as long as that of a position.
        positions += game.as_ref().map_or(1, |game| game.moves.len() + 1);
        if positions > most {
            return Some(Err(Failure::TooManyPositions { positions, most }));
        }
        games.push(game);
    }
    let mut answers = Vec::new();
    for (at, game) in games.iter().enumerate() {
        answers.push(match game {
            Ok(game) => GameJson::new(at + 1, game, reviewed(prober, game, check)?),
            Err(error) => GameJson::failed(at + 1, error),
        });
    }
    Some(Ok(json_bytes(&GamesJson { games: answers })))
}

/// Every position of a game; `None` if the request is cancelled.
fn reviewed(prober: &SnapshotProber, game: &Game, check: &CancellationCheck) -> Option<Vec<GamePositionJson>> {
    let review = GameReview::new(prober.rules(), game);
    let position = |ply| if check.is_cancelled() { None } else { review.position(prober, ply, unjudged) };
    (0..review.len()).map(position).collect()
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
