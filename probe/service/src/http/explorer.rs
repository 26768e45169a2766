//! The addresses that only the page calls: `/v1/explore`, `/v1/analyse`, `/v1/sets` and `/v1/tables/MATERIAL/saves`.

use std::sync::Arc;

use axum::Json;
use axum::body::Bytes;
use axum::extract::{Extension, State};
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use makruk_tables::format::{MaterialTotals, TableFolder};
use makruk_tables::material::Material;
use makruk_tables::rules::{Color, Fen, FenError, Game, Games as PgnGames, Repetitions};
use serde::Deserialize;

use crate::admission::jobs::Cost;
use crate::admission::request_context::{CancellationCheck, RequestContext};
use crate::backend::answer_cache::{Document, cached};
use crate::backend::coalescing::ProbeKey;
use crate::backend::{Backend, SnapshotProber, parse_material};
use crate::http::explorer_model::{
    ExploredJson, GameJson, GamePositionJson, GamesJson, IllegalJson, MaterialJson, MaterialsJson, SavesJson,
    UnjudgedJson,
};
use crate::http::response::{
    JsonBody, UrlPath, UrlQuery, failure_response, json_bytes, json_response, logged_failure, respond_json,
    underscores_as_spaces,
};
use crate::status::Failure;
use crate::status::view::build_command;
use makruk_probe::{Analysis, Category, Mistake, ProbeError, Sacrifice, TableError, Verdict};
use makruk_research::ExampleSave;

/// Materials of so many men are listed whether their tables are there or not.
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
}

pub(crate) async fn explore(
    State(backend): State<Arc<Backend>>,
    Extension(context): Extension<RequestContext>,
    UrlQuery(ExploreQuery { fen, counts }): UrlQuery<ExploreQuery>,
) -> Response {
    let text = underscores_as_spaces(fen);
    let counts = match counts.as_deref().map(side_of_name).transpose() {
        Ok(counts) => counts,
        Err(failure) => return failure_response(&text, failure),
    };
    let fen = match Fen::parse(&text) {
        Ok(fen) => fen,
        Err(FenError::IllegalPosition(illegal)) => {
            return (StatusCode::BAD_REQUEST, Json(IllegalJson::new(&text, &illegal))).into_response();
        }
        Err(error) => return failure_response(&text, Failure::Probe(error.into())),
    };
    if let Some(bare) = bare_side(&fen).filter(|bare| fen.count.is_some() && counts.is_some_and(|side| side != *bare)) {
        let problem = format!("counts: {}'s king is bare, so {} counts", bare.name(), bare.name());
        return failure_response(&text, Failure::Query(problem));
    }
    let prober = backend.tables.prober();
    let (key, cost) = ((ProbeKey::new(&prober, &fen, true), counts), Cost::probes(1, 1));
    let work = move |_: &CancellationCheck| Some(json_bytes(&explored(&prober, &fen, counts)));
    respond_json(&text, backend.run_once(&backend.coalesced.explored, key, &context, cost, work, Bytes::clone).await)
}

/// A side by its name.
fn side_of_name(name: &str) -> Result<Color, Failure> {
    let side = Color::ALL.into_iter().find(|side| side.name() == name);
    side.ok_or_else(|| Failure::Side(format!("{:?}", name.chars().take(40).collect::<String>())))
}

/// The side whose king is bare, if the other's is not.
fn bare_side(fen: &Fen) -> Option<Color> {
    let board = fen.position.board();
    Color::ALL.into_iter().find(|&side| board.is_bare(side) && !board.is_bare(!side))
}

/// Everything that the page shows of a position. A position without a verdict still has its legal moves. `counts` is the
/// side whose count runs, if that is known: the winner's own count is no limit to the winner, who may stop it, so the verdict
/// is then that for a count that begins now.
fn explored(prober: &SnapshotProber, given: &Fen, counts: Option<Color>) -> ExploredJson {
    let mut fen = given.clone();
    let mut judged = prober.probe(&fen);
    let winner = judged.as_ref().ok().and_then(Verdict::winner);
    let is_stopped = fen.count.is_some() && counts.is_some() && winner == counts;
    if is_stopped {
        fen.count = None;
        judged = prober.probe(&fen);
    }
    let fen = &fen;
    let counts = bare_side(fen).or_else(|| counts.filter(|_| !is_stopped)).or_else(|| winner.map(|winner| !winner));
    let judged = judged.map(|verdict| {
        let moves = prober.moves(fen).and_then(|moves| {
            let is_saved = verdict.category == Category::BlessedLoss;
            let sacrifices: Vec<Sacrifice> = if is_saved { prober.sacrifices(fen)? } else { Vec::new() };
            Ok((moves, sacrifices))
        });
        (verdict, moves)
    });
    let root = prober.resolved(fen);
    let explored = ExploredJson::new(prober.rules(), given).counted_by(counts, is_stopped);
    match judged {
        Ok((verdict, Ok((moves, sacrifices)))) => {
            let judge = |mv: &_| moves.first().and_then(|best| Mistake::judge(best, mv));
            explored.judged(given, &verdict).with_moves(prober.rules(), &root, &moves, judge, &sacrifices)
        }
        Ok((verdict, Err(error))) => {
            explored.judged(given, &verdict).with_legal_moves(prober.rules(), &root).failed(&unjudged(error))
        }
        Err(error) => explored.with_legal_moves(prober.rules(), &root).failed(&unjudged(error)),
    }
}

/// The reason why a position has no verdict.
fn unjudged(error: ProbeError) -> UnjudgedJson {
    let command = match &error {
        ProbeError::Table(TableError::Missing { id, .. } | TableError::Corrupt { id, .. }) => {
            Some(build_command(id.material))
        }
        ProbeError::Table(_) => None,
        ProbeError::Fen(_) | ProbeError::Material(_) => None,
    };
    let failure = Failure::Probe(error);
    let place = failure.view().place();
    let (_, reason, error, _) = failure.into_http();
    UnjudgedJson { error, reason, command, place }
}

pub(crate) async fn analyse(
    State(backend): State<Arc<Backend>>,
    Extension(context): Extension<RequestContext>,
    JsonBody(Games { pgn }): JsonBody<Games>,
) -> Response {
    let most = backend.limits.batch;
    let cost = Cost::batch((pgn.len() / BYTES_OF_POSITION).clamp(1, most));
    let work = move |prober: &SnapshotProber, check: &CancellationCheck| analysed(prober, &pgn, most, check);
    let outcome = backend.run(&context, cost, work).await;
    respond_json("", outcome.and_then(|(games, permits)| Ok((games?, permits))))
}

/// The analysis of games with at most so many positions; `None` if the request is cancelled.
fn analysed(
    prober: &SnapshotProber,
    pgn: &str,
    most: usize,
    check: &CancellationCheck,
) -> Option<Result<Bytes, Failure>> {
    let (mut games, mut positions) = (Vec::new(), 0);
    for game in PgnGames::parse(pgn) {
        if check.is_cancelled() {
            return None;
        }
        // A game that cannot be read has an answer too, which is no shorter than that of a position.
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
    let fens = game.fens(prober.rules());
    let mut repetitions = Repetitions::new();
    let review = |(ply, fen): (usize, &Fen)| {
        let occurrence = repetitions.record(&fen.position);
        let mv = game.moves.get(ply).map(|played| played.mv);
        (!check.is_cancelled()).then(|| {
            let judge = |analysis: Analysis<'_, _>| {
                let played = mv.map(|mv| analysis.judge_move(mv)).transpose()?;
                Ok((analysis.verdict().clone(), played.flatten()))
            };
            let outcome = prober.analysis(fen).and_then(judge).map_err(unjudged);
            GamePositionJson::new(ply, occurrence, fen, mv, outcome)
        })
    };
    fens.iter().enumerate().map(review).collect()
}

pub(crate) async fn materials(
    State(backend): State<Arc<Backend>>,
    UrlQuery(MaterialsQuery { men }): UrlQuery<MaterialsQuery>,
) -> Response {
    let document = Document::Materials(men.filter(|men| *men <= MOST_MEN));
    if document == Document::Materials(None) && men.is_some() {
        return json_response(json_bytes(&MaterialsJson { sets: Vec::new() }));
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
        Some(json_bytes(&MaterialsJson { sets: materials.iter().map(json).collect::<Option<_>>()? }))
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
