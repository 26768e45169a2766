//! The preface of a connection.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Sleep, sleep};

/// Length of the preface of HTTP/2 (RFC 9113, section 3.4). No request of HTTP/1.1 is shorter.
const PREFACE_BYTES: usize = 24;

/// A stream that fails if its peer has not sent a preface in time: a silent peer would hold its place for ever and delay
/// every shutdown.
pub(crate) struct PrefaceTimeout<S> {
    stream: S,
    /// Bytes of the preface that are missing, and their deadline; `None` when the preface is complete.
    pending: Option<(usize, Pin<Box<Sleep>>)>,
}

impl<S> PrefaceTimeout<S> {
    pub(crate) fn new(stream: S, handshake: Duration) -> PrefaceTimeout<S> {
        PrefaceTimeout { stream, pending: Some((PREFACE_BYTES, Box::pin(sleep(handshake)))) }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for PrefaceTimeout<S> {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let before = buf.filled().len();
        let read = Pin::new(&mut self.stream).poll_read(cx, buf);
        if let Some((missing, time)) = &mut self.pending {
            *missing = missing.saturating_sub(buf.filled().len() - before);
            if *missing == 0 {
                self.pending = None;
            } else if read.is_pending() {
                ready!(time.as_mut().poll(cx));
                return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
            }
        }
        read
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for PrefaceTimeout<S> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(cx, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(cx, bytes)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}
