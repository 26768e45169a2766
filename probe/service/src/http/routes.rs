//! The addresses of the service, and its router.

use std::sync::Arc;

use axum::Router;
use axum::extract::{DefaultBodyLimit, Request};
use axum::middleware::from_fn_with_state;
use axum::response::Response;
use axum::routing::{MethodRouter, any, get, post};
use makruk_answers::{
    Analyse, Batch, Examples, Explore, Lichess, LichessLine, Line, Longest, Materials, Play, SaveStatistics,
    Statistics, Tables,
};
use tonic::Status;

use crate::admission::headers::is_grpc;
use crate::admission::layer::{CallKind, Endpoint, guard};
use crate::backend::Backend;
use crate::http::questions::{
    NoQuery, ProbeQuery, SavesQuery, StatisticsQuery, ask, ask_in_body, of_material, of_tables,
};
use crate::http::response::failure_response;
use crate::http::{conditional, find_saves, openapi, operation, page, picture};
use crate::page_files;
use crate::status::Failure;

/// The name of paths that no route has. Clients can invent any number of them.
pub(crate) const UNKNOWN: &str = "other";

/// A route, and the endpoint that its calls are admitted to.
pub(crate) struct Route {
    pub(crate) path: String,
    endpoint: Endpoint,
    methods: MethodRouter<Arc<Backend>>,
    /// Whether its answers change only with the tables.
    is_tagged: bool,
}

impl Route {
    pub(crate) fn new(
        path: impl Into<String>,
        name: &'static str,
        kind: CallKind,
        methods: MethodRouter<Arc<Backend>>,
    ) -> Route {
        Route { path: path.into(), endpoint: Endpoint { name, kind }, methods, is_tagged: false }
    }

    fn tagged(path: &str, name: &'static str, methods: MethodRouter<Arc<Backend>>) -> Route {
        Route { is_tagged: true, ..Route::new(path, name, CallKind::Request, methods) }
    }
}

/// A router of these routes: every call is admitted to its endpoint.
pub(crate) fn router(backend: &Arc<Backend>, routes: impl IntoIterator<Item = Route>) -> Router {
    let router = routes.into_iter().fold(Router::new(), |router, Route { path, endpoint, methods, is_tagged }| {
        let methods = match is_tagged {
            true => methods.layer(from_fn_with_state(Arc::clone(backend), conditional::tagged)),
            false => methods,
        };
        router.route(&path, guard(backend, endpoint, methods))
    });
    router.layer(DefaultBodyLimit::max(backend.pools.limits.message_bytes)).with_state(Arc::clone(backend))
}

/// Answers the paths that a router does not have with "not found".
pub(crate) fn with_fallback(router: Router, backend: &Arc<Backend>, kind: CallKind) -> Router {
    router.fallback_service(guard(backend, Endpoint { name: UNKNOWN, kind }, any(not_found)).with_state(()))
}

/// Everything that [`openapi`] describes, besides health and metrics.
pub(crate) fn interface() -> Vec<Route> {
    vec![
        Route::tagged("/v1/probe", "GET probe", get(ask::<ProbeQuery>)),
        Route::new("/v1/batch", "POST batch", CallKind::Request, post(ask_in_body::<Batch>)),
        Route::tagged("/v1/line", "GET line", get(ask::<Line>)),
        Route::tagged("/v1/play", "GET play", get(ask::<Play>)),
        Route::tagged("/v1/tables", "GET tables", of_tables(|of| Tables { men: of.men })),
        Route::tagged(
            "/v1/tables/{material}",
            "GET statistics",
            of_material(|material, of: StatisticsQuery| {
                // A search would hold a thread of all clients' for seconds.
                Statistics { material, longest: of.longest.then_some(Longest::Known) }
            }),
        ),
        Route::tagged(
            "/v1/tables/{material}/saves",
            "GET saves",
            of_material(|material, _: NoQuery| Examples { material }),
        ),
        Route::tagged("/v1/explore", "GET explore", get(ask::<Explore>)),
        Route::new("/v1/analyse", "POST analyse", CallKind::Request, post(ask_in_body::<Analyse>)),
        Route::tagged("/v1/materials", "GET materials", of_tables(|of| Materials { men: of.men })),
        Route::tagged("/v1/saves", "GET find saves", get(find_saves::find)),
        Route::tagged(
            "/v1/saves/{material}",
            "GET save statistics",
            of_material(|material, of: SavesQuery| SaveStatistics { material, sample: of.sample }),
        ),
        Route::tagged("/makruk", "GET makruk", get(ask::<Lichess>)),
        Route::tagged("/makruk/mainline", "GET makruk mainline", get(ask::<LichessLine>)),
        Route::new("/v1/openapi.json", "GET openapi", CallKind::Public, get(openapi::describe)),
        // For programs that show links: those have no token.
        Route::new("/board.png", "picture", CallKind::Public, get(picture::board)),
    ]
}

/// The files of the page.
pub(crate) fn page() -> impl Iterator<Item = Route> {
    page_files::files().map(|(path, name)| Route::new(path, "page", CallKind::Public, page::route(name)))
}

/// The health of the service.
pub(crate) fn health() -> [Route; 2] {
    [
        Route::new("/healthz", "health", CallKind::Public, get(operation::alive)),
        Route::new("/readyz", "health", CallKind::Public, get(operation::ready)),
    ]
}

/// The metrics of the service.
pub(crate) fn metrics(kind: CallKind) -> Route {
    Route::new("/metrics", "metrics", kind, get(operation::metrics))
}

async fn not_found(request: Request) -> Response {
    if is_grpc(request.headers()) {
        return Status::from(Failure::not_found()).into_http::<axum::body::Body>();
    }
    failure_response(Failure::not_found())
}
