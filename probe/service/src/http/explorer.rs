//! The addresses that only the page calls: `/v1/explore`, `/v1/analyse`, `/v1/sets` and `/v1/tables/MATERIAL/saves`.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Extension, State};
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use makruk_tables::format::{Summary, TableFolder};
use makruk_tables::material::Material;
use makruk_tables::rules::{Fen, FenError, Game, read_pgn};
use serde::Deserialize;

use crate::admission::request_context::{CancellationCheck, RequestContext};
use crate::backend::{Backend, SnapshotProber, parse_material};
use crate::http::explorer_model::{
    ExploredJson, GameJson, GamePositionJson, GamesJson, IllegalJson, MaterialJson, MaterialsJson, SavesJson,
    UnjudgedJson,
};
use crate::http::response::{FenQuery, JsonBody, UrlPath, UrlQuery, failure_response, respond, underscores_as_spaces};
use crate::status::Failure;
use crate::status::view::build_command;
use makruk_probe::{Category, Mistake, ProbeError, Sacrifice, TableError};
use makruk_research::ExampleSave;

/// Materials of so many men are listed whether their tables are there or not.
const COMMON_MEN: std::ops::RangeInclusive<usize> = 3..=5;
/// The most men of a material that has tables.
const MOST_MEN: usize = 7;

#[derive(Debug, Deserialize)]
pub(crate) struct MaterialsQuery {
    men: Option<usize>,
}

/// The body of a request to analyse games.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Games {
    pgn: String,
}

pub(crate) async fn explore(
    State(backend): State<Arc<Backend>>,
    Extension(context): Extension<RequestContext>,
    UrlQuery(FenQuery { fen }): UrlQuery<FenQuery>,
) -> Response {
    let text = underscores_as_spaces(fen);
    let fen = match Fen::parse(&text) {
        Ok(fen) => fen,
        Err(FenError::IllegalPosition(illegal)) => {
            return (StatusCode::BAD_REQUEST, Json(IllegalJson::new(&text, &illegal))).into_response();
        }
        Err(error) => return failure_response(&text, Failure::Probe(error.into())),
    };
    respond(&text, backend.run(&context, 1, move |prober, _| Some(explored(prober, &fen))).await)
}

/// Everything that the page shows of a position. A position without a verdict still has its legal moves.
fn explored(prober: &SnapshotProber, fen: &Fen) -> ExploredJson {
    let judged = prober.probe(fen).map(|verdict| {
        let moves = prober.moves(fen).and_then(|moves| {
            let is_saved = verdict.category == Category::BlessedLoss;
            let sacrifices: Vec<Sacrifice> = if is_saved { prober.sacrifices(fen)? } else { Vec::new() };
            Ok((moves, sacrifices))
        });
        (verdict, moves)
    });
    let root = prober.resolved(fen);
    let explored = ExploredJson::new(prober.rules(), fen);
    match judged {
        Ok((verdict, Ok((moves, sacrifices)))) => {
            let judge = |mv: &_| moves.first().and_then(|best| Mistake::judge(best, mv));
            explored.judged(fen, &verdict).with_moves(prober.rules(), &root, &moves, judge, &sacrifices)
        }
        Ok((verdict, Err(error))) => {
            explored.judged(fen, &verdict).with_legal_moves(prober.rules(), &root).failed(&unjudged(error))
        }
        Err(error) => explored.with_legal_moves(prober.rules(), &root).failed(&unjudged(error)),
    }
}

/// The reason why a position has no verdict.
fn unjudged(error: ProbeError) -> UnjudgedJson {
    let command = match &error {
        ProbeError::Table(TableError::Missing { material, .. } | TableError::Corrupt { material, .. }) => {
            Some(build_command(*material))
        }
        ProbeError::Fen(_) | ProbeError::Material(_) => None,
    };
    let (_, reason, error, _) = Failure::Probe(error).into_http();
    UnjudgedJson { error, reason, command }
}

pub(crate) async fn analyse(
    State(backend): State<Arc<Backend>>,
    Extension(context): Extension<RequestContext>,
    JsonBody(Games { pgn }): JsonBody<Games>,
) -> Response {
    let games: Vec<_> = read_pgn(&pgn).collect();
    let positions = games.iter().flatten().map(|game| game.moves.len() + 1).sum();
    let most = backend.limits.batch;
    if positions > most {
        return failure_response("", Failure::TooManyPositions { positions, most });
    }
    let work = move |prober: &SnapshotProber, check: &CancellationCheck| {
        let mut answers = Vec::new();
        for (at, game) in games.iter().enumerate() {
            answers.push(match game {
                Ok(game) => GameJson::new(at + 1, game, reviewed(prober, game, check)?),
                Err(error) => GameJson::failed(at + 1, error),
            });
        }
        Some(GamesJson { games: answers })
    };
    respond("", backend.run(&context, positions, work).await)
}

/// Every position of a game; `None` if the request is cancelled.
fn reviewed(prober: &SnapshotProber, game: &Game, check: &CancellationCheck) -> Option<Vec<GamePositionJson>> {
    let fens = game.fens(prober.rules());
    let review = |(ply, fen): (usize, &Fen)| {
        let mv = game.moves.get(ply).map(|played| played.mv);
        (!check.is_cancelled()).then(|| {
            let outcome = prober.review(fen, mv).map_err(unjudged);
            GamePositionJson::new(ply, fen, mv, outcome)
        })
    };
    fens.iter().enumerate().map(review).collect()
}

pub(crate) async fn materials(
    State(backend): State<Arc<Backend>>,
    Extension(context): Extension<RequestContext>,
    UrlQuery(MaterialsQuery { men }): UrlQuery<MaterialsQuery>,
) -> Response {
    let present: Vec<Material> = backend.tables(None).iter().map(|table| table.material).collect();
    let is_listed = |material: &Material| match men {
        Some(men) => material.men() == men,
        None => COMMON_MEN.contains(&material.men()) || present.contains(material),
    };
    let materials: Vec<Material> = (3..=MOST_MEN).flat_map(Material::all).filter(is_listed).collect();
    let (folder, rules) = (backend.monitor.path().to_owned(), backend.tables.rules().clone());
    let work = move |_: &SnapshotProber, check: &CancellationCheck| {
        let folder = TableFolder::open_existing(&folder).ok();
        let summary = |material| Summary::read(folder.as_ref()?, material, &rules).ok();
        let json = |&material: &Material| {
            (!check.is_cancelled()).then(|| MaterialJson::new(material, summary(material).as_ref()))
        };
        Some(MaterialsJson { sets: materials.iter().map(json).collect::<Option<_>>()? })
    };
    respond("", backend.run(&context, 1, work).await)
}

pub(crate) async fn saves(
    State(backend): State<Arc<Backend>>,
    Extension(context): Extension<RequestContext>,
    UrlPath(name): UrlPath,
) -> Response {
    let material = match parse_material(&name) {
        Ok(material) => material,
        Err(failure) => return failure_response("", failure),
    };
    let work = move |prober: &SnapshotProber, check: &CancellationCheck| {
        let found = ExampleSave::find(prober, material, || !check.is_cancelled()).transpose()?;
        Some(found.map(|found| SavesJson::new(material, &found)))
    };
    let outcome = backend.run(&context, ExampleSave::COMPARED, work).await;
    respond("", outcome.and_then(|(found, permits)| Ok((found?, permits))))
}
