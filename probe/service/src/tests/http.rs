//! A client of HTTP/1.1.

use std::net::SocketAddr;

use bytes::{BufMut, Bytes, BytesMut};
use prost::Message;
use serde_json::Value as Json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// An answer.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(have, _)| have == name).map(|(_, value)| value.as_str())
    }

    pub(crate) fn json(&self) -> Json {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap()
    }
}

pub(crate) async fn get(address: SocketAddr, path: &str) -> Answer {
    send(address, "GET", path, &[], b"").await
}

/// The value of a metric without labels, as it is written.
pub(crate) async fn metric(address: SocketAddr, name: &str) -> String {
    let answer = get(address, "/metrics").await;
    let metrics = answer.text();
    let line = metrics.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
    line.unwrap_or_else(|| panic!("no {name} in {metrics}")).to_owned()
}

/// The answer to a probe of a position.
pub(crate) async fn probe(address: SocketAddr, fen: &str) -> Answer {
    get(address, &format!("/v1/probe?fen={}", escaped(fen))).await
}

/// The answer to a call of gRPC-web, whose status is in the headers or, as text, at the end.
pub(crate) async fn call(address: SocketAddr, method: &str, headers: &[(&str, &str)], body: &[u8]) -> Answer {
    let headers = [&[("content-type", "application/grpc-web+proto"), ("x-grpc-web", "1")][..], headers].concat();
    send(address, "POST", &format!("/makruk.v1.Tablebase/{method}"), &headers, body).await
}

/// A message as gRPC frames it.
pub(crate) fn framed(message: &impl Message) -> Bytes {
    let mut frame = BytesMut::new();
    frame.put_u8(0);
    frame.put_u32(message.encoded_len() as u32);
    message.encode(&mut frame).unwrap();
    frame.freeze()
}

pub(crate) fn escaped(fen: &str) -> String {
    fen.replace('%', "%25").replace(' ', "%20").replace('&', "%26").replace('+', "%2B")
}

pub(crate) async fn send(
    address: SocketAddr,
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
    body: &[u8],
) -> Answer {
    let mut stream = TcpStream::connect(address).await.unwrap();
    let headers: String = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
    let length = body.len();
    let head = format!(
        "{method} {path} HTTP/1.1\r\nhost: test\r\nconnection: close\r\ncontent-length: {length}\r\n{headers}\r\n"
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    stream.write_all(body).await.unwrap();
    let mut all = Vec::new();
    stream.read_to_end(&mut all).await.unwrap();
    let end = all.windows(4).position(|four| four == b"\r\n\r\n").unwrap_or_else(|| panic!("{all:?}"));
    let head = std::str::from_utf8(&all[..end]).unwrap();
    let mut lines = head.split("\r\n");
    let status = lines.next().unwrap().split(' ').nth(1).unwrap().parse().unwrap();
    let headers: Vec<(String, String)> = lines
        .map(|line| line.split_once(": ").unwrap())
        .map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned()))
        .collect();
    let answer = Answer { status, headers, body: all[end + 4..].to_vec() };
    if answer.header("transfer-encoding") == Some("chunked") {
        return Answer { body: unchunked(&answer.body), ..answer };
    }
    answer
}

fn unchunked(mut chunks: &[u8]) -> Vec<u8> {
    let mut body = Vec::new();
    loop {
        let end = chunks.windows(2).position(|two| two == b"\r\n").unwrap();
        let len = usize::from_str_radix(std::str::from_utf8(&chunks[..end]).unwrap(), 16).unwrap();
        if len == 0 {
            return body;
        }
        body.extend(&chunks[end + 2..end + 2 + len]);
        chunks = &chunks[end + 4 + len..];
    }
}
