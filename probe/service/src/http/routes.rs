//! The addresses of the HTTP interface.

use std::sync::Arc;

use axum::Router;
use axum::extract::{DefaultBodyLimit, Request};
use axum::middleware::from_fn_with_state;
use axum::response::Response;
use axum::routing::{MethodRouter, any, get, post};
use tonic::Status;

use crate::admission::endpoint::Endpoint;
use crate::admission::headers::is_grpc;
use crate::admission::layer::AdmissionLayer;
use crate::backend::Backend;
use crate::http::response::failure_response;
use crate::http::{conditional, explorer, find_saves, operation, page, positions, tables};
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

    /// Adds a route whose calls are admitted to the endpoint.
    pub(crate) fn add(self, path: &str, endpoint: Endpoint, methods: MethodRouter<Arc<Backend>>) -> Routes {
        let methods = self.admission.guard(endpoint, methods);
        Routes { router: self.router.route(path, methods), ..self }
    }

    /// Adds a route whose answers change only with the tables.
    fn add_tagged(
        self,
        path: &str,
        endpoint: Endpoint,
        methods: MethodRouter<Arc<Backend>>,
        backend: &Arc<Backend>,
    ) -> Routes {
        let methods = methods.layer(from_fn_with_state(Arc::clone(backend), conditional::tagged));
        self.add(path, endpoint, methods)
    }

    /// The router, which answers all other paths with "not found".
    pub(crate) fn build(self, backend: Arc<Backend>) -> Router {
        let fallback = self.admission.guard(Endpoint::UNKNOWN, any(not_found));
        let bytes = backend.limits.message_bytes;
        self.router.fallback_service(fallback.with_state(())).layer(DefaultBodyLimit::max(bytes)).with_state(backend)
    }

    /// Adds everything under `/v1`, and the page.
    pub(crate) fn add_interface(self, backend: &Arc<Backend>) -> Routes {
        let request = Endpoint::request;
        let tagged = [
            ("/v1/probe", "GET probe", get(positions::probe)),
            ("/v1/line", "GET line", get(positions::line)),
            ("/v1/play", "GET play", get(positions::play)),
            ("/v1/tables", "GET tables", get(tables::list)),
            ("/v1/tables/{material}", "GET statistics", get(tables::statistics)),
            ("/v1/tables/{material}/saves", "GET saves", get(explorer::saves)),
            ("/v1/explore", "GET explore", get(explorer::explore)),
            ("/v1/sets", "GET sets", get(explorer::materials)),
            ("/v1/saves", "GET find saves", get(find_saves::find)),
            ("/v1/saves/{material}", "GET save statistics", get(find_saves::statistics)),
        ];
        let routes = self.add("/v1/batch", request("POST batch"), post(positions::batch)).add(
            "/v1/analyse",
            request("POST analyse"),
            post(explorer::analyse),
        );
        let routes = tagged
            .into_iter()
            .fold(routes, |routes, (path, name, methods)| routes.add_tagged(path, request(name), methods, backend));
        page::FILES.iter().fold(routes, |routes, file| {
            routes.add(file.path, Endpoint::public("page"), file.route(backend.page_policy.clone()))
        })
    }

    /// Adds the health of the service.
    pub(crate) fn add_health(self) -> Routes {
        let health = Endpoint::public("health");
        self.add("/healthz", health, get(operation::alive)).add("/readyz", health, get(operation::ready))
    }

    /// Adds the metrics of the service.
    pub(crate) fn add_metrics(self) -> Routes {
        self.add("/metrics", Endpoint::request("metrics"), get(operation::metrics))
    }
}

async fn not_found(request: Request) -> Response {
    if is_grpc(request.headers()) {
        return Status::from(Failure::NotFound).into_http::<axum::body::Body>();
    }
    failure_response("", Failure::NotFound)
}
