//! The socket of a connection, which notes whether its client reads: against the attack `window-zero`, and clients that
//! ask for heads and never read them. No layer above it can tell.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Sleep, sleep};

use crate::admission::connection::Connection;

/// The least time that calls have to be ended as idle before the system closes their socket.
#[cfg(target_os = "linux")]
const LEAST_LEAD: Duration = Duration::from_secs(10);
/// Time in which the rest of a refused request is discarded. A socket that is closed with bytes unread resets the
/// connection, and the client, or a proxy that still sends, loses the answer.
const LINGER: Duration = Duration::from_secs(1);

/// A socket whose reads and writes are noted by its connection.
pub(super) struct NotedSocket {
    socket: TcpStream,
    connection: Arc<Connection>,
    /// The end of lingering, after everything was sent.
    linger: Option<Pin<Box<Sleep>>>,
}

impl NotedSocket {
    pub(super) fn new(socket: TcpStream, connection: Arc<Connection>) -> NotedSocket {
        // Answers are small, and clients wait for them.
        let _ = socket.set_nodelay(true);
        // A client that takes nothing for twice the idle time is gone. Calls in which nothing moves are ended before,
        // by a service that may be busy.
        #[cfg(target_os = "linux")]
        {
            let idle = connection.pools.limits.idle;
            let _ = socket2::SockRef::from(&socket).set_tcp_user_timeout(Some(idle + idle.max(LEAST_LEAD)));
        }
        NotedSocket { socket, connection, linger: None }
    }

    fn noted<T>(&self, outcome: Poll<T>) -> Poll<T> {
        self.connection.note_write(outcome.is_pending());
        outcome
    }
}

impl AsyncRead for NotedSocket {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let before = buf.filled().len();
        let outcome = Pin::new(&mut self.socket).poll_read(cx, buf);
        self.connection.note_read(buf.filled().len() - before);
        outcome
    }
}

impl AsyncWrite for NotedSocket {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let outcome = Pin::new(&mut self.socket).poll_write(cx, bytes);
        self.noted(outcome)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let outcome = Pin::new(&mut self.socket).poll_write_vectored(cx, bytes);
        self.noted(outcome)
    }

    fn is_write_vectored(&self) -> bool {
        self.socket.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.socket).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        if self.linger.is_none() {
            ready!(Pin::new(&mut self.socket).poll_shutdown(cx))?;
        }
        let NotedSocket { socket, linger, .. } = &mut *self;
        let over = linger.get_or_insert_with(|| Box::pin(sleep(LINGER))).as_mut();
        let mut discarded = [0; 16 << 10];
        while over.deadline().elapsed().is_zero() {
            let mut discarded = ReadBuf::new(&mut discarded);
            match Pin::new(&mut *socket).poll_read(cx, &mut discarded) {
                Poll::Pending => return over.poll(cx).map(Ok),
                Poll::Ready(Ok(())) if !discarded.filled().is_empty() => {}
                Poll::Ready(_) => break,
            }
        }
        Poll::Ready(Ok(()))
    }
}
