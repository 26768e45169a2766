//! What the page asks for beyond the rest of the web interface: all there is to show of a position, of a game, of the sets.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::rejection::{BytesRejection, QueryRejection};
use axum::extract::{Extension, Path, Query, State};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use http::StatusCode;
use makruk_tables::format::{Summary, TableFolder};
use makruk_tables::material::Material;
use makruk_tables::rules::{Fen, FenError, Game};
use serde::Deserialize;

use super::answer::{FenQuery, failure_response, read_body, respond, spaced};
use super::engine::{Engine, LiveProber};
use super::explorer_json::{
    ExploredJson, GameJson, GamePositionJson, GamesJson, IllegalJson, SavesJson, SetJson, SetsJson, UnjudgedJson,
};
use super::jobs::{Asker, Wanted};
use super::saves;
use super::status::{Failure, build_command};
use makruk_probe::{Category, Mistake, ProbeError, Sacrifice};

type Shared = State<Arc<Engine>>;

/// Sets of so many men are listed whether they are there or not.
const COMMON_MEN: std::ops::RangeInclusive<usize> = 3..=5;
/// The most men of a set that has tables.
const MOST_MEN: usize = 7;

#[derive(Debug, Deserialize)]
struct SetsQuery {
    men: Option<usize>,
}

/// Games, as they are posted.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Games {
    pgn: String,
}

/// What the page asks for.
pub(super) fn routes() -> Router<Arc<Engine>> {
    Router::new()
        .route("/v1/explore", get(explore))
        .route("/v1/analyse", post(analyse))
        .route("/v1/sets", get(sets))
        .route("/v1/tables/{material}/saves", get(saves))
}

async fn explore(
    State(engine): Shared,
    Extension(asker): Extension<Asker>,
    query: Result<Query<FenQuery>, QueryRejection>,
) -> Response {
    let text = match query {
        Ok(Query(FenQuery { fen })) => spaced(fen),
        Err(rejection) => return failure_response("", Failure::Query(rejection.body_text())),
    };
    let fen = match Fen::parse(&text) {
        Ok(fen) => fen,
        Err(FenError::IllegalPosition(illegal)) => {
            return (StatusCode::BAD_REQUEST, Json(IllegalJson::new(&text, &illegal))).into_response();
        }
        Err(error) => return failure_response(&text, Failure::Probe(error.into())),
    };
    respond(&text, engine.ask(&asker, 1, move |prober, _| Some(explored(prober, &fen))).await)
}

/// All there is to show of a position. Without a verdict there are still its legal moves.
fn explored(prober: &LiveProber, fen: &Fen) -> ExploredJson {
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

/// Why there is no verdict.
fn unjudged(error: ProbeError) -> UnjudgedJson {
    let command = match &error {
        ProbeError::Table(error) => error.id().map(|id| build_command(id.material)),
        ProbeError::Fen(_) | ProbeError::Material(_) => None,
    };
    let (_, reason, error, _) = Failure::Probe(error).into_http();
    UnjudgedJson { error, reason, command }
}

async fn analyse(
    State(engine): Shared,
    Extension(asker): Extension<Asker>,
    body: Result<Bytes, BytesRejection>,
) -> Response {
    let Games { pgn } = match read_body(&engine, body) {
        Ok(games) => games,
        Err(failure) => return failure_response("", failure),
    };
    let games: Vec<_> = makruk_tables::rules::Games::parse(&pgn).collect();
    let positions = games.iter().flatten().map(|game| game.moves.len() + 1).sum();
    let most = engine.limits.batch;
    if positions > most {
        return failure_response("", Failure::TooManyPositions { positions, most });
    }
    let work = move |prober: &LiveProber, wanted: &Wanted| {
        let mut told = Vec::new();
        for (at, game) in games.iter().enumerate() {
            told.push(match game {
                Ok(game) => GameJson::new(at + 1, game, reviewed(prober, game, wanted)?),
                Err(error) => GameJson::failed(at + 1, error),
            });
        }
        Some(GamesJson { games: told })
    };
    respond("", engine.ask(&asker, positions, work).await)
}

/// Every position of a game, as long as they are wanted.
fn reviewed(prober: &LiveProber, game: &Game, wanted: &Wanted) -> Option<Vec<GamePositionJson>> {
    let fens = game.fens(prober.rules());
    let review = |(ply, fen): (usize, &Fen)| {
        let mv = game.moves.get(ply).map(|played| played.mv);
        wanted.is_wanted().then(|| {
            let outcome = prober.review(fen, mv).map_err(unjudged);
            GamePositionJson::new(ply, fen, mv, outcome)
        })
    };
    fens.iter().enumerate().map(review).collect()
}

async fn sets(
    State(engine): Shared,
    Extension(asker): Extension<Asker>,
    query: Result<Query<SetsQuery>, QueryRejection>,
) -> Response {
    let men = match query {
        Ok(Query(SetsQuery { men })) => men,
        Err(rejection) => return failure_response("", Failure::Query(rejection.body_text())),
    };
    let there: Vec<Material> = engine.tables(None).iter().map(|listed| listed.material).collect();
    let wanted = |set: &Material| match men {
        Some(men) => set.men() == men,
        None => COMMON_MEN.contains(&set.men()) || there.contains(set),
    };
    let sets: Vec<Material> = (3..=MOST_MEN).flat_map(Material::all).filter(wanted).collect();
    let (folder, rules) = (engine.catalogue.path().to_owned(), engine.live.rules().clone());
    let work = move |_: &LiveProber, wanted: &Wanted| {
        let folder = TableFolder::open_existing(&folder).ok();
        let summary = |set| Summary::read(folder.as_ref()?, set, &rules).ok();
        let told = |&set: &Material| wanted.is_wanted().then(|| SetJson::new(set, summary(set).as_ref()));
        Some(SetsJson { sets: sets.iter().map(told).collect::<Option<_>>()? })
    };
    respond("", engine.ask(&asker, 1, work).await)
}

async fn saves(State(engine): Shared, Extension(asker): Extension<Asker>, Path(material): Path<String>) -> Response {
    let material: Material = match material.parse() {
        Ok(Material::BARE_KINGS) => return failure_response("", Failure::BareKings),
        Ok(material) => material,
        Err(error) => return failure_response("", Failure::Material(error)),
    };
    let work = move |prober: &LiveProber, wanted: &Wanted| {
        let found = saves::search(prober, material, wanted)?;
        Some(found.map(|found| SavesJson::new(material, &found)))
    };
    let outcome = engine.ask(&asker, saves::WEIGHED, work).await;
    respond("", outcome.and_then(|(found, held)| Ok((found?, held))))
}
