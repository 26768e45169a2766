//! Unread bytes: the bytes that a response has handed to its connection and that the client's socket has not taken.
//!
//! hyper and h2 take a response's data long before a client reads it, and say nothing when they let go of it. Here
//! every piece of data has an owner. It is dropped when the last of its bytes was written to the socket, or when the
//! stream or the connection is gone. So the memory that waits for clients is counted exactly, wherever it waits.
//! The attacks `unread-crowd` and `window-zero` would otherwise fill it.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use axum::body::Body;
use bytes::Bytes;
use futures_util::{StreamExt, stream};
use http::header::HeaderMap;
use http_body::{Body as _, Frame, SizeHint};
use http_body_util::{BodyStream, StreamBody};
use tonic::Status;

use crate::admission::call::{Call, CallBytes};
use crate::admission::connection::Connection;
use crate::admission::headers::{REQUEST_ID, grpc_code};
use crate::http::response::failure_response;
use crate::metrics::CallCode;

/// The most bytes of a piece: a client that takes less than a piece within the idle time does not read.
const PIECE_BYTES: usize = 64 << 10;

/// A body of a length that is not known, which ends with the call's failure if the call is ended: in gRPC with
/// trailers.
pub(crate) fn end_with_call(body: Body, call: &Arc<Call>, is_grpc: bool) -> Body {
    let frames = stream::unfold(Some((BodyStream::new(body), Arc::clone(call))), move |open| async move {
        let (mut frames, call) = open?;
        tokio::select! {
            biased;
            () = call.holder.ended().cancelled() => {
                let status = Status::from(call.holder.failure());
                let mut trailers = HeaderMap::new();
                if !is_grpc || status.add_header(&mut trailers).is_err() {
                    return Some((Err(axum::Error::new(status)), None));
                }
                call.set_code(CallCode::Grpc(status.code()));
                Some((Ok(Frame::trailers(trailers)), None))
            }
            frame = frames.next() => {
                let trailers = frame.as_ref().and_then(|frame| frame.as_ref().ok()?.trailers_ref());
                trailers.and_then(grpc_code).into_iter().for_each(|code| call.set_code(CallCode::Grpc(code)));
                Some((frame?, Some((frames, call))))
            }
        }
    });
    Body::new(StreamBody::new(frames))
}

/// A piece of a response's data. With the last of them, the call ends.
struct UnreadPiece {
    bytes: Bytes,
    _counted: CallBytes,
}

impl AsRef<[u8]> for UnreadPiece {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

/// A response's body, which counts the bytes that it hands over.
pub(crate) struct MeteredBody {
    body: Body,
    /// Data that was not yet handed over.
    rest: Bytes,
    /// The bytes of this data, and of data to come. `None` for what no call has asked for, and for failures that take
    /// the place of a response: both are short.
    counted: Option<CallBytes>,
}

/// A response whose data is counted until the socket has taken it. One for which there is no room is a failure; data of
/// a length that was not known in advance ends its call then.
pub(crate) fn meter(mut response: http::Response<Body>, connection: &Connection) -> http::Response<MeteredBody> {
    connection.add_head();
    let mut counted = response.extensions_mut().remove::<Arc<Call>>().map(CallBytes::none);
    let size = response.body().size_hint().exact().map_or(0, |bytes| usize::try_from(bytes).unwrap_or(usize::MAX));
    if let Some(bytes) = &mut counted
        && let Err(failure) = bytes.count(size)
    {
        let id = response.headers_mut().remove(REQUEST_ID);
        response = failure_response(failure);
        response.headers_mut().extend(id.map(|id| (REQUEST_ID, id)));
        bytes.call.set_code(CallCode::Http(response.status()));
        counted = None;
    }
    response.map(|body| MeteredBody { body, rest: Bytes::new(), counted })
}

impl http_body::Body for MeteredBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let this = &mut *self;
        while this.rest.is_empty() {
            match ready!(Pin::new(&mut this.body).poll_frame(cx)).map(|frame| frame.map(Frame::into_data)) {
                Some(Ok(Ok(data))) => this.rest = data,
                Some(Ok(Err(trailers))) => return Poll::Ready(Some(Ok(trailers))),
                Some(Err(error)) => return Poll::Ready(Some(Err(error))),
                None => return Poll::Ready(None),
            }
            // A whole message is counted at once: half of it would help nobody.
            if let Some(counted) = &mut this.counted
                && let Err(failure) = counted.count(this.rest.len())
            {
                this.rest.clear();
                counted.call.holder.end(failure);
            }
        }
        let bytes = this.rest.split_to(this.rest.len().min(PIECE_BYTES));
        let Some(counted) = &mut this.counted else { return Poll::Ready(Some(Ok(Frame::data(bytes)))) };
        let piece = UnreadPiece { _counted: counted.split_to(bytes.len()), bytes };
        Poll::Ready(Some(Ok(Frame::data(Bytes::from_owner(piece)))))
    }

    fn is_end_stream(&self) -> bool {
        self.rest.is_empty() && self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        if self.rest.is_empty() { self.body.size_hint() } else { SizeHint::default() }
    }
}
