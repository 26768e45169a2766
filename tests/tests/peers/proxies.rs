//! The service behind reverse proxies, nginx and HAProxy, by the files of `probe/service/deploy`, over TLS: gRPC,
//! gRPC-web, JSON, the page, and the addresses of clients.

use std::fs;
use std::io::Write;
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use makruk_tests::server::Server;
use serde_json::json;
use tempfile::TempDir;

use crate::clients::{FEN, calls_every_method};

const NGINX: &str = include_str!("../../../probe/service/deploy/nginx.conf");
const HAPROXY: &str = include_str!("../../../probe/service/deploy/haproxy.cfg");
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

/// A file of settings with other addresses and files.
fn settings(text: &str, replaced: &[(&str, &str)]) -> String {
    replaced.iter().fold(text.to_owned(), |text, (from, to)| {
        assert!(text.contains(from), "{from}: {text}");
        text.replace(from, to)
    })
}

/// A certificate for this machine, and its key.
fn certificate(folder: &Path) -> [PathBuf; 2] {
    let files = ["certificate.pem", "key.pem"].map(|name| folder.join(name));
    let mut openssl = Command::new("openssl");
    openssl.args(["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"]);
    openssl.args(["-addext", "subjectAltName=IP:127.0.0.1", "-out"]).arg(&files[0]).arg("-keyout").arg(&files[1]);
    assert!(openssl.stderr(Stdio::null()).status().expect("openssl").success());
    files
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

fn nginx(folder: &Path, address: SocketAddr, server: &str) -> Proxy {
    let [certificate, key] = certificate(folder).map(|file| file.display().to_string());
    let servers = settings(
        NGINX,
        &[
            ("listen 443", &format!("listen {address}")),
            ("/etc/makruk/certificate.pem", &certificate),
            ("/etc/makruk/key.pem", &key),
            ("127.0.0.1:50051", server),
        ],
    );
    let path = |name: &str| folder.join(name).display().to_string();
    let temporary: String = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        .iter()
        .map(|name| format!("{name}_temp_path {};\n", path(name)))
        .collect();
    let text = format!(
        "daemon off; master_process off; pid {}; error_log {} warn;\nevents {{}}\nhttp {{\naccess_log off;\n{temporary}{servers}}}\n",
        path("pid"),
        path("errors")
    );
    let file = folder.join("nginx.conf");
    fs::write(&file, text).expect("written");
    begin(Command::new("nginx").env("PATH", search_path()).arg("-c").arg(file).arg("-p").arg(folder), address)
}

fn haproxy(folder: &Path, address: SocketAddr, server: &str) -> Proxy {
    let both = folder.join("both.pem");
    let parts = certificate(folder).map(|file| fs::read_to_string(file).expect("read"));
    fs::write(&both, parts.concat()).expect("written");
    let text = settings(
        HAPROXY,
        &[
            ("bind :443", &format!("bind {address}")),
            ("/etc/makruk/both.pem", &both.display().to_string()),
            ("127.0.0.1:50051", server),
        ],
    );
    let file = folder.join("haproxy.cfg");
    fs::write(&file, text).expect("written");
    begin(Command::new("haproxy").env("PATH", search_path()).arg("-db").arg("-f").arg(file), address)
}

fn search_path() -> String {
    std::env::var("PATH").unwrap_or_default() + ":/usr/sbin"
}

/// The answer to a request of HTTP/1.1 from an address of the client's choice, headers included.
fn ask(from: &str, authority: &Path, url: &str, headers: &[&str], body: &[u8]) -> Vec<u8> {
    let mut curl = Command::new("curl");
    curl.args(["-sSi", "--http1.1", "--interface", from, "--cacert"]).arg(authority).arg(url);
    for header in headers {
        curl.args(["-H", header]);
    }
    if !body.is_empty() {
        curl.args(["--data-binary", "@-"]);
    }
    let mut curl = curl.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("curl");
    curl.stdin.take().expect("its input").write_all(body).expect("written");
    curl.wait_with_output().expect("an answer").stdout
}

/// Sends 64 MiB without a token by either version of HTTP, and does not read a long answer; returns the proxy's folder.
/// The bounds are those of the service, which the proxy asks before it takes a body in.
fn leaves_bounds_to_the_service(begin: fn(&Path, SocketAddr, &str) -> Proxy) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let tokens = folder.path().join("tokens");
    fs::write(&tokens, "a-token-of-the-tests").expect("written");
    let server = Server::with(&["--trusted-proxies", "127.0.0.1", "--token-file", &tokens.to_string_lossy()], "info");
    let address = free_address();
    let _proxy = begin(folder.path(), address, &server.address);
    let authority = folder.path().join("certificate.pem");
    let send = |headers: &[&str], path: &str, body: &Path| {
        let mut curl = Command::new("curl");
        curl.args(["-sS", "--max-time", "60", "-o", "/dev/null", "-w", "%{http_version} %{http_code}", "--cacert"]);
        curl.arg(&authority).args(["-X", "POST", "-T", "-", "-H", "expect:"]).args(headers);
        curl.arg(format!("https://{address}{path}")).stdin(fs::File::open(body).expect("a body"));
        String::from_utf8_lossy(&curl.output().expect("curl").stdout).into_owned()
    };
    let body = folder.path().join("body");
    fs::File::create(&body).and_then(|file| file.set_len(64 << 20)).expect("a body");
    for version in ["1.1", "2"] {
        let http = format!("--http{version}");
        for path in ["/v1/batch", "/nowhere"] {
            assert_eq!(send(&[&http], path, &body), format!("{version} 401"), "{path}");
        }
        let token = [&http, "-H", "authorization: bearer a-token-of-the-tests"];
        assert_eq!(send(&token, "/v1/batch", &body), format!("{version} 413"));
    }
    // Some megabytes, of which the client takes few.
    let batch = json!({ "fens": vec![FEN; 1000], "moves": true }).to_string();
    fs::write(&body, batch).expect("a body");
    let slow = ["--limit-rate", "100k", "--max-time", "2", "-H", "authorization: bearer a-token-of-the-tests"];
    assert_eq!(send(&slow, "/v1/batch", &body), "2 200");
    folder
}

#[test]
#[ignore = "needs nginx, openssl and curl"]
fn nginx_writes_no_body_to_its_disk() {
    let folder = leaves_bounds_to_the_service(nginx);
    let errors = fs::read_to_string(folder.path().join("errors")).expect("the proxy's log");
    assert!(!errors.contains("buffered to a temporary file"), "{errors}");
}

#[test]
#[ignore = "needs HAProxy, openssl and curl"]
fn haproxy_leaves_bounds_to_the_service() {
    leaves_bounds_to_the_service(haproxy);
}

fn answers_everything(begin: fn(&Path, SocketAddr, &str) -> Proxy) {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::with(&["--trusted-proxies", "127.0.0.1"], "debug");
    let address = free_address();
    let _proxy = begin(folder.path(), address, &server.address);
    let authority = folder.path().join("certificate.pem");
    calls_every_method(&address.to_string(), Some(&authority));

    let ask = |from: &str, path: &str, headers: &[&str], body: &[u8]| {
        let answer = ask(from, &authority, &format!("https://{address}{path}"), headers, body);
        assert!(answer.starts_with(b"HTTP/1.1 200"), "{path}: {}", String::from_utf8_lossy(&answer));
        String::from_utf8_lossy(&answer).into_owned()
    };
    let fen = FEN.replace(' ', "_");
    let probe = format!("/v1/probe?fen={fen}");
    assert!(ask("127.0.0.77", &probe, &[], b"").contains("\"dtz\":45"));
    let page = ask("127.0.0.1", &format!("/?fen={fen}"), &[], b"");
    assert!(page.contains("<html") && page.contains("/board.png?fen="), "{page}");
    let script = ask("127.0.0.1", "/page.js", &["accept-encoding: gzip"], b"");
    assert!(script.to_ascii_lowercase().contains("content-encoding: gzip"), "{script}");
    // A message of gRPC-web: the field 1 is the position.
    let mut message = vec![0, 0, 0, 0, FEN.len() as u8 + 2, 10, FEN.len() as u8];
    message.extend(FEN.as_bytes());
    let web = ask("127.0.0.1", "/makruk.v1.Tablebase/Probe", &["content-type: application/grpc-web+proto"], &message);
    assert!(web.contains("KRvKS") && web.contains("grpc-status:0"), "{web}");
    // The client's address is that which the proxy has seen, not that which a client claims.
    ask("127.0.0.78", &probe, &["x-forwarded-for: 192.0.2.9"], b"");
    let (_, log) = server.end("TERM");
    for client in ["127.0.0.77", "127.0.0.78"] {
        assert!(log.contains(&format!("client={client}")), "{client}: {log}");
    }
    assert!(!log.contains("client=192.0.2.9"), "{log}");
}

#[test]
#[ignore = "needs nginx, openssl, curl and grpcurl"]
fn behind_nginx() {
    answers_everything(nginx);
}

#[test]
#[ignore = "needs HAProxy, openssl, curl and grpcurl"]
fn behind_haproxy() {
    answers_everything(haproxy);
}
