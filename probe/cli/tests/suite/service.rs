//! `makruk-probe serve` as a process. The tests of the service itself are in its crate.

use std::io::{BufRead, BufReader, Read};
use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use makruk_proto::v1::tablebase_client::TablebaseClient;
use makruk_proto::v1::{ListTablesRequest, ProbeBatchRequest, ProbeRequest, ProbeResponse};
use tonic::Status;
use tonic::transport::Channel;
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_client::HealthClient;
use tonic_types::StatusExt;

use crate::program::common::folder as tables;

/// Rook against bare king, White to move and win.
const ROOK_WINS: &str = "8/8/8/8/3k4/8/8/R3K3 w - - 0 1";
/// A time in which everything expected happens, on however busy a machine.
const LONG: Duration = Duration::from_secs(300);

async fn connect(address: SocketAddr) -> Channel {
    Channel::from_shared(format!("http://{address}")).unwrap().connect().await.unwrap()
}

async fn probe(channel: &Channel, fen: &str) -> Result<ProbeResponse, Status> {
    let request = ProbeRequest { fen: fen.to_owned(), include_moves: true };
    Ok(TablebaseClient::new(channel.clone()).probe(request).await?.into_inner())
}

struct Process {
    child: Child,
    address: SocketAddr,
    /// The lines of its log, read all the time.
    log: Option<JoinHandle<String>>,
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn serve() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_makruk-probe"));
    command.args(["serve", "--listen", "127.0.0.1:0"]).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

impl Process {
    fn start(command: &mut Command) -> Process {
        let mut child = command.spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim().strip_prefix("listening on ").expect(&line).parse().unwrap();
        let mut errors = child.stderr.take().unwrap();
        let log = std::thread::spawn(move || {
            let mut log = String::new();
            errors.read_to_string(&mut log).unwrap();
            log
        });
        Process { child, address, log: Some(log) }
    }

    fn signal(&self, name: &str) {
        let pid = self.child.id().to_string();
        assert!(Command::new("kill").args([format!("-{name}"), pid]).status().unwrap().success());
    }

    /// The exit code and the log.
    fn ended(&mut self) -> (Option<i32>, String) {
        let begun = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return (status.code(), self.log.take().unwrap().join().unwrap());
            }
            assert!(begun.elapsed() < LONG, "it does not end");
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
async fn the_limit_of_open_files_sizes_the_connections() {
    use tokio::io::AsyncReadExt;
    use tokio::net::TcpStream;

    let mut command = Command::new("sh");
    command.args(["-c", "ulimit -n 200 && exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_makruk-probe")]);
    command.args(["serve", "--listen", "127.0.0.1:0", "--tables"]).arg(tables());
    let mut process = Process::start(command.stdout(Stdio::piped()).stderr(Stdio::piped()));
    let client = connect(process.address).await;
    let mut held = Vec::new();
    for _ in 0..300 {
        held.extend(TcpStream::connect(process.address).await);
    }
    // Those that are closed are closed soon, on a busy machine later: until their number stays.
    let (begun, mut open, mut before) = (Instant::now(), 300, 301);
    while (open < before || open > 150) && begun.elapsed() < LONG {
        tokio::time::sleep(Duration::from_millis(500)).await;
        (before, open) = (open, 0);
        for stream in &mut held {
            let closed = tokio::time::timeout(Duration::from_millis(5), stream.read_u8()).await;
            open += usize::from(closed.is_err());
        }
    }
    // No table is open yet: there are descriptors left for all of them.
    for piece in ["R", "S", "N", "M"] {
        let fen = format!("8/8/8/8/3k4/8/8/{piece}3K3 w - - 0 1");
        assert!(probe(&client, &fen).await.is_ok(), "{piece}");
    }
    drop(held);
    process.signal("TERM");
    let (code, log) = process.ended();
    assert_eq!(code, Some(0));
    let (_, allowed) = log.split_once("the system allows 200 open files: ").expect(&log);
    let allowed: usize = allowed.split(' ').next().unwrap().parse().unwrap();
    assert!((30..150).contains(&allowed) && open <= allowed && open > allowed / 2, "{open} of {allowed}");
}

#[tokio::test(flavor = "multi_thread")]
async fn signals_drain_and_exit_with_success() {
    for signal in ["TERM", "INT"] {
        let mut process = Process::start(serve().arg("--tables").arg(tables()));
        let client = connect(process.address).await;
        assert!(probe(&client, ROOK_WINS).await.is_ok());
        // Programs that rotate logs send these: none of them ends it.
        for other in ["USR1", "USR2", "ALRM"] {
            process.signal(other);
        }
        assert!(probe(&client, ROOK_WINS).await.is_ok());
        // Neither an idle connection nor an endless stream delays the end.
        let mut health = HealthClient::new(connect(process.address).await);
        let _watch = health.watch(HealthCheckRequest::default()).await.unwrap();
        process.signal(signal);
        let (code, log) = tokio::task::spawn_blocking(move || process.ended()).await.unwrap();
        assert_eq!(code, Some(0), "{signal}: {log}");
        assert!(log.contains("all requests answered"), "{log}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn build_makes_what_is_missing_first() {
    let parent = tempfile::tempdir().unwrap();
    let folder = parent.path().join("new");
    let process = Process::start(serve().args(["--build", "3", "--tables"]).arg(&folder));
    let answer = probe(&connect(process.address).await, ROOK_WINS).await.unwrap();
    assert_eq!(answer.dtm_plies.map(|plies| plies % 2), Some(1));
    assert!(folder.join("KMvK.dtm").is_file());
}

#[test]
fn what_keeps_it_from_serving_is_said() {
    let run = |command: &mut Command| {
        let output = command.output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    let (code, text) = run(serve().args(["--tables", "/nonexistent/tables"]));
    assert!(code == Some(1) && text.contains("/nonexistent/tables"), "{code:?} {text}");
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let mut command = Command::new(env!("CARGO_BIN_EXE_makruk-probe"));
    let (code, text) = run(command.args(["serve", "--listen", &address, "--tables"]).arg(tables()));
    assert!(code == Some(1) && text.contains(&format!("cannot listen on {address}")), "{code:?} {text}");
    assert!(text.contains("; end the program that uses it, or give --listen another port"), "{text}");
    for bad in [["--listen", "nowhere"], ["--in-flight", "0"], ["--build", "9"]] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_makruk-probe"));
        assert_eq!(run(command.arg("serve").args(bad)).0, Some(2), "{bad:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn flags_come_before_the_environment() {
    let most = async |command: &mut Command| {
        let process = Process::start(command.env("MAKRUK_TABLES", tables()));
        let mut client = TablebaseClient::new(connect(process.address).await);
        let request = ProbeBatchRequest { fens: vec!["x".to_owned(); 20], include_moves: false };
        let status = client.probe_batch(request).await.unwrap_err();
        status.get_details_error_info().unwrap().metadata["most"].clone()
    };
    assert_eq!(most(serve().env("MAKRUK_SERVE_BATCH", "4")).await, "4");
    assert_eq!(most(serve().env("MAKRUK_SERVE_BATCH", "4").args(["--batch", "5"])).await, "5");
    let check = |name: &str, value: &str| {
        let output = serve().arg("--check").env("MAKRUK_TABLES", tables()).env(name, value).output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    assert_eq!(check("MAKRUK_SERVE_BATCH", "4").0, Some(0));
    let (code, text) = check("MAKRUK_SERVE_BATCH", "many");
    assert!(code == Some(2) && text.contains("\"many\" is not valid: expected a whole number"), "{code:?} {text}");
    // A folder without tables, and a variable that is misspelt.
    let empty = tempfile::tempdir().unwrap();
    for (name, value) in [("MAKRUK_TABLES", empty.path().to_str().unwrap()), ("MAKRUK_SERVE_BATSH", "4")] {
        let (code, text) = check(name, value);
        assert!(code == Some(1) && text.len() > 20, "{name}={value}: {code:?} {text}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hangup_has_it_look_again() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::copy(tables().join("KNvK.dtm"), folder.path().join("KNvK.dtm")).unwrap();
    let mut process =
        Process::start(serve().args(["--watch-ms", "0", "--log-format", "json", "--tables"]).arg(folder.path()));
    let mut client = TablebaseClient::new(connect(process.address).await);
    let tables_listed = async |client: &mut TablebaseClient<_>| {
        client.list_tables(ListTablesRequest::default()).await.unwrap().into_inner().tables.len()
    };
    assert_eq!(tables_listed(&mut client).await, 1);
    std::fs::copy(tables().join("KRvK.dtm"), folder.path().join("KRvK.dtm")).unwrap();
    process.signal("HUP");
    let begun = Instant::now();
    while tables_listed(&mut client).await != 2 {
        assert!(begun.elapsed() < LONG, "it does not look");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    // Each line of the log is an object, and a failure has its request's id.
    std::fs::write(folder.path().join("KRvK.dtm"), "damaged").unwrap();
    process.signal("HUP");
    let mut request = tonic::Request::new(ProbeRequest { fen: ROOK_WINS.to_owned(), include_moves: false });
    request.metadata_mut().insert("x-request-id", "look-for-me".parse().unwrap());
    while client
        .probe(tonic::Request::from_parts(request.metadata().clone(), Default::default(), request.get_ref().clone()))
        .await
        .is_ok()
    {
        assert!(begun.elapsed() < LONG, "it does not look");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    process.signal("TERM");
    let (code, log) = tokio::task::spawn_blocking(move || process.ended()).await.unwrap();
    assert_eq!(code, Some(0), "{log}");
    let lines: Vec<serde_json::Value> = log.lines().map(|line| serde_json::from_str(line).expect(line)).collect();
    let failure = lines.iter().find(|line| line["reason"] == "CORRUPT_TABLE").expect(&log);
    assert_eq!((&failure["span"]["id"], &failure["span"]["method"]), (&"look-for-me".into(), &"Probe".into()));
    assert_eq!(failure["level"], "ERROR");
}
