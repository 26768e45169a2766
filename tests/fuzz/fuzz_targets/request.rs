//! Any bytes as input from a client: raw bytes on the port, a query, a body of JSON, a message of gRPC-web. The
//! server's answer is one that the protocol allows, and the server survives.
//!
//! The first byte selects the kind of input.

#![no_main]

use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::sync::OnceLock;
use std::time::Duration;

use libfuzzer_sys::fuzz_target;
use makruk_format::TableFolder;
use makruk_generator::{Options, Silent, build};
use makruk_service::{Server, Settings};
use makruk_tables::material::Material;

/// The paths that take a query, a body of JSON, a message.
const QUERIES: [&str; 10] = [
    "v1/probe",
    "v1/line",
    "v1/play",
    "v1/explore",
    "v1/tables",
    "v1/tables/KRvK",
    "v1/saves",
    "v1/saves/KRvK",
    "makruk",
    "makruk/mainline",
];
const BODIES: [&str; 2] = ["batch", "analyse"];
const METHODS: [&str; 8] =
    ["Probe", "ProbeBatch", "BestLine", "Play", "ListTables", "TableStatistics", "FindSaves", "SaveStatistics"];

/// The statuses that a client may get: the server has no other answer to arbitrary bytes.
const ALLOWED: [u16; 9] = [200, 400, 404, 405, 411, 413, 415, 422, 431];

fuzz_target!(|data: &[u8]| {
    let Some((&kind, rest)) = data.split_first() else { return };
    let address = *ADDRESS.get_or_init(serve);
    let (what, kind) = (usize::from(kind) / 4, kind % 4);
    let sent = match kind {
        0 => rest.to_vec(),
        1 => request("GET", &format!("/{}?{}", QUERIES[what % QUERIES.len()], escaped(rest)), "", &[]),
        2 => request("POST", &format!("/v1/{}", BODIES[what % BODIES.len()]), "application/json", rest),
        _ => {
            let method = format!("/makruk.v1.Tablebase/{}", METHODS[what % METHODS.len()]);
            let frame = [&[0][..], &(rest.len() as u32).to_be_bytes(), rest].concat();
            request("POST", &method, "application/grpc-web+proto", &frame)
        }
    };
    let answer = exchange(address, &sent, kind == 0);
    let (head, body) = halves(&answer);
    if kind == 0 {
        // Bytes that are not a request may get no answer.
        return;
    }
    let status: u16 = head.get(9..12).and_then(|code| code.parse().ok()).expect("a status line");
    assert!(ALLOWED.contains(&status), "{head}");
    if kind != 3 {
        let json = head.to_ascii_lowercase().contains("content-type: application/json");
        assert!(
            !json || serde_json::from_slice::<serde_json::Value>(body).is_ok(),
            "{}",
            String::from_utf8_lossy(body)
        );
        assert!(json || status != 200, "{head}");
    }
    // The server survives, and answers a probe.
    if data.len().is_multiple_of(64) {
        let asked = request("GET", "/v1/probe?moves=false&fen=8/8/8/8/3k4/8/8/R3K3_w", "", &[]);
        let answer = exchange(address, &asked, false);
        let known: serde_json::Value = serde_json::from_slice(halves(&answer).1).expect("an answer");
        assert_eq!((&known["category"], &known["dtm"]), (&"win".into(), &27.into()));
    }
});

static ADDRESS: OnceLock<SocketAddr> = OnceLock::new();

/// Starts a server of all materials of three men, for the whole process.
fn serve() -> SocketAddr {
    // The server survives the panic of a thread; here a panic ends the process.
    std::panic::set_hook(Box::new(|panic| {
        eprintln!("{panic}");
        std::process::abort();
    }));
    let folder = tempfile::tempdir().expect("a folder").keep();
    build(&TableFolder::create(&folder).expect("a folder"), Material::all(3), &Options::default(), &Silent)
        .expect("tables of three men");
    let server = Server::new(folder, Settings::default()).expect("a server");
    let (sender, receiver) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().expect("threads");
        runtime.block_on(async {
            let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
            sender.send(listener.local_addr().expect("its address")).expect("somebody waits");
            server.run(listener, Box::pin(std::future::pending())).await;
        });
    });
    receiver.recv().expect("the server has begun")
}

fn request(method: &str, path: &str, content: &str, body: &[u8]) -> Vec<u8> {
    let content = if content.is_empty() { String::new() } else { format!("content-type: {content}\r\n") };
    let len = body.len();
    let head = format!(
        "{method} {path} HTTP/1.1\r\nhost: fuzz\r\nconnection: close\r\n{content}content-length: {len}\r\n\r\n"
    );
    [head.as_bytes(), body].concat()
}

/// The text of a query: illegal characters are escaped; escapes stay, so that the fuzzer can escape as well.
fn escaped(bytes: &[u8]) -> String {
    let one = |&byte: &u8| match byte {
        b'!'..=b'~' if byte != b'#' => (byte as char).to_string(),
        _ => format!("%{byte:02X}"),
    };
    bytes.iter().map(one).collect()
}

/// Sends bytes, and reads until the server closes. A client that has closed its side may get no answer: so an `end`
/// follows only bytes that may be less than a request.
fn exchange(address: SocketAddr, sent: &[u8], end: bool) -> Vec<u8> {
    let mut stream = TcpStream::connect(address).expect("the server listens");
    stream.set_read_timeout(Some(Duration::from_secs(30))).expect("a timeout");
    // The server need not read the rest of a request that is too long.
    let _ = stream.write_all(sent);
    if end {
        let _ = stream.shutdown(Shutdown::Write);
    }
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    answer
}

/// The head of an answer as text, and its body.
fn halves(answer: &[u8]) -> (&str, &[u8]) {
    let end = answer.windows(4).position(|four| four == b"\r\n\r\n").map_or(answer.len(), |at| at + 4);
    (std::str::from_utf8(&answer[..end]).unwrap_or_default(), &answer[end..])
}
