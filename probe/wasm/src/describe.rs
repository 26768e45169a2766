//! Failures as sentences for the users of a site without a server.

use makruk_explorer::{ErrorPlace, UnjudgedJson};
use makruk_probe::{ProbeError, TableError};

/// The reason why a position has no verdict.
pub(crate) fn describe(error: ProbeError) -> UnjudgedJson {
    let reason = error.reason().name().to_owned();
    let (error, place) = match &error {
        ProbeError::Fen(fen) => (error.to_string(), ErrorPlace::of_fen(fen)),
        ProbeError::Table(TableError::TooManyMen(_)) => {
            (error.to_string(), ErrorPlace { field: Some("fen"), ..ErrorPlace::default() })
        }
        ProbeError::Table(TableError::Missing { id, .. }) => {
            (format!("there is no table {id} here"), ErrorPlace::default())
        }
        ProbeError::Table(_) => (error.to_string(), ErrorPlace::default()),
    };
    UnjudgedJson { error, reason, command: None, place }
}
