//! The socket of a connection, which notes whether its client reads: against the attack `window-zero`, and clients that
//! ask for heads and never read them. No layer above it can tell.

use std::io;
use std::net::Shutdown;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use socket2::SockRef;
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
    socket: Arc<TcpStream>,
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
            let _ = SockRef::from(&socket).set_tcp_user_timeout(Some(idle + idle.max(LEAST_LEAD)));
        }
        let socket = Arc::new(socket);
        // Nobody else sets it.
        let _ = connection.holder.socket.set(Arc::downgrade(&socket));
        NotedSocket { socket, connection, linger: None }
    }

    fn poll_write_by(&self, cx: &mut Context<'_>, write: impl Fn() -> io::Result<usize>) -> Poll<io::Result<usize>> {
        let outcome = retry(|| self.socket.poll_write_ready(cx), write);
        self.connection.note_write(outcome.is_pending());
        outcome
    }

    fn poll_read_some(&self, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        retry(|| self.socket.poll_read_ready(cx), || self.socket.try_read_buf(buf).map(drop))
    }
}

/// Tries again whenever the socket is ready.
fn retry<T>(
    mut poll_ready: impl FnMut() -> Poll<io::Result<()>>,
    mut attempt: impl FnMut() -> io::Result<T>,
) -> Poll<io::Result<T>> {
    loop {
        ready!(poll_ready())?;
        match attempt() {
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
            outcome => return Poll::Ready(outcome),
        }
    }
}

impl AsyncRead for NotedSocket {
    fn poll_read(self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let before = buf.filled().len();
        let outcome = self.poll_read_some(cx, buf);
        self.connection.note_read(buf.filled().len() - before);
        outcome
    }
}

impl AsyncWrite for NotedSocket {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.poll_write_by(cx, || self.socket.try_write(bytes))
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.poll_write_by(cx, || self.socket.try_write_vectored(bytes))
    }

    fn is_write_vectored(&self) -> bool {
        true
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        if self.linger.is_none() {
            SockRef::from(&*self.socket).shutdown(Shutdown::Write)?;
        }
        let mut over = self.linger.take().unwrap_or_else(|| Box::pin(sleep(LINGER)));
        let mut discarded = [0; 16 << 10];
        while over.deadline().elapsed().is_zero() {
            let mut discarded = ReadBuf::new(&mut discarded);
            match self.poll_read_some(cx, &mut discarded) {
                Poll::Pending => {
                    let is_over = over.as_mut().poll(cx).map(Ok);
                    self.linger = Some(over);
                    return is_over;
                }
                Poll::Ready(Ok(())) if !discarded.filled().is_empty() => {}
                Poll::Ready(_) => break,
            }
        }
        Poll::Ready(Ok(()))
    }
}
