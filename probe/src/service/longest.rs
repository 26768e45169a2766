//! Searches for the positions that take longest to win.

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use makruk_tables::format::{FormatError, Metric, Storage, TableFolder, Value, WatchedTable};
use makruk_tables::index::Layout;
use makruk_tables::material::Material;
use makruk_tables::rules::{ByColor, Color, Fen};
use tokio::sync::{Semaphore, watch};
use tokio::time::{Instant, timeout_at};

use super::catalogue::Identity;

/// The most positions that are named.
const MOST_POSITIONS: usize = 10;
/// Codes that are decoded at a time.
const CHUNK: u64 = 1 << 20;

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

fn look(folder: &Path, material: Material, metric: Metric) -> Result<ByColor<Vec<String>>, FormatError> {
    let layout = Layout::new(material);
    let table = TableFolder::open_existing(folder)?.open_watched(&layout, metric)?;
    let [white, black] = Color::ALL.map(|side| longest_wins(&table, &layout, side));
    Ok(ByColor { white: white?, black: black? })
}

/// The first positions of a side whose win takes longest.
fn longest_wins(table: &WatchedTable, layout: &Layout, side: Color) -> Result<Vec<String>, FormatError> {
    let values = &table.spec().values[side];
    let longest = values.code(Value::Win(values.max_win_plies()));
    // Of a side that the table leaves out every position would have to be worked out by its moves.
    let Some(longest) = longest.filter(|_| table.storage(side) != Storage::Absent) else { return Ok(Vec::new()) };
    let (mut found, mut codes) = (Vec::new(), Vec::new());
    let mut start = 0;
    while start < table.positions() && found.len() < MOST_POSITIONS {
        let end = table.positions().min(start + CHUNK);
        table.decode_codes(side, start..end, &mut codes)?;
        for (number, _) in (start..end).zip(&codes).filter(|&(_, &code)| code == longest) {
            // The cell may hold anything if no position is there, and a position that has two cells is named once.
            let position = layout.position_at(side, number);
            let Some(position) = position.filter(|at| layout.index(at) == Some((side, number))) else { continue };
            found.push(Fen { position, count: None, fullmove: 1 }.to_string());
            if found.len() == MOST_POSITIONS {
                break;
            }
        }
        start = end;
    }
    Ok(found)
}
