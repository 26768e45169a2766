//! The attacks of `makruk-torture` against a server: innocent clients are answered meanwhile, memory stays bounded, no
//! place stays taken, and the server ends in order.

use makruk_tests::programs::{TORTURE, program, run};
use makruk_tests::server::Server;

/// Has these attacks made, or all if none is named.
fn attack(names: &[&str]) {
    let folder = test_tables::usual(test_tables::materials(&["KRvKR"]));
    // The attackers could fill these bounds many times over.
    let server = Server::of(folder.path(), &["--memory-mib", "64", "--connections", "600"], "info");
    let pid = server.pid().to_string();
    let mut torture = program(TORTURE);
    torture.args(["--server", &server.address, "--pid", &pid, "--seconds", "1", "--connections", "12"]);
    // How fast it answers, a busy machine does not tell.
    torture.args(["--crowd", "800", "--megabytes", "300", "--latency-ms", "300000"]).args(names);
    let (status, output, errors) = run(&mut torture);
    println!("{output}");
    assert_eq!(status, 0, "{output}{errors}");
    let (_, log) = server.end("TERM");
    assert!(log.contains("all requests answered"), "{log}");
}

#[test]
#[ignore = "a few seconds for each attack"]
fn every_attack_is_withstood() {
    attack(&[]);
}

/// The two attacks that took most from a server without limits.
#[test]
fn crowds_leave_room_to_others() {
    attack(&["unread-crowd", "idle-connections"]);
}
