//! The addresses of the HTTP interface.

use std::sync::Arc;

use axum::Router;
use axum::extract::{DefaultBodyLimit, Request};
use axum::middleware::from_fn_with_state;
use axum::response::Response;
use axum::routing::{MethodRouter, any, get, post};
use makruk_answers::{Analyse, Batch, Explore, Lichess, LichessLine, Line, Play};
use tonic::Status;

use crate::admission::endpoint::{CallKind, Endpoint};
use crate::admission::headers::is_grpc;
use crate::admission::layer::AdmissionLayer;
use crate::backend::Backend;
use crate::http::questions::{ProbeQuery, ask, ask_in_body};
use crate::http::response::failure_response;
use crate::http::{conditional, find_saves, lists, openapi, operation, page, picture, tables};
use crate::status::Failure;

/// A router under construction: no route is added without its endpoint.
pub(crate) struct Routes {
    router: Router<Arc<Backend>>,
    admission: AdmissionLayer,
}

impl Routes {
    pub(crate) fn new(admission: AdmissionLayer) -> Routes {
        Routes { router: Router::new(), admission }
    }

    /// Adds everything under `/v1` and `/makruk`, the pictures, and the page.
    pub(crate) fn add_interface(self, backend: &Arc<Backend>) -> Routes {
        let routes = interface().into_iter().chain(pictures());
        let routes = routes.fold(self, |routes, route| routes.add(route, backend));
        page::FILES.iter().fold(routes, |routes, file| {
            let methods = file.route(backend.page_policy.clone());
            routes.add(
                Route {
                    path: &file.path,
                    endpoint: Endpoint::new("page", CallKind::Public),
                    methods,
                    is_tagged: false,
                },
                backend,
            )
        })
    }

    /// Adds the health of the service.
    pub(crate) fn add_health(self, backend: &Arc<Backend>) -> Routes {
        health().into_iter().fold(self, |routes, route| routes.add(route, backend))
    }

    /// Adds the metrics of the service.
    pub(crate) fn add_metrics(self, backend: &Arc<Backend>) -> Routes {
        self.add(metrics(), backend)
    }

    fn add(self, Route { path, endpoint, methods, is_tagged }: Route, backend: &Arc<Backend>) -> Routes {
        let methods = match is_tagged {
            true => methods.layer(from_fn_with_state(Arc::clone(backend), conditional::tagged)),
            false => methods,
        };
        let methods = self.admission.guard(endpoint, methods);
        Routes { router: self.router.route(path, methods), ..self }
    }

    /// The router, which answers all other paths with "not found".
    pub(crate) fn build(self, backend: Arc<Backend>) -> Router {
        let fallback = self.admission.guard(Endpoint::UNKNOWN, any(not_found));
        let bytes = backend.limits.message_bytes;
        self.router.fallback_service(fallback.with_state(())).layer(DefaultBodyLimit::max(bytes)).with_state(backend)
    }
}

/// A route, and the endpoint that its calls are admitted to.
pub(crate) struct Route {
    pub(crate) path: &'static str,
    endpoint: Endpoint,
    methods: MethodRouter<Arc<Backend>>,
    /// Whether its answers change only with the tables.
    is_tagged: bool,
}

impl Route {
    fn request(path: &'static str, name: &'static str, methods: MethodRouter<Arc<Backend>>) -> Route {
        Route { path, endpoint: Endpoint::new(name, CallKind::Request), methods, is_tagged: false }
    }

    fn public(path: &'static str, name: &'static str, methods: MethodRouter<Arc<Backend>>) -> Route {
        Route { path, endpoint: Endpoint::new(name, CallKind::Public), methods, is_tagged: false }
    }

    fn tagged(path: &'static str, name: &'static str, methods: MethodRouter<Arc<Backend>>) -> Route {
        Route { is_tagged: true, ..Route::request(path, name, methods) }
    }
}

/// Everything under `/v1` and `/makruk`. [`openapi`] describes it.
pub(crate) fn interface() -> Vec<Route> {
    vec![
        Route::tagged("/v1/probe", "GET probe", get(ask::<ProbeQuery>)),
        Route::request("/v1/batch", "POST batch", post(ask_in_body::<Batch>)),
        Route::tagged("/v1/line", "GET line", get(ask::<Line>)),
        Route::tagged("/v1/play", "GET play", get(ask::<Play>)),
        Route::tagged("/v1/tables", "GET tables", get(tables::list)),
        Route::tagged("/v1/tables/{material}", "GET statistics", get(tables::statistics)),
        Route::tagged("/v1/tables/{material}/saves", "GET saves", get(lists::saves)),
        Route::tagged("/v1/explore", "GET explore", get(ask::<Explore>)),
        Route::request("/v1/analyse", "POST analyse", post(ask_in_body::<Analyse>)),
        Route::tagged("/v1/materials", "GET materials", get(lists::materials)),
        Route::tagged("/v1/saves", "GET find saves", get(find_saves::find)),
        Route::tagged("/v1/saves/{material}", "GET save statistics", get(find_saves::statistics)),
        Route::tagged("/makruk", "GET makruk", get(ask::<Lichess>)),
        Route::tagged("/makruk/mainline", "GET makruk mainline", get(ask::<LichessLine>)),
        Route::public("/v1/openapi.json", "GET openapi", get(openapi::describe)),
    ]
}

/// Pictures, for programs that show links: those have no token.
pub(crate) fn pictures() -> [Route; 1] {
    [Route::public("/board.png", "picture", get(picture::board))]
}

/// The health of the service.
pub(crate) fn health() -> [Route; 2] {
    [
        Route::public("/healthz", "health", get(operation::alive)),
        Route::public("/readyz", "health", get(operation::ready)),
    ]
}

/// The metrics of the service.
pub(crate) fn metrics() -> Route {
    Route::request("/metrics", "metrics", get(operation::metrics))
}

async fn not_found(request: Request) -> Response {
    if is_grpc(request.headers()) {
        return Status::from(Failure::NotFound).into_http::<axum::body::Body>();
    }
    failure_response("", Failure::NotFound)
}
