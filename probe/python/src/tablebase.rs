//! The tablebase.

use std::path::PathBuf;

use makruk_locate::locate;
use makruk_tables::rules::Fen;
use makruk_tables::value::Metric;
use prober::{DEFAULT_CACHE_BYTES, Inventory, LineStep, ParsePolicyError, Policy, ProbeError, Prober, TableId};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::error::raise;
use crate::statistics::StatisticsIterator;
use crate::verdict::{Move, Verdict};

/// The tables of one folder or of several. Any number of threads may use the same one; every method that reads files lets
/// other threads run meanwhile.
#[pyclass(frozen, module = "makruk_probe")]
pub(crate) struct Tablebase {
    prober: Prober,
}

/// One folder or several.
#[derive(FromPyObject)]
enum Folders {
    One(PathBuf),
    Several(Vec<PathBuf>),
}

#[pymethods]
impl Tablebase {
    /// Opens nothing yet. Without a path: the folder that MAKRUK_TABLES names, else ./tables/data if it is there, else the
    /// user's data folder. `cache_bytes` is the memory for decoded stripes; 0 keeps none.
    ///
    /// Files are read by position, never mapped: a file that is cut short while it is open raises CorruptTableError.
    #[new]
    #[pyo3(signature = (path=None, *, cache_bytes=DEFAULT_CACHE_BYTES))]
    fn new(path: Option<Folders>, cache_bytes: usize) -> PyResult<Tablebase> {
        let folders = match path {
            None => vec![locate(None)],
            Some(Folders::One(folder)) => vec![folder],
            Some(Folders::Several(folders)) => folders,
        };
        if folders.is_empty() {
            return Err(PyValueError::new_err("no folder of tables was named"));
        }
        // Positional reads: a file that is cut short while it is open raises, and does not end the interpreter.
        let tables = prober::Tablebase::builder().folders(folders).cache_bytes(cache_bytes).build();
        Ok(Tablebase { prober: Prober::new(tables) })
    }

    /// The verdict on a position.
    ///
    /// Raises PositionError, MissingTableError, UnreadableTableError or CorruptTableError.
    fn probe(&self, py: Python<'_>, fen: &str) -> PyResult<Verdict> {
        py.detach(|| self.verdict(fen)).map_err(|error| raise(py, &error))
    }

    /// The same for many, in order; the first that fails raises.
    fn probe_many(&self, py: Python<'_>, fens: Vec<String>) -> PyResult<Vec<Verdict>> {
        py.detach(|| fens.iter().map(|fen| self.verdict(fen)).collect::<Result<_, _>>())
            .map_err(|error| raise(py, &error))
    }

    /// The legal moves, best first. Raises as probe(), also for the materials that captures lead to.
    fn moves(&self, py: Python<'_>, fen: &str) -> PyResult<Vec<Move>> {
        let found = || {
            let fen: Fen = fen.parse()?;
            let ranked = self.prober.moves(&fen)?;
            Ok(ranked.iter().map(|ranked| Move::of(&fen.position, ranked)).collect())
        };
        py.detach(found).map_err(|error: ProbeError| raise(py, &error))
    }

    /// The move that a perfect player makes; None if the game is over. Raises as moves(), and ValueError.
    #[pyo3(signature = (fen, policy="safest"))]
    fn play(&self, py: Python<'_>, fen: &str, policy: &str) -> PyResult<Option<Move>> {
        let policy = self::policy(policy)?;
        let found = || {
            let fen: Fen = fen.parse()?;
            Ok(self.prober.play(&fen, policy)?.map(|ranked| Move::of(&fen.position, &ranked)))
        };
        py.detach(found).map_err(|error: ProbeError| raise(py, &error))
    }

    /// Best play under the count, until mate or the draw by it; empty if neither side wins. Raises as play().
    #[pyo3(signature = (fen, *, defence="safest", max_plies=2000))]
    fn line(&self, py: Python<'_>, fen: &str, defence: &str, max_plies: usize) -> PyResult<Vec<Move>> {
        let defence = policy(defence)?;
        let found = || {
            let fen: Fen = fen.parse()?;
            let mut line = Vec::new();
            for step in self.prober.line(&fen, defence, max_plies) {
                if let LineStep::Move(made) = step? {
                    line.push(Move::with_san(&made.ranked, made.san));
                }
            }
            Ok(line)
        };
        py.detach(found).map_err(|error: ProbeError| raise(py, &error))
    }

    /// The totals of every table, read when they are asked for.
    fn statistics(&self, py: Python<'_>) -> StatisticsIterator {
        StatisticsIterator::new(py.detach(|| self.tables()), self.prober.source().clone())
    }

    fn __iter__(&self, py: Python<'_>) -> StatisticsIterator {
        self.statistics(py)
    }

    fn __len__(&self, py: Python<'_>) -> usize {
        py.detach(|| self.tables()).len()
    }

    /// The number of men of the largest material, both kings included; 2 without tables.
    #[getter]
    fn largest(&self, py: Python<'_>) -> usize {
        py.detach(|| Inventory::of(self.prober.source().folders())).largest()
    }

    /// The folders of the tables; a table is taken from the first folder that has it.
    #[getter]
    fn folders(&self) -> Vec<PathBuf> {
        self.prober.source().folders().to_vec()
    }

    fn __repr__(&self) -> String {
        format!("Tablebase({:?})", self.prober.source().folders())
    }
}

impl Tablebase {
    /// The tables that have distances.
    fn tables(&self) -> Vec<TableId> {
        let inventory = Inventory::of(self.prober.source().folders());
        inventory.tables().filter(|id| id.metric != Metric::Wdl).collect()
    }

    fn verdict(&self, fen: &str) -> Result<Verdict, ProbeError> {
        let fen: Fen = fen.parse()?;
        Ok(Verdict::of(&fen, &self.prober.probe(&fen)?))
    }
}

fn policy(name: &str) -> PyResult<Policy> {
    name.parse().map_err(|error: ParsePolicyError| PyValueError::new_err(error.to_string()))
}
