//! Maps of files.

use std::fs::File;
use std::io;
use std::time::SystemTime;

use memmap2::Mmap;

use super::source::{Source, lost_pages, may_be_lost};

/// A map of a file that nobody changes.
#[derive(Debug)]
pub(super) struct Mapped(Mmap);

impl Mapped {
    pub(super) fn new(file: &File) -> io::Result<Mapped> {
        map(file).map(Mapped)
    }
}

impl Source for Mapped {
    #[inline]
    fn total(&self) -> u64 {
        self.0.total()
    }

    #[inline]
    fn read<'a>(&'a self, offset: u64, len: usize, buffer: &'a mut Vec<u8>) -> io::Result<&'a [u8]> {
        self.0.read(offset, len, buffer)
    }

    fn advise(&self, offset: u64, len: u64) {
        advise(&self.0, offset, len);
    }
}

/// A map of a file that notices when the file is modified or cut short in place: its length and time of modification are
/// compared after every use. Where a file may be cut short, the process must survive SIGBUS.
#[derive(Debug)]
pub(super) struct WatchedMap {
    map: Mmap,
    file: File,
    state: (u64, SystemTime),
    /// Pages of this process that were lost when the file was mapped.
    lost_pages: usize,
}

impl WatchedMap {
    pub(super) fn new(file: File) -> io::Result<WatchedMap> {
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
        may_be_lost(self.lost_pages..lost, addresses.start as usize..addresses.end as usize)
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

    fn advise(&self, offset: u64, len: u64) {
        advise(&self.map, offset, len);
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
        for _ in 0..=REMEMBERED_PAGES {
            note_lost_page(1);
        }
        assert!(other.is_unchanged().is_err());
    }
}
