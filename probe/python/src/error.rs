//! The exceptions. For Python they are classes of its own, since some have two bases.

use makruk_answers::{Door, Reason, Refusal, Remedy};
use makruk_console::table_remedy;
use prober::{ProbeError as Failure, Reason as Failed};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyType};

use crate::definition::define;

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

/// The interpreter as a place for questions.
pub(crate) const DOOR: Door = Door { remedy: Remedy::Folder(sentence), most_positions: usize::MAX };

/// A failure with what helps.
fn sentence(error: &Failure) -> String {
    makruk_console::sentence(error, |_| remedy(error))
}

fn remedy(error: &Failure) -> Option<String> {
    match error {
        Failure::Table(error) => table_remedy(error),
        Failure::Fen(_) => None,
    }
}

/// The exception for the refusal of a position.
pub(crate) fn raise(py: Python<'_>, fen: &str, refusal: &Refusal) -> PyErr {
    raise_at(py, None, Some(fen), refusal)
}

/// The same for a position in a list, which the message and the attribute `index` name, or for a table without a
/// position.
pub(crate) fn raise_at(py: Python<'_>, index: Option<usize>, fen: Option<&str>, refusal: &Refusal) -> PyErr {
    // As Python shows the character.
    let mut text = refusal.error.replace("\\u{0}", "\\x00");
    if let (Some(index), Some(fen)) = (index, fen) {
        text = format!("position {index} of the list, {fen:?}: {text}");
    }
    let class = match refusal.reason {
        Reason::Probe(Failed::MissingTable) => "MissingTableError",
        Reason::Probe(Failed::UnreadableTable) => "UnreadableTableError",
        Reason::Probe(Failed::CorruptTable) => "CorruptTableError",
        Reason::INTERNAL => "ProbeError",
        Reason::Probe(_) => "PositionError",
        _ => return PyValueError::new_err(text),
    };
    let material = refusal.table().map(|id| id.material.to_string());
    // A site has no table that could be built there.
    let is_of_site = refusal.command.is_none() && class == "MissingTableError";
    let remedy = refusal.cause.as_deref().filter(|_| !is_of_site).and_then(remedy);
    let raised = exception(py, class, text);
    let value = raised.value(py);
    let set = || {
        value.setattr("reason", refusal.reason.name())?;
        value.setattr("fen", fen)?;
        value.setattr("index", index)?;
        value.setattr("material", material)?;
        value.setattr("remedy", remedy)
    };
    set().map_or_else(|other| other, |()| raised.clone_ref(py))
}
