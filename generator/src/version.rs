//! The version of the generator.

/// The program's name and version, as it stands in headers.
pub const GENERATOR: &str = concat!("makruk-gen ", env!("CARGO_PKG_VERSION"));
