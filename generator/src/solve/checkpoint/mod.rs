//! The checkpoint of a solve: a file beside the tables with all decisions of the plies that are finished. A build that
//! was killed goes on from there: the sets of positions follow from the decisions.
//!
//! The file is the store of the decision log as well, so that nothing is written twice. A header says what was solved
//! ([`identity`]); records follow ([`record`]), each with a checksum, in the order in which they were written. Those of
//! a ply count only if the record that ends it is there, too ([`recovery`]).

mod identity;
mod record;
mod recovery;

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use makruk_format::FormatError;
use makruk_rules::{ByColor, Color};
use makruk_tables::tablebase::TableId;

use self::identity::{MOST_HEADER_BYTES, is_checkpoint};
use self::record::{HEAD_BYTES, Head, Kind, record, two_numbers};
use self::recovery::recover;
use super::compression::{compress, decompress};
use super::geometry::Geometry;
use super::ply_id::PlyId;
use super::work_store::Blob;
use super::working_file::{BlobPlace, WorkingFile};
use crate::checkpoint_event::CheckpointEvent;
use crate::error::BuildError;
use crate::progress::Progress;
use crate::unfinished::path_of;

pub(crate) use self::identity::Identity;
pub(crate) use self::recovery::{FinishedPlies, Recovery};

/// The least time between two syncs. Without power for the machine, the plies since the last sync are solved again.
const SYNC_EVERY: Duration = Duration::from_secs(30);

/// A process that was just killed, or one that is being started by it, may hold the lock for a moment.
const LOCK_PATIENCE: Duration = Duration::from_secs(1);

/// A checkpoint that is being written. It stays when it is dropped.
#[derive(Debug)]
pub(crate) struct Checkpoint {
    file: WorkingFile,
    /// The records with decisions of the ply that is under way.
    records: AtomicU64,
    synced: Instant,
    /// The thread that waits for the disk.
    sync: Option<JoinHandle<io::Result<()>>>,
}

impl Checkpoint {
    /// Opens the checkpoint of a solve in a folder, or begins one; returns it with what was recovered. `None` if
    /// another build is using it. `progress` receives what was found.
    ///
    /// # Errors
    ///
    /// The file cannot be written or read or is not a checkpoint, or `progress` stops the build.
    pub(crate) fn open(
        folder: &Path,
        table: TableId,
        identity: &Identity,
        geometry: &Geometry,
        progress: &dyn Progress,
    ) -> Result<Option<(Checkpoint, Recovery)>, BuildError> {
        let path = path_of(folder, table);
        let file = match open_locked(&path)? {
            Ok(file) => WorkingFile::new(file, path.clone()),
            Err(lock) => {
                progress.checkpoint(table, &CheckpointEvent::not_locked(path, lock));
                return Ok(None);
            }
        };
        let mut start = vec![0; file.len()?.min(MOST_HEADER_BYTES as u64) as usize];
        file.read_at(0, &mut start)?;
        is_checkpoint(&start).map_err(|problem| BuildError::NotACheckpoint { path: path.clone(), problem })?;
        let header = if start.is_empty() { None } else { Some(identity.compare(&start)) };
        let recovery = match header {
            Some(Ok(header)) => {
                let (recovery, end, damage) = recover(&file, header as u64, geometry, progress)?;
                if let Some(damage) = damage {
                    let (offset, problem) = (damage.offset, damage.problem);
                    progress.checkpoint(table, &CheckpointEvent::Damaged { path, offset, problem });
                }
                file.truncate(end)?;
                recovery
            }
            other => {
                if let Some(Err(problem)) = other {
                    progress.checkpoint(table, &CheckpointEvent::Refused { path, problem });
                }
                file.truncate(0)?;
                file.append(&identity.header())?;
                Recovery::default()
            }
        };
        let checkpoint = Checkpoint { file, records: AtomicU64::new(0), synced: Instant::now(), sync: None };
        Ok(Some((checkpoint, recovery)))
    }

    /// Writes the numbers of legal positions before the first ply.
    pub(super) fn begin(&self, legal: ByColor<u64>) -> Result<(), FormatError> {
        let ply = PlyId::nth(Color::White, 0);
        self.write(Kind::Beginning, ply, 0, &two_numbers(legal.white, legal.black), 0).map(drop)
    }

    /// Appends decisions of a ply in a slab. Any thread may do so.
    pub(super) fn append(&self, ply: PlyId, slab: usize, decisions: &[u8]) -> Result<Blob, FormatError> {
        let packed = compress(decisions).map_err(|error| self.file.cannot_write(error))?;
        let offset = self.write(Kind::Decisions, ply, slab, &packed, decisions.len())?;
        self.records.fetch_add(1, Ordering::Relaxed);
        // Both lengths were written in as many bits.
        Ok(Blob::File(BlobPlace { offset, stored: packed.len() as u32, len: decisions.len() as u32 }))
    }

    /// Writes the end of a ply, and has the disk keep it if the last time was long ago.
    pub(super) fn end_ply(&mut self, ply: PlyId, positions: u64) -> Result<(), FormatError> {
        let records = std::mem::take(self.records.get_mut());
        self.write(Kind::Ply, ply, 0, &two_numbers(positions, records), 0)?;
        self.sync()
    }

    /// Writes the end of an attack.
    pub(super) fn end_attack(&self, attacker: Color) -> Result<(), FormatError> {
        self.write(Kind::Attack, PlyId::nth(attacker, 0), 0, &[], 0).map(drop)
    }

    /// Reads decisions through `buffer`.
    pub(super) fn read<'a>(&self, blob: &Blob, buffer: &'a mut Vec<u8>) -> Result<&'a [u8], FormatError> {
        let &Blob::File(BlobPlace { offset, stored, len }) = blob else {
            unreachable!("a checkpoint has no blobs in memory")
        };
        let mut record = vec![0; HEAD_BYTES + stored as usize];
        self.file.read_at(offset, &mut record)?;
        // The disk may have lost what it was given.
        let head = record.first_chunk().ok_or_else(|| "expected a record".to_owned()).and_then(Head::read);
        let damaged = |problem| self.file.cannot_read(io::Error::new(io::ErrorKind::InvalidData, problem));
        head.and_then(|head| head.check(&record)).map_err(damaged)?;
        *buffer = decompress(&record[HEAD_BYTES..], len as usize).map_err(|error| self.file.cannot_read(error))?;
        Ok(buffer)
    }

    /// Removes the file. If that fails, the next build removes it.
    pub(super) fn remove(self) {
        let _ = std::fs::remove_file(self.file.path());
    }

    /// Writes a record; returns its offset.
    fn write(&self, kind: Kind, ply: PlyId, slab: usize, payload: &[u8], len: usize) -> Result<u64, FormatError> {
        let too_long = || self.file.cannot_write(io::ErrorKind::FileTooLarge.into());
        self.file.append(&record(kind, ply, slab, payload, len).ok_or_else(too_long)?)
    }

    /// Syncs what was written to the disk, now and then. A separate thread waits for it.
    fn sync(&mut self) -> Result<(), FormatError> {
        let failed = |error| FormatError::io("sync the checkpoint", self.file.path(), error);
        if self.sync.as_ref().is_some_and(|sync| !sync.is_finished()) || self.synced.elapsed() < SYNC_EVERY {
            return Ok(());
        }
        if let Some(sync) = self.sync.take() {
            // The thread does not panic.
            sync.join().unwrap_or(Ok(())).map_err(failed)?;
        }
        let file = self.file.to_sync()?;
        let sync = std::thread::Builder::new().name("sync".to_owned()).spawn(move || file.sync_data());
        self.sync = Some(sync.map_err(failed)?);
        self.synced = Instant::now();
        Ok(())
    }
}

/// Opens a checkpoint, or makes an empty one, and locks it as long as it is open. The inner error is that of the lock.
///
/// # Errors
///
/// The file cannot be opened, or is a link or another thing than a file.
fn open_locked(path: &Path) -> Result<Result<File, TryLockError>, BuildError> {
    let late = Instant::now() + LOCK_PATIENCE;
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, libc::O_NOFOLLOW | libc::O_NONBLOCK);
    // FILE_FLAG_OPEN_REPARSE_POINT opens a link itself.
    #[cfg(windows)]
    std::os::windows::fs::OpenOptionsExt::custom_flags(&mut options, 0x0020_0000);
    let failed = |error| FormatError::io("open the checkpoint", path, error);
    loop {
        let opened = options.open(path).and_then(|file| Ok((file.metadata()?.is_file(), file)));
        let file = match opened {
            Ok((true, file)) => file,
            Err(error) if path.symlink_metadata().map_or(true, |found| found.is_file()) => {
                return Err(failed(error).into());
            }
            _ => {
                let problem = "expected a file, found a link or another thing".to_owned();
                return Err(BuildError::NotACheckpoint { path: path.to_owned(), problem });
            }
        };
        match file.try_lock() {
            // Another build may have removed it between opening and locking.
            Ok(()) if path.exists() => return Ok(Ok(file)),
            Ok(()) => {}
            Err(TryLockError::WouldBlock) if Instant::now() < late => std::thread::sleep(LOCK_PATIENCE / 20),
            Err(error) => return Ok(Err(error)),
        }
    }
}
