//! The generated code says what the .proto files do.

use makruk_proto::METHODS;
use makruk_proto::v1::ErrorReason;

#[test]
fn methods_are_those_of_the_proto_file() {
    let text = include_str!("../../makruk/v1/tablebase.proto");
    assert_eq!(METHODS.len(), text.lines().filter(|line| line.trim_start().starts_with("rpc ")).count());
    let stream = METHODS.iter().find(|method| method.name == "ProbeStream").unwrap();
    assert_eq!(stream.path, "/makruk.v1.Tablebase/ProbeStream");
    assert!(stream.client_streaming && stream.server_streaming);
    assert!(METHODS.iter().all(|method| method.name != "Probe" || !method.server_streaming));
}

#[test]
fn reasons_have_no_prefix() {
    assert_eq!(ErrorReason::BadFen.reason(), "BAD_FEN");
    assert_eq!(ErrorReason::DeadlineExceeded.reason(), "DEADLINE_EXCEEDED");
}
