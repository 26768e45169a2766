//! Verdicts on positions and moves. Everything that comes from the prober is converted here.

use makruk_tables::rules::{Count as RunningCount, Fen, Position};
use prober::RankedMove;
use pyo3::prelude::*;

/// The category of a position under the count, from worst to best.
#[pyclass(
    eq,
    eq_int,
    ord,
    frozen,
    hash,
    rename_all = "SCREAMING_SNAKE_CASE",
    module = "makruk_probe",
    skip_from_py_object
)]
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
}

/// A running count, in plies.
#[pyclass(eq, frozen, get_all, hash, module = "makruk_probe", skip_from_py_object)]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Count {
    limit: u32,
    ply: u32,
}

impl Count {
    fn of(count: RunningCount) -> Count {
        Count { limit: count.limit(), ply: count.ply() }
    }
}

#[pymethods]
impl Count {
    fn __repr__(&self) -> String {
        format!("Count(limit={}, ply={})", self.limit, self.ply)
    }
}

/// The verdict on a position.
#[pyclass(frozen, get_all, module = "makruk_probe", skip_from_py_object)]
#[derive(Clone)]
pub(crate) struct Verdict {
    fen: String,
    material: String,
    side: &'static str,
    category: Category,
    dtm: Option<i32>,
    dtz: Option<i32>,
    count: Option<Count>,
    attacker_moves_left: Option<u32>,
    checkmate: bool,
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

#[pymethods]
impl Verdict {
    fn __repr__(&self) -> String {
        let plies = |value: Option<i32>| value.map_or("None".to_owned(), |plies| plies.to_string());
        let category = self.category.__str__();
        format!("Verdict({}: {category}, dtm={}, dtz={})", self.material, plies(self.dtm), plies(self.dtz))
    }
}

/// A move and its verdict, from the side that makes it.
#[pyclass(frozen, get_all, module = "makruk_probe", skip_from_py_object)]
#[derive(Clone)]
pub(crate) struct Move {
    uci: String,
    san: String,
    category: Category,
    dtm: Option<i32>,
    dtz: Option<i32>,
    count: Option<Count>,
    capture: bool,
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

#[pymethods]
impl Move {
    fn __repr__(&self) -> String {
        format!("Move({}: {})", self.san, self.category.__str__())
    }
}
