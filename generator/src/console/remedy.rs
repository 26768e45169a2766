//! The sentences that tell a user of either program what to do about an error of building or fetching.

use std::error::Error;

use makruk_console::{file_remedy, table_remedy};
use makruk_format::FormatError;
use makruk_tables::material::Material;

use crate::error::BuildError;
#[cfg(feature = "fetch")]
use crate::fetch::FetchError;

/// The most materials that a message names.
const NAMES: usize = 8;

/// The remedy for an error, if there is one: a sentence without a capital and a full stop.
pub fn remedy(error: &(dyn Error + 'static)) -> Option<String> {
    if let Some(error) = error.downcast_ref::<FormatError>() {
        return file_remedy(error);
    }
    #[cfg(feature = "fetch")]
    if let Some(error) = error.downcast_ref::<FetchError>() {
        return match error {
            FetchError::Format(error) => file_remedy(error),
            FetchError::OtherTable(_) => Some("move it elsewhere, or name another folder with --tables".to_owned()),
            FetchError::NoRoom { .. } => Some("free some space, or name another folder with --tables".to_owned()),
            FetchError::Unfetched { .. } => {
                Some("name another mirror with --from, or build the tables with `makruk-gen build`".to_owned())
            }
            _ => None,
        };
    }
    match error.downcast_ref::<BuildError>()? {
        BuildError::Format(error) => file_remedy(error),
        BuildError::Table(error) => table_remedy(error),
        BuildError::NoMemory(_) => Some("`makruk-gen plan` says how much is needed".to_owned()),
        BuildError::Memory { fitting, .. } if fitting.is_empty() => {
            Some("give a larger --memory; no other material of this build fits either".to_owned())
        }
        BuildError::Memory { fitting, .. } => {
            Some(format!("give a larger --memory, or build the materials that fit: {}", list(fitting)))
        }
        _ => None,
    }
}

/// The names of some materials, the largest first; the command that lists all, if they are too many.
fn list(materials: &[Material]) -> String {
    let mut names: Vec<String> = materials.iter().rev().take(NAMES).map(Material::to_string).collect();
    if let Some(more) = materials.len().checked_sub(NAMES).filter(|&more| more > 0) {
        names.push(format!("and {more} more, listed by `makruk-gen plan` with the same --memory"));
    }
    names.join(" ")
}
