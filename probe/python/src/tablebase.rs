//! The tablebase.

use std::path::PathBuf;

use makruk_tables::format::{Metric, locate};
use makruk_tables::material::Material;
use makruk_tables::rules::Fen;
use prober::{Access, DEFAULT_CACHE_BYTES, Inventory, LineStep, ParsePolicyError, Policy, ProbeError, Prober, Tables};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::error::raise;
use crate::statistics::StatisticsIterator;
use crate::verdict::{Move, Verdict};

/// The tables of one folder or of several.
#[pyclass(frozen, module = "makruk_probe")]
pub(crate) struct Tablebase {
    /// Apart, because its cache's counters want cache lines of their own and Python's objects are not aligned to them.
    prober: Box<Prober>,
    folders: Vec<PathBuf>,
}

/// One folder or several.
#[derive(FromPyObject)]
enum Folders {
    One(PathBuf),
    Several(Vec<PathBuf>),
}

#[pymethods]
impl Tablebase {
    #[new]
    #[pyo3(signature = (path=None, *, cache_bytes=DEFAULT_CACHE_BYTES))]
    fn new(path: Option<Folders>, cache_bytes: usize) -> PyResult<Tablebase> {
        let folders = match path {
            None => vec![locate(None)],
            Some(Folders::One(folder)) => vec![folder],
            Some(Folders::Several(folders)) => folders,
        };
        let mut rest = folders.clone().into_iter();
        let first = rest.next().ok_or_else(|| PyValueError::new_err("no folder of tables was named"))?;
        // Positional reads: a file that is cut short while it is open raises, and does not end the interpreter.
        let tables = Tables::with_access(first, cache_bytes, Access::Positional).and_folders(rest);
        Ok(Tablebase { prober: Box::new(Prober::new(tables)), folders })
    }

    fn probe(&self, py: Python<'_>, fen: &str) -> PyResult<Verdict> {
        py.detach(|| self.verdict(fen)).map_err(|error| raise(py, &error))
    }

    fn probe_many(&self, py: Python<'_>, fens: Vec<String>) -> PyResult<Vec<Verdict>> {
        py.detach(|| fens.iter().map(|fen| self.verdict(fen)).collect::<Result<_, _>>())
            .map_err(|error| raise(py, &error))
    }

    fn moves(&self, py: Python<'_>, fen: &str) -> PyResult<Vec<Move>> {
        let found = || {
            let fen: Fen = fen.parse()?;
            let ranked = self.prober.moves(&fen)?;
            Ok(ranked.iter().map(|ranked| Move::of(&fen.position, ranked)).collect())
        };
        py.detach(found).map_err(|error: ProbeError| raise(py, &error))
    }

    #[pyo3(signature = (fen, policy="safest"))]
    fn play(&self, py: Python<'_>, fen: &str, policy: &str) -> PyResult<Option<Move>> {
        let policy = self::policy(policy)?;
        let found = || {
            let fen: Fen = fen.parse()?;
            Ok(self.prober.play(&fen, policy)?.map(|ranked| Move::of(&fen.position, &ranked)))
        };
        py.detach(found).map_err(|error: ProbeError| raise(py, &error))
    }

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

    fn statistics(&self, py: Python<'_>) -> StatisticsIterator {
        StatisticsIterator::new(py.detach(|| self.tables()), self.folders.clone())
    }

    fn __iter__(&self, py: Python<'_>) -> StatisticsIterator {
        self.statistics(py)
    }

    fn __len__(&self, py: Python<'_>) -> usize {
        py.detach(|| self.tables()).len()
    }

    #[getter]
    fn largest(&self, py: Python<'_>) -> usize {
        py.detach(|| Inventory::of(&self.folders)).largest()
    }

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
    fn tables(&self) -> Vec<(Material, Metric)> {
        Inventory::of(&self.folders).tables().filter(|&(_, metric)| metric != Metric::Wdl).collect()
    }

    fn verdict(&self, fen: &str) -> Result<Verdict, ProbeError> {
        let fen: Fen = fen.parse()?;
        Ok(Verdict::of(&fen, &self.prober.probe(&fen)?))
    }
}

fn policy(name: &str) -> PyResult<Policy> {
    name.parse().map_err(|error: ParsePolicyError| PyValueError::new_err(error.to_string()))
}
