//! The exit statuses of the program.

/// The exit status of success.
pub(crate) const SUCCESS: u8 = 0;
/// The exit status if a position or a game failed.
pub(crate) const FAILURE: u8 = 1;
/// The exit status of an invalid command line; clap uses it as well.
pub(crate) const MISUSE: u8 = 2;
