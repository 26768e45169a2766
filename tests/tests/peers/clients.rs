//! Clients of others against a running server: grpcurl, Python's grpcio by the example, and a validator of JSON by the
//! OpenAPI description.

use std::path::Path;
use std::process::Command;

use makruk_tests::programs::run;
use makruk_tests::server::Server;
use serde_json::{Value, json};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// A win by rook against khon.
pub(crate) const FEN: &str = "8/8/8/8/8/4s1k1/4R3/K7 w - - 0 1";

/// A program of the clients' environment.
fn client(name: &str) -> Command {
    let folder = std::env::var_os("MAKRUK_CLIENTS");
    let folder = folder.expect("MAKRUK_CLIENTS: the bin folder of an environment with tests/clients/requirements.txt");
    Command::new(Path::new(&folder).join(name))
}

/// The exit status, the output and the errors of grpcurl, over TLS if the proxy in front has a certificate.
fn grpcurl(address: &str, certificate: Option<&Path>, arguments: &[&str], method: &str) -> (i32, String, String) {
    let mut command = client("grpcurl");
    match certificate {
        Some(file) => command.arg("-cacert").arg(file),
        None => command.arg("-plaintext"),
    };
    run(command.args(arguments).arg(address).args(method.split_whitespace()))
}

/// Has grpcurl call every method but the searches, by the .proto; `doors` has the answers to all calls.
pub(crate) fn calls_every_method(address: &str, certificate: Option<&Path>) {
    let folder = format!("{ROOT}/proto");
    let call = |method: &str, requests: &[Value]| {
        let requests: String = requests.iter().map(Value::to_string).collect();
        let proto = ["-import-path", &folder, "-proto", "makruk/v1/tablebase.proto", "-d", &requests];
        grpcurl(address, certificate, &proto, &format!("makruk.v1.Tablebase/{method}"))
    };
    let probe = json!({ "fen": FEN, "include_moves": true });
    let wrong = json!({ "fen": "nonsense" });
    let (_, output, errors) = call("Probe", std::slice::from_ref(&probe));
    let answer: Value = serde_json::from_str(&output).unwrap_or_else(|error| panic!("{error}: {output}{errors}"));
    // As the service's manual has it.
    let chosen = ["material", "side", "category", "dtmPlies", "dtzPlies"].map(|field| answer[field].clone());
    assert_eq!(chosen, [json!("KRvKS"), json!("SIDE_WHITE"), json!("CATEGORY_WIN"), json!(31), json!(45)]);
    for (method, requests, parts) in [
        ("ProbeStream", &[probe.clone(), wrong, probe][..], &["\"dtzPlies\": 45", "ERROR_REASON_BAD_FEN"][..]),
        ("ProbeBatch", &[json!({ "fens": [FEN, "nonsense"] })], &["\"dtzPlies\": 45", "ERROR_REASON_BAD_FEN"]),
        ("BestLine", &[json!({ "fen": FEN })], &["\"uci\": \"e2e1\"", "LINE_END_CHECKMATE"]),
        ("Play", &[json!({ "fen": FEN, "policy": "POLICY_SAFEST" })], &["\"uci\": \"e2e1\""]),
        ("ListTables", &[json!({ "men": 3 })], &["KRvK", "KPvK"]),
        ("TableStatistics", &[json!({ "material": "KRvK" })], &["\"maxWinPlies\": 31"]),
        ("SaveStatistics", &[json!({ "material": "KRvK" })], &["\"saves\": "]),
    ] {
        let (status, output, errors) = call(method, requests);
        assert_eq!(status, 0, "{method}: {errors}");
        assert!(parts.iter().all(|part| output.contains(part)), "{method}: {output}");
    }
}

#[test]
#[ignore = "needs grpcurl"]
fn grpcurl_by_the_proto_and_by_reflection() {
    let server = Server::with(&[], "error");
    calls_every_method(&server.address, None);
    let ask = |method: &str| grpcurl(&server.address, None, &[], method);
    let (status, services, errors) = ask("list");
    assert_eq!(status, 0, "{errors}");
    assert!(services.lines().any(|line| line == "makruk.v1.Tablebase"), "{services}");
    let (_, described, _) = ask("describe makruk.v1.Tablebase");
    assert!(described.contains("rpc TableStatistics ("), "{described}");
    let (_, described, _) = ask("describe makruk.v1.ProbeResponse");
    assert!(described.contains("Plies to mate with best play"), "comments are described: {described}");
    // The details of a failure can be read without code of ours.
    let request = json!({ "fen": "8/1K6/2MN4/k1M5/8/8/8/8 b - 128 10 1" }).to_string();
    let (status, _, errors) = grpcurl(&server.address, None, &["-d", &request], "makruk.v1.Tablebase/Probe");
    assert_ne!(status, 0);
    for part in ["Code: NotFound", "MISSING_TABLE", "makruk-gen build KNMMvK", "makruk.v1"] {
        assert!(errors.contains(part), "{part}: {errors}");
    }
    let (status, health, _) = ask("grpc.health.v1.Health/Check");
    assert!(status == 0 && health.contains("SERVING"), "{health}");
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
    assert!(output.contains(" operations"), "{output}");
}
