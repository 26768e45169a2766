//! The addresses of the HTTP interface.

use std::sync::Arc;

use axum::Router;
use axum::extract::{DefaultBodyLimit, Request};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, any, get, post};
use http::header::CONTENT_TYPE;
use tonic::Status;

use crate::admission::endpoint::Endpoint;
use crate::admission::layer::AdmissionLayer;
use crate::backend::Backend;
use crate::http::{explorer, find_saves, operation, page, positions, response, tables};

/// A router under construction: no route is added without its endpoint.
pub(crate) struct Routes {
    router: Router<Arc<Backend>>,
    admission: AdmissionLayer,
}

impl Routes {
    pub(crate) fn new(admission: AdmissionLayer) -> Routes {
        Routes { router: Router::new(), admission }
    }

    /// Adds a route whose calls are admitted to the endpoint.
    pub(crate) fn add(self, path: &str, endpoint: Endpoint, methods: MethodRouter<Arc<Backend>>) -> Routes {
        let methods = self.admission.guard(endpoint, methods);
        Routes { router: self.router.route(path, methods), ..self }
    }

    /// The router, which answers all other paths with "not found".
    pub(crate) fn build(self, backend: Arc<Backend>) -> Router {
        let fallback = self.admission.guard(Endpoint::UNKNOWN, any(not_found));
        let bytes = backend.limits.message_bytes;
        self.router.fallback_service(fallback.with_state(())).layer(DefaultBodyLimit::max(bytes)).with_state(backend)
    }

    /// Adds everything under `/v1`, and the page.
    pub(crate) fn add_interface(self) -> Routes {
        let unary = Endpoint::unary;
        let routes = self
            .add("/v1/probe", unary("GET probe"), get(positions::probe))
            .add("/v1/batch", unary("POST batch"), post(positions::batch))
            .add("/v1/line", unary("GET line"), get(positions::line))
            .add("/v1/play", unary("GET play"), get(positions::play))
            .add("/v1/tables", unary("GET tables"), get(tables::list))
            .add("/v1/tables/{material}", unary("GET statistics"), get(tables::statistics))
            .add("/v1/tables/{material}/saves", unary("GET saves"), get(explorer::saves))
            .add("/v1/explore", unary("GET explore"), get(explorer::explore))
            .add("/v1/analyse", unary("POST analyse"), post(explorer::analyse))
            .add("/v1/sets", unary("GET sets"), get(explorer::materials))
            .add("/v1/saves", unary("GET find saves"), get(find_saves::find))
            .add("/v1/saves/{material}", unary("GET save statistics"), get(find_saves::statistics));
        page::FILES.iter().fold(routes, |routes, file| routes.add(file.path, Endpoint::public("page"), file.route()))
    }

    /// Adds the health of the service.
    pub(crate) fn add_health(self) -> Routes {
        let health = Endpoint::public("health");
        self.add("/healthz", health, get(operation::alive)).add("/readyz", health, get(operation::ready))
    }

    /// Adds the metrics of the service.
    pub(crate) fn add_metrics(self) -> Routes {
        self.add("/metrics", Endpoint::unary("metrics"), get(operation::metrics))
    }
}

async fn not_found(request: Request) -> Response {
    let kind = request.headers().get(CONTENT_TYPE);
    if kind.is_some_and(|kind| kind.as_bytes().starts_with(b"application/grpc")) {
        return Status::unimplemented("no such service").into_http::<axum::body::Body>();
    }
    response::not_found().into_response()
}
