//! Connections that must speak up.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Sleep, sleep};

/// Bytes that every HTTP/2 connection begins with (RFC 9113, section 3.4). No request of HTTP/1.1 is shorter.
const PREFACE_BYTES: usize = 24;

/// A connection that fails if it has not sent its preface in time: one that never speaks would hold its place for ever,
/// and hold up every shutdown.
pub(super) struct Connection<S> {
    stream: S,
    /// Bytes of the preface that are still to come, and the time they have; `None` when all have.
    patience: Option<(usize, Pin<Box<Sleep>>)>,
}

impl<S> Connection<S> {
    pub(super) fn new(stream: S, handshake: Duration) -> Connection<S> {
        Connection { stream, patience: Some((PREFACE_BYTES, Box::pin(sleep(handshake)))) }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Connection<S> {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let before = buf.filled().len();
        let read = Pin::new(&mut self.stream).poll_read(cx, buf);
        if let Some((missing, time)) = &mut self.patience {
            *missing = missing.saturating_sub(buf.filled().len() - before);
            if *missing == 0 {
                self.patience = None;
            } else if read.is_pending() {
                ready!(time.as_mut().poll(cx));
                return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
            }
        }
        read
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Connection<S> {
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
