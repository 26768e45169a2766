//! The search for the longest wins of a table.

use std::collections::HashMap;
use std::error::Error;
use std::path::Path;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::thread;

use makruk_probe::{TableId, Tablebase};
use makruk_tables::format::{FileTable, Storage, TableFolder};
use makruk_tables::index::Layout;
use makruk_tables::rules::{ByColor, Color, Fen, Position};
use makruk_tables::value::Value;
use serde::Deserialize;
use tokio::sync::{Semaphore, watch};
use tokio::time::{Instant, timeout_at};
use tokio_util::sync::CancellationToken;

use crate::tables::snapshot::watched;

/// The most positions that a search returns for a side.
const MOST_POSITIONS: usize = 10;
/// Bytes of decoded blocks that a search may keep.
const CACHE_BYTES: usize = 1 << 20;

/// The state of a search.
#[derive(Clone, Debug)]
pub(crate) enum LongestWins {
    /// The search waits for its turn, or has searched `searched` of these `slabs`.
    Pending { searched: usize, slabs: usize },
    /// The positions found, by side to move.
    Found(Arc<ByColor<Vec<String>>>),
    /// The table could not be read for this reason.
    Failed(Arc<str>),
}

impl LongestWins {
    /// A search that waits for its turn.
    const WAITING: LongestWins = LongestWins::Pending { searched: 0, slabs: 0 };

    pub(crate) const fn is_pending(&self) -> bool {
        matches!(self, LongestWins::Pending { .. })
    }
}

/// The longest wins of a table, as a file has them.
#[derive(Clone, Debug, Deserialize)]
struct KnownWins {
    /// The checksum of the table's header, which stands for the whole table.
    checksum: u32,
    white: Vec<String>,
    black: Vec<String>,
}

/// The longest wins of the tables of up to five men, by the tables' names: they come with the program.
static KNOWN: LazyLock<HashMap<String, KnownWins>> =
    LazyLock::new(|| serde_json::from_str(include_str!("../../longest-wins.json")).unwrap_or_default());

/// The longest wins that come with the program, if the table with this checksum is among theirs.
fn known(id: TableId, checksum: u32) -> Option<LongestWins> {
    let known = KNOWN.get(&id.to_string()).filter(|known| known.checksum == checksum)?;
    Some(LongestWins::Found(Arc::new(ByColor { white: known.white.clone(), black: known.black.clone() })))
}

/// The searches so far, one for each table. A search reads the whole table, which may take long: it runs once for all
/// requests, and one search runs at a time. Their outcomes are kept in memory.
#[derive(Debug)]
pub(crate) struct LongestWinSearches {
    searches: Mutex<HashMap<TableId, Started>>,
    turn: Arc<Semaphore>,
    /// Whether those that come with the program are used.
    has_known: bool,
    /// Cancelled when the server stops.
    stopping: CancellationToken,
}

/// The checksum of the table of a search, and the channel of its outcome.
type Started = (u32, watch::Receiver<LongestWins>);

impl LongestWinSearches {
    pub(crate) fn new(has_known: bool, stopping: CancellationToken) -> LongestWinSearches {
        LongestWinSearches { searches: Mutex::default(), turn: Arc::new(Semaphore::new(1)), has_known, stopping }
    }

    /// The outcome for a table whose header has this checksum, or the state at the deadline.
    pub(crate) async fn find(&self, folder: &Path, id: TableId, checksum: u32, deadline: Instant) -> LongestWins {
        let mut search = self.search(folder, id, checksum);
        if let Ok(Ok(found)) = timeout_at(deadline, search.wait_for(|search| !search.is_pending())).await {
            return found.clone();
        }
        // The deadline has passed, or the search panicked.
        search.borrow().clone()
    }

    fn search(&self, folder: &Path, id: TableId, checksum: u32) -> watch::Receiver<LongestWins> {
        let mut searches = self.searches.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((of, search)) = searches.get(&id) {
            let is_broken = search.has_changed().is_err() && search.borrow().is_pending();
            if *of == checksum && !is_broken {
                return search.clone();
            }
        }
        let known = if self.has_known { known(id, checksum) } else { None };
        let is_known = known.is_some();
        let (sender, receiver) = watch::channel(known.unwrap_or(LongestWins::WAITING));
        searches.insert(id, (checksum, receiver.clone()));
        if is_known {
            return receiver;
        }
        let (folder, turn) = (folder.to_owned(), Arc::clone(&self.turn));
        let stopping = self.stopping.clone();
        tokio::spawn(async move {
            let Ok(turn) = turn.acquire_owned().await else { return };
            let run = move || {
                leave_processors_to_requests();
                let _turn = turn;
                match search(&folder, id, &Progress { sender: &sender, stopping }) {
                    Ok(Some(found)) => drop(sender.send_replace(LongestWins::Found(Arc::new(found)))),
                    // The server stops: the outcome stays pending.
                    Ok(None) => {}
                    Err(error) => drop(sender.send_replace(LongestWins::Failed(error.to_string().into()))),
                }
            };
            // A separate thread: its priority cannot be raised again.
            if let Err(error) = thread::Builder::new().name("longest-wins".to_owned()).spawn(run) {
                tracing::error!("cannot start a thread to search for the longest wins of {id}: {error}");
            }
        });
        receiver
    }
}

/// Gives the calling thread the lowest priority, where threads have one.
fn leave_processors_to_requests() {
    #[cfg(target_os = "linux")]
    if let Err(error) = rustix::process::setpriority_process(None, 19) {
        tracing::debug!("cannot lower the priority of a search: {error}");
    }
}

/// The progress of a search, which ends early when the server stops.
struct Progress<'a> {
    sender: &'a watch::Sender<LongestWins>,
    stopping: CancellationToken,
}

impl Progress<'_> {
    /// Reports a slab that was searched; false when the search is to end.
    fn advance(&self, searched: usize, slabs: usize) -> bool {
        self.sender.send_replace(LongestWins::Pending { searched, slabs });
        !self.stopping.is_cancelled()
    }
}

/// The error that ends a search.
type SearchError = Box<dyn Error + Send + Sync>;

/// The longest wins of a table; `None` if the server stops meanwhile.
fn search(folder: &Path, id: TableId, progress: &Progress<'_>) -> Result<Option<ByColor<Vec<String>>>, SearchError> {
    let layout = Layout::new(id.material);
    let table = TableFolder::open_existing(folder)?.with_access(watched()).open::<Value>(id)?;
    let slabs = 2 * layout.slabs();
    let mut found = ByColor { white: Vec::new(), black: Vec::new() };
    for (at, side) in Color::ALL.into_iter().enumerate() {
        let mut advance = |searched| progress.advance(at * layout.slabs() + searched, slabs);
        let is_whole = match table.spec().values[side].max_win_plies() {
            0 => true,
            _ if table.storage(side) == Storage::Absent => {
                longest_by_moves(folder, &table, &layout, side, &mut found[side], &mut advance)?
            }
            plies => {
                let found = &mut found[side];
                each_of(&table, &layout, side, Value::Win(plies), &mut advance, |position| {
                    found.push(text(position));
                    Ok(found.len() < MOST_POSITIONS)
                })?
            }
        };
        if !is_whole {
            return Ok(None);
        }
    }
    Ok(Some(found))
}

/// The longest wins of an omitted side: the predecessors of the other side's longest losses by moves that capture
/// nothing. False if the search ended early.
fn longest_by_moves(
    folder: &Path,
    table: &FileTable,
    layout: &Layout,
    side: Color,
    found: &mut Vec<String>,
    advance: &mut dyn FnMut(usize) -> bool,
) -> Result<bool, SearchError> {
    let metric = table.spec().metric;
    let tables = Tablebase::builder().folder(folder).access(watched()).cache_bytes(CACHE_BYTES).build();
    let longest = table.spec().values[side].max_win_plies();
    each_of(table, layout, !side, Value::Loss(longest - 1), advance, |position| {
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
    })
}

/// Calls `visit` for each position of a stored side that has the value, until it returns false, and `advance` after
/// each slab. False if `advance` ended the search.
fn each_of(
    table: &FileTable,
    layout: &Layout,
    side: Color,
    value: Value,
    advance: &mut dyn FnMut(usize) -> bool,
    mut visit: impl FnMut(Position) -> Result<bool, SearchError>,
) -> Result<bool, SearchError> {
    let Some(code_of_value) = table.spec().values[side].code(value) else { return Ok(true) };
    let mut codes = Vec::new();
    for slab in 0..layout.slabs() {
        table.slab_codes(side, slab, &mut codes)?;
        let start = slab as u64 * layout.slab_len();
        for (number, _) in (start..).zip(&codes).filter(|&(_, &code)| code == code_of_value) {
            // A cell that is not a legal position may hold any code; if a position has two cells, the first is visited.
            let Some(position) = layout.first_at(side, number) else { continue };
            if !visit(position)? {
                return Ok(true);
            }
        }
        if !advance(slab + 1) {
            return Ok(false);
        }
    }
    Ok(true)
}

fn text(position: Position) -> String {
    Fen::new(position, None).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_wins_that_come_with_the_program_are_those_of_their_tables() {
        assert!(KNOWN.len() >= 253, "{}", KNOWN.len());
        for (name, wins) in KNOWN.iter() {
            let id = name.parse().unwrap();
            assert!(known(id, wins.checksum).is_some() && wins.white.len() <= MOST_POSITIONS);
            assert!(known(id, wins.checksum ^ 1).is_none(), "{name}");
        }
    }
}
