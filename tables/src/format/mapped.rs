//! Maps of files.

use std::fs::File;
use std::io;
use std::time::SystemTime;

use memmap2::Mmap;

use super::source::{PositionalFile, Source, lost_pages, may_be_lost};

/// The bytes of a file: mapped, or read by position where the system refuses a map. Some network file systems do, and
/// any system does when a limit of maps or of addresses is reached.
#[derive(Debug)]
pub(super) enum Mapped {
    Map(Mmap),
    File(PositionalFile),
}

impl Mapped {
    /// A file that nobody changes.
    pub(super) fn new(file: File) -> io::Result<Mapped> {
        match map(&file) {
            Ok(map) => Ok(Mapped::Map(map)),
            Err(_) => PositionalFile::new(file).map(Mapped::File),
        }
    }
}

impl Source for Mapped {
    #[inline]
    fn total(&self) -> u64 {
        match self {
            Mapped::Map(map) => map.total(),
            Mapped::File(file) => file.total(),
        }
    }

    #[inline]
    fn read<'a>(&'a self, offset: u64, len: usize, buffer: &'a mut Vec<u8>) -> io::Result<&'a [u8]> {
        match self {
            Mapped::Map(map) => map.read(offset, len, buffer),
            Mapped::File(file) => file.read(offset, len, buffer),
        }
    }

    #[inline]
    fn in_memory(&self, offset: u64, len: usize) -> Option<&[u8]> {
        let Mapped::Map(map) = self else { return None };
        map.get(usize::try_from(offset).ok()?..)?.get(..len)
    }

    fn advise(&self, offset: u64, len: u64) {
        if let Mapped::Map(map) = self {
            advise(map, offset, len);
        }
    }
}

/// A map of a file that notices when the file is modified or cut short in place: its length and time of modification
/// are compared after every use. Where a file may be cut short, the process must survive SIGBUS.
#[derive(Debug)]
pub(super) struct WatchedMap {
    bytes: Mapped,
    file: File,
    state: (u64, SystemTime),
    /// Pages of this process that were lost when the file was mapped.
    lost_pages: usize,
}

impl WatchedMap {
    pub(super) fn new(file: File) -> io::Result<WatchedMap> {
        // Before the map, so that no change goes unnoticed.
        let (state, lost_pages) = (state(&file)?, lost_pages());
        Ok(WatchedMap { bytes: Mapped::new(file.try_clone()?)?, file, state, lost_pages })
    }

    /// Whether a page of this map was lost.
    fn has_lost_page(&self) -> bool {
        let lost = lost_pages();
        // Pages are almost never lost.
        if lost == self.lost_pages {
            return false;
        }
        let Mapped::Map(map) = &self.bytes else { return false };
        let addresses = map.as_ptr_range();
        may_be_lost(self.lost_pages..lost, addresses.start as usize..addresses.end as usize)
    }
}

fn state(file: &File) -> io::Result<(u64, SystemTime)> {
    let metadata = file.metadata()?;
    Ok((metadata.len(), metadata.modified()?))
}

impl Source for WatchedMap {
    fn total(&self) -> u64 {
        self.bytes.total()
    }

    #[inline]
    fn read<'a>(&'a self, offset: u64, len: usize, buffer: &'a mut Vec<u8>) -> io::Result<&'a [u8]> {
        self.bytes.read(offset, len, buffer)
    }

    fn advise(&self, offset: u64, len: u64) {
        self.bytes.advise(offset, len);
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
#[allow(unsafe_code)]
fn map(file: &File) -> io::Result<Mmap> {
    // SAFETY: a map is unsound only if the bytes change while they are borrowed. The caller of `Access::mapped` or
    // `Access::watched`, without which no file is mapped, has promised that they do not.
    unsafe { Mmap::map(file) }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::super::source::{REMEMBERED_PAGES, note_lost_page};
    use super::*;

    /// Files of /proc cannot be mapped.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_file_that_cannot_be_mapped_is_read() {
        let file = || File::open("/proc/version").unwrap();
        assert!(matches!(Mapped::new(file()).unwrap(), Mapped::File(_)));
        let watched = WatchedMap::new(file()).unwrap();
        assert!(matches!(watched.bytes, Mapped::File(_)));
        note_lost_page(1);
        assert!(watched.is_unchanged().unwrap());
    }

    #[test]
    fn a_lost_page_fails_its_map_and_no_other() {
        let map = || {
            let mut file = tempfile::tempfile().unwrap();
            file.write_all(&[7; 1 << 14]).unwrap();
            WatchedMap::new(file).unwrap()
        };
        let (lost, other) = (map(), map());
        assert!(lost.is_unchanged().unwrap());
        let Mapped::Map(map_of_lost) = &lost.bytes else { panic!("the file is not mapped") };
        note_lost_page(map_of_lost.as_ptr() as usize + 4096);
        assert!(lost.is_unchanged().is_err());
        assert!(other.is_unchanged().unwrap());
        // Opened again, the file is read again.
        let again = WatchedMap::new(lost.file.try_clone().unwrap()).unwrap();
        assert!(again.is_unchanged().unwrap());
        // Of more pages than are remembered, any map may have lost one.
        for _ in 0..=REMEMBERED_PAGES {
            note_lost_page(1);
        }
        assert!(other.is_unchanged().is_err());
    }
}
