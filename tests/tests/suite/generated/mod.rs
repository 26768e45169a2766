//! The files that follow from others: the protocol's code, the OpenAPI description, the fields of Python's stub. `cargo regenerate` is this test
//! with the variable that makes it write. It then also makes TypeScript's types, by a tool of TypeScript's.

mod description;
mod examples;
mod protocol;
mod stub;

use std::error::Error;
use std::path::Path;
use std::process::Command;
use std::{env, fs};

/// The repository.
const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

type Outcome<T> = Result<T, Box<dyn Error>>;

#[test]
fn files_are_what_their_sources_generate() -> Outcome<()> {
    let writes = env::var_os("MAKRUK_REGENERATE").is_some();
    let mut files = protocol::files()?;
    files.insert("probe/service/openapi.json".to_owned(), description::text()?.into_bytes());
    files.insert("probe/python/makruk_probe.pyi".to_owned(), stub::text()?.into_bytes());
    for (file, content) in files {
        let path = Path::new(ROOT).join(&file);
        if writes {
            fs::write(path, content)?;
        } else {
            assert!(fs::read(path)? == content, "{file} is not what its sources generate: run `cargo regenerate`");
        }
    }
    if writes {
        let types = ["run", "--silent", "--prefix", "probe/wasm/types", "build"];
        let made = Command::new("npm").args(types).current_dir(ROOT).status()?;
        assert!(made.success(), "TypeScript's types: run `npm ci --prefix probe/wasm/types`, then `cargo regenerate`");
    }
    Ok(())
}
