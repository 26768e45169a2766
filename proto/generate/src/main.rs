//! Generates `proto/src/generated` from the .proto files, without protoc: the messages, the client and the server's
//! trait, the descriptor set, the list of methods. `--check` compares instead of writing.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Write;
use std::path::Path;
use std::process::ExitCode;
use std::{env, fs};

use protox::prost::Message;
use protox::prost_reflect::prost_types::FileDescriptorSet;

const FILES: [&str; 1] = ["makruk/v1/tablebase.proto"];
/// The crate `makruk-proto`.
const CRATE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
const COMMAND: &str = "cargo run --manifest-path proto/generate/Cargo.toml";

type Outcome<T> = Result<T, Box<dyn Error>>;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let is_check = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => false,
        ["--check"] => true,
        _ => {
            eprintln!("usage: {COMMAND} [-- --check]");
            return ExitCode::from(2);
        }
    };
    let folder = Path::new(CRATE).join("src/generated");
    let outcome = generate().and_then(|generated| match is_check {
        true => check(&generated, &folder),
        false => write(&generated, &folder),
    });
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// The generated files by name.
fn generate() -> Outcome<BTreeMap<String, Vec<u8>>> {
    // Descriptors keep the comments: reflection hands them to clients.
    let descriptors = protox::compile(FILES, [CRATE])?;
    let mut files = BTreeMap::from([
        ("makruk.v1.descriptors.bin".to_owned(), descriptors.encode_to_vec()),
        ("makruk.v1.methods.rs".to_owned(), methods(&descriptors)?.into_bytes()),
        ("makruk.v1.sources.rs".to_owned(), sources()?.into_bytes()),
    ]);
    let folder = tempfile::tempdir()?;
    tonic_prost_build::configure().out_dir(folder.path()).emit_rerun_if_changed(false).compile_fds(descriptors)?;
    files.extend(read(folder.path())?);
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

/// The .proto files and their checksums as the literal of a Rust slice, which a test of the crate compares.
fn sources() -> Outcome<String> {
    let mut code = String::from("&[\n");
    for file in FILES {
        writeln!(code, "    ({file:?}, 0x{:08x}),", crc32c::crc32c(&fs::read(Path::new(CRATE).join(file))?))?;
    }
    code.push_str("]\n");
    Ok(code)
}

/// The files of a folder by name.
fn read(folder: &Path) -> Outcome<BTreeMap<String, Vec<u8>>> {
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        files.insert(entry.file_name().to_string_lossy().into_owned(), fs::read(entry.path())?);
    }
    Ok(files)
}

fn write(generated: &BTreeMap<String, Vec<u8>>, folder: &Path) -> Outcome<()> {
    fs::create_dir_all(folder)?;
    for name in read(folder)?.keys().filter(|name| !generated.contains_key(*name)) {
        fs::remove_file(folder.join(name))?;
    }
    for (name, content) in generated {
        fs::write(folder.join(name), content)?;
    }
    Ok(())
}

fn check(generated: &BTreeMap<String, Vec<u8>>, folder: &Path) -> Outcome<()> {
    let committed = read(folder)?;
    let names = generated.keys().chain(committed.keys());
    match names.into_iter().find(|&name| generated.get(name) != committed.get(name)) {
        Some(name) => Err(format!(
            "proto/src/generated/{name} differs from what the .proto files generate: run `{COMMAND}` and commit the folder."
        )
        .into()),
        None => Ok(()),
    }
}
