//! Maps of files.

use std::fs::File;
use std::io;
use std::path::Path;

use memmap2::Mmap;

use super::positional::PositionalFile;
use super::source::{Source, prefetch};

/// The bytes of a file: mapped, or read by position where the system refuses a map. Some network file systems do, and
/// any system does when a limit of maps or of addresses is reached.
#[derive(Debug)]
pub(super) enum Mapped {
    Map(Mmap),
    File(PositionalFile),
}

impl Mapped {
    /// A file that nobody changes.
    pub(super) fn new(file: File, path: &Path) -> io::Result<Mapped> {
        match map(&file) {
            Ok(map) => Ok(Mapped::Map(map)),
            Err(_) => PositionalFile::new(file, path).map(Mapped::File),
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

    #[inline]
    fn prefetch(&self, offset: u64) {
        if let Mapped::Map(map) = self {
            prefetch(map.as_ptr().wrapping_add(offset as usize));
        }
    }

    fn advise(&self, offset: u64, len: u64) {
        if let Mapped::Map(map) = self {
            advise(map, offset, len);
        }
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
    // SAFETY: a map is unsound only if the bytes change while they are borrowed. The caller of `Access::mapped` has
    // promised that they do not.
    unsafe { Mmap::map(file) }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    /// Files of /proc cannot be mapped.
    #[test]
    fn a_file_that_cannot_be_mapped_is_read() {
        let path = Path::new("/proc/version");
        assert!(matches!(Mapped::new(File::open(path).unwrap(), path).unwrap(), Mapped::File(_)));
    }
}
