//! Verdicts on positions and moves, as objects. Answers are converted here.

use std::collections::BTreeMap;

use makruk_answers::{LineMoveAnswer, PositionAnswer};
use makruk_rules::Color;
use prober::Counting;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::category::Category;

/// `white` or `black`.
type SideName = String;
/// The name of a count's rule.
type RuleName = String;

/// A class with the fields of an answer: each is named here alone. `cargo regenerate` writes them into the stub.
macro_rules! class {
    (
        $(#[$about:meta])* $name:ident, of $answer:ident: $answered:ty;
        $($(#[$explained:meta])* $access:vis $field:ident: $kind:ty = $value:expr,)*
    ) => {
        $(#[$about])*
        #[pyclass(eq, frozen, get_all, hash, module = "makruk_probe", from_py_object)]
        #[derive(Clone, PartialEq, Eq, Hash)]
        pub(crate) struct $name {
            $($(#[$explained])* $access $field: $kind,)*
        }

        impl $name {
            /// The names of the fields, in their order.
            const FIELDS: &[&str] = &[$(stringify!($field)),*];

            pub(crate) fn of($answer: $answered) -> $name {
                $name { $($field: $value,)* }
            }

            /// The object of such fields.
            fn of_fields(fields: &Bound<'_, PyTuple>) -> PyResult<$name> {
                let mut places = 0..;
                let mut next = || fields.get_item(places.next().unwrap_or_default());
                Ok($name { $($field: next()?.extract()?,)* })
            }
        }
    };
}

class! {
    /// The count of a position, with the fields that it has in JSON. It is true if a count runs.
    Count, of count: Counting;
    /// The rule of the count that runs: `board`, `pieces`, or `none`.
    rule: RuleName = count.rule.name().to_owned(),
    /// The limit in plies, as in the FEN; None if no count runs.
    limit: Option<u32> = count.given.map(makruk_rules::Count::limit),
    /// The plies on the clock, as in the FEN; None if no count runs.
    ply: Option<u32> = count.given.map(makruk_rules::Count::ply),
    /// The winner's moves left under the count or, if none runs, under one that begins now; None if neither side wins,
    /// or with a pawn on the board.
    attacker_moves_left: Option<u32> = count.attacker_moves_left,
}

#[pymethods]
impl Count {
    #[staticmethod]
    #[pyo3(name = "_of")]
    fn unpickled(fields: Bound<'_, PyTuple>) -> PyResult<Count> {
        Count::of_fields(&fields)
    }

    fn __reduce__<'py>(this: &Bound<'py, Self>) -> PyResult<Reduced<'py>> {
        reduced(this, Count::FIELDS)
    }

    /// The attributes as a dictionary.
    fn to_dict<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyDict>> {
        dictionary(this, Count::FIELDS)
    }

    fn __bool__(&self) -> bool {
        self.limit.is_some()
    }

    fn __repr__(&self) -> String {
        match (self.limit, self.ply) {
            (Some(limit), Some(ply)) => format!("Count({}: limit={limit}, ply={ply})", self.rule),
            _ => "Count(none)".to_owned(),
        }
    }
}

class! {
    /// The verdict on a position, from the side to move.
    Verdict, of position: PositionAnswer;
    /// The position, in Fairy-Stockfish's letters and six fields.
    fen: String = position.fen.to_string(),
    /// The material, such as `KRvKS`. The colours of the name need not be those of the board.
    material: String = position.verdict.material.to_string(),
    /// The side to move.
    side: SideName = position.verdict.side.name().to_owned(),
    /// The category under the count.
    category: Category = Category::of(position.verdict.category),
    /// Signed plies to mate without a count; None if neither side forces mate, 0 if the side to move is mated.
    pub(crate) dtm: Option<i32> = position.verdict.dtm.signed_plies(),
    /// Signed plies to the conversion: mate, or a capture that bares the loser's king with enough moves left. With a
    /// pawn on the board it is mate, or the winner's move that ends the last pawn with enough moves left. None if no
    /// conversion can be forced; equal to dtm with a bare king and no pawn.
    pub(crate) dtz: Option<i32> = position.verdict.dtz.signed_plies(),
    /// The count in the FEN, which is false if none runs. The position is then judged as if the count began now, or
    /// with a pawn on the board without a count.
    count: Count = Count::of(position.verdict.count),
    /// Whether the side to move is mated. The category is DRAW if the count had drawn the game before the mate.
    checkmate: bool = position.verdict.checkmate,
    /// Whether the side to move is stalemated, which draws.
    stalemate: bool = position.verdict.stalemate,
    /// Whether each side can still mate if the other helps, whatever the count: `white` and `black`. False is proven;
    /// None if it is not known, which happens only with pawns. If neither can, the position is dead, which draws.
    can_mate: BTreeMap<String, Option<bool>> =
        Color::ALL.into_iter().map(|side| (side.name().to_owned(), position.can_mate[side])).collect(),
    /// Notes: parts of the text that were dropped or assumed, in sentences; empty if there are none.
    notes: Vec<String> = position.notes,
}

#[pymethods]
impl Verdict {
    #[staticmethod]
    #[pyo3(name = "_of")]
    fn unpickled(fields: Bound<'_, PyTuple>) -> PyResult<Verdict> {
        Verdict::of_fields(&fields)
    }

    fn __reduce__<'py>(this: &Bound<'py, Self>) -> PyResult<Reduced<'py>> {
        reduced(this, Verdict::FIELDS)
    }

    /// The attributes as a dictionary: the answer in JSON, of `makruk-probe query --json` and of the service. `notes`
    /// is left out if there are none.
    fn to_dict<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyDict>> {
        dictionary(this, Verdict::FIELDS)
    }

    fn __repr__(&self) -> String {
        let plies = |value: Option<i32>| value.map_or("None".to_owned(), |plies| plies.to_string());
        let category = self.category.name();
        format!("Verdict({}: {category}, dtm={}, dtz={})", self.material, plies(self.dtm), plies(self.dtz))
    }
}

class! {
    /// A move and its verdict, from the side that makes it, the move itself included.
    Move, of made: LineMoveAnswer;
    /// UCI notation, such as `e2e3` or, for a promotion, `e5e6m`.
    uci: String = made.made.ranked.mv.to_string(),
    /// SAN in the letters K R N S M, with + and #, such as `Rxe3+` or `e6=M`.
    san: String = made.made.san.clone(),
    /// The position after it, with its count.
    fen: String = made.made.after.to_string(),
    /// The category under the root's count carried on.
    category: Category = Category::of(made.made.ranked.category),
    /// Signed plies to mate without a count; 1 for a mating move, None if neither side forces mate.
    dtm: Option<i32> = made.made.ranked.dtm.signed_plies(),
    /// Signed plies to the conversion; 1 for a move that begins a count in time, None if none can be forced.
    dtz: Option<i32> = made.made.ranked.dtz.signed_plies(),
    /// The count after it, which is false if none runs then.
    count: Count = Count::of(made.count()),
    /// Whether it takes a man.
    capture: bool = made.made.ranked.capture,
    /// Whether a pawn becomes a met.
    promotion: bool = made.made.ranked.mv.promotion,
    /// Whether it takes the last man that an opponent has besides the king.
    bares_king: bool = made.made.ranked.bares_king,
    /// Whether it begins a count, whatever ran: at the last pawn's end or, without pawns, by a baring capture.
    begins_count: bool = made.made.ranked.begins_count,
}

#[pymethods]
impl Move {
    #[staticmethod]
    #[pyo3(name = "_of")]
    fn unpickled(fields: Bound<'_, PyTuple>) -> PyResult<Move> {
        Move::of_fields(&fields)
    }

    fn __reduce__<'py>(this: &Bound<'py, Self>) -> PyResult<Reduced<'py>> {
        reduced(this, Move::FIELDS)
    }

    /// The square left, from 0 (a1) to 63 (h8), as python-chess numbers them.
    #[getter]
    fn from_square(&self) -> u8 {
        square(&self.uci[..2])
    }

    /// The square reached.
    #[getter]
    fn to_square(&self) -> u8 {
        square(&self.uci[2..4])
    }

    /// The attributes as a dictionary of words, numbers and dictionaries, as JSON has them.
    fn to_dict<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyDict>> {
        let (head, rest) = Move::FIELDS.split_at(3);
        dictionary(this, &[head, &["from_square", "to_square"], rest].concat())
    }

    /// UCI notation.
    fn __str__(&self) -> &str {
        &self.uci
    }

    fn __repr__(&self) -> String {
        format!("Move({}: {})", self.san, self.category.name())
    }
}

/// The number of a square named in UCI notation.
fn square(name: &str) -> u8 {
    let [file, rank] = [name.as_bytes()[0] - b'a', name.as_bytes()[1] - b'1'];
    8 * rank + file
}

/// A function that makes an object again, and the fields that it takes.
type Reduced<'py> = (Bound<'py, PyAny>, (Bound<'py, PyTuple>,));

fn reduced<'py>(object: &Bound<'py, impl Sized>, names: &[&str]) -> PyResult<Reduced<'py>> {
    let fields = names.iter().map(|&name| object.as_any().getattr(name)).collect::<PyResult<Vec<_>>>()?;
    Ok((object.as_any().get_type().getattr("_of")?, (PyTuple::new(object.py(), fields)?,)))
}

/// The named attributes of an object as JSON has them: a category is its word, and no notes are left out.
fn dictionary<'py>(object: &Bound<'py, impl Sized>, names: &[&str]) -> PyResult<Bound<'py, PyDict>> {
    let found = PyDict::new(object.py());
    for &name in names {
        let value = object.as_any().getattr(name)?;
        let value = match name {
            "category" => value.str()?.into_any(),
            "count" => value.call_method0("to_dict")?,
            "notes" if value.is_empty()? => continue,
            _ => value,
        };
        found.set_item(name, value)?;
    }
    Ok(found)
}
