//! The exceptions.

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
create_exception!(makruk_probe, MissingTableError, ProbeError, "A table is not there.");
create_exception!(makruk_probe, UnreadableTableError, ProbeError, "The system cannot read a table now.");
create_exception!(makruk_probe, CorruptTableError, ProbeError, "A table is damaged; other tables are not concerned.");

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    module.add("ProbeError", py.get_type::<ProbeError>())?;
    module.add("PositionError", py.get_type::<PositionError>())?;
    module.add("MissingTableError", py.get_type::<MissingTableError>())?;
    module.add("UnreadableTableError", py.get_type::<UnreadableTableError>())?;
    module.add("CorruptTableError", py.get_type::<CorruptTableError>())
}

/// Have the tables no answer for such a position, though it is sound?
pub(crate) const fn is_uncovered(error: &Failure) -> bool {
    matches!(error.reason(), Reason::MissingTable | Reason::HasPawns | Reason::TooManyMen)
}

/// The exception for a failure, with its reason.
pub(crate) fn raise(py: Python<'_>, error: &Failure) -> PyErr {
    let (reason, text) = (error.reason(), error.to_string());
    let raised = match reason {
        Reason::MissingTable => MissingTableError::new_err(text),
        Reason::UnreadableTable => UnreadableTableError::new_err(text),
        Reason::CorruptTable => CorruptTableError::new_err(text),
        Reason::BadFen | Reason::IllegalPosition | Reason::HasPawns | Reason::TooManyMen | Reason::BadCount => {
            PositionError::new_err(text)
        }
    };
    match raised.value(py).setattr("reason", reason.name()) {
        Ok(()) => raised,
        Err(other) => other,
    }
}
