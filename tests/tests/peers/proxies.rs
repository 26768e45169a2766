//! The service behind reverse proxies, nginx and HAProxy, by the settings that the service's manual shows: gRPC,
//! gRPC-web, JSON, the page, and the addresses of clients.

use std::fs;
use std::io::{Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::clients::{FENS, Server, ask_every_method, expected};

const MANUAL: &str = include_str!("../../../probe/service/OPERATING.md");
/// Time in which a proxy begins.
const LONG: Duration = Duration::from_secs(60);

/// A proxy, which ends with the test.
struct Proxy(Child);

impl Drop for Proxy {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The settings of the manual that begin with a line, with other addresses.
fn settings(first: &str, listen: &str, bind: &str, server: &str) -> String {
    let (_, rest) = MANUAL.split_once(&format!("```text\n{first}")).expect("the settings of the manual");
    let (text, _) = rest.split_once("```").expect("their end");
    let text = format!("{first}{text}").replace("127.0.0.1:50051", server);
    assert!(text.contains(listen), "{text}");
    text.replace(listen, bind)
}

/// An address that nothing listens on.
fn free_address() -> SocketAddr {
    TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port").local_addr().expect("its address")
}

/// Begins a proxy, and waits until it listens.
fn begin(command: &mut Command, address: SocketAddr) -> Proxy {
    let proxy = Proxy(command.stdout(Stdio::null()).spawn().expect("a proxy"));
    let begun = Instant::now();
    while TcpStream::connect(address).is_err() {
        assert!(begun.elapsed() < LONG, "{command:?} does not listen");
        std::thread::sleep(Duration::from_millis(20));
    }
    proxy
}

fn nginx(folder: &Path, address: SocketAddr, clear: SocketAddr, server: &str) -> Proxy {
    // gRPC without TLS needs a port of HTTP/2 alone: this nginx does not tell them apart.
    let of = |listen: String| settings("server {\n", "listen 443 ssl http2;", &listen, server);
    let servers = of(format!("listen {address} http2;")) + &of(format!("listen {clear};"));
    let path = |name: &str| folder.join(name).display().to_string();
    let temporary: String = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        .iter()
        .map(|name| format!("{name}_temp_path {};\n", path(name)))
        .collect();
    let text = format!(
        "daemon off; master_process off; pid {}; error_log stderr;\nevents {{}}\nhttp {{\naccess_log off;\n{temporary}{servers}}}\n",
        path("pid")
    );
    let file = folder.join("nginx.conf");
    fs::write(&file, text).expect("written");
    begin(Command::new("nginx").env("PATH", search_path()).arg("-c").arg(file).arg("-p").arg(folder), address)
}

fn haproxy(folder: &Path, address: SocketAddr, clear: SocketAddr, server: &str) -> Proxy {
    let tls = "bind :443 ssl crt /etc/haproxy/certificate.pem alpn h2,http/1.1";
    let bind = format!("bind {address} proto h2\n    bind {clear}");
    let text = settings("frontend clients\n", tls, &bind, server);
    let timeouts = "defaults\n    timeout connect 5s\n    timeout client 1h\n    timeout server 1h\n";
    let file = folder.join("haproxy.cfg");
    fs::write(&file, format!("{timeouts}{text}")).expect("written");
    begin(Command::new("haproxy").env("PATH", search_path()).arg("-db").arg("-f").arg(file), address)
}

fn search_path() -> String {
    std::env::var("PATH").unwrap_or_default() + ":/usr/sbin"
}

/// The answer to a request of HTTP/1.1, from an address of the client's choice.
fn ask(from: [u8; 4], address: SocketAddr, head: &str, body: &[u8]) -> Vec<u8> {
    let socket = socket2::Socket::new(socket2::Domain::IPV4, socket2::Type::STREAM, None).expect("a socket");
    socket.bind(&SocketAddr::from((from, 0)).into()).expect("an address");
    socket.connect(&address.into()).expect("a connection");
    let mut stream = TcpStream::from(socket);
    let length = body.len();
    let head = format!("{head}\r\nhost: test\r\nconnection: close\r\ncontent-length: {length}\r\n\r\n");
    stream.write_all(&[head.as_bytes(), body].concat()).expect("written");
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).expect("an answer");
    answer
}

fn answers_everything(begin: fn(&Path, SocketAddr, SocketAddr, &str) -> Proxy) {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::with(&["--trusted-proxies", "127.0.0.1"], "debug");
    let (grpc, clear) = (free_address(), free_address());
    let _proxy = begin(folder.path(), grpc, clear, &server.address);
    assert_eq!(ask_every_method(&grpc.to_string()), expected());

    let contains = |answer: &[u8], text: &str| answer.windows(text.len()).any(|part| part == text.as_bytes());
    let fen = FENS[0].replace(' ', "_");
    let json = ask([127, 0, 0, 77], clear, &format!("GET /v1/probe?fen={fen} HTTP/1.1"), b"");
    assert!(json.starts_with(b"HTTP/1.1 200") && contains(&json, "\"dtz\":45"), "{}", String::from_utf8_lossy(&json));
    let page = ask([127, 0, 0, 1], clear, "GET / HTTP/1.1", b"");
    assert!(page.starts_with(b"HTTP/1.1 200") && contains(&page, "<html"), "{}", String::from_utf8_lossy(&page));
    // A message of gRPC-web: the field 1 is the position.
    let mut message = vec![0, 0, 0, 0, FENS[0].len() as u8 + 2, 10, FENS[0].len() as u8];
    message.extend(FENS[0].as_bytes());
    let head = "POST /makruk.v1.Tablebase/Probe HTTP/1.1\r\ncontent-type: application/grpc-web+proto";
    let web = ask([127, 0, 0, 1], clear, head, &message);
    assert!(web.starts_with(b"HTTP/1.1 200") && contains(&web, "KRvKS") && contains(&web, "grpc-status:0"));
    // The client's address is that which the proxy has seen, not that which a client claims.
    let claimed = format!("GET /v1/probe?fen={fen} HTTP/1.1\r\nx-forwarded-for: 192.0.2.9");
    assert!(ask([127, 0, 0, 78], clear, &claimed, b"").starts_with(b"HTTP/1.1 200"));
    let log = server.end();
    for client in ["127.0.0.77", "127.0.0.78"] {
        assert!(log.contains(&format!("client={client}")), "{client}: {log}");
    }
    assert!(!log.contains("client=192.0.2.9"), "{log}");
}

#[test]
#[ignore = "needs nginx and grpcio"]
fn behind_nginx() {
    answers_everything(nginx);
}

#[test]
#[ignore = "needs HAProxy and grpcio"]
fn behind_haproxy() {
    answers_everything(haproxy);
}
