//! Totals of tables.

use makruk_answers::Refusal;
use makruk_tables::format::ValueList;
use makruk_tables::rules::Color;
use makruk_tables::value::Value;
use prober::{ProbeError, TableId, Tablebase};
use pyo3::prelude::*;

use crate::error::{DOOR, raise_at};

/// The totals of a table, in the colours of its name: White is the first side.
#[pyclass(frozen, get_all, module = "makruk_probe", skip_from_py_object)]
#[derive(Clone)]
pub(crate) struct Statistics {
    /// The canonical name of the material, such as `KRvKS`.
    material: String,
    /// The number of men, both kings included.
    men: usize,
    /// The metric of the table; materials with both sides armed or with pawns have `dtz`.
    metric: &'static str,
    /// The length of the file in bytes.
    bytes: u64,
    /// The totals with White to move.
    white: SideStatistics,
    /// The totals with Black to move.
    black: SideStatistics,
}

/// The totals of one side to move: numbers of distinct legal positions on the full board, seen by that side.
#[pyclass(frozen, get_all, module = "makruk_probe", skip_from_py_object)]
#[derive(Clone)]
pub(crate) struct SideStatistics {
    /// Positions won by this side, without the count.
    win: u64,
    /// Positions drawn without the count.
    draw: u64,
    /// Positions lost by this side, without the count.
    loss: u64,
    /// The longest win in plies; 0 if there is none.
    longest_win: u16,
    /// The longest loss in plies; 0 if there is none.
    longest_loss: u16,
    /// Pairs of signed plies and a number of positions.
    histogram: Vec<(i32, u64)>,
}

impl SideStatistics {
    fn of(values: &ValueList) -> SideStatistics {
        let decided = values.entries().iter().filter(|&&(_, positions)| positions > 0);
        SideStatistics {
            win: values.won(),
            draw: values.drawn(),
            loss: values.lost(),
            longest_win: values.max_win_plies(),
            longest_loss: values.max_loss_plies(),
            histogram: decided.filter_map(|&(value, positions)| Some((value.signed_plies()?, positions))).collect(),
        }
    }
}

#[pymethods]
impl Statistics {
    fn __repr__(&self) -> String {
        format!("Statistics({}.{})", self.material, self.metric)
    }
}

#[pymethods]
impl SideStatistics {
    fn __repr__(&self) -> String {
        format!("SideStatistics(win={}, draw={}, loss={})", self.win, self.draw, self.loss)
    }
}

/// Reads the statistics of one table at each step. Raises UnreadableTableError or CorruptTableError.
#[pyclass(module = "makruk_probe")]
pub(crate) struct StatisticsIterator {
    ids: std::vec::IntoIter<TableId>,
    tablebase: Tablebase,
}

impl StatisticsIterator {
    pub(crate) fn new(ids: Vec<TableId>, tablebase: Tablebase) -> StatisticsIterator {
        StatisticsIterator { ids: ids.into_iter(), tablebase }
    }

    fn read(&self, id: TableId) -> Result<Statistics, ProbeError> {
        // The file is closed again after its totals are read.
        let tablebase = self.tablebase.reopened();
        let table = tablebase.table::<Value>(id)?;
        let side = |color: Color| SideStatistics::of(&table.spec().values[color]);
        Ok(Statistics {
            men: id.material.men(),
            material: id.material.to_string(),
            metric: id.metric.name(),
            bytes: table.header().file_len(),
            white: side(Color::White),
            black: side(Color::Black),
        })
    }
}

#[pymethods]
impl StatisticsIterator {
    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__(&mut self, py: Python<'_>) -> PyResult<Option<Statistics>> {
        let Some(id) = self.ids.next() else { return Ok(None) };
        let this = &*self;
        py.detach(|| this.read(id))
            .map(Some)
            .map_err(|error| raise_at(py, None, None, &Refusal::of(error, DOOR.remedy)))
    }

    fn __length_hint__(&self) -> usize {
        self.ids.len()
    }
}
