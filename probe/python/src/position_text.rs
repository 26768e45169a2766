//! The text of a position, from whatever names one.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

/// A FEN, or the FEN of a board: of an object with a method or an attribute `fen`.
pub(crate) struct PositionText(pub(crate) String);

impl<'py> FromPyObject<'_, 'py> for PositionText {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<PositionText> {
        if let Ok(fen) = object.extract() {
            return Ok(PositionText(fen));
        }
        let kind = || object.get_type().qualname().map_or_else(|_| "this".to_owned(), |name| name.to_string());
        let fen = object.getattr("fen").map_err(|_| {
            PyTypeError::new_err(format!("expected a FEN, or a board with a method fen(), found {}", kind()))
        })?;
        let fen = if fen.is_callable() { fen.call0()? } else { fen };
        Ok(PositionText(fen.extract()?))
    }
}
