//! The generated code is that of the .proto files.

use std::path::Path;

use makruk_proto::METHODS;
use makruk_proto::v1::ErrorReason;

/// The .proto files from which the code was generated, with their checksums.
const SOURCES: &[(&str, u32)] = include!("../../src/generated/makruk.v1.sources.rs");

#[test]
fn the_code_is_generated_from_these_proto_files() {
    assert!(!SOURCES.is_empty());
    for (file, checksum) in SOURCES {
        let source = std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join(file)).unwrap();
        assert!(
            crc32c::crc32c(&source) == *checksum,
            "{file} has changed: `cargo run --manifest-path proto/generate/Cargo.toml` generates src/generated anew"
        );
    }
}

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
