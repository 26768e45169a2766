//! Generates the Rust code and the descriptor set from the .proto files, without protoc.

use std::env;
use std::error::Error;
use std::fs;
use std::path::PathBuf;

use protox::prost::Message;

const FILES: [&str; 1] = ["makruk/v1/tablebase.proto"];

fn main() -> Result<(), Box<dyn Error>> {
    for file in FILES {
        println!("cargo::rerun-if-changed={file}");
    }
    // Descriptors keep the comments: reflection hands them to clients.
    let descriptors = protox::compile(FILES, ["."])?;
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or("cargo sets OUT_DIR")?);
    fs::write(out.join("makruk.v1.descriptors.bin"), descriptors.encode_to_vec())?;
    tonic_prost_build::configure().compile_fds(descriptors)?;
    Ok(())
}
