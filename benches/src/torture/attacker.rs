//! A client of HTTP/2 that breaks the habits of well-behaved clients.

use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};

use bytes::{BufMut, Bytes, BytesMut};
use h2::client::{ResponseFuture, SendRequest};
use h2::{RecvStream, SendStream};
use http::{Method, Request, Response};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpSocket, TcpStream};
use tokio::task::JoinHandle;

/// Attackers of a server on this machine come from such addresses, so that they are not the innocent client's peer.
const fn loopback(peer: u8) -> Ipv4Addr {
    Ipv4Addr::new(127, 0, 1, peer)
}

/// Bytes that the server may send before this client extends the window.
#[derive(Clone, Copy, Debug)]
pub struct Windows {
    /// On each stream.
    pub stream: u32,
    /// On the connection.
    pub connection: u32,
}

impl Windows {
    /// More than a server sends in a test.
    pub const WIDE: Windows = Windows { stream: (1 << 31) - 1, connection: (1 << 31) - 1 };
}

/// A connection that may stop reading its socket.
#[derive(Debug)]
pub struct Attacker {
    send: SendRequest<Bytes>,
    is_deaf: Arc<AtomicBool>,
    task: JoinHandle<()>,
    /// Streams that would be reset if they were dropped.
    held: Vec<(ResponseFuture, SendStream<Bytes>)>,
}

impl Attacker {
    /// Connects from the address of an attacking peer, and reads the server's settings.
    ///
    /// # Errors
    ///
    /// If there is no connection.
    pub async fn connect(server: SocketAddr, peer: u8, windows: Windows) -> io::Result<Attacker> {
        let attacker = Attacker::begin_connection(server, peer, windows, false).await?;
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        Ok(attacker)
    }

    /// Connects, and reads nothing, not even the server's settings.
    ///
    /// # Errors
    ///
    /// If there is no connection.
    pub async fn deaf(server: SocketAddr, peer: u8) -> io::Result<Attacker> {
        Attacker::begin_connection(server, peer, Windows::WIDE, true).await
    }

    async fn begin_connection(server: SocketAddr, peer: u8, windows: Windows, is_deaf: bool) -> io::Result<Attacker> {
        let stream = connect(server, peer).await?;
        let is_deaf = Arc::new(AtomicBool::new(is_deaf));
        let ears = Ears { stream, is_deaf: Arc::clone(&is_deaf) };
        let (send, connection) = h2::client::Builder::new()
            .initial_window_size(windows.stream)
            .initial_connection_window_size(windows.connection.max(65_535))
            // Until the server's settings are known.
            .initial_max_send_streams(250)
            .handshake(ears)
            .await
            .map_err(io::Error::other)?;
        let task = tokio::spawn(async move { drop(connection.await) });
        Ok(Attacker { send, is_deaf, task, held: Vec::new() })
    }

    /// Never reads the socket again.
    pub fn stop_reading(&self) {
        self.is_deaf.store(true, Ordering::Relaxed);
    }

    /// Calls, and holds the stream for ever. False if the server refuses the stream.
    pub async fn call(&mut self, path: &str, body: Body) -> bool {
        match self.begin(path, body).await {
            Some(stream) => {
                self.held.push(stream);
                true
            }
            None => false,
        }
    }

    /// Abandons the oldest calls that are held, all but this number: their streams are reset.
    pub fn abandon_all_but(&mut self, most: usize) {
        self.held.drain(..self.held.len().saturating_sub(most));
    }

    /// Sends a frame on every call that is held.
    pub fn feed(&mut self, frame: &Bytes) {
        for (_, stream) in &mut self.held {
            // The server may have ended it.
            let _ = stream.send_data(frame.clone(), false);
        }
    }

    /// Calls, and waits for the headers of the response.
    pub async fn ask(&mut self, path: &str, body: Body) -> Option<Response<RecvStream>> {
        let (response, _stream) = self.begin(path, body).await?;
        response.await.ok()
    }

    async fn begin(&mut self, path: &str, body: Body) -> Option<(ResponseFuture, SendStream<Bytes>)> {
        let request = Request::builder().uri(format!("http://test{path}"));
        let request = match &body {
            Body::Get => request.method(Method::GET),
            Body::Head => request.method(Method::HEAD),
            Body::Post(_) => request.method(Method::POST).header("content-type", "application/json"),
            Body::Grpc(_) | Body::Frames(_) => {
                request.method(Method::POST).header("content-type", "application/grpc").header("te", "trailers")
            }
        };
        let is_end = matches!(body, Body::Get | Body::Head);
        let mut send = self.send.clone().ready().await.ok()?;
        let (response, mut stream) = send.send_request(request.body(()).ok()?, is_end).ok()?;
        let data = match body {
            Body::Get | Body::Head => return Some((response, stream)),
            Body::Frames(frames) => {
                for frame in frames {
                    stream.send_data(frame, false).ok()?;
                }
                return Some((response, stream));
            }
            Body::Post(data) => data,
            Body::Grpc(message) => framed(&message),
        };
        stream.send_data(data, true).ok()?;
        Some((response, stream))
    }
}

impl Drop for Attacker {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// The body of a call.
#[derive(Clone, Debug)]
pub enum Body {
    /// No body, for a GET.
    Get,
    /// No body, for a HEAD.
    Head,
    /// A body of JSON.
    Post(Bytes),
    /// Parts of messages of gRPC, each in a separate frame, without an end.
    Frames(Vec<Bytes>),
    /// A message of gRPC.
    Grpc(Bytes),
}

/// A message as gRPC frames it.
pub(super) fn framed(message: &[u8]) -> Bytes {
    let mut frame = BytesMut::with_capacity(5 + message.len());
    frame.put_u8(0);
    frame.put_u32(message.len() as u32);
    frame.put_slice(message);
    frame.freeze()
}

/// A TCP connection of an attacking peer. Peers have addresses of their own only on this machine.
///
/// # Errors
///
/// If there is no connection.
pub async fn connect(server: SocketAddr, peer: u8) -> io::Result<TcpStream> {
    let socket = if server.is_ipv4() { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
    if server.ip() == IpAddr::V4(Ipv4Addr::LOCALHOST) {
        socket.bind(SocketAddr::new(IpAddr::V4(loopback(peer)), 0))?;
    }
    socket.connect(server).await
}

/// A stream that stops reading once it is deaf.
struct Ears {
    stream: TcpStream,
    is_deaf: Arc<AtomicBool>,
}

impl AsyncRead for Ears {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        if self.is_deaf.load(Ordering::Relaxed) {
            return Poll::Pending;
        }
        Pin::new(&mut self.stream).poll_read(cx, buf)
    }
}

impl AsyncWrite for Ears {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(cx, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}
