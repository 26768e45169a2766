//! Remedies: the sentences that tell a user what to do about an error.

use makruk_generator::BuildError;
use makruk_tables::material::Material;

/// The most materials that a message names.
const NAMES: usize = 8;

/// The remedy for an error, if there is one.
pub(super) fn remedy(error: &anyhow::Error) -> Option<String> {
    match error.downcast_ref::<BuildError>()? {
        BuildError::NoMemory(_) => Some("`makruk-gen plan` says how much is needed".to_owned()),
        BuildError::MissingChild { child, .. } => Some(format!("run makruk-gen build {child}")),
        BuildError::Memory { fitting, .. } => {
            Some(format!("give a larger --memory, or build the materials that fit: {}", list(fitting)))
        }
        _ => None,
    }
}

/// The names of some materials, the largest first; the command that lists all, if they are too many.
fn list(materials: &[Material]) -> String {
    if materials.is_empty() {
        return "none that is not built yet".to_owned();
    }
    let mut names: Vec<String> = materials.iter().rev().take(NAMES).map(Material::to_string).collect();
    if let Some(more) = materials.len().checked_sub(NAMES).filter(|&more| more > 0) {
        names.push(format!("and {more} more, listed by `makruk-gen plan` with the same --memory"));
    }
    names.join(" ")
}
