//! Tables from mirrors: hosts that nobody has to trust.

mod mirror;
mod partial;

use std::iter;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use makruk_format::{AnyValue, FileTable, FormatError, TableFolder, TableId};
use makruk_remote::Fault;
pub use makruk_remote::{MirrorUrl, ParseMirrorUrlError};
use thiserror::Error;

use self::mirror::{Mirror, fault_of_bytes};
use self::partial::Partial;
use crate::manifest::ManifestLine;
use crate::numbers::{Gib, counted};
use crate::unfinished::{part_of, remove};

/// The number of times that a mirror may break off in one table, if each time bytes arrived.
const BREAKS: usize = 3;

/// The time after which a stop is noticed.
const POLL: Duration = Duration::from_millis(50);

/// The limits of fetching.
#[derive(Clone, Debug)]
pub struct FetchLimits {
    /// The number of tables that are fetched at the same time.
    pub connections: usize,
    /// The time that a mirror may send nothing.
    pub silence: Duration,
}

impl Default for FetchLimits {
    fn default() -> FetchLimits {
        FetchLimits { connections: 4, silence: Duration::from_secs(30) }
    }
}

/// A table of a list that a folder lacks.
#[derive(Clone, Debug)]
pub struct MissingTable {
    /// Its line in the list.
    pub line: ManifestLine,
    /// The number of its bytes that an earlier run has fetched.
    pub begun: u64,
}

impl MissingTable {
    /// The number of bytes that are still to be fetched.
    pub fn bytes_left(&self) -> u64 {
        self.line.bytes - self.begun
    }
}

/// Receives the progress of fetching, from several threads.
pub trait FetchProgress: Sync {
    /// Bytes arrived; a negative number of them was dropped.
    fn bytes(&self, _number: i64) {}

    /// A table is complete: its file is in place.
    fn fetched(&self, _table: TableId) {}

    /// A mirror is used no more, but another one is: a sentence.
    fn refused(&self, _sentence: &str) {}

    /// Whether to stop.
    fn is_stopped(&self) -> bool {
        false
    }
}

/// The reason that ended fetching.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum FetchError {
    /// A file of the folder could not be read or written.
    #[error(transparent)]
    Format(#[from] FormatError),
    /// A file of the folder is a sound table that is not the list's.
    #[error("{}: this is not the table of the list", .0.display())]
    OtherTable(PathBuf),
    /// Another process fetches the table.
    #[error("{0} is being fetched by another process")]
    Busy(TableId),
    /// The disk has less room than the tables need.
    #[error("{} has {} free, but the tables need {}", .folder.display(), Gib(*.free), Gib(*.needed))]
    NoRoom {
        /// The folder.
        folder: PathBuf,
        /// The free bytes of its disk.
        free: u64,
        /// The bytes that are still to be fetched.
        needed: u64,
    },
    /// No mirror has some tables.
    #[error("{}", unfetched(*.first, *.number, .reasons))]
    Unfetched {
        /// The first of them in the order of the list.
        first: TableId,
        /// Their number.
        number: usize,
        /// A sentence for each mirror that was refused.
        reasons: Vec<String>,
    },
    /// It was stopped from outside.
    #[error("stopped: the tables fetched so far are complete; the same command continues from there")]
    Stopped,
}

fn unfetched(first: TableId, number: usize, reasons: &[String]) -> String {
    let tables = match number {
        1 => format!("{first} is missing"),
        _ => format!("{} are missing, the first is {first}", counted(number as u64, "table")),
    };
    match reasons {
        [] => format!("no mirror has {first}: {tables}"),
        _ => format!("{}: {tables}", reasons.join("; ")),
    }
}

/// The tables of a list that a folder lacks, in the order of the list; without a folder all of them.
///
/// # Errors
///
/// The folder has a file under the name of a table that is neither the table of the list nor damaged.
pub fn missing_tables(folder: Option<&TableFolder>, list: &[ManifestLine]) -> Result<Vec<MissingTable>, FetchError> {
    let mut missing = Vec::new();
    for line in list {
        let begun = match folder {
            Some(folder) if is_here(folder, line)? => continue,
            Some(folder) => std::fs::metadata(part_of(folder.path(), line.id)).map_or(0, |part| part.len()),
            None => 0,
        };
        missing.push(MissingTable { line: line.clone(), begun: if begun > line.bytes { 0 } else { begun } });
    }
    Ok(missing)
}

/// Whether a folder has the table of a line. Only the header is compared.
fn is_here(folder: &TableFolder, line: &ManifestLine) -> Result<bool, FetchError> {
    let path = folder.path_of(line.id);
    match FileTable::<AnyValue>::open(&path, folder.access()) {
        Ok(table) if (table.header().file_len(), table.header().checksum()) == (line.bytes, line.checksum) => Ok(true),
        Ok(_) => Err(FetchError::OtherTable(path)),
        Err(error) if error.kind().is_made_anew() => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// Fetches tables into a folder, each from the first mirror that has it. A table gets its name when its length and its
/// SHA-256 are those of its line. What has arrived of others stays, for the next run to continue, but nothing stays of
/// a mirror that gave wrong bytes. Removes what has arrived of tables that the folder has by now.
///
/// # Errors
///
/// The disk has too little room, or the first of the folder; otherwise that tables are missing, or the stop.
pub fn fetch(
    folder: &TableFolder,
    missing: &[MissingTable],
    mirrors: &[MirrorUrl],
    limits: &FetchLimits,
    progress: &dyn FetchProgress,
) -> Result<(), FetchError> {
    let is_missing = |id| missing.iter().any(|table| table.line.id == id);
    let is_whole = |id| FileTable::<AnyValue>::open(&folder.path_of(id), folder.access()).is_ok();
    for id in folder.list()? {
        let part = part_of(folder.path(), id);
        // Few tables have a part: only these are opened.
        if part.exists() && !is_missing(id) && is_whole(id) {
            remove(&part);
        }
    }
    let needed = missing.iter().map(MissingTable::bytes_left).sum();
    // Some systems do not report it.
    if let Some(free) = fs4::available_space(folder.path()).ok().filter(|&free| free < needed) {
        return Err(FetchError::NoRoom { folder: folder.path().to_owned(), free, needed });
    }
    let mirrors = mirrors.iter().map(|url| Mirror::new(url.clone(), limits.silence)).collect();
    let run = Run { folder, mirrors, progress, reasons: Mutex::default(), is_ended: AtomicBool::new(false) };
    let next = AtomicUsize::new(0);
    let work = || {
        let mut unfetched = Vec::new();
        for at in iter::repeat_with(|| next.fetch_add(1, Ordering::Relaxed)).take_while(|&at| at < missing.len()) {
            let fetched = run.fetch(&missing[at].line).inspect_err(|_| run.is_ended.store(true, Ordering::Release))?;
            if !fetched {
                unfetched.push(at);
            }
        }
        Ok(unfetched)
    };
    let ends: Vec<Result<Vec<usize>, FetchError>> = thread::scope(|scope| {
        let workers: Vec<_> = (0..limits.connections.clamp(1, 16)).map(|_| scope.spawn(work)).collect();
        while workers.iter().any(|worker| !worker.is_finished()) {
            if run.is_stopped() {
                run.mirrors.iter().for_each(Mirror::hang_up);
                break;
            }
            thread::sleep(POLL);
        }
        let ended = workers.into_iter().map(|worker| worker.join());
        ended.map(|end| end.unwrap_or_else(|panic| std::panic::resume_unwind(panic))).collect()
    });
    let mut unfetched = Vec::new();
    let mut stopped = false;
    for end in ends {
        match end {
            Ok(tables) => unfetched.extend(tables),
            Err(FetchError::Stopped) => stopped = true,
            Err(error) => return Err(error),
        }
    }
    let number = unfetched.len();
    match unfetched.into_iter().min() {
        _ if stopped => Err(FetchError::Stopped),
        None => Ok(()),
        Some(first) => {
            let reasons = run.reasons.into_inner().unwrap_or_else(PoisonError::into_inner);
            Err(FetchError::Unfetched { first: missing[first].line.id, number, reasons })
        }
    }
}

/// The reason why a table did not arrive from a mirror.
enum End {
    Fault(Fault),
    Error(FetchError),
}

impl From<Fault> for End {
    fn from(fault: Fault) -> End {
        End::Fault(fault)
    }
}

impl From<FormatError> for End {
    fn from(error: FormatError) -> End {
        End::Error(error.into())
    }
}

/// Fetching by several threads.
struct Run<'a> {
    folder: &'a TableFolder,
    mirrors: Vec<Mirror>,
    progress: &'a dyn FetchProgress,
    /// The sentences about mirrors that were refused.
    reasons: Mutex<Vec<String>>,
    /// Whether a thread has failed, so that all end.
    is_ended: AtomicBool,
}

impl Run<'_> {
    fn is_stopped(&self) -> bool {
        self.is_ended.load(Ordering::Acquire) || self.progress.is_stopped()
    }

    /// Fetches a table; `false` if no mirror has it.
    fn fetch(&self, line: &ManifestLine) -> Result<bool, FetchError> {
        let Some(mut partial) = Partial::open(self.folder, line.id, line.bytes)? else {
            // The process that had it may have completed it.
            return if is_here(self.folder, line)? { Ok(true) } else { Err(FetchError::Busy(line.id)) };
        };
        for mirror in &self.mirrors {
            match self.fetch_from(mirror, line, &mut partial) {
                Ok(()) => {
                    partial.publish(&self.folder.path_of(line.id))?;
                    self.progress.fetched(line.id);
                    return Ok(true);
                }
                Err(End::Error(error)) => {
                    partial.close();
                    return Err(error);
                }
                Err(End::Fault(fault)) => self.refuse(mirror, fault),
            }
        }
        partial.close();
        Ok(false)
    }

    /// Uses a mirror no more, unless it only lacks a table.
    fn refuse(&self, mirror: &Mirror, fault: Fault) {
        let Some(sentence) = mirror.refuse(fault) else { return };
        if self.mirrors.iter().any(|mirror| mirror.refusal().is_none()) {
            self.progress.refused(&sentence);
        }
        self.reasons.lock().unwrap_or_else(PoisonError::into_inner).push(sentence);
    }

    /// Completes a table from a mirror.
    fn fetch_from(&self, mirror: &Mirror, line: &ManifestLine, partial: &mut Partial) -> Result<(), End> {
        // Whether all bytes are of this mirror and this run: then it answers for them.
        let mut is_own = partial.bytes() == 0;
        let mut breaks = 0;
        loop {
            let before = partial.bytes();
            match self.receive(mirror, line, partial, &mut is_own) {
                Ok(()) if partial.sha256() == line.sha256 => return Ok(()),
                Ok(()) => {
                    let start = partial.start()?;
                    self.restart(partial)?;
                    if is_own {
                        let found = "its bytes are not those of the list (SHA-256)".to_owned();
                        return Err(fault_of_bytes(line.id, &start, found).into());
                    }
                    is_own = true;
                }
                Err(End::Fault(Fault::Broken(_)))
                    if partial.bytes() > before && breaks < BREAKS && !self.is_stopped() =>
                {
                    breaks += 1;
                }
                Err(end) => {
                    // Nothing stays of a mirror that gives wrong bytes.
                    if matches!(end, End::Fault(Fault::Wrong(_))) && (is_own || partial.bytes() > before) {
                        self.restart(partial)?;
                    }
                    return Err(end);
                }
            }
        }
    }

    /// Reads the rest of a table from a mirror, up to its length.
    fn receive(
        &self,
        mirror: &Mirror,
        line: &ManifestLine,
        partial: &mut Partial,
        is_own: &mut bool,
    ) -> Result<(), End> {
        // A mirror that broke off in another table may go on with this one; one that gave wrong bytes may not.
        let check = || match mirror.refusal() {
            _ if self.is_stopped() => Err(End::Error(FetchError::Stopped)),
            Some(fault @ Fault::Wrong(_)) => Err(fault.clone().into()),
            _ => Ok(()),
        };
        // If the stop ended the connection, the mirror is not at fault.
        let or_stop = |fault: Fault| if self.is_stopped() { End::Error(FetchError::Stopped) } else { fault.into() };
        check()?;
        if partial.bytes() == line.bytes {
            return Ok(());
        }
        if let Some(fault) = mirror.refusal() {
            return Err(fault.clone().into());
        }
        let (from, mut arriving) = mirror.open(line.id, partial.bytes(), line.bytes).map_err(or_stop)?;
        if from != partial.bytes() {
            self.restart(partial)?;
            *is_own = true;
        }
        let mut buffer = vec![0; 1 << 16];
        loop {
            check()?;
            let read = arriving.read(&mut buffer).map_err(or_stop)?;
            let left = line.bytes - partial.bytes();
            if read as u64 > left {
                let found = format!("{}: expected {} bytes, but it sends more", line.id, line.bytes);
                return Err(Fault::Wrong(found).into());
            }
            if read == 0 && left > 0 {
                let (id, found) = (line.id, partial.bytes());
                return Err(
                    Fault::Broken(format!("{id}: expected {} bytes, but it ends after {found}", line.bytes)).into()
                );
            }
            if read == 0 {
                return Ok(());
            }
            partial.push(&buffer[..read])?;
            self.progress.bytes(read as i64);
        }
    }

    fn restart(&self, partial: &mut Partial) -> Result<(), FormatError> {
        let dropped = partial.restart()?;
        self.progress.bytes(-(dropped as i64));
        Ok(())
    }
}
