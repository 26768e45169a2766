//! Files that are not yet tables.
//!
//! A table is written as `.KRRvKR.dtm.<process>-<number>.tmp`, under an advisory lock that lasts as long as the writer.
//! A temporary that nobody holds is an orphan: its process is gone, whether or not another has its number by now.
//! Working files lose their names at once; until then they are temporaries like the others.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use super::error::{FormatError, Problem};

const SUFFIX: &str = ".tmp";

/// Numbers the temporaries of this process, so that no name comes twice.
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
                // Left by an earlier process of the same number.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
                Err(error) => return Err(Problem::io("create the file", &path)(error)),
            };
            let temporary = Temporary { path, published: false };
            match file.try_lock() {
                // A sweeper may have come between creation and lock: then the name is gone.
                Ok(()) if temporary.path.exists() => return Ok((temporary, file)),
                Ok(()) | Err(TryLockError::WouldBlock) => continue,
                // No locks on this file system: then sweepers can't take one either and leave the file alone.
                Err(TryLockError::Error(_)) => return Ok((temporary, file)),
            }
        }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Gives the file its final name, replacing what has it, and makes the name durable.
    pub(super) fn publish(mut self, target: &Path) -> Result<(), FormatError> {
        fs::rename(&self.path, target).map_err(Problem::io("rename the finished file", &self.path))?;
        self.published = true;
        sync_folder(target.parent().unwrap_or(Path::new(".")))
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if !self.published {
            // If this fails there is an orphan, which a later run sweeps.
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// A file for reading and writing that has no name in `folder`, so that it is gone with the process, however that ends.
///
/// # Errors
///
/// It can't be created, or its name can't be removed.
pub fn working_file(folder: &Path) -> Result<File, FormatError> {
    let (mut temporary, file) = Temporary::create(folder, "working")?;
    fs::remove_file(&temporary.path).map_err(Problem::io("remove the working file's name", &temporary.path))?;
    // Nothing to remove any more.
    temporary.published = true;
    Ok(file)
}

/// A name is durable once its folder is. Only Unix can sync one.
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

/// Removes the temporaries in `folder` that no writer holds, and says which. Tables, and files of other names, stay.
///
/// # Errors
///
/// The folder can't be read. A temporary that can't be opened, locked or removed is left where it is.
pub fn remove_stale_temporaries(folder: &Path) -> Result<Vec<PathBuf>, FormatError> {
    let mut swept = Vec::new();
    for entry in fs::read_dir(folder).map_err(Problem::io("read the folder", folder))? {
        let entry = entry.map_err(Problem::io("read the folder", folder))?;
        let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
        if !is_file || !entry.file_name().to_str().is_some_and(is_temporary) {
            continue;
        }
        let path = entry.path();
        let Ok(file) = OpenOptions::new().write(true).open(&path) else { continue };
        // The lock is held until the file is gone, so that a writer that has just created it notices.
        if file.try_lock().is_ok() && fs::remove_file(&path).is_ok() {
            swept.push(path);
        }
    }
    swept.sort();
    Ok(swept)
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Seek, Write};

    use super::*;

    #[test]
    fn a_working_file_has_no_name_and_what_is_left_of_one_is_an_orphan() {
        let folder = tempfile::tempdir().unwrap();
        let mut file = working_file(folder.path()).unwrap();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        file.write_all(b"layers").unwrap();
        file.rewind().unwrap();
        let mut read = String::new();
        file.read_to_string(&mut read).unwrap();
        assert_eq!(read, "layers");

        // As a process leaves it that is killed between the two steps.
        let (mut temporary, file) = Temporary::create(folder.path(), "working").unwrap();
        temporary.published = true;
        drop(file);
        assert_eq!(remove_stale_temporaries(folder.path()).unwrap(), [temporary.path()]);
    }
}
