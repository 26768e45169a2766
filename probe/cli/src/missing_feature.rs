//! Commands that this program was built without.

use std::ffi::OsString;

use clap::Args;

use super::MISUSE;

/// The arguments of such a command, whatever they are.
#[derive(Args, Debug)]
pub(crate) struct AnyArguments {
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, hide = true)]
    _arguments: Vec<OsString>,
}

/// Prints how to build a program that has the command; returns the exit status.
pub(crate) fn report(command: &str, feature: &str) -> u8 {
    eprintln!(
        "makruk-probe {command}: this program was built without the feature `{feature}`; \
         `cargo build --release --features {feature}` builds one that has it"
    );
    MISUSE
}
