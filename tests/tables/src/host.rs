//! A web server that may lie, for tests of what is fetched.
#![allow(clippy::unwrap_used)]

use std::io::{Read, Write};
use std::net::TcpListener;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::thread;

use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ServerConfig, ServerConnection, StreamOwned};

/// A certificate of no authority, signed by itself, and its key. OpenSSL 3.4 makes the like:
/// `openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -noenc -keyout - -subj /CN=127.0.0.1
/// -addext subjectAltName=IP:127.0.0.1 -addext basicConstraints=critical,CA:FALSE
/// -not_before 20000101000000Z -not_after 21000101000000Z`.
pub const UNKNOWN: &[u8] = include_bytes!("certificates/unknown.pem");

/// The same, valid until 2001.
pub const EXPIRED: &[u8] = include_bytes!("certificates/expired.pem");

/// The same as the first, but an authority's (`CA:TRUE`, OpenSSL's default).
pub const AUTHORITY: &[u8] = include_bytes!("certificates/authority.pem");

/// The answer to a request.
pub enum Reply {
    /// These bytes; then the connection is closed.
    Bytes(Vec<u8>),
    /// These bytes; then nothing, until the client goes.
    Stalled(Vec<u8>),
    /// These bytes; then zeros, until the client goes.
    Endless(Vec<u8>),
}

impl From<Vec<u8>> for Reply {
    fn from(bytes: Vec<u8>) -> Reply {
        Reply::Bytes(bytes)
    }
}

/// A request: its path, and its ranges, such as `0-99,200-`.
pub type Asked = (String, Option<String>);

/// A server on a port of its own, as long as the process runs.
pub struct Host {
    /// Its address.
    pub url: String,
    asked: Arc<Mutex<Vec<Asked>>>,
}

impl Host {
    /// A server that answers by `reply`, which gets the path and the ranges.
    pub fn start<R: Into<Reply>>(reply: impl Fn(&str, Option<&str>) -> R + Send + Sync + 'static) -> Host {
        Host::with_certificate(None, reply)
    }

    /// The same by https, with the certificate and the key of a file.
    pub fn with_certificate<R: Into<Reply>>(
        file: Option<&[u8]>,
        reply: impl Fn(&str, Option<&str>) -> R + Send + Sync + 'static,
    ) -> Host {
        let tls = file.map(|file| {
            let (certificate, key) = (CertificateDer::from_pem_slice(file), PrivateKeyDer::from_pem_slice(file));
            let config = ServerConfig::builder().with_no_client_auth();
            Arc::new(config.with_single_cert(vec![certificate.unwrap()], key.unwrap()).unwrap())
        });
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let scheme = if tls.is_some() { "https" } else { "http" };
        let url = format!("{scheme}://{}/", listener.local_addr().unwrap());
        let asked = Arc::new(Mutex::new(Vec::new()));
        let (reply, seen) = (Arc::new(reply), Arc::clone(&asked));
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (tls, reply, seen) = (tls.clone(), Arc::clone(&reply), Arc::clone(&seen));
                thread::spawn(move || {
                    let mut stream: Box<dyn Stream> = match tls {
                        Some(tls) => Box::new(StreamOwned::new(ServerConnection::new(tls).unwrap(), stream)),
                        None => Box::new(stream),
                    };
                    let Some((path, ranges)) = request(&mut *stream) else { return };
                    seen.lock().unwrap().push((path.clone(), ranges.clone()));
                    send(stream, reply(&path, ranges.as_deref()).into());
                });
            }
        });
        Host { url, asked }
    }

    /// The requests so far.
    pub fn asked(&self) -> Vec<Asked> {
        self.asked.lock().unwrap().clone()
    }
}

trait Stream: Read + Write {}

impl<S: Read + Write> Stream for S {}

/// Reads a request.
fn request(stream: &mut dyn Stream) -> Option<Asked> {
    let (mut head, mut byte) = (Vec::new(), [0]);
    while !head.ends_with(b"\r\n\r\n") {
        stream.read_exact(&mut byte).ok()?;
        head.push(byte[0]);
    }
    let head = String::from_utf8(head).ok()?;
    let lower = head.to_ascii_lowercase();
    let ranges = lower.split("range: bytes=").nth(1).and_then(|ranges| ranges.split("\r\n").next());
    Some((head.split(' ').nth(1)?.to_owned(), ranges.map(str::to_owned)))
}

/// Sends an answer. The client may be gone.
fn send(mut stream: Box<dyn Stream>, reply: Reply) {
    let (Reply::Bytes(bytes) | Reply::Stalled(bytes) | Reply::Endless(bytes)) = &reply;
    let _ = stream.write_all(bytes);
    match reply {
        Reply::Bytes(_) => {}
        Reply::Stalled(_) => drop(stream.read(&mut [0])),
        Reply::Endless(_) => while stream.write_all(&[0; 4096]).is_ok() {},
    }
}

/// An answer with a status, more headers and a body, whose length is given.
pub fn answer(status: &str, headers: &str, body: &[u8]) -> Vec<u8> {
    let head = format!("HTTP/1.1 {status}\r\nconnection: close\r\n{headers}content-length: {}\r\n\r\n", body.len());
    [head.as_bytes(), body].concat()
}

/// The answer for a file that is not there.
pub fn absent() -> Vec<u8> {
    answer("404 Not Found", "", b"")
}

/// An honest server's answer.
pub fn honest(folder: &Path, path: &str, ranges: Option<&str>) -> Vec<u8> {
    let Ok(bytes) = std::fs::read(folder.join(path.trim_start_matches('/'))) else { return absent() };
    let Some(ranges) = ranges else { return answer("200 OK", "", &bytes) };
    let part = |range: &str| {
        let (from, to) = range.split_once('-').unwrap();
        let (from, to): (usize, _) = (from.parse().unwrap(), to.parse().unwrap_or(bytes.len() - 1));
        (format!("content-range: bytes {from}-{to}/{}\r\n", bytes.len()), &bytes[from..=to])
    };
    let parts: Vec<_> = ranges.split(',').map(part).collect();
    if let [(header, bytes)] = &parts[..] {
        return answer("206 Partial Content", header, bytes);
    }
    let part = |(header, bytes): &(String, &[u8])| [b"--x\r\n", header.as_bytes(), b"\r\n", bytes, b"\r\n"].concat();
    let body: Vec<u8> = parts.iter().flat_map(part).chain(*b"--x--\r\n").collect();
    answer("206 Partial Content", "content-type: multipart/byteranges; boundary=x\r\n", &body)
}
