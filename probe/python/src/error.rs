//! The exceptions. For Python they are classes of its own, since some have two bases.

use makruk_locate::table_remedy;
use prober::{ProbeError as Failure, Reason};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyType};

use crate::define;

/// The classes by their names.
static CLASSES: PyOnceLock<Py<PyDict>> = PyOnceLock::new();

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let classes = define(module, include_str!("errors.py"))?;
    for name in ["ProbeError", "PositionError", "MissingTableError", "UnreadableTableError", "CorruptTableError"] {
        module.add(name, classes.as_any().get_item(name)?)?;
    }
    let _ = CLASSES.set(module.py(), classes.unbind());
    Ok(())
}

/// An exception of a class.
fn exception(py: Python<'_>, class: &str, text: String) -> PyErr {
    let found = CLASSES.get(py).and_then(|classes| classes.bind(py).get_item(class).ok().flatten());
    match found.and_then(|class| class.cast_into::<PyType>().ok()) {
        Some(class) => PyErr::from_type(class, text),
        None => pyo3::exceptions::PyRuntimeError::new_err(text),
    }
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
    let class = match reason {
        Reason::MissingTable => "MissingTableError",
        Reason::UnreadableTable => "UnreadableTableError",
        Reason::CorruptTable => "CorruptTableError",
        Reason::BadFen | Reason::IllegalPosition | Reason::TooManyMen | Reason::BadCount => "PositionError",
    };
    let raised = exception(py, class, text);
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
