//! The search for the longest wins of a table.

use std::collections::HashMap;
use std::error::Error;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use makruk_tables::format::{FileTable, Storage, TableFolder};
use makruk_tables::index::Layout;
use makruk_tables::material::Material;
use makruk_tables::rules::{ByColor, Color, Fen, Position};
use makruk_tables::value::{Metric, Value};
use tokio::sync::{Semaphore, watch};
use tokio::time::{Instant, timeout_at};

use crate::tables::monitor::FileIdentity;
use crate::tables::snapshot::watched;
use makruk_probe::Tablebase;

/// The most positions that a search returns for a side.
const MOST_POSITIONS: usize = 10;
/// Bytes of decoded blocks that a search may keep.
const CACHE_BYTES: usize = 1 << 20;

/// The state of a search.
#[derive(Clone, Debug)]
pub(crate) enum LongestWins {
    /// The search is running.
    Pending,
    /// The positions found, by side to move.
    Found(Arc<ByColor<Vec<String>>>),
    /// The table could not be read for this reason.
    Failed(Arc<str>),
}

/// The searches so far, one for each table. A search reads the whole table, which may take long: it runs once for all
/// requests, and one search runs at a time.
#[derive(Debug)]
pub(crate) struct LongestWinSearches {
    searches: Mutex<HashMap<(Material, Metric), Started>>,
    turn: Arc<Semaphore>,
}

/// The file of a search, and the channel of its outcome.
type Started = (FileIdentity, watch::Receiver<LongestWins>);

impl LongestWinSearches {
    pub(crate) fn new() -> LongestWinSearches {
        LongestWinSearches { searches: Mutex::default(), turn: Arc::new(Semaphore::new(1)) }
    }

    /// The outcome for a file of a table, or the state at the deadline.
    pub(crate) async fn find(
        &self,
        folder: &Path,
        material: Material,
        metric: Metric,
        identity: FileIdentity,
        deadline: Instant,
    ) -> LongestWins {
        let mut search = self.search(folder, material, metric, identity);
        let found = timeout_at(deadline, search.wait_for(|search| !matches!(search, LongestWins::Pending))).await;
        match found {
            Ok(Ok(found)) => found.clone(),
            // The search panicked, or the deadline has passed.
            Ok(Err(_)) | Err(_) => LongestWins::Pending,
        }
    }

    fn search(
        &self,
        folder: &Path,
        material: Material,
        metric: Metric,
        identity: FileIdentity,
    ) -> watch::Receiver<LongestWins> {
        let mut searches = self.searches.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((of, search)) = searches.get(&(material, metric)) {
            let is_broken = search.has_changed().is_err() && matches!(*search.borrow(), LongestWins::Pending);
            if *of == identity && !is_broken {
                return search.clone();
            }
        }
        let (sender, receiver) = watch::channel(LongestWins::Pending);
        searches.insert((material, metric), (identity, receiver.clone()));
        let (folder, turn) = (folder.to_owned(), Arc::clone(&self.turn));
        tokio::spawn(async move {
            let Ok(turn) = turn.acquire_owned().await else { return };
            let outcome = tokio::task::spawn_blocking(move || {
                let _turn = turn;
                search(&folder, material, metric)
            });
            match outcome.await {
                Ok(Ok(found)) => drop(sender.send(LongestWins::Found(Arc::new(found)))),
                Ok(Err(error)) => drop(sender.send(LongestWins::Failed(error.to_string().into()))),
                Err(error) => tracing::error!("the longest wins of {material}.{metric} were not found: {error}"),
            }
        });
        receiver
    }
}

/// The error that ends a search.
type SearchError = Box<dyn Error + Send + Sync>;

fn search(folder: &Path, material: Material, metric: Metric) -> Result<ByColor<Vec<String>>, SearchError> {
    let layout = Layout::new(material);
    let table = TableFolder::open_existing(folder)?.with_access(watched()).open_layout(&layout, metric)?;
    let [white, black] = Color::ALL.map(|side| match table.spec().values[side].max_win_plies() {
        0 => Ok(Vec::new()),
        _ if table.storage(side) == Storage::Absent => longest_by_moves(folder, &table, &layout, side),
        plies => {
            let mut found = Vec::new();
            each_of(&table, &layout, side, Value::Win(plies), |position| {
                found.push(text(position));
                Ok(found.len() < MOST_POSITIONS)
            })?;
            Ok(found)
        }
    });
    Ok(ByColor { white: white?, black: black? })
}

/// The longest wins of an omitted side: the predecessors of the other side's longest losses by moves that capture nothing.
fn longest_by_moves(
    folder: &Path,
    table: &FileTable,
    layout: &Layout,
    side: Color,
) -> Result<Vec<String>, SearchError> {
    let metric = table.spec().metric;
    let tables = Tablebase::builder().folder(folder).access(watched()).cache_bytes(CACHE_BYTES).build();
    let longest = table.spec().values[side].max_win_plies();
    let mut found: Vec<String> = Vec::new();
    each_of(table, layout, !side, Value::Loss(longest - 1), |position| {
        for before in position.quiet_predecessors() {
            // The image that the index uses for all images of a position.
            let Some((_, number)) = layout.number(&before) else { continue };
            let Some(before) = layout.position_at(side, number) else { continue };
            let value = tables.value(&before, metric)?;
            let before = text(before);
            if value == Value::Win(longest) && !found.contains(&before) && found.len() < MOST_POSITIONS {
                found.push(before);
            }
        }
        Ok(found.len() < MOST_POSITIONS)
    })?;
    Ok(found)
}

/// Calls `visit` for each position of a stored side that has the value, until it returns false.
fn each_of(
    table: &FileTable,
    layout: &Layout,
    side: Color,
    value: Value,
    mut visit: impl FnMut(Position) -> Result<bool, SearchError>,
) -> Result<(), SearchError> {
    let Some(code_of_value) = table.spec().values[side].code(value) else { return Ok(()) };
    let mut codes = Vec::new();
    for slab in 0..layout.slabs() {
        table.slab_codes(side, slab, &mut codes)?;
        let start = slab as u64 * layout.slab_len();
        for (number, _) in (start..).zip(&codes).filter(|&(_, &code)| code == code_of_value) {
            // A cell that is no legal position may hold any code; of a position with two cells the first is visited.
            let Some(position) = layout.first_at(side, number) else { continue };
            if !visit(position)? {
                return Ok(());
            }
        }
    }
    Ok(())
}

fn text(position: Position) -> String {
    Fen::new(position, None).to_string()
}
