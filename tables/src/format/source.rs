//! The sources of a table's bytes.

use std::fmt;
use std::fs::File;
use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
#[cfg(feature = "mmap")]
use std::time::SystemTime;

#[cfg(feature = "mmap")]
use memmap2::Mmap;

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

    /// Advises the system that these bytes will be read. The call does not wait for them, and may do nothing.
    fn advise(&self, _offset: u64, _len: u64) {}

    /// Are the bytes what they were when they were opened, as far as the source can tell? Asked after every use of them.
    ///
    /// # Errors
    ///
    /// The system cannot tell.
    #[inline]
    fn is_unchanged(&self) -> io::Result<bool> {
        Ok(true)
    }

    /// Does the source check the bytes before it gives them? Then the checksums in the file are neither read nor compared.
    fn checks_its_bytes(&self) -> bool {
        false
    }
}

/// A source that any thread may read, whatever is behind it.
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
    Watched,
}

impl Access {
    /// By positional reads. A file that is cut short while it is open is an error.
    pub const fn positional() -> Access {
        Access(Method::Positional)
    }

    /// Through a map of the file: the quickest.
    ///
    /// # Safety
    ///
    /// No table file may be modified or cut short in place while it is open. Programs that follow `FORMAT.md` never do so:
    /// they publish a table by renaming a whole file over the old one, which stays as it was for those who have it open.
    #[cfg(feature = "mmap")]
    #[allow(unsafe_code)]
    pub const unsafe fn mapped() -> Access {
        Access(Method::Mapped)
    }

    /// Through a map, and the file's length and time of modification are compared after every use: a file that was modified
    /// in place is corrupt from then on.
    ///
    /// # Safety
    ///
    /// As for [`Access::mapped`], except that a file may be modified or cut short in place if the process survives the
    /// SIGBUS that reading beyond a file's new end raises.
    #[cfg(feature = "mmap")]
    #[allow(unsafe_code)]
    pub const unsafe fn watched() -> Access {
        Access(Method::Watched)
    }
}

/// A table file that is open.
#[derive(Debug)]
pub struct TableFile(Opened);

#[derive(Debug)]
enum Opened {
    Positional(PositionalFile),
    #[cfg(feature = "mmap")]
    Mapped(Mmap),
    #[cfg(feature = "mmap")]
    Watched(WatchedMap),
    Other(Box<dyn SharedSource>),
}

impl TableFile {
    /// A table whose bytes are in no file of this system.
    pub fn elsewhere(source: Box<dyn SharedSource>) -> TableFile {
        TableFile(Opened::Other(source))
    }

    /// A file that is read this way.
    ///
    /// # Errors
    ///
    /// The file cannot be mapped, or its length or time of modification cannot be read.
    pub fn new(file: File, access: Access) -> io::Result<TableFile> {
        Ok(TableFile(match access.0 {
            Method::Positional => Opened::Positional(PositionalFile::new(file)?),
            #[cfg(feature = "mmap")]
            Method::Mapped => Opened::Mapped(map(&file)?),
            #[cfg(feature = "mmap")]
            Method::Watched => Opened::Watched(WatchedMap::new(file)?),
        }))
    }
}

impl Source for TableFile {
    #[inline]
    fn total(&self) -> u64 {
        match &self.0 {
            Opened::Positional(file) => file.total(),
            #[cfg(feature = "mmap")]
            Opened::Mapped(map) => map.total(),
            #[cfg(feature = "mmap")]
            Opened::Watched(map) => map.total(),
            Opened::Other(source) => source.total(),
        }
    }

    #[inline]
    fn read<'a>(&'a self, offset: u64, len: usize, buffer: &'a mut Vec<u8>) -> io::Result<&'a [u8]> {
        match &self.0 {
            Opened::Positional(file) => file.read(offset, len, buffer),
            #[cfg(feature = "mmap")]
            Opened::Mapped(map) => map.read(offset, len, buffer),
            #[cfg(feature = "mmap")]
            Opened::Watched(map) => map.read(offset, len, buffer),
            Opened::Other(source) => source.read(offset, len, buffer),
        }
    }

    fn advise(&self, offset: u64, len: u64) {
        match &self.0 {
            #[cfg(feature = "mmap")]
            Opened::Mapped(map) => advise(map, offset, len),
            #[cfg(feature = "mmap")]
            Opened::Watched(map) => advise(&map.map, offset, len),
            Opened::Other(source) => source.advise(offset, len),
            Opened::Positional(_) => {}
        }
    }

    #[inline]
    fn is_unchanged(&self) -> io::Result<bool> {
        match &self.0 {
            #[cfg(feature = "mmap")]
            Opened::Watched(map) => map.is_unchanged(),
            Opened::Other(source) => source.is_unchanged(),
            _ => Ok(true),
        }
    }

    fn checks_its_bytes(&self) -> bool {
        matches!(&self.0, Opened::Other(source) if source.checks_its_bytes())
    }
}

/// A file that is read when bytes are asked for: slower than a map, but a file that shrinks or a disk that fails is an
/// error then and not the end of the process.
#[derive(Debug)]
struct PositionalFile {
    file: File,
    len: u64,
}

impl PositionalFile {
    fn new(file: File) -> io::Result<PositionalFile> {
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

/// A map of a file that notices when the file is modified or cut short in place: its length and time of modification are
/// compared after every use. Where a file may be cut short, the process must survive SIGBUS.
#[cfg(feature = "mmap")]
#[derive(Debug)]
struct WatchedMap {
    map: Mmap,
    file: File,
    state: (u64, SystemTime),
    /// Pages of this process that were lost when the file was mapped.
    lost_pages: usize,
}

#[cfg(feature = "mmap")]
impl WatchedMap {
    fn new(file: File) -> io::Result<WatchedMap> {
        // Before the map, so that no change goes unnoticed.
        let (state, lost_pages) = (state(&file)?, lost_pages());
        Ok(WatchedMap { map: map(&file)?, file, state, lost_pages })
    }

    /// Whether a page of this map was lost.
    fn has_lost_page(&self) -> bool {
        let lost = lost_pages();
        // Pages are almost never lost.
        if lost == self.lost_pages {
            return false;
        }
        let addresses = self.map.as_ptr_range();
        let is_here = |number: usize| {
            let address = LOST_ADDRESSES[number % LOST_ADDRESSES.len()].load(Ordering::SeqCst);
            (addresses.start as usize..addresses.end as usize).contains(&address)
        };
        lost - self.lost_pages > LOST_ADDRESSES.len() || (self.lost_pages..lost).any(is_here)
    }
}

/// The number of pages of this process that were lost, and the addresses of the last of them.
static LOST_PAGES: AtomicUsize = AtomicUsize::new(0);
static LOST_ADDRESSES: [AtomicUsize; 256] = [const { AtomicUsize::new(0) }; 256];

/// Notes that the page at an address cannot be read and is about to be replaced by zeros. A watched map that has it fails from
/// then on, whether the checksums of its blocks were verified before or not. This may be called in a signal's handler.
pub fn note_lost_page(address: usize) {
    // The page is replaced only after this returns, so whoever reads its zeros finds both the number and the address.
    let number = LOST_PAGES.fetch_add(1, Ordering::SeqCst);
    LOST_ADDRESSES[number % LOST_ADDRESSES.len()].store(address, Ordering::SeqCst);
}

/// The number of pages that [`note_lost_page`] has noted.
pub fn lost_pages() -> usize {
    LOST_PAGES.load(Ordering::SeqCst)
}

#[cfg(feature = "mmap")]
fn state(file: &File) -> io::Result<(u64, SystemTime)> {
    let metadata = file.metadata()?;
    Ok((metadata.len(), metadata.modified()?))
}

#[cfg(feature = "mmap")]
impl Source for WatchedMap {
    fn total(&self) -> u64 {
        self.map.len() as u64
    }

    #[inline]
    fn read<'a>(&'a self, offset: u64, len: usize, buffer: &'a mut Vec<u8>) -> io::Result<&'a [u8]> {
        self.map.read(offset, len, buffer)
    }

    fn is_unchanged(&self) -> io::Result<bool> {
        if state(&self.file)? != self.state {
            return Ok(false);
        }
        if self.has_lost_page() {
            return Err(io::Error::other("a page of the file could not be read"));
        }
        Ok(true)
    }
}

/// Has the system read a part of a map ahead, where it can.
#[cfg(feature = "mmap")]
fn advise(map: &Mmap, offset: u64, len: u64) {
    #[cfg(unix)]
    if let (Ok(offset), Ok(len)) = (usize::try_from(offset), usize::try_from(len))
        && offset.checked_add(len).is_some_and(|end| end <= map.len())
    {
        // Advice that is not taken changes nothing.
        let _ = map.advise_range(memmap2::Advice::WillNeed, offset, len);
    }
    #[cfg(not(unix))]
    let _ = (map, offset, len);
}

/// Maps a file for reading.
#[cfg(feature = "mmap")]
#[allow(unsafe_code)]
fn map(file: &File) -> io::Result<Mmap> {
    // SAFETY: a map is unsound only if the bytes change while they are borrowed. The caller of `Access::mapped` or
    // `Access::watched`, without which no file is mapped, has promised that they do not.
    unsafe { Mmap::map(file) }
}

#[cfg(all(test, feature = "mmap"))]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn a_lost_page_fails_its_map_and_no_other() {
        let map = || {
            let mut file = tempfile::tempfile().unwrap();
            file.write_all(&[7; 1 << 14]).unwrap();
            WatchedMap::new(file).unwrap()
        };
        let (lost, other) = (map(), map());
        assert!(lost.is_unchanged().unwrap());
        note_lost_page(lost.map.as_ptr() as usize + 4096);
        assert!(lost.is_unchanged().is_err());
        assert!(other.is_unchanged().unwrap());
        // Opened again, the file is read again.
        let again = WatchedMap::new(lost.file.try_clone().unwrap()).unwrap();
        assert!(again.is_unchanged().unwrap());
        // Of more pages than are remembered, any map may have lost one.
        for _ in 0..=LOST_ADDRESSES.len() {
            note_lost_page(1);
        }
        assert!(other.is_unchanged().is_err());
    }
}
