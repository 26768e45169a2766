//! Clients with an address and a window of their own, and frames of HTTP/2 by hand.

use std::io;
use std::net::Ipv4Addr;

use ::http::Uri;
use hyper_util::rt::TokioIo;
use makruk_proto::v1::ProbeBatchRequest;
use makruk_proto::v1::tablebase_client::TablebaseClient;
use tokio::net::TcpSocket;
use tonic::transport::Channel;

use super::harness::{ROOK_WINS, Running};

/// A connection from 127.0.0.`last`. The server may send as many bytes of an answer as the window has before they are
/// read.
pub(crate) async fn connect(server: &Running, last: u8, window: u32) -> Channel {
    let address = server.address;
    let connect = move |_: Uri| async move {
        let socket = TcpSocket::new_v4()?;
        socket.bind((Ipv4Addr::new(127, 0, 0, last), 0).into())?;
        io::Result::Ok(TokioIo::new(socket.connect(address).await?))
    };
    let endpoint = Channel::from_static("http://test").initial_stream_window_size(window);
    endpoint.connect_with_connector(tower::service_fn(connect)).await.unwrap()
}

/// A batch whose answer is not read, as long as the client has no window.
pub(crate) async fn unread(client: Channel, positions: usize) {
    let batch = ProbeBatchRequest { fens: vec![ROOK_WINS.to_owned(); positions], include_moves: true };
    let _ = TablebaseClient::new(client).probe_batch(batch).await;
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
