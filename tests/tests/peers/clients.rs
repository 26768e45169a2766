//! Clients of others against a running server: grpcurl by reflection, Python's grpcio by the .proto, and a validator of
//! JSON by the OpenAPI description.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use makruk_tests::programs::{PROBE, program, run};
use makruk_tests::server::Server;
use serde_json::{Value, json};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// Won, drawn by the count, drawn, lost, mate, and three that fail.
pub(crate) const FENS: [&str; 9] = [
    "8/8/8/8/8/4s1k1/4R3/K7 w - - 0 1",
    "8/8/8/8/8/4s1k1/4R3/K7 w - 128 90 50",
    "8/8/8/8/3k4/8/8/N3K3 w - - 0 1",
    "8/8/8/8/3k4/8/8/R3K3 b - 32 8 9",
    "k6R/8/1K6/8/8/8/8/8 b - - 0 1",
    "8/1K6/2MN4/k1M5/8/8/8/8 b - 128 10 1",
    "8/8/8/3P4/8/4k3/8/KR6 w - 128 10 1",
    "8/8/8/8/8/8/3k4/R3K3 w - - 0 1",
    "nonsense",
];

/// A program of the clients' environment.
fn client(name: &str) -> Command {
    let folder = std::env::var_os("MAKRUK_CLIENTS");
    let folder = folder.expect("MAKRUK_CLIENTS: the bin folder of an environment with tests/clients/requirements.txt");
    Command::new(Path::new(&folder).join(name))
}

/// The answers of the command line to the positions; of those that fail, the reason.
pub(crate) fn expected() -> Vec<Value> {
    let mut query = program(PROBE);
    let tables = test_tables::small();
    let (_, output, _) = run(query.args(["query", "--json", "--moves", "--tables"]).arg(tables.path()).args(FENS));
    let answer = |line: &str| -> Value { serde_json::from_str(line).expect("an object") };
    output
        .lines()
        .map(answer)
        .map(|answer| match answer.get("reason") {
            Some(reason) => json!({ "reason": reason }),
            None => answer,
        })
        .collect()
}

#[test]
#[ignore = "needs grpcurl"]
fn grpcurl_by_reflection() {
    let server = Server::with(&[], "error");
    let grpcurl = |arguments: &[&str], method: &str| {
        let mut command = client("grpcurl");
        run(command.arg("-plaintext").args(arguments).arg(&server.address).args(method.split_whitespace()))
    };
    let (status, services, errors) = grpcurl(&[], "list");
    assert_eq!(status, 0, "{errors}");
    assert!(services.lines().any(|line| line == "makruk.v1.Tablebase"), "{services}");
    let (_, described, _) = grpcurl(&[], "describe makruk.v1.Tablebase");
    for method in ["Probe", "ProbeBatch", "ProbeStream", "BestLine", "Play", "ListTables", "TableStatistics"] {
        assert!(described.contains(&format!("rpc {method} (")), "{described}");
    }
    let (_, described, _) = grpcurl(&[], "describe makruk.v1.ProbeResponse");
    assert!(described.contains("Plies to mate with best play"), "comments are described: {described}");

    let call =
        |method: &str, request: Value| grpcurl(&["-d", &request.to_string()], &format!("makruk.v1.Tablebase/{method}"));
    // As the service's manual has it; `doors` and grpcio have the answers to all calls.
    let (_, output, errors) = call("Probe", json!({ "fen": FENS[0], "include_moves": true }));
    let probe: Value = serde_json::from_str(&output).unwrap_or_else(|error| panic!("{error}: {output}{errors}"));
    let chosen = ["material", "side", "category", "dtmPlies", "dtzPlies"].map(|field| probe[field].clone());
    assert_eq!(chosen, [json!("KRvKS"), json!("SIDE_WHITE"), json!("CATEGORY_WIN"), json!(31), json!(45)]);
    let (status, line, _) = call("BestLine", json!({ "fen": FENS[0] }));
    assert!(status == 0 && line.contains("LINE_END_CHECKMATE"), "{line}");

    // The details of a failure can be read without code of ours.
    let (status, _, errors) = call("Probe", json!({ "fen": FENS[5] }));
    assert_ne!(status, 0);
    for part in ["Code: NotFound", "MISSING_TABLE", "makruk-gen build KNMMvK", "makruk.v1"] {
        assert!(errors.contains(part), "{part}: {errors}");
    }
    let (status, health, _) = grpcurl(&[], "grpc.health.v1.Health/Check");
    assert!(status == 0 && health.contains("SERVING"), "{health}");
}

/// The code that Python's grpcio needs.
fn stubs() -> tempfile::TempDir {
    let stubs = tempfile::tempdir().expect("a folder");
    let path = |path: &str| PathBuf::from(ROOT).join(path);
    let mut protoc = client("python");
    protoc.args(["-m", "grpc_tools.protoc"]).arg(format!("-I{}", path("proto").display()));
    for out in ["python_out", "grpc_python_out"] {
        protoc.arg(format!("--{out}={}", stubs.path().display()));
    }
    let (status, _, errors) = run(protoc.arg("makruk/v1/tablebase.proto"));
    assert_eq!(status, 0, "{errors}");
    stubs
}

/// The answers of a server to the positions, in the shape of the command line; over TLS if the proxy in front has a
/// certificate.
pub(crate) fn ask_every_method(address: &str, certificate: Option<&Path>) -> Vec<Value> {
    let stubs = stubs();
    let mut peer = client("python");
    peer.arg(Path::new(ROOT).join("tests/clients/grpcio_peer.py")).arg(stubs.path()).arg(address).args(certificate);
    let mut peer = peer.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("python");
    peer.stdin.take().expect("its input").write_all(FENS.join("\n").as_bytes()).expect("written");
    let output = peer.wait_with_output().expect("its end");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    let answers = String::from_utf8(output.stdout).expect("UTF-8");
    answers.lines().map(|line| serde_json::from_str(line).expect("an object")).collect()
}

#[test]
#[ignore = "needs grpcio"]
fn grpcio_by_generated_stubs() {
    assert_eq!(ask_every_method(&Server::with(&[], "error").address, None), expected());
}

#[test]
#[ignore = "needs grpcio"]
fn the_example_runs() {
    let server = Server::with(&[], "error");
    let mut example = client("python");
    let example = example.arg(Path::new(ROOT).join("proto/python/example.py")).arg(&server.address);
    let (status, output, errors) = run(example);
    assert_eq!(status, 0, "{errors}");
    for part in [
        "KRvKS: win, mate in 31 plies without a count, conversion in 45, 65 moves left",
        "ERROR_REASON_BAD_FEN: ",
        "LINE_END_CHECKMATE",
        "NOT_FOUND MISSING_TABLE",
    ] {
        assert!(output.contains(part), "{part}: {output}");
    }
}

#[test]
#[ignore = "needs openapi-spec-validator"]
fn every_answer_fits_the_openapi_description() {
    let server = Server::with(&[], "error");
    let mut peer = client("python");
    peer.arg(Path::new(ROOT).join("tests/clients/openapi_peer.py")).arg(&server.address);
    let (status, output, errors) = run(&mut peer);
    assert_eq!(status, 0, "{errors}");
    assert!(output.contains(" operations, "), "{output}");
}
