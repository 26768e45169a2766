//! The sentence of an error, with the command or option that mends it.

use makruk_probe::ProbeError;
use makruk_tables::material::Material;

/// The command that builds a material's tables.
pub(crate) fn build_command(material: Material) -> String {
    format!("makruk-gen build {material}")
}

/// An error of a position as a sentence.
pub(crate) fn sentence(error: &ProbeError) -> String {
    error.to_string()
}

/// An error that ends the program as a sentence.
pub(crate) fn sentence_of_failure(error: &anyhow::Error) -> String {
    format!("{error:#}")
}
