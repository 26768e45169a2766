//! A table file that is open, and the way in which it is read.

use std::fs::File;
use std::io;
use std::path::Path;

#[cfg(feature = "mmap")]
use super::mapped::Mapped;
use super::positional::PositionalFile;
use super::source::{SharedSource, Source};
#[cfg(feature = "mmap")]
use super::truncation::TruncationHandler;
#[cfg(feature = "mmap")]
use super::watched_map::WatchedFile;

/// The way in which table files are read. The default is [`Access::positional`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Access(Method);

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
enum Method {
    #[default]
    Positional,
    #[cfg(feature = "mmap")]
    Mapped,
    #[cfg(feature = "mmap")]
    Watched(Option<TruncationHandler>),
}

impl Access {
    /// By positional reads. A file that is cut short while it is open is an error. At most 128 files of a process are
    /// open at a time. One that was closed, and replaced before it is read again, is an error, too.
    pub const fn positional() -> Access {
        Access(Method::Positional)
    }

    /// Through a map of the file: the quickest. A file of which the system refuses a map is read by position.
    ///
    /// # Safety
    ///
    /// No table file may be modified or cut short in place while it is open. Programs that follow `FORMAT.md` never do
    /// so. They publish a table by renaming a whole file over the old one, which stays as it was for those who have it
    /// open.
    #[cfg(feature = "mmap")]
    #[allow(unsafe_code)]
    pub const unsafe fn mapped() -> Access {
        Access(Method::Mapped)
    }

    /// Through a map whose bytes are copied, and compared with those whose checksums were compared. A file may be
    /// modified or cut short in place: where its bytes are not as they were, it fails. A map keeps no file open.
    /// Without the handler that survives a file that is cut short, files are read by position instead, and compared
    /// alike.
    #[cfg(feature = "mmap")]
    pub const fn watched(handler: Option<TruncationHandler>) -> Access {
        Access(Method::Watched(handler))
    }
}

/// A table that is open: a file or a map of one, or any other source.
#[derive(Debug)]
pub struct TableFile(Box<dyn SharedSource>);

impl TableFile {
    /// A table whose bytes are in no file of this system.
    pub(crate) fn elsewhere(source: Box<dyn SharedSource>) -> TableFile {
        TableFile(source)
    }

    /// A file that is read this way.
    ///
    /// # Errors
    ///
    /// The file cannot be mapped, or its length or time of modification cannot be read.
    pub(crate) fn new(file: File, path: &Path, access: Access) -> io::Result<TableFile> {
        Ok(TableFile(match access.0 {
            Method::Positional => Box::new(PositionalFile::new(file, path)?),
            #[cfg(feature = "mmap")]
            Method::Mapped => Box::new(Mapped::new(file, path)?),
            #[cfg(feature = "mmap")]
            Method::Watched(handler) => Box::new(WatchedFile::new(file, path, handler)?),
        }))
    }
}

impl Source for TableFile {
    #[inline]
    fn total(&self) -> u64 {
        self.0.total()
    }

    #[inline]
    fn read<'a>(&'a self, offset: u64, len: usize, buffer: &'a mut Vec<u8>) -> io::Result<&'a [u8]> {
        self.0.read(offset, len, buffer)
    }

    #[inline]
    fn in_memory(&self, offset: u64, len: usize) -> Option<&[u8]> {
        self.0.in_memory(offset, len)
    }

    #[inline]
    fn prefetch(&self, offset: u64) {
        self.0.prefetch(offset);
    }

    #[inline]
    fn copies(&self) -> bool {
        self.0.copies()
    }

    #[inline]
    fn may_change(&self) -> bool {
        self.0.may_change()
    }

    fn advise(&self, offset: u64, len: u64) {
        self.0.advise(offset, len);
    }

    #[inline]
    fn is_unchanged(&self) -> io::Result<bool> {
        self.0.is_unchanged()
    }

    fn checks_its_bytes(&self) -> bool {
        self.0.checks_its_bytes()
    }
}
