//! Verdicts on positions and moves. Everything that comes from the prober is converted here.

use makruk_tables::rules::{Count as RunningCount, Fen, Reading};
use prober::{Prober, RankedMove};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::category::Category;

/// A running count, as in the FEN.
#[pyclass(eq, frozen, get_all, hash, module = "makruk_probe", from_py_object)]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Count {
    /// The limit in plies.
    limit: u32,
    /// The plies on the clock.
    ply: u32,
}

impl Count {
    fn of(count: RunningCount) -> Count {
        Count { limit: count.limit(), ply: count.ply() }
    }
}

#[pymethods]
impl Count {
    #[new]
    fn new(limit: u32, ply: u32) -> Count {
        Count { limit, ply }
    }

    /// The attributes as a dictionary.
    fn to_dict<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyDict>> {
        dictionary(this, &["limit", "ply"])
    }

    fn __getnewargs__(&self) -> (u32, u32) {
        (self.limit, self.ply)
    }

    fn __repr__(&self) -> String {
        format!("Count(limit={}, ply={})", self.limit, self.ply)
    }
}

/// The verdict on a position, from the side to move.
#[pyclass(eq, frozen, get_all, hash, module = "makruk_probe", skip_from_py_object)]
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Verdict {
    /// The position, in Fairy-Stockfish's letters and six fields.
    fen: String,
    /// The material, such as `KRvKS`. The colours of the name need not be those of the board.
    material: String,
    /// The side to move.
    side: &'static str,
    /// The category under the count.
    category: Category,
    /// Signed plies to mate without a count; None if neither side forces mate, 0 if the side to move is mated.
    pub(crate) dtm: Option<i32>,
    /// Signed plies to the conversion: mate, or a capture that bares the loser's king with enough moves left. With a
    /// pawn on the board it is mate, or the winner's move that ends the last pawn with enough moves left. None if no
    /// conversion can be forced; equal to dtm with a bare king and no pawn.
    pub(crate) dtz: Option<i32>,
    /// The count in the FEN. None if none runs; the position is then judged as if the count began now, and with a pawn
    /// on the board without a count.
    count: Option<Count>,
    /// The winner's moves left under the count; None if neither side wins, or with a pawn on the board.
    attacker_moves_left: Option<u32>,
    /// Whether the side to move is mated. The category is DRAW if the count had drawn the game before the mate.
    checkmate: bool,
    /// Whether the side to move is stalemated, which draws.
    stalemate: bool,
    /// What was dropped from the text of the position or assumed in reading it, in sentences; empty if there is nothing
    /// to say.
    notes: Vec<String>,
}

impl Verdict {
    /// The names of the fields, in their order.
    #[rustfmt::skip]
    const FIELDS: [&str; 11] = [
        "fen", "material", "side", "category", "dtm", "dtz", "count", "attacker_moves_left", "checkmate", "stalemate", "notes",
    ];

    pub(crate) fn of(reading: &Reading, verdict: &prober::Verdict) -> Verdict {
        Verdict {
            fen: reading.fen.to_string(),
            material: verdict.material.to_string(),
            side: verdict.side.name(),
            category: Category::of(verdict.category),
            dtm: verdict.dtm.signed_plies(),
            dtz: verdict.dtz.signed_plies(),
            count: verdict.count.given.map(Count::of),
            attacker_moves_left: verdict.count.attacker_moves_left,
            checkmate: verdict.checkmate,
            stalemate: verdict.stalemate,
            notes: reading.sentences(),
        }
    }
}

/// The fields of a verdict, in their order.
type VerdictFields =
    (String, String, String, Category, Option<i32>, Option<i32>, Option<Count>, Option<u32>, bool, bool, Vec<String>);

#[pymethods]
impl Verdict {
    #[staticmethod]
    #[pyo3(name = "_of")]
    fn of_fields(fields: VerdictFields) -> Verdict {
        let (fen, material, side, category, dtm, dtz, count, attacker_moves_left, checkmate, stalemate, notes) = fields;
        let side = if side == "white" { "white" } else { "black" };
        Verdict { fen, material, side, category, dtm, dtz, count, attacker_moves_left, checkmate, stalemate, notes }
    }

    fn __reduce__<'py>(this: &Bound<'py, Self>) -> PyResult<Reduced<'py>> {
        reduced(this, &Verdict::FIELDS)
    }

    /// The attributes as a dictionary of words, numbers, dictionaries and lists, as JSON has them.
    fn to_dict<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyDict>> {
        dictionary(this, &Verdict::FIELDS)
    }

    fn __repr__(&self) -> String {
        let plies = |value: Option<i32>| value.map_or("None".to_owned(), |plies| plies.to_string());
        let category = self.category.name();
        format!("Verdict({}: {category}, dtm={}, dtz={})", self.material, plies(self.dtm), plies(self.dtz))
    }
}

/// A move and its verdict, from the side that makes it, the move itself included.
#[pyclass(eq, frozen, get_all, hash, module = "makruk_probe", skip_from_py_object)]
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Move {
    /// UCI notation, such as `e2e3` or, for a promotion, `e5e6m`.
    uci: String,
    /// SAN in the letters K R N S M, with + and #, such as `Rxe3+` or `e6=M`.
    san: String,
    /// The position after it, with its count.
    fen: String,
    /// The category under the root's count carried on.
    category: Category,
    /// Signed plies to mate without a count; 1 for a mating move, None if neither side forces mate.
    dtm: Option<i32>,
    /// Signed plies to the conversion; 1 for a move that begins a count in time, None if no conversion can be
    /// forced.
    dtz: Option<i32>,
    /// The count that runs after it.
    count: Option<Count>,
    /// Whether it takes a man.
    capture: bool,
    /// Whether a pawn becomes a met.
    promotion: bool,
    /// Whether it takes the last man that an opponent has besides the king.
    bares_king: bool,
    /// Whether it begins a count, whatever ran before: it ends the last pawn or, without pawns, takes the last man.
    begins_count: bool,
}

impl Move {
    /// The names of the fields, in their order.
    #[rustfmt::skip]
    const FIELDS: [&str; 11] = [
        "uci", "san", "fen", "category", "dtm", "dtz", "count", "capture", "promotion", "bares_king", "begins_count",
    ];

    /// A move made in `root`, whose count is resolved.
    pub(crate) fn of(prober: &Prober, root: &Fen, ranked: &RankedMove) -> Move {
        Move::after(ranked, ranked.san(&root.position), &root.play(prober.rules(), ranked.mv))
    }

    /// A move whose notation is known, and the position after it.
    pub(crate) fn after(ranked: &RankedMove, san: String, after: &Fen) -> Move {
        Move {
            uci: ranked.mv.to_string(),
            san,
            fen: after.to_string(),
            category: Category::of(ranked.category),
            dtm: ranked.dtm.signed_plies(),
            dtz: ranked.dtz.signed_plies(),
            count: ranked.count.map(Count::of),
            capture: ranked.capture,
            promotion: ranked.mv.promotion,
            bares_king: ranked.bares_king,
            begins_count: ranked.begins_count,
        }
    }
}

/// The fields of a move, in their order.
type MoveFields = (String, String, String, Category, Option<i32>, Option<i32>, Option<Count>, bool, bool, bool, bool);

#[pymethods]
impl Move {
    #[staticmethod]
    #[pyo3(name = "_of")]
    fn of_fields(fields: MoveFields) -> Move {
        let (uci, san, fen, category, dtm, dtz, count, capture, promotion, bares_king, begins_count) = fields;
        Move { uci, san, fen, category, dtm, dtz, count, capture, promotion, bares_king, begins_count }
    }

    fn __reduce__<'py>(this: &Bound<'py, Self>) -> PyResult<Reduced<'py>> {
        reduced(this, &Move::FIELDS)
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

/// The named attributes of an object; a category is its word.
fn dictionary<'py>(object: &Bound<'py, impl Sized>, names: &[&str]) -> PyResult<Bound<'py, PyDict>> {
    let found = PyDict::new(object.py());
    for &name in names {
        let value = object.as_any().getattr(name)?;
        let value = match name {
            "category" => value.str()?.into_any(),
            "count" if !value.is_none() => value.call_method0("to_dict")?,
            _ => value,
        };
        found.set_item(name, value)?;
    }
    Ok(found)
}
