//! Where a table's bytes come from.

use std::fs::File;
use std::io;
use std::time::SystemTime;

use memmap2::Mmap;

/// Bytes that can be read anywhere.
pub trait Source {
    /// How many there are.
    fn total(&self) -> u64;

    /// So many bytes from an offset: in place, or read into `buffer`.
    ///
    /// # Errors
    ///
    /// They are not there, or the system cannot read them.
    fn read<'a>(&'a self, offset: u64, len: usize, buffer: &'a mut Vec<u8>) -> io::Result<&'a [u8]>;

    /// Are the bytes what they were when they were opened, as far as the source can tell? Asked after every use of them.
    ///
    /// # Errors
    ///
    /// The system cannot tell.
    #[inline]
    fn is_unchanged(&self) -> io::Result<bool> {
        Ok(true)
    }
}

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

/// A map of a file that notices when the file is written to or cut short in place: its length and the time of its last
/// change are asked for after every use. Where a file may be cut short, the process must survive SIGBUS.
#[derive(Debug)]
pub struct WatchedMap {
    map: Mmap,
    file: File,
    state: (u64, SystemTime),
}

impl WatchedMap {
    /// Maps a file.
    ///
    /// # Errors
    ///
    /// The file cannot be mapped, or the system does not tell when it was changed.
    pub fn new(file: File) -> io::Result<WatchedMap> {
        // Before the map, so that no change goes unnoticed.
        let state = state(&file)?;
        Ok(WatchedMap { map: map(&file)?, file, state })
    }
}

fn state(file: &File) -> io::Result<(u64, SystemTime)> {
    let metadata = file.metadata()?;
    Ok((metadata.len(), metadata.modified()?))
}

impl Source for WatchedMap {
    fn total(&self) -> u64 {
        self.map.len() as u64
    }

    #[inline]
    fn read<'a>(&'a self, offset: u64, len: usize, buffer: &'a mut Vec<u8>) -> io::Result<&'a [u8]> {
        self.map.read(offset, len, buffer)
    }

    fn is_unchanged(&self) -> io::Result<bool> {
        Ok(state(&self.file)? == self.state)
    }
}

/// A file that is read when bytes are asked for: slower than a map, but a file that shrinks or a disk that fails is an
/// error then and not the end of the process.
#[derive(Debug)]
pub struct PositionalFile {
    file: File,
    len: u64,
}

impl PositionalFile {
    /// A file to read from.
    ///
    /// # Errors
    ///
    /// Its length cannot be read.
    pub fn new(file: File) -> io::Result<PositionalFile> {
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

/// Maps a file for reading.
#[allow(unsafe_code)]
pub(super) fn map(file: &File) -> io::Result<Mmap> {
    // SAFETY: a map is unsound only if the bytes change while they are borrowed. Tables are published by renaming a finished
    // file and never written again, by this crate or by programs that follow FORMAT.md; a replaced table is a new file, and the
    // map keeps the old one. Whoever rewrites a table in place behind our back is outside of what any reader of maps can
    // guard against: bytes that were not checked yet are then caught by the checksums, a file cut short ends the process
    // with SIGBUS.
    unsafe { Mmap::map(file) }
}
