//! The tablebase.

use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use makruk_locate::locate;
use makruk_tables::rules::Fen;
use makruk_tables::value::Metric;
use prober::{DEFAULT_CACHE_BYTES, Inventory, LineStep, ParsePolicyError, Policy, ProbeError, Prober, TableId};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::{PyClass, PyClassInitializer};

use crate::error::{is_uncovered, raise};
use crate::position_text::PositionText;
use crate::statistics::StatisticsIterator;
use crate::verdict::{Category, Move, Verdict};

/// The tables of one folder or of several. Any number of threads may use the same one; every method that reads files lets
/// other threads run meanwhile. Positions are FENs, or boards: objects with a method or an attribute `fen`.
#[pyclass(frozen, module = "makruk_probe")]
pub(crate) struct Tablebase {
    /// None once it is closed.
    prober: Mutex<Option<Prober>>,
    folders: Vec<PathBuf>,
    cache_bytes: usize,
}

/// The arguments with which a copy is opened: folders and bytes of the cache.
type OpenArguments = (Vec<PathBuf>, usize);

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
        Tablebase::open(folders, cache_bytes)
    }

    /// The verdict on a position.
    ///
    /// Raises PositionError, MissingTableError, UnreadableTableError or CorruptTableError.
    fn probe(&self, py: Python<'_>, fen: PositionText) -> PyResult<Verdict> {
        let prober = self.prober()?;
        py.detach(|| verdict(&prober, &fen.0)).map_err(|error| raise(py, &error))
    }

    /// The same, or `default` where the tables have no answer: a table is not there, or there are pawns or too many men.
    /// Raises as probe() otherwise.
    #[pyo3(signature = (fen, default=None))]
    fn get(&self, py: Python<'_>, fen: PositionText, default: Option<Py<PyAny>>) -> PyResult<Option<Py<PyAny>>> {
        let prober = self.prober()?;
        found_or(py, py.detach(|| verdict(&prober, &fen.0)), default)
    }

    /// The category alone; fast where there are WDL tables. Raises as probe().
    fn category(&self, py: Python<'_>, fen: PositionText) -> PyResult<Category> {
        let prober = self.prober()?;
        py.detach(|| category(&prober, &fen.0)).map_err(|error| raise(py, &error))
    }

    /// The same, or `default` where get() gives it.
    #[pyo3(signature = (fen, default=None))]
    fn get_category(
        &self,
        py: Python<'_>,
        fen: PositionText,
        default: Option<Py<PyAny>>,
    ) -> PyResult<Option<Py<PyAny>>> {
        let prober = self.prober()?;
        found_or(py, py.detach(|| category(&prober, &fen.0)), default)
    }

    /// The verdicts on many positions, in order. The first that fails raises; with `errors="return"` its place has the
    /// exception.
    #[pyo3(signature = (fens, *, errors="raise"))]
    fn probe_many(&self, py: Python<'_>, fens: Vec<PositionText>, errors: &str) -> PyResult<Vec<Py<PyAny>>> {
        let is_returned = match errors {
            "raise" => false,
            "return" => true,
            other => return Err(PyValueError::new_err(format!("errors is {other:?}: expected 'raise' or 'return'"))),
        };
        let prober = self.prober()?;
        let probed: Vec<Result<Verdict, ProbeError>> = py.detach(|| {
            let mut probed = Vec::with_capacity(fens.len());
            for fen in &fens {
                probed.push(verdict(&prober, &fen.0));
                if !is_returned && probed.last().is_some_and(Result::is_err) {
                    break;
                }
            }
            probed
        });
        let object = |probed| match probed {
            Ok(verdict) => Ok(Py::new(py, verdict)?.into_any()),
            Err(error) if is_returned => Ok(raise(py, &error).into_value(py).into_any()),
            Err(error) => Err(raise(py, &error)),
        };
        probed.into_iter().map(object).collect()
    }

    /// The legal moves, best first. Raises as probe(), also for the materials that captures lead to.
    fn moves(&self, py: Python<'_>, fen: PositionText) -> PyResult<Vec<Move>> {
        let prober = self.prober()?;
        let found = || {
            let fen: Fen = fen.0.parse()?;
            let ranked = prober.moves(&fen)?;
            Ok(ranked.iter().map(|ranked| Move::of(&fen.position, ranked)).collect())
        };
        py.detach(found).map_err(|error: ProbeError| raise(py, &error))
    }

    /// The move that a perfect player makes; None if the game is over. Raises as moves(), and ValueError.
    #[pyo3(signature = (fen, policy="safest"))]
    fn play(&self, py: Python<'_>, fen: PositionText, policy: &str) -> PyResult<Option<Move>> {
        let (policy, prober) = (self::policy(policy)?, self.prober()?);
        let found = || {
            let fen: Fen = fen.0.parse()?;
            Ok(prober.play(&fen, policy)?.map(|ranked| Move::of(&fen.position, &ranked)))
        };
        py.detach(found).map_err(|error: ProbeError| raise(py, &error))
    }

    /// Best play under the count, until mate or the draw by it; empty if neither side wins. Raises as play().
    #[pyo3(signature = (fen, *, defence="safest", max_plies=2000))]
    fn line(&self, py: Python<'_>, fen: PositionText, defence: &str, max_plies: usize) -> PyResult<Vec<Move>> {
        let (defence, prober) = (policy(defence)?, self.prober()?);
        let found = || {
            let fen: Fen = fen.0.parse()?;
            let mut line = Vec::new();
            for step in prober.line(&fen, defence, max_plies) {
                if let LineStep::Move(made) = step? {
                    line.push(Move::with_san(&made.ranked, made.san));
                }
            }
            Ok(line)
        };
        py.detach(found).map_err(|error: ProbeError| raise(py, &error))
    }

    /// Closes the files. Questions raise ValueError from then on; `with` closes at its end.
    fn close(&self) {
        self.held().take();
    }

    fn __enter__(this: Py<Tablebase>) -> Py<Tablebase> {
        this
    }

    fn __exit__(&self, _kind: Py<PyAny>, _error: Py<PyAny>, _traceback: Py<PyAny>) {
        self.close();
    }

    /// True until it is closed, also without tables.
    fn __bool__(&self) -> bool {
        self.held().is_some()
    }

    /// A copy has the folders, not the memory.
    fn __reduce__(&self, py: Python<'_>) -> PyResult<(Py<PyAny>, OpenArguments)> {
        Ok((py.get_type::<Tablebase>().getattr("_open")?.unbind(), (self.folders.clone(), self.cache_bytes)))
    }

    #[staticmethod]
    #[pyo3(name = "_open")]
    fn open(folders: Vec<PathBuf>, cache_bytes: usize) -> PyResult<Tablebase> {
        if folders.is_empty() {
            return Err(PyValueError::new_err("no folder of tables was named"));
        }
        // Positional reads: a file that is cut short while it is open raises, and does not end the interpreter.
        let tables = prober::Tablebase::builder().folders(folders.clone()).cache_bytes(cache_bytes).build();
        Ok(Tablebase { prober: Mutex::new(Some(Prober::new(tables))), folders, cache_bytes })
    }

    /// The totals of every table, read when they are asked for.
    fn statistics(&self, py: Python<'_>) -> PyResult<StatisticsIterator> {
        let source = self.prober()?.source().clone();
        Ok(StatisticsIterator::new(py.detach(|| self.tables()), source))
    }

    fn __iter__(&self, py: Python<'_>) -> PyResult<StatisticsIterator> {
        self.statistics(py)
    }

    fn __len__(&self, py: Python<'_>) -> usize {
        py.detach(|| self.tables()).len()
    }

    /// The number of men of the largest material, both kings included; 2 without tables.
    #[getter]
    fn largest(&self, py: Python<'_>) -> usize {
        py.detach(|| Inventory::of(&self.folders)).largest()
    }

    /// The folders of the tables; a table is taken from the first folder that has it.
    #[getter]
    fn folders(&self) -> Vec<PathBuf> {
        self.folders.clone()
    }

    fn __repr__(&self) -> String {
        format!("Tablebase({:?})", self.folders)
    }
}

impl Tablebase {
    /// The tables that have distances.
    fn tables(&self) -> Vec<TableId> {
        let inventory = Inventory::of(&self.folders);
        inventory.tables().filter(|id| id.metric.is_distance()).collect()
    }

    fn held(&self) -> MutexGuard<'_, Option<Prober>> {
        self.prober.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The prober, unless it is closed.
    fn prober(&self) -> PyResult<Prober> {
        self.held().clone().ok_or_else(|| PyValueError::new_err("the tablebase is closed"))
    }
}

/// The answer, or the default where the tables have none.
fn found_or<T: PyClass + Into<PyClassInitializer<T>>>(
    py: Python<'_>,
    found: Result<T, ProbeError>,
    default: Option<Py<PyAny>>,
) -> PyResult<Option<Py<PyAny>>> {
    match found {
        Ok(answer) => Ok(Some(Py::new(py, answer)?.into_any())),
        Err(error) if is_uncovered(&error) => Ok(default),
        Err(error) => Err(raise(py, &error)),
    }
}

fn verdict(prober: &Prober, fen: &str) -> Result<Verdict, ProbeError> {
    let fen: Fen = fen.parse()?;
    Ok(Verdict::of(&fen, &prober.probe(&fen)?))
}

fn category(prober: &Prober, fen: &str) -> Result<Category, ProbeError> {
    Ok(Category::of(prober.category(&fen.parse()?)?))
}

fn policy(name: &str) -> PyResult<Policy> {
    name.parse().map_err(|error: ParsePolicyError| PyValueError::new_err(error.to_string()))
}
