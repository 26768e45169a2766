//! The table folder, the remedies of errors and the command lines of all programs. No library depends on this crate.
//!
//! - [`locate`], [`is_address`]: the folder of the tables, or the address of a site;
//! - [`sentence`]: an error, its causes and the remedy in one line;
//! - [`table_remedy`], [`file_remedy`], [`missing_remedy`], [`address_remedy`]: the command or the action that helps,
//!   by the kind of error;
//! - [`shell_word`]: a path in a command;
//! - [`warn`]: a line on standard error;
//! - `arguments`, `argument_error`, `write_manuals` (feature `arguments`): the arguments of a program, what is said of
//!   wrong ones, and its manual pages and completions for shells;
//! - `StopSignal` (feature `signals`): whether Ctrl-C or another signal asks a command to stop.

#![forbid(unsafe_code)]

#[cfg(feature = "arguments")]
mod arguments;
mod folder;
#[cfg(feature = "arguments")]
mod manuals;
mod remedy;
#[cfg(feature = "signals")]
mod stop_signal;

#[cfg(feature = "arguments")]
pub use arguments::{argument_error, arguments};
pub use folder::{TABLES_VARIABLE, is_address, locate, remote_caches};
#[cfg(feature = "arguments")]
pub use manuals::write_manuals;
pub use remedy::{address_remedy, file_remedy, missing_remedy, sentence, shell_word, table_remedy, warn};
#[cfg(feature = "signals")]
pub use stop_signal::StopSignal;
