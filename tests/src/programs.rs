//! The two programs as users run them, built by cargo as the tests were.

use std::path::PathBuf;
use std::process::{Command, Output};
use std::sync::OnceLock;

use crate::built::target_folder;

/// `makruk-gen`.
pub const GENERATOR: &str = "makruk-gen";
/// `makruk-probe`.
pub const PROBE: &str = "makruk-probe";

/// A program ready to be given arguments, with none of the variables that tell it where tables are.
///
/// # Panics
///
/// If the programs cannot be built.
pub fn program(name: &str) -> Command {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    let folder = FOLDER.get_or_init(|| {
        let folder = target_folder();
        let profile = if folder.ends_with("release") { "release" } else { "test" };
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        // Tests of both crates run their program, so cargo builds the programs along with them: as `cargo test --workspace`
        // has done, with the same features, so that then there is nothing left to do.
        let status = Command::new(cargo)
            .args(["test", "--no-run", "--quiet", "--workspace", "--test", "bytes", "--test", "cli"])
            .args(["--profile", profile, "--target-dir"])
            .arg(folder.parent().expect("target/PROFILE"))
            .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
            .status();
        assert!(status.is_ok_and(|status| status.success()), "the programs cannot be built");
        folder
    });
    let mut command = Command::new(folder.join(name));
    command.env_remove("MAKRUK_TABLES").current_dir(env!("CARGO_MANIFEST_DIR"));
    command
}

/// Runs a command to its end: its exit status, standard output and standard error.
///
/// # Panics
///
/// If it cannot be started, is ended by a signal, or writes anything but UTF-8.
pub fn run(command: &mut Command) -> (i32, String, String) {
    let Output { status, stdout, stderr } = command.output().expect("the program starts");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    (status.code().expect("an exit status"), text(stdout), text(stderr))
}
