//! `makruk-probe serve` as a process.

use std::io::{BufRead, BufReader, Read};
use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_client::HealthClient;

use crate::harness::{Client, LONG, ROOK_WINS, connect, tables};

struct Process {
    child: Child,
    address: SocketAddr,
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
        Process { child, address }
    }

    fn signal(&self, name: &str) {
        let pid = self.child.id().to_string();
        assert!(Command::new("kill").args([format!("-{name}"), pid]).status().unwrap().success());
    }

    /// Exit code and what was logged.
    fn ended(&mut self) -> (Option<i32>, String) {
        let begun = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                let mut log = String::new();
                self.child.stderr.take().unwrap().read_to_string(&mut log).unwrap();
                return (status.code(), log);
            }
            assert!(begun.elapsed() < LONG, "it does not end");
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn signals_drain_and_exit_with_success() {
    for signal in ["TERM", "INT"] {
        let mut process = Process::start(serve().arg("--tables").arg(tables()));
        let client = Client::connect(process.address).await;
        assert!(client.probe(ROOK_WINS, true).await.is_ok());
        // Neither an idle connection nor a stream without end holds it up.
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
    let answer = Client::connect(process.address).await.probe(ROOK_WINS, false).await.unwrap();
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
    assert!(code == Some(1) && text.contains(&format!("can't listen on {address}")), "{code:?} {text}");
    for bad in [["--listen", "nowhere"], ["--in-flight", "0"], ["--build", "9"]] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_makruk-probe"));
        assert_eq!(run(command.arg("serve").args(bad)).0, Some(2), "{bad:?}");
    }
}
