//! The gRPC interface: `makruk.v1.Tablebase`, with health and reflection.
//!
//! [`tablebase`] answers the service's methods, [`streams`] and [`find_saves`] produce the parts of streams no faster
//! than their clients read them; [`convert`] makes messages of the backend's answers.

mod convert;
mod find_saves;
mod streams;
mod tablebase;

use std::sync::Arc;

use axum::routing::{MethodRouter, any_service};
use makruk_proto::v1::tablebase_server::SERVICE_NAME;
use tonic_health::pb::health_server::{Health, HealthServer};

use crate::admission::layer::CallKind;
use crate::backend::Backend;
use crate::grpc::tablebase::TablebaseService;
use crate::http::routes::{Route, UNKNOWN};

/// The most bytes of a request for health or reflection.
const SMALL_MESSAGE: usize = 4 << 10;
/// The reason why building the reflection services cannot fail.
const DESCRIPTORS: &str = "the descriptors are those from which the code was generated";

/// All services: the tables, with a route for each method; health, whose watches have permits of their own; and
/// reflection (also as `v1alpha` for older clients).
pub(crate) fn routes(backend: &Arc<Backend>, health: HealthServer<impl Health>) -> Vec<Route> {
    let tablebase: MethodRouter<_> = any_service(TablebaseService::new(Arc::clone(backend)).into_server());
    let health: MethodRouter<_> = any_service(health.max_decoding_message_size(SMALL_MESSAGE));
    let reflection = |path: &str, service| Route::new(path, "reflection", CallKind::RequestStream, service);
    let v1 = any_service(descriptors().build_v1().expect(DESCRIPTORS).max_decoding_message_size(SMALL_MESSAGE));
    let v1alpha = descriptors().build_v1alpha().expect(DESCRIPTORS).max_decoding_message_size(SMALL_MESSAGE);
    let others = [
        Route::new(format!("/{SERVICE_NAME}/{{*method}}"), UNKNOWN, CallKind::Request, tablebase.clone()),
        Route::new("/grpc.health.v1.Health/Check", "health", CallKind::Public, health.clone()),
        Route::new("/grpc.health.v1.Health/Watch", "health", CallKind::Watch, health.clone()),
        Route::new("/grpc.health.v1.Health/{*method}", UNKNOWN, CallKind::Request, health),
        reflection("/grpc.reflection.v1.ServerReflection/{*method}", v1),
        reflection("/grpc.reflection.v1alpha.ServerReflection/{*method}", any_service(v1alpha)),
    ];
    let methods = makruk_proto::METHODS.iter().map(|method| {
        let kind = if method.client_streaming { CallKind::RequestStream } else { CallKind::Request };
        Route::new(method.path, method.name, kind, tablebase.clone())
    });
    methods.chain(others).collect()
}

/// Reflection of all services and of the details that failures carry, comments included.
fn descriptors() -> tonic_reflection::server::Builder<'static> {
    tonic_reflection::server::Builder::configure()
        .register_encoded_file_descriptor_set(makruk_proto::v1::FILE_DESCRIPTOR_SET)
        .register_encoded_file_descriptor_set(tonic_health::pb::FILE_DESCRIPTOR_SET)
        // With these, clients that use reflection alone can read the details of a failure.
        .register_encoded_file_descriptor_set(tonic_types::pb::FILE_DESCRIPTOR_SET)
}
