//! Generates the Rust code, the list of methods and the descriptor set from the .proto files, without protoc.

use std::env;
use std::error::Error;
use std::fmt::Write;
use std::fs;
use std::path::PathBuf;

use protox::prost::Message;
use protox::prost_reflect::prost_types::FileDescriptorSet;

const FILES: [&str; 1] = ["makruk/v1/tablebase.proto"];

fn main() -> Result<(), Box<dyn Error>> {
    for file in FILES {
        println!("cargo::rerun-if-changed={file}");
    }
    // Descriptors keep the comments: reflection hands them to clients.
    let descriptors = protox::compile(FILES, ["."])?;
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or("cargo sets OUT_DIR")?);
    fs::write(out.join("makruk.v1.descriptors.bin"), descriptors.encode_to_vec())?;
    fs::write(out.join("makruk.v1.methods.rs"), methods(&descriptors)?)?;
    tonic_prost_build::configure().compile_fds(descriptors)?;
    Ok(())
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
    code.push(']');
    Ok(code)
}
