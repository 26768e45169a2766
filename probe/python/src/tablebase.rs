//! The tablebase.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use makruk_answers::{Categorise, FieldValue, Line, Moves, Play, Probe, Refusal};
use makruk_console::{is_address, locate, remote_caches};
use makruk_format::index::{KingPairs, Symmetry};
use makruk_remote::{MirrorUrl, ParseMirrorUrlError, RemoteTables};
use makruk_tables::material::Material;
use prober::{DEFAULT_CACHE_BYTES, Inventory, Prober, TableId};
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::{PyConnectionError, PyOSError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::category::Category;
use crate::error::{DOOR, raise, raise_at};
use crate::position_text::{PositionText, Positions};
use crate::tables::{Answered, Tables, text};
use crate::verdict::{Move, Verdict};

// The signatures have it as a number, which help and the stub show.
const _: () = assert!(DEFAULT_CACHE_BYTES == 67_108_864);

/// The tables of one folder or of several, or of a site, of which it fetches the bytes that answers need. Any number
/// of threads may use the same one; every method that reads files lets other threads run meanwhile. A forked process
/// opens the tables anew. Positions are FENs in any form that programs of Makruk write, or boards: objects with a
/// method or an attribute `fen`. Boards of chess are refused.
#[pyclass(frozen, module = "makruk_probe")]
pub(crate) struct Tablebase {
    open: Mutex<Open>,
    cache_bytes: usize,
}

/// The folders, and what reads them. No thread holds the lock without the interpreter's lock, with which Python forks.
struct Open {
    /// Folders, or the address of a site.
    folders: Vec<PathBuf>,
    /// That site. Nothing is asked of it: its tables are opened for each process.
    site: Option<Arc<RemoteTables>>,
    /// None once it is closed.
    tables: Option<Tables>,
    /// [`FORKS`] when the tables were opened.
    forks: u64,
}

/// The number of forks between the process that imported the module and this one.
static FORKS: AtomicU64 = AtomicU64::new(0);

/// Lets forked processes count their forks. A child has the locks of its parent's probers as they were, but not the
/// threads that would release them. So it makes its own prober, and leaves the parent's alone.
pub(crate) fn count_forks(module: &Bound<'_, PyModule>) -> PyResult<()> {
    #[pyfunction]
    fn forked() {
        FORKS.fetch_add(1, Ordering::Relaxed);
    }

    // Windows has no forks, and no such function.
    if let Some(register) = module.py().import("os")?.getattr_opt("register_at_fork")? {
        let arguments = PyDict::new(module.py());
        arguments.set_item("after_in_child", wrap_pyfunction!(forked, module)?)?;
        register.call((), Some(&arguments))?;
    }
    Ok(())
}

/// Opens the tables of a folder; the same as `Tablebase(directory)`. add_directory() adds more folders.
#[pyfunction]
#[pyo3(signature = (directory=None, *, cache_bytes=67_108_864))]
pub(crate) fn open_tablebase(py: Python<'_>, directory: Option<Folders>, cache_bytes: usize) -> PyResult<Tablebase> {
    Tablebase::new(py, directory, cache_bytes)
}

/// The arguments with which a copy is opened: folders and bytes of the cache.
type OpenArguments = (Vec<FolderName>, usize);

/// A folder as a path; an address as a text, since paths have no `//`.
#[derive(IntoPyObject)]
pub(crate) enum FolderName {
    Folder(PathBuf),
    Address(String),
}

/// One folder or several.
#[derive(FromPyObject)]
pub(crate) enum Folders {
    One(PathBuf),
    Several(Vec<PathBuf>),
}

#[pymethods]
impl Tablebase {
    /// Opens no table yet. Without a path: the folder that MAKRUK_TABLES names, else ./tables/data if it is there, else
    /// the user's data folder. `cache_bytes` is the memory for decoded stripes; 0 keeps none.
    ///
    /// Instead of folders it may be the address (https://...) of a site that `makruk-probe site` made. Bytes that were
    /// fetched stay in the user's cache folder.
    ///
    /// Raises FileNotFoundError or NotADirectoryError, for an address ConnectionError or ValueError.
    ///
    /// Files are read by position, never mapped: a file that is cut short while it is open raises CorruptTableError.
    /// At most 128 are open at a time.
    #[new]
    #[pyo3(signature = (path=None, *, cache_bytes=67_108_864))]
    fn new(py: Python<'_>, path: Option<Folders>, cache_bytes: usize) -> PyResult<Tablebase> {
        let folders = match path {
            None => vec![locate(None)],
            Some(Folders::One(folder)) => vec![folder],
            Some(Folders::Several(folders)) => folders,
        };
        Tablebase::of_folders(py, folders, cache_bytes)
    }

    /// The verdict on a position.
    ///
    /// Raises PositionError, MissingTableError, UnreadableTableError or CorruptTableError.
    fn probe(&self, py: Python<'_>, fen: PositionText) -> PyResult<Verdict> {
        self.asked(py, &fen, verdict)
    }

    /// The same, or `default` where the tables have no answer: a table is not there, or there are too many men.
    /// Raises as probe() otherwise.
    #[pyo3(signature = (fen, default=None))]
    fn get(&self, py: Python<'_>, fen: PositionText, default: Option<Py<PyAny>>) -> PyResult<Option<Py<PyAny>>> {
        self.asked_or(py, &fen, default, verdict)
    }

    /// The category alone; fast where there are category tables. Raises as probe().
    fn category(&self, py: Python<'_>, fen: PositionText) -> PyResult<Category> {
        self.asked(py, &fen, category)
    }

    /// The same, or `default` where get() gives it.
    #[pyo3(signature = (fen, default=None))]
    fn get_category(
        &self,
        py: Python<'_>,
        fen: PositionText,
        default: Option<Py<PyAny>>,
    ) -> PyResult<Option<Py<PyAny>>> {
        self.asked_or(py, &fen, default, category)
    }

    /// The category as a number, as python-chess has it: 2 for a win, 1 for a cursed win, 0 for a draw. A blessed loss
    /// is -1, a loss -2. Raises as probe().
    fn probe_wdl(&self, py: Python<'_>, fen: PositionText) -> PyResult<i32> {
        self.asked(py, &fen, wdl)
    }

    /// The same, or `default` where get() gives it.
    #[pyo3(signature = (fen, default=None))]
    fn get_wdl(&self, py: Python<'_>, fen: PositionText, default: Option<Py<PyAny>>) -> PyResult<Option<Py<PyAny>>> {
        self.asked_or(py, &fen, default, wdl)
    }

    /// Signed plies to mate without a count, as python-chess has them: 0 in a draw, and if the side to move is mated.
    /// probe() distinguishes these. Raises as probe().
    fn probe_dtm(&self, py: Python<'_>, fen: PositionText) -> PyResult<i32> {
        self.asked(py, &fen, dtm)
    }

    /// The same, or `default` where get() gives it.
    #[pyo3(signature = (fen, default=None))]
    fn get_dtm(&self, py: Python<'_>, fen: PositionText, default: Option<Py<PyAny>>) -> PyResult<Option<Py<PyAny>>> {
        self.asked_or(py, &fen, default, dtm)
    }

    /// Signed plies to the conversion; 0 if none can be forced, or the side to move is mated. Raises as probe().
    fn probe_dtz(&self, py: Python<'_>, fen: PositionText) -> PyResult<i32> {
        self.asked(py, &fen, dtz)
    }

    /// The same, or `default` where get() gives it.
    #[pyo3(signature = (fen, default=None))]
    fn get_dtz(&self, py: Python<'_>, fen: PositionText, default: Option<Py<PyAny>>) -> PyResult<Option<Py<PyAny>>> {
        self.asked_or(py, &fen, default, dtz)
    }

    /// The verdicts on many positions, in order. The first that fails raises, with its `index` and `fen`; with
    /// `errors="return"` the list has the exception in its place.
    #[pyo3(signature = (fens, *, errors="raise"))]
    fn probe_many(&self, py: Python<'_>, fens: Positions, errors: &str) -> PyResult<Vec<Py<PyAny>>> {
        self.many(py, &fens.0, errors, verdict)
    }

    /// The legal moves, best first. Raises as probe(), also for the materials after captures and promotions.
    fn moves(&self, py: Python<'_>, fen: PositionText) -> PyResult<Vec<Move>> {
        self.asked(py, &fen, moves)
    }

    /// The legal moves of many positions, in order, as moves() returns them. Raises and returns as probe_many().
    #[pyo3(signature = (fens, *, errors="raise"))]
    fn moves_many(&self, py: Python<'_>, fens: Positions, errors: &str) -> PyResult<Vec<Py<PyAny>>> {
        self.many(py, &fens.0, errors, moves)
    }

    /// The move that a perfect player makes; None if the game is over. Raises as moves(), and ValueError.
    #[pyo3(signature = (fen, policy="safest"))]
    fn best_move(&self, py: Python<'_>, fen: PositionText, policy: &str) -> PyResult<Option<Move>> {
        self.asked(py, &fen, |tables, fen| {
            let play = fen.ask(tables, |fen| Play { fen, policy: Some(policy.into()) })?;
            Ok(play.mv.map(Move::of))
        })
    }

    /// Best play under the count, until mate or a draw by it; empty if neither side wins. Raises as best_move().
    #[pyo3(signature = (fen, *, defence="safest", max_plies=2000))]
    fn line(&self, py: Python<'_>, fen: PositionText, defence: &str, max_plies: usize) -> PyResult<Vec<Move>> {
        self.asked(py, &fen, |tables, fen| {
            // To the question 0 means no limit.
            let most = u32::try_from(max_plies.max(1)).unwrap_or(u32::MAX);
            let line = fen.ask(tables, |fen| Line { fen, defence: Some(defence.into()), max_plies: most })?;
            Ok(line.line.into_iter().take(max_plies).map(Move::of).collect())
        })
    }

    /// Adds the tables of one more folder, which is searched after the others; returns the number of its tables of
    /// distances.
    ///
    /// Raises FileNotFoundError or NotADirectoryError, and ValueError if the tablebase is closed or one of a site.
    fn add_directory(&self, py: Python<'_>, directory: PathBuf) -> PyResult<usize> {
        if is_address(&directory) || self.open().site.is_some() {
            return Err(alone());
        }
        check_folder(&directory)?;
        let mut open = self.open();
        if open.tables.is_none() {
            return Err(closed());
        }
        if !open.folders.contains(&directory) {
            open.folders.push(directory.clone());
            open.renew(self.cache_bytes);
        }
        drop(open);
        Ok(distances(&py.detach(|| Inventory::of([directory]))))
    }

    /// Closes the files. Calls raise ValueError from then on; `with` closes at its end.
    fn close(&self) {
        self.open().tables = None;
    }

    fn __enter__(this: Py<Tablebase>) -> Py<Tablebase> {
        this
    }

    fn __exit__(&self, _kind: Py<PyAny>, _error: Py<PyAny>, _traceback: Py<PyAny>) {
        self.close();
    }

    /// Whether it is open and has a table.
    fn __bool__(&self, py: Python<'_>) -> bool {
        self.open().tables.is_some() && self.__len__(py) > 0
    }

    /// Whether it has the tables of a material, such as `KRvKS`, or of a position.
    fn __contains__(&self, py: Python<'_>, item: PositionText) -> PyResult<bool> {
        let material = match item.text.parse::<Material>() {
            Ok(material) => material,
            Err(_) => {
                let position = item
                    .read()
                    .map_err(|error| raise(py, &item.text, &Refusal::of(error.into(), DOOR.remedy)))?
                    .fen
                    .position;
                match Material::of(position.board()) {
                    Ok(oriented) => oriented.material,
                    Err(_) => return Ok(false),
                }
            }
        };
        Ok(material == Material::BARE_KINGS || has_distances(&self.inventory(py), material))
    }

    /// A copy has the folders, not the memory.
    fn __reduce__(&self, py: Python<'_>) -> PyResult<(Py<PyAny>, OpenArguments)> {
        Ok((py.get_type::<Tablebase>().getattr("_open")?.unbind(), (self.folder_names(), self.cache_bytes)))
    }

    #[staticmethod]
    #[pyo3(name = "_open")]
    fn of_folders(py: Python<'_>, folders: Vec<PathBuf>, cache_bytes: usize) -> PyResult<Tablebase> {
        let site = match &folders[..] {
            [] => return Err(PyValueError::new_err("no folder of tables was named")),
            [address] if is_address(address) => Some(connected(py, address)?),
            several if several.iter().any(|folder| is_address(folder)) => return Err(alone()),
            _ => None,
        };
        if site.is_none() {
            folders.iter().try_for_each(|folder| check_folder(folder))?;
        }
        // No thread of ours computes them while another forks.
        for symmetry in [Symmetry::EightFold, Symmetry::Mirror] {
            KingPairs::of(symmetry);
        }
        let mut open = Open { folders, site, tables: None, forks: 0 };
        open.renew(cache_bytes);
        Ok(Tablebase { open: Mutex::new(open), cache_bytes })
    }

    /// The totals of the tables of every material, or of one, as `makruk-gen info --json` has them. `dtm` and `dtz`
    /// have the `bytes` of the file, and for `white` and `black` to move the numbers of positions, the longest
    /// distances and a `histogram`. White is the first side of the name. The table that decides the count (`dtz`;
    /// with a bare king and no pawn `dtm`) has the wins in time, and the longest, `max_win_within_count_plies`.
    ///
    /// Raises UnreadableTableError or CorruptTableError; with a material also MissingTableError, and ValueError for a
    /// text that is not one.
    #[pyo3(signature = (material=None))]
    fn statistics<'py>(&self, py: Python<'py>, material: Option<&str>) -> PyResult<Bound<'py, PyAny>> {
        let raised = |refusal: Box<Refusal>| raise_at(py, None, None, &refusal);
        let tables = self.tables()?;
        let materials = match material {
            Some(name) => vec![Material::read(name).map_err(raised)?],
            None => {
                let inventory = self.inventory(py);
                inventory.materials().filter(|&material| has_distances(&inventory, material)).collect()
            }
        };
        let answers = py.detach(|| tables.statistics(&materials)).map_err(raised)?;
        py.import("json")?.call_method1("loads", (answers,))
    }

    fn __len__(&self, py: Python<'_>) -> usize {
        distances(&self.inventory(py))
    }

    /// The number of men of the largest material, both kings included; 2 without tables.
    #[getter]
    fn largest(&self, py: Python<'_>) -> usize {
        self.inventory(py).largest()
    }

    /// The folders of the tables; a table is taken from the first folder that has it. The address of a site is a text.
    #[getter(folders)]
    fn folder_names(&self) -> Vec<FolderName> {
        let name = |folder: &PathBuf| match folder.to_str().filter(|_| is_address(folder)) {
            Some(address) => FolderName::Address(address.to_owned()),
            None => FolderName::Folder(folder.clone()),
        };
        self.open().folders.iter().map(name).collect()
    }

    fn __repr__(&self) -> String {
        format!("Tablebase({:?})", self.open().folders)
    }
}

impl Tablebase {
    fn open(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn inventory(&self, py: Python<'_>) -> Inventory {
        let (folders, site) = {
            let open = self.open();
            (open.folders.clone(), open.site.clone())
        };
        py.detach(|| match site {
            Some(site) => site.tables().collect(),
            None => Inventory::of(folders),
        })
    }

    /// The tables of this process, unless it is closed.
    fn tables(&self) -> PyResult<Tables> {
        let mut open = self.open();
        if open.tables.is_some() && open.forks != FORKS.load(Ordering::Relaxed) {
            open.renew(self.cache_bytes);
        }
        open.tables.clone().ok_or_else(closed)
    }

    /// The answer about a position.
    fn asked<T: Send>(
        &self,
        py: Python<'_>,
        fen: &PositionText,
        answer: impl Fn(&Tables, &PositionText) -> Answered<T> + Send + Sync,
    ) -> PyResult<T> {
        let tables = self.tables()?;
        py.detach(|| answer(&tables, fen)).map_err(|refusal| raise(py, &fen.text, &refusal))
    }

    /// The same, or the default where the tables have none.
    fn asked_or<'py, T: IntoPyObject<'py> + Send>(
        &self,
        py: Python<'py>,
        fen: &PositionText,
        default: Option<Py<PyAny>>,
        answer: impl Fn(&Tables, &PositionText) -> Answered<T> + Send + Sync,
    ) -> PyResult<Option<Py<PyAny>>> {
        let tables = self.tables()?;
        match py.detach(|| answer(&tables, fen)) {
            Ok(answer) => Ok(Some(answer.into_py_any(py)?)),
            Err(refusal) if refusal.reason.is_unknown() => Ok(default),
            Err(refusal) => Err(raise(py, &fen.text, &refusal)),
        }
    }

    /// The answers to many positions, in order.
    fn many<'py, T: IntoPyObject<'py> + Send>(
        &self,
        py: Python<'py>,
        fens: &[PositionText],
        errors: &str,
        answer: impl Fn(&Tables, &PositionText) -> Answered<T> + Send + Sync,
    ) -> PyResult<Vec<Py<PyAny>>> {
        let is_returned = match errors {
            "raise" => false,
            "return" => true,
            other => return Err(PyValueError::new_err(format!("errors is {other:?}: expected 'raise' or 'return'"))),
        };
        let tables = self.tables()?;
        let answers: Vec<Answered<T>> = py.detach(|| {
            let mut answers = Vec::with_capacity(fens.len());
            for fen in fens {
                answers.push(answer(&tables, fen));
                if !is_returned && answers.last().is_some_and(Result::is_err) {
                    break;
                }
            }
            answers
        });
        let objects = answers.into_iter().zip(fens).enumerate().map(|(at, (answer, fen))| match answer {
            Ok(answer) => answer.into_py_any(py),
            Err(refusal) => {
                let raised = raise_at(py, Some(at), Some(&fen.text), &refusal);
                if is_returned { Ok(raised.into_value(py).into_any()) } else { Err(raised) }
            }
        });
        objects.collect()
    }
}

impl Open {
    /// Opens the tables anew. A thread that uses the old ones has a clone of them, so that a forked child never drops
    /// what a thread of its parent was changing.
    fn renew(&mut self, cache_bytes: usize) {
        self.forks = FORKS.load(Ordering::Relaxed);
        if let Some(site) = &self.site {
            self.tables = Some(Tables::of_site(site.reopened(cache_bytes)));
            return;
        }
        // Positional reads: a file that is cut short while it is open raises, and does not end the interpreter.
        let builder = prober::Tablebase::builder().folders(self.folders.clone()).cache_bytes(cache_bytes);
        self.tables = Some(Tables::Folders(Prober::new(builder.build())));
    }
}

/// The number of tables of distances.
fn distances(inventory: &Inventory) -> usize {
    inventory.tables().filter(|id| id.metric.is_distance()).count()
}

/// Whether there are all tables of distances of a material.
fn has_distances(inventory: &Inventory, material: Material) -> bool {
    material.distance_metrics().iter().all(|&metric| inventory.has(TableId { material, metric }))
}

/// The system's error if there is no such folder, with its path.
fn check_folder(folder: &Path) -> PyResult<()> {
    let Err(error) = std::fs::read_dir(folder) else { return Ok(()) };
    let sentence = match error.kind() {
        std::io::ErrorKind::NotFound => "No such folder of tables".to_owned(),
        _ => error.to_string(),
    };
    // Of these arguments Python makes the class that fits the number: the first, or on Windows the last.
    let number = error.raw_os_error();
    Err(PyOSError::new_err((number, sentence, folder.display().to_string(), number)))
}

/// Connects to a site.
fn connected(py: Python<'_>, address: &Path) -> PyResult<Arc<RemoteTables>> {
    let url: MirrorUrl = address.to_string_lossy().parse().map_err(|error: ParseMirrorUrlError| {
        PyValueError::new_err(format!("{} is not the address of a site: {error}", address.display()))
    })?;
    let opened = py.detach(|| RemoteTables::open(url, RemoteTables::SILENCE, remote_caches().as_deref()));
    opened.map(Arc::new).map_err(|error| PyConnectionError::new_err(text(error)))
}

fn alone() -> PyErr {
    PyValueError::new_err("a tablebase has the tables of folders or those of one site: open another one besides")
}

fn closed() -> PyErr {
    PyValueError::new_err("the tablebase is closed")
}

fn verdict(tables: &Tables, fen: &PositionText) -> Answered<Verdict> {
    Ok(Verdict::of(fen.ask(tables, |fen| Probe { fen, moves: false })?.position))
}

fn dtm(tables: &Tables, fen: &PositionText) -> Answered<i32> {
    Ok(verdict(tables, fen)?.dtm.unwrap_or(0))
}

fn dtz(tables: &Tables, fen: &PositionText) -> Answered<i32> {
    Ok(verdict(tables, fen)?.dtz.unwrap_or(0))
}

/// The category under the count of the position.
fn category(tables: &Tables, fen: &PositionText) -> Answered<Category> {
    Ok(Category::of(fen.ask(tables, |fen| Categorise { fen })?.category))
}

fn wdl(tables: &Tables, fen: &PositionText) -> Answered<i32> {
    Ok(category(tables, fen)?.number())
}

fn moves(tables: &Tables, fen: &PositionText) -> Answered<Vec<Move>> {
    Ok(fen.ask(tables, |fen| Moves { fen })?.into_iter().map(Move::of).collect())
}
