//! CORS: the origins whose pages may call the server.

use std::time::Duration;

use http::{HeaderName, HeaderValue, Method};
use tower_http::cors::{AllowOrigin, CorsLayer};

use crate::admission::headers::REQUEST_ID;

/// The time for which browsers may remember which calls are allowed.
const PREFLIGHT_AGE: Duration = Duration::from_secs(24 * 3600);

/// The layer for these origins; none if no page may call. The error is a text that is not an origin.
pub(crate) fn layer(origins: &[String]) -> Result<Option<CorsLayer>, String> {
    if origins.is_empty() {
        return Ok(None);
    }
    let allowed = if origins.iter().any(|origin| origin == "*") {
        AllowOrigin::any()
    } else {
        AllowOrigin::list(origins.iter().map(|text| parse_origin(text)).collect::<Result<Vec<_>, _>>()?)
    };
    let header = HeaderName::from_static;
    let requested = ["authorization", "content-type", "grpc-timeout", "x-grpc-web", "x-user-agent"].map(header);
    let exposed = ["grpc-message", "grpc-status", "grpc-status-details-bin", "retry-after"].map(header);
    Ok(Some(
        CorsLayer::new()
            .allow_origin(allowed)
            .allow_methods([Method::GET, Method::POST])
            .allow_headers(requested.into_iter().chain([REQUEST_ID]).collect::<Vec<_>>())
            .expose_headers(exposed.into_iter().chain([REQUEST_ID]).collect::<Vec<_>>())
            .max_age(PREFLIGHT_AGE),
    ))
}

fn parse_origin(text: &str) -> Result<HeaderValue, String> {
    HeaderValue::from_str(text).ok().filter(|_| is_origin(text)).ok_or_else(|| text.to_owned())
}

/// Whether a text is an origin, or `*`.
pub(crate) fn is_origin(text: &str) -> bool {
    let is_plain = |part: &str| {
        !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".-:[]*".contains(&byte))
    };
    text == "*" || text.split_once("://").is_some_and(|(scheme, host)| is_plain(scheme) && is_plain(host))
}
