//! Headers of calls: request ids, deadlines and statuses.

use std::time::Duration;

use http::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use tonic::Code;

/// The header that tells one call from another in logs.
pub(crate) const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
const GRPC_STATUS: &str = "grpc-status";
/// The header of the details of a gRPC status.
pub(crate) const GRPC_DETAILS: &str = "grpc-status-details-bin";
const GRPC_TIMEOUT: &str = "grpc-timeout";
/// The longest request id that is accepted from a client, in bytes.
const MAX_ID_BYTES: usize = 64;

/// Whether the content type is one of gRPC's.
pub(crate) fn is_grpc(headers: &HeaderMap) -> bool {
    headers.get(CONTENT_TYPE).is_some_and(|kind| kind.as_bytes().starts_with(b"application/grpc"))
}

/// The client's id if it is short printable ASCII, which cannot forge a line of a log, else a new one.
pub(crate) fn request_id(headers: &HeaderMap) -> HeaderValue {
    let is_plain = |value: &&HeaderValue| {
        let bytes = value.as_bytes();
        (1..=MAX_ID_BYTES).contains(&bytes.len()) && bytes.iter().all(u8::is_ascii_graphic)
    };
    let theirs = headers.get(REQUEST_ID).filter(is_plain).cloned();
    theirs.unwrap_or_else(|| {
        let id = format!("{:016x}", fastrand::u64(..));
        HeaderValue::try_from(id).unwrap_or_else(|_| HeaderValue::from_static("-"))
    })
}

/// The deadline that a gRPC client sets for a call, as up to eight digits and a unit.
pub(crate) fn client_timeout(headers: &HeaderMap) -> Option<Duration> {
    let text = headers.get(GRPC_TIMEOUT)?.to_str().ok()?;
    let (digits, unit) = text.split_at_checked(text.len().checked_sub(1)?)?;
    let is_amount = digits.len() <= 8 && digits.bytes().all(|digit| digit.is_ascii_digit());
    let amount: u64 = digits.parse().ok().filter(|_| is_amount)?;
    Some(match unit {
        "H" => Duration::from_secs(amount * 3600),
        "M" => Duration::from_secs(amount * 60),
        "S" => Duration::from_secs(amount),
        "m" => Duration::from_millis(amount),
        "u" => Duration::from_micros(amount),
        "n" => Duration::from_nanos(amount),
        _ => return None,
    })
}

/// The gRPC status in headers or trailers.
pub(crate) fn grpc_code(headers: &HeaderMap) -> Option<Code> {
    Some(Code::from_i32(headers.get(GRPC_STATUS)?.to_str().ok()?.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(name: HeaderName, value: &'static [u8]) -> HeaderMap {
        HeaderMap::from_iter([(name, HeaderValue::from_bytes(value).unwrap())])
    }

    #[test]
    fn ids_that_could_forge_a_log_line_are_replaced() {
        let id = |value| request_id(&headers(REQUEST_ID, value)).to_str().unwrap().to_owned();
        assert_eq!(id(b"abc-123"), "abc-123");
        for bad in [&b""[..], b"two words", b"\xff", &[b'x'; 65]] {
            let id = id(bad);
            assert!(id.len() == 16 && id.bytes().all(|byte| byte.is_ascii_hexdigit()), "{id}");
        }
        assert_ne!(request_id(&HeaderMap::new()), request_id(&HeaderMap::new()));
    }

    #[test]
    fn grpc_timeouts() {
        let time = |value| client_timeout(&headers(HeaderName::from_static(GRPC_TIMEOUT), value));
        assert_eq!(time(b"1S"), Some(Duration::from_secs(1)));
        assert_eq!(time(b"99999999m"), Some(Duration::from_millis(99_999_999)));
        assert_eq!(time(b"2H"), Some(Duration::from_secs(7200)));
        assert_eq!(time(b"500u"), Some(Duration::from_micros(500)));
        for bad in [&b""[..], b"S", b"1", b"-1S", b"1.5S", b"123456789S", b"5x", b"5\xc3\xa4"] {
            assert_eq!(time(bad), None, "{bad:?}");
        }
    }
}
