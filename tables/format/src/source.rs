//! The sources of a table's bytes.

use std::fmt;
use std::fs::File;
use std::io;

/// Bytes that can be read from any offset.
pub trait Source {
    /// The number of bytes.
    fn total(&self) -> u64;

    /// `len` bytes from an offset: in place, or read into `buffer`.
    ///
    /// # Errors
    ///
    /// They are not there, or the system cannot read them.
    fn read<'a>(&'a self, offset: u64, len: usize, buffer: &'a mut Vec<u8>) -> io::Result<&'a [u8]>;

    /// These bytes, if they are mapped and nobody changes them.
    #[inline]
    fn in_memory(&self, _offset: u64, _len: usize) -> Option<&[u8]> {
        None
    }

    /// Whether bytes are copied from memory when they are read. Then two small parts are read sooner than a large one.
    #[inline]
    fn copies(&self) -> bool {
        false
    }

    /// Whether others may change the bytes without anybody's notice. Then every read is compared.
    #[inline]
    fn may_change(&self) -> bool {
        false
    }

    /// Advises the system that these bytes will be read. The call does not wait for them, and may do nothing.
    fn advise(&self, _offset: u64, _len: u64) {}

    /// Whether the bytes are what they were when they were opened, as far as the source can tell. Asked when a use of
    /// them has failed.
    ///
    /// # Errors
    ///
    /// The system cannot tell.
    #[inline]
    fn is_unchanged(&self) -> io::Result<bool> {
        Ok(true)
    }

    /// Whether the source checks the bytes before it gives them. Then the checksums in the file are neither read nor
    /// compared.
    fn checks_its_bytes(&self) -> bool {
        false
    }
}

/// A source that any thread may read, whatever it reads from.
pub trait SharedSource: Source + fmt::Debug + Send + Sync {}

impl<S: Source + fmt::Debug + Send + Sync> SharedSource for S {}

impl<B: AsRef<[u8]>> Source for B {
    #[inline]
    fn total(&self) -> u64 {
        self.as_ref().len() as u64
    }

    #[inline]
    fn read<'a>(&'a self, offset: u64, len: usize, _: &'a mut Vec<u8>) -> io::Result<&'a [u8]> {
        let start = usize::try_from(offset).map_err(|_| io::ErrorKind::UnexpectedEof)?;
        let end = start.checked_add(len).ok_or(io::ErrorKind::UnexpectedEof)?;
        self.as_ref().get(start..end).ok_or_else(|| io::ErrorKind::UnexpectedEof.into())
    }
}

/// A file that is read when bytes are asked for. This is slower than a map, but a file that shrinks or a disk that
/// fails is an error then and not the end of the process.
#[derive(Debug)]
pub(super) struct PositionalFile {
    file: File,
    len: u64,
}

impl PositionalFile {
    pub(super) fn new(file: File) -> io::Result<PositionalFile> {
        let len = file.metadata()?.len();
        Ok(PositionalFile { file, len })
    }
}

impl Source for PositionalFile {
    fn total(&self) -> u64 {
        self.len
    }

    fn read<'a>(&'a self, offset: u64, len: usize, buffer: &'a mut Vec<u8>) -> io::Result<&'a [u8]> {
        if offset.checked_add(len as u64).is_none_or(|end| end > self.len) {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        buffer.clear();
        buffer.resize(len, 0);
        read_exact_at(&self.file, buffer, offset)?;
        Ok(buffer)
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
