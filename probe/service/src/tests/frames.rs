//! A client of HTTP/2 that sends and reads exactly what a test says, from an address of its choice.

use std::net::{Ipv4Addr, SocketAddr};

use bytes::{BufMut, Bytes, BytesMut};
use h2::client::{ResponseFuture, SendRequest};
use h2::{RecvStream, SendStream};
use http::{HeaderMap, Method, Request};
use prost::Message;
use tokio::net::TcpSocket;
use tokio::task::JoinHandle;
use tokio::time::timeout;

use super::harness::LONG;

/// A connection of HTTP/2.
pub(crate) struct Frames {
    send: SendRequest<Bytes>,
    task: JoinHandle<Result<(), h2::Error>>,
}

/// A call of gRPC.
pub(crate) struct Call {
    pub(crate) send: SendStream<Bytes>,
    response: Option<ResponseFuture>,
    head: HeaderMap,
    body: Option<RecvStream>,
    read: BytesMut,
}

impl Frames {
    /// Connects from 127.0.0.`last`. The server may send as many bytes of an answer as the window has before they are
    /// read.
    pub(crate) async fn connect(server: SocketAddr, last: u8, window: u32) -> Frames {
        let socket = TcpSocket::new_v4().unwrap();
        socket.bind((Ipv4Addr::new(127, 0, 0, last), 0).into()).unwrap();
        let stream = socket.connect(server).await.unwrap();
        stream.set_nodelay(true).unwrap();
        let mut builder = h2::client::Builder::new();
        builder.initial_window_size(window).initial_connection_window_size(1 << 30);
        let (send, connection) = builder.handshake(stream).await.unwrap();
        let task = tokio::spawn(connection);
        // Until the server's settings have come, streams have other windows.
        let mut first = send.clone();
        let request = Request::get("http://test/healthz").body(()).unwrap();
        let (response, _) = first.send_request(request, true).unwrap();
        assert!(timeout(LONG, response).await.unwrap().unwrap().status().is_success());
        Frames { send, task }
    }

    /// Whether the server has ended the connection.
    pub(crate) fn has_ended(&self) -> bool {
        self.task.is_finished()
    }

    /// Begins a call of gRPC; its messages follow.
    pub(crate) async fn call(&self, method: &str) -> Call {
        let request = Request::builder()
            .method(Method::POST)
            .uri(format!("http://test/{method}"))
            .header("content-type", "application/grpc")
            .header("te", "trailers");
        let mut send = timeout(LONG, self.send.clone().ready()).await.unwrap().unwrap();
        let (response, send) = send.send_request(request.body(()).unwrap(), false).unwrap();
        Call { send, response: Some(response), head: HeaderMap::new(), body: None, read: BytesMut::new() }
    }

    /// The answer to a call with one message, or the failure's number.
    pub(crate) async fn unary<T: Message + Default>(&self, method: &str, request: &impl Message) -> Result<T, i32> {
        let mut call = self.call(method).await;
        call.send.send_data(framed(request), true).unwrap();
        match call.message().await {
            Some(answer) => Ok(answer),
            None => Err(call.status().await.0),
        }
    }
}

/// A message as gRPC frames it.
pub(crate) fn framed(message: &impl Message) -> Bytes {
    let mut frame = BytesMut::new();
    frame.put_u8(0);
    frame.put_u32(message.encoded_len() as u32);
    message.encode(&mut frame).unwrap();
    frame.freeze()
}

impl Call {
    /// Sends bytes as one frame, as soon as the window has room for all of them.
    pub(crate) async fn send(&mut self, bytes: Bytes) -> Result<(), h2::Error> {
        self.send.reserve_capacity(bytes.len());
        while self.send.capacity() < bytes.len() {
            let capacity = std::future::poll_fn(|context| self.send.poll_capacity(context)).await;
            capacity.unwrap_or_else(|| Err(h2::Reason::CANCEL.into()))?;
        }
        self.send.send_data(bytes, false)
    }

    async fn body(&mut self) -> Result<&mut RecvStream, h2::Error> {
        if let Some(response) = self.response.take() {
            let response = timeout(LONG, response).await.expect("a response")?;
            self.head = response.headers().clone();
            self.body = Some(response.into_body());
        }
        Ok(self.body.as_mut().expect("a call that was answered"))
    }

    /// The next message of the answer; `None` after the last.
    pub(crate) async fn message<T: Message + Default>(&mut self) -> Option<T> {
        loop {
            if let Some(head) = self.read.first_chunk::<5>() {
                let [_, a, b, c, d] = *head;
                let length = u32::from_be_bytes([a, b, c, d]) as usize;
                if self.read.len() >= 5 + length {
                    let message = self.read.split_to(5 + length).split_off(5);
                    return Some(T::decode(message).unwrap());
                }
            }
            let body = self.body().await.ok()?;
            let data = timeout(LONG, body.data()).await.expect("data")?.ok()?;
            body.flow_control().release_capacity(data.len()).unwrap();
            self.read.extend_from_slice(&data);
        }
    }

    /// The number of the status, and the trailers; -1 if the stream was reset.
    pub(crate) async fn status(&mut self) -> (i32, HeaderMap) {
        let of =
            |headers: &HeaderMap| headers.get("grpc-status").map(|status| status.to_str().unwrap().parse().unwrap());
        if self.body().await.is_err() {
            return (-1, HeaderMap::new());
        }
        if let Some(status) = of(&self.head) {
            return (status, self.head.clone());
        }
        let Some(body) = &mut self.body else { return (-1, HeaderMap::new()) };
        while let Some(data) = timeout(LONG, body.data()).await.expect("data") {
            let Ok(data) = data else { return (-1, HeaderMap::new()) };
            let _ = body.flow_control().release_capacity(data.len());
        }
        match timeout(LONG, body.trailers()).await.expect("trailers") {
            Ok(Some(trailers)) => (of(&trailers).unwrap_or(-1), trailers),
            _ => (-1, HeaderMap::new()),
        }
    }
}

/// The beginning of an HTTP/2 connection: the preface and empty settings.
pub(crate) const HELLO: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0";

/// A frame of HTTP/2.
pub(crate) fn frame(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
    let length = (payload.len() as u32).to_be_bytes();
    [&length[1..], &[kind, flags], &stream.to_be_bytes(), payload].concat()
}

/// Headers of a call, none of them compressed, without an end.
pub(crate) fn headers(stream: u32) -> Vec<u8> {
    let mut block = Vec::new();
    for (name, value) in [
        (":method", "POST"),
        (":scheme", "http"),
        (":path", "/makruk.v1.Tablebase/Probe"),
        (":authority", "x"),
        ("content-type", "application/grpc"),
        ("te", "trailers"),
    ] {
        block.push(0);
        for text in [name, value] {
            block.push(text.len() as u8);
            block.extend(text.as_bytes());
        }
    }
    frame(1, 4, stream, &block)
}
