//! `proto/src/generated` and `proto/README.md` from the .proto files, without protoc: the messages, the client and the
//! server's trait, the descriptor set, the list of methods, the page.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;

use protox::prost::Message;
use protox::prost_reflect::prost_types::FileDescriptorSet;

use super::Outcome;
use super::page::page;

const FILES: [&str; 1] = ["makruk/v1/tablebase.proto"];
/// The crate `makruk-proto`.
const CRATE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../proto");
const GENERATED: &str = "proto/src/generated/makruk.v1";

/// The generated files by their paths.
pub(super) fn files() -> Outcome<BTreeMap<String, Vec<u8>>> {
    // Descriptors keep the comments: reflection hands them to clients.
    let descriptors = protox::compile(FILES, [CRATE])?;
    let mut files = BTreeMap::from([
        ("proto/README.md".to_owned(), page(&descriptors)?.into_bytes()),
        (format!("{GENERATED}.descriptors.bin"), descriptors.encode_to_vec()),
        (format!("{GENERATED}.methods.rs"), methods(&descriptors)?.into_bytes()),
    ]);
    let folder = tempfile::tempdir()?;
    tonic_prost_build::configure().out_dir(folder.path()).emit_rerun_if_changed(false).compile_fds(descriptors)?;
    files.insert(format!("{GENERATED}.rs"), fs::read(folder.path().join("makruk.v1.rs"))?);
    Ok(files)
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
