//! The text of a position, from whatever names one.

use makruk_answers::{Ask, Field, Refusal};
use makruk_rules::{ChessSign, FenError, Reading};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::error::DOOR;
use crate::tables::{Answered, Tables};

/// A FEN, or the FEN of a board: of an object with a method or an attribute `fen`.
pub(crate) struct PositionText {
    pub(crate) text: String,
    /// The type of a board of chess: its queens and bishops are not mets and khons.
    chess_board: Option<String>,
}

impl PositionText {
    /// The position. A board of chess is refused, whatever its FEN is.
    pub(crate) fn read(&self) -> Result<Reading, FenError> {
        self.check_board()?;
        Reading::parse(&self.text)
    }

    /// The answer to a question about the position.
    pub(crate) fn ask<Q: Ask>(&self, tables: &Tables, question: impl Fn(Field<Reading>) -> Q) -> Answered<Q::Answer> {
        self.check_board().map_err(|error| Box::new(Refusal::of(error.into(), DOOR.remedy)))?;
        tables.ask(question(self.text.as_str().into()))
    }

    fn check_board(&self) -> Result<(), FenError> {
        match &self.chess_board {
            Some(kind) => Err(FenError::Chess(ChessSign::Library(kind.clone()))),
            None => Ok(()),
        }
    }
}

/// Positions of a list, a generator, or anything else that is iterated over.
pub(crate) struct Positions(pub(crate) Vec<PositionText>);

impl<'py> FromPyObject<'_, 'py> for Positions {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Positions> {
        if object.is_instance_of::<PyString>() {
            return Err(PyTypeError::new_err("expected several positions, found one text: put it in a list"));
        }
        Ok(Positions(object.try_iter()?.map(|item| item?.extract()).collect::<PyResult<_>>()?))
    }
}

impl<'py> FromPyObject<'_, 'py> for PositionText {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<PositionText> {
        if let Ok(text) = object.extract() {
            return Ok(PositionText { text, chess_board: None });
        }
        let name =
            || object.get_type().fully_qualified_name().map_or_else(|_| "this".to_owned(), |name| name.to_string());
        let fen = object.getattr("fen").map_err(|_| {
            PyTypeError::new_err(format!("expected a FEN, or a board with a method fen(), found {}", name()))
        })?;
        let fen = if fen.is_callable() { fen.call0()? } else { fen };
        // The boards of python-chess name their variant.
        let variant = object.getattr("uci_variant").and_then(|variant| variant.extract::<String>());
        let chess_board = variant.is_ok_and(|variant| variant != "makruk").then(name);
        Ok(PositionText { text: fen.extract()?, chess_board })
    }
}
