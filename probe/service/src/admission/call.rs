//! A call, which holds its places from the headers until the client has the response.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use http::HeaderMap;
use tonic::Code;
use tracing::Span;

use crate::admission::connection::Connection;
use crate::admission::holder::Holder;
use crate::admission::limits::{CALL_BYTES, STREAM_BYTES};
use crate::admission::pool::{Grant, Pool};
use crate::metrics::CallCode;
use crate::status::Failure;

/// The most open calls of a connection for whose next call there is no room.
const REFUSED_CALLS: usize = 64;

/// A call under way. It is dropped when its client has the response, or is gone.
#[derive(Debug)]
pub(crate) struct Call {
    endpoint: &'static str,
    begun: Instant,
    /// For the log.
    span: Span,
    code: Mutex<CallCode>,
    pub(crate) connection: Arc<Connection>,
    pub(crate) holder: Arc<Holder>,
    /// The bytes of the call; `None` if there was no room for it.
    memory: Option<Grant>,
    /// The places of the call and of its response.
    places: Mutex<Vec<Arc<Grant>>>,
}

impl Call {
    pub(crate) fn new(
        endpoint: &'static str,
        (begun, span): (Instant, Span),
        connection: Arc<Connection>,
        headers: &HeaderMap,
    ) -> Call {
        connection.pools.metrics.calls_open.inc();
        let holder = connection.begin_call(headers);
        let (code, places) = (Mutex::new(CallCode::Grpc(Code::Cancelled)), Mutex::default());
        Call { endpoint, begun, span, code, connection, holder, memory: None, places }
    }

    /// Takes the room that the call needs in any case; a stream of requests needs it for a message and for what is not
    /// read.
    pub(crate) fn take_memory(&mut self, message_bytes: Option<usize>) -> Result<(), Failure> {
        let frames = message_bytes.map(|_| self.connection.frames()).transpose();
        let bytes = message_bytes.map_or(0, |message| message + STREAM_BYTES);
        let memory = frames.and_then(|frames| {
            frames.into_iter().for_each(|frames| self.keep(frames));
            self.connection.pools.memory.take(Some(&self.holder), CALL_BYTES + bytes)
        });
        // Not even the failure is counted: a client that leaves many of them open is cut off.
        if memory.is_err() && self.connection.calls() > REFUSED_CALLS {
            self.connection.holder.ended().cancel();
        }
        self.memory = Some(memory?);
        Ok(())
    }

    /// Takes a place for as long as the call lasts.
    pub(crate) fn take_place(&self, pool: &Arc<Pool>) -> Result<(), Failure> {
        self.keep(Arc::new(pool.take(Some(&self.holder), 1)?));
        Ok(())
    }

    /// Keeps places until the call ends.
    pub(crate) fn keep(&self, places: Arc<Grant>) {
        self.places.lock().unwrap_or_else(PoisonError::into_inner).push(places);
    }

    /// Sets the status with which the call ends.
    pub(crate) fn set_code(&self, code: CallCode) {
        *self.code.lock().unwrap_or_else(PoisonError::into_inner) = code;
    }
}

impl Drop for Call {
    fn drop(&mut self) {
        let code = *self.code.get_mut().unwrap_or_else(PoisonError::into_inner);
        let took = self.begun.elapsed();
        let metrics = &self.connection.pools.metrics;
        metrics.calls_open.dec();
        metrics.call_ended(self.endpoint, code, took);
        let client = self.holder.address;
        tracing::debug!(parent: &self.span, %code, %client, took_us = took.as_micros() as u64, "ended");
        self.connection.end_call();
    }
}

/// Bytes of a request or a response, which are the call's until this is dropped: then something has moved.
#[derive(Debug)]
pub(crate) struct CallBytes {
    pub(crate) call: Arc<Call>,
    counted: usize,
}

impl CallBytes {
    pub(crate) const fn none(call: Arc<Call>) -> CallBytes {
        CallBytes { call, counted: 0 }
    }

    /// Counts more, up to a number in all.
    pub(crate) fn count(&mut self, bytes: usize) -> Result<(), Failure> {
        let missing = bytes.saturating_sub(self.counted);
        if let Some(memory) = self.call.memory.as_ref().filter(|_| missing > 0) {
            memory.grow(missing)?;
            self.counted += missing;
        }
        Ok(())
    }

    /// Counts bytes of a request that were read. A call for which there is no room ends.
    pub(crate) fn read(&mut self, bytes: usize, is_counted: bool) {
        self.call.holder.moves();
        if is_counted && let Err(failure) = self.count(self.counted + bytes) {
            self.call.holder.end(failure);
        }
    }

    /// Splits bytes off, which are counted by themselves.
    pub(crate) fn split_to(&mut self, bytes: usize) -> CallBytes {
        let counted = bytes.min(self.counted);
        self.counted -= counted;
        self.call.holder.moves();
        CallBytes { call: Arc::clone(&self.call), counted }
    }
}

impl Drop for CallBytes {
    fn drop(&mut self) {
        if let Some(memory) = self.call.memory.as_ref().filter(|_| self.counted > 0) {
            memory.shrink(self.counted);
        }
        self.call.holder.moves();
    }
}
