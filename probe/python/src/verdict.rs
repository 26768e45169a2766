//! Verdicts on positions and moves. Everything that comes from the prober is converted here.

use makruk_tables::rules::{Count as RunningCount, Fen, Position};
use prober::RankedMove;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// The category of a position under the count, from the side to move; ordered from worst to best.
#[pyclass(eq, eq_int, ord, frozen, hash, rename_all = "SCREAMING_SNAKE_CASE", module = "makruk_probe", from_py_object)]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Category {
    Loss,
    BlessedLoss,
    Draw,
    CursedWin,
    Win,
}

impl Category {
    pub(crate) const fn of(category: prober::Category) -> Category {
        match category {
            prober::Category::Loss => Category::Loss,
            prober::Category::BlessedLoss => Category::BlessedLoss,
            prober::Category::Draw => Category::Draw,
            prober::Category::CursedWin => Category::CursedWin,
            prober::Category::Win => Category::Win,
        }
    }

    const fn prober(self) -> prober::Category {
        match self {
            Category::Loss => prober::Category::Loss,
            Category::BlessedLoss => prober::Category::BlessedLoss,
            Category::Draw => prober::Category::Draw,
            Category::CursedWin => prober::Category::CursedWin,
            Category::Win => prober::Category::Win,
        }
    }
}

#[pymethods]
impl Category {
    /// `loss`, `blessed-loss`, `draw`, `cursed-win` or `win`.
    fn __str__(&self) -> &'static str {
        self.prober().name()
    }

    /// Is the game drawn, with best play by both?
    #[getter]
    fn is_drawn(&self) -> bool {
        self.prober().is_drawn()
    }

    fn __reduce__(&self, py: Python<'_>) -> PyResult<(Py<PyAny>, (u8,))> {
        Ok((py.get_type::<Category>().getattr("_of")?.unbind(), (*self as u8,)))
    }

    #[staticmethod]
    #[pyo3(name = "_of")]
    fn of_place(place: u8) -> PyResult<Category> {
        let found = prober::Category::ALL.into_iter().map(Category::of).find(|&category| category as u8 == place);
        found.ok_or_else(|| PyValueError::new_err(format!("{place} is no category")))
    }
}

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
    dtm: Option<i32>,
    /// Signed plies to the conversion: mate, or a capture that bares the loser's king with enough moves left. None if no
    /// conversion can be forced; equal to dtm with a bare king.
    dtz: Option<i32>,
    /// The count in the FEN. None if none runs; the position is then judged as if the count began now.
    count: Option<Count>,
    /// The winner's moves left under the count; None if neither side wins.
    attacker_moves_left: Option<u32>,
    /// Is the side to move mated? The category is DRAW if the count had drawn the game before the mate.
    checkmate: bool,
    /// Is the side to move stalemated, which draws?
    stalemate: bool,
}

impl Verdict {
    pub(crate) fn of(fen: &Fen, verdict: &prober::Verdict) -> Verdict {
        Verdict {
            fen: fen.to_string(),
            material: verdict.material.to_string(),
            side: verdict.side.name(),
            category: Category::of(verdict.category),
            dtm: verdict.dtm.signed_plies(),
            dtz: verdict.dtz.signed_plies(),
            count: verdict.count.given.map(Count::of),
            attacker_moves_left: verdict.count.attacker_moves_left,
            checkmate: verdict.checkmate,
            stalemate: verdict.stalemate,
        }
    }
}

/// The fields of a verdict, in their order.
type VerdictFields =
    (String, String, String, Category, Option<i32>, Option<i32>, Option<Count>, Option<u32>, bool, bool);

#[pymethods]
impl Verdict {
    #[staticmethod]
    #[pyo3(name = "_of")]
    fn of_fields(fields: VerdictFields) -> Verdict {
        let (fen, material, side, category, dtm, dtz, count, attacker_moves_left, checkmate, stalemate) = fields;
        let side = if side == "white" { "white" } else { "black" };
        Verdict { fen, material, side, category, dtm, dtz, count, attacker_moves_left, checkmate, stalemate }
    }

    fn __reduce__(&self, py: Python<'_>) -> PyResult<(Py<PyAny>, (VerdictFields,))> {
        let Verdict { fen, material, side, category, dtm, dtz, count, attacker_moves_left, checkmate, stalemate } =
            self.clone();
        let fields =
            (fen, material, side.to_owned(), category, dtm, dtz, count, attacker_moves_left, checkmate, stalemate);
        Ok((py.get_type::<Verdict>().getattr("_of")?.unbind(), (fields,)))
    }

    fn __repr__(&self) -> String {
        let plies = |value: Option<i32>| value.map_or("None".to_owned(), |plies| plies.to_string());
        let category = self.category.__str__();
        format!("Verdict({}: {category}, dtm={}, dtz={})", self.material, plies(self.dtm), plies(self.dtz))
    }
}

/// A move and its verdict, from the side that makes it, the move itself included.
#[pyclass(eq, frozen, get_all, hash, module = "makruk_probe", skip_from_py_object)]
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Move {
    /// UCI notation, such as `e2e3`.
    uci: String,
    /// SAN in the letters K R N S M, with + and #, such as `Rxe3+`.
    san: String,
    /// The category under the root's count carried on.
    category: Category,
    /// Signed plies to mate without a count; 1 for a mating move, None if neither side forces mate.
    dtm: Option<i32>,
    /// Signed plies to the conversion; 1 for a baring capture in time, None if no conversion can be forced.
    dtz: Option<i32>,
    /// The count that runs after it.
    count: Option<Count>,
    /// Does it take a man?
    capture: bool,
    /// Does it bare an opponent who had a piece left?
    zeroing: bool,
}

impl Move {
    /// A move made in `position`.
    pub(crate) fn of(position: &Position, ranked: &RankedMove) -> Move {
        Move::with_san(ranked, ranked.san(position))
    }

    /// A move whose notation is known.
    pub(crate) fn with_san(ranked: &RankedMove, san: String) -> Move {
        Move {
            uci: ranked.mv.to_string(),
            san,
            category: Category::of(ranked.category),
            dtm: ranked.dtm.signed_plies(),
            dtz: ranked.dtz.signed_plies(),
            count: ranked.count.map(Count::of),
            capture: ranked.capture,
            zeroing: ranked.bares_king,
        }
    }
}

/// The fields of a move, in their order.
type MoveFields = (String, String, Category, Option<i32>, Option<i32>, Option<Count>, bool, bool);

#[pymethods]
impl Move {
    #[staticmethod]
    #[pyo3(name = "_of")]
    fn of_fields(fields: MoveFields) -> Move {
        let (uci, san, category, dtm, dtz, count, capture, zeroing) = fields;
        Move { uci, san, category, dtm, dtz, count, capture, zeroing }
    }

    fn __reduce__(&self, py: Python<'_>) -> PyResult<(Py<PyAny>, (MoveFields,))> {
        let Move { uci, san, category, dtm, dtz, count, capture, zeroing } = self.clone();
        let fields = (uci, san, category, dtm, dtz, count, capture, zeroing);
        Ok((py.get_type::<Move>().getattr("_of")?.unbind(), (fields,)))
    }

    fn __repr__(&self) -> String {
        format!("Move({}: {})", self.san, self.category.__str__())
    }
}
