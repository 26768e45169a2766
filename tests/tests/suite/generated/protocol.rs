//! `proto/src/generated` from the .proto files, without protoc: the messages, the client and the server's trait, the
//! descriptor set, the list of methods.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;

use protox::prost::Message;
use protox::prost_reflect::prost_types::FileDescriptorSet;

use super::Outcome;

const FILES: [&str; 1] = ["makruk/v1/tablebase.proto"];
/// The crate `makruk-proto`.
const CRATE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../proto");
const GENERATED: &str = "proto/src/generated/makruk.v1";

/// The generated files by their paths.
pub(super) fn files() -> Outcome<BTreeMap<String, Vec<u8>>> {
    // Descriptors keep the comments: reflection hands them to clients.
    let descriptors = protox::compile(FILES, [CRATE])?;
    assert_commented(&descriptors);
    let mut files = BTreeMap::from([
        (format!("{GENERATED}.descriptors.bin"), descriptors.encode_to_vec()),
        (format!("{GENERATED}.methods.rs"), methods(&descriptors)?.into_bytes()),
    ]);
    let folder = tempfile::tempdir()?;
    tonic_prost_build::configure().out_dir(folder.path()).emit_rerun_if_changed(false).compile_fds(descriptors)?;
    files.insert(format!("{GENERATED}.rs"), fs::read(folder.path().join("makruk.v1.rs"))?);
    Ok(files)
}

/// Fails unless each call, message, field, enumeration and value has a comment: the .proto file is the reference.
fn assert_commented(descriptors: &FileDescriptorSet) {
    for file in descriptors.file.iter().filter(|file| file.package() == "makruk.v1") {
        for place in &file.source_code_info.as_ref().expect("comments").location {
            // Numbers of fields in descriptors: 4, 5 and 6 are messages, enumerations and services, 2 what is in them.
            let is_declared = matches!(place.path[..], [4..=6, _] | [4..=6, _, 2, _]);
            let is_commented = !place.leading_comments().trim().is_empty();
            assert!(!is_declared || is_commented, "no comment: {}:{:?}", file.name(), place.span);
        }
    }
}

/// The methods of all services as the literal of a Rust slice.
fn methods(descriptors: &FileDescriptorSet) -> Result<String, std::fmt::Error> {
    let mut code = String::from("&[\n");
    for file in &descriptors.file {
        for service in &file.service {
            for method in &service.method {
                let (name, client, server) = (method.name(), method.client_streaming(), method.server_streaming());
                let path = format!("/{}.{}/{name}", file.package(), service.name());
                writeln!(
                    code,
                    "    MethodDescription {{ name: {name:?}, path: {path:?}, client_streaming: {client}, \
                     server_streaming: {server} }},"
                )?;
            }
        }
    }
    code.push_str("]\n");
    Ok(code)
}
