//! Searches for the positions that take longest to win.

use std::collections::HashMap;
use std::error::Error;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use makruk_tables::format::{FileTable, Metric, Storage, TableFolder, Value};
use makruk_tables::index::Layout;
use makruk_tables::material::Material;
use makruk_tables::rules::{ByColor, Color, Fen, Position};
use tokio::sync::{Semaphore, watch};
use tokio::time::{Instant, timeout_at};

use super::catalogue::Identity;
use super::live::watched;
use makruk_probe::Tablebase;

/// The most positions that are named.
const MOST_POSITIONS: usize = 10;
/// Decoded boards that a search may keep, in bytes.
const CACHE_BYTES: usize = 1 << 20;

/// What has become of a search.
#[derive(Clone, Debug)]
pub(super) enum Search {
    /// It goes on.
    Pending,
    /// These positions, by side to move.
    Found(Arc<ByColor<Vec<String>>>),
    /// The table could not be read, for this reason.
    Failed(Arc<str>),
}

/// The searches so far, one a table. A search reads the table, which may take long: it runs once, on behalf of all who ask,
/// and not more than one at a time.
#[derive(Debug)]
pub(super) struct Longest {
    searches: Mutex<HashMap<(Material, Metric), Begun>>,
    turn: Arc<Semaphore>,
}

/// A search that has been begun, in which file, and where its outcome comes.
type Begun = (Identity, watch::Receiver<Search>);

impl Longest {
    pub(super) fn new() -> Longest {
        Longest { searches: Mutex::default(), turn: Arc::new(Semaphore::new(1)) }
    }

    /// The outcome for a table that is this file, or what has become of it by then.
    pub(super) async fn find(
        &self,
        folder: &Path,
        material: Material,
        metric: Metric,
        identity: Identity,
        patience: Instant,
    ) -> Search {
        let mut search = self.search(folder, material, metric, identity);
        let found = timeout_at(patience, search.wait_for(|search| !matches!(search, Search::Pending))).await;
        match found {
            Ok(Ok(found)) => found.clone(),
            // It has broken off, or the time is over.
            Ok(Err(_)) | Err(_) => Search::Pending,
        }
    }

    fn search(&self, folder: &Path, material: Material, metric: Metric, identity: Identity) -> watch::Receiver<Search> {
        let mut searches = self.searches.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((of, search)) = searches.get(&(material, metric)) {
            let is_broken = search.has_changed().is_err() && matches!(*search.borrow(), Search::Pending);
            if *of == identity && !is_broken {
                return search.clone();
            }
        }
        let (sender, receiver) = watch::channel(Search::Pending);
        searches.insert((material, metric), (identity, receiver.clone()));
        let (folder, turn) = (folder.to_owned(), Arc::clone(&self.turn));
        tokio::spawn(async move {
            let Ok(turn) = turn.acquire_owned().await else { return };
            let looked = tokio::task::spawn_blocking(move || {
                let _turn = turn;
                look(&folder, material, metric)
            });
            match looked.await {
                Ok(Ok(found)) => drop(sender.send(Search::Found(Arc::new(found)))),
                Ok(Err(error)) => drop(sender.send(Search::Failed(error.to_string().into()))),
                Err(error) => tracing::error!("the longest wins of {material}.{metric} were not found: {error}"),
            }
        });
        receiver
    }
}

/// Why a search breaks off.
type Broken = Box<dyn Error + Send + Sync>;

fn look(folder: &Path, material: Material, metric: Metric) -> Result<ByColor<Vec<String>>, Broken> {
    let layout = Layout::new(material);
    let table = TableFolder::open_existing(folder)?.with_access(watched()).open_set(&layout, metric)?;
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

/// The positions of a side that is left out whose win takes longest, by moves of the set's own men: those before the other
/// side's longest losses.
fn longest_by_moves(folder: &Path, table: &FileTable, layout: &Layout, side: Color) -> Result<Vec<String>, Broken> {
    let metric = table.spec().metric;
    let tables = Tablebase::builder().folder(folder).access(watched()).cache_bytes(CACHE_BYTES).build();
    let longest = table.spec().values[side].max_win_plies();
    let mut found: Vec<String> = Vec::new();
    each_of(table, layout, !side, Value::Loss(longest - 1), |position| {
        for before in position.quiet_predecessors() {
            // Of images of one position, the one that the index names.
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

/// Calls `visit` with the positions of a stored side that have a value, each once, until it returns false.
fn each_of(
    table: &FileTable,
    layout: &Layout,
    side: Color,
    value: Value,
    mut visit: impl FnMut(Position) -> Result<bool, Broken>,
) -> Result<(), Broken> {
    let Some(wanted) = table.spec().values[side].code(value) else { return Ok(()) };
    let mut codes = Vec::new();
    for slab in 0..layout.slabs() {
        table.slab_codes(side, slab, &mut codes)?;
        let start = slab as u64 * layout.slab_len();
        for (number, _) in (start..).zip(&codes).filter(|&(_, &code)| code == wanted) {
            // The cell may hold anything if no position is there, and a position that has two cells is named once.
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
