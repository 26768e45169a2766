//! `makruk-probe serve` as a server. The tests of the service itself are in its crate.

// A test's helpers may fail as its body may.
#![allow(clippy::unwrap_used)]

use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

use makruk_proto::v1::tablebase_client::TablebaseClient;
use makruk_proto::v1::{ListTablesRequest, ProbeBatchRequest, ProbeRequest, ProbeResponse};
use makruk_rules::Fen;
use makruk_tables::material::Material;
use makruk_tests::programs::{PROBE, program, run};
use makruk_tests::server::Server;
use test_tables::random_position_of;
use test_tables::reference::NamedMaterial;
use tonic::Status;
use tonic::transport::Channel;
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_client::HealthClient;
use tonic_types::StatusExt;

/// Rook against bare king, White to move and win.
const ROOK_WINS: &str = "8/8/8/8/3k4/8/8/R3K3 w - - 0 1";
/// A time in which everything expected happens, on however busy a machine.
const LONG: Duration = Duration::from_secs(300);

async fn connect(server: &Server) -> Channel {
    Channel::from_shared(format!("http://{}", server.address)).unwrap().connect().await.unwrap()
}

async fn probe(channel: &Channel, fen: &str) -> Result<ProbeResponse, Status> {
    let request = ProbeRequest { fen: fen.to_owned(), include_moves: true };
    Ok(TablebaseClient::new(channel.clone()).probe(request).await?.into_inner())
}

/// A folder with tables of three and four men alone.
fn tables() -> PathBuf {
    test_tables::alone(test_tables::materials(&test_tables::FEW))
}

#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
async fn the_limit_of_open_files_sizes_the_connections() {
    use tokio::io::AsyncReadExt;
    use tokio::net::TcpStream;

    let mut command = Command::new("sh");
    command.args(["-c", "ulimit -n 200 && exec \"$0\" \"$@\""]).arg(program(PROBE).get_program());
    let server = Server::start(command.args(["serve", "--listen", "127.0.0.1:0", "--tables"]).arg(tables()));
    let mut held = Vec::new();
    for _ in 0..300 {
        held.extend(TcpStream::connect(&server.address).await);
    }
    // The server closes some soon, or later on a busy machine, and in the end all of them, since they send nothing.
    let (begun, mut open) = (Instant::now(), 300);
    while open > 84 && begun.elapsed() < LONG {
        tokio::time::sleep(Duration::from_millis(100)).await;
        open = 0;
        for stream in &mut held {
            let closed = tokio::time::timeout(Duration::from_millis(5), stream.read_u8()).await;
            open += usize::from(closed.is_err());
        }
    }
    // After a second, an idle connection makes room for a new one from its own address. No table is open yet, so that
    // descriptors are left for all tables.
    tokio::time::sleep(Duration::from_millis(1500)).await;
    let client = connect(&server).await;
    for piece in ["R", "S", "N", "M"] {
        let fen = format!("8/8/8/8/3k4/8/8/{piece}3K3 w - - 0 1");
        let answer = probe(&client, &fen).await;
        assert!(answer.is_ok(), "{piece}: {answer:?}");
    }
    drop(held);
    let (code, log) = server.end("TERM");
    assert_eq!(code, Some(0));
    let (_, allowed) = log.split_once("the system allows 200 open files: ").expect(&log);
    let allowed: usize = allowed.split(' ').next().unwrap().parse().unwrap();
    // The rest is for tables that cannot be mapped.
    assert!(allowed == 84 && open <= allowed && open > allowed / 2, "{open} of {allowed}");
}

/// More tables than files that may be open: a table that is mapped keeps none open.
#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
async fn tables_outnumber_the_open_files() {
    let mut command = Command::new("sh");
    command.args(["-c", "ulimit -n 48 && exec \"$0\" \"$@\""]).arg(program(PROBE).get_program());
    command.args(["serve", "--listen", "127.0.0.1:0", "--tables"]).arg(test_tables::small().path());
    let server = Server::start(&mut command);
    let client = connect(&server).await;
    let mut rng = fastrand::Rng::with_seed(3);
    let all: Vec<Material> = (3..=4).flat_map(Material::all).collect();
    assert_eq!(all.len(), 35);
    for material in all.iter().chain(&all) {
        let position = random_position_of(&mut rng, &NamedMaterial::named(&material.to_string()));
        let fen = Fen::new(position, None).to_string();
        let found = probe(&client, &fen).await;
        assert!(found.is_ok(), "{material}: {fen}: {found:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn signals_drain_and_exit_with_success() {
    for signal in ["TERM", "INT"] {
        let server = Server::start(Server::command().arg("--tables").arg(tables()));
        let client = connect(&server).await;
        assert!(probe(&client, ROOK_WINS).await.is_ok());
        // Programs that rotate logs send these: none of them ends it.
        for other in ["USR1", "USR2", "ALRM"] {
            server.signal(other);
        }
        assert!(probe(&client, ROOK_WINS).await.is_ok());
        // Neither an idle connection nor an endless stream delays the end.
        let mut health = HealthClient::new(connect(&server).await);
        let _watch = health.watch(HealthCheckRequest::default()).await.unwrap();
        let (code, log) = server.end(signal);
        assert_eq!(code, Some(0), "{signal}: {log}");
        assert!(log.contains("all requests answered"), "{log}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn build_makes_what_is_missing_first() {
    let parent = tempfile::tempdir().unwrap();
    let folder = parent.path().join("new");
    let server = Server::start(Server::command().args(["--build", "3", "--tables"]).arg(&folder));
    let answer = probe(&connect(&server).await, ROOK_WINS).await.unwrap();
    assert_eq!(answer.dtm_plies.map(|plies| plies % 2), Some(1));
    assert!(folder.join("KMvK.dtm").is_file());
}

#[test]
fn what_keeps_it_from_serving_is_said() {
    let (code, _, text) = run(Server::command().args(["--tables", "/nonexistent/tables"]));
    assert!(code == 1 && text.contains("/nonexistent/tables"), "{code:?} {text}");
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let (code, _, text) = run(program(PROBE).args(["serve", "--listen", &address, "--tables"]).arg(tables()));
    assert!(code == 1 && text.contains(&format!("cannot listen on {address}")), "{code:?} {text}");
    assert!(text.contains("; end the program that uses it, or give --listen another port"), "{text}");
    for bad in [["--listen", "nowhere"], ["--in-flight", "0"], ["--build", "9"]] {
        assert_eq!(run(program(PROBE).arg("serve").args(bad)).0, 2, "{bad:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn flags_come_before_the_environment() {
    let most = async |command: &mut Command| {
        let server = Server::start(command.env("MAKRUK_TABLES", tables()));
        let mut client = TablebaseClient::new(connect(&server).await);
        let request = ProbeBatchRequest { fens: vec!["x".to_owned(); 20], include_moves: false };
        let status = client.probe_batch(request).await.unwrap_err();
        status.get_details_error_info().unwrap().metadata["most"].clone()
    };
    assert_eq!(most(Server::command().env("MAKRUK_SERVE_BATCH", "4")).await, "4");
    assert_eq!(most(Server::command().env("MAKRUK_SERVE_BATCH", "4").args(["--batch", "5"])).await, "5");
    let check =
        |name: &str, value: &str| run(Server::command().arg("--check").env("MAKRUK_TABLES", tables()).env(name, value));
    assert_eq!(check("MAKRUK_SERVE_BATCH", "4").0, 0);
    let (code, _, text) = check("MAKRUK_SERVE_BATCH", "many");
    assert!(code == 2 && text.contains("\"many\" is not valid: expected a whole number"), "{code:?} {text}");
    // A folder without tables, and a variable that is misspelt.
    let empty = tempfile::tempdir().unwrap();
    for (name, value) in [("MAKRUK_TABLES", empty.path().to_str().unwrap()), ("MAKRUK_SERVE_BATSH", "4")] {
        let (code, _, text) = check(name, value);
        assert!(code == 1 && text.len() > 20, "{name}={value}: {code:?} {text}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hangup_has_it_look_again() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::copy(tables().join("KNvK.dtm"), folder.path().join("KNvK.dtm")).unwrap();
    let server = Server::start(
        Server::command().args(["--watch-ms", "0", "--log-format", "json", "--tables"]).arg(folder.path()),
    );
    let mut client = TablebaseClient::new(connect(&server).await);
    let tables_listed = async |client: &mut TablebaseClient<_>| {
        client.list_tables(ListTablesRequest::default()).await.unwrap().into_inner().tables.len()
    };
    assert_eq!(tables_listed(&mut client).await, 1);
    std::fs::copy(tables().join("KRvK.dtm"), folder.path().join("KRvK.dtm")).unwrap();
    server.signal("HUP");
    let begun = Instant::now();
    while tables_listed(&mut client).await != 2 {
        assert!(begun.elapsed() < LONG, "it does not look");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    // Each line of the log is an object, and a failure has its request's id.
    let mut damaged = std::fs::read(tables().join("KRvK.dtm")).unwrap();
    let middle = damaged.len() / 2;
    damaged[middle..].iter_mut().for_each(|byte| *byte ^= 0x55);
    std::fs::write(folder.path().join("damaged"), damaged).unwrap();
    std::fs::rename(folder.path().join("damaged"), folder.path().join("KRvK.dtm")).unwrap();
    server.signal("HUP");
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
    let (code, log) = server.end("TERM");
    assert_eq!(code, Some(0), "{log}");
    let lines: Vec<serde_json::Value> = log.lines().map(|line| serde_json::from_str(line).expect(line)).collect();
    let failure = lines.iter().find(|line| line["reason"] == "CORRUPT_TABLE").expect(&log);
    assert_eq!((&failure["span"]["id"], &failure["span"]["method"]), (&"look-for-me".into(), &"Probe".into()));
    assert_eq!(failure["level"], "ERROR");
}
