//! Temporary files: tables under construction.
//!
//! A table is written as `.KRRvKR.dtm.<process>-<number>.tmp`, under an advisory lock that lasts as long as the writer.
//! A temporary without a lock is stale: its process is gone, even if another process has the same number by now.
//! Working files lose their names at once; until then they are temporaries like the others.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use super::error::{FormatError, Problem};

const SUFFIX: &str = ".tmp";

/// The number of this process's next temporary, so that no name is used twice.
static NEXT: AtomicU64 = AtomicU64::new(0);

/// A locked file under a temporary name, removed when dropped unless it was published.
#[derive(Debug)]
pub(super) struct Temporary {
    path: PathBuf,
    published: bool,
}

impl Temporary {
    /// Creates a temporary for `name` in `folder`. The lock lives as long as the file does.
    pub(super) fn create(folder: &Path, name: &str) -> Result<(Temporary, File), FormatError> {
        loop {
            let number = NEXT.fetch_add(1, Ordering::Relaxed);
            let path = folder.join(format!(".{name}.{}-{number}{SUFFIX}", std::process::id()));
            let file = match OpenOptions::new().read(true).write(true).create_new(true).open(&path) {
                Ok(file) => file,
                // An earlier process of the same number left it.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
                Err(error) => return Err(Problem::io("create the file", &path)(error)),
            };
            let temporary = Temporary { path, published: false };
            match file.try_lock() {
                // Another process may have removed it as stale between creation and lock: then the name is gone.
                Ok(()) if temporary.path.exists() => return Ok((temporary, file)),
                Ok(()) | Err(TryLockError::WouldBlock) => continue,
                // On a file system without locks no process can take the file for stale either.
                Err(TryLockError::Error(_)) => return Ok((temporary, file)),
            }
        }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Renames the file to its final name, replacing a file of that name, and makes the name durable.
    pub(super) fn publish(mut self, target: &Path) -> Result<(), FormatError> {
        self.published = true;
        publish(&self.path, target)
    }
}

/// Renames a file that is complete and on disk to its final name in the same folder, replacing a file of that name, and
/// makes the name durable.
///
/// # Errors
///
/// The system cannot rename the file or sync the folder.
pub fn publish(file: &Path, target: &Path) -> Result<(), FormatError> {
    fs::rename(file, target).map_err(Problem::io("rename the finished file", file))?;
    sync_folder(target.parent().unwrap_or(Path::new(".")))
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if !self.published {
            // If this fails, the temporary is stale, and a later run removes it.
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Makes a folder's names durable. Only Unix can do that.
fn sync_folder(folder: &Path) -> Result<(), FormatError> {
    if cfg!(unix) {
        File::open(folder).and_then(|folder| folder.sync_all()).map_err(Problem::io("sync the folder", folder))?;
    }
    Ok(())
}

/// Whether a file's name is one that [`Temporary::create`] gives.
fn is_temporary(name: &str) -> bool {
    let Some(middle) = name.strip_prefix('.').and_then(|name| name.strip_suffix(SUFFIX)) else { return false };
    let Some((table, tag)) = middle.rsplit_once('.') else { return false };
    let number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    !table.is_empty() && tag.split_once('-').is_some_and(|(process, count)| number(process) && number(count))
}

/// Removes the stale temporaries in `folder` and returns their paths. Tables and files of other names stay.
///
/// # Errors
///
/// If the folder can't be read. A temporary that can't be opened, locked or removed stays.
pub fn remove_stale_temporaries(folder: &Path) -> Result<Vec<PathBuf>, FormatError> {
    let mut removed = Vec::new();
    for entry in fs::read_dir(folder).map_err(Problem::io("read the folder", folder))? {
        let entry = entry.map_err(Problem::io("read the folder", folder))?;
        let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
        if !is_file || !entry.file_name().to_str().is_some_and(is_temporary) {
            continue;
        }
        let path = entry.path();
        let Ok(file) = OpenOptions::new().write(true).open(&path) else { continue };
        // The lock is held until the file is removed, so that a writer that has just created it notices.
        if file.try_lock().is_ok() && fs::remove_file(&path).is_ok() {
            removed.push(path);
        }
    }
    removed.sort();
    Ok(removed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_temporary_that_a_killed_process_left_is_stale() {
        let folder = tempfile::tempdir().unwrap();
        let (mut temporary, file) = Temporary::create(folder.path(), "KRvK.dtm").unwrap();
        assert!(remove_stale_temporaries(folder.path()).unwrap().is_empty(), "its lock is held");
        temporary.published = true;
        drop(file);
        assert_eq!(remove_stale_temporaries(folder.path()).unwrap(), [temporary.path()]);
    }
}
