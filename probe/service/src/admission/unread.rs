//! Unread bytes: the bytes that a response has handed to its connection and that the client's socket has not taken.
//!
//! hyper and h2 take a response's data long before a client reads it, and say nothing when they let go of it. Here every
//! piece of data has an owner, which is dropped when the last of its bytes was written to the socket, or when the stream or
//! the connection is gone. So the memory that waits for clients is counted exactly, wherever it waits.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use axum::body::Body;
use bytes::{BufMut, Bytes, BytesMut};
use http::header::{CONTENT_TYPE, HeaderMap};
use http_body::{Body as _, Frame, SizeHint};
use pin_project_lite::pin_project;
use tonic::Status;

use crate::admission::call_guard::CallGuard;
use crate::admission::connection::ConnectionState;
use crate::admission::reading_pace::ReadingPace;
use crate::http::response::failure_response;
use crate::status::{Failure, Load};

/// The most bytes of a piece: a client that takes less than a piece within the idle time does not read.
const PIECE_BYTES: usize = 64 << 10;

/// A response whose data may be unread. It is dropped with the last piece of its data.
#[derive(Debug)]
pub(crate) struct UnreadResponse {
    id: u64,
    connection: Arc<ConnectionState>,
    pace: Arc<ReadingPace>,
    /// The call's permits: they are free when the client has its response.
    _call: Option<Arc<CallGuard>>,
}

impl UnreadResponse {
    pub(crate) fn new(connection: Arc<ConnectionState>, call: Option<Arc<CallGuard>>) -> Arc<UnreadResponse> {
        let response = Arc::new(UnreadResponse {
            id: connection.next_response_id(),
            pace: Arc::default(),
            _call: call,
            connection,
        });
        response.connection.add_response(response.id, &response.pace);
        response
    }

    /// Notes bytes that are handed over. They were reserved before.
    fn hand_over(&self, bytes: usize) {
        self.pace.hand_over(bytes, self.connection.now_ms());
    }

    fn take(&self, bytes: usize) {
        self.pace.take(bytes, self.connection.now_ms());
        self.connection.release_bytes(bytes);
    }
}

impl Drop for UnreadResponse {
    fn drop(&mut self) {
        self.connection.remove_response(self.id);
    }
}

/// A piece of a response's data.
struct UnreadPiece {
    bytes: Bytes,
    response: Arc<UnreadResponse>,
}

impl AsRef<[u8]> for UnreadPiece {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl Drop for UnreadPiece {
    fn drop(&mut self) {
        self.response.take(self.bytes.len());
    }
}

/// The end of a body that has no room for its data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Protocol {
    Grpc,
    GrpcWeb,
    Http,
}

impl Protocol {
    fn of(headers: &HeaderMap) -> Protocol {
        match headers.get(CONTENT_TYPE).map(|kind| kind.as_bytes()) {
            Some(kind) if kind.starts_with(b"application/grpc-web-text") => Protocol::Http,
            Some(kind) if kind.starts_with(b"application/grpc-web") => Protocol::GrpcWeb,
            Some(kind) if kind.starts_with(b"application/grpc") => Protocol::Grpc,
            _ => Protocol::Http,
        }
    }
}

pin_project! {
    /// A response's body, which reserves the bytes that it hands over.
    pub(crate) struct MeteredBody {
        #[pin]
        body: Body,
        // Data that was not yet handed over.
        rest: Bytes,
        // Bytes of the data to come that were reserved in advance.
        reserved: usize,
        protocol: Protocol,
        is_over: bool,
        response: Arc<UnreadResponse>,
    }

    impl PinnedDrop for MeteredBody {
        fn drop(this: Pin<&mut Self>) {
            let this = this.project();
            this.response.connection.release_bytes(*this.reserved);
        }
    }
}

/// A response whose data is counted until the socket has taken it.
pub(crate) fn meter(
    mut response: http::Response<Body>,
    connection: &Arc<ConnectionState>,
) -> http::Response<MeteredBody> {
    let call = response.extensions_mut().remove::<Arc<CallGuard>>();
    let size = response.body().size_hint().exact().map_or(0, |bytes| usize::try_from(bytes).unwrap_or(usize::MAX));
    let mut reserved = size;
    if let Err(load) = connection.reserve_bytes(size) {
        reserved = 0;
        response = overloaded(load, connection, call.as_deref(), &response);
    }
    let protocol = Protocol::of(response.headers());
    let unread = UnreadResponse::new(Arc::clone(connection), call);
    response.map(|body| MeteredBody { body, rest: Bytes::new(), reserved, protocol, is_over: false, response: unread })
}

/// The failure that takes the place of a response for which there is no room.
fn overloaded(
    load: Load,
    connection: &ConnectionState,
    call: Option<&CallGuard>,
    response: &http::Response<Body>,
) -> http::Response<Body> {
    let failure = connection.overloaded(load);
    if let Some(call) = call {
        call.set_code("RESOURCE_EXHAUSTED");
    }
    match Protocol::of(response.headers()) {
        Protocol::Http => failure_response("", failure),
        Protocol::Grpc | Protocol::GrpcWeb => Status::from(failure).into_http(),
    }
}

impl MeteredBody {
    /// The last frame of a body whose data finds no room.
    fn end(protocol: Protocol, failure: Failure) -> Option<Result<Frame<Bytes>, axum::Error>> {
        let status = Status::from(failure);
        let mut trailers = HeaderMap::new();
        match protocol {
            Protocol::Grpc => {
                status.add_header(&mut trailers).ok()?;
                Some(Ok(Frame::trailers(trailers)))
            }
            Protocol::GrpcWeb => {
                status.add_header(&mut trailers).ok()?;
                let mut text = BytesMut::new();
                for (name, value) in &trailers {
                    text.put_slice(name.as_str().as_bytes());
                    text.put_slice(b":");
                    text.put_slice(value.as_bytes());
                    text.put_slice(b"\r\n");
                }
                let mut frame = BytesMut::with_capacity(5 + text.len());
                frame.put_u8(0x80);
                frame.put_u32(text.len() as u32);
                frame.put_slice(&text);
                Some(Ok(Frame::data(frame.freeze())))
            }
            Protocol::Http => Some(Err(axum::Error::new(status))),
        }
    }
}

impl http_body::Body for MeteredBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let mut this = self.project();
        if *this.is_over {
            return Poll::Ready(None);
        }
        if this.rest.is_empty() {
            match ready!(this.body.as_mut().poll_frame(cx)) {
                Some(Ok(frame)) => match frame.into_data() {
                    Ok(data) => *this.rest = data,
                    Err(frame) => return Poll::Ready(Some(Ok(frame))),
                },
                other => return Poll::Ready(other),
            }
            // A whole message is reserved at once: half of it would help nobody.
            let missing = this.rest.len().saturating_sub(*this.reserved);
            if let Err(load) = this.response.connection.reserve_bytes(missing) {
                *this.is_over = true;
                this.rest.clear();
                let failure = this.response.connection.overloaded(load);
                return Poll::Ready(MeteredBody::end(*this.protocol, failure));
            }
            *this.reserved += missing;
        }
        let bytes = this.rest.split_to(this.rest.len().min(PIECE_BYTES));
        *this.reserved -= bytes.len();
        this.response.hand_over(bytes.len());
        let piece = UnreadPiece { bytes, response: Arc::clone(this.response) };
        Poll::Ready(Some(Ok(Frame::data(Bytes::from_owner(piece)))))
    }

    fn is_end_stream(&self) -> bool {
        self.is_over || self.rest.is_empty() && self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        let rest = self.rest.len() as u64;
        let hint = self.body.size_hint();
        let mut all = SizeHint::new();
        if let Some(upper) = hint.upper() {
            all.set_upper(upper + rest);
        }
        all.set_lower(hint.lower() + rest);
        all
    }
}
