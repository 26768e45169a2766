//! Classes of the module that Python code defines.

use std::ffi::CString;

use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Runs Python code that defines classes of the module; returns the names that it defines.
pub(crate) fn define<'py>(module: &Bound<'py, PyModule>, code: &str) -> PyResult<Bound<'py, PyDict>> {
    let names = PyDict::new(module.py());
    // The module of the classes, by which they are pickled.
    names.set_item("__name__", module.name()?)?;
    module.py().run(&CString::new(code)?, Some(&names), None)?;
    Ok(names)
}
