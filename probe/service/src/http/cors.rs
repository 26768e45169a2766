//! CORS: the origins whose pages may call the server.

use std::time::Duration;

use http::{HeaderName, Method};
use tower_http::cors::{AllowOrigin, CorsLayer};

use crate::admission::headers::REQUEST_ID;

/// The time for which browsers may remember which calls are allowed.
const PREFLIGHT_AGE: Duration = Duration::from_secs(24 * 3600);

/// The layer for these origins; none if no page may call.
pub(crate) fn layer(origins: &[String]) -> Option<CorsLayer> {
    let allowed = match origins.iter().any(|origin| origin == "*") {
        true => AllowOrigin::any(),
        false => AllowOrigin::list(origins.iter().filter_map(|origin| origin.parse().ok())),
    };
    let header = HeaderName::from_static;
    let requested = ["authorization", "content-type", "grpc-timeout", "x-grpc-web", "x-user-agent"].map(header);
    let exposed = ["grpc-message", "grpc-status", "grpc-status-details-bin", "retry-after"].map(header);
    let layer = CorsLayer::new()
        .allow_origin(allowed)
        .allow_methods([Method::GET, Method::POST])
        .allow_headers(requested.into_iter().chain([REQUEST_ID]).collect::<Vec<_>>())
        .expose_headers(exposed.into_iter().chain([REQUEST_ID]).collect::<Vec<_>>())
        .max_age(PREFLIGHT_AGE);
    (!origins.is_empty()).then_some(layer)
}

/// Whether a text is an origin, or `*`.
pub(crate) fn is_origin(text: &str) -> bool {
    let is_plain = |part: &str| {
        !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".-:[]*".contains(&byte))
    };
    text == "*" || text.split_once("://").is_some_and(|(scheme, host)| is_plain(scheme) && is_plain(host))
}

#[cfg(test)]
mod tests {
    use super::is_origin;

    #[test]
    fn origins() {
        for right in ["https://club.example", "http://[::1]:8080", "*"] {
            assert!(is_origin(right), "{right}");
        }
        for wrong in
            ["", "club.example", "https://", "https://a; script-src *", "https://a b", "'self'", "data:", "https://a/"]
        {
            assert!(!is_origin(wrong), "{wrong}");
        }
    }
}
