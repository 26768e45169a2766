//! A file for working data. Unless it is a checkpoint it has no name: it is gone with the process, however that ends.

use std::fs::File;
use std::io::{self, Read, Write};
#[cfg(unix)]
use std::os::unix::fs::FileExt;
#[cfg(windows)]
use std::os::windows::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use makruk_format::FormatError;
use makruk_format::lock;

use super::compression::{compress, decompress};

/// The place of a blob in a working file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BlobPlace {
    /// Its offset in the file.
    pub(super) offset: u64,
    /// Its length in the file, in bytes: less than its own if it is compressed.
    pub(super) stored: u32,
    /// Its length in bytes.
    pub(super) len: u32,
}

/// A file for working data. Any thread may write and read.
#[derive(Debug)]
pub(super) struct WorkingFile {
    file: File,
    /// Held by the thread that writes at the end.
    appends: Mutex<()>,
    /// Its path, or the folder of a file without a name; for messages.
    path: PathBuf,
}

impl WorkingFile {
    /// An empty file without a name in a folder.
    ///
    /// # Errors
    ///
    /// It cannot be created.
    pub(super) fn create(folder: &Path) -> Result<WorkingFile, FormatError> {
        let file = tempfile::tempfile_in(folder);
        let file = file.map_err(|error| FormatError::io("create a working file", folder, error))?;
        Ok(WorkingFile::new(file, folder.to_owned()))
    }

    /// A file that is open to be written and read; its path is named in messages.
    pub(super) fn new(file: File, path: PathBuf) -> WorkingFile {
        WorkingFile { file, appends: Mutex::new(()), path }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// The length in bytes.
    ///
    /// # Errors
    ///
    /// The system does not report it.
    pub(super) fn len(&self) -> Result<u64, FormatError> {
        let metadata = self.file.metadata();
        Ok(metadata.map_err(|error| self.cannot_read(error))?.len())
    }

    /// Cuts the file off after `bytes` bytes.
    ///
    /// # Errors
    ///
    /// The file cannot be written.
    pub(super) fn truncate(&self, bytes: u64) -> Result<(), FormatError> {
        self.file.set_len(bytes).map_err(|error| self.cannot_write(error))
    }

    /// The same file, for a separate thread that waits for the disk.
    ///
    /// # Errors
    ///
    /// The system has no more open files.
    pub(super) fn to_sync(&self) -> Result<File, FormatError> {
        self.file.try_clone().map_err(|error| self.cannot_write(error))
    }

    /// Writes at the end; returns the offset. One writer at a time keeps the file sequential, which suits disks.
    ///
    /// # Errors
    ///
    /// The file cannot be written.
    pub(super) fn append(&self, bytes: &[u8]) -> Result<u64, FormatError> {
        let _held = lock(&self.appends);
        let offset = self.len()?;
        self.write_at(offset, bytes)?;
        Ok(offset)
    }

    fn write_at(&self, offset: u64, bytes: &[u8]) -> Result<(), FormatError> {
        At { file: &self.file, offset }.write_all(bytes).map_err(|error| self.cannot_write(error))
    }

    /// Reads as many bytes as the buffer holds.
    ///
    /// # Errors
    ///
    /// The file cannot be read.
    pub(super) fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<(), FormatError> {
        At { file: &self.file, offset }.read_exact(buffer).map_err(|error| self.cannot_read(error))
    }

    /// Writes some bytes at the offset that `room` gives for their stored length: compressed, if that is asked for and
    /// makes them shorter.
    ///
    /// # Errors
    ///
    /// The file cannot be written, or the bytes are too many.
    pub(super) fn write_blob(
        &self,
        bytes: &[u8],
        compresses: bool,
        room: impl FnOnce(usize) -> u64,
    ) -> Result<BlobPlace, FormatError> {
        let packed = compresses.then(|| compress(bytes)).transpose().map_err(|error| self.cannot_write(error))?;
        let stored = packed.as_deref().filter(|packed| packed.len() < bytes.len()).unwrap_or(bytes);
        let short = |len: usize| u32::try_from(len).map_err(|_| self.cannot_write(io::ErrorKind::FileTooLarge.into()));
        let (stored_len, len) = (short(stored.len())?, short(bytes.len())?);
        let offset = room(stored.len());
        self.write_at(offset, stored)?;
        Ok(BlobPlace { offset, stored: stored_len, len })
    }

    /// Reads what [`WorkingFile::write_blob`] wrote.
    ///
    /// # Errors
    ///
    /// The file cannot be read, or has other bytes where compressed ones were.
    pub(super) fn read_blob(&self, place: BlobPlace, to: &mut Vec<u8>) -> Result<(), FormatError> {
        to.resize(place.stored as usize, 0);
        self.read_at(place.offset, to)?;
        if place.stored < place.len {
            *to = decompress(to, place.len as usize).map_err(|error| self.cannot_read(error))?;
        }
        Ok(())
    }

    /// The error of content that cannot be written.
    pub(super) fn cannot_write(&self, error: io::Error) -> FormatError {
        FormatError::io("write the working file", &self.path, error)
    }

    /// The error of content that cannot be read.
    pub(super) fn cannot_read(&self, error: io::Error) -> FormatError {
        FormatError::io("read the working file", &self.path, error)
    }
}

/// A file from an offset on. Neither the file's own position nor what another thread does makes a difference, so that
/// threads do not wait for one another.
struct At<'a> {
    file: &'a File,
    offset: u64,
}

impl Read for At<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        #[cfg(unix)]
        let read = self.file.read_at(buffer, self.offset)?;
        #[cfg(windows)]
        let read = self.file.seek_read(buffer, self.offset)?;
        self.offset += read as u64;
        Ok(read)
    }
}

impl Write for At<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        #[cfg(unix)]
        let written = self.file.write_at(bytes, self.offset)?;
        #[cfg(windows)]
        let written = self.file.seek_write(bytes, self.offset)?;
        self.offset += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
