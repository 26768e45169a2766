//! The exceptions.

use makruk_locate::table_remedy;
use prober::{ProbeError as Failure, Reason};
use pyo3::create_exception;
use pyo3::exceptions::PyException;
use pyo3::prelude::*;

create_exception!(makruk_probe, ProbeError, PyException, "A position has no verdict.");
create_exception!(
    makruk_probe,
    PositionError,
    ProbeError,
    "The position cannot be read, is illegal, or is in no table."
);
create_exception!(makruk_probe, MissingTableError, ProbeError, "A table is missing.");
create_exception!(makruk_probe, UnreadableTableError, ProbeError, "The system cannot read a table now.");
create_exception!(makruk_probe, CorruptTableError, ProbeError, "A table is damaged; other tables are not affected.");

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    module.add("ProbeError", py.get_type::<ProbeError>())?;
    module.add("PositionError", py.get_type::<PositionError>())?;
    module.add("MissingTableError", py.get_type::<MissingTableError>())?;
    module.add("UnreadableTableError", py.get_type::<UnreadableTableError>())?;
    module.add("CorruptTableError", py.get_type::<CorruptTableError>())
}

/// Whether the tables have no answer for such a position, though it is valid.
pub(crate) const fn is_uncovered(error: &Failure) -> bool {
    matches!(error.reason(), Reason::MissingTable | Reason::TooManyMen)
}

/// The exception for a failure of a position.
pub(crate) fn raise(py: Python<'_>, fen: &str, error: &Failure) -> PyErr {
    raise_at(py, None, Some(fen), error)
}

/// The same for a position in a list, which the message and the attribute `index` name, or for a table without a
/// position.
pub(crate) fn raise_at(py: Python<'_>, index: Option<usize>, fen: Option<&str>, error: &Failure) -> PyErr {
    let reason = error.reason();
    let (material, remedy) = match error {
        Failure::Table(error) => (error.id().map(|id| id.material.to_string()), table_remedy(error)),
        _ => (None, None),
    };
    // As Python shows the character.
    let mut text = error.to_string().replace("\\u{0}", "\\x00");
    if let Some(remedy) = &remedy {
        text = format!("{text}; {remedy}");
    }
    if let (Some(index), Some(fen)) = (index, fen) {
        text = format!("position {index} of the list, {fen:?}: {text}");
    }
    let raised = match reason {
        Reason::MissingTable => MissingTableError::new_err(text),
        Reason::UnreadableTable => UnreadableTableError::new_err(text),
        Reason::CorruptTable => CorruptTableError::new_err(text),
        Reason::BadFen | Reason::IllegalPosition | Reason::TooManyMen | Reason::BadCount => {
            PositionError::new_err(text)
        }
    };
    let value = raised.value(py);
    let set = || {
        value.setattr("reason", reason.name())?;
        value.setattr("fen", fen)?;
        value.setattr("index", index)?;
        value.setattr("material", material)?;
        value.setattr("remedy", remedy)
    };
    set().map_or_else(|other| other, |()| raised.clone_ref(py))
}
