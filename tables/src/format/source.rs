//! The sources of a table's bytes.

use std::fmt;
use std::fs::File;
use std::io;
#[cfg(feature = "mmap")]
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

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

    /// Advises the system that these bytes will be read. The call does not wait for them, and may do nothing.
    fn advise(&self, _offset: u64, _len: u64) {}

    /// Whether the bytes are what they were when they were opened, as far as the source can tell. Asked after every use
    /// of them.
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

/// The most lost pages whose addresses are remembered.
#[cfg(feature = "mmap")]
pub(super) const REMEMBERED_PAGES: usize = 256;

/// The number of pages of this process that were lost, and the addresses of the last of them.
static LOST_PAGES: AtomicUsize = AtomicUsize::new(0);
#[cfg(feature = "mmap")]
static LOST_ADDRESSES: [AtomicUsize; REMEMBERED_PAGES] = [const { AtomicUsize::new(0) }; REMEMBERED_PAGES];

/// Notes that the page at an address cannot be read and is about to be replaced by zeros. A watched map that has it
/// fails from then on, whether the checksums of its blocks were verified before or not. This may be called in a
/// signal's handler.
#[cfg(all(feature = "mmap", any(target_os = "linux", test)))]
pub(super) fn note_lost_page(address: usize) {
    // The page is replaced only after this returns, so whoever reads its zeros finds both the number and the address.
    let number = LOST_PAGES.fetch_add(1, Ordering::SeqCst);
    LOST_ADDRESSES[number % REMEMBERED_PAGES].store(address, Ordering::SeqCst);
}

/// The number of pages of mapped files that were lost: see `survive_truncated_tables`.
pub fn lost_pages() -> usize {
    LOST_PAGES.load(Ordering::SeqCst)
}

/// Whether one of these lost pages, by number, is or may be among these addresses.
#[cfg(feature = "mmap")]
pub(super) fn may_be_lost(mut pages: Range<usize>, addresses: Range<usize>) -> bool {
    let is_here = |page: usize| addresses.contains(&LOST_ADDRESSES[page % REMEMBERED_PAGES].load(Ordering::SeqCst));
    pages.len() > REMEMBERED_PAGES || pages.any(is_here)
}
