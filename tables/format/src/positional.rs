//! Files that are read by position, a few of which are open at a time.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::Duration;

use super::file_state::FileState;
use super::source::Source;

/// The most files that this process has open at a time: there are more tables than files that some systems allow, 256.
const MOST_OPEN: usize = 128;

/// The number of times that a thread tries to take the lock of the open files, and of those after which it does not
/// wait for a millisecond.
const TRIES: usize = 150;
const YIELDS: usize = 100;

/// The files that are open.
static OPEN: Mutex<Vec<Arc<Handle>>> = Mutex::new(Vec::new());
/// The number of times that a file was opened, by which uses of files are ordered.
static OPENED: AtomicU64 = AtomicU64::new(0);
/// The number of times that a file was closed for another.
static CLOSED: AtomicU64 = AtomicU64::new(0);

/// The number of times that this process has closed a table's file to open another. At most 128 of those that are read
/// by position are open at a time.
pub fn closed_files() -> u64 {
    CLOSED.load(Ordering::Relaxed)
}

/// A file that is read when bytes are asked for. This is slower than a map, but a file that shrinks or a disk that
/// fails is an error then and not the end of the process. Where many are open, the least recently used is closed until
/// it is read again.
#[derive(Debug)]
pub(super) struct PositionalFile {
    handle: Arc<Handle>,
    path: PathBuf,
    state: FileState,
}

#[derive(Debug)]
struct Handle {
    file: RwLock<Option<File>>,
    /// The value of [`OPENED`] when it was last read.
    used: AtomicU64,
}

impl PositionalFile {
    pub(super) fn new(file: File, path: &Path) -> io::Result<PositionalFile> {
        let state = FileState::of(&file.metadata()?);
        let handle = Arc::new(Handle { file: RwLock::new(None), used: AtomicU64::new(0) });
        handle.open(file);
        Ok(PositionalFile { handle, path: std::path::absolute(path)?, state })
    }

    /// Opens the file again. One that has taken its place is an error.
    #[cold]
    fn reopen(&self) -> io::Result<()> {
        let file = File::open(&self.path)?;
        if !self.state.is_still(|| file.metadata().map(|found| FileState::of(&found)).ok()) {
            return Err(io::Error::other("the file was replaced or changed after it was opened"));
        }
        self.handle.open(file);
        Ok(())
    }
}

impl Handle {
    /// Takes a file, and closes another if there are many.
    fn open(self: &Arc<Handle>, file: File) {
        self.used.store(1 + OPENED.fetch_add(1, Ordering::Relaxed), Ordering::Relaxed);
        *self.file.write().unwrap_or_else(PoisonError::into_inner) = Some(file);
        // In a child that was forked while another thread held the lock, it is never free. Else it is soon.
        let take = |tried| {
            OPEN.try_lock().ok().or_else(|| {
                if tried < YIELDS {
                    std::thread::yield_now()
                } else {
                    std::thread::sleep(Duration::from_millis(1))
                }
                None
            })
        };
        let Some(mut open) = (0..TRIES).find_map(take) else { return };
        if open.iter().any(|other| Arc::ptr_eq(other, self)) {
            return;
        }
        while open.len() >= MOST_OPEN {
            // One that is read is left open: if its disk does not answer, it would hold up all others.
            // The numbers are taken once: they change while others read.
            let used = open.iter().map(|other| other.used.load(Ordering::Relaxed));
            let mut by_use: Vec<(u64, usize)> = used.zip(0..).collect();
            by_use.sort_unstable();
            let Some((_, closed)) = by_use.into_iter().find(|&(_, at)| open[at].close()) else { break };
            open.swap_remove(closed);
            CLOSED.fetch_add(1, Ordering::Relaxed);
        }
        open.push(Arc::clone(self));
    }

    /// Closes the file, unless it is being read.
    fn close(&self) -> bool {
        let file = self.file.try_write();
        file.map(|mut file| *file = None).is_ok()
    }
}

impl Drop for PositionalFile {
    fn drop(&mut self) {
        self.handle.close();
        if let Ok(mut open) = OPEN.try_lock() {
            open.retain(|other| !Arc::ptr_eq(other, &self.handle));
        }
    }
}

impl Source for PositionalFile {
    fn total(&self) -> u64 {
        self.state.len()
    }

    fn read<'a>(&'a self, offset: u64, len: usize, buffer: &'a mut Vec<u8>) -> io::Result<&'a [u8]> {
        if offset.checked_add(len as u64).is_none_or(|end| end > self.total()) {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        buffer.clear();
        buffer.resize(len, 0);
        loop {
            if let Some(file) = &*self.handle.file.read().unwrap_or_else(PoisonError::into_inner) {
                self.handle.used.store(OPENED.load(Ordering::Relaxed), Ordering::Relaxed);
                read_exact_at(file, buffer, offset)?;
                return Ok(buffer);
            }
            self.reopen()?;
        }
    }
}

#[cfg(unix)]
fn read_exact_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, buffer, offset)
}

#[cfg(windows)]
fn read_exact_at(file: &File, mut buffer: &mut [u8], mut offset: u64) -> io::Result<()> {
    while !buffer.is_empty() {
        let read = std::os::windows::fs::FileExt::seek_read(file, buffer, offset)?;
        if read == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        buffer = &mut buffer[read..];
        offset += read as u64;
    }
    Ok(())
}

/// If the system has no positional reads, the file's one position is moved under a lock.
#[cfg(not(any(unix, windows)))]
fn read_exact_at(mut file: &File, buffer: &mut [u8], offset: u64) -> io::Result<()> {
    use std::io::{Read, Seek, SeekFrom};
    use std::sync::{Mutex, PoisonError};

    static POSITION: Mutex<()> = Mutex::new(());
    let _held = POSITION.lock().unwrap_or_else(PoisonError::into_inner);
    file.seek(SeekFrom::Start(offset))?;
    file.read_exact(buffer)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_files_than_may_be_open_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = |at: usize| folder.path().join(at.to_string());
        let count = 2 * MOST_OPEN;
        (0..count).for_each(|at| std::fs::write(path(at), at.to_le_bytes()).unwrap());
        let new = |at: usize| PositionalFile::new(File::open(path(at)).unwrap(), &path(at)).unwrap();
        let files: Vec<_> = (0..count).map(new).collect();
        let mut buffer = Vec::new();
        for at in (0..count).chain(0..count) {
            assert_eq!(files[at].read(0, 8, &mut buffer).unwrap(), at.to_le_bytes());
        }
        let is_open = |file: &&PositionalFile| file.handle.file.read().unwrap().is_some();
        let threads = 4;
        std::thread::scope(|scope| {
            for thread in 0..threads {
                let files = &files;
                scope.spawn(move || {
                    let mut buffer = Vec::new();
                    for at in (0..20 * count).map(|step| (step * (2 * thread + 1)) % count) {
                        assert_eq!(files[at].read(0, 8, &mut buffer).unwrap(), at.to_le_bytes());
                    }
                });
            }
        });
        assert!(files.iter().filter(is_open).count() <= MOST_OPEN + threads && closed_files() >= MOST_OPEN as u64);
        // The same length and time, but another file.
        let closed = files.iter().position(|file| !is_open(&file)).unwrap();
        let time = std::fs::metadata(path(closed)).unwrap().modified().unwrap();
        let other = folder.path().join("other");
        std::fs::write(&other, (closed + 1).to_le_bytes()).unwrap();
        File::options().write(true).open(&other).unwrap().set_modified(time).unwrap();
        std::fs::rename(&other, path(closed)).unwrap();
        if cfg!(unix) {
            assert!(files[closed].read(0, 8, &mut buffer).unwrap_err().to_string().contains("replaced"));
        }
        std::fs::write(path(closed), "longer than it was").unwrap();
        assert!(files[closed].read(0, 8, &mut buffer).unwrap_err().to_string().contains("replaced"));
    }
}
