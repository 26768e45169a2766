//! The two programs as users run them, built by cargo as the tests were.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::{Command, Output};
use std::sync::OnceLock;

use escargot::CargoBuild;
use escargot::format::Message;

use test_tables::target_folder;

/// `makruk-gen`.
pub const GENERATOR: &str = "makruk-gen";
/// `makruk-probe`.
pub const PROBE: &str = "makruk-probe";
/// `probe-rate`, of the benchmarks.
pub const PROBE_RATE: &str = "probe-rate";
/// `makruk-torture`, of the benchmarks.
pub const TORTURE: &str = "makruk-torture";

/// The programs by name.
fn programs() -> &'static BTreeMap<String, PathBuf> {
    static PROGRAMS: OnceLock<BTreeMap<String, PathBuf>> = OnceLock::new();
    PROGRAMS.get_or_init(build)
}

/// A program ready to be given arguments, without the variables that name table folders.
///
/// # Panics
///
/// If the programs cannot be built.
pub fn program(name: &str) -> Command {
    let programs = programs();
    let path = programs.get(name).unwrap_or_else(|| panic!("cargo has built {programs:?}, and no {name}"));
    let mut command = Command::new(path);
    command.env_remove("MAKRUK_TABLES").current_dir(env!("CARGO_MANIFEST_DIR"));
    command
}

/// Builds the programs; returns their paths by name.
///
/// The command asks for them with the features of the whole workspace: cargo has built nearly all of it along with the
/// integration tests of `cargo test --workspace`. `--examples`, of which there are none, adds the features that tests
/// have.
fn build() -> BTreeMap<String, PathBuf> {
    let folder = target_folder();
    let build = CargoBuild::new()
        .manifest_path(concat!(env!("CARGO_MANIFEST_DIR"), "/../Cargo.toml"))
        .target_dir(folder.parent().expect("tests lie in target/PROFILE/deps"))
        .arg("--workspace")
        .arg("--examples")
        .args([GENERATOR, PROBE, PROBE_RATE, TORTURE].map(|name| format!("--bin={name}")));
    let build = if folder.ends_with("release") { build.release() } else { build };
    // Cargo tells a test the name of its own package. A build script that reads it, as ring's does, would run again,
    // and all that depends on it would be compiled again, now and after the test.
    let told = std::env::vars_os().map(|(name, _)| name);
    let of_this_package = told.filter(|name| {
        let name = name.to_string_lossy();
        name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_")
    });
    let build = of_this_package.fold(build, CargoBuild::env_remove);
    let messages = build.exec().unwrap_or_else(|error| panic!("cannot start cargo: {error}"));
    let mut programs = BTreeMap::new();
    for message in messages {
        let message = message.unwrap_or_else(|error| panic!("cannot build the programs: {error}"));
        let message = message.decode().unwrap_or_else(|error| panic!("cargo's output: {error}"));
        if let Message::CompilerArtifact(artifact) = message
            && !artifact.profile.test
            && let Some(executable) = artifact.executable
        {
            programs.insert(artifact.target.name.into_owned(), executable.into_owned());
        }
    }
    programs
}

/// Runs a command to its end; returns its exit status, standard output and standard error.
///
/// # Panics
///
/// If the command cannot be started, is ended by a signal, or writes anything but UTF-8.
pub fn run(command: &mut Command) -> (i32, String, String) {
    let Output { status, stdout, stderr } = command.output().expect("the program starts");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    (status.code().expect("an exit status"), text(stdout), text(stderr))
}
